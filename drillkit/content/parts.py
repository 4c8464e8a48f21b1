"""The parts of a mapping as its author writes them: names with entries, lists of entries, pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from drillkit.content.schema import Report, keys_of, nearest, needed_keys, read_fields
from drillkit.content.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Mapping as Lengths
    from typing import Self

S = TypeVar("S", bound=msgspec.Struct)


def judge_keys(node: Mapping, known: tuple[str, ...], report: Report) -> None:
    """Report each key that is not known, with the nearest one that is."""
    for key, place in node.keys.items():
        if key not in known:
            near = nearest(key, known)
            guess = f"did you mean `{near}`?" if near else "known keys: " + ", ".join(known)
            report.error(place, "unknown-key", f"unknown key `{key}`", guess)


def too_many(node: Node, what: str, most: int, report: Report) -> None:
    """Report something that is longer than anybody needs."""
    report.error(node, "too-many", f"{what} has more than {most:,} entries", "split it up")


def has_errors(report: Report) -> bool:
    """Tell whether anything so far is more than a warning."""
    return any(fault.severity == "error" for fault in report.found)


def pairs(node: Node, report: Report, example: str = "{L: 32, h: 4096}") -> dict[str, str]:
    """Return a mapping of plain texts; what is none is reported and left out."""
    if not isinstance(node, Mapping):
        report.error(node, "shape", "a mapping is needed here", f"write {example}")
        return {}
    found: dict[str, str] = {}
    for name, value in node.values.items():
        if isinstance(value, Scalar):
            found[name] = value.text.strip()
        else:
            report.error(value, "type", f"`{name}` is no text", "put a formula in quotes")
    return found


class Parts:
    """Reads the parts of one mapping.

    `most` bounds the lists, `example` names what shows how each is written.
    """

    def __init__(
        self, node: Mapping, report: Report, most: Lengths[str, int], example: str
    ) -> None:
        self.node = node
        self.report = report
        self.most = most
        self.example = example

    def within(self, inner: Mapping) -> Self:
        """Return the reader of a mapping inside this one."""
        return type(self)(inner, self.report, self.most, self.example)

    def too_long(self, node: Node, key: str, entries: object) -> bool:
        """Report a list that is too long; tell whether it is."""
        count = len(entries) if isinstance(entries, (list, tuple, dict)) else 0
        if count > self.most[key]:
            too_many(node, f"`{key}`", self.most[key], self.report)
        return count > self.most[key]

    def named(
        self, key: str, wanted: tuple[type[Node], ...] = (Mapping,)
    ) -> Iterator[tuple[str, Node, Any]]:
        """Yield name, place of the name and value of each entry of the mapping under `key`."""
        node = self.node.values.get(key)
        if node is None:
            return
        if not isinstance(node, Mapping):
            hint = f"write `{key}:` with one indented name a line"
            self.report.error(node, "shape", f"`{key}` is not a mapping", hint)
            return
        if self.too_long(node, key, node.values):
            return
        for name, inner in node.values.items():
            if isinstance(inner, wanted):
                yield name, node.keys[name], inner
            else:
                told = f"`{name}` has the wrong shape"
                self.report.error(inner, "shape", told, f"see {self.example}")

    def listed(self, key: str, hint: str) -> Iterator[Mapping]:
        """Yield each entry of the list of mappings under `key`; `hint` shows one."""
        for inner in self.entries(key, hint, (Mapping,)):
            if isinstance(inner, Mapping):
                yield inner

    def entries(self, key: str, hint: str, wanted: tuple[type[Node], ...]) -> Iterator[Node]:
        """Yield each entry of the list under `key` that has one of the `wanted` shapes."""
        node = self.node.values.get(key)
        if node is None or (isinstance(node, Scalar) and not node.text.strip()):
            return
        if not isinstance(node, Sequence):
            self.report.error(node, "shape", f"`{key}` is not a list", f"write {hint}")
            return
        if self.too_long(node, key, node.items):
            return
        for inner in node.items:
            if isinstance(inner, wanted):
                yield inner
            else:
                self.report.error(inner, "shape", f"an entry of `{key}` has no keys", hint)

    def struct(
        self,
        kind: type[S],
        *,
        hidden: Iterable[str] = (),
        also: Iterable[str] = (),
        **own: Any,  # noqa: ANN401 each field of a struct has its own type
    ) -> S | None:
        """Read this mapping as a `kind`, with the fields in `own` as they are given.

        `hidden` fields are no keys of the file, `also` are keys that are no fields. Unknown and
        missing keys are reported; without a needed one there is no struct.
        """
        kept = frozenset(hidden)
        judge_keys(self.node, (*keys_of(kind, kept), *also), self.report)
        values = read_fields(self.node, kind, self.report, skip=(*kept, *own))
        for key, value in values.items():
            if key in self.most:
                self.too_long(self.node.values[key], key, value)
        whole = True
        for key in needed_keys(kind):
            if key not in own and values.get(key) in (None, "", ()):
                whole = False
                if key not in values and key in self.node.values:
                    continue  # told already: it has the wrong type
                told = f"the key `{key}` is missing"
                self.report.error(self.node, "missing-key", told, f"add `{key}: …`")
        return kind(**values, **own) if whole else None
