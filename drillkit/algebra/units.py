"""One closed table of this field's units, enumerated with their prefixes when it is built.

Base units: byte, second, FLOP, dollar, joule, and one for each counted noun (GPU, token, ...).
A spelling that would mean two things stops the import, so a collision cannot reach an answer.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

Dimension = tuple[tuple[str, int], ...]
"""Exponents by base unit, sorted by name, without zeros: bytes a second is data 1, time -1."""

NO_DIMENSION: Dimension = ()
DATA: Dimension = (("data", 1),)
TIME: Dimension = (("time", 1),)

HARD = frozenset({"data", "time", "op", "usd", "energy"})
"""The base units proper; every other one is a counted noun, which people leave out in a formula."""


class Atom(NamedTuple):
    """One spelled unit: `GiB` is byte, prefix Gi. `remark` is said whenever it is used."""

    spelling: str
    kind: str
    prefix: str
    factor: Fraction
    dimension: Dimension
    remark: str = ""


class Unit(NamedTuple):
    """A product of powers of atoms; a value times `factor` is in base units."""

    text: str
    factor: Fraction
    dimension: Dimension
    parts: tuple[tuple[Atom, int], ...] = ()


NO_UNIT = Unit("", Fraction(1), NO_DIMENSION)


def combine(left: Dimension, right: Dimension, power: int = 1) -> Dimension:
    """The dimension of a product with the `power`-th power of the right side."""
    if not right:
        return left
    if not left and power == 1:
        return right
    total = dict(left)
    for name, exponent in right:
        total[name] = total.get(name, 0) + exponent * power
    return tuple(sorted((name, exponent) for name, exponent in total.items() if exponent))


def nouns(dimension: Dimension) -> Dimension:
    """The part of a dimension that counts things: GPUs, tokens, parameters."""
    return tuple((name, exponent) for name, exponent in dimension if name not in HARD)


def hard(dimension: Dimension) -> Dimension:
    """The part of a dimension that is measured: bytes, seconds, FLOP, dollars, joules."""
    return tuple((name, exponent) for name, exponent in dimension if name in HARD)


def has(dimension: Dimension, name: str) -> bool:
    """Whether that base unit takes part."""
    return any(part == name for part, _ in dimension)


def of_atom(atom: Atom) -> Unit:
    """The unit that is one atom."""
    return Unit(atom.spelling, atom.factor, atom.dimension, ((atom, 1),))


def times(left: Unit, right: Unit, *, power: int = 1, sign: str = "·") -> Unit:
    """The unit `left · right^power`, written with `sign` between the two."""
    written = right.text if power in {1, -1} else f"{right.text}{_raised(abs(power))}"
    if not left.text:
        text = written if power > 0 else f"1/{written}"
    else:
        text = f"{left.text}{'/' if power < 0 else sign}{written}"
    return Unit(
        text,
        left.factor * right.factor**power,
        combine(left.dimension, right.dimension, power),
        left.parts + tuple((atom, exponent * power) for atom, exponent in right.parts),
    )


def raised(unit: Unit, power: int) -> Unit:
    """The unit to a whole power from -9 to 9."""
    return Unit(
        f"{unit.text}{_raised(power)}",
        unit.factor**power,
        combine(NO_DIMENSION, unit.dimension, power),
        tuple((atom, exponent * power) for atom, exponent in unit.parts),
    )


def _raised(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


_SI = {"k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "Z": 7, "Y": 8}
_WORDS = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z"}
_BINARY_WORDS = {"kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi", "exbi": "Ei"}
_SMALL = {"m": -1, "u": -2, "n": -3}
PREFIX_FACTORS = (
    {"": Fraction(1)}
    | {name: Fraction(1000) ** order for name, order in (_SI | _SMALL).items()}
    | {f"{name[:1].upper()}i": Fraction(1024) ** order for name, order in _SI.items()}
)
_RATE: Dimension = (("data", 1), ("time", -1))
_OPS: Dimension = (("op", 1),)
_OP_RATE: Dimension = (("op", 1), ("time", -1))

SECONDS = {
    "second": Fraction(1),
    "minute": Fraction(60),
    "hour": Fraction(3600),
    "day": Fraction(86_400),
    "week": Fraction(604_800),
    "month": Fraction(31_557_600, 12),
    "year": Fraction(31_557_600),
}
"""Lengths in seconds; a year has 365.25 days. Source: IAU style manual (Julian year)."""

_TIME_SPELLINGS = {
    "second": "s sec secs second seconds",
    "minute": "min mins minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "d day days",
    "week": "wk week weeks",
    "month": "month months",
    "year": "yr yrs year years",
}
_NOUN_SPELLINGS = {
    "gpu": "GPU GPUs device devices accelerator accelerators rank ranks chip chips TPU TPUs",
    "node": "node nodes host hosts",
    "nic": "NIC NICs link links",
    "param": "param params parameter parameters weight weights",
    "token": "token tokens tok toks",
    "step": "step steps iteration iterations iter iters",
    "seq": "sequence sequences seq seqs sample samples",
    "layer": "layer layers",
    "stage": "stage stages",
    "head": "head heads",
    "microbatch": "microbatch microbatches",
    "batch": "batch batches minibatch minibatches",
    "expert": "expert experts",
    "chunk": "chunk chunks",
    "request": "request requests",
    "failure": "failure failures",
    "checkpoint": "checkpoint checkpoints",
    "value": "value values element elements",
}


def _plurals() -> dict[str, str]:
    found: dict[str, str] = {}
    for spellings in (*_TIME_SPELLINGS.values(), *_NOUN_SPELLINGS.values()):
        words = spellings.split()
        for word in words:
            found |= {word + end: word for end in ("s", "es") if word[1:] and word + end in words}
    return found


PLURALS = _plurals()
"""Each plural of a counted noun or a time with its singular: `GPUs` -> `GPU`."""


class Table:
    """Every spelling of every unit, exact and with its case folded."""

    def __init__(self) -> None:
        self.exact: dict[str, tuple[Atom, ...]] = {}
        self.folded: dict[str, tuple[Atom, ...]] = {}

    def add(self, *atoms: Atom) -> None:
        """Enter one spelling with its meanings; raises ValueError when it already has others."""
        spelling = atoms[0].spelling
        if spelling in self.exact:
            raise ValueError(f"unit {spelling!r} is defined twice")
        self.exact[spelling] = atoms
        fold = spelling.lower()
        known = self.folded.get(fold, ())
        seen = {(atom.factor, atom.dimension) for atom in known}
        fresh = tuple(atom for atom in atoms if (atom.factor, atom.dimension) not in seen)
        self.folded[fold] = known + fresh

    def add_data(self) -> None:
        """Bytes and bits, SI and binary, in symbols and words, and both a second."""
        bit = Fraction(1, 8)
        symbols = [("", ""), *((name, name) for name in _SI), ("K", "k")]
        symbols += [(f"{name[:1].upper()}i", f"{name[:1].upper()}i") for name in _SI]
        for written, prefix in symbols:
            factor = PREFIX_FACTORS[prefix]
            kilo = "K read as kilo, 1000" if written == "K" else ""
            for ending in ("B", "byte", "bytes"):
                self.add(Atom(written + ending, "byte", prefix, factor, DATA, kilo))
            for ending in ("b", "bit", "bits"):
                small = f"{written}b read as bits" if ending == "b" else kilo
                self.add(Atom(written + ending, "bit", prefix, factor * bit, DATA, small))
            self.add(Atom(f"{written}Bps", "byte", prefix, factor, _RATE, kilo))
            self.add(Atom(f"{written}bps", "bit", prefix, factor * bit, _RATE, kilo))
        for word, prefix in (_WORDS | _BINARY_WORDS).items():
            factor = PREFIX_FACTORS[prefix]
            for end in ("", "s"):
                self.add(Atom(f"{word}byte{end}", "byte", prefix, factor, DATA))
                self.add(Atom(f"{word}bit{end}", "bit", prefix, factor * bit, DATA))

    def add_time(self) -> None:
        """Durations from nanoseconds to years; `m` is left to the reader, who knows the context."""
        for kind, spellings in _TIME_SPELLINGS.items():
            for spelling in spellings.split():
                self.add(Atom(spelling, kind, "", SECONDS[kind], TIME))
        small = ("m", "milli"), ("u", "micro"), ("n", "nano")
        for prefix, word in small:
            factor = PREFIX_FACTORS[prefix]
            for spelling in (f"{prefix}s", f"{prefix}sec", f"{word}second", f"{word}seconds"):
                self.add(Atom(spelling, "second", prefix, factor, TIME))

    def add_operations(self) -> None:
        """FLOP, and FLOPS which is a rate; FLOPs and flops are a rate only where one is asked."""
        prefixes = [("", ""), *((name, name) for name in _SI), *_WORDS.items()]
        for written, prefix in prefixes:
            factor = PREFIX_FACTORS[prefix]
            for ending in ("FLOP", "flop"):
                self.add(Atom(written + ending, "flop", prefix, factor, _OPS))
            for ending in ("FLOPs", "flops"):
                spelling = written + ending
                told = f"{spelling} read as {prefix}FLOP/s, since a rate is asked"
                self.add(
                    Atom(spelling, "flop", prefix, factor, _OPS),
                    Atom(spelling, "flop", prefix, factor, _OP_RATE, told),
                )
            self.add(Atom(f"{written}FLOPS", "flop", prefix, factor, _OP_RATE))

    def add_counts(self) -> None:
        """Counted nouns, tokens and parameters with prefixes, dollars, percent and a factor."""
        for kind, spellings in _NOUN_SPELLINGS.items():
            for spelling in spellings.split():
                self.add(Atom(spelling, kind, "", Fraction(1), ((kind, 1),)))
                if kind in {"token", "param"} and not spelling.startswith("w"):
                    for prefix in ("k", "M", "G", "T"):
                        factor = PREFIX_FACTORS[prefix]
                        self.add(Atom(prefix + spelling, kind, prefix, factor, ((kind, 1),)))
        for spelling in ("$", "USD", "dollar", "dollars"):
            self.add(Atom(spelling, "dollar", "", Fraction(1), (("usd", 1),)))
        for spelling in ("%", "percent", "pct"):
            self.add(Atom(spelling, "percent", "", Fraction(1, 100), NO_DIMENSION))
        self.add(Atom("×", "factor", "", Fraction(1), NO_DIMENSION))
        gpu_time: Dimension = (("gpu", 1), ("time", 1))
        for spelling in ("GPUh", "GPUhr", "GPUhours"):
            self.add(Atom(spelling, "hour", "", SECONDS["hour"], gpu_time))

    def add_energy(self) -> None:
        """Watt-hours, watts and joules."""
        for prefix in ("", "k", "M", "G", "T"):
            factor = PREFIX_FACTORS[prefix]
            energy: Dimension = (("energy", 1),)
            watt: Dimension = (("energy", 1), ("time", -1))
            self.add(Atom(f"{prefix}J", "joule", prefix, factor, energy))
            self.add(Atom(f"{prefix}Wh", "watthour", prefix, factor * 3600, energy))
            self.add(Atom(f"{prefix}W", "watt", prefix, factor, watt))
        for spelling in ("watt", "watts"):
            self.add(Atom(spelling, "watt", "", Fraction(1), (("energy", 1), ("time", -1))))


def build_table() -> Table:
    """The closed table; raises ValueError when two units share a spelling."""
    table = Table()
    table.add_data()
    table.add_time()
    table.add_operations()
    table.add_counts()
    table.add_energy()
    return table


TABLE = build_table()
MINUTE = TABLE.exact["min"][0]
PERCENT = of_atom(TABLE.exact["%"][0])
DOLLAR = of_atom(TABLE.exact["$"][0])
