"""Bytes on one GPU: model states by convention and ZeRO stage, the KV cache, and the whole step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drillkit.mlsys.activations import Recompute, activation_bytes_per_layer
from drillkit.mlsys.domain import at_least, positive, round_up
from drillkit.mlsys.pipeline import held_micro_batches
from drillkit.mlsys.transformer import Transformer, total_params

if TYPE_CHECKING:
    from drillkit.mlsys.layout import Layout
    from drillkit.mlsys.orders import ScheduleName

GB = 10**9
GIB = 2**30


@dataclass(frozen=True)
class StateBytes:
    """Bytes kept per parameter between steps, and how they split.

    `master` is the fp32 copy of 16-bit weights, `moments` what the optimizer remembers. Together
    they are the optimizer states, the K of the ZeRO paper.
    """

    weight: float
    grad: float
    master: float
    moments: float

    @property
    def optimizer(self) -> float:
        return self.master + self.moments

    @property
    def total(self) -> float:
        return self.weight + self.grad + self.optimizer

    def unsharded(self, zero_stage: int) -> float:
        """Return the bytes per parameter that every rank still holds in full at a ZeRO stage."""
        kept = (self.optimizer, self.grad, self.weight)
        return sum(kept[zero_stage:])

    def sharded(self, zero_stage: int) -> float:
        """Return the bytes per parameter that a ZeRO stage spreads over the ranks."""
        return self.total - self.unsharded(zero_stage)


# 2 + 2 + 4 + 4 + 4 = 16. Source: ZeRO (arXiv:1910.02054), §3.1.
ADAMW = StateBytes(weight=2, grad=2, master=4, moments=8)

CONVENTIONS = {
    "adamw": ADAMW,
    # PyTorch autocast keeps the weights themselves in fp32: also 16. Source: PyTorch AMP notes.
    "autocast": StateBytes(weight=4, grad=4, master=0, moments=8),
    # fp32 gradients in place of bf16 ones: 18. Source: Megatron-LM distributed optimizer guide.
    "fp32-grads": StateBytes(weight=2, grad=4, master=4, moments=8),
    # bf16 gradients and a separate fp32 accumulator: 20. Source: HF Ultra-Scale Playbook.
    "fp32-accumulation": StateBytes(weight=2, grad=6, master=4, moments=8),
    # No momentum: 8.
    "sgd": StateBytes(weight=2, grad=2, master=4, moments=0),
    "sgd-momentum": StateBytes(weight=2, grad=2, master=4, moments=4),
    # Both moments in 8 bits: 10. Source: 8-bit optimizers (arXiv:2110.02861).
    "adam-8bit": StateBytes(weight=2, grad=2, master=4, moments=2),
    # Factored moments, an order of magnitude: 8.5. Source: Adafactor (arXiv:1804.04235).
    "adafactor": StateBytes(weight=2, grad=2, master=4, moments=0.5),
}


@dataclass(frozen=True)
class ModelStates:
    """Bytes of the model states on one GPU."""

    weight_bytes: float
    grad_bytes: float
    optimizer_bytes: float

    @property
    def total_bytes(self) -> float:
        return self.weight_bytes + self.grad_bytes + self.optimizer_bytes


def model_states(
    params: float, *, ranks: int = 1, zero_stage: int = 0, states: StateBytes = ADAMW
) -> ModelStates:
    """Return the model states on one GPU of `params` parameters under data parallelism.

    Stage 0 (DDP) shards nothing over the `ranks`, stage 1 the optimizer states, 2 also the
    gradients, 3 (FSDP) also the weights. With tensor or pipeline parallelism `params` are those of
    one GPU's slice. Raises `ValueError` for a stage outside 0..3, no parameters or no ranks.
    Source: ZeRO (arXiv:1910.02054), §5 and figure 1.
    """
    positive(params=params)
    at_least(1, ranks=ranks)
    _check_stage(zero_stage)

    def share(from_stage: int) -> int:
        return ranks if zero_stage >= from_stage else 1

    return ModelStates(
        weight_bytes=params * states.weight / share(3),
        grad_bytes=params * states.grad / share(2),
        optimizer_bytes=params * states.optimizer / share(1),
    )


def largest_model(
    memory_bytes: float, *, ranks: int, zero_stage: int, states: StateBytes = ADAMW
) -> float:
    """Return how many parameters' model states fit in `memory_bytes` on each of `ranks` GPUs.

    It counts no activations. Raises `ValueError` for a stage outside 0..3, no memory or no ranks.
    Source: ZeRO (arXiv:1910.02054), table 2.
    """
    positive(memory_bytes=memory_bytes)
    at_least(1, ranks=ranks)
    _check_stage(zero_stage)
    return memory_bytes / (states.unsharded(zero_stage) + states.sharded(zero_stage) / ranks)


def fewest_ranks(
    params: float, memory_bytes: float, *, zero_stage: int = 3, states: StateBytes = ADAMW
) -> int:
    """Return the smallest number of GPUs on which the model states fit in `memory_bytes` each.

    It counts no activations. Raises `ValueError` when the part that the stage does not shard is
    already too large, for a stage outside 0..3, or for no parameters or no memory.
    Source: ZeRO (arXiv:1910.02054), §5, solved for the number of ranks.
    """
    positive(params=params, memory_bytes=memory_bytes)
    _check_stage(zero_stage)
    fixed, spread = params * states.unsharded(zero_stage), params * states.sharded(zero_stage)
    if fixed + spread <= memory_bytes:
        return 1
    if fixed >= memory_bytes or not spread:
        raise ValueError(
            f"ZeRO stage {zero_stage} leaves {fixed:.3g} bytes on every GPU: "
            f"no number of them fits in {memory_bytes:.3g}"
        )
    return round_up(spread / (memory_bytes - fixed))


def kv_bytes_per_token(
    layers: int, kv_heads: int, head_dim: int, bytes_per_value: float = 2
) -> float:
    """Return the bytes that the KV cache takes per token: a key and a value in every layer.

    Raises `ValueError` for a size below 1 or values of no bytes.
    Source: GQA (arXiv:2305.13245), §2.
    """
    at_least(1, layers=layers, kv_heads=kv_heads, head_dim=head_dim)
    positive(bytes_per_value=bytes_per_value)
    return 2 * layers * kv_heads * head_dim * bytes_per_value


@dataclass(frozen=True)
class Workload:
    """What one optimizer step runs on each pipeline: sequence, micro-batches, what is recomputed.

    `micro_batches` of 0 stands for enough to fill the pipeline; GPipe needs the real number.
    `chunks` are the model chunks per stage of an interleaved schedule. `stage_layers` are the
    layers of each stage when they are uneven; without them a stage has layers / pp, fractions
    included.
    """

    seq: int
    micro_batch: float = 1
    micro_batches: int = 0
    recompute: Recompute = "none"
    flash: bool = True
    schedule: ScheduleName = "1f1b"
    chunks: int = 1
    stage_layers: tuple[int, ...] = ()


@dataclass(frozen=True)
class MemoryBreakdown:
    """Bytes on the fullest GPU: no workspace, logits or communication buffers.

    `recomputed_bytes` is the one layer that full recomputation rebuilds at a time.
    """

    states: ModelStates
    activation_bytes: float
    recomputed_bytes: float = 0

    @property
    def total_bytes(self) -> float:
        return self.states.total_bytes + self.activation_bytes + self.recomputed_bytes


def training_memory(
    shape: Transformer, layout: Layout, work: Workload, states: StateBytes = ADAMW
) -> MemoryBreakdown:
    """Return the memory of one GPU of the pipeline stage that holds most activations.

    Parameters divide by tp × pp (embeddings spread evenly), the states further by the ZeRO stage
    over dp × cp. Activations are those of the micro-batches in flight: on the first stage m under
    GPipe, min(m, p) under 1F1B; so a deeper pipeline does not shrink them. Context parallelism
    divides them. Raises `ValueError` for what its parts refuse, such as GPipe without
    `micro_batches`, or layers for another number of stages.
    Source: Korthikanti et al. 2022 (arXiv:2205.05198), §4.2.3; ZeRO §5.
    """
    if work.stage_layers and len(work.stage_layers) != layout.pp:
        raise ValueError(f"{len(work.stage_layers)} stages have layers where pp is {layout.pp}")

    def layer_bytes(recompute: Recompute) -> float:
        whole = activation_bytes_per_layer(
            work.seq,
            work.micro_batch,
            shape.hidden,
            shape.heads,
            tp=layout.tp,
            sequence_parallel=layout.sequence_parallel,
            recompute=recompute,
            flash=work.flash,
        )
        return whole / layout.cp

    def held(stage: int) -> float:
        micro_batches = work.micro_batches or None
        return float(
            held_micro_batches(
                work.schedule, layout.pp, micro_batches, stage=stage, chunks=work.chunks
            )
        )

    # A later stage never holds more micro-batches, so the first of each size is the one to look at.
    layers_held = max(
        (layers * held(work.stage_layers.index(layers)) for layers in set(work.stage_layers)),
        default=shape.layers / layout.pp * held(0),
    )
    return MemoryBreakdown(
        states=model_states(
            total_params(shape) / (layout.tp * layout.pp),
            ranks=layout.state_ranks,
            zero_stage=layout.zero_stage,
            states=states,
        ),
        activation_bytes=layers_held * layer_bytes(work.recompute),
        recomputed_bytes=layer_bytes("none") if work.recompute == "full" else 0,
    )


def _check_stage(zero_stage: int) -> None:
    if zero_stage not in range(4):
        raise ValueError(f"zero_stage must be 0, 1, 2 or 3, not {zero_stage}")
