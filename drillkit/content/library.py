"""What was read of all content files as one Library: decks, cards, problem families, rounds.

Reading the files is the shelf's business; here they are joined, and what stands twice is told.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from drillkit.content.cards import AnyCard, Deck, Family
from drillkit.content.diagnostic import Diagnostic, in_order
from drillkit.content.files import Stamp  # noqa: TC001 msgspec reads the types of fields
from drillkit.content.packed import Cards, DeckCards, PackedDeck, pack, unpack
from drillkit.content.problem import PROBLEM_DECK, Problem, ProblemSet
from drillkit.counted import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from drillkit.content.round import Round, Script

Entry = TypeVar("Entry", "AnyCard", "Problem", "Round")

ROUND = "round:"
"""What the name of a round starts with where an edit is told: no card's does."""


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """A round, or a script for one, as bytes: reviews never unpack it.

    `id` is the round's, `line` where it is written.
    """

    id: str
    line: int
    data: bytes


class Held(msgspec.Struct, frozen=True, array_like=True):
    """What one file holds: one of these kinds, or nothing if it cannot be read."""

    stamp: Stamp
    diagnostics: tuple[Diagnostic, ...]
    deck: PackedDeck | None = None
    problems: ProblemSet | None = None
    round: Packed | None = None
    script: Packed | None = None


class Place(msgspec.Struct, frozen=True):
    """Where an item is written."""

    path: Path
    line: int


class Change(msgspec.Struct, frozen=True):
    """What an edit of the files did: item ids, and files with their first error."""

    added: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.edited or self.removed or self.broken)

    def __str__(self) -> str:
        counts = (
            (self.added, "added"),
            (self.edited, "edited"),
            (self.removed, "removed"),
        )
        parts = [f"{_counted(items)} {verb}" for items, verb in counts if items]
        parts += [f"errors in {file}" for file in self.broken]
        return ", ".join(parts)


def _counted(items: tuple[str, ...]) -> str:
    problems = sum(item.startswith(f"{PROBLEM_DECK}/") for item in items)
    rounds = sum(item.startswith(ROUND) for item in items)
    cards = len(items) - problems - rounds
    counts = ((cards, "card"), (problems, "problem"), (rounds, "round"))
    told = [counted(count, word) for count, word in counts if count]
    return " and ".join(told)


class Library(msgspec.Struct, frozen=True, dict=True):
    """All content that could be read. `decks` and `items` are in the order of the files.

    `problems` are the families by id; a family's item is `problems/<id>`.
    """

    decks: dict[str, Deck] = {}
    items: Cards = msgspec.field(default_factory=Cards)
    diagnostics: tuple[Diagnostic, ...] = ()
    stamps: dict[str, Stamp] = {}
    files_read: int = 0
    problems: dict[str, Problem] = {}
    _paths: dict[str, str] = {}
    _rounds: tuple[Packed, ...] = ()
    _scripts: tuple[Packed, ...] = ()

    @cached_property
    def rounds(self) -> dict[str, Round]:
        """The design rounds by id, those with the lowest `order` first."""
        from drillkit.content.round import Round  # noqa: PLC0415 a review needs no rounds

        unpack = msgspec.msgpack.Decoder(Round).decode
        found = [unpack(packed.data) for packed in self._rounds]
        return {one.id: one for one in sorted(found, key=lambda one: one.order)}

    @cached_property
    def scripts(self) -> dict[str, tuple[Script, ...]]:
        """The scripted candidates of each round, by its id."""
        from drillkit.content.round import Script  # noqa: PLC0415 a review needs no rounds

        unpack = msgspec.msgpack.Decoder(Script).decode
        found: dict[str, tuple[Script, ...]] = {}
        for packed in self._scripts:
            found[packed.id] = (*found.get(packed.id, ()), unpack(packed.data))
        return found

    def place(self, item: str) -> Place:
        """Return where a card or family is written. Raises KeyError for an unknown item."""
        card = self.items[item]
        return Place(Path(self._paths.get(item) or self.decks[card.deck].path), card.line)

    def change_from(self, before: Library) -> Change:
        """Tell what differs from an earlier reading of the same folders."""
        if self.items is before.items:
            return Change()
        known = _errors(before)
        cards = _change(
            _written(before.items.unlike(self.items)), _written(self.items.unlike(before.items))
        )
        families = _change(
            {family.item: family for family in before.problems.values()},
            {family.item: family for family in self.problems.values()},
        )
        rounds = Change()
        if self._rounds != before._rounds:
            rounds = _change(
                {ROUND + name: one for name, one in before.rounds.items()},
                {ROUND + name: one for name, one in self.rounds.items()},
            )
        return Change(
            added=cards.added + families.added + rounds.added,
            edited=cards.edited + families.edited + rounds.edited,
            removed=cards.removed + families.removed + rounds.removed,
            broken=tuple(sorted({file for file, _ in _errors(self) - known})),
        )


def _errors(library: Library) -> set[tuple[str, str]]:
    # Not by line: an error that only moved within its file is not news.
    found = (one for one in library.diagnostics if one.severity == "error")
    return {(one.file, f"{one.subject}: {one.message}") for one in found}


def _written(cards: dict[str, AnyCard]) -> dict[str, AnyCard]:
    return {item: card for item, card in cards.items() if not isinstance(card, Family)}


def _change(old: Mapping[str, Entry], new: Mapping[str, Entry]) -> Change:
    return Change(
        added=tuple(item for item in new if item not in old),
        edited=tuple(i for i, one in new.items() if i in old and _differs(one, old[i])),
        removed=tuple(item for item in old if item not in new),
    )


