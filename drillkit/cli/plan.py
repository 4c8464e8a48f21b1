"""Planning a training job from the command line: which layouts fit, and why the others do not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from drillkit.algebra.format import format_count
from drillkit.cli.console import answer, say
from drillkit.cli.options import Json
from drillkit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from drillkit.mlsys.activations import Recompute
    from drillkit.mlsys.estimate import Job, Plan
    from drillkit.mlsys.layout import Layout
    from drillkit.mlsys.planner import Planning

# Without a global batch: so many tokens, or enough sequences for every 8 GPUs to have one.
USUAL_TOKENS = 2**22
Thing = TypeVar("Thing")
RECOMPUTES: dict[str, tuple[Recompute, ...]] = {
    "selective": ("selective",),
    "full": ("full",),
    "any": ("selective", "full"),
}


def plan(  # noqa: PLR0913, PLR0917 the options of the command
    model: Annotated[str, typer.Argument(help="The shape, such as llama-3-405b.")],
    gpus: Annotated[int, typer.Option(help="How many GPUs there are.")],
    seq: Annotated[int, typer.Option(help="Tokens a sequence.")] = 8192,
    batch: Annotated[int, typer.Option(help="Sequences a step; 0: about 4M tokens.")] = 0,
    micro_batch: Annotated[int, typer.Option(help="Sequences a GPU runs at once.")] = 1,
    gpu: Annotated[str, typer.Option(help="a100, h100, h200 or b200.")] = "h100",
    memory: Annotated[float, typer.Option(help="GB a GPU; 0: what the GPU has.")] = 0,
    node: Annotated[int, typer.Option(help="GPUs a node, linked by NVLink.")] = 8,
    headroom: Annotated[float, typer.Option(help="Fraction of the memory that may fill.")] = 0.9,
    zero: Annotated[list[int] | None, typer.Option(help="Only this ZeRO stage.")] = None,
    recompute: Annotated[str, typer.Option(help="selective, full or any.")] = "any",
    rows: Annotated[int, typer.Option(help="Rows of the table.")] = 12,
    as_json: Json = False,
) -> None:
    """Rank the layouts of a training job by step time; say why the others do not fit."""
    from drillkit.mlsys.estimate import Job  # noqa: PLC0415 a review needs no planner
    from drillkit.mlsys.hardware import GPUS  # noqa: PLC0415
    from drillkit.mlsys.memory import GB  # noqa: PLC0415
    from drillkit.mlsys.planner import plan as find  # noqa: PLC0415
    from drillkit.mlsys.transformer import MODELS  # noqa: PLC0415

    chosen = _named(gpu.lower(), GPUS, "GPU")
    if memory:
        chosen = replace(chosen, memory_bytes=memory * GB)
    try:
        job = Job(
            _named(model.lower(), MODELS, "model"),
            gpus,
            seq,
            batch or max(USUAL_TOKENS // max(seq, 1), gpus // 8, 1),
            micro_batch,
            gpu=chosen,
            node_size=node,
            headroom=headroom,
        )
        planning = find(
            job,
            zero_stages=tuple(zero or (0, 1, 2, 3)),
            recomputes=_named(recompute, RECOMPUTES, "kind of recomputation"),
        )
    except ValueError as error:
        raise UsageError(str(error)) from error
    if as_json:
        answer(_document(job, planning))
        return
    for line in _lines(job, planning, rows):
        say(line)


def _named(name: str, known: Mapping[str, Thing], what: str) -> Thing:
    if name not in known:
        raise UsageError(f"there is no {what} {name!r}", hint="one of " + ", ".join(known))
    return known[name]


# --- what is printed -----------------------------------------------------------------------------

HEAD = " TP  PP    DP CP Z recomp.  v    m  states activ.  total (  GiB)  step s expos. bubble  MFU"


def _lines(job: Job, planning: Planning, rows: int) -> Iterator[str]:
    from drillkit.mlsys.estimate import NOT_MODELLED  # noqa: PLC0415 a review needs no planner
    from drillkit.mlsys.memory import GB, GIB  # noqa: PLC0415
    from drillkit.mlsys.transformer import count_params  # noqa: PLC0415

    count = count_params(job.shape)
    usable = job.usable_bytes
    yield (
        f"{job.shape.name}, {format_count(count.total)} params, on {job.gpus:,} × {job.gpu.name} "
        f"({job.node_size} a node), {job.seq:,} tokens a sequence, {job.global_batch:,} sequences "
        f"a step, {job.micro_batch} at once"
    )
    yield (
        f"usable: {usable / GB:,.1f} GB = {usable / GIB:,.1f} GiB of each GPU's "
        f"{job.gpu.memory_bytes / GB:,.0f} GB; 1 GB = 10⁹ bytes"
    )
    yield ""
    best = list(best_of_each(planning.fitting))
    if best:
        yield f"{len(planning.fitting):,} layouts fit; of each TP, PP and CP the fastest one:"
        yield "Z the ZeRO stage, v chunks a stage, m micro-batches; memory a GPU in GB, (in GiB)"
        yield HEAD
        for one in best[:rows]:
            yield _row(one)
        if len(best) > rows:
            yield f"and {len(best) - rows} more (--rows {len(best)})"
    else:
        yield "No layout fits."
    thumbs = _by_rule_of_thumb(planning)
    if thumbs:
        yield ""
        yield "Least model parallelism that fits without full recomputation:"
        for stage, found in thumbs.items():
            total = found.memory.total_bytes
            yield (
                f"  ZeRO-{stage}: TP {found.layout.tp} PP {found.layout.pp} DP {found.layout.dp}, "
                f"{total / GB:,.1f} GB ({total / GIB:,.1f} GiB), {found.step.total_s:,.2f} s a step"
            )
    yield ""
    yield "Why, by tensor parallelism:"
    for tp in _degrees(planning):
        yield f"  {planning.on_tensor_parallel(tp)}"
    yield from _failures(planning)
    yield ""
    yield "Not modelled: " + "; ".join(NOT_MODELLED) + "."
    yield (
        f"Matmuls are taken to reach {job.efficiency:.0%} of peak; MFU also pays for exposed "
        "communication and the bubble. Times rank layouts; they are no forecast."
    )


def best_of_each(plans: Iterable[Plan]) -> Iterator[Plan]:
    """Yield the first plan of each (TP, PP, CP), in the order given."""
    seen = set()
    for one in plans:
        degrees = (one.layout.tp, one.layout.pp, one.layout.cp)
        if degrees not in seen:
            seen.add(degrees)
            yield one


def _row(one: Plan) -> str:
    from drillkit.mlsys.memory import GB, GIB  # noqa: PLC0415 a review needs no planner

    layout, memory, step = one.layout, one.memory, one.step
    kept = memory.activation_bytes + memory.recomputed_bytes
    recompute = "full" if one.recompute == "full" else "select."
    return (
        f"{layout.tp:>3} {layout.pp:>3} {layout.dp:>5} {layout.cp:>2} {layout.zero_stage} "
        f"{recompute:<7} {one.chunks:>2} {one.micro_batches:>4} "
        f"{memory.states.total_bytes / GB:>7,.1f} {kept / GB:>6,.1f} "
        f"{memory.total_bytes / GB:>6,.1f} ({memory.total_bytes / GIB:>5,.1f}) "
        f"{step.total_s:>7,.2f} {step.exposed_s / step.total_s:>6.1%} "
        f"{step.bubble_s / step.total_s:>6.1%} {one.mfu:>4.0%}"
    )


def _by_rule_of_thumb(planning: Planning) -> dict[int, Plan]:
    """Return for each ZeRO stage the layout that spreads a copy of the model least."""
    found: dict[int, Plan] = {}
    for stage in range(4):
        plain = tuple(
            one
            for one in planning.fitting
            if one.recompute != "full" and one.layout.zero_stage == stage
        )
        least = replace(planning, fitting=plain).least_parallel
        if least is not None:
            found[stage] = least
    return found


def _degrees(planning: Planning) -> list[int]:
    layouts = [one.layout for one in (*planning.fitting, *planning.failing)]
    layouts += [one.layout for one in planning.refused]
    return sorted({layout.tp for layout in layouts})


def _failures(planning: Planning) -> Iterator[str]:
    if planning.failing:
        least = planning.failing[0]
        layout = least.layout
        yield (
            f"{len(planning.failing):,} layouts do not fit; the smallest of them, TP {layout.tp} "
            f"PP {layout.pp} DP {layout.dp} ZeRO-{layout.zero_stage}, {least.problem}."
        )
    for reason, count in Counter(one.reason for one in planning.refused).most_common(4):
        yield f"{count} cannot run: {reason}."


# --- the same as JSON ----------------------------------------------------------------------------


def _document(job: Job, planning: Planning) -> dict[str, Any]:
    from drillkit.mlsys.estimate import NOT_MODELLED  # noqa: PLC0415 a review needs no planner
    from drillkit.mlsys.memory import GB, GIB  # noqa: PLC0415
    from drillkit.mlsys.transformer import count_params  # noqa: PLC0415

    return {
        "model": job.shape.name,
        "params": count_params(job.shape).total,
        "gpus": job.gpus,
        "seq": job.seq,
        "global_batch": job.global_batch,
        "micro_batch": job.micro_batch,
        "gpu": job.gpu.name,
        "usable_gb": job.usable_bytes / GB,
        "usable_gib": job.usable_bytes / GIB,
        "fitting": [_plan_document(one) for one in planning.fitting],
        "failing": [_plan_document(one) for one in planning.failing],
        "refused": [
            {**_degrees_document(one.layout), "reason": one.reason} for one in planning.refused
        ],
        "least_parallel": {
            f"zero-{stage}": _plan_document(found)
            for stage, found in _by_rule_of_thumb(planning).items()
        },
        "tensor_parallel": {str(tp): planning.on_tensor_parallel(tp) for tp in _degrees(planning)},
        "not_modelled": list(NOT_MODELLED),
    }


def _degrees_document(layout: Layout) -> dict[str, int]:
    return {"tp": layout.tp, "pp": layout.pp, "dp": layout.dp, "cp": layout.cp}


def _plan_document(one: Plan) -> dict[str, Any]:
    from drillkit.mlsys.memory import GB, GIB  # noqa: PLC0415 a review needs no planner

    states, memory, traffic = one.memory.states, one.memory, one.traffic
    return {
        **_degrees_document(one.layout),
        "zero_stage": one.layout.zero_stage,
        "recompute": one.recompute,
        "chunks": one.chunks,
        "micro_batches": one.micro_batches,
        "stage_layers": list(one.stage_layers),
        "fits": one.fits,
        "problem": one.problem,
        "memory_gb": {
            "weights": states.weight_bytes / GB,
            "gradients": states.grad_bytes / GB,
            "optimizer": states.optimizer_bytes / GB,
            "activations": memory.activation_bytes / GB,
            "recomputed_layer": memory.recomputed_bytes / GB,
            "total": memory.total_bytes / GB,
        },
        "total_gib": memory.total_bytes / GIB,
        "sent_gb": {
            "dp": traffic.dp_bytes / GB,
            "tp": traffic.tp_bytes / GB,
            "pp": traffic.pp_bytes / GB,
            "cp": traffic.cp_bytes / GB,
        },
        "step_s": one.step.total_s,
        "compute_s": one.step.compute_s,
        "exposed_s": one.step.exposed_s,
        "bubble_s": one.step.bubble_s,
        "mfu": one.mfu,
    }
