"""What each number of a round comes to, for the facts in force and what the candidate assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drillkit.algebra.expression import Name
from drillkit.algebra.format import format_count
from drillkit.algebra.outcome import UnreadableError
from drillkit.numeric.wording import PLACEHOLDER, counted, fill, shown, suited

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from drillkit.content.round import Curveball, Fact
    from drillkit.rounds.draw import Draw

FIGURES = 3
"""To how many figures a text tells what was worked out."""


class Situation(NamedTuple):
    """Where a round stands: facts in force, what the candidate assumed, and their own numbers.

    All in base units. An assumption that is missing is the default; `numbers` are by check id.
    """

    values: Mapping[str, Fraction]
    assumed: Mapping[str, Fraction]
    numbers: Mapping[str, Fraction]


def start(draw: Draw) -> Situation:
    """Return the situation before anything was said."""
    return Situation(draw.values, {}, {})


def expected(draw: Draw, check: str, situation: Situation, *, carried: bool = True) -> Fraction:
    """Return what a check comes to, in base units.

    `carried` lets the candidate's recorded numbers stand for the checks before it, so that one
    error counts once; where they lead to no value the facts stand. Raises `UnreadableError` where
    the check itself has none.
    """
    if carried and situation.numbers:
        try:
            return value_of(draw, check, situation, carried=True)
        except (UnreadableError, ArithmeticError):
            pass
    return value_of(draw, check, situation)


def value_of(draw: Draw, symbol: str, situation: Situation, *, carried: bool = False) -> Fraction:
    """Return the value of a fact, assumption, derived value or check, in base units.

    With `carried` the candidate's numbers stand for all checks but `symbol` itself. Raises
    `UnreadableError` where there is no value.
    """
    known = known_values(draw, situation, carried=carried)
    if symbol in draw.formulas.checks:
        known.pop(symbol, None)
    return draw.formulas.value(Name(symbol), known)


def known_values(draw: Draw, situation: Situation, *, carried: bool = False) -> dict[str, Fraction]:
    """Return what formulas start from: assumptions, facts and, `carried`, recorded numbers."""
    known = {**draw.defaults, **situation.assumed, **situation.values}
    return known | dict(situation.numbers) if carried else known


def has_values(draw: Draw, situation: Situation) -> bool:
    """Tell whether all that follows from the facts and what is assumed has a value.

    Then every check can be judged and every text be filled.
    """
    try:
        draw.formulas.values(draw.formulas.trees, known_values(draw, situation))
    except (UnreadableError, ArithmeticError):
        return False
    return True


def set_facts(draw: Draw, situation: Situation, curveball: Curveball) -> Situation:
    """Return the situation after a curveball; its formulas see the facts as they were before it."""
    known = known_values(draw, situation)
    changed = {
        symbol: draw.formulas.value(draw.formulas.formula(text), known)
        for symbol, text in curveball.set
    }
    return situation._replace(values={**situation.values, **changed})


def fill_text(
    draw: Draw, text: str, situation: Situation, plan: Mapping[str, int] | None = None
) -> str:
    """Return a text with its placeholders filled from the facts, not from the candidate's numbers.

    Facts and assumptions are exact, what follows from them has 3 figures, each in its unit; counted
    nouns are left to the sentence. `plan` gives the fields of a layout. A name that is none of
    these stays as it stands. Raises `UnreadableError` for one without a value.
    """
    text = PLACEHOLDER.sub(lambda found: draw.words.get(found[1], found[0]), text)
    words = {name: str(value) for name, value in (plan or {}).items()}
    for name in PLACEHOLDER.findall(text):
        if name not in words and name in draw.units:
            words[name] = _word(draw, name, situation)
    return fill(text, words)


def _word(draw: Draw, name: str, situation: Situation) -> str:
    value, unit = value_of(draw, name, situation), draw.units[name]
    if name not in draw.formulas.trees:
        return shown(value, unit)
    if counted(unit):
        return format_count(value, FIGURES)
    return suited(value, unit, FIGURES)


def fact_text(draw: Draw, fact: Fact, situation: Situation) -> str:
    """Return what the interviewer says when asked for a fact."""
    if fact.say:
        return fill_text(draw, fact.say, situation)
    return fill_text(draw, f"{fact.name or fact.symbol}: {{{fact.symbol}}}", situation)
