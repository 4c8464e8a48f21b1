"""Scripted candidates as written: what is read, what is wrong, and what does not fit the round."""

from __future__ import annotations

from pathlib import Path

import pytest

from drillkit.content.round import ScriptStep
from drillkit.content.round_reading import read_round
from drillkit.content.script_reading import read_script
from drillkit.content.script_rules import judge_script

ROUND = read_round((Path(__file__).parent.parent / "cases" / "small_round.yaml").read_bytes(), "r")

SCRIPT = """\
script: strong
round: small
verdict: [hire, strong hire]
level: senior
mode: interview
seeds: [0, 1, 2]
steps:
  - {at: "0:20", ask: [size, tokens]}
  - {at: "1:30", write: "Goal: a better model."}
  - {at: "1:40", assume: {mfu: 40%}}
  - {at: "2:00", phase: compute}
  - {at: "3:00", number: {flops_tok: right * 2}}
  - {at: "4:00", away: "1:00"}
  - {at: "4:10", answer: It stands.}
  - {at: "6:00", phase: layout}
  - {at: "7:00", layout: model}
  - {at: "7:30", layout: {tp: 8, pp: 1, dp: 16, zero: 1, micro_batch: 1}}
  - {at: "11:00", phase: monitor}
  - {at: "13:30", phase: end}
answers: {lose-a-rack: "The date moves."}
answer_after: "0:30"
grades: {numbers: 3}
"""


def read(text: str):
    return read_script(text.encode(), "s.yaml")


def unfit(text: str):
    reading = read(text)
    return [str(found) for found in reading.diagnostics] + [
        (found.code, found.line, found.message)
        for found in judge_script(reading.script, reading.node, "s.yaml", ROUND.round)
    ]


def test_every_key_arrives_typed():
    reading = read(SCRIPT)
    assert [str(found) for found in reading.diagnostics] == []
    script = reading.script
    assert (script.name, script.round, script.mode, script.level) == (
        *("strong", "small", "interview", "senior"),
    )
    assert (script.verdict, script.seeds) == (("hire", "strong hire"), (0, 1, 2))
    assert (script.answers, script.answer_after_s) == ((("lose-a-rack", "The date moves."),), 30)
    assert script.grades == (("numbers", 3),)
    assert script.steps[:4] == (
        ScriptStep(at_s=20, ask=("size", "tokens")),
        ScriptStep(at_s=90, write="Goal: a better model."),
        ScriptStep(at_s=100, assume=(("mfu", "40%"),)),
        ScriptStep(at_s=120, phase="compute"),
    )
    assert script.steps[4:10] == (
        ScriptStep(at_s=180, number=(("flops_tok", "right * 2"),)),
        ScriptStep(at_s=240, away_s=60),
        ScriptStep(at_s=250, answer="It stands."),
        ScriptStep(at_s=360, phase="layout"),
        ScriptStep(at_s=420, model_layout=True),
        ScriptStep(
            at_s=450,
            layout=(("tp", "8"), ("pp", "1"), ("dp", "16"), ("zero", "1"), ("micro_batch", "1")),
        ),
    )


