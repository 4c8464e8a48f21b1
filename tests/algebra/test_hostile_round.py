"""Hostile texts in every place of a design round where a person may type."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from pathlib import Path

from hostile_texts import ATTACKS, texts

from drillkit.clock import ManualClock, Moment
from drillkit.content.round_reading import read_round
from drillkit.errors import DrillkitError
from drillkit.rounds.sitting import Sitting
from drillkit.tui.widgets.round.prompt import layout_fields

SMALL = Path(__file__).parents[1] / "cases" / "small_round.yaml"
LONG = ("a b " * 500, "dealine " * 250, " ".join(f"dead{number}" for number in range(250)))
MORE = ("\ud800", "\n" * 2000, "5e10@mfu=0", "1e60 FLOP", "1e-60..1e60 FLOP", "tp" + " " * 10**6)
MOST_S = 2.0
"""Of processor time, for all places together: what is not bounded takes minutes."""


def in_layout(seed: int) -> Sitting:
    round_ = read_round(SMALL.read_bytes(), SMALL.name).round
    assert round_ is not None
    clock = ManualClock(Moment(1_767_258_000_000))
    sitting = Sitting.begin(None, clock, round_, seed=seed, mode="practice")
    sitting.next_phase()
    sitting.next_phase()
    return sitting


def test_a_hostile_text_is_refused_or_kept_and_never_takes_long():
    sitting = in_layout(0)
    for number, text in enumerate((*LONG, *MORE, *ATTACKS, *texts(160, 5)), 1):
        if number % 60 == 0:
            sitting = in_layout(number)
        begun = time.process_time()
        for command in (
            partial(sitting.number, "flops_tok", text),
            partial(sitting.number, "gpu_hours", f"5e3 @mfu={text}"),
            partial(sitting.assume, "mfu", text),
            partial(sitting.assume, text, "40%"),
            partial(sitting.number, text, "5e10 FLOP"),
            lambda text=text, sitting=sitting: sitting.layout(layout_fields(text)),
            partial(sitting.ask, text),
            partial(sitting.note, text),
            partial(sitting.write, text),
            partial(sitting.answer, text),
        ):
            with contextlib.suppress(DrillkitError):
                command()
        for recorded in sitting.state.numbers[-2:]:
            assert isinstance(recorded.verdict.diagnosis, tuple)
        assert time.process_time() - begun < MOST_S, text[:60]
