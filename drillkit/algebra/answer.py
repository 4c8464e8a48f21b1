"""A typed answer against what is asked for.

The rules of reading, all in one place:

- bounds first: at most 160 characters, 60 tokens, depth 25, values within 1e±60 (`rejected`);
- what is written around the answer is dropped (`spelling`), numbers are exact (`lexer`);
- a formula with a given symbol that stands for bytes, seconds or the like has its units: `S/2` is
  in bytes, whatever unit is asked for;
- a bare number is in the unit asked for; where a percentage is asked, a plain number below 1 is the
  share itself and from 1 on it is in percent;
- a unit binds to its number, its product or its sum, whichever gives the dimension asked for; a
  word is a symbol, a unit or a scale, likewise; two different values of equal rank are `unclear`;
- the rank: the dimension asked for; the same but for counted nouns that were left out (hours for
  GPU-hours, or nouns that a formula did not carry along); a bare number; anything else, which is
  `wrong_unit`;
- less natural or lower-ranked readings are kept in `others`: the judge asks again when only such a
  reading is right;
- a scale alone (`112 M`) is invalid where bytes or seconds are asked for;
- `16*7e9 B = 112 GB` is its last side when all sides come to the same, else unclear;
- `80-112 GB` is a range or a difference: unclear;
- zero needs no unit, and keeps the one it has.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra import units
from drillkit.algebra.cursor import Choices
from drillkit.algebra.exact import bounded
from drillkit.algebra.expression import (
    Binary,
    Expression,
    Measured,
    Number,
    Quantity,
    measure,
    names,
)
from drillkit.algebra.format import (
    FIGURES,
    describe,
    format_quantity,
    format_typed,
    write_expression,
)
from drillkit.algebra.lexer import END, NUMBER, Lexer, Token
from drillkit.algebra.outcome import Outcome, RejectedError, UnclearError, UnreadableError
from drillkit.algebra.parser import Parser
from drillkit.algebra.spelling import LONGEST, bare_answer, plain
from drillkit.algebra.units import NO_DIMENSION, NO_UNIT, Dimension, Unit
from drillkit.algebra.vocabulary import SCALES, Context, unknown
from drillkit.algebra.ways import BARE, EXACT, MISMATCH, NOUNS, Way, all_ways, core

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

MOST_SIDES = 3


class Other(NamedTuple):
    """Another reading of the same text: a value in base units, `bare` when it had no unit."""

    value: Fraction
    bare: bool = False


class Reading(NamedTuple):
    """What was understood of a typed answer.

    `message` says what was read, or what is wrong and what to do. With outcome `value` the
    `quantity` holds the value in base units (in `wrong_unit` as well, with its own dimension);
    `unit` is the one unit that was typed, or none; `typed` the number in front of it and `figures`
    its significant digits where the answer is a plain number (0 otherwise); `bare` says that no
    unit stood there although one was asked for; `remarks` are the assumptions to be told.
    """

    outcome: Outcome
    message: str
    quantity: Quantity = Quantity(Fraction(0))
    tree: Expression | None = None
    unit: Unit | None = None
    typed: Fraction | None = None
    figures: int = 0
    bare: bool = False
    scaled: bool = False
    remarks: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    steps: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is a value to judge."""
        return self.outcome == "value"


def read_value(text: str) -> Quantity:
    """An author's value with its unit, such as `3.35 TB/s`, `38 %`, `1.5 ×` or `419`.

    Stricter than an answer: raises UnreadableError, and UnclearError where a word has two meanings
    (`7B`). The quantity is in base units; its `unit` is the one that was written.
    """
    context = Context(strict=True)
    ways = all_ways(_tokens(text, context), context, {})
    values = {(way.quantity.value, way.quantity.dimension) for way in ways}
    if len(values) > 1:
        raise UnclearError(f"{text.strip()} has two readings", hint="spell its unit out")
    best = ways[0]
    unit = _written_unit(best.tree)
    if unit.dimension != best.quantity.dimension:
        return best.quantity
    return Quantity(best.quantity.value, best.quantity.dimension, unit)


