"""A card, drawn: what is shown now, and the form in which it is answered.

Eleven kinds of card come down to seven forms. A draw depends on nothing but the card and a seed, so
a retry on the same day shows the same order and the next day another.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drillkit.content import cards as kinds

if TYPE_CHECKING:
    from drillkit.content.cards import AnyCard, Deck

GAP_SIGN = "_____"


@dataclass(frozen=True)
class Reveal:
    """Answered in the head, compared with `lines`."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Fill:
    """A gap to type; any of `accepted` is right, the first is shown.

    `after` is what the text goes on with: who types that too is not wrong. `about` names the gap
    where it may be out of sight: a cell's row and column.
    """

    accepted: tuple[str, ...]
    full: tuple[str, ...]
    after: str = ""
    about: str = ""


@dataclass(frozen=True)
class Choose:
    """Options to choose from, in the order shown; `several` when more than one is right."""

    options: tuple[kinds.Option, ...]
    several: bool

    @property
    def right(self) -> frozenset[int]:
        return frozenset(n for n, option in enumerate(self.options) if option.right)


@dataclass(frozen=True)
class Tick:
    """Points to recall and tick off; `seconds` is the time to say them aloud, or 0."""

    points: tuple[str, ...]
    seconds: int = 0


@dataclass(frozen=True)
class Arrange:
    """Steps, shuffled as shown, and the right order as indexes into them."""

    shown: tuple[str, ...]
    right: tuple[int, ...]


@dataclass(frozen=True)
class Unfold:
    """Lines of a derivation, revealed one by one."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Estimate:
    """A value with its unit, to be typed and scored by its ratio; both are in typed form."""

    value: str
    within: str


Form = Reveal | Fill | Choose | Tick | Arrange | Unfold | Estimate


@dataclass(frozen=True)
class Question:
    """What is on the screen: an instruction or question, the material it is about, and its form."""

    ask: str
    material: tuple[str, ...]
    form: Form
    table: tuple[tuple[str, ...], ...] = ()


def draw(card: AnyCard, seed: int, deck: Deck | None = None) -> Question:  # noqa: C901 one case a kind
    """Draw `card`. `deck` is the card's own, from which a `wording` card takes its choices."""
    chance = random.Random(seed)
    match card:
        case kinds.Recall():
            return Question(card.question, (), Reveal(card.answer_lines()))
        case kinds.Spot():
            return Question(card.question, (card.claim,), Reveal(card.answer_lines()))
        case kinds.Cloze():
            return _cloze(card, chance)
        case kinds.Table():
            return _table(card, chance)
        case kinds.Choice():
            options = list(card.choices)
            chance.shuffle(options)
            several = sum(option.right for option in options) > 1
            return Question(card.question, (), Choose(tuple(options), several))
        case kinds.Wording():
            return _wording(card, chance, deck)
        case kinds.Points():
            return Question(card.question, (), Tick(card.points))
        case kinds.Aloud():
            return Question(card.question, (), Tick(card.points, card.seconds))
        case kinds.Order():
            return _order(card, chance)
        case kinds.Steps():
            return Question(card.question, (), Unfold(card.steps))
        case kinds.Number():
            return Question(card.question, (), Estimate(card.answer, card.within))
        case kinds.Family():
            # Its numbers are drawn by whoever shows it; here it has only a title.
            return Question(card.question, (), Reveal(()))


def _cloze(card: kinds.Cloze, chance: random.Random) -> Question:
    gaps = list(kinds.GAP.finditer(card.text))
    blank = chance.choice(gaps)

    def shown(number: int) -> str:
        return GAP_SIGN if gaps[number] is blank else gaps[number][1].split("|")[0].strip()

    pieces, end = [], 0
    for number, gap in enumerate(gaps):
        pieces += [card.text[end : gap.start()], shown(number)]
        end = gap.end()
    text = "".join(pieces) + card.text[end:]
    accepted = tuple(part.strip() for part in blank[1].split("|") if part.strip())
    after = kinds.GAP.split(card.text[blank.end() :])[0]
    return Question(card.question, (text,), Fill(accepted, card.answer_lines(), after))


def _table(card: kinds.Table, chance: random.Random) -> Question:
    row, column = chance.choice(card.blankable() or [(0, 1)])
    answer = card.rows[row][column]
    rows = tuple(
        tuple(GAP_SIGN if (r, c) == (row, column) else cell for c, cell in enumerate(cells))
        for r, cells in enumerate(card.rows)
    )
    about = f"{card.rows[row][0]}: {card.columns[column]}"
    where = f"{about} = {answer}"
    return Question(
        card.question, (), Fill((answer,), (where,), about=about), (card.columns, *rows)
    )


def _wording(card: kinds.Wording, chance: random.Random, deck: Deck | None) -> Question:
    classes = {
        other.answer for other in (deck.cards if deck else ()) if isinstance(other, kinds.Wording)
    }
    others = sorted(classes - {card.answer})
    # Seven classes are one screen and seven keys; a larger deck draws from its own.
    offered = [card.answer, *chance.sample(others, min(len(others), 6))]
    chance.shuffle(offered)
    options = tuple(kinds.Option(text, right=text == card.answer) for text in offered)
    return Question(card.question, (f"“{chance.choice(card.prompts)}”",), Choose(options, False))  # noqa: FBT003 a field in order


def _order(card: kinds.Order, chance: random.Random) -> Question:
    places = list(range(len(card.steps)))
    # A shuffle that changes nothing would give the answer away.
    while places == sorted(places):
        chance.shuffle(places)
    shown = tuple(card.steps[place] for place in places)
    right = tuple(places.index(place) for place in range(len(places)))
    return Question(card.question, (), Arrange(shown, right))
