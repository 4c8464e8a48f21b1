"""The drills that cards and rounds send to: each must lie beside them or among the bundled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from drillkit.content.cards import FIGURES
from drillkit.content.faults import at
from drillkit.content.files import each_file
from drillkit.content.kind import kind_of
from drillkit.content.schema import Report, nearest
from drillkit.content.text import MAX_FILE_BYTES, decode, read_tree
from drillkit.content.tree import Mapping, Node, Scalar
from drillkit.settings import bundled_content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from drillkit.content.deck import DeckReading
    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.text import Tree


def judge_card_drills(
    decks: dict[str, DeckReading], families: set[str], rounds: set[str]
) -> list[Diagnostic]:
    """Return each drill of a card that is none; `families` and `rounds` are the checked ids."""
    named = {name for deck in decks.values() for card, _ in deck.nodes for name in card.drill}
    checked = (families | rounds | set(FIGURES)) - {""}
    known = with_bundled(checked, named, lambda: bundled_families() | bundled_rounds())
    found: list[Diagnostic] = []
    for file, deck in decks.items():
        for card, node in deck.nodes:
            report = Report(file, f"card {card.id}")
            for index, name in enumerate(card.drill):
                told = f"no numeric problem, round or figure has the id {name!r}"
                hint = "`drillkit practice`, `round` and `figure` list them"
                judge_drill(name, known, at(node, ("drill", index)), report, (told, hint))
            found += report.found
    return found


def judge_drill(
    name: str, known: set[str], place: Node, report: Report, words: tuple[str, str]
) -> None:
    """Report a drill that is not known, in these words: what is wrong, the hint if none is near."""
    if name not in known:
        told, hint = words
        near = nearest(name, known)
        report.error(place, "unknown-drill", told, f"did you mean `{near}`?" if near else hint)


def with_bundled(checked: set[str], named: set[str], bundled: Callable[[], set[str]]) -> set[str]:
    """Return the known ids; the bundled ones are read only where the checked lack a named one."""
    return checked if named <= checked else checked | bundled()


def bundled_families() -> set[str]:
    """Return the ids of the problem families that come with drillkit."""
    items = (node for tree in _bundled("problems") for node in tree.items)
    return {_text(node, "id") for node in items if isinstance(node, Mapping)} - {""}


def bundled_rounds() -> set[str]:
    """Return the ids of the design rounds that come with drillkit."""
    return {_text(tree.head, "round") for tree in _bundled("round")} - {""}


def _bundled(kind: Literal["problems", "round"]) -> Iterator[Tree]:
    for path in each_file([bundled_content() / "problems"], []):
        with path.open("rb") as source:
            raw = source.read(MAX_FILE_BYTES + 1)
        if kind_of(raw, str(path)) == kind:
            text, _ = decode(raw, str(path))
            yield read_tree(text or "", str(path), "problems")


def _text(node: Mapping, key: str) -> str:
    value = node.values.get(key)
    return value.text.strip() if isinstance(value, Scalar) else ""
