"""The formulas of problem families against `drillkit.mlsys`, computed there on their own.

Both sides start from the numbers of a drawn variant, in base units: the family's equations go
through the solver, the table below through functions that know nothing of the problem file.
"""

# The symbols are the families' (P, L, I), and each function here gives them their long names.
# ruff: noqa: N803, E741, PLW0108

from __future__ import annotations

import inspect
import math
from pathlib import Path

import pytest

from drillkit.content.problem_reading import read_problems
from drillkit.mlsys import budget, memory, reliability, roofline
from drillkit.mlsys.budget import HOUR_S
from drillkit.mlsys.estimate import stage_layers
from drillkit.mlsys.layout import Layout, data_parallel_degree
from drillkit.numeric.sample import draw
from drillkit.numeric.worked import solve_variant

FOLDER = Path(__file__).parents[2] / "problems" / "numeric"
FILES = ("roofline", "compute", "reliability", "serving", "layout")
VARIANTS = 200
AGREES = 1e-9


def families():
    found = {}
    for name in FILES:
        path = FOLDER / f"{name}.yaml"
        reading = read_problems(path.read_bytes(), str(path))
        found |= {problem.id: problem for problem in reading.problems.problems}
    return found


FAMILIES = families()

# --- what several entries share ---


def intensity(B, D, Fo, x, w):
    """FLOP per byte when the weights' bytes differ from the activations'."""
    moved = roofline.matmul_bytes(B, D, Fo, x) + (w - x) * D * Fo
    return roofline.matmul_flops(B, D, Fo) / moved


def mask(q, full):
    return "full" if q == full else "causal"


def palm_flops(P, L, s, h):
    return budget.flops_per_token(P, L, s, h, "full")


def run_gpu_s(P, D, F, mfu):
    return budget.gpu_seconds(budget.training_flops(P, D), F, mfu)


def forward_flops(P):
    return budget.forward_flops_per_token(P, 1, 1, 1, "none")


def evals(P, De, k, F, mfu):
    return budget.eval_cost(forward_flops(P), De, k, flops_per_s=F, utilization=mfu)


def evals_over_training(k, De, D):
    return k * De * forward_flops(1) / budget.training_flops(1, D)


def executed_share(mfu, r):
    # Forward is one part of three; what is recomputed of it is executed once more.
    return budget.hfu_from_mfu(mfu, 3 + r, 3)


def selective_share(mfu, s, h):
    def flops(recompute):
        # A vocabulary of nearly nothing leaves the logits out.
        return budget.gpt_step_flops(1, 1, s, h, 1e-9, recompute)

    return budget.hfu_from_mfu(mfu, flops("selective"), flops("none"))


def young_over_daly(delta, M):
    young_s = reliability.young_interval_s(delta, M)
    return young_s / reliability.daly_interval_s(delta, M) - 1


def decode_s(B, cache, P, w, n, F, BW):
    """The step time, which is that of the FLOPs if they should take longer than reading weights."""
    return roofline.decode_step_s(
        B, kv_bytes=cache, weight_bytes=w * P, bytes_per_s=n * BW, params=P, flops_per_s=n * F
    )


