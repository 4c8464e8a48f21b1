"""A Pratt parser for formulas, conditions and answers.

Where an answer has several readings the parser asks `Choices`, and the reader runs it again for
every other choice. How a unit binds is one such choice: tightly to its number, to the product on
its left, or to the whole sum. A formula of an author never asks: a name is a symbol, units do not
occur.
"""

from __future__ import annotations

from fractions import Fraction

from drillkit.algebra import units
from drillkit.algebra.exact import bounded
from drillkit.algebra.expression import (
    FUNCTIONS,
    ONE_ARGUMENT,
    Binary,
    Call,
    Expression,
    Measured,
    Name,
    Negative,
    Number,
)
from drillkit.algebra.lexer import CLOCK, END, NAME, NUMBER, SIGN
from drillkit.algebra.outcome import UnclearError, UnreadableError
from drillkit.algebra.unit_parser import UnitParser
from drillkit.algebra.vocabulary import (
    LINKS,
    symbol,
    unit_meanings,
    unknown,
)

SUM, PRODUCT, MINUS, POWER, SCALE = 40, 50, 60, 80, 90
TIGHT, LOOSE, LOOSEST = 65, 49, 39
PERCENT_BINDS = 70


def is_plain(tree: Expression) -> bool:
    """Whether it is one number, with or without a unit."""
    return isinstance(tree.term if isinstance(tree, Measured) else tree, Number)


