"""From the known symbols to the one that is asked for: which equation gives which symbol, in turn.

Each step uses one equation with one symbol still unknown. Where no such equation is left, the
definitions of what else is unknown are put into the others first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.expression import (
    Binary,
    Call,
    Equation,
    Expression,
    Measured,
    Name,
    Negative,
    Number,
    names,
)
from drillkit.algebra.outcome import UndefinedError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from drillkit.numeric.arithmetic import Arithmetic, N
    from drillkit.numeric.source import Source

MOST_ROUNDS = 60
LARGEST = 300


class Step(NamedTuple):
    """One symbol that becomes known, by one equation and the symbols that it `needs`.

    A `direct` equation reads `symbol = …` as it stands; any other is solved for the symbol.
    """

    symbol: str
    equation: Equation
    direct: bool
    needs: frozenset[str]

    @classmethod
    def of(cls, symbol: str, equation: Equation) -> Step:
        """Return the step that gives `symbol` by this equation."""
        direct = equation.left == Name(symbol) and symbol not in names(equation.right)
        return cls(symbol, equation, direct, names(equation) - {symbol})


Route = tuple[Step, ...]


def plan(equations: Sequence[Equation], known: Collection[str], wanted: str) -> Route | None:
    """Return the steps from `known` to `wanted`, none too many, or None where there is no way."""
    if wanted in known:
        return ()
    for tried in (equations, _inlined(equations, known, wanted)):
        steps = _chain(tried, known, wanted)
        if steps is not None:
            return _needed(steps, wanted)
    return None


def _chain(equations: Sequence[Equation], known: Collection[str], wanted: str) -> list[Step] | None:
    reached = set(known)
    steps: list[Step] = []
    for _ in range(MOST_ROUNDS):
        possible = [
            Step.of(next(iter(open_names)), equation)
            for equation in equations
            if len(open_names := names(equation) - reached) == 1
        ]
        if not possible:
            return None
        # What is asked for comes first, then what is defined, then what must be isolated.
        best = min(possible, key=lambda step: (step.symbol != wanted, not step.direct))
        steps.append(best)
        reached.add(best.symbol)
        if best.symbol == wanted:
            return steps
    return None


def _needed(steps: list[Step], wanted: str) -> Route:
    needed = {wanted}
    kept: list[Step] = []
    for step in reversed(steps):
        if step.symbol in needed:
            kept.append(step)
            needed |= step.needs
    return tuple(reversed(kept))


def _inlined(equations: Sequence[Equation], known: Collection[str], wanted: str) -> list[Equation]:
    """Put the definitions of unknown symbols into the equations that use them."""
    definitions: dict[str, Expression] = {}
    others: list[Equation] = []
    for equation in equations:
        left = equation.left
        if isinstance(left, Name) and left.name not in {*known, wanted, *definitions}:
            definitions[left.name] = equation.right
        else:
            others.append(equation)
    for _ in range(4):
        others = [
            Equation(substitute(one.left, definitions), substitute(one.right, definitions))
            for one in others
            # Definitions of definitions grow fast; no family needs formulas of this size.
            if size(one.left) + size(one.right) <= LARGEST
        ]
    return others


def size(tree: Expression) -> int:
    """How many nodes a tree has."""
    match tree:
        case Name() | Number():
            return 1
        case Negative(term) | Measured(term):
            return 1 + size(term)
        case Binary(_, left, right):
            return 1 + size(left) + size(right)
        case Call(_, parts):
            return 1 + sum(size(part) for part in parts)


def substitute(tree: Expression, meanings: Mapping[str, Expression]) -> Expression:
    """Return the tree with these symbols replaced."""
    match tree:
        case Name(name):
            return meanings.get(name, tree)
        case Number():
            return tree
        case Negative(term):
            return Negative(substitute(term, meanings))
        case Measured(term, unit):
            return Measured(substitute(term, meanings), unit)
        case Binary(sign, left, right):
            return Binary(sign, substitute(left, meanings), substitute(right, meanings))
        case Call(function, parts):
            return Call(function, tuple(substitute(part, meanings) for part in parts))


def follow(
    route: Route, values: Mapping[str, N], arithmetic: Arithmetic[N], sources: Mapping[str, Source]
) -> dict[str, N]:
    """Return what the steps of a route give, from these values of the known symbols.

    Of several solutions the one inside of the symbol's range is taken, else the smallest positive
    one. Raises `Unsolvable`, UnreadableError, ArithmeticError, or KeyError for a missing value.
    """
    known = dict(values)
    found: dict[str, N] = {}
    for step in route:
        if step.direct:
            value = arithmetic.value(step.equation.right, known)
        else:
            roots = arithmetic.solve(step.equation, step.symbol, known)
            value = _chosen(roots, sources.get(step.symbol))
        known[step.symbol] = found[step.symbol] = value
    return found


def _chosen(roots: list[N], source: Source | None) -> N:
    if len(roots) == 1:
        return roots[0]
    positive = sorted(root for root in roots if root > 0)
    if not positive:
        raise UndefinedError("the equation has no positive solution")
    if source is not None:
        inside = [root for root in positive if source.low <= root <= source.high]
        return (inside or positive)[0]
    return positive[0]