def _written_unit(tree: Expression) -> Unit:
    """The one unit of a value as an author writes it; `$2/GPU-hour` has its unit on two sides."""
    body = core(tree)
    if isinstance(body, Measured):
        return body.unit
    if isinstance(body, Binary) and body.sign == "/" and isinstance(body.left, Measured):
        below = body.right
        if isinstance(below, Measured) and below.term == Number(Fraction(1)):
            return units.times(body.left.unit, below.unit, power=-1)
    return NO_UNIT


@lru_cache(maxsize=512)
def parse_unit(text: str) -> Unit:
    """The unit that a text names: `GB`, `GPU-hours`, `FLOP/byte`, `%`, `×`, `` (none).

    Raises UnreadableError for a word that is not in the table.
    """
    stripped = text.strip()
    if stripped in {"", "1"}:
        return NO_UNIT
    tokens = _tokens(f"1 {stripped}", Context(expected=units.TIME))
    if tokens[0].kind != NUMBER or tokens[0].text != "1":
        raise UnreadableError(
            f"{stripped} is not a unit", hint="write a unit such as GB or TFLOP/s"
        )
    parser = Parser(tokens, Context(), Choices())
    parser.take()
    scale = Fraction(1)
    word = parser.token.text
    if word in SCALES and len(word) > 2:
        parser.take()
        scale = Fraction(10 ** SCALES[word])
    unit = parser.unit()
    if parser.token.kind != END:
        raise unknown(parser.token.text, Context(), parser.token.at)
    return Unit(stripped, unit.factor * scale, unit.dimension, unit.parts)


def read_answer(
    text: str,
    expects: Unit | str = NO_UNIT,
    *,
    values: Mapping[str, Fraction] | None = None,
    symbols: Collection[str] = (),
    carriers: frozenset[str] = frozenset(),
) -> Reading:
    """What a candidate typed, read against the unit asked for.

    `values` are the given symbols with their numbers; `symbols` others that may stay in the answer
    (then only `tree` holds it); `carriers` those of `values` that are in bytes, seconds and so on,
    so that a formula with them is in base units. Never raises on any text.
    """
    unit = parse_unit(expects) if isinstance(expects, str) else expects
    if unit.dimension and not unit.text:
        unit = unit._replace(text=describe(unit.dimension))
    known = values or {}
    context = Context(
        frozenset(known) | frozenset(symbols), expected=unit.dimension, formula=bool(symbols)
    )
    dashed = not _DASHES.isdisjoint(text[:LONGEST])
    try:
        sides = _EQUALS.split(bare_answer(plain(text)))
        if len(sides) == 1 or context.formula:
            tokens = _lexed("=".join(sides), context)
            return _reading(tokens, context, unit, known, carriers, dashed=dashed)
        if len(sides) > MOST_SIDES:
            raise RejectedError(
                f"there are more than {MOST_SIDES} sides of =", hint="give the last one only"
            )
        readings = [
            _reading(_lexed(side, context), context, unit, known, carriers, dashed=dashed)
            for side in sides
        ]
    except UnreadableError as error:
        return Reading(error.outcome, error.message)
    return _agreed(readings)


_DASHES = frozenset("–—")
_EQUALS = re.compile(r"(?<![<>!=])=(?!=)")


def _agreed(readings: list[Reading]) -> Reading:
    """The last side of `16*7e9 B = 112 GB`, when the others come to the same."""
    last = readings[-1]
    value = last.quantity.value
    for reading in readings[:-1]:
        if last.outcome == "value" and reading.outcome == "value":
            sides = [reading.quantity.value, *(other.value for other in reading.others)]
            if not any(abs(side - value) <= abs(value) * _SAME for side in sides):
                return Reading("unclear", "the two sides of = differ: give one value")
    return last


