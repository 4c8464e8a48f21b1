"""Bytes that each kind of parallelism sends per GPU, and when the compute hides them."""

from __future__ import annotations

from drillkit.mlsys.activations import hidden_bytes
from drillkit.mlsys.collectives import ring_bytes
from drillkit.mlsys.domain import at_least, fraction, positive

# A layer has two all-reduces forward (after attention and after the MLP) and two backward.
TP_ALL_REDUCES_PER_LAYER = 4


def data_parallel_passes(
    zero_stage: int, micro_batches: int = 1, *, reduce_once: bool = False
) -> tuple[int, int]:
    """Return how many all-gathers and how many reduce-scatters of the model a step takes.

    Their sum is the traffic in units of Ψ values; an all-reduce is one of each. The arguments, the
    errors and the source are those of `data_parallel_bytes`.
    """
    at_least(1, micro_batches=micro_batches)
    if zero_stage not in range(4):
        raise ValueError(f"zero_stage must be 0, 1, 2 or 3, not {zero_stage}")
    gathers = 2 * micro_batches if zero_stage == 3 else 1
    reductions = micro_batches if zero_stage >= 2 and not reduce_once else 1
    return gathers, reductions


def data_parallel_bytes(
    params: float,
    ranks: int,
    *,
    zero_stage: int = 0,
    micro_batches: int = 1,
    weight_bytes: float = 2,
    grad_bytes: float = 2,
    reduce_once: bool = False,
) -> float:
    """Return the bytes each rank sends per optimizer step for `params` parameters.

    Stage 0 all-reduces the gradients once; stage 1 reduce-scatters them and all-gathers the new
    weights once: 2Ψ values either way. Stage 2 keeps only a shard of the gradients, so it
    reduce-scatters after each of the m micro-batches: (m + 1)Ψ. Stage 3 also gathers the weights
    for each forward and each backward pass: 3mΨ. `reduce_once` is FSDP's `no_sync` (and stage 2
    without its early reduction): the gradients are kept whole and reduced once, (2m + 1)Ψ.

    Raises `ValueError` for a stage outside 0..3 or a size that is not above zero.
    Source: ZeRO (arXiv:1910.02054), §7; FSDP (arXiv:2304.11277), §4.
    """
    positive(params=params, weight_bytes=weight_bytes, grad_bytes=grad_bytes)
    gathers, reductions = data_parallel_passes(zero_stage, micro_batches, reduce_once=reduce_once)
    if zero_stage == 0:
        weight_bytes = grad_bytes  # the gradients themselves are gathered: an all-reduce
    return gathers * ring_bytes(
        "all-gather", weight_bytes * params, ranks
    ) + reductions * ring_bytes("reduce-scatter", grad_bytes * params, ranks)


def tokens_to_hide(flops_per_s: float, bytes_per_s: float, ranks: int | None = None) -> float:
    """Return the tokens per GPU and step from which DDP's all-reduce hides behind the backward.

    T = F/β, whatever the model: the backward pass takes 4ΨT/F and the bf16 all-reduce 4Ψ/β. With
    `ranks` the exact (N − 1)/N is kept. `flops_per_s` is what a GPU achieves, not its peak. Under
    accumulation count the tokens of the last micro-batch. Raises `ValueError` for no rate.
    Source: the two times, set equal; PyTorch DDP (arXiv:2006.15704), §3.2.
    """
    positive(flops_per_s=flops_per_s, bytes_per_s=bytes_per_s)
    share = 1.0 if ranks is None else ring_bytes("all-gather", 1, ranks)
    return share * flops_per_s / bytes_per_s


def tensor_parallel_bytes_per_layer(
    seq: int, micro_batch: float, hidden: int, tp: int, *, bytes_per_value: float = 2
) -> float:
    """Return the bytes each rank sends for one layer and micro-batch, forward and backward.

    Four all-reduces of an (s, b, h) tensor. Sequence parallelism turns each into a reduce-scatter
    and an all-gather: the same bytes. Raises `ValueError` for a size that is not above zero.
    Source: Shoeybi et al. 2019 (arXiv:1909.08053), §3; Korthikanti et al. 2022, §4.2.2.
    """
    tensor = hidden_bytes(seq, micro_batch, hidden, bytes_per_value)
    return TP_ALL_REDUCES_PER_LAYER * ring_bytes("all-reduce", tensor, tp)


