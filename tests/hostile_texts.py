"""Random, mutated and hostile texts for the reader, the same ones for the same seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = (
    *("112 GB", "16*7e9 bytes", "16 × 7·10⁹ B", "7e9 * (2+2+4+4+4) B", "1.04e2 GiB", "≈112 GB"),
    *("112 000 000 000 bytes", "16 * 7B", "9**9**9 GB", "27.3%", "3/(8+3)", "(p-1)/(m+p-1)"),
    *("14m8s", "sqrt(2*30 s*12000 s)", "14:08", "9.35 × 10^4 GPU·h", "93,483 GPU-hours"),
    *("6*7e9*1e12 FLOP / (312 TFLOP/s * 40%)", "3.2 Tbps", "$187k", "0.187 million dollars"),
    *("1/(m+p-1)(p-1)", "2m 3m p m b h s 7B 2T k$", "max(1, min(2,3)) GB", "1.5 ×", "2h30m10s"),
    *(
        "10^{9} B",
        "1 1/2 h",
        "⌈3.2⌉ GPUs",
        "√2 s",
        "log₂(8)",
        "100*3/11 %",
        "$2/GPU-hour * 9 GPU-h",
    ),
)
ATTACKS = (
    *("__import__('os').system('id')", "().__class__.__bases__[0].__subclasses__()", "lambda: 1"),
    *("9**9**9**9**9", "1e999999999", "1" * 5000, "(" * 10_000, "-" * 10_000, "2^" * 40 + "2"),
    *("((1.0001^64)^64)^64", "exp(" * 20 + "1" + ")" * 20, "sqrt(" * 24 + "2" + ")" * 24),
    *("x" * 10**6, "1 " * 500_000, "\x00\x1b[31m", "\u202e112 GB", "𝟙𝟙𝟚 GB", "٣٤ GB", "é" * 200),
    *(
        "7B" * 30,
        "2m " * 40,
        "1 gb gbps " * 15,
        "%" * 60,
        "$" * 60,
        "1 GB/" * 20,
        "= = = =",
        "a=" * 70,
    ),
    *("1/3" + "/3" * 28, "1.1^64*" * 19 + "1", "1,000" * 30, "1 000" * 30, "0.1e-60*" * 19 + "1"),
    *(
        "flops " * 26,
        "1 flops*" * 19 + "1",
        "2b*" * 29 + "2",
        "1 TFLOPs 2 gb 3 gbps 4B 5b",
        "½" * 59,
    ),
)
ALPHABET = (
    "0123456789.,eE+-*/^%$()= _:'xXBbGgMmKkTthsdpPiNfloFLOPSGPU"
    '×·−–≈⁰⁹²³⁻½µμτΨ√⌈⌉∞\u00a0\u200b１ＧＢ٣é{}[]<>&|~"\\\t\n\x00'
)
WORDS = (
    *("GB", "GiB", "bytes", "B", "s", "min", "h", "GPU", "-hours", "FLOPs", "TFLOP/s", "per", "of"),
    *("sqrt(", "max(", "ceil(", ")", "(", "p", "m", "*", "/", "^", "%", "$", "and", "times", "= "),
    *("7e9", "1e12", "3", "0.4", "64", "1e60", "million", "k", "M", "T", " ", " ", "gbps", "flops"),
)


def texts(count: int, seed: int) -> Iterator[str]:
    """That many texts: mutations of answers, word salad, noise, and attacks now and then."""
    source = random.Random(seed)
    for number in range(count):
        kind = number % 4
        if number % 997 == 0:
            yield source.choice(ATTACKS)
        elif kind == 0:
            yield mutated(source)
        elif kind in {1, 2}:
            yield "".join(source.choices(WORDS, k=source.randint(1, 30)))
        else:
            yield "".join(source.choices(ALPHABET, k=source.randint(1, 60)))


def mutated(source: random.Random) -> str:
    """A usual answer with a few signs inserted, dropped, doubled or exchanged."""
    text = list(source.choice(SEEDS))
    for _ in range(source.randint(1, 4)):
        place = source.randrange(len(text) + 1)
        match source.randrange(4):
            case 0:
                text.insert(place, source.choice(ALPHABET))
            case 1 if place < len(text) > 1:
                del text[place]
            case 2 if place < len(text):
                text[place] = source.choice(ALPHABET)
            case _:
                text[place:place] = text[max(0, place - 3) : place]
    return "".join(text)
