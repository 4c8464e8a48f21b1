"""Typed numbers of a round: how they are read, how near they are, and what explains a miss."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from design_rounds import THIRTEEN
from hypothesis import given, settings
from hypothesis import strategies as st

from drillkit.algebra.outcome import UnreadableError
from drillkit.content.round import Derived
from drillkit.rounds.draw import draw
from drillkit.rounds.number import Typed, judge_number, read_assumption, read_typed
from drillkit.rounds.solve import expected, fill_text, start

DRAWN = draw(THIRTEEN, 0)
START = start(DRAWN)


def read(check, text, **numbers):
    return read_typed(DRAWN, check, text, recorded(**numbers))


def recorded(**numbers):
    return START._replace(numbers={name: Fraction(value) for name, value in numbers.items()})


def judged(check, text, **numbers):
    typed = read(check, text, **numbers)
    assert typed.outcome == "value", typed.message
    return judge_number(DRAWN, check, typed, recorded(**numbers))


# --- reading ---


@pytest.mark.parametrize(
    ("check", "text", "value"),
    [
        ("act", "28.7 GB", 28.7e9),
        ("act", "28.7e9", 28.7e9),
        ("act", "26.7 GiB", 26.7 * 2**30),
        ("act", "28.7", 28.7e9),
        ("act", "34*4096*5120*40 B", 28521267200),
        ("act", "34*seq*width*layers", 28521267200),
        ("act", "229.6 Gb", 28.7e9),
        ("states", "16*13e9 = 208 GB", 208e9),
        ("gpu_hours", "5.2k GPU-h", 5200 * 3600),
        ("gpu_hours", "35k", 35_000 * 3600),
        ("gpu_hours", "6*params*tokens/(peak*mfu)", 6 * 13e9 * 600e9 / (989e12 * 0.4)),
        ("wall", "2.4 weeks", 2.4 * 7 * 86_400),
        ("wall", "17", 17 * 86_400),
        ("share", "36", 0.36),
        ("share", "0.36", 0.36),
        ("share", "36%", 0.36),
        ("fewest", "64 GPUs", 64),
        ("fewest", "64 gpus", 64),
        ("reduce", "520 ms", 0.52),
    ],
)
def test_a_number_is_read_with_its_unit_or_in_the_likelier_one(check, text, value):
    assert float(read(check, text).value) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "low", "high", "confidence"),
    [
        ("100..130 GB 80%", 100, 130, 80),
        ("100-130 GB @80%", 100, 130, 80),
        ("100–130 GB @ 90", 100, 130, 90),
        ("100 to 130 GB 50 %", 100, 130, 50),
        ("100 to 130 GB", 100, 130, 80),
        ("100e9..130e9 90%", 100, 130, 90),
        ("0.1 TB .. 130 GB 80%", 100, 130, 80),
        ("100 … 130 80%", 100, 130, 80),
        ("1.0e2-1.3e2 GB", 100, 130, 80),
    ],
)
def test_a_range_has_two_ends_and_a_confidence(text, low, high, confidence):
    typed = read("states", text)
    assert (typed.low, typed.high) == (low * 10**9, high * 10**9), typed.message
    assert typed.confidence == confidence
    assert float(typed.value) == pytest.approx((low * high) ** 0.5 * 1e9)


def test_the_ends_of_a_range_share_scale_and_unit():
    typed = read("gpu_hours", "30..40k GPU-h 90%")
    assert (typed.low, typed.high) == (30_000 * 3600, 40_000 * 3600)
    share = read("share", "30..40 % 80%")
    assert (share.low, share.high, share.confidence) == (Fraction(3, 10), Fraction(2, 5), 80)
    plain = read("share", "30 to 40%")
    assert (plain.low, plain.high) == (Fraction(3, 10), Fraction(2, 5))


def test_a_difference_is_no_range():
    assert read("states", "240-32 GB").value == 208 * 10**9
    assert read("states", "16*13e9-1e9 B").value == 207 * 10**9
    assert read("flops_tok", "8.3e-1 FLOP").value == Fraction(83, 100)


def test_what_is_assumed_stands_after_the_sign():
    typed = read("act", "28.7 GB @mfu=.4 goodput=90%")
    assert typed.assumed == {"mfu": Fraction(2, 5), "goodput": Fraction(9, 10)}
    assert "mfu 40 %, goodput 90 %" in typed.message
    both = read("states", "100..130 GB @80% MFU = 50 %")
    assert (both.confidence, both.assumed) == (80, {"mfu": Fraction(1, 2)})
    apart = read("states", "100..130 GB @mfu=30% @50%")
    assert (apart.confidence, apart.assumed) == (50, {"mfu": Fraction(3, 10)})


def test_a_formula_uses_what_is_assumed_beside_it():
    half = read("gpu_hours", "6*params*tokens/(peak*mfu) @mfu=50%").value
    assert half == Fraction(6 * 13 * 600, 989) * 2 * 10**6


def test_a_formula_uses_ones_own_numbers_and_never_the_answers():
    mine = read("gpu_hours", "tokens*flops_tok/(peak*mfu)", flops_tok=83 * 10**9)
    assert float(mine.value / 3600) == pytest.approx(34_965, rel=1e-3)
    assert read("gpu_hours", "tokens*flops_tok/(peak*mfu)").outcome == "invalid"
    assert read("act", "act_two/2").outcome == "invalid"
    assert read("act", "act", act=5).outcome == "invalid"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("28 GB @", "after @"),
        ("28 GB @foo=3", "foo is not assumed here: known: mfu, goodput"),
        ("28 GB @mfu=95%", "MFU 95 % is not plausible: assume 25 % to 55 %"),
        ("28 GB @mfu=much", "mfu: "),
        ("28 GB @mfu=.4 and so on", "mfu: "),
        ("28 GB @80%", "a confidence belongs to a range"),
        ("25..32 GB 70%", "be 50, 80 or 90 % sure"),
        ("32..25 GB", "low to a high value"),
        ("0..25 GB", "low to a high value"),
        ("3 s", "GB is asked for"),
        ("", "nothing to read"),
        ("a lot", "not a name or a unit"),
        ("1" * 161, "longer than 160 characters"),
    ],
)
def test_what_cannot_be_read_is_told_and_costs_nothing(text, says):
    typed = read("act", text)
    assert typed.value is None
    assert typed.outcome != "value"
    assert says in typed.message


def test_an_assumption_is_read_alone():
    assert read_assumption(DRAWN, "mfu", "40") == Fraction(2, 5)
    assert read_assumption(DRAWN, "MFU", ".4") == Fraction(2, 5)
    assert read_assumption(DRAWN, "goodput", "1") == 1
    with pytest.raises(UnreadableError, match="not plausible"):
        read_assumption(DRAWN, "mfu", "4 %")


HOSTILE = [
    "\x00", "💥" * 40, "((((((((((((((((((((((((((((((1", "9" * 160, "1e999", "1/0 GB", "@" * 160,
    "@mfu=", "=" * 50, "1..2..3 GB", ".." * 30, "to", "1 to", "to 1 GB 80%", "nan..inf GB 80%",
    "1e60..1e60 GB", "-5..-3 GB", "@80%", "80%", "٣٠ GB", "1 GB @mfu=1/0", "1 GB @mfu=mfu",
    "__import__('os')", "2^2^2^2^2^2 GB", "1 GB\n\n2 GB", "\ud800", "\u202e28 GB", "2;3 GB",
    "1e-60..1e60 GB 80%", "1-" * 80, "a=" * 80, "@a=b " * 30, "0", "-0", "−3 GB", "½ GB", "1e30 GB",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("check", ["act", "fewest", "share", "gpu_hours"])
def test_no_text_raises(check, text):
    typed = read(check, text)
    assert typed.message
    if typed.value is not None:
        assert judge_number(DRAWN, check, typed, START).band


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60) | st.text("0123456789.-@%=eGBkmfu to()*/^", max_size=40))
def test_no_random_text_raises(text):
    typed = read("act", text)
    assert (typed.value is None) == (typed.outcome != "value")
    if typed.value is not None:
        judge_number(DRAWN, "act", typed, START)


# --- judging ---


def test_gb_and_gib_are_told_apart_inside_a_wide_tolerance():
    """X5."""
    for same in ("28.7 GB", "28.7e9", "26.7 GiB"):
        verdict = judged("act", same)
        assert (verdict.band, verdict.diagnosis) == ("exact", ()), same
    assert "GB and GiB differ" in judged("act", "28.7 GiB").diagnosis[0]
    assert judged("act", "28.7 GiB").band == "exact"
    assert judged("states", "208 GiB").band == "close"
    assert "GB and GiB differ" in judged("states", "208 GiB").diagnosis[0]
    assert judged("act", "29.8 GB").diagnosis == ()


@pytest.mark.parametrize(
    ("factor", "band"),
    [
        (1, "exact"), (1.05, "exact"), (0.95, "exact"), (1.053, "close"), (1.1, "close"),
        (0.9, "close"), (1.11, "ballpark"), (1.5, "ballpark"), (1 / 1.5, "ballpark"),
        (1.51, "order"), (3, "order"), (1 / 3, "order"), (3.1, "off"), (0, "off"), (-1, "off"),
    ],
)  # fmt: skip
def test_bands_go_by_the_ratio(factor, band):
    typed = Typed("value", "", Fraction(208 * 10**9) * Fraction(factor))
    assert judge_number(DRAWN, "states", typed, START).band == band


def test_an_answer_follows_ones_own_mfu():
    assert judged("gpu_hours", "28k GPU-h @mfu=50%").band == "exact"
    assert judged("gpu_hours", "28k GPU-h").band == "ballpark"
    said = START._replace(assumed={"mfu": Fraction(1, 2)})
    typed = read_typed(DRAWN, "gpu_hours", "28k GPU-h", said)
    assert judge_number(DRAWN, "gpu_hours", typed, said).band == "exact"


def test_one_wrong_number_costs_once():
    wrong = judged("flops_tok", "26 GFLOP")
    assert wrong.band != "exact"
    assert wrong.diagnosis == ("2Ψ is the forward pass alone.",)
    after = judged("gpu_hours", "10.95k GPU-h", flops_tok=26 * 10**9)
    assert (after.band, after.follows) == ("exact", True)
    mine = expected(DRAWN, "gpu_hours", recorded(flops_tok=26 * 10**9))
    assert after.expected == mine
    days = judged("wall", "5.28 d", flops_tok=26 * 10**9, gpu_hours=10_950 * 3600)
    assert (days.band, days.follows) == ("exact", True)


def test_who_gets_it_right_after_all_is_right():
    verdict = judged("gpu_hours", "35k GPU-h", flops_tok=26 * 10**9)
    assert (verdict.band, verdict.follows) == ("exact", False)
    assert verdict.expected == expected(DRAWN, "gpu_hours", START)


def test_without_an_error_nothing_follows_from_it():
    verdict = judged("gpu_hours", "35k GPU-h", flops_tok=83 * 10**9)
    assert (verdict.band, verdict.follows) == ("exact", False)


@pytest.mark.parametrize(
    ("check", "text", "says"),
    [
        ("act", "57 GB", "fp32 stands for bf16"),
        ("act", "14.26 GB", "one of two halves"),
        ("act", "228 GB", "Bits and bytes differ by 8"),
        ("act", "2740 GB", "96 times too large"),
        ("act", "0.297 GB", "96 times too small"),
        ("sharded", "208 GB", "96 times too large"),
        ("gpu_hours", "11.66k", "forward pass alone"),
        ("gpu_hours", "46.6k", "full recomputation"),
        ("gpu_hours", "87.4k", "The MFU is left out of 40 %?"),
        ("flops_tok", "27.7e9", "forward pass alone"),
        ("reduce", "2.08 s", "per direction"),
        ("reduce", "0.52 s", "per direction"),
        ("fewest", "53", "rounded the wrong way"),
        ("fewest", "53.98", "come whole"),
        ("share", "0.36 %", "differ by 100"),
        ("act", "28.5 MB", "prefix"),
    ],
)
def test_a_miss_is_explained_by_its_ratio(check, text, says):
    verdict = judged(check, text)
    assert verdict.band != "exact"
    assert says in " ".join(verdict.diagnosis)


def test_gpus_are_named_only_where_they_are_a_fact():
    facts = tuple(
        msgspec.structs.replace(one, symbol="devices") if one.symbol == "gpus" else one
        for one in THIRTEEN.facts
    )
    round_ = msgspec.structs.replace(
        THIRTEEN,
        facts=facts,
        where=(),
        derive=(Derived(symbol="gpus", expr="devices", unit="GPUs"),),
        curveballs=(),
    )
    drawn = draw(round_, 0)
    typed = read_typed(drawn, "act", "2740 GB", start(drawn))
    assert judge_number(drawn, "act", typed, start(drawn)).diagnosis == ()


def test_a_plain_miss_is_not_explained_away():
    for text in ("19 GB", "40 GB", "99 GB", "28.6 GB"):
        assert judged("act", text).diagnosis == (), text


def test_a_range_covers_the_truth_or_does_not():
    assert judged("act", "25..32 GB 80%").covered is True
    assert judged("act", "25..32 GB 80%").band == "exact"
    narrow = judged("act", "20..25 GB 90%")
    assert (narrow.covered, narrow.band) == (False, "ballpark")
    assert judged("act", "28 GB").covered is None
    assert judged("gpu_hours", "10..12k GPU-h 80%", flops_tok=26 * 10**9).covered is True


def test_what_has_no_value_is_not_judged():
    with pytest.raises(ValueError, match="no value"):
        judge_number(DRAWN, "act", read("act", "much"), START)


def test_the_verdict_on_a_number_is_the_same_without_its_text():
    typed = read("act", "28.7 GiB")
    bare = Typed("value", typed.message, typed.value)
    assert judge_number(DRAWN, "act", bare, START) == judge_number(DRAWN, "act", typed, START)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_what_a_text_tells_is_right_when_it_is_typed_back(seed):
    drawn = draw(THIRTEEN, seed)
    for check in THIRTEEN.checks:
        truth = expected(drawn, check.id, start(drawn))
        number = float(truth / drawn.units[check.id].factor)
        ends = f"{number * 0.9:.4g}..{number * 1.1:.4g} {check.unit} 90%"
        told = fill_text(drawn, f"{{{check.id}}}", start(drawn))
        for text in (told, f"{number:.4g}", f"{float(truth):.4g}", ends):
            typed = read_typed(drawn, check.id, text, start(drawn))
            verdict = judge_number(drawn, check.id, typed, start(drawn))
            near = verdict.band == "exact" or (text == ends and verdict.band == "close")
            assert near, (check.id, text, verdict)
            assert verdict.covered is not False


def test_on_eight_gpus_a_factor_of_eight_may_be_either_mistake():
    drawn = draw(THIRTEEN, 0)
    eight = start(drawn)._replace(values={**drawn.values, "gpus": Fraction(8)})
    typed = read_typed(drawn, "act", "228 GB", eight)
    bits, spread = judge_number(drawn, "act", typed, eight).diagnosis
    assert "Bits and bytes" in bits
    assert "8 times too large: is it spread over the 8 GPUs?" in spread
