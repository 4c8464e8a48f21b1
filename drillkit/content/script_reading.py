"""A script file's text -> the scripted candidate, and everything that is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from drillkit.content.deck import ID
from drillkit.content.parts import Parts, has_errors, pairs, too_many
from drillkit.content.round import LEVELS, ROWS, PlanField, Row, Script, ScriptStep
from drillkit.content.round_reading import MOST_NODES, told_time
from drillkit.content.schema import Report, nearest
from drillkit.content.text import read_mapping
from drillkit.content.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from drillkit.content.diagnostic import Diagnostic

VERDICTS = ("no hire", "lean no hire", "lean hire", "hire", "strong hire")
MODES = ("interview", "practice", "sprint")
MOST = {
    "steps": 400,
    "ask": 60,
    "seeds": 200,
    "verdict": 5,
    "answers": 40,
    "grades": 8,
    "assume": 24,
    "number": 60,
    "layout": 7,
}
ACTIONS = ("ask", "write", "assume", "number", "layout", "phase", "away", "answer")
SEED = re.compile(r"[0-9]{1,9}")
DEGREE = re.compile(r"[0-9]{1,9}")
PLAN_FIELDS: tuple[str, ...] = get_args(PlanField)


@dataclass
class ScriptReading:
    """A script, the mapping it was read from (for the place of a key), and what is wrong."""

    script: Script | None = None
    node: Mapping | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_script(raw: bytes, file: str) -> ScriptReading:
    """Read the bytes of a script file. It never raises: what cannot be read is a diagnostic."""
    node, faults = read_mapping(raw, file, "drillkit new round")
    if node is None:
        return ScriptReading(diagnostics=faults)
    report = Report(file, f"script {_text(node, 'script')}".strip())
    found = None
    if node.size > MOST_NODES:
        too_many(node, "the file", MOST_NODES, report)
    else:
        example = "the scripts of the rounds in problems/rounds"
        found = _ScriptParts(node, report, MOST, example).script(file)
    faults += report.found
    broken = any(fault.severity == "error" for fault in faults)
    return ScriptReading(None if broken else found, node, faults)


def _text(node: Mapping, key: str) -> str:
    value = node.values.get(key)
    return value.text.strip() if isinstance(value, Scalar) else ""


class _ScriptParts(Parts):
    """The parts of one script."""

    def script(self, file: str) -> Script | None:
        seconds = self._time("answer_after")
        script = self.struct(
            Script,
            hidden=("name", "line", "path", "answer_after_s"),
            also=("script", "answer_after"),
            name=_text(self.node, "script"),
            line=self.node.line,
            path=file,
            steps=tuple(self._steps()),
            seeds=self._seeds(),
            answers=tuple(self._pairs("answers").items()),
            answer_after_s=40 if seconds is None else seconds,
            grades=tuple(self._grades()),
        )
        for key in ("script", "steps"):
            if not self.node.values.get(key):
                told = f"the key `{key}` is missing"
                self.report.error(self.node, "missing-key", told, f"see {self.example}")
        if script is not None and not has_errors(self.report):
            self._judge(script)
        return script

    def _judge(self, script: Script) -> None:
        for key, value in (("script", script.name), ("round", script.round)):
            if not ID.fullmatch(value):
                told = f"{value!r} is not in lowercase letters, digits and hyphens"
                self.report.error(self.node.values[key], "bad-id", told, "strong, weak, …")
        if script.level:
            self._one_of(self.node.values["level"], script.level, LEVELS)
        self._one_of(self.node.values.get("mode", self.node), script.mode, MODES)
        verdicts = self.node.values["verdict"]
        for number, verdict in enumerate(script.verdict):
            place = verdicts.items[number] if isinstance(verdicts, Sequence) else verdicts
            self._one_of(place, verdict, VERDICTS)

    def _one_of(self, place: Node, word: str, known: Collection[str]) -> None:
        if word not in known:
            near = nearest(word, known)
            guess = f"did you mean `{near}`? " if near else ""
            hint = f"{guess}one of: {', '.join(known)}"
            self.report.error(place, "unknown-word", f"{word!r} is unknown here", hint)

    def _time(self, key: str) -> int | None:
        node = self.node.values.get(key)
        return None if node is None else told_time(node, self.report)

    def _pairs(self, key: str) -> dict[str, str]:
        node = self.node.values.get(key)
        if node is None or self.too_long(node, key, getattr(node, "values", ())):
            return {}
        return pairs(node, self.report, f"{key}: {{…: …}}")

    def _seeds(self) -> tuple[int, ...]:
        node = self.node.values.get("seeds")
        if node is None:
            return (0,)
        listed = node.items if isinstance(node, Sequence) else [node]
        if self.too_long(node, "seeds", listed):
            return ()
        texts = [one.text.strip() if isinstance(one, Scalar) else "" for one in listed]
        if not texts or not all(SEED.fullmatch(text) for text in texts):
            self.report.error(node, "type", "`seeds` are whole numbers", "seeds: [0, 1, 2]")
            return ()
        return tuple(map(int, texts))

    def _grades(self) -> Iterator[tuple[Row, int]]:
        for name, text in self._pairs("grades").items():
            mapping = self.node.values["grades"]
            place = mapping.values[name] if isinstance(mapping, Mapping) else mapping
            self._one_of(place, name, ROWS)
            if text in {"1", "2", "3", "4"}:
                yield from ((row, int(text)) for row in ROWS if row == name)
            else:
                self.report.error(place, "grade", f"there is no grade {text!r}", "grades: 1 to 4")

    # --- steps ---

    def _steps(self) -> Iterator[ScriptStep]:
        last = 0
        for inner in self.listed("steps", '- {at: "0:20", ask: [size, tokens]}'):
            step = self.within(inner).step()
            if step is None:
                continue
            if step.at_s < last:
                told, hint = "a step comes before the one above it", "put them in order of time"
                self.report.error(inner.values.get("at", inner), "time", told, hint)
            last = step.at_s
            yield step

    def step(self) -> ScriptStep | None:
        if not any(key in ACTIONS for key in self.node.values):
            hint = f"write one of: {', '.join(ACTIONS)}"
            self.report.error(self.node, "step", "the step does nothing", hint)
        at_s, away_s = self._time("at"), self._time("away")
        if "at" not in self.node.values:
            told, hint = "the key `at` is missing", 'write at: "0:20"'
            self.report.error(self.node, "missing-key", told, hint)
        parts: dict[str, Any] = {
            "assume": tuple(self._pairs("assume").items()),
            "number": tuple(self._pairs("number").items()),
        }
        parts |= self._layout()
        step = self.struct(
            ScriptStep,
            hidden=("at_s", "away_s", "model_layout"),
            also=("at", "away"),
            at_s=at_s or 0,
            away_s=away_s or 0,
            **parts,
        )
        return None if at_s is None else step

    def _layout(self) -> dict[str, Any]:
        node = self.node.values.get("layout")
        if isinstance(node, Scalar):
            self._one_of(node, node.text.strip(), ("model",))
            return {"model_layout": True, "layout": ()}
        texts = self._pairs("layout")
        for name, text in texts.items():
            place = node.values[name] if isinstance(node, Mapping) else self.node
            self._one_of(place, name, PLAN_FIELDS)
            if not DEGREE.fullmatch(text):
                told = f"`{name}` is {text!r}; a whole number is needed"
                self.report.error(place, "type", told, "write digits only: 8")
        return {"layout": tuple(texts.items())}
