"""Candidates that interviewers know, on the rounds that we ship: none gets what is not theirs.

The strong, the weak and the average candidate are scripts beside the rounds; `drillkit check` plays
those. Here are the ones who would win by what a machine can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from rounds_table import BUNDLED, bundled_round

from drillkit.content.round import Script, ScriptStep
from drillkit.content.script_reading import read_script
from drillkit.rounds.evidence import evidence
from drillkit.rounds.rubric import rubric
from drillkit.rounds.script import run_script
from drillkit.rounds.verdict import VERDICTS, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from drillkit.content.round import Point
    from drillkit.rounds.evidence import Evidence
    from drillkit.rounds.verdict import Verdict

NAMES = sorted(path.stem for path in BUNDLED.glob("*.yaml") if path.stem.count(".") == 0)
MIDDLE = sorted(path.stem.split(".")[0] for path in BUNDLED.glob("*.middle.yaml"))
LEAN_NO_HIRE = VERDICTS.index("lean no hire")


def _script(name: str, which: str) -> Script:
    path = BUNDLED / f"{name}.{which}.yaml"
    reading = read_script(path.read_bytes(), path.name)
    assert reading.script is not None, reading.diagnostics
    return reading.script


def _played(name: str, script: Script) -> tuple[Evidence, Verdict]:
    state = run_script(bundled_round(name), script, seed=0)
    shown = evidence(state)
    return shown, verdict_of(shown.suggested, rubric(bundled_round(name), state.started.level))


def _built(name: str, *, words: bool, numbers: bool) -> Script:
    """A candidate on the minute who says all words of all points, or gives all numbers, or both."""
    round_ = bundled_round(name)
    needed = tuple(fact.ask[0] for fact in round_.facts if fact.required)
    steps = [ScriptStep(at_s=20, ask=needed)]
    begins = 0
    for phase in round_.phases:
        if begins:
            steps.append(ScriptStep(at_s=begins, phase=phase.id))
        if words:
            steps.append(ScriptStep(at_s=begins + 60, write=_words(phase.points)))
        if numbers:
            right = tuple((check.id, "right") for check in phase.checks)
            steps.append(ScriptStep(at_s=begins + 90, number=right))
            if phase.plan is not None:
                steps.append(ScriptStep(at_s=begins + 100, model_layout=True))
        begins += phase.minutes * 60
    answers = tuple((one.id, _words(one.points)) for one in round_.curveballs) if words else ()
    return Script(name="built", round=name, steps=tuple(steps), verdict=("hire",), answers=answers)


def _words(points: Iterable[Point]) -> str:
    return " ".join(group.split("|")[0] for point in points for group in point.keys)


@pytest.mark.parametrize("name", NAMES)
def test_all_words_of_all_points_without_a_number_get_no_hire(name: str) -> None:
    shown, verdict = _played(name, _built(name, words=True, numbers=False))
    assert VERDICTS.index(verdict.name) <= LEAN_NO_HIRE
    for row in shown.rows:
        if row.row not in {"scope", "communication"}:
            assert row.suggested <= 3


@pytest.mark.parametrize("name", NAMES)
def test_all_numbers_without_a_word_get_no_hire(name: str) -> None:
    shown, verdict = _played(name, _built(name, words=False, numbers=True))
    assert VERDICTS.index(verdict.name) <= LEAN_NO_HIRE
    numbers = shown.row("numbers")
    assert numbers is not None
    assert numbers.suggested == 2


@pytest.mark.parametrize("name", NAMES)
def test_a_good_half_of_a_round_gets_no_hire(name: str) -> None:
    strong = _script(name, "strong")
    begun = tuple(step for step in strong.steps if step.at_s < 22 * 60)
    shown, verdict = _played(name, replace(strong, steps=begun))
    assert VERDICTS.index(verdict.name) < VERDICTS.index("hire")
    assert shown.suggested["communication"] <= 2


@pytest.mark.parametrize("name", NAMES)
def test_a_yes_to_everything_costs_the_four_in_communication(name: str) -> None:
    strong = _script(name, "strong")
    yes = tuple((one.id, "Yes.") for one in bundled_round(name).curveballs)
    shown, _ = _played(name, replace(strong, answers=yes))
    assert shown.suggested["communication"] <= 3


@pytest.mark.parametrize("name", MIDDLE)
def test_an_average_candidate_is_between_the_strong_and_the_weak_one(name: str) -> None:
    strong, middle, weak = (
        _played(name, _script(name, which))[1].mean for which in ("strong", "middle", "weak")
    )
    assert weak + 0.75 < middle < strong - 0.75
