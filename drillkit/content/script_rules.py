"""What a scripted candidate does, against the round that it is written for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.content.faults import Faults
from drillkit.content.schema import Report, nearest

if TYPE_CHECKING:
    from collections.abc import Collection

    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.round import Round, Script, ScriptStep
    from drillkit.content.tree import Mapping

END = "end"
"""The phase that a script names to end its round."""


def judge_script(script: Script, node: Mapping, file: str, played: Round) -> list[Diagnostic]:
    """Return what does not fit the round: times, and names of phases, checks, curveballs, …"""
    report = Report(file, f"script {script.name}")
    _Judge(script, node, report, played).run()
    return report.found


class _Judge(Faults):
    def __init__(self, script: Script, node: Mapping, report: Report, played: Round) -> None:
        super().__init__(node, report)
        self.script = script
        self.round = played
        self.phases = [phase.id for phase in played.phases]

    def run(self) -> None:
        current = 0
        for number, step in enumerate(self.script.steps):
            place = ("steps", number)
            if step.at_s > self.round.minutes * 60:
                told = f"the round is over after {self.round.minutes} minutes"
                self.error((*place, "at"), "time", told, "choose an earlier time")
            current = self._phase(step, place, current)
            self._names(step, place)
        curveballs = [ball.id for ball in self.round.curveballs]
        for name, _ in self.script.answers:
            self._known(name, curveballs, ("answers", name), "curveball")

    def _phase(self, step: ScriptStep, place: tuple[str | int, ...], current: int) -> int:
        """Judge that a step enters the phase after the `current` one; return where it leads."""
        if not step.phase:
            return current
        following = (*self.phases, END)[min(current + 1, len(self.phases))]
        if self._known(step.phase, (*self.phases, END), (*place, "phase"), "phase"):
            if step.phase != following:
                told = f"the next phase is {following!r}, not {step.phase!r}"
                self.error((*place, "phase"), "order", told, f"write `phase: {following}`")
                return (*self.phases, END).index(step.phase)
            return current + 1
        return current

    def _names(self, step: ScriptStep, place: tuple[str | int, ...]) -> None:
        checks = [check.id for check in self.round.checks]
        stated = [one.symbol for one in self.round.assume]
        for name, _ in step.number:
            self._known(name, checks, (*place, "number", name), "check")
        for name, _ in step.assume:
            self._known(name, stated, (*place, "assume", name), "assumption")
        fields = [name for phase in self.round.phases if phase.plan for name in phase.plan.fields]
        for name, _ in step.layout:
            self._known(name, fields, (*place, "layout", name), "field")

    def _known(
        self, name: str, known: Collection[str], place: tuple[str | int, ...], what: str
    ) -> bool:
        if name in known:
            return True
        near = nearest(name, known)
        guess = f"did you mean `{near}`?" if near else "known: " + ", ".join(list(known)[:12])
        told = f"`{name}` is no {what} of the round {self.round.id}"
        self.error(place, f"unknown-{what}", told, guess)
        return False
