"""Layouts of a training job: which fit, how long a step takes in each, why the others do not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from drillkit.mlsys.estimate import Job, Plan, evaluate, refusal
from drillkit.mlsys.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from drillkit.mlsys.activations import Recompute

# Context parallelism is looked at from this length on: shorter sequences do not force it.
# Source: Llama 3 (arXiv:2407.21783), §3.3.2, adds it for its 128K stage.
LONG_SEQUENCE = 32_768


@dataclass(frozen=True)
class Refusal:
    """A layout that cannot run at all, and why."""

    layout: Layout
    reason: str


@dataclass(frozen=True)
class Planning:
    """All layouts: those that fit, fastest first; the others, smallest first; and the refused."""

    fitting: tuple[Plan, ...]
    failing: tuple[Plan, ...]
    refused: tuple[Refusal, ...]

    @property
    def least_parallel(self) -> Plan | None:
        """Return the layout that the rule of thumb picks, or None when none fits.

        The fewest model-parallel GPUs that fit; among those the largest tensor-parallel degree,
        which has no bubble; then the fastest.
        Source: the order of decisions in the Ultra-Scale Playbook, Finding the best configuration.
        """
        return min(
            self.fitting,
            key=lambda plan: (plan.model_parallel, -plan.layout.tp, plan.step.total_s),
            default=None,
        )

    def on_tensor_parallel(self, tp: int) -> str:
        """Return in one sentence what came of a tensor-parallel degree, and why."""
        fitting = [one for one in self.fitting if one.layout.tp == tp]
        failing = [one for one in self.failing if one.layout.tp == tp]
        plain = [one for one in failing if one.recompute != "full"]
        if fitting and any(one.recompute != "full" for one in fitting):
            return f"TP {tp} fits: {fitting[0].step.total_s:,.2f} s a step at best."
        if fitting and plain:
            return (
                f"TP {tp} fits with full recomputation alone, {fitting[0].step.total_s:,.2f} s a "
                f"step at best; without it the smallest layout {plain[0].problem}."
            )
        if fitting:
            return (
                f"TP {tp} fits with full recomputation: {fitting[0].step.total_s:,.2f} s a step at "
                "best."
            )
        if failing:
            return f"TP {tp} does not fit: the smallest layout {failing[0].problem}."
        reasons = [one.reason for one in self.refused if one.layout.tp == tp]
        return f"TP {tp} cannot run: {reasons[0] if reasons else 'it was not tried'}."


def plan(
    job: Job,
    *,
    zero_stages: Sequence[int] = (0, 1, 2, 3),
    recomputes: Sequence[Recompute] = ("selective", "full"),
    chunks: Sequence[int] = (1, 2, 4),
    cps: Sequence[int] | None = None,
) -> Planning:
    """Return every layout of a job, ranked by estimated step time among those that fit.

    Tensor parallelism stays inside a node; pipeline stages may hold unequal numbers of layers, and
    are tried with each of `chunks` model chunks that they can be cut into; context parallelism is
    tried from 32K tokens on unless `cps` names its degrees. "selective" stands for FlashAttention
    as well. Raises `ValueError` when a sequence asks for nothing.
    Source: the formulas of the other rooms; `NOT_MODELLED` says what the estimate leaves out.
    """
    if not (zero_stages and recomputes and chunks) or cps == ():
        raise ValueError("zero_stages, recomputes, chunks and cps must each name at least one")
    if cps is None:
        cps = (1, 2, 4, 8, 16) if job.seq >= LONG_SEQUENCE else (1,)
    plans: list[Plan] = []
    refused: list[Refusal] = []
    for layout in _layouts(job, cps):
        reason = refusal(job, layout)
        if reason:
            refused.append(Refusal(layout, reason))
            continue
        # Alone, a rank has nobody to share its states with.
        stages = zero_stages if layout.state_ranks > 1 else zero_stages[:1]
        for stage, recompute, chunk in product(stages, recomputes, chunks):
            if not refusal(job, layout, chunk):
                staged = replace(layout, zero_stage=stage)
                plans.append(evaluate(job, staged, recompute, chunk))
    return Planning(
        tuple(sorted((one for one in plans if one.fits), key=lambda one: one.step.total_s)),
        tuple(
            sorted((one for one in plans if not one.fits), key=lambda one: one.memory.total_bytes)
        ),
        tuple(refused),
    )


def _layouts(job: Job, cps: Sequence[int]) -> Iterator[Layout]:
    for tp in (degree for degree in range(1, job.node_size + 1) if job.node_size % degree == 0):
        for cp in cps:
            if job.gpus % (tp * cp):
                continue
            rest = job.gpus // (tp * cp)
            for pp in range(1, min(rest, job.shape.layers) + 1):
                if rest % pp == 0:
                    yield Layout(rest // pp, tp, pp, cp, sequence_parallel=tp > 1)
