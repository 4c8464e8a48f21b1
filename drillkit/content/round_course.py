"""What the author of a round can get wrong in its course: phases, curveballs, rubric, points."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from drillkit.content.round_names import LARGEST_WEIGHT, RoundFaults

if TYPE_CHECKING:
    from collections.abc import Collection

    from drillkit.content.round import Curveball, Phase, Point, Trigger
    from drillkit.content.round_names import Place

WHEN = re.compile(
    r"(?P<kind>check|plan|phase|fact)\.(?P<name>[A-Za-z0-9][\w-]*)"
    r"\s*(?P<relation>==|!=|<=|>=|<|>)\s*(?P<state>[A-Za-z]+|[0-9]{1,9})"
)
"""A condition for a curveball: `check.ID == miss`, `plan.tp > 8`, `phase.ID == overrun`, …"""

STATES = {"check": ("miss", "hit"), "phase": ("overrun",), "fact": ("unasked",)}
LONGEST_ROUND = 240
MOST_CARDS = 20
END = "end"


def judge_course(faults: RoundFaults) -> None:
    """Report what is wrong beside the numbers."""
    _Course(faults).run()


class _Course:
    def __init__(self, faults: RoundFaults) -> None:
        self.faults = faults
        self.round = faults.round
        self.phases = {phase.id: phase for phase in self.round.phases}
        self.points: set[str] = set()
        self.told = (*faults.known, *faults.fields)

    def run(self) -> None:
        faults, drawn = self.faults, self.round
        faults.identity(drawn.id, ("round",), set(), "the round")
        faults.between(drawn.minutes, 1, LONGEST_ROUND, ("minutes",))
        faults.between(drawn.cards_max, 0, MOST_CARDS, ("cards", "max"))
        total = sum(phase.minutes for phase in drawn.phases)
        if total != drawn.minutes:
            told = f"the phases take {total} minutes in all, `minutes` is {drawn.minutes}"
            faults.error(("minutes",), "minutes", told, "make them agree")
        faults.text(drawn.prompt, ("prompt",), faults.stated)
        for fact in drawn.facts:
            faults.text(fact.say, ("facts", fact.symbol, "say"), faults.stated)
        taken: set[str] = set()
        for number, phase in enumerate(drawn.phases):
            self._phase(phase, ("phases", number), taken)
        taken = set()
        for number, ball in enumerate(drawn.curveballs):
            self._curveball(ball, ("curveballs", number), taken)
        self._rubric()

    def _phase(self, phase: Phase, place: Place, taken: set[str]) -> None:
        faults = self.faults
        if phase.id == END:
            told = f"no phase can be called {END!r}"
            faults.error((*place, "id"), "bad-id", told, "choose another id")
        faults.identity(phase.id, (*place, "id"), taken, "the phase")
        faults.between(phase.minutes, 1, LONGEST_ROUND, (*place, "minutes"))
        for key, text in (("title", phase.title), ("say", phase.say)):
            faults.text(text, (*place, key), faults.stated)
        for number, text in enumerate(phase.write):
            faults.text(text, (*place, "write", number), faults.stated)
        for number, text in enumerate(phase.model):
            faults.text(text, (*place, "model", number), self.told)
        self._points(phase.points, place, f"the phase {phase.id!r}", self.told)

    def _points(
        self, points: tuple[Point, ...], place: Place, owner: str, known: Collection[str]
    ) -> None:
        faults = self.faults
        if not points:
            hint = "add `points: [{id: …, say: …, ask: …?}]`"
            faults.error(place, "no-points", f"{owner} has no point that a good answer makes", hint)
        for number, point in enumerate(points):
            inner: Place = (*place, "points", number)
            faults.identity(point.id, (*inner, "id"), self.points, "the point")
            faults.text(point.say, (*inner, "say"), known)
            faults.text(point.ask, (*inner, "ask"), known)
            faults.between(point.weight, 1, LARGEST_WEIGHT, (*inner, "weight"))
            for index, key in enumerate(point.keys):
                if not all(word.strip() for word in key.split("|")):
                    told = f"{key!r} holds an empty word, which every text has"
                    faults.error((*inner, "keys", index), "keys", told, "write goal|done")

    # --- curveballs ---

    def _curveball(self, ball: Curveball, place: Place, taken: set[str]) -> None:
        faults = self.faults
        faults.identity(ball.id, (*place, "id"), taken, "the curveball")
        claim = ("claim",) if ball.kind == "challenge" else ()
        faults.text(ball.say, (*place, "say"), (*faults.stated, *claim))
        faults.text(ball.model, (*place, "model"), (*self.told, *claim))
        self._points(ball.points, place, f"the curveball {ball.id!r}", (*self.told, *claim))
        self._trigger(ball.trigger, place)
        for symbol, text in ball.set:
            inner = (*place, "set", symbol)
            if faults.is_known(symbol, faults.facts, inner, "fact"):
                faults.formula(text, inner, faults.known)
        if ball.kind == "challenge":
            if not ball.check:
                told = "a challenge doubts a number: the key `check` is missing"
                faults.error(place, "missing-key", told, "add `check: gpu_hours`")
            else:
                faults.is_known(ball.check, faults.checks, (*place, "check"), "check")
            faults.ratio(ball.factor, (*place, "factor"), "factor")
        elif ball.check:
            told = f"a curveball of kind `{ball.kind}` doubts no check"
            faults.error((*place, "check"), "kind", told, "write `kind: challenge`")

    def _trigger(self, trigger: Trigger, place: Place) -> None:
        faults, end = self.faults, self.round.minutes * 60
        if trigger.when:
            self._when(trigger.when, (*place, "when"))
        elif trigger.window_s is not None:
            first, last = trigger.window_s
            if not first < last <= end:
                told = "the window ends before it starts, or after the round"
                faults.error((*place, "window"), "time", told, 'write window: ["16:00", "20:00"]')
        elif trigger.minute_s is not None:
            if trigger.minute_s >= end:
                told = f"the round is over after {self.round.minutes} minutes"
                faults.error((*place, "at"), "time", told, "choose an earlier time")
        elif faults.is_known(trigger.phase, self.phases, (*place, "at", "phase"), "phase"):
            minutes = self.phases[trigger.phase].minutes
            if trigger.after_s >= minutes * 60:
                told = f"the phase {trigger.phase!r} has {minutes} minutes"
                faults.error((*place, "at", "after"), "time", told, "choose an earlier time")

    def _when(self, text: str, place: Place) -> None:
        faults = self.faults
        found = WHEN.fullmatch(text)
        hint = "write check.ID == miss, plan.tp > 8, phase.ID == overrun or fact.SYMBOL == unasked"
        if found is None:
            faults.error(place, "when", f"{text!r} is no condition for a curveball", hint)
            return
        kind, name, state = found["kind"], found["name"], found["state"]
        known: dict[str, tuple[Collection[str], str]] = {
            "check": (faults.checks, "check"),
            "plan": (faults.fields, "plan field"),
            "phase": (self.phases, "phase"),
            "fact": ([fact.symbol for fact in self.round.facts], "fact"),
        }
        if not faults.is_known(name, known[kind][0], place, known[kind][1]):
            return
        right = state in STATES[kind] and found["relation"] == "==" if kind in STATES else True
        if not right or (kind == "plan" and not state.isdigit()):
            faults.error(place, "when", f"{text!r} is no condition for a curveball", hint)

    def _rubric(self) -> None:
        taken: set[str] = set()
        for number, row in enumerate(self.round.rubric):
            place: Place = ("rubric", number)
            if row.id in taken:
                told = f"the row {row.id!r} stands twice"
                self.faults.error((*place, "id"), "duplicate-id", told, "join the two")
            taken.add(row.id)
            self.faults.between(row.weight, 0, LARGEST_WEIGHT, (*place, "weight"))
            self.faults.between(row.floor, 0, 4, (*place, "floor"))