# Family -> asked symbol -> what it must be. Where `mlsys` goes the other way round, the entry names
# a symbol that the question states or works out, which must follow again from the answer.
TABLE = {
    "roofline": {
        "ridge": lambda F, BW: roofline.ridge_flops_per_byte(F, BW),
        "over": lambda F, BW, I: I / roofline.ridge_flops_per_byte(F, BW),
        "A": lambda I, F, BW: roofline.attainable_flops_per_s(I, F, BW),
        "T": lambda I, Q, F, BW: (
            roofline.step_bound(
                {"compute": I * Q / F, "memory": roofline.transfer_s(Q, BW)}, overlap=True
            ).step_s
        ),
    },
    "matmul-intensity": {
        "I": intensity,
        "Bc": (
            "u",
            lambda Bc, D, Fo, x, w, F, BW: (
                intensity(Bc, D, Fo, x, w) / roofline.ridge_flops_per_byte(F, BW)
            ),
        ),
    },
    "dataloader": {
        "S": lambda k, c, H, Wd, w: roofline.sample_bytes(k, c, H, Wd, w),
        "R": lambda n, S, T: roofline.loader_bytes_per_s(n, S, T),
        "f": lambda n, S, R: 1 / roofline.transfer_s(n * S, R),
        "q": lambda B, v, T: roofline.loader_bytes_per_s(B, v, T),
    },
    "attention-share": {
        "r": lambda s, h, q: budget.attention_over_weights(s, h, mask(q, 6)),
        "share": lambda s, h, q: budget.attention_share(s, h, mask(q, 6)),
        "s": ("share", lambda s, h, q: budget.attention_share(s, h, mask(q, 6))),
    },
    "flops-per-token": {
        "C": lambda P, L, s, h, q: budget.flops_per_token(P, L, s, h, mask(q, 12)),
        "Cf": lambda P, L, s, h, q: budget.forward_flops_per_token(P, L, s, h, mask(q, 12)),
        "Cr": lambda P, L, s, h, q: (
            budget.flops_per_token(P, L, s, h, mask(q, 12))
            + budget.forward_flops_per_token(P, L, s, h, mask(q, 12))
        ),
    },
    "gpu-hours": {
        "H": run_gpu_s,
        "T": lambda P, D, F, mfu, N: budget.wall_s(run_gpu_s(P, D, F, mfu), N),
        "mfu": lambda P, D, F, T, N: budget.utilization(budget.training_flops(P, D), T, N, F),
        "D": ("H", run_gpu_s),
    },
    "deadline": {
        "need": lambda H, T, g: budget.wall_s(H, 1, g) / T,
        "nodes": lambda H, T, g: budget.wall_s(H, 8, g) / T,
        "wall": lambda H, N, g: budget.wall_s(H, N, g),
        "g": ("wall", lambda H, N, g: budget.wall_s(H, N, g)),
    },
    "mfu": {
        "mfu": lambda tps, P, L, s, h, N, F: budget.mfu(tps, palm_flops(P, L, s, h), N, F),
        "tps": (
            "mfu",
            lambda tps, P, L, s, h, N, F: budget.mfu(tps, palm_flops(P, L, s, h), N, F),
        ),
        "T": (
            "mfu",
            lambda B, T, P, L, s, h, N, F: budget.utilization(B * palm_flops(P, L, s, h), T, N, F),
        ),
        "need": lambda X, P, L, s, h, F, mfu: budget.gpu_seconds(
            X * palm_flops(P, L, s, h), F, mfu
        ),
    },
    "hfu": {
        "hfu": executed_share,
        "mfu": ("X", lambda mfu, r, F: F * executed_share(mfu, r)),
        "X": lambda mfu, r, F: F * executed_share(mfu, r),
        "hs": selective_share,
    },
    "eval-cost": {
        "e": lambda P, De, F, mfu: evals(P, De, 1, F, mfu).gpu_s,
        "E": lambda P, De, k, F, mfu: evals(P, De, k, F, mfu).total_gpu_s,
        "g": evals_over_training,
        "k": ("g", evals_over_training),
    },
    "scaling-efficiency": {
        "eff": lambda agg, n, base: budget.scaling_efficiency(agg, n, base),
        "agg": ("eff", lambda agg, n, base: budget.scaling_efficiency(agg, n, base)),
        "up": lambda agg, n, base: n * budget.scaling_efficiency(agg, n, base),
    },
    "training-cost": {
        "K": lambda Pa, D, F, mfu, c: budget.cost_usd(run_gpu_s(Pa, D, F, mfu), c * HOUR_S),
        "perT": lambda Pa, F, mfu, c: budget.cost_usd(run_gpu_s(Pa, 1e12, F, mfu), c * HOUR_S),
    },
    "mtbf": {
        "M": lambda Mg, N: reliability.job_mtbf_s(Mg, N),
        "k": lambda Mg, N, T: reliability.expected_failures(T, reliability.job_mtbf_s(Mg, N)),
        "Mg": lambda T, k, N: N * reliability.mtbf_from_count_s(T, k),
        "N": ("M", lambda Mg, N: reliability.job_mtbf_s(Mg, N)),
    },
    "young-interval": {
        "tau": lambda delta, M: reliability.young_interval_s(delta, M),
        "delta": ("tau", lambda delta, M: reliability.young_interval_s(delta, M)),
        "M": ("tau", lambda delta, M: reliability.young_interval_s(delta, M)),
    },
    "young-overhead": {
        "o": lambda delta, M, R: reliability.young_overhead(delta, M, R),
        "at": lambda tau, delta, M, R: reliability.first_order_overhead(tau, delta, M, R),
        "g": lambda delta, M, R: reliability.goodput(reliability.young_overhead(delta, M, R)),
    },
    "daly": {
        "tau": lambda delta, M: reliability.daly_interval_s(delta, M),
        "e": young_over_daly,
        "M": ("e", young_over_daly),
    },
    "checkpoint-size": {
        "S": lambda P, c: reliability.checkpoint_bytes(P, c),
        "shard": lambda P, c, N: reliability.checkpoint_bytes(P, c, N),
        "T": lambda P, c, BW: roofline.transfer_s(reliability.checkpoint_bytes(P, c), BW),
        "store": lambda P, c, n: n * reliability.checkpoint_bytes(P, c),
    },
    "kv-cache": {
        "c": lambda L, kv, d, w: memory.kv_bytes_per_token(L, kv, d, w),
        "K": lambda b, s, L, kv, d, w: b * s * memory.kv_bytes_per_token(L, kv, d, w),
        "b": ("M", lambda b, s, L, kv, d, w: b * s * memory.kv_bytes_per_token(L, kv, d, w)),
    },
    "decode-step": {
        "T": decode_s,
        "rate": lambda B, cache, P, w, n, F, BW: B / decode_s(B, cache, P, w, n, F, BW),
        # Reading a weight takes as long as 2 FLOP for each sequence.
        "Bc": ("w", lambda Bc, F, BW: 2 * Bc / roofline.ridge_flops_per_byte(F, BW)),
    },
    "layout-factor": {
        "dp": lambda N, t, p, cp: data_parallel_degree(int(N), tp=int(t), pp=int(p), cp=int(cp)),
        "Pg": lambda P, t, p: P / Layout(tp=int(t), pp=int(p)).gpus,
        "Ls": lambda L, p: stage_layers(int(L), int(p))[0],
    },
}
QUESTIONS = [
    (identity, find.symbol) for identity, problem in FAMILIES.items() for find in problem.find
]


