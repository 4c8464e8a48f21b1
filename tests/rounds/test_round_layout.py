"""Layouts are judged by what they come to, in exact numbers with their units."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from design_rounds import FIELDS, LLAMA_405, SEVENTY, THIRTEEN, planned

from drillkit.algebra.answer import parse_unit
from drillkit.algebra.formula import parse_condition
from drillkit.content.round import Rule
from drillkit.content.round_names import PLAN_OUTCOMES
from drillkit.errors import DrillkitError
from drillkit.mlsys.estimate import Job, evaluate, refusal
from drillkit.mlsys.hardware import H100
from drillkit.mlsys.layout import Layout
from drillkit.mlsys.memory import GB, GIB
from drillkit.mlsys.transformer import MODELS
from drillkit.rounds.draw import draw
from drillkit.rounds.layout import (
    NOT_WORKED_OUT,
    OUTCOMES,
    judge_layout,
    layouts,
    model_layout,
)
from drillkit.rounds.margin import margin
from drillkit.rounds.solve import set_facts, start


def judged(round_, *degrees, **fields):
    drawn = draw(round_, 0)
    given = dict(zip(FIELDS, degrees, strict=True)) if degrees else {}
    return judge_layout(drawn, "layout", given | fields, start(drawn))


def gb(verdict, name):
    return float(verdict.values[name]) / GB


def test_13b_on_96_gpus_fits_with_zero_2_and_no_model_parallelism():
    """Entered twice: 2Ψ + 14Ψ/96 and 34·s·h·L by hand."""
    verdict = judged(THIRTEEN, 1, 1, 96, 2, 1)
    assert verdict.right
    assert gb(verdict, "states") == pytest.approx(2 * 13 + 14 * 13 / 96)
    assert gb(verdict, "activations") == pytest.approx(34 * 4096 * 5120 * 40 / 1e9)
    assert verdict.told[0] == "memory 56.4 GB (52.5 GiB) of 72 GB (67.1 GiB): 15.6 GB to spare"


def test_70b_on_1024_gpus_has_9_57_and_22_8_gb():
    """M3 and ERR8, with the bubble of 3/35."""
    verdict = judged(SEVENTY, 8, 4, 32, 1, 1)
    assert verdict.right
    assert gb(verdict, "states") == pytest.approx(9.57, abs=0.005)
    assert gb(verdict, "activations") == pytest.approx(22.8, abs=0.05)
    assert verdict.values["bubble"] == Fraction(3, 35)
    assert verdict.values["micro_batches"] == 32


def test_another_layout_of_70b_gets_a_verdict_of_its_own():
    """X6: TP 8, PP 2, DP 64 is not the model answer, and right."""
    verdict = judged(SEVENTY, 8, 2, 64, 1, 1)
    assert verdict.right
    assert gb(verdict, "states") == pytest.approx(18.32, abs=0.005)
    assert verdict.values["bubble"] == Fraction(1, 17)


def test_zero_1_alone_does_not_hold_70b():
    verdict = judged(SEVENTY, 1, 1, 1024, 1, 1)
    assert not verdict.right
    assert gb(verdict, "states") == pytest.approx(280, rel=0.005)
    assert verdict.told == (
        "It does not fit 80 GB. 463 GB (432 GiB) of 72 GB (67.1 GiB): 391 GB too much.",
    )


def test_405b_is_over_80_gb_with_zero_1_and_fits_with_zero_3():
    """M7: 84.9 GB are 79.0 GiB, so the unit decides, and is told."""
    one = judged(LLAMA_405, 8, 16, 128, 1, 1)
    assert gb(one, "states") == pytest.approx(13.0, abs=0.05)
    assert gb(one, "activations") == pytest.approx(71.9, abs=0.05)
    assert gb(one, "memory") == pytest.approx(84.9, abs=0.1)
    assert float(one.values["memory"]) / GIB == pytest.approx(79.0, abs=0.05)
    assert not one.right
    assert "84.8 GB (79.0 GiB) of 80 GB (74.5 GiB): 4.83 GB too much" in one.told[0]
    three = judged(LLAMA_405, 8, 16, 128, 3, 1)
    assert three.right
    assert gb(three, "memory") == pytest.approx(72.3, abs=0.05)


def test_states_follow_the_stated_size_and_the_rest_the_planner():
    """Entered twice: against the planner on the published shape, whose count is 0.8 % larger."""
    verdict = judged(SEVENTY, 8, 4, 32, 1, 1)
    job = Job(MODELS["llama-3-70b"], 1024, 8192, 1024, gpu=H100)
    plan = evaluate(job, Layout(32, 8, 4, zero_stage=1, sequence_parallel=True))
    assert float(verdict.values["activations"]) == pytest.approx(plan.memory.activation_bytes)
    assert float(verdict.values["step"]) == pytest.approx(plan.step.total_s, rel=0.01)
    assert float(verdict.values["mfu"]) == pytest.approx(plan.mfu, rel=0.01)
    assert float(verdict.values["exposed"]) == pytest.approx(
        plan.step.exposed_s / plan.step.total_s, rel=0.02
    )
    assert float(verdict.values["bubble"]) == pytest.approx(
        plan.step.bubble_s / plan.step.total_s, abs=0.002
    )


@pytest.mark.parametrize(
    ("degrees", "says"),
    [
        ((8, 4, 16, 1, 1), "The degrees must multiply to 1,024 GPUs. 8 × 4 × 16 = 512."),
        ((3, 1, 341, 1, 1), "TP 3 must divide the 64 heads. 64 heads / 3 = 21.3."),
        ((1, 128, 8, 1, 1), "PP 128 is more than the 80 layers. 80 layers / 128 = 0.625 a stage."),
        (
            (1, 1, 1024, 1, 2),
            "make no whole micro-batches on 1,024 ranks. 1,024 sequences / 2,048 = 0.5",
        ),
        ((16, 4, 16, 1, 1), "TP 16 leaves the node. 16 of 8: 8 too many."),
        ((0, 4, 32, 1, 1), "Degrees and micro-batch are at least 1"),
        ((8, 4, 32, 4, 1), "ZeRO is 0 to 3"),
        ((10**5000, 4, 32, 1, 1), "The degrees must multiply to 1,024"),
    ],
)
def test_what_is_wrong_with_a_layout_is_told(degrees, says):
    verdict = judged(SEVENTY, *degrees)
    assert not verdict.right
    assert says in " ".join(verdict.told)


def test_what_cannot_run_is_not_worked_out_and_says_so_once():
    verdict = judged(SEVENTY, 8, 4, 16, 1, 1)
    assert verdict.values == {}
    assert len(verdict.told) == 1
    fits = next(rule for rule in verdict.rules if rule.holds == "memory <= 0.9*hbm")
    assert (fits.met, fits.margin) == (False, NOT_WORKED_OUT)


def test_a_round_that_says_itself_what_the_degrees_multiply_to_is_not_told_twice():
    said = planned(
        "said", ("8", "4", "32", "1", "1"), Rule("tp*pp*dp == gpus", "Not {gpus} GPUs."),
        params="70e9", layers="80", width="8192", heads="64", seq="8192", batch="1024", gpus="1024",
    )  # fmt: skip
    assert judged(said, 8, 4, 16, 1, 1).told == ("Not 1,024 GPUs. 512, not 1,024: 512 missing.",)
    assert judged(said, 8, 4, 32, 1, 1).right


def test_the_planner_has_the_last_word_where_a_rounds_own_product_forgets_a_degree():
    verdict = judged(
        planned(
            "forgets", ("8", "4", "32", "1", "1"), Rule("tp*pp*dp == gpus"),
            params="70e9", layers="80", width="8192", heads="64", seq="8192", batch="1024",
            gpus="1024",
        ),
        8, 4, 32, 1, 1, cp=2,
    )  # fmt: skip
    assert not verdict.right
    assert "the degrees multiply to 2048 GPUs, not 1024" in verdict.told[0]


def test_a_batch_gives_way_a_little_and_no_more():
    """1,536 sequences on 64 GPUs divide; after a rack is lost the batch may move by a tenth."""
    drawn = draw(SEVENTY, 0)
    fewer = start(drawn)._replace(values={**drawn.values, "gpus": Fraction(768)})
    fields = dict(zip(FIELDS, (8, 4, 24, 1, 1), strict=True))
    verdict = judge_layout(drawn, "layout", fields, fewer)
    assert verdict.right
    batch = next(rule for rule in verdict.rules if "batch" in rule.holds)
    assert batch.margin == "1,024 sequences / 24 = 42.7 a rank; 43 would be a batch of 1,032"
    assert verdict.values["micro_batches"] == 43
    wide = dict(zip(FIELDS, (1, 1, 768, 3, 1), strict=True))
    assert not judge_layout(drawn, "layout", wide, fewer).right


def test_a_curveball_moves_the_facts_under_a_layout():
    drawn = draw(THIRTEEN, 0)
    before = start(drawn)
    after = set_facts(drawn, before, THIRTEEN.curveballs[0])
    assert model_layout(drawn, "layout", before)["dp"] == 96
    model = model_layout(drawn, "layout", after)
    assert model["dp"] == 64
    assert judge_layout(drawn, "layout", model, after).right
    assert not judge_layout(drawn, "layout", model, before).right


def test_full_recomputation_keeps_less():
    kept, rebuilt = (judged(SEVENTY, 8, 4, 32, 1, 1, recompute=one) for one in (0, 1))
    assert rebuilt.values["activations"] < kept.values["activations"]
    assert rebuilt.values["step"] > kept.values["step"]


def test_an_assumed_mfu_is_not_the_planners():
    rules = (Rule("mfu >= 0.4"), Rule("gpu_hours/gpus < 4e9"))
    phases = tuple(
        msgspec.structs.replace(one, plan=msgspec.structs.replace(one.plan, valid=rules))
        if one.plan
        else one
        for one in THIRTEEN.phases
    )
    verdict = judged(msgspec.structs.replace(THIRTEEN, phases=phases), 1, 1, 96, 2, 1)
    assert verdict.right
    assert verdict.told[0] == "mfu 55 % where at least 40 % is asked: 15 points to spare"


def test_every_draws_model_is_right_and_every_rule_is_met_and_missed_somewhere():
    for round_ in (THIRTEEN, SEVENTY, LLAMA_405):
        for seed in (0, 1, 2):
            drawn = draw(round_, seed)
            model = model_layout(drawn, "layout", start(drawn))
            assert judge_layout(drawn, "layout", model, start(drawn)).right
    drawn = draw(SEVENTY, 0)
    tried = list(layouts(drawn, "layout", start(drawn)))
    assert tried == list(layouts(drawn, "layout", start(drawn)))
    assert len(tried) < 500
    seen: dict[str, set[bool]] = {}
    for fields in tried:
        for rule in judge_layout(drawn, "layout", fields, start(drawn)).rules:
            if rule.margin not in {NOT_WORKED_OUT, ""}:
                seen.setdefault(rule.holds, set()).add(rule.met)
    assert len(seen) == 6
    assert set(map(frozenset, seen.values())) == {frozenset({True, False})}


def test_the_rules_refuse_what_the_planner_refuses():
    """Entered twice: but for the batch, which may give way."""
    drawn = draw(SEVENTY, 0)
    job = Job(MODELS["llama-3-70b"], 1024, 8192, 1024)
    for fields in layouts(drawn, "layout", start(drawn)):
        verdict = judge_layout(drawn, "layout", fields, start(drawn))
        if not fields["dp"]:
            assert not verdict.values
            continue
        layout = Layout(fields["dp"], fields["tp"], fields["pp"], zero_stage=fields["zero"])
        refused = refusal(Job(job.shape, 1024, 8192, 1024, fields["micro_batch"]), layout)
        assert bool(verdict.values) is not bool(refused), (fields, refused)


def test_a_phase_without_a_layout_is_refused():
    drawn = draw(THIRTEEN, 0)
    with pytest.raises(DrillkitError, match="no layout is asked for in memory"):
        judge_layout(drawn, "memory", {}, start(drawn))


def test_a_job_that_makes_no_sense_is_refused():
    odd = planned(
        "odd", ("8", "4", "32", "1", "1"),
        params="70e9", layers="80", width="8192", heads="63", seq="8192", batch="1024", gpus="1024",
    )  # fmt: skip
    with pytest.raises(DrillkitError, match="odd: the job of a layout: heads must divide hidden"):
        judged(odd, 8, 4, 32, 1, 1)


def test_the_planners_names_are_those_that_a_round_may_use():
    assert set(OUTCOMES) == set(PLAN_OUTCOMES)


# --- margins ---

UNITS = {
    "memory": parse_unit("GB"),
    "hbm": parse_unit("GB"),
    "bubble": parse_unit("%"),
    "step": parse_unit("s"),
    "inter": parse_unit("GB/s"),
    "days": parse_unit("days"),
}
VALUES = {
    "memory": Fraction(56_400_000_000),
    "hbm": Fraction(80 * 10**9),
    "bubble": Fraction(3, 35),
    "step": Fraction(9),
    "inter": Fraction(50 * 10**9),
    "days": Fraction(30 * 86_400),
    "tp": Fraction(8),
    "heads": Fraction(64),
    "gpus": Fraction(1024),
}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "memory <= 0.9*hbm",
            "56.4 GB (52.5 GiB) of 72 GB (67.1 GiB): 15.6 GB to spare",
        ),
        ("memory < 50e9", "56.4 GB (52.5 GiB) of 50 GB (46.6 GiB): 6.40 GB too much"),
        ("memory/2 <= hbm", "28.2 GB (26.3 GiB) of 80 GB (74.5 GiB): 51.8 GB to spare"),
        ("memory + 1e9 <= hbm", "57.4 GB (53.5 GiB) of 80 GB (74.5 GiB): 22.6 GB to spare"),
        ("max(memory, 1) <= hbm", "56.4 GB (52.5 GiB) of 80 GB (74.5 GiB): 23.6 GB to spare"),
        ("bubble <= 0.3", "8.57 % against 30 %: 21.4 points to spare"),
        ("bubble < 0.05", "8.57 % against 5 %: 3.57 points too much"),
        ("step >= 4", "9 s where at least 4 s is asked: 5 s to spare"),
        ("step > 10", "9 s where more than 10 s is asked: 1 s short"),
        ("memory/inter < 1", "1.13 s of 1 s: 128 ms too much"),
        ("step*100 < days", "15 min of 30 days: 30 days to spare"),
        ("tp <= 8", "8 of 8: nothing to spare"),
        ("tp <= 4", "8 of 4: 4 too many"),
        ("tp*64 == gpus", "512, not 1,024: 512 missing"),
        ("tp*256 == gpus", "2,048, not 1,024: 1,024 too many"),
        ("tp*128 == gpus", "1,024"),
        ("tp != 4", "8"),
        ("divides(tp, heads)", "64 / 8 = 8"),
        ("divides(3*tp, heads)", "64 / 24 = 2.67, not a whole number"),
        ("tp <= 8 and bubble < 0.05", "8.57 % against 5 %: 3.57 points too much"),
        ("tp <= 8 and step < 10", "8 of 8: nothing to spare; 9 s of 10 s: 1 s to spare"),
        ("tp <= 4 or step < 10", "9 s of 10 s: 1 s to spare"),
        ("tp <= 4 or step < 8", "8 of 4: 4 too many or 9 s of 8 s: 1 s too much"),
        ("not tp <= 4", "8 of 4: 4 too many"),
    ],
)
def test_a_margin_has_both_sides_and_what_is_left(text, told):
    assert margin(parse_condition(text), VALUES, UNITS) == told
