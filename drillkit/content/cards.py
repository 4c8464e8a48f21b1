"""The kinds of card, as their authors write them.

Each kind is one frozen struct: its fields are the keys of the YAML file, its `faults` are the rules
that its author can break, and `answer_lines` is the answer as plain text. How a card is drawn and
graded is the business of `review`.
"""

# Annotations are no strings here: msgspec would read them anew for each kind, at every start.
import re
from collections.abc import Collection, Iterator
from typing import ClassVar

import msgspec

from drillkit.errors import DrillkitError

DEFAULT_ORDER = 500
MAX_CHOICES = 5  # one key each, 1 to 5
GAP = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)

# What is wrong with a card: the key it is about, the sentence, the hint.
Fault = tuple[str, str, str]


class Card(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True, gc=False
):
    """What every kind of card has.

    `deck` and `line` are filled in by the reader; `tags` hold the deck's tags as well; `after` and
    `was` are item ids (`deck/card`), `group` is a name within the deck. Each `drill` is the id
    of a problem family, a round or a figure.
    """

    default_ask: ClassVar[str] = ""

    id: str
    deck: str = ""
    line: int = 0
    why: str = ""
    source: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    figure: str = ""
    drill: tuple[str, ...] = ()
    symbols: dict[str, str] = {}
    after: str = ""
    group: str = ""
    was: tuple[str, ...] = ()
    ask: str = ""

    @property
    def item(self) -> str:
        """The card's identity, under which its history is kept."""
        return f"{self.deck}/{self.id}"

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)

    @property
    def question(self) -> str:
        """What is asked, in words."""
        return self.ask or self.default_ask

    def answer_lines(self) -> tuple[str, ...]:
        """Return the answer as plain lines, for search, for `check` and for the plain front end."""
        raise NotImplementedError

    def faults(self) -> Iterator[Fault]:
        """Yield what its author must mend before the card can be asked."""
        yield from ()


def _needs_ask(card: Card) -> Iterator[Fault]:
    if not card.ask:
        yield "ask", "the key `ask` is missing", "add the question: `ask: …`"


def _needs_lines(key: str, lines: tuple[str, ...], least: int) -> Iterator[Fault]:
    if len(lines) < least:
        yield key, f"`{key}` needs at least {least} entries", "write them as a list: [one, two]"
    if any(not line for line in lines):
        yield key, f"an entry of `{key}` is empty", "fill it in or remove it"