def _differs(one: Entry, other: Entry) -> bool:
    # What only moved within its file is the same.
    return one is not other and one != msgspec.structs.replace(other, line=one.line)


def assemble(held: Mapping[str, Held], faults: Iterable[Diagnostic], files_read: int) -> Library:
    """Join what the files hold; items with one id in two files are told of and both kept."""
    diagnostics = [*faults, *(found for one in held.values() for found in one.diagnostics)]
    by_id: dict[str, Deck] = {}
    members: dict[str, list[str]] = {}
    items = Cards()
    paths: dict[str, str] = {}
    problems: dict[str, Problem] = {}
    topics = [(path, one.deck or one.problems) for path, one in held.items()]
    ordered = [(path, topic) for path, topic in topics if topic is not None]
    for path, deck in sorted(ordered, key=lambda entry: entry[1].order):
        if isinstance(deck, ProblemSet):
            for problem in deck.problems:
                if problem.id in problems:
                    first = (paths[problem.item], problems[problem.id].line)
                    diagnostics.append(_twice("problem", problem.id, (path, problem.line), first))
                    continue
                problems[problem.id] = problem
                paths[problem.item] = path
                family = _as_item(problem)
                items.add(family.item, pack(family), was=family.was)
            continue
        if deck.id == PROBLEM_DECK:
            diagnostics.append(_reserved(path))
        if deck.id in by_id:
            first_path = by_id[deck.id].path
            members[deck.id] += _join(deck, path, first_path, items, paths, diagnostics)
        else:
            # The reader sees to it that ids are unique within a file.
            own = members[deck.id] = items.add_deck(deck)
            by_id[deck.id] = Deck(
                deck.id, deck.title, deck.path, deck.tags, deck.order, DeckCards(items, own)
            )
    diagnostics += _dangling(items, by_id, paths)
    if problems:
        families = DeckCards(items, [problem.item for problem in problems.values()])
        by_id[PROBLEM_DECK] = Deck(PROBLEM_DECK, "Numeric problems", "", cards=families)
    rounds = _unique_rounds(held, diagnostics)
    scripts = tuple(one.script for one in held.values() if one.script is not None)
    stamps = {path: one.stamp for path, one in held.items()}
    found = tuple(in_order(diagnostics))
    return Library(by_id, items, found, stamps, files_read, problems, paths, rounds, scripts)


def _unique_rounds(held: Mapping[str, Held], diagnostics: list[Diagnostic]) -> tuple[Packed, ...]:
    first: dict[str, tuple[str, int]] = {}
    found: list[Packed] = []
    for path, one in held.items():
        if one.round is None:
            continue
        name, line = one.round.id, one.round.line
        if name in first:
            diagnostics.append(_twice("round", name, (path, line), first[name]))
        else:
            first[name] = (path, line)
            found.append(one.round)
    return tuple(found)


def _as_item(problem: Problem) -> Family:
    return Family(
        id=problem.id,
        deck=PROBLEM_DECK,
        line=problem.line,
        ask=problem.title,
        why=problem.why,
        source=problem.source,
        tags=problem.tags,
        figure=problem.figure,
        was=tuple(f"{PROBLEM_DECK}/{old}" for old in problem.was),
    )


def _reserved(path: str) -> Diagnostic:
    message = f"the deck id {PROBLEM_DECK!r} belongs to the numeric problems"
    return Diagnostic(path, 1, 1, "error", "reserved-id", message, "give the deck another id")


def _twice(kind: str, name: str, here: tuple[str, int], first: tuple[str, int]) -> Diagnostic:
    """Tell of an id that stands in two files."""
    return Diagnostic(
        *here,
        1,
        "error",
        "duplicate-id",
        f"the id {name!r} stands in {first[0]}:{first[1]} and again in {here[0]}:{here[1]}",
        f"give one of the two {kind}s another id; the first one is used",
        f"{kind} {name}",
    )


def _join(
    more: PackedDeck,
    path: str,
    first_path: str,
    items: Cards,
    paths: dict[str, str],
    diagnostics: list[Diagnostic],
) -> list[str]:
    """Add a further file of a deck to `items`, and return the items it brought."""
    brought: list[str] = []
    for name, packed in more.cards.items():
        item, kept = f"{more.id}/{name}", packed
        if item in items:
            card = unpack(packed)
            where = f"{paths.get(item) or first_path}:{items[item].line}"
            diagnostics.append(
                Diagnostic(
                    path,
                    card.line,
                    1,
                    "error",
                    "duplicate-id",
                    f"the id {item!r} stands in {where} and again in {path}:{card.line}",
                    "give one of the two cards another id",
                    f"card {card.id}",
                )
            )
            second = msgspec.structs.replace(card, id=_second(card, items))
            item, kept = second.item, pack(second)
        items.add(item, kept, more.parents.get(name, ""), more.was.get(name, ()))
        paths[item] = path
        brought.append(item)
    return brought


def _second(card: AnyCard, items: Cards) -> str:
    number = 2
    while f"{card.deck}/{card.id}~{number}" in items:
        number += 1
    return f"{card.id}~{number}"


def _dangling(items: Cards, decks: dict[str, Deck], paths: dict[str, str]) -> list[Diagnostic]:
    lost = [items[item] for item, parent in items.parents.items() if parent not in items]
    return [
        Diagnostic(
            paths.get(card.item) or decks[card.deck].path,
            card.line,
            1,
            "error",
            "unknown-parent",
            f"`after: {card.after}` names no card",
            "name the id of the card that this one follows",
            f"card {card.id}",
        )
        for card in lost
    ]
