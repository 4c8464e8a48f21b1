"""Proofs that a design round can be played and is judged fairly, before anybody sits in it.

Over 200 seeds every check has a value, every text its numbers, the model layout meets its own
rules; each rule of a layout is met by some and broken by others; each curveball comes; and the
scripted candidates stored beside the round get the verdicts that they should.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.algebra.answer import read_value
from drillkit.clock import ManualClock
from drillkit.content.faults import at
from drillkit.content.schema import Report
from drillkit.errors import DrillkitError
from drillkit.numeric.judge import tolerance
from drillkit.rounds.draw import Draw, draw
from drillkit.rounds.evidence import evidence
from drillkit.rounds.layout import NOT_WORKED_OUT, judge_layout, layouts, model_layout
from drillkit.rounds.rubric import rubric
from drillkit.rounds.script import START, run_script
from drillkit.rounds.sitting import Sitting
from drillkit.rounds.solve import (
    Situation,
    expected,
    fill_text,
    known_values,
    set_facts,
    start,
    value_of,
)
from drillkit.rounds.verdict import verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.round import Phase, Round, Script
    from drillkit.content.tree import Mapping

Path = tuple[str | int, ...]

SEEDS = 200
SEEDS_WITH_TEXTS = 20
"""In so many draws every text is filled: which symbols it names does not depend on the seed."""

SEEDS_WITH_LAYOUTS = 25
STEP_S = 5
LATE_S = 90
PLAYS = 40


def prove_round(
    round_: Round, node: Mapping, file: str, scripts: Iterable[Script] = (), seeds: int = SEEDS
) -> list[Diagnostic]:
    """Return what does not hold of a round; `node` is its mapping in `file`. It never raises."""
    report = Report(file, f"round {round_.id}")
    proof = _Proof(round_, node, report, seeds)
    try:
        draws = proof.draws()
        proof.checks(draws)
        # What rests on numbers that do not exist would only say the same again.
        if draws and not proof.told:
            proof.examples(draws[0])
            proof.texts(draws)
            proof.layouts(draws)
            proof.curveballs(draws)
    except DrillkitError as error:
        report.error(node, "unsolvable", error.what, error.hint)
    if not any(fault.severity == "error" for fault in report.found):
        proof.scripts(tuple(scripts))
    return report.found


class _Proof:
    def __init__(self, round_: Round, node: Mapping, report: Report, seeds: int) -> None:
        self.round = round_
        self.node = node
        self.report = report
        self.seeds = seeds
        self.told: set[tuple[str, Path]] = set()

    def _error(self, path: Path, code: str, message: str, hint: str = "") -> None:
        # What fails for one seed fails for many: the first one is told.
        if (code, path) not in self.told:
            self.told.add((code, path))
            self.report.error(at(self.node, path), code, message, hint)

    def draws(self) -> list[Draw]:
        """The round with the numbers of every seed."""
        found: list[Draw] = []
        for seed in range(self.seeds):
            try:
                found.append(draw(self.round, seed))
            except DrillkitError as error:
                self._error(("where",), "no-draw", error.what, error.hint)
                return []
        return found

    # --- numbers ---------------------------------------------------------------------------------

    def checks(self, draws: list[Draw]) -> None:
        """Every check and derived value is finite; every check and every fact set is above zero."""
        for drawn in draws:
            situations = [("", start(drawn)), *self._changed(drawn)]
            for after, situation in situations:
                if self._all_positive(drawn, situation):
                    continue
                for path, check in self._places():
                    if not self._positive(drawn, check, situation, path, after):
                        break  # later checks rest on it

    def _all_positive(self, drawn: Draw, situation: Situation) -> bool:
        """Whether all is well, in one go: the culprit is looked for only where it is not."""
        checks = drawn.formulas.checks
        try:
            values = drawn.formulas.values(drawn.formulas.trees, known_values(drawn, situation))
        except (DrillkitError, ArithmeticError):
            return False
        return all(values[check] > 0 for check in checks)

    def _places(self) -> Iterator[tuple[Path, str]]:
        for number, phase in enumerate(self.round.phases):
            for place, check in enumerate(phase.checks):
                yield ("phases", number, "checks", place), check.id

    def _changed(self, drawn: Draw) -> Iterator[tuple[str, Situation]]:
        """The situations after each curveball that changes a fact."""
        for number, curveball in enumerate(self.round.curveballs):
            if not curveball.set:
                continue
            path: Path = ("curveballs", number, "set")
            try:
                situation = set_facts(drawn, start(drawn), curveball)
            except (DrillkitError, ArithmeticError) as error:
                told = getattr(error, "what", str(error))
                self._error(path, "no-value", f"seed {drawn.seed}: {told}")
                continue
            low = [symbol for symbol, _ in curveball.set if situation.values[symbol] <= 0]
            if low:
                self._error(
                    path,
                    "not-positive",
                    f"seed {drawn.seed}: {low[0]} is {float(situation.values[low[0]]):g} after it",
                    "take a share of the fact: gpus - gpus/4",
                )
                continue
            yield f" after {curveball.id}", situation

    def _positive(
        self, drawn: Draw, check: str, situation: Situation, path: Path, after: str
    ) -> bool:
        where = f"seed {drawn.seed}{after}"
        try:
            value = expected(drawn, check, situation)
        except (DrillkitError, ArithmeticError) as error:
            told = getattr(error, "what", str(error))
            self._error(path, "no-value", f"{where}: {check} has no value: {told}")
            return False
        if value <= 0:
            told = f"{where}: {check} comes to {float(value):g}"
            self._error(path, "not-positive", told, "add a `where` or change the formula")
        return value > 0

    def examples(self, drawn: Draw) -> None:
        """The published numbers come out of the round as written."""
        for number, worked in enumerate(self.round.examples):
            for symbol, text in worked.expect:
                path: Path = ("examples", number, symbol)
                got = value_of(drawn, symbol, start(drawn))
                want = read_value(text).value
                if abs(got - want) > tolerance(worked.within) * abs(want):
                    off = f"{float(got / want - 1):+.2%}" if want else "not zero"
                    told = f"{symbol} comes to {float(got):.6g} in base units, {off} from {text}"
                    self._error(path, "example", told, f"mend the formula or see {worked.source}")

    # --- texts -----------------------------------------------------------------------------------

    def texts(self, draws: list[Draw]) -> None:
        """Every text can be filled."""
        for drawn in draws[:SEEDS_WITH_TEXTS]:
            plan: dict[str, int] = {}
            for phase in self.round.phases:
                if phase.plan is not None:
                    plan |= model_layout(drawn, phase.id, start(drawn))
            for path, text in self._texts():
                try:
                    fill_text(drawn, text, start(drawn), plan)
                except DrillkitError as error:
                    self._error(path, "text", f"seed {drawn.seed}: {error.what}", error.hint)

    def _texts(self) -> Iterator[tuple[Path, str]]:
        yield ("prompt",), self.round.prompt
        for fact in self.round.facts:
            yield ("facts", fact.symbol), fact.say
        for number, phase in enumerate(self.round.phases):
            yield ("phases", number, "say"), phase.say
            for place, line in enumerate(phase.model):
                yield ("phases", number, "model", place), line
            for place, point in enumerate(phase.points):
                yield ("phases", number, "points", place), point.say
        for number, curveball in enumerate(self.round.curveballs):
            yield ("curveballs", number, "say"), curveball.say
            yield ("curveballs", number, "model"), curveball.model

    # --- layouts ---------------------------------------------------------------------------------

    def layouts(self, draws: list[Draw]) -> None:
        """The model layout is right on every seed; each rule is met by some, broken by others."""
        for number, phase in enumerate(self.round.phases):
            if phase.plan is None:
                continue
            path: Path = ("phases", number, "plan")
            for drawn in draws:
                self._model(drawn, phase, path)
            for drawn in draws[:SEEDS_WITH_LAYOUTS]:
                self._can_be_laid_out(drawn, phase)
            if not self.told:
                self._both_verdicts(draws, phase, path)

    def _model(self, drawn: Draw, phase: Phase, path: Path) -> None:
        fields = model_layout(drawn, phase.id, start(drawn))
        verdict = judge_layout(drawn, phase.id, fields, start(drawn))
        broken = [rule for rule in verdict.rules if not rule.met]
        if broken:
            told = " ".join(f"{name} {value}" for name, value in fields.items())
            rule = broken[0]
            self._error(
                (*path, "model"),
                "model-layout",
                f"seed {drawn.seed} ({drawn.case or 'as written'}): the model's {told} breaks"
                f" {rule.holds or rule.says}: {rule.margin}",
                "change the model, the rule, or exclude such draws by `where`",
            )

    def _can_be_laid_out(self, drawn: Draw, phase: Phase) -> None:
        """A layout can still be judged, though perhaps another is right, after each curveball."""
        for after, situation in self._changed(drawn):
            try:
                judge_layout(drawn, phase.id, model_layout(drawn, phase.id, situation), situation)
            except DrillkitError as error:
                self._error(("curveballs",), "no-layout", f"seed {drawn.seed}{after}: {error.what}")

    def _both_verdicts(self, draws: list[Draw], phase: Phase, path: Path) -> None:
        assert phase.plan is not None  # noqa: S101 the caller looked
        met: set[str] = set()
        broken: set[str] = set()
        wanted = {rule.holds for rule in phase.plan.valid}
        for drawn in draws[:SEEDS_WITH_LAYOUTS]:
            for fields in layouts(drawn, phase.id, start(drawn)):
                for rule in judge_layout(drawn, phase.id, fields, start(drawn)).rules:
                    if rule.margin != NOT_WORKED_OUT:
                        (met if rule.met else broken).add(rule.holds)
                if wanted <= met and wanted <= broken:
                    return
        for place, written in enumerate(phase.plan.valid):
            for seen, told in ((met, "met by no layout"), (broken, "broken by no layout")):
                if written.holds not in seen:
                    self._error(
                        (*path, "valid", place),
                        "one-sided",
                        f"`{written.holds}` is {told} in {SEEDS_WITH_LAYOUTS} draws",
                        "a rule that cannot fail says nothing: tighten it or take it out",
                    )

    # --- curveballs ------------------------------------------------------------------------------

    def curveballs(self, draws: list[Draw]) -> None:
        """Each curveball comes for some seed, to a candidate on time or to one who is late."""
        waiting = {curveball.id for curveball in self.round.curveballs}
        for drawn in draws[:PLAYS]:
            for late in (False, True):
                if not waiting:
                    return
                waiting -= self._played(drawn, late=late)
        for number, curveball in enumerate(self.round.curveballs):
            if curveball.id in waiting:
                self._error(
                    ("curveballs", number),
                    "never-comes",
                    f"{curveball.id} came in none of {2 * PLAYS} rounds",
                    "give it a time after the first 45 s of its phase, or another phase",
                )

    def _played(self, drawn: Draw, *, late: bool) -> set[str]:
        """The curveballs that come to a candidate who is right and on time, or wrong and late."""
        clock = ManualClock(START)
        sitting = Sitting.begin(None, clock, self.round, seed=drawn.seed, mode="interview")
        state = sitting.state
        self._do_phase(sitting, late=late)
        while not state.over and not state.overtime:
            clock.advance(STEP_S)
            sitting.tick()
            if state.open_curveball is not None:
                sitting.skip()
            last = state.index == len(state.plan) - 1
            allowed = state.planned.length_s + (LATE_S if late else 0)
            if not last and sitting.elapsed_s >= state.entered_s + allowed:
                sitting.next_phase()
                self._do_phase(sitting, late=late)
        return {thrown.curveball.id for thrown in state.curveballs}

    def _do_phase(self, sitting: Sitting, *, late: bool) -> None:
        state = sitting.state
        for check in state.phase.checks:
            value = expected(state.draw, check.id, state.situation) * (5 if late else 1)
            unit = state.draw.units[check.id]
            sitting.number(check.id, f"{float(value / unit.factor):.6g} {unit.text}")
        if state.phase.plan is not None:
            fields = model_layout(state.draw, state.phase.id, state.situation)
            sitting.layout(self._other(state.draw, state.phase, fields) if late else fields)

    def _other(self, drawn: Draw, phase: Phase, model: dict[str, int]) -> dict[str, int]:
        """Another layout than the model's: with ZeRO-3, where that is no change without it."""
        stage = 3 if model.get("zero") != 3 else 0
        asked = phase.plan.fields if phase.plan is not None else ()
        if "zero" in asked:
            return {**model, "zero": stage}
        return next(iter(layouts(drawn, phase.id, start(drawn))), model)

    # --- scripts ---------------------------------------------------------------------------------

    def scripts(self, scripts: tuple[Script, ...]) -> None:
        """The scripted candidates get the verdicts that they should."""
        for script in scripts:
            report = Report(script.path, f"script {script.name} of {script.round}")
            for seed in script.seeds:
                self._verdict(script, seed, report)
            self.report.found += report.found

    def _verdict(self, script: Script, seed: int, report: Report) -> None:
        place = type(self.node)(script.line, 1)
        try:
            state = run_script(self.round, script, seed)
            suggested = {found.row: found.suggested for found in evidence(state).rows}
            verdict = verdict_of(suggested, rubric(self.round, state.started.level))
        except DrillkitError as error:
            report.error(place, "script", f"seed {seed}: {error.what}", error.hint)
            return
        if verdict.name not in script.verdict:
            report.error(
                place,
                "verdict",
                f"seed {seed}: the verdict is {verdict.name}, not "
                f"{' or '.join(script.verdict)} ({verdict.reason})",
                "change the script, or the weights and keywords of the round",
            )
