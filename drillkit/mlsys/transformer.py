"""Shapes of decoder-only transformers and their exact parameter counts."""

from __future__ import annotations

from dataclasses import dataclass

from drillkit.mlsys.domain import at_least


@dataclass(frozen=True)
class Transformer:
    """The shape of a decoder-only transformer.

    `kv_heads` below `heads` is grouped-query attention, 1 is multi-query. `head_dim` defaults to
    `hidden / heads`. A gated MLP (SwiGLU) has three matrices where a plain one has two. `biases`
    adds one to every linear layer and to every norm (LayerNorm); without it a norm is a scale
    alone (RMSNorm). `positions` counts learned position embeddings (0 for rotary ones). A mixture
    of experts has `experts` MLPs a layer, of which a token visits `experts_per_token`, and a router
    of `hidden × experts`. `norms` counts the norms of a layer. `stated_params` is a size that is
    given, such as 7 × 10⁹: memory and compute then follow it (`total_params`), not the count.

    Raises `ValueError` when a size is below 1 or the heads do not divide.
    """

    name: str
    layers: int
    hidden: int
    heads: int
    ffn: int
    vocab: int
    kv_heads: int = 0
    head_dim: int = 0
    gated: bool = True
    tied: bool = False
    biases: bool = False
    positions: int = 0
    norms: int = 2
    experts: int = 1
    experts_per_token: int = 1
    stated_params: int = 0
    source: str = ""

    def __post_init__(self) -> None:
        at_least(
            1,
            layers=self.layers,
            hidden=self.hidden,
            heads=self.heads,
            ffn=self.ffn,
            vocab=self.vocab,
            experts=self.experts,
        )
        at_least(0, stated_params=self.stated_params)
        if not self.head_dim:
            if self.hidden % self.heads:
                raise ValueError(f"heads must divide hidden: {self.hidden} / {self.heads}")
            object.__setattr__(self, "head_dim", self.hidden // self.heads)
        if not self.kv_heads:
            object.__setattr__(self, "kv_heads", self.heads)
        if self.heads % self.kv_heads:
            raise ValueError(f"kv_heads must divide heads: {self.heads} / {self.kv_heads}")
        if not 1 <= self.experts_per_token <= self.experts:
            raise ValueError(
                f"experts_per_token must lie in 1..{self.experts}, not {self.experts_per_token}"
            )

    @property
    def query_width(self) -> int:
        """Return the width of the queries, `heads × head_dim` values a token."""
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> int:
        """Return the width of the keys (and of the values), `kv_heads × head_dim` a token."""
        return self.kv_heads * self.head_dim


@dataclass(frozen=True)
class ParameterCount:
    """Parameters by component, all layers together; `active` counts what one token passes."""

    attention: int
    mlp: int
    router: int
    layer_norms: int
    final_norm: int
    embedding: int
    positions: int
    unembedding: int
    idle_experts: int

    @property
    def total(self) -> int:
        return (
            self.attention
            + self.mlp
            + self.router
            + self.layer_norms
            + self.final_norm
            + self.embedding
            + self.positions
            + self.unembedding
        )

    @property
    def active(self) -> int:
        return self.total - self.idle_experts


def count_params(shape: Transformer) -> ParameterCount:
    """Return the exact parameter count of a shape, by component.

    With biases, a plain MLP of 4h and full attention, a layer comes to 12h² + 13h.
    Source: the layer definitions; Narayanan et al. 2021 (arXiv:2104.04473), eq. 2; Llama 2 and 3
    model cards.
    """
    h, queries, keys = shape.hidden, shape.query_width, shape.kv_width
    attention = 2 * h * queries + 2 * h * keys
    matrices = 3 if shape.gated else 2
    expert = matrices * h * shape.ffn
    norm = h
    if shape.biases:
        attention += queries + 2 * keys + h
        expert += (matrices - 1) * shape.ffn + h
        norm = 2 * h
    router = h * shape.experts if shape.experts > 1 else 0
    return ParameterCount(
        attention=shape.layers * attention,
        mlp=shape.layers * shape.experts * expert,
        router=shape.layers * router,
        layer_norms=shape.layers * shape.norms * norm,
        final_norm=norm,
        embedding=shape.vocab * h,
        positions=shape.positions * h,
        unembedding=0 if shape.tied else shape.vocab * h,
        idle_experts=shape.layers * (shape.experts - shape.experts_per_token) * expert,
    )


def total_params(shape: Transformer) -> int:
    """Return the parameters to plan with: the stated count, or that of the shape without one."""
    return shape.stated_params or count_params(shape).total


def active_params(shape: Transformer) -> float:
    """Return the parameters that a token passes.

    Of a stated count, the share that is active is that of the shape.
    """
    count = count_params(shape)
    if not shape.stated_params:
        return count.active
    return shape.stated_params * (count.active / count.total)


def layer_params_rule(layers: int, hidden: int) -> int:
    """Return 12Lh², the rule of thumb for the parameters of `layers` GPT-style layers.

    It leaves out biases, norms and embeddings. Source: Narayanan et al. 2021, eq. 2.
    """
    at_least(1, layers=layers, hidden=hidden)
    return 12 * layers * hidden * hidden


def gpt(
    name: str,
    layers: int,
    hidden: int,
    heads: int,
    vocab: int,
    positions: int,
    source: str = "GPT-2 (Radford et al. 2019) and GPT-3 (arXiv:2005.14165), table 2.1",
) -> Transformer:
    """Return a GPT-2-style shape: MLP of 4h, biases, LayerNorm, learned positions, tied embeddings.

    Raises what `Transformer` raises. Source: GPT-2 (Radford et al. 2019) and GPT-3
    (arXiv:2005.14165), §2.1.
    """
    return Transformer(
        name,
        layers,
        hidden,
        heads,
        4 * hidden,
        vocab,
        gated=False,
        tied=True,
        biases=True,
        positions=positions,
        source=source,
    )


_LLAMA_2 = "Llama 2 (arXiv:2307.09288) and its model cards"
_LLAMA_3 = "Llama 3 (arXiv:2407.21783), table 3"
_PALM = "PaLM (arXiv:2204.02311), table 1"
_MIXTRAL = "Mixtral of Experts (arXiv:2401.04088), table 1, and the model cards of v0.1"


def _palm(name: str, layers: int, hidden: int, heads: int) -> Transformer:
    # One norm a layer: attention and MLP run in parallel on the same input.
    return Transformer(
        name,
        layers,
        hidden,
        heads,
        4 * hidden,
        256_000,
        kv_heads=1,
        head_dim=256,
        tied=True,
        norms=1,
        source=_PALM,
    )


_ALL = (
    Transformer("Llama 2 7B", 32, 4096, 32, 11008, 32000, source=_LLAMA_2),
    Transformer("Llama 2 13B", 40, 5120, 40, 13824, 32000, source=_LLAMA_2),
    Transformer("Llama 2 70B", 80, 8192, 64, 28672, 32000, kv_heads=8, source=_LLAMA_2),
    Transformer("Llama 3 8B", 32, 4096, 32, 14336, 128256, kv_heads=8, source=_LLAMA_3),
    Transformer("Llama 3 70B", 80, 8192, 64, 28672, 128256, kv_heads=8, source=_LLAMA_3),
    Transformer("Llama 3 405B", 126, 16384, 128, 53248, 128256, kv_heads=8, source=_LLAMA_3),
    gpt("GPT-2 124M", 12, 768, 12, 50257, 1024),
    gpt("GPT-2 XL", 48, 1600, 25, 50257, 1024),
    gpt("GPT-3 175B", 96, 12288, 96, 50257, 2048),
    gpt("MT-NLG 530B", 105, 20480, 128, 51200, 2048, "MT-NLG (arXiv:2201.11990), §2.3"),
    _palm("PaLM 8B", 32, 4096, 16),
    _palm("PaLM 62B", 64, 8192, 32),
    _palm("PaLM 540B", 118, 18432, 48),
    Transformer(
        "Mixtral 8x7B",
        32,
        4096,
        32,
        14336,
        32000,
        kv_heads=8,
        experts=8,
        experts_per_token=2,
        source=_MIXTRAL,
    ),
    Transformer(
        "Mixtral 8x22B",
        56,
        6144,
        48,
        16384,
        32000,
        kv_heads=8,
        experts=8,
        experts_per_token=2,
        source=_MIXTRAL,
    ),
)

# By the name that a command line takes: `llama-3-405b`.
MODELS = {shape.name.lower().replace(" ", "-"): shape for shape in _ALL}