class Parser(UnitParser):
    """One pass over the tokens of an expression."""

    def whole(self) -> Expression:
        """The expression that all tokens make; raises when something is left over."""
        if self.token.kind == END:
            raise UnreadableError("there is nothing to read", hint="type a number and its unit")
        tree = self.expression(0)
        if self.token.kind != END:
            raise self.left_over()
        return tree

    def expression(self, floor: int) -> Expression:
        """Everything that binds tighter than `floor`."""
        left = self.operand(floor)
        divided = False
        while True:
            binds = self.binds(floor)
            if binds <= floor:
                return left
            token = self.token
            if binds == PRODUCT and token.text not in {"*", "/", "per", "of", "times"}:
                if divided:
                    raise UnclearError(
                        "a/b(c) can be read in two ways",
                        hint="add brackets: a/(b*c) or (a/b)*c",
                        at=token.at,
                    )
                right = self.expression(PRODUCT)
                if is_plain(left) and is_plain(right):
                    raise UnclearError(
                        "two values stand side by side", hint="write * or give one", at=token.at
                    )
                left = Binary("*", left, right)
                continue
            divided = binds == PRODUCT and token.text in {"/", "per"}
            left = self.extended(left, binds)

    def extended(self, left: Expression, binds: int) -> Expression:
        """The left side together with the operation that follows it."""
        token = self.token
        if binds in {TIGHT, LOOSE, LOOSEST, PERCENT_BINDS}:
            return self.measured(left)
        if binds == SCALE:
            meaning = self.meanings[self.at]
            self.take()
            self.scaled = True
            if isinstance(left, Number):
                return Number(bounded(left.value * meaning.factor))
            return Binary("*", left, Number(meaning.factor))
        self.take()
        if binds == POWER:
            self.nest()
            right = self.expression(POWER - 1)
            self.depth -= 1
            return Binary("^", left, right)
        if token.text == "+":
            self.sums += 1
            return Binary("+", left, self.expression(SUM))
        if token.text == "-":
            self.sums += 1
            return Binary("-", left, self.expression(SUM))
        return Binary("/" if token.text in {"/", "per"} else "*", left, self.expression(PRODUCT))

    def binds(self, floor: int) -> int:
        """How tightly the next token binds to what is on its left; 0 where it does not."""
        token = self.token
        if token.kind == SIGN:
            text = token.text
            if text in "+-":
                return SUM
            if text in "*/(":
                return PRODUCT
            if text == "^":
                return POWER
            if text == "%":
                return self.percent_binds(floor)
            if text == "$" and self.context.answer:
                return self.unit_binds(floor)
            return 0
        if token.kind == NAME:
            return self.name_binds(floor)
        return 0

    def name_binds(self, floor: int) -> int:
        """The same for a word: a link, a function, a symbol, a scale or a unit."""
        text = self.token.text
        if text in LINKS:
            return self.link_binds(text)
        if self.peek().text == "(" and text.lower() in FUNCTIONS:
            return PRODUCT
        meaning = self.meaning()
        if meaning.kind == "symbol":
            return PRODUCT
        if meaning.kind == "scale":
            return SCALE
        if meaning.atom is not None and meaning.atom.kind == "percent":
            return self.percent_binds(floor)
        return self.unit_binds(floor)

    def link_binds(self, text: str) -> int:
        """`per` divides, `times` multiplies, and `of` does so after a percentage."""
        if not self.context.answer:
            return 0
        before = self.tokens[self.at - 1].text
        if text == "per" or (text == "of" and before in {"%", "percent", "pct"}):
            return PRODUCT
        if text == "times":
            return PRODUCT
        return 0

    def unit_binds(self, floor: int) -> int:
        """How tightly units bind in this way through the text."""
        if not self.binding:
            if floor < SUM:
                return TIGHT
            ways = [TIGHT]
            if floor >= PRODUCT:
                ways.append(LOOSE)
            if self.sums:
                ways.append(LOOSEST)
            self.binding = ways[self.choices.pick(len(ways))] if len(ways) > 1 else TIGHT
        # A power and a minus take their unit from outside: 10^22 FLOP, -5 GB.
        return self.binding

    def percent_binds(self, floor: int) -> int:
        """% binds to its number; only at the end of a plain product may it mean all of it."""
        last = self.peek().kind == END
        if not self.context.answer or floor != PRODUCT or not last or self.used or self.sums:
            return PERCENT_BINDS
        if not self.binding:
            self.binding = (PERCENT_BINDS, LOOSE)[self.choices.pick(2)]
        return self.binding

    def measured(self, left: Expression) -> Expression:
        """The left side with the unit that follows, and the rest of a duration after it."""
        unit = self.unit()
        self.used.append(unit)
        tree: Expression = Measured(left, unit)
        plain = isinstance(left, Number)
        while plain and unit.dimension == units.TIME and self.part_follows():
            if self.token.text == "and":
                self.take()
            number = self.take()
            part = self.unit()
            if part.dimension != units.TIME or part.factor >= unit.factor:
                raise UnreadableError(
                    "the parts of a duration do not go down",
                    hint="write hours, then minutes, then seconds",
                    at=number.at,
                )
            self.remark(number.remark)
            tree = Binary("+", tree, Measured(Number(number.value), part))
            unit = part
        return tree

    def operand(self, floor: int) -> Expression:
        """What an expression starts with."""
        token = self.token
        if token.kind == NUMBER:
            self.take()
            self.remark(token.remark)
            return Number(token.value)
        if token.kind == CLOCK:
            self.take()
            second = units.of_atom(units.TABLE.exact["s"][0])
            self.used.append(second)
            return Measured(Number(token.value), second)
        if token.kind == NAME:
            return self.named()
        if token.text in {"-", "+"}:
            self.take()
            self.nest()
            term = self.expression(max(MINUS, floor))
            self.depth -= 1
            return Negative(term) if token.text == "-" else term
        if token.text == "(":
            return self.group()
        if token.text == "$" and self.context.answer:
            return self.dollars()
        if token.kind == END:
            raise UnreadableError("the end comes too early", hint="finish the text", at=token.at)
        raise UnreadableError(
            f"{token.text} stands where a number should be", hint="check the text", at=token.at
        )

    def group(self) -> Expression:
        """What stands in brackets."""
        self.take()
        self.nest()
        sums, self.sums = self.sums, 0
        tree = self.expression(0)
        self.sums = sums
        self.depth -= 1
        if self.token.text == ",":
            raise UnclearError("a comma stands in brackets", hint="use a point", at=self.token.at)
        self.expect(")")
        return tree

    def dollars(self) -> Expression:
        """An amount with its sign in front: $187k."""
        self.take()
        self.used.append(units.DOLLAR)
        minus = self.token.text == "-"
        if minus:
            self.take()
        if self.token.kind != NUMBER:
            raise UnreadableError("$ needs a number", hint="write $187,000", at=self.token.at)
        amount = self.expression(POWER - 1)
        if self.token.text in {"USD", "dollars"}:
            self.take()
        return Measured(Negative(amount) if minus else amount, units.DOLLAR)

    def named(self) -> Expression:
        """A word where a value starts: a function, a symbol, or a unit after * or /."""
        token = self.token
        text = token.text
        if text.lower() in FUNCTIONS and text not in self.context.known:
            return self.call()
        if text in LINKS:
            raise UnreadableError(
                f"{text} stands where a number should be", hint="check it", at=token.at
            )
        if text in self.context.known or self.context.symbols is None:
            self.take()
            if self.context.symbols is None and self.token.text == "(":
                raise UnreadableError(
                    f"{text} is not a function",
                    hint=f"the functions are {', '.join(sorted(FUNCTIONS))}",
                    at=token.at,
                )
            return Name(text)
        found = symbol(text, self.context)
        if found:
            self.take()
            self.remark(found.remark)
            return Name(found.name)
        if not self.context.answer or self.context.formula:
            raise unknown(text, self.context, token.at)
        if text == "USD" and self.peek().kind == NUMBER:
            return self.dollars()
        if unit_meanings(text, self.context):
            if self.at == 0 or self.tokens[self.at - 1].text not in {"*", "/", "per", "(", "times"}:
                raise UnreadableError(
                    f"a number is missing before {text}", hint=f"write 1 {text}", at=token.at
                )
            atom = self.taken_atom()
            unit = self.factor(atom)
            self.used.append(unit)
            return Measured(Number(Fraction(1)), unit)
        raise unknown(text, self.context, token.at)

    def call(self) -> Expression:
        """A function with its arguments; √ may stand before a single number or name."""
        token = self.take()
        function = token.text.lower()
        if function != token.text:
            self.remark(f"{token.text} read as {function}")
        if self.token.text != "(":
            if function == "sqrt" and self.token.kind in {NUMBER, NAME}:
                return Call(function, (self.expression(PERCENT_BINDS),))
            raise unknown(token.text, self.context, token.at)
        self.take()
        self.nest()
        sums, self.sums = self.sums, 0
        arguments = [self.expression(0)]
        while self.token.text == ",":
            self.take()
            arguments.append(self.expression(0))
        self.sums = sums
        self.depth -= 1
        self.expect(")")
        if function in ONE_ARGUMENT and len(arguments) > 1:
            raise UnreadableError(
                f"{function} takes one argument", hint="check the commas", at=token.at
            )
        return Call(function, tuple(arguments))