def tensor_parallel_ratio(tp: int, hidden: int, flops_per_s: float, bytes_per_s: float) -> float:
    """Return communication over compute time of a layer's forward pass: (t − 1)F / (3hβ).

    24bsh²/t FLOPs against two all-reduces of 2bsh bytes. Raises `ValueError` for no rate.
    Source: those two counts; Korthikanti et al. 2022, appendix A, for the FLOPs.
    """
    at_least(1, tp=tp, hidden=hidden)
    positive(flops_per_s=flops_per_s, bytes_per_s=bytes_per_s)
    return (tp - 1) * flops_per_s / (3 * hidden * bytes_per_s)


def largest_tensor_parallel(
    hidden: int, flops_per_s: float, bytes_per_s: float, ratio: float = 1
) -> float:
    """Return the tensor-parallel degree at which communication takes `ratio` times the compute.

    It is 1 + 3hβ·ratio/F, not rounded. Raises `ValueError` for no rate or ratio.
    Source: `tensor_parallel_ratio`, solved for the degree.
    """
    at_least(1, hidden=hidden)
    positive(flops_per_s=flops_per_s, bytes_per_s=bytes_per_s, ratio=ratio)
    return 1 + 3 * hidden * bytes_per_s * ratio / flops_per_s


def pipeline_bytes_per_boundary(
    seq: int,
    micro_batch: float,
    hidden: int,
    *,
    bytes_per_value: float = 2,
    both_ways: bool = True,
) -> float:
    """Return the bytes that cross one stage boundary for one micro-batch.

    The activations forward and, `both_ways`, as many gradients backward. An interleaved schedule
    has v times the boundaries. Raises `ValueError` for a size that is not above zero.
    Source: Narayanan et al. 2021 (arXiv:2104.04473), §3.2.
    """
    one_way = hidden_bytes(seq, micro_batch, hidden, bytes_per_value)
    return 2 * one_way if both_ways else one_way


def ring_attention_bytes_per_layer(
    seq: int, micro_batch: float, kv_width: int, cp: int, *, bytes_per_value: float = 2
) -> float:
    """Return the bytes each context-parallel rank sends in one layer's forward pass.

    The keys and values of the other ranks pass by: (c − 1)/c of 2 × s × b × `kv_width` values, as
    with an all-gather of them. The backward pass sends them again with their gradients: twice as
    much. Raises `ValueError` for a size that is not above zero.
    Source: Ring Attention (arXiv:2310.01889), §3; Llama 3 (arXiv:2407.21783), §3.3.2.
    """
    return ring_bytes(
        "all-gather", 2 * hidden_bytes(seq, micro_batch, kv_width, bytes_per_value), cp
    )


def ulysses_bytes_per_layer(
    seq: int, micro_batch: float, query_width: int, kv_width: int, cp: int
) -> float:
    """Return the bytes each DeepSpeed-Ulysses rank sends in one layer's forward pass, in bf16.

    Four all-to-alls of a rank's s/c tokens: queries, keys and values to a split over heads, the
    output back. The degree may not exceed the KV heads. Raises `ValueError` for a size that is not
    above zero. Source: DeepSpeed-Ulysses (arXiv:2309.14509), §3.2.
    """
    tokens = hidden_bytes(seq, micro_batch, 2 * query_width + 2 * kv_width)
    return ring_bytes("all-to-all", tokens / cp, cp)


def expert_parallel_bytes(
    tokens: float, hidden: int, ranks: int, *, top_k: int = 1, bytes_per_value: float = 2
) -> float:
    """Return the bytes each rank sends in one all-to-all of a mixture-of-experts layer.

    (N − 1)/N of its tokens × hidden × bytes, once for each of `top_k` experts. A layer has two
    forward (there and back) and two backward. It assumes balanced experts. Raises `ValueError` for
    a size that is not above zero. Source: GShard (arXiv:2006.16668), §3.
    """
    positive(tokens=tokens, bytes_per_value=bytes_per_value)
    at_least(1, hidden=hidden, top_k=top_k)
    return ring_bytes("all-to-all", tokens * top_k * hidden * bytes_per_value, ranks)


def exposed_s(communication_s: float, overlapping_s: float, overlap: float = 1) -> float:
    """Return the communication that compute does not hide, in seconds.

    `overlap` is the fraction of the overlapping compute under which it can run. Raises `ValueError`
    for a negative time or a fraction outside 0 < overlap ≤ 1. Source: max rule of the roofline.
    """
    at_least(0, communication_s=communication_s, overlapping_s=overlapping_s)
    fraction(overlap=overlap)
    return max(0.0, communication_s - overlap * overlapping_s)