def numbers_of(variant):
    """All numbers of a variant as floats, the solver's unrounded answer among them."""
    answer = solve_variant(variant).lines[-1].value
    exact = {**variant.values, **variant.worked, variant.find.symbol: answer}
    return {symbol: float(value) for symbol, value in exact.items()}


def computed(function, numbers):
    """What a function of the table makes of the numbers it asks for by name."""
    names = inspect.signature(function).parameters
    return function(**{name: numbers[name] for name in names})


def test_every_question_of_every_family_has_a_second_computation():
    assert {name: set(entries) for name, entries in TABLE.items()} == {
        name: {find.symbol for find in problem.find} for name, problem in FAMILIES.items()
    }


@pytest.mark.parametrize(("identity", "symbol"), QUESTIONS)
def test_the_equations_agree_with_mlsys(identity, symbol):
    """Each question of a family has its share of the 200 variants."""
    entry = TABLE[identity][symbol]
    compared, function = entry if isinstance(entry, tuple) else (symbol, entry)
    problem = FAMILIES[identity]
    for seed in range(math.ceil(VARIANTS / len(problem.find))):
        numbers = numbers_of(draw(problem, seed, symbol))
        second = computed(function, numbers)
        assert numbers[compared] == pytest.approx(second, rel=AGREES, abs=0), f"seed {seed}"


def test_gpus_for_a_deadline_are_rounded_as_mlsys_rounds_them():
    for seed in range(VARIANTS):
        variant = draw(FAMILIES["deadline"], seed, "need")
        gpu_s, deadline_s, goodput = (float(variant.values[name]) for name in ("H", "T", "g"))
        assert solve_variant(variant).value == budget.fewest_gpus(gpu_s, deadline_s, goodput)


def test_dalys_interval_is_near_the_exact_optimum():
    """Daly's terms leave an error of the order of (δ/2M)², far below that of Young's interval."""
    for seed in range(VARIANTS):
        numbers = numbers_of(draw(FAMILIES["daly"], seed, "tau"))
        save, mtbf = numbers["delta"], numbers["M"]
        exact = reliability.exact_interval_s(save, mtbf)
        assert numbers["tau"] == pytest.approx(exact, rel=(save / (2 * mtbf)) ** 2, abs=0)
        assert abs(numbers["tau"] - exact) < abs(numbers["young"] - exact) / 50
