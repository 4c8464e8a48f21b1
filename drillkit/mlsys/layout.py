"""How a job is spread over its GPUs: the degrees of parallelism."""

from __future__ import annotations

from dataclasses import dataclass

from drillkit.mlsys.domain import at_least


@dataclass(frozen=True)
class Layout:
    """Degrees of data, tensor, pipeline and context parallelism, and the ZeRO stage (0 to 3).

    ZeRO stage 0 is plain DDP, 3 is FSDP. `sequence_parallel` shards the norm and dropout regions
    over the tensor-parallel ranks. Raises `ValueError` for a degree below 1 or an unknown stage.
    """

    dp: int = 1
    tp: int = 1
    pp: int = 1
    cp: int = 1
    zero_stage: int = 0
    sequence_parallel: bool = False

    def __post_init__(self) -> None:
        at_least(1, dp=self.dp, tp=self.tp, pp=self.pp, cp=self.cp)
        if self.zero_stage not in range(4):
            raise ValueError(f"zero_stage must be 0, 1, 2 or 3, not {self.zero_stage}")

    @property
    def gpus(self) -> int:
        """Return how many GPUs the layout takes: the product of its degrees."""
        return self.dp * self.tp * self.pp * self.cp

    @property
    def state_ranks(self) -> int:
        """Return over how many ranks ZeRO shards: context ranks hold the same weights as data's."""
        return self.dp * self.cp


def data_parallel_degree(gpus: int, *, tp: int = 1, pp: int = 1, cp: int = 1) -> int:
    """Return the data-parallel degree that is left when `gpus` are divided by the other degrees.

    Raises `ValueError` when they do not divide. Source: Llama 3 (arXiv:2407.21783), table 4.
    """
    at_least(1, gpus=gpus, tp=tp, pp=pp, cp=cp)
    degree, rest = divmod(gpus, tp * pp * cp)
    if rest:
        raise ValueError(f"tp × pp × cp = {tp * pp * cp} does not divide {gpus} GPUs")
    return degree
