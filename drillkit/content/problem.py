"""A numeric problem family, as its author writes it.

Everything here is text as typed; `problem_reading` has checked that each formula and value can be
read. What is drawn, solved and judged with it is the business of `numeric`.
"""

from __future__ import annotations

import msgspec

from drillkit.content.cards import DEFAULT_ORDER

PROBLEM_DECK = "problems"
"""The deck name under which families are reviewed: a family's item is `problems/<id>`."""

DEFAULT_WITHIN = "2%"
"""The tolerance of an answer that is not rounded; a rounded one is exact."""

DEFAULT_SECONDS = 120


class Given(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A symbol whose value the question states, and where the value comes from.

    One of `values` (key `from`), `powers_of_2` (low, high), `range` (low, high; on a grid of
    `step`, two-digit numbers spread evenly over the orders of magnitude with `log`, else nice
    round numbers) or `formula` (of other symbols, in base units); a preset comes before them.
    With none of these the value is worked out from the equations. Values are in `unit` unless
    they carry their own.
    """

    symbol: str
    name: str = ""
    unit: str = ""
    values: tuple[str, ...] = msgspec.field(default=(), name="from")
    powers_of_2: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    step: str = ""
    log: bool = False
    nice: bool = False
    exclude: tuple[str, ...] = ()
    formula: str = ""

    @property
    def sampled(self) -> bool:
        """Whether it has a source of its own, so that no preset is needed."""
        return bool(self.values or self.powers_of_2 or self.range or self.formula)


class Preset(msgspec.Struct, frozen=True):
    """A real model or accelerator: values for several symbols at once, as (symbol, value)."""

    name: str
    values: tuple[tuple[str, str], ...]


class PresetGroup(msgspec.Struct, frozen=True, omit_defaults=True):
    """Presets of which each variant draws one; `{group}` in a text is the drawn one's name.

    `known` are names that drillkit has the numbers of, `own` are written out by the author.
    """

    group: str
    known: tuple[str, ...] = ()
    own: tuple[Preset, ...] = ()


class Find(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A symbol that can be asked for.

    The answer is in `unit`, right `within` a relative tolerance or `exact`ly, after `round`ing up,
    down or to the nearest whole. With `fit` the symbol is the room that is left in that limit (a
    formula): the answer is yes or no and by how much, the tolerance is relative to the limit.
    `where` and `hints` are this question's own, beside those of the family; answers are positive
    unless `negative` allows others.
    """

    symbol: str
    ask: str
    name: str = ""
    unit: str = ""
    within: str = ""
    round: str = ""
    fit: str = ""
    negative: bool = False
    where: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def tolerance(self) -> str:
        """The tolerance as text: `2%`, or `exact`."""
        return self.within or ("exact" if self.round else DEFAULT_WITHIN)


class Slip(msgspec.Struct, frozen=True, omit_defaults=True):
    """A mistake with a name: wrong formulas as (symbol, formula), and what to say to it.

    A formula for the symbol that is asked for is the wrong answer itself; for a symbol that an
    equation defines it takes that equation's place; for a given one it takes the place of its
    value. Whatever is asked is then worked out with it, unless `only` names other questions.
    """

    id: str
    says: str
    formulas: tuple[tuple[str, str], ...]
    only: tuple[str, ...] = ()


class Example(msgspec.Struct, frozen=True):
    """Numbers from a source that the family must reproduce: (symbol, value) in and out."""

    given: tuple[tuple[str, str], ...]
    expect: tuple[tuple[str, str], ...]
    source: str
    within: str = ""


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One family of problems; each draw has other numbers.

    `item` is the identity under which its history is kept, `seconds` the time it should take.
    """

    id: str
    title: str
    given: tuple[Given, ...]
    find: tuple[Find, ...]
    equations: tuple[str, ...]
    line: int = 0
    presets: tuple[PresetGroup, ...] = ()
    where: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()
    examples: tuple[Example, ...] = ()
    hints: tuple[str, ...] = ()
    why: str = ""
    source: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    figure: str = ""
    seconds: int = DEFAULT_SECONDS
    was: tuple[str, ...] = ()

    @property
    def item(self) -> str:
        """The family's identity, under which its history is kept."""
        return f"{PROBLEM_DECK}/{self.id}"

    def asked(self, symbol: str) -> Find:
        """Return the question that asks for `symbol`; raises KeyError where there is none."""
        for find in self.find:
            if find.symbol == symbol:
                return find
        raise KeyError(symbol)


class ProblemSet(msgspec.Struct, frozen=True, omit_defaults=True):
    """The families of one file, its topic; `path` is the file they were read from.

    Among decks and topics, those with the lowest `order` are studied first.
    """

    title: str
    path: str
    tags: tuple[str, ...] = ()
    order: int = DEFAULT_ORDER
    problems: tuple[Problem, ...] = ()
