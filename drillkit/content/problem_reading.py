"""A problem file's text -> its families, and everything that is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from drillkit.content.cards import DEFAULT_ORDER
from drillkit.content.deck import ID, slug
from drillkit.content.figure_key import judge_figure
from drillkit.content.parts import Parts, has_errors, judge_keys, pairs, too_many
from drillkit.content.problem import (
    Example,
    Find,
    Given,
    Preset,
    PresetGroup,
    Problem,
    ProblemSet,
    Slip,
)
from drillkit.content.problem_rules import judge_problem
from drillkit.content.schema import Report, keys_of, read_fields
from drillkit.content.text import decode, read_tree
from drillkit.content.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    import msgspec

    from drillkit.content.diagnostic import Diagnostic

HEAD_KEYS = ("title", "order", "tags", "problems")
MOST = {
    "problems": 200,
    "given": 40,
    "presets": 8,
    "find": 12,
    "equations": 24,
    "where": 24,
    "slips": 24,
    "examples": 60,
    "from": 200,
    "hints": 12,
}
"""How many entries a list may have; a family past these is a mistake or an attack."""

PROBLEM_KEYS = (
    *("id", "title", "given", "presets", "where", "equations", "find", "slips", "examples"),
    *("hints", "why", "source", "tags", "figure", "seconds", "was"),
)
_HIDDEN = frozenset({"symbol"})
MOST_NODES = 40_000
"""How many scalars, lists and mappings of a file are read: 51 families have some 8,000."""


@dataclass
class ProblemReading:
    """The families of a file, where each stands, and what is wrong.

    `nodes` pairs each readable family with its mapping, for whoever wants the place of a key.
    """

    problems: ProblemSet
    nodes: list[tuple[Problem, Mapping]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_problems(raw: bytes, file: str) -> ProblemReading:
    """Read the bytes of a problem file. It never raises: what cannot be read is a diagnostic."""
    title = PurePath(file).stem.replace("-", " ").capitalize()
    text, faults = decode(raw, file)
    if text is None:
        return ProblemReading(ProblemSet(title, file), [], faults)
    tree = read_tree(text, file, "problems")
    report = Report(file, "")
    head = read_fields(tree.head, ProblemSet, report, skip=("path", "problems"))
    judge_keys(tree.head, HEAD_KEYS, report)
    if len(tree.items) > MOST["problems"]:
        too_many(tree.head, "`problems`", MOST["problems"], report)
    reading = ProblemReading(ProblemSet(title, file), [], tree.diagnostics + report.found)
    tags = head.get("tags", ())
    taken: dict[str, int] = {}
    nodes = 0
    for node in tree.items[: MOST["problems"]]:
        nodes += node.size
        if nodes > MOST_NODES:
            report = Report(file, "")
            too_many(node, "the file", MOST_NODES, report)
            reading.diagnostics += report.found
            break
        problem = _problem(node, file, tags, taken, reading.diagnostics)
        if problem is not None and isinstance(node, Mapping):
            reading.nodes.append((problem, node))
    families = tuple(problem for problem, _ in reading.nodes)
    reading.problems = ProblemSet(
        head.get("title") or title, file, tags, head.get("order", DEFAULT_ORDER), families
    )
    return reading


def _problem(
    node: Node, file: str, tags: tuple[str, ...], taken: dict[str, int], found: list[Diagnostic]
) -> Problem | None:
    if not isinstance(node, Mapping):
        report = Report(file, "")
        report.error(node, "shape", "an entry of `problems` has no keys", "write `- id: …`")
        found += report.found
        return None
    id_node = node.values.get("id")
    written = id_node.text.strip() if isinstance(id_node, Scalar) else ""
    report = Report(file, f"problem {written}" if written else "")
    identity = _identity(written, node, taken, report)
    problem = _read_problem(node, identity, tags, report)
    if problem is not None and not has_errors(report):
        judge_problem(problem, node, report)
    found += report.found
    return None if problem is None or has_errors(report) else problem


def _identity(written: str, node: Mapping, taken: dict[str, int], report: Report) -> str:
    place = node.values.get("id", node)
    if not written:
        report.error(place, "missing-id", "the key `id` is missing", "add `id: zero3-memory`")
    elif not ID.fullmatch(written):
        report.error(
            place,
            "bad-id",
            f"the id {written!r} is not in lowercase letters, digits and hyphens",
            f"write `id: {slug(written) or 'a-name'}`",
        )
    elif written in taken:
        report.error(
            place,
            "duplicate-id",
            f"the id {written!r} stands on line {taken[written]} and again on line {node.line}",
            "give one of the two problems another id",
        )
    taken.setdefault(written, node.line)
    return written


def _read_problem(
    node: Mapping, identity: str, tags: tuple[str, ...], report: Report
) -> Problem | None:
    judge_keys(node, PROBLEM_KEYS, report)
    own = ("id", "given", "presets", "find", "slips", "examples")
    values = read_fields(node, Problem, report, skip=(*own, "line"))
    for key in ("title", "equations"):
        if not values.get(key):
            hint = 'write `equations: ["M = 16*P/N"]`' if key == "equations" else "add `title: …`"
            report.error(node, "missing-key", f"the key `{key}` is missing", hint)
    parts = _Parts(node, report, MOST, "`drillkit new problem`")
    for key in ("equations", "where", "hints"):
        parts.too_long(node.values.get(key, node), key, values.get(key))
    own_tags = values.pop("tags", ())
    judge_figure(values.get("figure", ""), node, report)
    if has_errors(report):
        return None
    return Problem(
        id=identity,
        line=node.line,
        tags=(*tags, *(tag for tag in own_tags if tag not in tags)),
        given=tuple(parts.given()),
        find=tuple(parts.find()),
        presets=tuple(parts.presets()),
        slips=tuple(parts.slips()),
        examples=tuple(parts.examples()),
        **values,
    )


class _Parts(Parts):
    """The parts of one family that are mappings or lists of mappings."""

    def given(self) -> Iterator[Given]:
        for symbol, _, inner in self.named("given"):
            values = self._fields(inner, Given)
            if self.too_long(inner, "from", values.get("from")):
                continue
            values["values"] = values.pop("from", ())
            yield Given(symbol=symbol, **values)

    def find(self) -> Iterator[Find]:
        for symbol, place, inner in self.named("find"):
            values = self._fields(inner, Find)
            if "ask" not in values:
                self.report.error(
                    place, "missing-key", f"`{symbol}` has no `ask`", 'add `ask: "…?"`'
                )
                continue
            yield Find(symbol=symbol, **values)
        if "find" not in self.node.values:
            self.report.error(
                self.node,
                "missing-key",
                "the key `find` is missing",
                'write `find: {M: {unit: GB, ask: "…?"}}`',
            )

    def presets(self) -> Iterator[PresetGroup]:
        for group, _, inner in self.named("presets", (Mapping, Sequence)):
            if isinstance(inner, Sequence):
                known = tuple(e.text.strip() for e in inner.items if isinstance(e, Scalar))
                yield PresetGroup(group, known=known)
            elif isinstance(inner, Mapping):
                own = tuple(
                    Preset(name, tuple(pairs(values, self.report).items()))
                    for name, values in inner.values.items()
                )
                yield PresetGroup(group, own=own)

    def slips(self) -> Iterator[Slip]:
        for inner in self.listed("slips", "- {id: …, M: …, says: …}"):
            texts = pairs(inner, self.report)
            name, says = texts.pop("id", ""), texts.pop("says", "")
            only = tuple(texts.pop("only", "").replace(",", " ").split())
            if not ID.fullmatch(name) or not says or not texts:
                self.report.error(
                    inner,
                    "slip",
                    "a slip needs an id, a formula for a symbol, and what to say",
                    'write {id: no-master, M: "12*P/N", says: "…"}',
                )
                continue
            yield Slip(name, says, tuple(texts.items()), only)

    def examples(self) -> Iterator[Example]:
        for inner in self.listed("examples", "- {given: {P: 7e9}, M: 112 GB, source: …}"):
            given = inner.values.get("given")
            rest = Mapping(inner.line, inner.column)
            rest.values = {k: v for k, v in inner.values.items() if k != "given"}
            texts = pairs(rest, self.report)
            source, within = texts.pop("source", ""), texts.pop("within", "")
            if not isinstance(given, Mapping) or not source or not texts:
                self.report.error(
                    inner,
                    "example",
                    "an example needs `given`, a result and its `source`",
                    "write {given: {P: 7e9}, M: 112 GB, source: …}",
                )
                continue
            ins = tuple(pairs(given, self.report).items())
            yield Example(ins, tuple(texts.items()), source, within)

    def _fields(self, inner: Mapping, struct: type[msgspec.Struct]) -> dict[str, Any]:
        judge_keys(inner, keys_of(struct, _HIDDEN), self.report)
        return read_fields(inner, struct, self.report, skip=_HIDDEN)
