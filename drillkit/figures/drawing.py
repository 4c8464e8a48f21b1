"""A drawing as lines of spans: plain signs, each with a role that a screen may give a colour.

A drawing is legible without any colour: what a role tells is told by a letter or a sign as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Role = Literal[
    "plain",
    "muted",
    "strong",
    "weights",
    "gradients",
    "optimizer",
    "activations",
    "limit",
    "forward",
    "backward",
    "weight-gradient",
    "idle",
    "moving",
    "complete",
    "saving",
    "lost",
    "total",
    "mark",
]


class Span(NamedTuple):
    """A piece of a line in one role; its signs are one cell wide each."""

    text: str
    role: Role = "plain"


Line = tuple[Span, ...]


class Size(NamedTuple):
    """The room for a drawing, in cells. A drawing may be narrower, or have fewer or more rows."""

    columns: int = 80
    rows: int = 16


def text_of(lines: Iterable[Line]) -> str:
    """Return the lines as plain text."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def line(text: str, role: Role = "plain") -> Line:
    """Return a line of one span."""
    return (Span(text, role),)


def wrapped(parts: Sequence[Span], columns: int, between: str = "   ") -> list[Line]:
    """Return the parts one after the other, on as many lines as they need; none is broken."""
    lines: list[list[Span]] = [[]]
    used = 0
    for part in parts:
        if lines[-1] and used + len(between) + len(part.text) > columns:
            lines.append([])
            used = 0
        if lines[-1]:
            lines[-1].append(Span(between))
            used += len(between)
        lines[-1].append(part)
        used += len(part.text)
    return [tuple(one) for one in lines]


class Cells:
    """A row of cells that is filled in from anywhere and read as a line."""

    def __init__(self, columns: int, fill: str = " ", role: Role = "plain") -> None:
        self._signs = [fill] * columns
        self._roles: list[Role] = [role] * columns

    def put(self, at: int, text: str, role: Role = "plain") -> None:
        """Write `text` from column `at`; what falls outside is left out."""
        for column, sign in enumerate(text, at):
            if 0 <= column < len(self._signs):
                self._signs[column] = sign
                self._roles[column] = role

    def sign(self, at: int) -> str:
        """Return the sign at a column, or nothing outside."""
        return self._signs[at] if 0 <= at < len(self._signs) else ""

    def line(self) -> Line:
        """Return the row with neighbours of one role joined; a blank joins the cell before it."""
        spans: list[Span] = []
        start = 0
        for at, sign in enumerate(self._signs):
            if sign != " " and self._roles[at] != self._roles[start]:
                if at > start:
                    spans.append(Span("".join(self._signs[start:at]), self._roles[start]))
                start = at
        spans.append(Span("".join(self._signs[start:]), self._roles[start]))
        return tuple(spans)