def _numbered(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{number}. {line}" for number, line in enumerate(lines, 1))


class Recall(Card, frozen=True, tag="recall", kw_only=True, gc=False):
    """A question and its answer, compared in the head."""

    answer: str = ""

    def answer_lines(self) -> tuple[str, ...]:
        return (self.answer,)

    def faults(self) -> Iterator[Fault]:
        yield from _needs_ask(self)
        if not self.answer:
            yield "answer", "the key `answer` is missing", "add the answer: `answer: …`"


class Cloze(Card, frozen=True, tag="cloze", kw_only=True, gc=False):
    """A sentence with gaps `{{answer|also right}}`; one is blanked at random."""

    default_ask: ClassVar[str] = "Fill the gap."
    text: str = ""

    def answer_lines(self) -> tuple[str, ...]:
        return (GAP.sub(lambda gap: gap[1].split("|")[0], self.text),)

    def faults(self) -> Iterator[Fault]:
        gaps = GAP.findall(self.text)
        if not self.text:
            yield "text", "the key `text` is missing", 'write `text: "a {{gap}} to fill"`'
        elif not gaps:
            yield "text", "`text` has no gap", "mark what to recall with double braces: {{16}}"
        elif not all(gap.split("|")[0].strip() for gap in gaps):
            yield "text", "a gap is empty", "write the answer between the braces: {{16}}"


class Option(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One answer of a choice, and why it is right or wrong."""

    text: str
    right: bool = False
    because: str = ""


class Choice(Card, frozen=True, tag="choice", kw_only=True, gc=False):
    """Two to five answers, one or several of them right."""

    choices: tuple[Option, ...] = ()

    def answer_lines(self) -> tuple[str, ...]:
        return tuple(option.text for option in self.choices if option.right)

    def faults(self) -> Iterator[Fault]:
        yield from _needs_ask(self)
        if not 2 <= len(self.choices) <= MAX_CHOICES:
            yield (
                "choices",
                f"a choice has 2 to {MAX_CHOICES} answers, this one {len(self.choices)}",
                "write `choices:` as a list of {text: …, right: true} and {text: …, because: …}",
            )
        elif not any(option.right for option in self.choices):
            yield "choices", "no answer is marked as right", "add `right: true` to one"
        texts = [option.text for option in self.choices]
        if len(set(texts)) < len(texts):
            yield "choices", "two answers are the same", "change or remove one"
        if not all(texts):
            yield "choices", "an answer is empty", "fill it in or remove it"


class Points(Card, frozen=True, tag="points", kw_only=True, gc=False):
    """A list to recall freely and tick off."""

    points: tuple[str, ...] = ()

    def answer_lines(self) -> tuple[str, ...]:
        return self.points

    def faults(self) -> Iterator[Fault]:
        yield from _needs_ask(self)
        yield from _needs_lines("points", self.points, 1)


class Order(Card, frozen=True, tag="order", kw_only=True, gc=False):
    """Steps to put in order; written in the right order, shown shuffled."""

    steps: tuple[str, ...] = ()

    def answer_lines(self) -> tuple[str, ...]:
        return _numbered(self.steps)

    def faults(self) -> Iterator[Fault]:
        yield from _needs_ask(self)
        yield from _needs_lines("steps", self.steps, 2)
        if len(set(self.steps)) < len(self.steps):
            yield "steps", "two steps are the same", "change or remove one"
        if len(self.steps) > 9:
            yield (
                "steps",
                "more than 9 steps to order",
                "join or split: each step has one digit key",
            )


class Steps(Card, frozen=True, tag="steps", kw_only=True, gc=False):
    """A derivation, revealed line by line."""

    steps: tuple[str, ...] = ()

    def answer_lines(self) -> tuple[str, ...]:
        return _numbered(self.steps)

    def faults(self) -> Iterator[Fault]:
        yield from _needs_ask(self)
        yield from _needs_lines("steps", self.steps, 2)


class Table(Card, frozen=True, tag="table", kw_only=True, gc=False):
    """A table of which one cell is blanked at random; the first column names the row."""

    default_ask: ClassVar[str] = "Fill the blank cell."
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    blank: tuple[str, ...] = ()

    def answer_lines(self) -> tuple[str, ...]:
        return tuple(" | ".join(row) for row in (self.columns, *self.rows))

    def faults(self) -> Iterator[Fault]:
        shape = [*_needs_lines("columns", self.columns, 2), *self._row_faults()]
        yield from shape
        for name in self.blank:
            if name not in self.columns[1:]:
                yield "blank", f"{name!r} is no column to blank", "use a name from `columns`"
                return
        if not shape and not self.blankable():
            yield "rows", "there is no cell to blank", "fill one in beside the row's name"

    def _row_faults(self) -> Iterator[Fault]:
        if not self.rows:
            yield "rows", "the key `rows` is missing", "write one list a row: - [name, cell, cell]"
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                yield (
                    "rows",
                    f"row {number} has {len(row)} cells, `columns` has {len(self.columns)}",
                    "quote a cell that holds a comma"
                    if len(row) > len(self.columns)
                    else 'give each column its cell; an empty one is ""',
                )

    def blankable(self) -> list[tuple[int, int]]:
        """Return (row, column) of every cell that may be blanked."""
        names = self.blank or self.columns[1:]
        columns = [index for index, name in enumerate(self.columns) if name in names and index]
        return [
            (row, column)
            for row, cells in enumerate(self.rows)
            for column in columns
            if cells[column]
        ]


class Wording(Card, frozen=True, tag="wording", kw_only=True, gc=False):
    """Many prompts of one class; a different one each time, and the class is to be recognised."""

    default_ask: ClassVar[str] = "What do you start with?"
    prompts: tuple[str, ...] = ()
    answer: str = ""

    def answer_lines(self) -> tuple[str, ...]:
        return (self.answer,)

    def faults(self) -> Iterator[Fault]:
        yield from _needs_lines("prompts", self.prompts, 1)
        if not self.answer:
            yield "answer", "the key `answer` is missing", "name the class to recognise"


class Aloud(Card, frozen=True, tag="aloud", kw_only=True, gc=False):
    """Something to say within `seconds`, its points ticked off afterwards."""

    seconds: int = 60
    points: tuple[str, ...] = ()

    def answer_lines(self) -> tuple[str, ...]:
        return self.points

    def faults(self) -> Iterator[Fault]:
        yield from _needs_ask(self)
        yield from _needs_lines("points", self.points, 1)
        if not 5 <= self.seconds <= 3600:
            yield "seconds", f"`seconds` is {self.seconds}", "choose from 5 to 3600"


class Number(Card, frozen=True, tag="number", kw_only=True, gc=False):
    """A figure to know, with its unit, scored by its ratio on a log scale."""

    answer: str = ""
    within: str = "5%"

    def answer_lines(self) -> tuple[str, ...]:
        return (self.answer,)

    def faults(self) -> Iterator[Fault]:
        yield from _needs_ask(self)
        if not self.answer:
            yield "answer", "the key `answer` is missing", "add a value with its unit: 3.35 TB/s"
            return
        # Imported here: cards that come from the cache were checked before and need no algebra.
        from drillkit.algebra.answer import read_value  # noqa: PLC0415

        for key, text in (("answer", self.answer), ("within", self.within)):
            try:
                read_value(text)
            except DrillkitError as error:
                yield key, f"`{key}` is no number with a unit: {error.what}", error.hint


class Spot(Card, frozen=True, tag="spot", kw_only=True, gc=False):
    """A plausible wrong statement: find the flaw."""

    default_ask: ClassVar[str] = "What is wrong here?"
    claim: str = ""
    flaw: str = ""
    right: str = ""

    def answer_lines(self) -> tuple[str, ...]:
        return tuple(line for line in (self.flaw, self.right) if line)

    def faults(self) -> Iterator[Fault]:
        if not self.claim:
            yield "claim", "the key `claim` is missing", "add the wrong statement: `claim: …`"
        if not self.flaw:
            yield "flaw", "the key `flaw` is missing", "say what is wrong with the claim"


class Family(Card, frozen=True, tag="problem", kw_only=True):
    """A family of numeric problems as an item to be reviewed; `ask` is its title.

    No author writes one: the library makes it of a problem, whose numbers are drawn elsewhere.
    """

    def answer_lines(self) -> tuple[str, ...]:
        return ()


Written = Recall | Cloze | Choice | Points | Order | Steps | Table | Wording | Aloud | Number | Spot
AnyCard = Written | Family
KINDS: dict[str, type[Card]] = {
    "recall": Recall,
    "cloze": Cloze,
    "choice": Choice,
    "points": Points,
    "order": Order,
    "steps": Steps,
    "table": Table,
    "wording": Wording,
    "aloud": Aloud,
    "number": Number,
    "spot": Spot,
}
# The figures and their titles.
FIGURES = {
    "zero": "ZeRO memory",
    "ring": "Ring all-reduce",
    "pipeline": "Pipeline schedules",
    "roofline": "Roofline",
    "checkpoint": "Checkpoint interval",
    "megatron": "Megatron's MLP split",
    "collectives": "Collectives, before and after",
}


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A topic and its cards; `path` is the file it was read from.

    Decks are studied and listed by `order`, the lowest first, then by file.
    """

    id: str
    title: str
    path: str
    tags: tuple[str, ...] = ()
    order: int = DEFAULT_ORDER
    cards: Collection[AnyCard] = ()
