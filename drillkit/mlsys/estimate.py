"""One layout of a training job: its memory, its traffic and the time of its step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from drillkit.mlsys.activations import Recompute, hidden_bytes
from drillkit.mlsys.budget import StepTime, flops_per_token, forward_flops_per_token, utilization
from drillkit.mlsys.collectives import ring_time_s
from drillkit.mlsys.domain import at_least, fraction, positive
from drillkit.mlsys.hardware import H100, INFINIBAND_NDR, Gpu, Link
from drillkit.mlsys.memory import GB, GIB, MemoryBreakdown, Workload, training_memory
from drillkit.mlsys.traffic import (
    TP_ALL_REDUCES_PER_LAYER,
    data_parallel_bytes,
    data_parallel_passes,
    exposed_s,
    pipeline_bytes_per_boundary,
    ring_attention_bytes_per_layer,
    tensor_parallel_bytes_per_layer,
)
from drillkit.mlsys.transformer import Transformer, active_params, total_params

if TYPE_CHECKING:
    from drillkit.mlsys.layout import Layout

NOT_MODELLED = (
    "logits, workspace, communication buffers and fragmentation: the headroom stands for them",
    "the embedding and the output layer as a stage's extra memory and compute",
    "zero-bubble schedules, and interleaved ones whose micro-batches the stages do not divide",
    "the gated MLP's own activations: a layer keeps 34sbh, the count for a plain MLP of 4h",
    "expert parallelism, and tensor parallelism over fewer KV heads than its degree",
    "stragglers, failures, the data loader and the optimizer step itself",
    "links shared between jobs or oversubscribed",
)


@dataclass(frozen=True)
class Job:
    """What is to be trained, and on what.

    `global_batch` is in sequences. `headroom` is the fraction of the GPU's memory that states and
    activations may fill. `efficiency` is the fraction of peak that the matmuls reach on their own;
    MFU, which also pays for communication and the bubble, comes out lower. `inter` is a GPU's link
    between nodes. Raises `ValueError` for a value that is not above zero.
    """

    shape: Transformer
    gpus: int
    seq: int
    global_batch: int
    micro_batch: int = 1
    gpu: Gpu = H100
    node_size: int = 8
    inter: Link = INFINIBAND_NDR
    headroom: float = 0.9
    efficiency: float = 0.55

    def __post_init__(self) -> None:
        at_least(
            1,
            gpus=self.gpus,
            seq=self.seq,
            global_batch=self.global_batch,
            micro_batch=self.micro_batch,
            node_size=self.node_size,
        )
        positive(memory_bytes=self.gpu.memory_bytes)
        fraction(headroom=self.headroom, efficiency=self.efficiency)

    @property
    def usable_bytes(self) -> float:
        """Return the bytes of one GPU that states and activations may take."""
        return self.headroom * self.gpu.memory_bytes


@dataclass(frozen=True)
class Traffic:
    """Bytes that one GPU sends per step for each kind of parallelism."""

    dp_bytes: float
    tp_bytes: float
    pp_bytes: float
    cp_bytes: float


@dataclass(frozen=True)
class Plan:
    """One layout with its numbers. `problem` says why it does not fit; empty, it does.

    `chunks` above 1 is an interleaved schedule. `stage_layers` are the layers of each pipeline
    stage, `mfu` the utilization that the estimated step would have.
    """

    layout: Layout
    recompute: Recompute
    chunks: int
    micro_batches: int
    stage_layers: tuple[int, ...]
    memory: MemoryBreakdown
    traffic: Traffic
    step: StepTime
    mfu: float
    problem: str

    @property
    def fits(self) -> bool:
        return not self.problem

    @property
    def model_parallel(self) -> int:
        """Return over how many GPUs one copy of the model is spread, tp × pp × cp."""
        return self.layout.tp * self.layout.pp * self.layout.cp


def evaluate(job: Job, layout: Layout, recompute: Recompute = "selective", chunks: int = 1) -> Plan:
    """Return the memory, traffic and estimated step time of one layout, and whether it fits.

    `chunks` above 1 interleaves. "selective" stands for FlashAttention as well. `NOT_MODELLED`
    says what the estimate leaves out. Raises `ValueError` with the reason for a layout that cannot
    run (`refusal`). Source: the formulas of the other rooms.
    """
    reason = refusal(job, layout, chunks)
    if reason:
        raise ValueError(reason)
    return _Candidate(job, layout, recompute, chunks).plan()


def refusal(job: Job, layout: Layout, chunks: int = 1) -> str:
    """Return why a layout cannot run at all, or nothing. Raises `ValueError` for chunks below 1."""
    at_least(1, chunks=chunks)
    if layout.gpus != job.gpus:
        return f"the degrees multiply to {layout.gpus} GPUs, not {job.gpus}"
    if layout.pp > job.shape.layers:
        return f"pp {layout.pp} is more than the {job.shape.layers} layers"
    if job.shape.heads % layout.tp:
        return f"tp {layout.tp} does not divide {job.shape.heads} heads"
    if job.seq % layout.cp:
        return f"cp {layout.cp} does not divide {job.seq} tokens"
    micro_batches, rest = divmod(job.global_batch, layout.dp * job.micro_batch)
    if rest:
        return (
            f"a global batch of {job.global_batch} sequences does not divide into micro-batches "
            f"of {job.micro_batch} on {layout.dp} data-parallel ranks"
        )
    if chunks == 1:
        return ""
    if layout.pp == 1:
        return "one stage has nothing to interleave with"
    if chunks > job.shape.layers // layout.pp:
        return f"a stage of {job.shape.layers // layout.pp} layers makes no {chunks} chunks"
    if micro_batches % layout.pp:
        return f"{layout.pp} stages do not divide {micro_batches} micro-batches to interleave them"
    return ""


def stage_layers(layers: int, stages: int) -> tuple[int, ...]:
    """Return the layers of each stage, as equal as they can be.

    Where they do not divide, the stages with one layer less come first and last in turn, since
    those also hold the embedding and the output layer. Raises `ValueError` for more stages than
    layers. Source: Llama 3 (arXiv:2407.21783), §3.3.2.
    """
    at_least(1, layers=layers, stages=stages)
    if stages > layers:
        raise ValueError(f"{stages} stages are more than {layers} layers")
    longest = -(-layers // stages)
    short = stages * longest - layers
    return tuple(
        longest - (place < (short + 1) // 2 or stages - 1 - place < short // 2)
        for place in range(stages)
    )


@dataclass(frozen=True)
class _Candidate:
    """A layout about to be worked out, with what its parts share."""

    job: Job
    layout: Layout
    recompute: Recompute
    chunks: int

    @cached_property
    def active(self) -> float:
        return active_params(self.job.shape)

    @property
    def micro_batches(self) -> int:
        return self.job.global_batch // (self.layout.dp * self.job.micro_batch)

    @property
    def slice_params(self) -> float:
        return total_params(self.job.shape) / (self.layout.tp * self.layout.pp)

    @cached_property
    def layers(self) -> tuple[int, ...]:
        return stage_layers(self.job.shape.layers, self.layout.pp)

    def plan(self) -> Plan:
        job, shape = self.job, self.job.shape
        work = Workload(
            job.seq,
            job.micro_batch,
            self.micro_batches,
            recompute=self.recompute,
            schedule="1f1b" if self.chunks == 1 else "interleaved",
            chunks=self.chunks,
            stage_layers=self.layers,
        )
        memory = training_memory(shape, self.layout, work)
        traffic = self.traffic()
        step = self.step(traffic)
        flops = (
            job.global_batch
            * job.seq
            * flops_per_token(self.active, shape.layers, job.seq, shape.query_width)
        )
        return Plan(
            self.layout,
            self.recompute,
            self.chunks,
            self.micro_batches,
            self.layers,
            memory,
            traffic,
            step,
            utilization(flops, step.total_s, job.gpus, job.gpu.flops_per_s),
            _problem(job, memory),
        )

    @property
    def tensor_passes(self) -> float:
        # Full recomputation runs the forward pass, and with it its two all-reduces, once more.
        return 1.5 if self.recompute == "full" else 1

    def traffic(self) -> Traffic:
        job, layout, shape = self.job, self.layout, self.job.shape
        seq, layers = job.seq // layout.cp, max(self.layers)
        per_layer = tensor_parallel_bytes_per_layer(seq, job.micro_batch, shape.hidden, layout.tp)
        # Sequence parallelism leaves each tensor-parallel rank its part of the boundary.
        boundary = pipeline_bytes_per_boundary(seq, job.micro_batch, shape.hidden) / layout.tp
        kv_width = shape.kv_width // min(layout.tp, shape.kv_heads)
        passing = ring_attention_bytes_per_layer(job.seq, job.micro_batch, kv_width, layout.cp)
        return Traffic(
            dp_bytes=data_parallel_bytes(
                self.slice_params,
                layout.state_ranks,
                zero_stage=layout.zero_stage,
                micro_batches=self.micro_batches,
            ),
            tp_bytes=self.tensor_passes * self.micro_batches * layers * per_layer,
            pp_bytes=self.micro_batches * self.chunks * boundary if layout.pp > 1 else 0,
            # Keys and values pass by once forward; with their gradients, twice as much backward.
            cp_bytes=self.micro_batches * layers * 3 * passing,
        )

    def step(self, traffic: Traffic) -> StepTime:
        job, layout, shape = self.job, self.layout, self.job.shape
        layers, active = max(self.layers), self.active
        per_token = flops_per_token(active, shape.layers, job.seq, shape.query_width)
        if self.recompute == "full":
            per_token += forward_flops_per_token(active, shape.layers, job.seq, shape.query_width)
        tokens = job.micro_batch * job.seq / (layout.tp * layout.cp)
        rate = job.efficiency * job.gpu.flops_per_s
        micro_s = per_token * tokens * (layers / shape.layers) / rate
        # Tensor parallelism stands on the critical path of every layer.
        tensor = hidden_bytes(job.seq // layout.cp, job.micro_batch, shape.hidden)
        all_reduces = layers * TP_ALL_REDUCES_PER_LAYER * self.tensor_passes
        tp_s = all_reduces * ring_time_s("all-reduce", tensor, layout.tp, self.link(layout.tp))
        # Keys and values of the next block, and a stage's output, travel while the stage computes.
        context, model = layout.tp * layout.cp, layout.tp * layout.cp * layout.pp
        behind_s = max(
            traffic.cp_bytes / self.micro_batches / self.link(context).bytes_per_s,
            traffic.pp_bytes / self.micro_batches / self.link(model).bytes_per_s,
        )
        slot_s = micro_s + tp_s + exposed_s(behind_s, micro_s)
        # Below stage 2 the gradients leave during the last micro-batch's backward pass, two thirds
        # of its time; from stage 2 on every micro-batch has its own.
        window_s = micro_s * (self.micro_batches if layout.zero_stage >= 2 else 2 / 3)
        return StepTime(
            compute_s=self.micro_batches * micro_s,
            exposed_s=self.micro_batches * (slot_s - micro_s)
            + exposed_s(self.data_parallel_s(), window_s),
            bubble_s=(layout.pp - 1) * slot_s / self.chunks,
        )

    def link(self, gpus: int) -> Link:
        """Return the link that a group of so many neighbouring GPUs has to use."""
        return self.job.gpu.nvlink if gpus <= self.job.node_size else self.job.inter

    def data_parallel_s(self) -> float:
        layout, node = self.layout, self.job.node_size
        # Ranks are laid out tp, cp, pp, dp from the inside out, so a node holds this many of the
        # group that shares states; each of them takes its part of the vector across nodes.
        context = max(1, min(layout.cp, node // layout.tp))
        replicas = max(1, node // (layout.tp * layout.cp * layout.pp))
        in_node = min(layout.state_ranks, context * replicas)
        nodes = max(1, layout.state_ranks // in_node)
        # From stage 2 on each layer is a collective of its own, and pays the rounds' latency.
        units = max(self.layers) if layout.zero_stage >= 2 else 1
        size = 2 * self.slice_params / units
        unit_s = ring_time_s("all-gather", size, in_node, self.job.gpu.nvlink) + ring_time_s(
            "all-gather", size / in_node, nodes, self.job.inter
        )
        return unit_s * units * sum(data_parallel_passes(layout.zero_stage, self.micro_batches))


def _problem(job: Job, memory: MemoryBreakdown) -> str:
    if memory.total_bytes <= job.usable_bytes:
        return ""
    parts = {
        "weights": memory.states.weight_bytes,
        "gradients": memory.states.grad_bytes,
        "optimizer states": memory.states.optimizer_bytes,
        "activations": memory.activation_bytes + memory.recomputed_bytes,
    }
    largest = max(parts, key=parts.__getitem__)
    return (
        f"needs {memory.total_bytes / GB:,.1f} GB ({memory.total_bytes / GIB:,.1f} GiB) where "
        f"{job.usable_bytes / GB:,.1f} GB are usable; {largest} alone take "
        f"{parts[largest] / GB:,.1f} GB"
    )
