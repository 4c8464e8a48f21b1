"""Authors' formulas, equations and conditions: text to a tree. A name is always a symbol here."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from drillkit.algebra.cursor import Choices
from drillkit.algebra.expression import (
    Compare,
    Condition,
    Divides,
    Equation,
    Expression,
    Logic,
    Relation,
)
from drillkit.algebra.lexer import END, NAME, SIGN, Lexer
from drillkit.algebra.outcome import UnreadableError
from drillkit.algebra.parser import Parser
from drillkit.algebra.spelling import plain
from drillkit.algebra.vocabulary import Context

if TYPE_CHECKING:
    from collections.abc import Collection

_RELATIONS = frozenset({"<", "<=", "==", "!=", ">=", ">"})


def parse_formula(text: str, symbols: Collection[str] | None = None) -> Expression:
    """The tree of an author's formula, such as `16*P/N`.

    `symbols` are the names that may occur (None: any). Raises UnreadableError, and its kinds
    UnclearError and RejectedError.
    """
    return _parser(text, symbols).whole()


def parse_equation(text: str, symbols: Collection[str] | None = None) -> Equation:
    """The two sides of `M = 16*P/N`; raises as `parse_formula`."""
    parser = _parser(text, symbols)
    left = parser.expression(0)
    parser.expect("=")
    right = parser.expression(0)
    if parser.token.kind != END:
        raise parser.left_over()
    return Equation(left, right)


def parse_condition(text: str, symbols: Collection[str] | None = None) -> Condition:
    """A condition such as `16*P/N < 200e9 and divides(t, a)`; raises as `parse_formula`."""
    parser = _parser(text, symbols)
    condition = parser.disjunction()
    if parser.token.kind != END:
        if parser.token.text in _RELATIONS:
            raise UnreadableError(
                "two comparisons stand in one chain",
                hint="join them with and",
                at=parser.token.at,
            )
        raise parser.left_over()
    return condition


def _parser(text: str, symbols: Collection[str] | None) -> _FormulaParser:
    known = None if symbols is None else frozenset(symbols)
    tokens = Lexer(plain(text), answer=False, known=known or frozenset()).run()
    return _FormulaParser(tokens, Context(known, answer=False), Choices())


class _FormulaParser(Parser):
    """The parser of expressions with conditions on top."""

    def disjunction(self) -> Condition:
        return self._joined("or")

    def _joined(self, word: str) -> Condition:
        parts = [self._joined("and") if word == "or" else self._negation()]
        while self.token.kind == NAME and self.token.text == word:
            self.take()
            parts.append(self._joined("and") if word == "or" else self._negation())
        if len(parts) == 1:
            return parts[0]
        return Logic("or" if word == "or" else "and", tuple(parts))

    def _negation(self) -> Condition:
        if self.token.kind == NAME and self.token.text == "not":
            self.take()
            self.nest()
            inner = self._negation()
            self.depth -= 1
            return Logic("not", (inner,))
        if self.token.kind == NAME and self.token.text == "divides":
            return self._divides()
        if self.token.text == "(":
            grouped = self._group_of_conditions()
            if grouped is not None:
                return grouped
        return self._comparison()

    def _group_of_conditions(self) -> Condition | None:
        """The condition in brackets, or None when the brackets hold a term."""
        start, depth = self.at, self.depth
        try:
            self.take()
            self.nest()
            inner = self.disjunction()
            self.expect(")")
        except UnreadableError:
            self.at, self.depth = start, depth
            return None
        self.depth = depth
        return inner

    def _comparison(self) -> Condition:
        left = self.expression(0)
        token = self.token
        if token.kind != SIGN or token.text not in _RELATIONS:
            raise UnreadableError(
                "a condition needs a comparison", hint="use < <= == != >= or >", at=token.at
            )
        self.take()
        return Compare(cast("Relation", token.text), left, self.expression(0))

    def _divides(self) -> Condition:
        self.take()
        self.expect("(")
        divisor = self.expression(0)
        self.expect(",")
        dividend = self.expression(0)
        self.expect(")")
        return Divides(divisor, dividend)
