"""What a word means where it stands: a symbol of the problem, a unit, a scale, a function.

The field's symbols look like units (`h s b m d B N`). In an author's formula a name is always the
symbol. In an answer it is the symbol where it stands alone; after a number it may be the unit or a
factor, and every meaning is tried. Case is folded only where no exact spelling exists.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, NamedTuple

from drillkit.algebra.expression import FUNCTIONS
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.units import (
    MINUTE,
    NO_DIMENSION,
    TABLE,
    TIME,
    Atom,
    Dimension,
    has,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

SCALES = {
    "k": 3,
    "thousand": 3,
    "M": 6,
    "million": 6,
    "millions": 6,
    "mn": 6,
    "B": 9,
    "bn": 9,
    "billion": 9,
    "billions": 9,
    "T": 12,
    "tn": 12,
    "trillion": 12,
    "trillions": 12,
}
LINKS = frozenset({"per", "of", "times", "and", "or", "not"})
"""Words with a meaning of their own; they are never symbols or units."""

_MINUTE_REMARK = "m read as minutes"


class Context(NamedTuple):
    """What the reader knows: the symbols (None: every name is one), and what is asked for.

    `formula` says that a formula in the symbols is asked for, so that no unit is expected; `strict`
    that an author writes, who spells k, M, B and T as they are.
    """

    symbols: frozenset[str] | None = frozenset()
    answer: bool = True
    expected: Dimension = NO_DIMENSION
    formula: bool = False
    strict: bool = False

    @property
    def known(self) -> frozenset[str]:
        """The symbols, none where every name is one."""
        return self.symbols or frozenset()


class Meaning(NamedTuple):
    """One way to read a word; a higher `penalty` is the less natural way."""

    kind: Literal["symbol", "unit", "scale"]
    name: str
    atom: Atom | None = None
    factor: Fraction = Fraction(1)
    remark: str = ""
    penalty: int = 0


def symbol(name: str, context: Context) -> Meaning | None:
    """The symbol of that name, exact or with its case folded when only one has it so."""
    if context.symbols is None or name in context.symbols:
        return Meaning("symbol", name)
    if not context.answer:
        return None
    folded = [known for known in context.symbols if known.lower() == name.lower()]
    if len(folded) == 1:
        return Meaning("symbol", folded[0], remark=f"{name} read as {folded[0]}")
    return None


def unit_meanings(name: str, context: Context, *, compound: bool = False) -> list[Meaning]:
    """The units that a word can be, the natural one first."""
    if name == "m":
        if not has(context.expected, "time"):
            return []
        remark = "" if compound else _MINUTE_REMARK
        return [Meaning("unit", name, MINUTE, remark=remark)]
    exact = TABLE.exact.get(name)
    if exact:
        return [Meaning("unit", name, atom, remark=atom.remark) for atom in exact]
    folded = TABLE.folded.get(name.lower(), ())
    # gb is a byte unit, gbps a network rate: the usual reading first, the other one kept.
    bits_first = name.lower().endswith("bps")
    kinds = {atom.kind for atom in folded}
    return [
        Meaning(
            "unit",
            name,
            atom,
            remark=atom.remark if atom.kind == "flop" else f"{name} read as {atom.spelling}",
            penalty=int(len(kinds) > 1 and (atom.kind == "bit") != bits_first),
        )
        for atom in sorted(folded, key=lambda atom: (atom.kind == "bit") != bits_first)
    ]


def scale_meaning(name: str, context: Context) -> Meaning | None:
    """The power of ten that a word stands for: k, M, B, T, million and so on."""
    power = SCALES.get(name)
    remark = ""
    if power is None:
        power = SCALES.get(name.lower() if len(name) > 1 or name == "K" else name.upper())
        minutes = name == "m" and _time_only(context.expected)
        if power is None or minutes or context.strict:
            return None
        remark = f"{name} read as {_WORD[power]}"
    return Meaning("scale", name, factor=Fraction(10**power), remark=remark)


def _time_only(dimension: Dimension) -> bool:
    """Whether m means minutes and never millions there; GPU-hours are counted in millions."""
    return has(dimension, "time") and not has(dimension, "gpu")


_WORD = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def after_value(
    name: str, context: Context, *, compound: bool, unit_follows: bool, after_symbol: bool
) -> Sequence[Meaning]:
    """Every meaning of a word right after a number or a bracket; raises UnreadableError for none.

    `compound` says that a duration goes on (`14m8s`); `unit_follows` that a unit comes next, so
    that `7B params` can only be billions. After another symbol, and where a formula is asked for,
    a symbol is nothing else.
    """
    exact_symbol = name in context.known
    found: list[Meaning] = [Meaning("symbol", name)] if exact_symbol else []
    if exact_symbol and (after_symbol or context.formula):
        return found
    folded = symbol(name, context)
    if folded and context.formula:
        return [folded]
    units = unit_meanings(name, context, compound=compound)
    scale = scale_meaning(name, context)
    if scale and unit_follows and not compound and not has_exact_time(name):
        return [scale]
    found += units
    if scale:
        exact_unit = bool(units) and name in TABLE.exact
        data = has(context.expected, "data")
        if name in {"B", "b"}:
            # B is billions unless bytes are expected; the other reading is kept.
            if data:
                found.append(_less_natural(scale))
            else:
                found = [_less_natural(one) if one.kind == "unit" else one for one in found]
                found.append(scale)
        elif not exact_unit and (not found or scale.remark == ""):
            found.append(scale)
    if found:
        return found
    if folded:
        return [folded]
    raise unknown(name, context)


def has_exact_time(name: str) -> bool:
    """Whether the word is a unit of time as spelled."""
    return any(atom.dimension == TIME for atom in TABLE.exact.get(name, ()))


def _less_natural(meaning: Meaning) -> Meaning:
    return Meaning(
        meaning.kind, meaning.name, meaning.atom, meaning.factor, meaning.remark, penalty=1
    )


def unknown(name: str, context: Context, at: int = 0) -> UnreadableError:
    """The error for a word without a meaning; it guesses what was meant."""
    lower = name.lower()
    if lower in {"nan", "inf", "infinity", "infinite"}:
        return UnreadableError(f"{name} is not a number", hint="write a finite number", at=at)
    if lower == "e":
        return UnreadableError(
            "e is not a number here", hint="write 1.5e3 without spaces, or exp(1)", at=at
        )
    if name in {"G", "P", "M", "K", "k", "T", "m"}:
        wanted = "MB or min" if name in {"M", "m"} else f"{name}B"
        return UnreadableError(f"{name} of what", hint=f"write the unit, such as {wanted}", at=at)
    if lower in {"log", "log10", "lg"}:
        return UnreadableError(f"{name} has several bases", hint="write ln or log2", at=at)
    if lower in {"or", "to", "and"}:
        return UnreadableError(f"{name} makes two answers", hint="give one value", at=at)
    known = sorted(context.known)
    if lower in FUNCTIONS:
        return UnreadableError(f"{name} needs brackets", hint=f"write {lower}(…)", at=at)
    if known and _is_product(name, context.known):
        letters = "*".join(name)
        return UnreadableError(f"{name} is not one name here", hint=f"write {letters}", at=at)
    hint = f"the names here are {', '.join(known)}" if known else "write numbers and units"
    return UnreadableError(
        f"{name[:24]} is not a name or a unit that is read here", hint=hint, at=at
    )


def _is_product(name: str, known: frozenset[str]) -> bool:
    return len(name) > 1 and all(letter in known for letter in name)