_SAME = Fraction(5, 100)
"""How far the sides of an equation may be apart: people round on the way."""


def _tokens(text: str, context: Context) -> tuple[Token, ...]:
    return _lexed(bare_answer(plain(text)), context)


def _lexed(text: str, context: Context) -> tuple[Token, ...]:
    return Lexer(text, answer=True, known=context.known).run()


def _reading(
    tokens: tuple[Token, ...],
    context: Context,
    unit: Unit,
    values: Mapping[str, Fraction],
    carriers: frozenset[str],
    *,
    dashed: bool,
) -> Reading:
    ways = all_ways(tokens, context, values)
    steps = sum(way.parser.steps for way in ways)
    best = ways[0]
    _refuse_range(best.tree, tokens, dashed=dashed)
    if names(best.tree) - values.keys():
        return _symbolic(best, ways, steps)
    equals = [way for way in ways if (way.rank, way.penalty) == (best.rank, best.penalty)]
    differing = {(way.quantity.value, way.quantity.dimension): way for way in equals}
    if len(differing) > 1 and best.rank < MISMATCH:
        first, second, *_ = differing.values()
        raise UnclearError(
            f"this is {_shown(first, unit)} or {_shown(second, unit)}", hint="add brackets"
        )
    if best.rank == MISMATCH:
        return _mismatch(best, unit, steps)
    return _valued(best, ways, unit, carriers, steps)


def _shown(way: Way, unit: Unit) -> str:
    return format_quantity(way.quantity, unit if way.rank == EXACT else None)


def _refuse_range(tree: Expression, tokens: tuple[Token, ...], *, dashed: bool) -> None:
    """Raise UnclearError for two plain rising numbers joined by a dash, as in `80-112 GB`."""
    body = tree.term if isinstance(tree, Measured) else tree
    if not isinstance(body, Binary) or body.sign != "-" or not isinstance(body.left, Number):
        return
    right = body.right.term if isinstance(body.right, Measured) else body.right
    unit = next((one.unit for one in (tree, body.right) if isinstance(one, Measured)), NO_UNIT)
    united = unit.text != "" or dashed
    rest = unit.text == "%" and body.left.value == 1
    if isinstance(right, Number) and united and not rest and 0 < body.left.value < right.value:
        raise UnclearError(
            "this is a range or a difference", hint="give one value", at=tokens[0].at
        )


def _symbolic(best: Way, ways: list[Way], steps: int) -> Reading:
    if any(one.dimension for one in best.parser.used):
        return Reading(
            "wrong_unit", f"read as {write_expression(best.tree)}: give the formula without units"
        )
    trees = {way.tree for way in ways if way.penalty == best.penalty and way.rank == best.rank}
    if len(trees) > 1:
        raise UnclearError("this formula has two readings", hint="write * between the factors")
    return Reading(
        "value",
        f"read as {write_expression(best.tree)}",
        tree=best.tree,
        remarks=tuple(best.parser.remarks),
        steps=steps,
    )


def _mismatch(best: Way, unit: Unit, steps: int) -> Reading:
    got = format_quantity(best.quantity)
    asked = "a plain number is asked for: leave the unit out"
    if unit.text:
        asked = f"{unit.text} is asked for: give the answer in {unit.text}"
    return Reading(
        "wrong_unit",
        f"read as {got}, but {asked}",
        quantity=best.quantity,
        tree=best.tree,
        remarks=tuple(best.parser.remarks),
        steps=steps,
    )


