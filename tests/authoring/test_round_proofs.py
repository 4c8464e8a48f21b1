"""What `check` proves of a round: each proof fails where the round is wrong, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from drillkit.authoring.round_proofs import prove_round
from drillkit.content.round_reading import read_round
from drillkit.content.script_reading import read_script

SMALL = (Path(__file__).parents[1] / "cases" / "small_round.yaml").read_text(encoding="utf-8")

STRONG = """\
script: strong
round: small
verdict: [lean hire, hire, strong hire]
seeds: [0, 1, 2]
steps:
  - {at: "0:10", ask: [size, tokens, gpus, deadline, done, network]}
  - {at: "0:40", write: "goal: beat the rented model. assume MFU 40 %, goodput 90 %"}
  - {at: "0:50", assume: {mfu: 40%, goodput: 90%}}
  - {at: "2:00", phase: compute}
  - {at: "2:40", number: {flops_tok: right, gpu_hours: right}}
  - {at: "3:10", write: "2+2+12 bytes. days against the deadline: fits, so 128 it is"}
  - {at: "6:00", phase: layout}
  - {at: "6:40", layout: model}
  - {at: "7:10", write: "no TP: NVLink in the node, but it fits without; reject ZeRO-3"}
  - {at: "11:00", phase: monitor}
  - {at: "11:30", write: "loss spike: roll back, page the on-call owner; alerts, runbook"}
  - {at: "13:50", phase: end}
answers:
  lose-a-rack: the deadline moves by a third or the tokens shrink
  sure: I stand by it, because 6ΨD over what a GPU does; check by 6ΨD alone
  silence: to sum up - it fits, it is in time
"""
WEAK = """\
script: weak
round: small
verdict: [no hire, lean no hire]
seeds: [0, 1, 2]
steps:
  - {at: "3:00", phase: compute}
  - {at: "5:00", number: {flops_tok: right / 3, gpu_hours: right * 20}}
  - {at: "8:00", phase: layout}
  - {at: "9:00", write: "16 bytes"}
  - {at: "10:00", layout: {tp: 16, pp: 4, dp: 4, zero: 0, micro_batch: 1}}
"""


def _proved(text: str, *scripts: str, seeds: int = 30) -> list[tuple[str, int]]:
    reading = read_round(text.encode(), "small.yaml")
    assert reading.round is not None, reading.diagnostics
    assert reading.node is not None
    read = [read_script(one.encode(), "small.script.yaml").script for one in scripts]
    found = prove_round(
        reading.round,
        reading.node,
        "small.yaml",
        [one for one in read if one is not None],
        seeds,
    )
    return [(one.code, one.line) for one in found]


def _line(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_sound_round_with_both_scripts_has_nothing_to_tell() -> None:
    assert _proved(SMALL, STRONG, WEAK) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "at"),
    [
        ('where: ["batch/seq >= gpus"]', 'where: ["gpus > 1000"]', "no-draw", "where:"),
        (
            "expr: 6*params + 6*layers*seq*width",
            "expr: 6*params - 6*layers*seq*width*100",
            "not-positive",
            "id: flops_tok",
        ),
        (
            "expr: tokens*flops_tok/(peak*mfu)",
            "expr: tokens*flops_tok/(seq - 4096)",
            "no-value",
            "id: gpu_hours",
        ),
        ("set: {gpus: gpus - 32}", "set: {gpus: gpus - 128}", "not-positive", "set: {gpus"),
        ("set: {gpus: gpus - 32}", "set: {heads: 7}", "no-layout", "id: lose-a-rack"),
        ("gpu_hours: 31750 GPU-h", "gpu_hours: 41750 GPU-h", "example", "gpu_hours: 41750"),
        (
            "model: {tp: 1, pp: 1, dp: gpus",
            "model: {tp: 1, pp: 1, dp: gpus/2",
            "model-layout",
            "dp: gpus/2",
        ),
        ("- bubble <= 0.3", "- bubble <= 1", "one-sided", "bubble <= 1"),
        ('at: {phase: layout, after: "1:00"}', 'at: {phase: layout, after: "4:59"}', "", ""),
        ("when: phase.clarify == overrun", "when: plan.tp == 64", "never-comes", "id: late"),
    ],
)
def test_each_fault_is_told_at_its_place(old: str, new: str, code: str, at: str) -> None:
    assert old in SMALL
    text = SMALL.replace(old, new)
    expected = [(code, _line(text, at))] if code else []
    assert _proved(text) == expected


def test_a_script_with_the_wrong_verdict_is_told() -> None:
    turned = STRONG.replace("verdict: [lean hire, hire, strong hire]", "verdict: [no hire]")
    assert {code for code, _ in _proved(SMALL, turned, WEAK)} == {"verdict"}


def test_a_script_that_cannot_be_played_is_told_with_its_minute() -> None:
    broken = STRONG.replace("layout: model", "layout: {tp: 1}")
    assert {code for code, _ in _proved(SMALL, broken, WEAK)} == {"script"}
