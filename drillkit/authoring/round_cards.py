"""Cards made of what a round showed to be missing, in files of one's own.

A missed number becomes a family of problems where it can be proved, else a card. Nothing is
written twice, and what a person changed stays: a card that is known already is asked again soon.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from drillkit.authoring.drafts import ORDER, Draft, Entries, add_drafts, add_entries
from drillkit.authoring.family_text import written
from drillkit.content.problem import PROBLEM_DECK
from drillkit.content.problem_reading import read_problems
from drillkit.review.direct import rate_item
from drillkit.review.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from drillkit.clock import Clock
    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.library import Library
    from drillkit.content.problem import Problem
    from drillkit.review.collection import Collection
    from drillkit.rounds.misses import Miss
    from drillkit.settings import Settings

DECK = "from-rounds"
DECK_TITLE = FAMILY_TITLE = "From design rounds"
FILE = f"{DECK}.yaml"
FAMILY_HEAD = f"title: {FAMILY_TITLE}\norder: {ORDER}\nproblems:\n"


class RoundDraft(NamedTuple):
    """A miss on its way to a card: a card of the deck, or a family of problems that was proved.

    `known` is the item that trains it already, or nothing: that one is asked again instead.
    """

    miss: Miss
    card: Draft | None = None
    family: Problem | None = None
    known: str = ""

    @property
    def item(self) -> str:
        """The identity under which it is reviewed, or will be."""
        return self.known or f"{PROBLEM_DECK if self.family else DECK}/{self.miss.id}"


class Added(NamedTuple):
    """What became of drafts: the items that are new, and those that are asked again."""

    new: tuple[str, ...] = ()
    again: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        return (*self.new, *self.again)

    @property
    def told(self) -> str:
        """What became of them, in words; "" where there is nothing but what is new."""
        return f"{len(self.again)} known already, asked again soon" if self.again else ""


# --- drafts --------------------------------------------------------------------------------------


def drafts_of(
    misses: Iterable[Miss], library: Library, collection: Collection
) -> tuple[RoundDraft, ...]:
    """Return a draft for each miss that makes a card; a sprint makes none.

    Proving a family takes a second or so.
    """
    return tuple(draft_of(miss, library, collection) for miss in misses if miss.kind != "sprint")


def draft_of(miss: Miss, library: Library, collection: Collection) -> RoundDraft:
    """Return the draft of one miss: the card that is known, a family, or a card."""
    card = Draft(miss.id, miss.ask, miss.answer, miss.source, miss.points)
    known = _known(miss, library, collection)
    if known:
        return RoundDraft(miss, card, known=known)
    family = proved(miss.family) if miss.family is not None else None
    return RoundDraft(miss, None, family) if family else RoundDraft(miss, card)


def _known(miss: Miss, library: Library, collection: Collection) -> str:
    """The item that asks for the same: one made of this miss before, or a drill that was met."""
    for item in (f"{PROBLEM_DECK}/{miss.id}", f"{DECK}/{miss.id}"):
        if item in library.items:
            return item
    drill = f"{PROBLEM_DECK}/{miss.drill}"
    met = miss.drill and drill in library.items and collection.state(drill).reps > 0
    return drill if met else ""


def proved(family: Problem) -> Problem | None:
    """Return a family that can be asked and judged, without the slips that cannot be told apart.

    None where even that one cannot.
    """
    # Imported here: cards are made without sympy.
    from drillkit.authoring.proofs import prove  # noqa: PLC0415

    while True:
        raw = (FAMILY_HEAD + "".join(f"  {line}\n" for line in written(family))).encode()
        reading = read_problems(raw, FILE)
        faults = _errors(reading.diagnostics)
        if faults or not reading.nodes:
            return None
        problem, node = reading.nodes[0]
        faults = _errors(prove(problem, node, FILE))
        if not faults:
            return family
        if not family.slips:
            return None
        told = " ".join(f"{fault.message} {fault.hint}" for fault in faults)
        left = tuple(slip for slip in family.slips if repr(slip.id) not in told)
        family = msgspec.structs.replace(family, slips=left if left != family.slips else ())


def _errors(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(one for one in found if one.severity == "error")


# --- writing -------------------------------------------------------------------------------------


def add_round_cards(
    decks: Path,
    problems: Path,
    drafts: Iterable[RoundDraft],
    library: Library,
    collection: Collection,
    clock: Clock,
    settings: Settings,
) -> Added:
    """Write the drafts that were accepted, and have those asked again that are known already.

    `decks` and `problems` are the person's own folders. Raises `DrillkitError` where a file has
    errors or cannot be written; nothing is written over.
    """
    accepted = tuple(drafts)
    again = [draft.known for draft in accepted if draft.known]
    families = {
        draft.miss.id: written(draft.family)
        for draft in accepted
        if draft.family is not None and not draft.known
    }
    cards = [draft.card for draft in accepted if draft.card is not None and not draft.known]
    new: list[str] = []
    if families:
        path = problems / "numeric" / FILE
        fresh = add_entries(path, FAMILY_HEAD, _family_entries, families)
        new += [f"{PROBLEM_DECK}/{name}" for name in fresh]
        again += [f"{PROBLEM_DECK}/{name}" for name in families if name not in fresh]
    if cards:
        fresh = add_drafts(decks / FILE, DECK, DECK_TITLE, cards)
        new += [f"{DECK}/{name}" for name in fresh]
        again += [f"{DECK}/{card.id}" for card in cards if card.id not in fresh]
    asked = tuple(dict.fromkeys(item for item in again if item in library.items))
    for item in asked:
        rate_item(collection, library, clock, settings, item, Rating.AGAIN)
    return Added(tuple(new), asked)


def _family_entries(raw: bytes, file: str) -> Entries:
    reading = read_problems(raw, file)
    return Entries(
        {problem.id: msgspec.structs.replace(problem, line=0) for problem, _ in reading.nodes},
        _errors(reading.diagnostics),
        min((node.line for _, node in reading.nodes), default=0),
    )
