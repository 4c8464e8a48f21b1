"""Every way through an ambiguous text, each with its value and how well it fits what is asked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra import units
from drillkit.algebra.cursor import Choices
from drillkit.algebra.expression import Expression, Measured, Negative, Quantity, measure, names
from drillkit.algebra.outcome import UnclearError, UnreadableError
from drillkit.algebra.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.algebra.lexer import Token
    from drillkit.algebra.units import Dimension
    from drillkit.algebra.vocabulary import Context

MOST_WAYS = 24
MOST_STEPS = 480
"""How many ways through an ambiguous text are tried, and how many tokens are taken on all of them
together (8 ways through the longest text, 24 through 20 tokens); past that it is unclear."""

EXACT, NOUNS, BARE, MISMATCH = range(4)


class Way(NamedTuple):
    """One way through the text, with its value and how well it fits."""

    rank: int
    penalty: int
    quantity: Quantity
    tree: Expression
    parser: Parser


def all_ways(
    tokens: tuple[Token, ...],
    context: Context,
    values: Mapping[str, Fraction],
) -> list[Way]:
    """Every way through the tokens that has a value, best first; raises when there is none."""
    found: list[Way] = []
    errors: list[UnreadableError] = []
    way: list[int] | None = []
    steps = 0
    for _ in range(MOST_WAYS):
        choices = Choices(way or ())
        parser = Parser(tokens, context, choices)
        try:
            tree = parser.whole()
            free = names(tree) - values.keys()
            quantity = Quantity(Fraction(0)) if free else measure(tree, values)
            rank = EXACT if free else fit(quantity, context.expected, tree)
            found.append(Way(rank, parser.penalty, quantity, tree, parser))
        except UnreadableError as error:
            errors.append(error)
        way = choices.next()
        steps += parser.steps
        if way is None:
            break
        if steps > MOST_STEPS - len(tokens):
            raise _too_many()
    else:
        raise _too_many()
    if not found:
        # The first way is the natural one, but an unclear one says more than an invalid one.
        raise next((one for one in errors if one.outcome == "unclear"), errors[0])
    return sorted(found, key=lambda one: (one.rank, one.penalty))


def _too_many() -> UnclearError:
    return UnclearError("there are too many ways to read this", hint="write it with brackets")


def fit(quantity: Quantity, expected: Dimension, tree: Expression) -> int:
    """How well a dimension fits the one asked for."""
    dimension = quantity.dimension
    if dimension == expected:
        return EXACT
    literal = isinstance(core(tree), Measured)
    if not dimension:
        # 112 % is no number of bytes, and zero keeps its unit.
        return MISMATCH if literal else BARE
    if units.hard(dimension) == units.hard(expected):
        ours, theirs = dict(units.nouns(dimension)), dict(units.nouns(expected))
        missing = any(ours.get(name) != power for name, power in theirs.items())
        surplus = [power for name, power in ours.items() if theirs.get(name) != power]
        per = all(power < 0 for power in surplus)
        if not surplus or (not missing and (per or not literal)):
            return NOUNS
    return MISMATCH


def core(tree: Expression) -> Expression:
    """The tree under its minus signs."""
    while isinstance(tree, Negative):
        tree = tree.term
    return tree
