"""The compute budget: FLOPs per token, utilization, GPU time, deadlines, cost and step time.

P is parameters, D training tokens, L layers, s tokens a sequence and h the width of attention (all
heads together). GPU time is in GPU-seconds; `HOUR_S` and `DAY_S` convert.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from drillkit.mlsys.domain import at_least, fraction, positive, round_up
from drillkit.mlsys.traffic import exposed_s

if TYPE_CHECKING:
    from drillkit.mlsys.activations import Recompute

HOUR_S = 3600
DAY_S = 86_400

# Plan a dense model with this much of the peak, and say so.
# Source: Llama 3 405B reached 0.38 to 0.43 on 8k to 16k H100s (arXiv:2407.21783, table 4).
DEFAULT_MFU = 0.40
USUAL_MFU = (0.35, 0.45)

Attention = Literal["causal", "full", "none"]

# Keys that a token attends to, over s: a causal mask hides half of them on average.
_SEEN: dict[str, float] = {"causal": 0.5, "full": 1, "none": 0}


def forward_flops_per_token(
    params: float, layers: int, seq: float, hidden: float, attention: Attention = "causal"
) -> float:
    """Return the FLOPs of a forward pass per token: 2P + 4Lsh, or 2P + 2Lsh with a causal kernel.

    Raises `ValueError` for a size that is not above zero or an unknown `attention`.
    Source: Kaplan et al. 2020 (arXiv:2001.08361), table 1; PaLM (arXiv:2204.02311), appendix B.
    """
    positive(params=params, layers=layers, seq=seq, hidden=hidden)
    if attention not in _SEEN:
        raise ValueError(f"attention must be causal, full or none, not {attention}")
    return 2 * params + 4 * _SEEN[attention] * layers * seq * hidden


def flops_per_token(
    params: float, layers: int, seq: float, hidden: float, attention: Attention = "causal"
) -> float:
    """Return the FLOPs of training per token, three forwards' worth: 6P + 12Lsh or 6P + 6Lsh.

    `hidden` is heads × head_dim where that differs from the model's width (PaLM's 12LHQT). Raises
    what `forward_flops_per_token` raises. Source: PaLM (arXiv:2204.02311), appendix B.
    """
    return 3 * forward_flops_per_token(params, layers, seq, hidden, attention)


def attention_over_weights(seq: float, hidden: float, attention: Attention = "full") -> float:
    """Return attention FLOPs over weight FLOPs when P = 12Lh²: s/(6h), or s/(12h) causal.

    Raises `ValueError` for a size that is not above zero.
    Source: 12Lsh over 6 · 12Lh²; Korthikanti et al. 2022 (arXiv:2205.05198), appendix A.
    """
    weights = flops_per_token(12 * hidden * hidden, 1, seq, hidden, "none")
    return flops_per_token(12 * hidden * hidden, 1, seq, hidden, attention) / weights - 1


def attention_share(seq: float, hidden: float, attention: Attention = "full") -> float:
    """Return the fraction of all FLOPs that attention takes when P = 12Lh²: r/(1 + r).

    Raises what `attention_over_weights` raises. Source: as there.
    """
    ratio = attention_over_weights(seq, hidden, attention)
    return ratio / (1 + ratio)


def training_flops(params: float, tokens: float) -> float:
    """Return 6PD, the FLOPs of a training run without attention.

    Raises `ValueError` for a value that is not above zero. Source: Kaplan et al. 2020, §2.1.
    """
    positive(params=params, tokens=tokens)
    return 6 * params * tokens


def gpt_step_flops(
    batch: float,
    layers: int,
    seq: float,
    hidden: float,
    vocab: float,
    recompute: Recompute = "none",
) -> float:
    """Return the FLOPs of one step of a GPT with 12h² parameters a layer, logits included.

    72BLsh²(1 + s/(6h) + V/(12hL)) for the model. Full recomputation repeats the layers' forward:
    96BLsh²(1 + s/(6h) + V/(16hL)). For selective recomputation the paper doubles the attention
    term to s/(3h), more than the one more forward of attention, s/(18h), that the text describes;
    here the paper's figure stands, since its published HFU follows from it.

    Raises `ValueError` for a size that is not above zero or an unknown `recompute`.
    Source: Narayanan et al. 2021 (arXiv:2104.04473), appendix; Korthikanti et al. 2022, appendix A.
    """
    positive(batch=batch, layers=layers, seq=seq, hidden=hidden, vocab=vocab)
    layer_flops = 72 * batch * layers * seq * hidden * hidden
    attention = seq / (6 * hidden)
    logits = 6 * batch * seq * hidden * vocab
    if recompute == "none":
        return layer_flops * (1 + attention) + logits
    if recompute == "selective":
        return layer_flops * (1 + 2 * attention) + logits
    if recompute == "full":
        return 4 / 3 * layer_flops * (1 + attention) + logits
    raise ValueError(f"recompute must be none, selective or full, not {recompute}")


def utilization(flops: float, elapsed_s: float, gpus: float, flops_per_s: float) -> float:
    """Return the fraction of peak that `flops` in `elapsed_s` are: MFU or HFU.

    It is MFU when `flops` are those the model needs, HFU when recomputation is counted in. Raises
    `ValueError` for a value that is not above zero. Source: PaLM (arXiv:2204.02311), §4.1.
    """
    positive(flops=flops, elapsed_s=elapsed_s, gpus=gpus, flops_per_s=flops_per_s)
    return flops / (elapsed_s * gpus * flops_per_s)


def mfu(tokens_per_s: float, flops_per_token: float, gpus: float, flops_per_s: float) -> float:
    """Return the model FLOPs utilization from the throughput of the whole job.

    Raises `ValueError` for a value that is not above zero. Source: PaLM, appendix B.
    """
    return utilization(tokens_per_s * flops_per_token, 1, gpus, flops_per_s)


def hfu_from_mfu(mfu: float, hardware_flops: float, model_flops: float) -> float:
    """Return the hardware FLOPs utilization: MFU × FLOPs executed / FLOPs the model needs.

    The FLOPs may be in any one unit: with full recomputation 4 to 3, or 8P to 6P. Raises
    `ValueError` for a value that is not above zero. Source: Korthikanti et al. 2022, §6.3.
    """
    positive(mfu=mfu, hardware_flops=hardware_flops, model_flops=model_flops)
    return mfu * hardware_flops / model_flops


def gpu_seconds(flops: float, flops_per_s: float, utilization: float = DEFAULT_MFU) -> float:
    """Return the GPU-seconds that `flops` take at a fraction of the peak.

    Raises `ValueError` for a value that is not above zero or a fraction above 1.
    Source: the definition of MFU.
    """
    positive(flops=flops, flops_per_s=flops_per_s)
    fraction(utilization=utilization)
    return flops / (flops_per_s * utilization)


def wall_s(gpu_s: float, gpus: float, goodput: float = 1) -> float:
    """Return the elapsed seconds of a run of `gpu_s` GPU-seconds on `gpus` at a goodput.

    Raises `ValueError` for a value that is not above zero or a goodput above 1.
    Source: goodput is useful time over elapsed time.
    """
    positive(gpu_s=gpu_s, gpus=gpus)
    fraction(goodput=goodput)
    return gpu_s / (gpus * goodput)


def fewest_gpus(gpu_s: float, deadline_s: float, goodput: float = 1) -> int:
    """Return the smallest number of GPUs that finishes by a deadline.

    Raises `ValueError` for a value that is not above zero or a goodput above 1.
    Source: `wall_s`, solved for the number of GPUs.
    """
    positive(deadline_s=deadline_s)
    return round_up(wall_s(gpu_s, 1, goodput) / deadline_s)


def cost_usd(gpu_s: float, usd_per_gpu_hour: float) -> float:
    """Return the price of `gpu_s` GPU-seconds. Raises `ValueError` for a negative value.

    Source: DeepSeek-V3 (arXiv:2412.19437), table 1, counts so.
    """
    at_least(0, gpu_s=gpu_s, usd_per_gpu_hour=usd_per_gpu_hour)
    return gpu_s / HOUR_S * usd_per_gpu_hour


def global_batch_tokens(micro_batch: float, seq: float, micro_batches: float, dp: float) -> float:
    """Return the tokens of one optimizer step: b × s × m × data-parallel ranks.

    Raises `ValueError` for a value that is not above zero. Source: gradient accumulation.
    """
    positive(micro_batch=micro_batch, seq=seq, micro_batches=micro_batches, dp=dp)
    return micro_batch * seq * micro_batches * dp


def sequences_per_rank(batch_tokens: float, seq: float, dp: float) -> float:
    """Return the sequences each data-parallel rank runs per step, b × m.

    Raises `ValueError` for a value that is not above zero. Source: `global_batch_tokens`, solved.
    """
    positive(batch_tokens=batch_tokens, seq=seq, dp=dp)
    return batch_tokens / (seq * dp)


def optimizer_steps(tokens: float, batch_tokens: float) -> float:
    """Return how many optimizer steps a token budget makes, not rounded.

    Raises `ValueError` for a value that is not above zero. Source: D / B.
    """
    positive(tokens=tokens, batch_tokens=batch_tokens)
    return tokens / batch_tokens


def scaling_efficiency(job_flops_per_s: float, gpus: float, one_gpu_flops_per_s: float) -> float:
    """Return the weak-scaling efficiency: what one GPU of the job achieves over one GPU alone.

    Raises `ValueError` for a value that is not above zero.
    Source: Shoeybi et al. 2019 (arXiv:1909.08053), §5.1.
    """
    positive(job_flops_per_s=job_flops_per_s, gpus=gpus, one_gpu_flops_per_s=one_gpu_flops_per_s)
    return job_flops_per_s / gpus / one_gpu_flops_per_s


@dataclass(frozen=True)
class EvalCost:
    """What evaluating checkpoints costs: FLOPs and GPU-seconds of one, and GPU-seconds of all."""

    flops: float
    gpu_s: float
    total_gpu_s: float


def eval_cost(
    flops_per_token: float,
    tokens: float,
    checkpoints: float,
    *,
    flops_per_s: float,
    utilization: float = DEFAULT_MFU,
) -> EvalCost:
    """Return the cost of a forward pass over an eval suite at each of `checkpoints`.

    `flops_per_token` is a forward's (`forward_flops_per_token`). Raises `ValueError` for a value
    that is not above zero. Source: forward FLOPs per token × tokens of the suite.
    """
    positive(tokens=tokens, checkpoints=checkpoints)
    flops = flops_per_token * tokens
    gpu_s = gpu_seconds(flops, flops_per_s, utilization)
    return EvalCost(flops, gpu_s, gpu_s * checkpoints)


@dataclass(frozen=True)
class StepTime:
    """One optimizer step: compute, the communication it does not hide, and the pipeline bubble."""

    compute_s: float
    exposed_s: float
    bubble_s: float

    @property
    def total_s(self) -> float:
        return self.compute_s + self.exposed_s + self.bubble_s


def step_time(
    compute_s: float,
    communication_s: float,
    *,
    overlap: float = 1,
    critical_s: float = 0,
    bubble_over_ideal: float = 0,
) -> StepTime:
    """Return the time of a step: max(compute, communication) + what nothing hides + bubble.

    `communication_s` can run under the fraction `overlap` of the compute (0 hides nothing);
    `critical_s` is communication on the critical path of every layer, such as tensor parallelism's;
    the bubble stretches both by `bubble_over_ideal`. Raises `ValueError` for a negative value.
    Source: the max rule, plus `pipeline.bubble_over_ideal`.
    """
    at_least(0, critical_s=critical_s, bubble_over_ideal=bubble_over_ideal)
    hidden = exposed_s(communication_s, compute_s, overlap) if overlap else communication_s
    return StepTime(compute_s, hidden + critical_s, bubble_over_ideal * (compute_s + critical_s))


def compute_over_communication(
    tokens_per_rank: float, flops_per_s: float, bytes_per_s: float
) -> float:
    """Return the compute of a DDP step over its gradient traffic: (6PT/F)/(4P/β) = 1.5·T·β/F.

    `flops_per_s` is what a GPU achieves. The model's size cancels. Raises `ValueError` for a value
    that is not above zero. Source: 6P FLOPs a token against a bf16 all-reduce of 2P bytes.
    """
    positive(tokens_per_rank=tokens_per_rank, flops_per_s=flops_per_s, bytes_per_s=bytes_per_s)
    return 1.5 * tokens_per_rank * bytes_per_s / flops_per_s
