"""A round file's text -> the design round, and everything that is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from drillkit.content.parts import Parts, has_errors, judge_keys, pairs, too_many
from drillkit.content.round import (
    LEVELS,
    Assumption,
    Case,
    Check,
    Criterion,
    Curveball,
    Derived,
    Fact,
    Level,
    Phase,
    PlanCheck,
    Point,
    Round,
    Row,
    Rule,
    Slip,
    Trigger,
    Worked,
)
from drillkit.content.round_rules import judge_round
from drillkit.content.schema import Report, nearest
from drillkit.content.text import read_mapping
from drillkit.content.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.content.diagnostic import Diagnostic

MOST = {
    "cases": 24,
    "words": 24,
    "facts": 60,
    "vary": 60,
    "ask": 24,
    "assume": 24,
    "derive": 60,
    "where": 24,
    "phases": 16,
    "write": 16,
    "checks": 16,
    "slips": 16,
    "diagnose": 16,
    "points": 24,
    "keys": 24,
    "model": 60,
    "fields": 7,
    "job": 20,
    "valid": 24,
    "curveballs": 24,
    "set": 24,
    "rubric": 8,
    "anchors": 8,
    "examples": 24,
    "tags": 40,
    "source": 40,
    "was": 40,
}
"""How many entries a list may have; a round past these is a mistake or an attack."""

MOST_NODES = 20_000
"""How many scalars, lists and mappings a file may have: a round of ours has some 900."""

ROWS_BY_PHASE: dict[str, Row] = {
    "clarify": "scope",
    "compute": "numbers",
    "memory": "memory",
    "layout": "layout",
    "roofline": "bottlenecks",
    "reliability": "reliability",
    "eval": "evaluation",
    "monitor": "evaluation",
}
"""The row of the rubric that a phase belongs to where it names none."""

TIME = re.compile(r"([0-9]{1,3}):([0-5][0-9])")
_FILLED_IN = frozenset({"id", "line", "path", "cards_max"})


@dataclass
class RoundReading:
    """A round, the mapping it was read from (for the place of a key), and what is wrong."""

    round: Round | None = None
    node: Mapping | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_round(raw: bytes, file: str) -> RoundReading:
    """Read the bytes of a round file. It never raises: what cannot be read is a diagnostic."""
    node, faults = read_mapping(raw, file, "drillkit new round")
    if node is None:
        return RoundReading(diagnostics=faults)
    identity = node.values.get("round")
    name = identity.text.strip() if isinstance(identity, Scalar) else ""
    report = Report(file, f"round {name}" if name else "")
    found = None
    if node.size > MOST_NODES:
        too_many(node, "the file", MOST_NODES, report)
    else:
        found = _RoundParts(node, report, MOST, "`drillkit new round`").round(name, file)
        if found is not None and not has_errors(report):
            judge_round(found, node, report)
    faults += report.found
    broken = any(fault.severity == "error" for fault in faults)
    return RoundReading(None if broken else found, node, faults)


def read_time(text: str) -> int | None:
    """Return the seconds of a time such as `17:00` (minutes:seconds), None where it is none."""
    found = TIME.fullmatch(text.strip())
    return int(found[1]) * 60 + int(found[2]) if found else None


def told_time(node: Node, report: Report) -> int | None:
    """Return the seconds of a time in a file; report it where it is none."""
    seconds = read_time(node.text) if isinstance(node, Scalar) else None
    if seconds is None:
        told = f"{node.text!r} is no time" if isinstance(node, Scalar) else "a time is needed here"
        report.error(node, "time", told, 'write minutes and seconds in quotes: "17:00"')
    return seconds


class _RoundParts(Parts):
    """The parts of one round that are mappings or lists of mappings."""

    def round(self, name: str, file: str) -> Round | None:
        self.needs("round", "facts", "phases")
        return self.struct(
            Round,
            hidden=_FILLED_IN,
            also=("round", "cards"),
            id=name,
            line=self.node.line,
            path=file,
            facts=tuple(self.facts()),
            cases=tuple(self.cases()),
            assume=tuple(self.assume()),
            derive=tuple(self.derive()),
            phases=tuple(self.phases()),
            curveballs=tuple(self.curveballs()),
            rubric=tuple(self.rubric()),
            examples=tuple(self.examples()),
            cards_max=self.cards_max(),
        )

    def needs(self, *keys: str) -> None:
        """Report each of these keys that is missing or empty."""
        for key in keys:
            node = self.node.values.get(key)
            if node is None or (isinstance(node, Scalar) and not node.text.strip()):
                told, hint = f"the key `{key}` is missing", f"see {self.example}"
                self.report.error(node or self.node, "missing-key", told, hint)

    # --- what is known, stated and derived ---

    def facts(self) -> Iterator[Fact]:
        for symbol, _, inner in self.named("facts"):
            fact = self.within(inner).struct(Fact, hidden=("symbol",), symbol=symbol)
            if fact is not None:
                yield fact

    def cases(self) -> Iterator[Case]:
        for inner in self.listed("cases", "- {name: 7B, params: 7e9, layers: 32}"):
            plain = Mapping(inner.line, inner.column)
            plain.values = {key: node for key, node in inner.values.items() if key != "words"}
            values = pairs(plain, self.report)
            name = values.pop("name", "")
            if name and values:
                yield Case(name, tuple(values.items()), self.within(inner).named_texts("words"))
            else:
                hint = "write {name: 7B, params: 7e9, layers: 32}"
                self.report.error(inner, "case", "a case needs a `name` and values of facts", hint)

    def assume(self) -> Iterator[Assumption]:
        for symbol, _, inner in self.named("assume"):
            stated = self.within(inner).struct(Assumption, hidden=("symbol",), symbol=symbol)
            if stated is not None:
                yield stated

    def derive(self) -> Iterator[Derived]:
        for symbol, _, inner in self.named("derive", (Mapping, Scalar)):
            if isinstance(inner, Scalar):
                yield Derived(symbol=symbol, expr=inner.text.strip())
                continue
            derived = self.within(inner).struct(Derived, hidden=("symbol",), symbol=symbol)
            if derived is not None:
                yield derived

    # --- phases ---

    def phases(self) -> Iterator[Phase]:
        for inner in self.listed("phases", "- {id: clarify, minutes: 5, points: […]}"):
            parts = self.within(inner)
            phase = parts.phase()
            if phase is not None:
                yield phase

    def phase(self) -> Phase | None:
        identity = self.node.values.get("id")
        name = identity.text.strip() if isinstance(identity, Scalar) else ""
        parts: dict[str, Any] = {
            "checks": tuple(self.checks()),
            "plan": self.plan(),
            "points": tuple(self.points()),
        }
        if "title" not in self.node.values:
            parts["title"] = name.capitalize()
        if "row" not in self.node.values:
            parts["row"] = ROWS_BY_PHASE.get(name, "scope")
            if name and name not in ROWS_BY_PHASE:
                told = f"the phase {name!r} does not say which `row` of the rubric it belongs to"
                hint = "add `row: …`; without one: " + ", ".join(ROWS_BY_PHASE)
                self.report.error(self.node, "missing-key", told, hint)
        return self.struct(Phase, **parts)

    def checks(self) -> Iterator[Check]:
        for inner in self.listed("checks", "- {id: states, ask: …, expr: 16*params, unit: GB}"):
            parts = self.within(inner)
            check = parts.struct(
                Check, diagnose=parts.named_texts("diagnose"), slips=tuple(parts.slips())
            )
            if check is not None:
                yield check

    def slips(self) -> Iterator[Slip]:
        for inner in self.listed("slips", "- {expr: 2*params, says: …}"):
            slip = self.within(inner).struct(Slip)
            if slip is not None:
                yield slip

    def points(self) -> Iterator[Point]:
        for inner in self.listed("points", "- {id: restates, say: …, ask: …?, keys: [goal|done]}"):
            point = self.within(inner).struct(Point)
            if point is not None:
                yield point

    def plan(self) -> PlanCheck | None:
        parts = self.alone("plan")
        if parts is None:
            return None
        parts.needs("valid", "model", "job")
        return parts.struct(
            PlanCheck,
            valid=tuple(parts.rules()),
            model=parts.named_texts("model"),
            job=parts.named_texts("job"),
        )

    def rules(self) -> Iterator[Rule]:
        hint = '- {holds: tp <= 8, says: "…"}'
        for inner in self.entries("valid", hint, (Mapping, Scalar)):
            if isinstance(inner, Scalar):
                yield Rule(inner.text.strip())
            elif isinstance(inner, Mapping):
                rule = self.within(inner).struct(Rule)
                if rule is not None:
                    yield rule

    # --- curveballs ---

    def curveballs(self) -> Iterator[Curveball]:
        for inner in self.listed("curveballs", '- {id: …, at: "17:00", say: …, points: […]}'):
            parts = self.within(inner)
            ball = parts.struct(
                Curveball,
                hidden=("trigger",),
                also=("at", "window", "when"),
                trigger=parts.trigger(),
                set=parts.named_texts("set"),
                points=tuple(parts.points()),
            )
            if ball is not None:
                yield ball

    def trigger(self) -> Trigger:
        written = [key for key in ("at", "window", "when") if key in self.node.values]
        if len(written) != 1:
            told = (
                "has " + " and ".join(f"`{key}`" for key in written) if written else "never comes"
            )
            hint = 'write one of at: "17:00", at: {phase: layout, after: "1:00"}, window:, when:'
            self.report.error(self.node, "trigger", f"the curveball {told}", hint)
            return Trigger()
        node = self.node.values[written[0]]
        if written == ["window"]:
            return self.window(node)
        if written == ["when"]:
            return Trigger(when=node.text.strip() if isinstance(node, Scalar) else "")
        if isinstance(node, Mapping):
            return self.in_phase(node)
        return Trigger(minute_s=told_time(node, self.report))

    def window(self, node: Node) -> Trigger:
        if not isinstance(node, Sequence) or len(node.items) != 2:
            hint = 'write window: ["16:00", "20:00"]'
            self.report.error(node, "trigger", "a window has two times", hint)
            return Trigger()
        first, last = (told_time(item, self.report) for item in node.items)
        return Trigger(window_s=None if first is None or last is None else (first, last))

    def in_phase(self, node: Mapping) -> Trigger:
        judge_keys(node, ("phase", "after"), self.report)
        texts = pairs(node, self.report)
        if not texts.get("phase"):
            hint = 'write at: {phase: layout, after: "1:00"}'
            self.report.error(node, "missing-key", "the key `phase` is missing", hint)
        after = node.values.get("after")
        seconds = 0 if after is None else told_time(after, self.report)
        return Trigger(phase=texts.get("phase", ""), after_s=seconds or 0)

    # --- the rubric and the end ---

    def rubric(self) -> Iterator[Criterion]:
        for inner in self.listed("rubric", "- {id: numbers, weight: 3, floor: 2}"):
            parts = self.within(inner)
            row = parts.struct(Criterion, anchors=tuple(parts.anchors()))
            if row is not None:
                yield row

    def anchors(self) -> Iterator[tuple[Level, int, str]]:
        for level, place, inner in self.named("anchors"):
            known = next((one for one in LEVELS if one == level), None)
            if known is None:
                near = nearest(level, LEVELS)
                guess = f"did you mean `{near}`?" if near else "levels: " + ", ".join(LEVELS)
                self.report.error(place, "unknown-level", f"there is no level {level!r}", guess)
                continue
            for grade, text in pairs(inner, self.report, '{3: "…"}').items():
                if grade in {"1", "2", "3", "4"}:
                    yield known, int(grade), text
                else:
                    at = inner.keys[grade]
                    self.report.error(at, "grade", f"there is no grade {grade!r}", "grades: 1 to 4")

    def examples(self) -> Iterator[Worked]:
        hint = "- {flops_tok: 4.52e10 FLOP, within: 1%, source: …}"
        for inner in self.listed("examples", hint):
            texts = pairs(inner, self.report)
            source, within = texts.pop("source", ""), texts.pop("within", "1%")
            if source and texts:
                yield Worked(tuple(texts.items()), source, within)
            else:
                told = "an example needs a result and its `source`"
                self.report.error(inner, "example", told, hint.removeprefix("- "))

    def cards_max(self) -> int:
        parts = self.alone("cards")
        cards = parts.struct(_Cards) if parts is not None else None
        return (cards or _Cards()).max

    # --- shapes ---

    def alone(self, key: str) -> _RoundParts | None:
        """Return the reader of the one mapping under `key`, if there is one."""
        node = self.node.values.get(key)
        if isinstance(node, Mapping):
            return self.within(node)
        if node is not None:
            hint = f"write `{key}:` with one indented key a line"
            self.report.error(node, "shape", f"`{key}` is not a mapping", hint)
        return None

    def named_texts(self, key: str) -> tuple[tuple[str, str], ...]:
        node = self.node.values.get(key)
        if node is None or self.too_long(node, key, getattr(node, "values", ())):
            return ()
        return tuple(pairs(node, self.report, f"{key}: {{gpus: 64}}").items())


class _Cards(msgspec.Struct, frozen=True):
    """The key `cards` of a round."""

    max: int = 7
