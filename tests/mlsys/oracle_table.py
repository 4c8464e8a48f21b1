"""From the name of a published quantity to the function of drillkit that works it out.

Each entry takes the row's `given` symbols by keyword and answers in the row's unit. The table calls
`drillkit.mlsys` and converts units, nothing more: the expressions in `tests/cases/oracle.yaml` are
a second, independent statement of the same formulas.
"""

# The rows' symbols are the papers' (L, V, l), and each function here gives them their long names.
# ruff: noqa: N803, E741, PLW0108

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.mlsys import activations as act
from drillkit.mlsys import budget, collectives, memory, pipeline, reliability, roofline, traffic
from drillkit.mlsys.budget import DAY_S, HOUR_S
from drillkit.mlsys.hardware import Link
from drillkit.mlsys.layout import Layout, data_parallel_degree
from drillkit.mlsys.memory import GB, GIB, StateBytes
from drillkit.mlsys.transformer import Transformer, count_params, gpt, layer_params_rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from drillkit.mlsys.transformer import ParameterCount

TFLOP = 1e12
MB = 1e6
MS = 1e-3

# What these rows restate, and so why they are no formula of ours.
SKIPPED = {
    "ds_": "an estimator of DeepSpeed's own, with its buffers and factors",
    "stas_": "one book's rounded shortcut, in its own units",
    "tpu_": "a rule of thumb for TPU meshes",
    "sharp_": "nccl-tests' factor for reductions inside the switch",
}


def whole(value: float) -> int:
    """Return a count that the file may write as 32.0."""
    assert value == int(value), f"{value} is no whole number"
    return int(value)


def llama(*, L, h, kv, d, f, V, E=1, k=1, tied=0, a=0) -> ParameterCount:
    return count_params(
        Transformer(
            "row",
            whole(L),
            whole(h),
            whole(h) // whole(d),
            whole(f),
            whole(V),
            kv_heads=whole(kv),
            head_dim=whole(d),
            tied=bool(tied),
            experts=whole(E),
            experts_per_token=whole(k),
        )
    )


def gpt_count(L, h, V, s) -> ParameterCount:
    return count_params(gpt("row", whole(L), whole(h), 1, whole(V), whole(s)))


def zero(stage):
    """Return the entry of a ZeRO stage, K being the optimizer states' bytes per parameter."""
    return lambda P, N, K: (
        memory.model_states(
            P, ranks=whole(N), zero_stage=stage, states=StateBytes(2, 2, 0, K)
        ).total_bytes
        / GB
    )


def act_layer(unit, **flags):
    def entry(s, b, h, a=1, t=1):
        size = act.activation_bytes_per_layer(whole(s), b, whole(h), whole(a), tp=whole(t), **flags)
        return size / unit

    return entry


def act_total(unit, **flags):
    return lambda L, **given: L * act_layer(unit, **flags)(**given)


def stage_activations(schedule):
    def entry(L, s, b, h, p, m, t):
        work = memory.Workload(whole(s), b, whole(m), schedule=schedule)
        shape = Transformer("row", whole(L), whole(h), 1, 1, 1)
        layout = Layout(tp=whole(t), pp=whole(p), sequence_parallel=True)
        return memory.training_memory(shape, layout, work).activation_bytes / GB

    return entry


def traffic_ratio(stage, **options):
    """Return the entry for the traffic of a ZeRO stage over ZeRO-1's, under accumulation."""
    return lambda m: (
        traffic.data_parallel_bytes(1, 2, zero_stage=stage, micro_batches=whole(m), **options)
        / traffic.data_parallel_bytes(1, 2, zero_stage=1, micro_batches=whole(m))
    )


def gpt_utilization(recompute):
    return lambda B, L, s, h, V, T, n, F: budget.utilization(
        budget.gpt_step_flops(B, L, s, h, V, recompute), T, n, F
    )


