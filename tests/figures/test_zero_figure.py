"""The ZeRO bars: the lesson's figure, F1."""

from __future__ import annotations

import pytest
from drawn import draw, text, value

GB = 1e9
SHARES = ("weights", "gradients", "optimizer")


def test_ddp_of_7b_crosses_the_line_and_says_so_in_words():
    """F1a."""
    figure = draw("zero", P="7e9", N=8, stage=0)
    assert [figure.numbers[name].value / GB for name in SHARES] == [14, 14, 84]
    assert figure.numbers["states"].text == "112 GB"
    assert "112 GB crosses the 80 GB line" in figure.reading
    assert "does not fit" in figure.reading
    assert figure.numbers["states_fit"].value == "no"


@pytest.mark.parametrize(
    ("ranks", "stages"), [(8, (112, 38.5, 26.25, 14)), (64, (112, 29.3125, 15.53125, 1.75))]
)
def test_every_stage_shrinks_only_what_it_names(ranks, stages):
    """F1b."""
    every = [draw("zero", P="7e9", N=ranks, stage=stage).numbers for stage in range(4)]
    assert [numbers["states"].value / GB for numbers in every] == pytest.approx(stages)
    for before, after, shrunk in zip(every, every[1:], reversed(SHARES), strict=False):
        for name in SHARES:
            if name == shrunk:
                assert after[name].value == pytest.approx(before[name].value / ranks)
            else:
                assert after[name].value == before[name].value
        assert after["activations"].value == before["activations"].value


@pytest.mark.parametrize("stage", range(4))
def test_standard_attention_at_8192_tokens_keeps_380_gb_at_every_stage(stage):
    """F1c."""
    kept = value("zero", "activations", stage=stage, s=8192, attention="standard")
    assert kept / GB == pytest.approx(380, abs=0.5)
    figure = draw("zero", stage=stage, s=8192, attention="standard")
    assert figure.numbers["fits"].value == "no"
    assert "does not fit" in figure.reading


def test_tensor_parallelism_and_checkpointing_shrink_the_activations():
    """F1c: 47.5 GB on 8 GPUs, 2.15 GB and the layer that is rebuilt with full checkpointing."""
    long = {"s": 8192, "attention": "standard"}
    assert value("zero", "activations", tp=8, **long) / GB == pytest.approx(47.5, abs=0.05)
    full = draw("zero", checkpoint="full", **long)
    assert full.numbers["activations"].value / GB == pytest.approx(2.15, abs=0.005)
    assert full.numbers["recomputed_layer"].value / GB == pytest.approx(380 / 32, abs=0.02)
    assert "rebuilt" in text("zero", checkpoint="full", **long)


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"attention": "standard"}, 104.2),
        ({"attention": "flash"}, 18.25),
        ({"attention": "flash", "checkpoint": "full"}, 1.07),
    ],
)
def test_the_switches_at_4096_tokens(settings, kept):
    """F1d."""
    assert value("zero", "activations", s=4096, **settings) / GB == pytest.approx(kept, rel=0.005)


def test_the_bars_tell_the_parts_apart_by_letter_and_fill():
    bars = text("zero", N=8, stage=1).splitlines()
    assert all(sign in bars[1] for sign in "WGO█▓▒░┃")
    assert bars[2].startswith("►")
    assert bars[2].endswith("fits")
    assert "too much" in bars[1]
    # The line at 80 GB stands in one column.
    assert len({row.index("┃") for row in bars[1:5]}) == 1
    assert bars[0].index("▼") == bars[1].index("┃")


def test_zero_3_sends_half_as_much_again():
    """P2: two all-gathers and a reduce-scatter, 3P, against 2P."""
    assert [value("zero", "sent_over_ddp", N=64, stage=stage) for stage in range(4)] == [
        1,
        1,
        1,
        1.5,
    ]
    assert "two all-gathers" in text("zero", stage=3)