def test_script_that_fits_its_round_has_nothing_to_mend():
    assert unfit(SCRIPT) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("script: strong", "script: Very Strong", "bad-id", "lowercase"),
        ("round: small", "round: [small]", "type", "a text is needed"),
        ("round: small\n", "", "missing-key", "`round`"),
        ("verdict: [hire, ", "verdict: [hired, ", "unknown-word", "'hired'"),
        ("verdict: [hire, strong hire]\n", "", "missing-key", "`verdict`"),
        ("level: senior", "level: junior", "unknown-word", "'junior'"),
        ("mode: interview", "mode: quick", "unknown-word", "'quick'"),
        ("seeds: [0, 1, 2]", "seeds: [0, one]", "type", "whole numbers"),
        ("mode: interview", "mood: interview", "unknown-key", "`mood`"),
        ('at: "0:20"', "at: soon", "time", "'soon' is no time"),
        ('at: "1:30"', 'at: "0:10"', "time", "before the one above"),
        ('at: "1:30", write', "write", "missing-key", "`at` is missing"),
        ("write: ", "wrote: ", "unknown-key", "`wrote`"),
        ("write: ", "wrote: ", "step", "does nothing"),
        ("layout: model", "layout: modell", "unknown-word", "'modell'"),
        ("{tp: 8, pp", "{tpp: 8, pp", "unknown-word", "'tpp'"),
        ("{tp: 8, pp", "{tp: eight, pp", "type", "`tp` is 'eight'"),
        ("grades: {numbers: 3}", "grades: {nubers: 3}", "unknown-word", "'nubers'"),
        ("grades: {numbers: 3}", "grades: {numbers: 7}", "grade", "no grade '7'"),
        ('answer_after: "0:30"', "answer_after: 30", "time", "'30' is no time"),
        ("answers: {", "answers: [{", "yaml", ""),
    ],
)
def test_each_mistake_is_told_on_its_line(old, new, code, said):
    text = SCRIPT.replace(old, new, 1)
    reading = read(text)
    assert reading.script is None
    found = [one for one in reading.diagnostics if one.code == code and said in one.message]
    assert found, reading.diagnostics
    first = next(
        n
        for n, (new_line, old_line) in enumerate(
            zip(text.splitlines(), SCRIPT.splitlines(), strict=False), 1
        )
        if new_line != old_line
    )
    # A missing key of the file itself is told where the file begins.
    assert {one.line for one in found} & {first, 1}


@pytest.mark.parametrize("key", ["script", "steps"])
def test_script_without_its_name_or_steps_is_told(key):
    text = SCRIPT.replace(f"{key}:", "#:" if key == "script" else "level2:", 1)
    assert f"the key `{key}` is missing" in {one.message for one in read(text).diagnostics}


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ('at: "13:30"', 'at: "14:30"', "time", "over after 14 minutes"),
        ("phase: compute", "phase: comput", "unknown-phase", "`comput` is no phase"),
        ("phase: compute", "phase: monitor", "order", "the next phase is 'compute'"),
        ("{flops_tok: right", "{flop_tok: right", "unknown-check", "`flop_tok` is no check"),
        ("{mfu: 40%}", "{mfuu: 40%}", "unknown-assumption", "`mfuu` is no assumption"),
        ("{tp: 8, pp: 1", "{tp: 8, cp: 1", "unknown-field", "`cp` is no field"),
        ("{lose-a-rack:", "{lose-a-rock:", "unknown-curveball", "`lose-a-rock`"),
    ],
)
def test_what_does_not_fit_the_round_is_told_on_its_line(old, new, code, said):
    text = SCRIPT.replace(old, new)
    line = next(n for n, each in enumerate(text.splitlines(), 1) if new in each)
    assert any(
        (found[0], found[1]) == (code, line) and said in found[2] for found in unfit(text)
    ), unfit(text)


def test_too_many_steps_are_refused():
    text = SCRIPT.replace("steps:\n", "steps:\n" + '  - {at: "0:01", write: x}\n' * 5000)
    assert "too-many" in {found.code for found in read(text).diagnostics}


def test_any_bytes_give_diagnostics_and_no_exception():
    raw = SCRIPT.encode()
    for cut in range(0, len(raw), 53):
        read_script(raw[:cut] + b"\xff" + raw[cut:], "s.yaml")
        read_script(raw[:cut] + b"{[*&!" + raw[cut:], "s.yaml")
        read_script(raw[:cut] + b": [x, {y: z}]\n" + raw[cut:], "s.yaml")
        read_script(raw[cut:], "s.yaml")
        read_script(raw[:cut], "s.yaml")


@pytest.mark.parametrize("shape", ["x", "[x]", "[[x]]", "{x: y}", "[{x: y}]", "{x: {y: z}}", ""])
def test_any_shape_under_any_key_gives_no_exception(shape):
    head = [line.split(":")[0] for line in SCRIPT.splitlines() if line[:1].isalpha()]
    for key in head:
        assert read("\n".join(f"{each}: {shape if each == key else 'x'}" for each in head))
    for key in ("ask", "write", "assume", "number", "layout", "phase", "away", "answer", "at"):
        text = SCRIPT.replace(
            '{at: "0:20", ask: [size, tokens]}', f"{{at: '0:20', {key}: {shape}}}"
        )
        assert read(text)
