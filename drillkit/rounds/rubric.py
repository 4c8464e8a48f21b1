"""What each grade of a row means, by level, and three signals that are looked for on every board.

A round says what it has to say of its own; `rubric.yaml` beside this file says the rest.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from drillkit.content.round import LEVELS, ROWS
from drillkit.content.text import read_mapping
from drillkit.content.tree import Mapping, Node, Scalar, Sequence
from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from drillkit.content.round import Level, Round, Row

GRADES = (1, 2, 3, 4)
FILE = "rubric.yaml"

Anchors = tuple[str, str, str, str]


class RowRubric(NamedTuple):
    """A row of a round's rubric at one level; `anchors` say what the grades 1 to 4 mean.

    A grade below `floor` caps the verdict at no hire.
    """

    row: Row
    title: str
    weight: int
    floor: int
    anchors: Anchors


class Signal(NamedTuple):
    """Something that a strong candidate shows on any board; `keys` are words that suggest it."""

    id: str
    title: str
    says: str
    keys: tuple[str, ...]


class _General(NamedTuple):
    titles: dict[Row, str]
    anchors: dict[tuple[Row, Level], Anchors]
    signals: tuple[Signal, ...]


def rubric(round_: Round, level: Level) -> tuple[RowRubric, ...]:
    """Return all rows of a round at a level: its own anchors, and the general ones for the rest."""
    general = _general()
    own = {criterion.id: criterion for criterion in round_.rubric}
    rows: list[RowRubric] = []
    for row in ROWS:
        anchors = list(general.anchors[row, level])
        weight, floor = 1, 0
        if row in own:
            weight, floor = own[row].weight, own[row].floor
            for of_level, grade, text in own[row].anchors:
                if of_level == level and 1 <= grade <= len(anchors):
                    anchors[grade - 1] = text
        one, two, three, four = anchors
        told = (one, two, three, four)
        rows.append(RowRubric(row, general.titles[row], weight, floor, told))
    return tuple(rows)


def row_title(row: Row) -> str:
    """Return the name of a row as people read it."""
    return _general().titles[row]


def signals() -> tuple[Signal, ...]:
    """Return the signals that are looked for on every board."""
    return _general().signals


@cache
def _general() -> _General:
    raw = resources.files("drillkit.rounds").joinpath(FILE).read_bytes()
    root, found = read_mapping(raw, FILE, "drillkit")
    if root is None:
        raise DrillkitError(found[0].message, where=f"{FILE}:{found[0].line}")
    rows = _child(root, "rows")
    titles: dict[Row, str] = {}
    anchors: dict[tuple[Row, Level], Anchors] = {}
    for row in ROWS:
        part = _child(rows, row)
        titles[row] = _text(part, "title")
        levels = _child(part, "anchors")
        for level in LEVELS:
            told = _child(levels, level)
            one, two, three, four = (_text(told, str(grade)) for grade in GRADES)
            anchors[row, level] = (one, two, three, four)
    told_signals = tuple(
        Signal(_text(node, "id"), _text(node, "title"), _text(node, "says"), _texts(node, "keys"))
        for node in _listed(root, "signals")
    )
    return _General(titles, anchors, told_signals)


def _wrong(node: Node, key: str) -> DrillkitError:
    return DrillkitError(f"`{key}` is missing or of the wrong kind", where=f"{FILE}:{node.line}")


def _child(node: Node, key: str) -> Mapping:
    found = node.values.get(key) if isinstance(node, Mapping) else None
    if not isinstance(found, Mapping):
        raise _wrong(node, key)
    return found


def _listed(node: Node, key: str) -> list[Node]:
    found = node.values.get(key) if isinstance(node, Mapping) else None
    if not isinstance(found, Sequence):
        raise _wrong(node, key)
    return found.items


def _text(node: Node, key: str) -> str:
    found = node.values.get(key) if isinstance(node, Mapping) else None
    if not isinstance(found, Scalar):
        raise _wrong(node, key)
    return found.text


def _texts(node: Node, key: str) -> tuple[str, ...]:
    return tuple(item.text for item in _listed(node, key) if isinstance(item, Scalar))
