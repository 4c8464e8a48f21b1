"""Real models and accelerators as values for the symbols that problems use."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from drillkit.mlsys.hardware import GPUS
from drillkit.mlsys.transformer import MODELS, count_params

if TYPE_CHECKING:
    from collections.abc import Mapping

MODEL_SYMBOLS = {
    "L": "layers",
    "h": "hidden width",
    "a": "heads",
    "kv": "key-value heads",
    "d": "head dimension",
    "f": "MLP width",
    "V": "vocabulary",
    "E": "experts",
    "k": "experts a token visits",
    "P": "parameters, to three figures",
    "Pa": "active parameters, to three figures",
}
GPU_SYMBOLS = {
    "F": "dense bf16 FLOP/s",
    "BW": "memory bytes/s",
    "C": "memory bytes",
    "NV": "NVLink bytes/s in one direction",
}


@cache
def known_presets() -> Mapping[str, tuple[str, Mapping[str, Fraction]]]:
    """Return by id the name and the values, in base units, of every model and accelerator."""
    found: dict[str, tuple[str, Mapping[str, Fraction]]] = {}
    for name, shape in MODELS.items():
        count = count_params(shape)
        sizes = {
            "L": shape.layers,
            "h": shape.hidden,
            "a": shape.heads,
            "kv": shape.kv_heads,
            "d": shape.head_dim,
            "f": shape.ffn,
            "V": shape.vocab,
            "E": shape.experts,
            "k": shape.experts_per_token,
            "P": _three_figures(count.total),
            "Pa": _three_figures(count.active),
        }
        found[name] = (shape.name, {key: Fraction(value) for key, value in sizes.items()})
    for name, gpu in GPUS.items():
        rates = {
            "F": gpu.flops_per_s,
            "BW": gpu.hbm_bytes_per_s,
            "C": gpu.memory_bytes,
            "NV": gpu.nvlink.bytes_per_s,
        }
        found[name] = (gpu.name, {key: Fraction(round(value)) for key, value in rates.items()})
    return found


def _three_figures(count: int) -> int:
    step = 10 ** max(len(str(count)) - 3, 0)
    return int((count + step // 2) // step * step)