TABLE: dict[str, Callable[..., float]] = {
    # Activations
    "act_coeff_tp": lambda a, s, h, t: act.activation_coefficient(
        whole(s), whole(h), whole(a), tp=whole(t)
    ),
    "act_coeff_tpsp_sel": lambda t: act.activation_coefficient(
        1, 1, 1, tp=whole(t), sequence_parallel=True, recompute="selective"
    ),
    "act_copies_GiB": lambda c, b, s, h: c * act.hidden_bytes(whole(s), b, whole(h)) / GIB,
    "act_layer_GB": act_layer(GB),
    "act_layer_GiB": act_layer(GIB),
    "act_layer_flash_GB": act_layer(GB, flash=True),
    "act_layer_flash_GiB": act_layer(GIB, recompute="selective"),
    "act_layer_full_GiB": act_layer(GIB, recompute="full"),
    "act_layer_tp_GB": act_layer(GB),
    "act_layer_tpsp_GB": act_layer(GB, sequence_parallel=True),
    "act_swiglu_megatron_coeff": lambda f, h: act.megatron_mlp_coefficient(whole(f), whole(h)),
    "act_total_flash_GB": act_total(GB, flash=True, sequence_parallel=True),
    "act_total_flash_GiB": act_total(GIB, flash=True, sequence_parallel=True),
    "act_total_full_GB": act_total(GB, recompute="full"),
    "act_total_std_GB": act_total(GB),
    "act_total_std_GiB": act_total(GIB),
    "act_zero_paper_GB": lambda h, b, s, L: (
        act.zero_paper_bytes(whole(L), whole(s), b, whole(h)) / GB
    ),
    "attn_score_coeff": lambda a, s, h: act.score_coefficient(whole(s), whole(h), whole(a)),
    "selective_saving": lambda a, s, h: act.selective_saving(whole(s), whole(h), whole(a)),
    "selective_overhead": lambda s, h: budget.attention_over_weights(s, h),
    "pp_act_gpipe_GB": stage_activations("gpipe"),
    "pp_act_stage0_GB": stage_activations("1f1b"),
    # Model states and the KV cache
    "bytes_per_param": lambda w, g, master, moments: StateBytes(w, g, master, moments).total,
    "dist_opt_bytes_per_param": lambda u, q, d: (
        memory.model_states(
            1, ranks=whole(d), zero_stage=1, states=StateBytes(u, 0, 0, q)
        ).total_bytes
    ),
    "state_GB": lambda P, c: memory.model_states(P, states=StateBytes(c, 0, 0, 0)).total_bytes / GB,
    "state_GiB": lambda P, c: (
        memory.model_states(P, states=StateBytes(c, 0, 0, 0)).total_bytes / GIB
    ),
    "zero0_GB": lambda P, K, N=1: zero(0)(P, N, K),
    "zero1_GB": zero(1),
    "zero2_GB": zero(2),
    "zero3_GB": zero(3),
    "zero1_mp_GB": lambda P, t, p, N: zero(1)(P / (t * p), N, 12),
    "zero_max_params_B": lambda M, u, q, N: (
        memory.largest_model(M * GB, ranks=whole(N), zero_stage=1, states=StateBytes(u, 0, 0, q))
        / 1e9
    ),
    "zero3_min_gpus": lambda P, M, c: memory.fewest_ranks(
        P, M * GB, zero_stage=3, states=StateBytes(c, 0, 0, 0)
    ),
    "kv_bytes_per_token": lambda L, kv, d, w: memory.kv_bytes_per_token(
        whole(L), whole(kv), whole(d), w
    ),
    "kv_cache_GB": lambda L, kv, d, w, s, b: (
        memory.kv_bytes_per_token(whole(L), whole(kv), whole(d), w) * s * b / GB
    ),
    "kv_cache_GiB": lambda L, kv, d, w, s, b: (
        memory.kv_bytes_per_token(whole(L), whole(kv), whole(d), w) * s * b / GIB
    ),
    # Parameter counts
    "params_gpt2_exact": lambda L, h, V, s: gpt_count(L, h, V, s).total,
    "params_gpt_12Lh2": lambda L, h: layer_params_rule(whole(L), whole(h)),
    "params_gpt_layer_exact": lambda h: gpt_count(2, h, 1, 1).total - gpt_count(1, h, 1, 1).total,
    "params_narayanan_B": lambda l, h, V, s: (
        (gpt_count(l, h, V, s).total - gpt_count(l, h, V, s).final_norm) / 1e9
    ),
    "params_llama": lambda **shape: llama(**shape).total,
    "params_moe_total": lambda **shape: llama(**shape).total,
    "params_moe_active": lambda **shape: llama(**shape).active,
    # Collectives
    "ring_factor": lambda N: float(collectives.ring_factor("all-reduce", whole(N))),
    "allgather_factor": lambda N: float(collectives.ring_factor("all-gather", whole(N))),
    "ring_allreduce_GB": lambda S, N: collectives.ring_bytes("all-reduce", S * GB, whole(N)) / GB,
    "allreduce_time_ms": lambda S, N, BW, alpha: (
        collectives.ring_time_s("all-reduce", S, whole(N), Link("row", BW, alpha, "")) / MS
    ),
    "hier_internode_GB": lambda S, nodes, g: (
        collectives.hierarchical_all_reduce(
            S * GB,
            nodes=whole(nodes),
            gpus_per_node=whole(g),
            intra=Link("row", 1, 0, ""),
            inter=Link("row", 1, 0, ""),
        ).inter_bytes
        / GB
    ),
    "busbw_GBps": lambda S, T, N: (
        collectives.bus_bytes_per_s("all-reduce", S * GB, T, whole(N)) / GB
    ),
    "dp_grad_mean": lambda n1, g1, n2, g2: collectives.mean_gradient([n1, n2], [g1, g2]),
    "xfer_time_s": lambda S, BW: roofline.transfer_s(S, BW),
    # Traffic of each parallelism
    "alltoall_GB": lambda tokens, h, w, N: (
        traffic.expert_parallel_bytes(tokens, whole(h), whole(N), bytes_per_value=w) / GB
    ),
    "ddp_min_tokens": lambda F, BW: traffic.tokens_to_hide(F, BW),
    "pp_p2p_MB": lambda s, b, h: (
        traffic.pipeline_bytes_per_boundary(whole(s), b, whole(h), both_ways=False) / MB
    ),
    "tp_bytes_per_layer_MB": lambda s, b, h, t: (
        traffic.tensor_parallel_bytes_per_layer(whole(s), b, whole(h), whole(t)) / MB
    ),
    "tp_comm_ratio": lambda t, F, h, BW: traffic.tensor_parallel_ratio(whole(t), whole(h), F, BW),
    "tp_max_degree": lambda h, BW, F, r: traffic.largest_tensor_parallel(whole(h), F, BW, r),
    "zero2_accum_over_zero1": traffic_ratio(2),
    "zero3_accum_over_zero1": traffic_ratio(3),
    "zero3_accum_nosync_over_zero1": traffic_ratio(3, reduce_once=True),
    # Over infinitely many ranks, (N - 1)/N is 1: two ranks send half of it.
    "zero3_comm_GB": lambda P, w: (
        2 * traffic.data_parallel_bytes(P, 2, zero_stage=3, weight_bytes=w, grad_bytes=w) / GB
    ),
    "zero3_over_ddp": lambda w, g: (
        traffic.data_parallel_bytes(1, 2, zero_stage=3, weight_bytes=w, grad_bytes=g)
        / traffic.data_parallel_bytes(1, 2, zero_stage=0, weight_bytes=w, grad_bytes=g)
    ),
    "layout_dp": lambda N, t, p, cp=1: data_parallel_degree(
        whole(N), tp=whole(t), pp=whole(p), cp=whole(cp)
    ),
    # Pipeline
    "bubble_total": lambda p, m, v=1: float(pipeline.bubble_fraction(whole(p), whole(m), whole(v))),
    "bubble_ideal": lambda p, m, v=1: float(
        pipeline.bubble_over_ideal(whole(p), whole(m), whole(v))
    ),
    "bubble_min_m": lambda p, x, v=1: pipeline.micro_batches_for_bubble(whole(p), x, whole(v)),
    "pp_inflight_1f1b": lambda p, m, i: float(
        pipeline.held_micro_batches("1f1b", whole(p), whole(m), stage=whole(i))
    ),
    "pp_inflight_gpipe": lambda m, p=1, i=0: float(
        pipeline.held_micro_batches("gpipe", whole(p), whole(m), stage=whole(i))
    ),
    "interleave_act_factor": lambda p, v: (
        float(pipeline.held_micro_batches("interleaved", whole(p), chunks=whole(v))) / p
    ),
    # Rooflines
    "ridge": lambda F, BW: roofline.ridge_flops_per_byte(F, BW),
    "matmul_intensity": lambda B, D, Fo: roofline.matmul_intensity(B, D, Fo),
    "matmul_crit_batch": lambda I, D, Fo: roofline.crossing_rows(I, D, Fo),
    "matmul_2way_min_D": lambda F, BW: roofline.two_way_min_inner(F, BW),
    "loader_GBps": lambda samples, S, T: roofline.loader_bytes_per_s(samples, S * GB, T) / GB,
    "loader_MBps": lambda tokens, w, T: roofline.loader_bytes_per_s(tokens, w, T) / MB,
    "sample_MB": lambda n, c, H, W, w: roofline.sample_bytes(n, c, H, W, w) / MB,
    "decode_step_ms": lambda B, kv, W, BW: (
        roofline.decode_step_s(B, kv_bytes=kv, weight_bytes=W, bytes_per_s=BW) / MS
    ),
    "decode_step_compute_ms": lambda B, kv, W, BW, P, F: (
        roofline.decode_step_s(
            B, kv_bytes=kv, weight_bytes=W, bytes_per_s=BW, params=P, flops_per_s=F
        )
        / MS
    ),
    # Compute budget
    "attn_over_weights_causal": lambda s, h: budget.attention_over_weights(s, h, "causal"),
    "attn_over_weights_full": lambda s, h: budget.attention_over_weights(s, h, "full"),
    "attn_share_full": lambda s, h: budget.attention_share(s, h, "full"),
    "flops_per_token_causal": lambda P, L, s, h: budget.flops_per_token(P, L, s, h, "causal"),
    "flops_per_token_full": lambda P, L, s, h: budget.flops_per_token(P, L, s, h, "full"),
    "flops_per_token_fwd_causal": lambda P, L, s, h: budget.forward_flops_per_token(
        P, L, s, h, "causal"
    ),
    "flops_per_token_palm": lambda P, L, H, Q, T: budget.flops_per_token(P, L, T, H * Q, "full"),
    "train_flops": lambda P, D: budget.training_flops(P, D),
    "total_flops": lambda fpt, D: fpt * D,
    "gpu_hours": lambda D, fpt, F, mfu: budget.gpu_seconds(D * fpt, F, mfu) / HOUR_S,
    "min_gpus": lambda H, T, g: budget.fewest_gpus(H * HOUR_S, T * HOUR_S, g),
    "train_days": lambda H, N, g: budget.wall_s(H * HOUR_S, N, g) / DAY_S,
    "days_6PD": lambda P, D, N, F, mfu: (
        budget.wall_s(budget.gpu_seconds(budget.training_flops(P, D), F, mfu), N) / DAY_S
    ),
    # 8TP: full recomputation makes 6 into 8.
    "days_8TP_nX": lambda T, P, n, X: (
        budget.wall_s(budget.gpu_seconds(8 / 6 * budget.training_flops(P, T), X, 1), n) / DAY_S
    ),
    "cost_usd": lambda H, c: budget.cost_usd(H * HOUR_S, c),
    "global_batch_tokens": lambda b, s, m, N: budget.global_batch_tokens(b, s, m, N),
    "seqs_per_gpu": lambda B, s, N: budget.sequences_per_rank(B, s, N),
    "steps_total": lambda D, B: budget.optimizer_steps(D, B),
    "mfu": lambda tps, fpt, N, F: budget.mfu(tps, fpt, N, F),
    "mfu_from_hours": lambda P, D, H, F: budget.utilization(
        budget.training_flops(P, D), H * HOUR_S, 1, F
    ),
    "mfu_from_tflops": lambda X, F: budget.utilization(X, 1, 1, F),
    "hfu_from_mfu": lambda mfu, num, den: budget.hfu_from_mfu(mfu, num, den),
    "korthikanti_mfu": gpt_utilization("none"),
    "korthikanti_hfu": gpt_utilization("selective"),
    "narayanan_TFLOPs_per_gpu": lambda B, s, l, h, V, T, n: gpt_utilization("full")(
        B, l, s, h, V, T, n, TFLOP
    ),
    "weak_scaling_eff": lambda agg, n, base: budget.scaling_efficiency(agg, n, base),
    "ratio": lambda x, y: x / y,
    # Failures and checkpoints
    "ckpt_GB": lambda P, c: reliability.checkpoint_bytes(P, c) / GB,
    "ckpt_shard_GB": lambda P, c, N: reliability.checkpoint_bytes(P, c, whole(N)) / GB,
    "ckpt_write_s": lambda c, P, BW: roofline.transfer_s(reliability.checkpoint_bytes(P, c), BW),
    "expected_failures": lambda T, M: reliability.expected_failures(T, M),
    "mgpu_days": lambda days, N, k: N * reliability.mtbf_from_count_s(days, k),
    "mtbf_from_count_h": lambda days, k: reliability.mtbf_from_count_s(24 * days, k),
    "mtbf_h": lambda Mg, N: reliability.job_mtbf_s(24 * Mg, N),
    "mtbf_node_rate_h": lambda nodes, r: reliability.job_mtbf_s(24 / r, nodes),
    "young_tau_s": lambda delta, M: reliability.young_interval_s(delta, M),
    "young_tau_min": lambda delta, M: reliability.young_interval_s(delta, M) / 60,
    "young_overhead": lambda delta, M: reliability.young_overhead(delta, M),
    "overhead_opt_total": lambda delta, M, R: reliability.young_overhead(delta, M, R),
    "overhead_at": lambda delta, tau, M, R: reliability.first_order_overhead(tau, delta, M, R),
    "daly_tau": lambda delta, M: reliability.daly_interval_s(delta, M),
    "daly_exact_tau": lambda delta, M: reliability.exact_interval_s(delta, M),
    "goodput": lambda o: reliability.goodput(o),
}