def _valued(
    best: Way, ways: list[Way], unit: Unit, carriers: frozenset[str], steps: int
) -> Reading:
    parser = best.parser
    remarks = list(parser.remarks)
    value = best.quantity.value
    percent = unit.dimension == NO_DIMENSION and unit.factor != 1
    plain_number = _plain(best.tree, parser)
    bare = best.rank == BARE or (percent and not parser.used)
    others: list[Other] = []
    if bare and carriers and names(best.tree) & carriers:
        # Who converts by hand, as in 16*P/N/1e9, means a number in the unit asked for.
        others.append(Other(bounded(value * unit.factor)))
    elif best.rank == BARE:
        if parser.scaled and value and _measured_only(unit.dimension):
            raise UnreadableError(
                "the unit is missing after the scale", hint=f"write it out, as in 5 {unit.text}"
            )
        others.append(Other(value))
        value = bounded(value * unit.factor)
        if value:
            remarks.append(f"no unit given: read in {unit.text}")
    elif best.rank == NOUNS and value and not _only_per(best.quantity.dimension, unit):
        remarks.append(f"taken in {unit.text}")
    elif bare and value:
        in_percent = bounded(value * unit.factor)
        if abs(value) >= 1:
            others.append(Other(value))
            value = in_percent
            remarks.append(f"read in {unit.text}")
        else:
            others.append(Other(in_percent, bare=True))
    others += [
        Other(way.quantity.value, bare=way.rank == BARE)
        for way in ways[1:]
        if way.rank != MISMATCH and way.quantity.value not in {best.quantity.value, value}
    ]
    used = {one.text: one for one in parser.used}
    typed_unit = next(iter(used.values())) if len(used) == 1 else None
    quantity = Quantity(value, unit.dimension, unit)
    typed, figures = plain_number or (None, 0)
    message = f"read as {_echo(quantity, typed, figures, typed_unit)}"
    return Reading(
        "value",
        message,
        quantity=quantity,
        tree=best.tree,
        unit=typed_unit,
        typed=typed,
        figures=figures,
        bare=bare,
        scaled=parser.scaled,
        remarks=tuple(remarks),
        others=tuple(others),
        steps=steps,
    )


def _only_per(dimension: Dimension, unit: Unit) -> bool:
    """Whether only a "per GPU" was left out, which the question says, or a noun in a formula."""
    left_out = units.combine(unit.dimension, dimension, -1)
    return all(power < 0 for _, power in left_out)


def _echo(quantity: Quantity, typed: Fraction | None, figures: int, typed_unit: Unit | None) -> str:
    """What was read, in the unit typed and in the unit asked for."""
    unit = quantity.unit or NO_UNIT
    if typed is not None and typed_unit is not None and typed_unit.factor != unit.factor:
        own = format_typed(typed, typed_unit, figures)
        return f"{own} = {format_quantity(quantity, figures=4, padded=True)}"
    asked = format_quantity(quantity, figures=max(FIGURES, min(figures, 8)))
    size = abs(quantity.value / unit.factor)
    if size and not Fraction(1, 1000) <= size < 10**6 and units.hard(unit.dimension):
        own = format_quantity(Quantity(quantity.value, quantity.dimension))
        return asked if own == asked else f"{own} = {asked}"
    return asked


def _measured_only(dimension: Dimension) -> bool:
    """Whether bytes or seconds, and nothing that is counted in millions, are asked for."""
    return bool(dimension) and all(name in {"data", "time"} for name, _ in dimension)


def _plain(tree: Expression, parser: Parser) -> tuple[Fraction, int] | None:
    """The number and its figures when the answer is one number; `1.1·10²` is one as well."""
    body = core(tree)
    if isinstance(body, Measured):
        body = core(body.term)
    numbers = [token for token in parser.tokens if token.kind == NUMBER]
    if isinstance(body, Number) and len(numbers) == 1:
        return body.value, numbers[0].figures
    if isinstance(body, Binary) and body.sign == "*" and len(numbers) == 3:
        right = body.right.term if isinstance(body.right, Measured) else body.right
        if isinstance(right, Binary) and right.sign == "^" and right.left == Number(Fraction(10)):
            return measure(Binary("*", body.left, right), {}).value, numbers[0].figures
    return None
