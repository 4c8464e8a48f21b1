"""Telling what is wrong inside a mapping, by the path of keys and indices that leads there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from drillkit.algebra.outcome import UnreadableError
from drillkit.content.tree import Mapping, Node, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from drillkit.content.schema import Report

T = TypeVar("T")


class Faults:
    """Reports the faults of one item at the places where they are written."""

    def __init__(self, node: Mapping, report: Report) -> None:
        self.node = node
        self.report = report

    def attempt(
        self, read: Callable[[str], T], text: str, place: tuple[str | int, ...], code: str
    ) -> T | None:
        """Return what `read` makes of a text; what it cannot read is reported."""
        try:
            return read(text)
        except UnreadableError as error:
            self.error(place, code, f"{text!r}: {error.what}", error.hint)
            return None

    def error(self, place: tuple[str | int, ...], code: str, message: str, hint: str) -> None:
        """Report a fault at the deepest node on the path `place`."""
        self.report.error(self.node_at(place), code, message, hint)

    def node_at(self, place: tuple[str | int, ...]) -> Node:
        """Return the deepest node on the path `place`."""
        return at(self.node, place)


def at(node: Node, path: Iterable[str | int]) -> Node:
    """The deepest node that lies on a path of keys and list indices."""
    return list(_along(node, path))[-1]


def _along(node: Node, path: Iterable[str | int]) -> Iterator[Node]:
    yield node
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str) and step in node.values:
            node = node.values[step]
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return
        yield node
