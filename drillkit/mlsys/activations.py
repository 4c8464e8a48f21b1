"""What the forward pass keeps for the backward pass, in bytes.

All counts are for 16-bit activations and 1-byte dropout masks, with s tokens a sequence, b
sequences a micro-batch, hidden size h and a heads. Source throughout: Korthikanti et al. 2022
(arXiv:2205.05198), §4, whose layer has a plain MLP of width 4h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from drillkit.mlsys.domain import at_least

Recompute = Literal["none", "selective", "full"]


@dataclass(frozen=True)
class Kept:
    """One tensor that a layer keeps: which block it belongs to, what it is, and its bytes."""

    block: Literal["attention", "mlp", "norm"]
    tensor: str
    size_bytes: int


def hidden_bytes(seq: int, micro_batch: float, hidden: int, bytes_per_value: float = 2) -> float:
    """Return the bytes of one hidden state, s × b × h values.

    Raises `ValueError` for a size that is not above zero.
    """
    at_least(1, seq=seq, hidden=hidden)
    if micro_batch <= 0 or bytes_per_value <= 0:
        raise ValueError("micro_batch and bytes_per_value must be above 0")
    return bytes_per_value * seq * micro_batch * hidden


def activation_walk(seq: int, micro_batch: int, hidden: int, heads: int) -> tuple[Kept, ...]:
    """Return every tensor that one layer keeps, with no parallelism and nothing recomputed.

    The blocks sum to 11sbh + 5as²b (attention), 19sbh (MLP) and 4sbh (norms), together
    sbh(34 + 5as/h). Source: Korthikanti et al. 2022, §4.1.
    """
    at_least(1, seq=seq, micro_batch=micro_batch, hidden=hidden, heads=heads)
    sbh = seq * micro_batch * hidden
    scores = heads * seq * seq * micro_batch
    return (
        Kept("attention", "input of the Q, K and V projections", 2 * sbh),
        Kept("attention", "Q and K, for the scores", 4 * sbh),
        Kept("attention", "softmax output", 2 * scores),
        Kept("attention", "dropout mask of the scores", scores),
        Kept("attention", "scores after dropout", 2 * scores),
        Kept("attention", "V", 2 * sbh),
        Kept("attention", "input of the output projection", 2 * sbh),
        Kept("attention", "dropout mask of the output", sbh),
        Kept("mlp", "input of the first matrix", 2 * sbh),
        Kept("mlp", "input of the GeLU", 8 * sbh),
        Kept("mlp", "input of the second matrix", 8 * sbh),
        Kept("mlp", "dropout mask", sbh),
        Kept("norm", "inputs of the two LayerNorms", 4 * sbh),
    )


def score_coefficient(seq: int, hidden: int, heads: int) -> float:
    """Return 5as/h, the materialised attention scores of a layer in units of sbh bytes."""
    at_least(1, seq=seq, hidden=hidden, heads=heads)
    return 5 * heads * seq / hidden


def activation_coefficient(
    seq: int,
    hidden: int,
    heads: int,
    *,
    tp: int = 1,
    sequence_parallel: bool = False,
    recompute: Recompute = "none",
    flash: bool = False,
) -> float:
    """Return what one layer keeps on one GPU, in units of sbh bytes.

    none: 34 + 5as/h. Tensor parallelism of degree t divides only what lives inside the split
    matmuls: 10 + 24/t + 5as/(ht). With sequence parallelism everything divides: 34/t + 5as/(ht).
    Selective recomputation and FlashAttention both drop the 5as/h term. Full recomputation keeps
    the layer's input alone: 2 without sequence parallelism, where every tensor-parallel rank holds
    a copy, and 2/t with it, where the input is sharded along the sequence.

    Raises `ValueError` for a size below 1 or an unknown `recompute`.
    Source: Korthikanti et al. 2022, table 2.
    """
    at_least(1, tp=tp)
    sharded = tp if sequence_parallel else 1
    if recompute == "full":
        return 2 / sharded
    if recompute not in ("none", "selective"):
        raise ValueError(f"recompute must be none, selective or full, not {recompute}")
    scores = 0.0
    if recompute == "none" and not flash:
        scores = score_coefficient(seq, hidden, heads)
    return 10 / sharded + (24 + scores) / tp


def activation_bytes_per_layer(
    seq: int,
    micro_batch: float,
    hidden: int,
    heads: int,
    *,
    tp: int = 1,
    sequence_parallel: bool = False,
    recompute: Recompute = "none",
    flash: bool = False,
) -> float:
    """Return the bytes that one layer keeps on one GPU for one micro-batch.

    The flags and the source are those of `activation_coefficient`, which raises `ValueError`.
    """
    coefficient = activation_coefficient(
        seq,
        hidden,
        heads,
        tp=tp,
        sequence_parallel=sequence_parallel,
        recompute=recompute,
        flash=flash,
    )
    return coefficient * hidden_bytes(seq, micro_batch, hidden, 1)


def selective_saving(seq: int, hidden: int, heads: int) -> float:
    """Return the fraction of a layer's activations that selective recomputation saves.

    It is (5as/h) / (34 + 5as/h): 0.70 for GPT-3. Source: Korthikanti et al. 2022, §5.
    """
    scores = score_coefficient(seq, hidden, heads)
    return scores / (34 + scores)


def megatron_mlp_coefficient(ffn: int, hidden: int) -> float:
    """Return 18 + 4f/h, Megatron-LM's estimate of a layer in units of sbh bytes without scores.

    It is 34 at f = 4h and does not count the gate matrix of a gated MLP apart.
    Source: Megatron-LM, megatron/training/theoretical_memory_usage.py.
    """
    at_least(1, ffn=ffn, hidden=hidden)
    return 18 + 4 * ffn / hidden


def zero_paper_bytes(layers: int, seq: int, micro_batch: float, hidden: int) -> float:
    """Return the ZeRO paper's estimate, 12 16-bit values per hidden value and layer.

    An older and lower convention than 34sbh: 60 GB for GPT-2 1.5B at s = 1,024 and b = 32.
    Source: ZeRO (arXiv:1910.02054), §3.2, footnote.
    """
    at_least(1, layers=layers)
    return 12 * layers * hidden_bytes(seq, micro_batch, hidden)
