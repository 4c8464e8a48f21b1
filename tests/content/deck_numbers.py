"""What the tests of deck numbers share: how numbers are written, and where a card prints them.

A row says: this card, at this place, prints this number. A place is a key of the card, or `row |
column` of its table, or `right choice`.
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from drillkit.mlsys.memory import model_states
from drillkit.mlsys.transformer import MODELS, count_params

DECKS = Path(__file__).parents[2] / "decks"
GIB = 2**30
Row = tuple[str, str, str]

SHAPE = {
    name: MODELS[name.lower()]
    for name in ("Llama-2-7B", "Llama-3-8B", "Llama-3-70B", "Llama-3-405B")
}
PARAMS = {name: count_params(shape).total for name, shape in SHAPE.items()}
NUMERIC_CELL = re.compile(r"[\d.,]+(e\d+)?( [GMT]B(/s)?| TFLOP/s)?")


def sig(value: float, digits: int) -> str:
    """Write a number to so many significant digits, halves up, thousands with commas."""
    places = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    return f"{rounded:,.{max(places, 0)}f}"


def percent(share: float, digits: int) -> str:
    return f"{sig(100 * share, digits)} %"


def sci(value: float, digits: int = 3) -> str:
    """Write a number as the decks do in scientific form: 4.52e10."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def gb(value: float, digits: int = 3) -> str:
    return f"{sig(value / 1e9, digits)} GB"


def gb_or_tb(value: float) -> str:
    return gb(value) if value < 1e12 else f"{sig(value / 1e12, 3)} TB"


def states(params: float, ranks: int = 1, stage: int = 0) -> float:
    return model_states(params, ranks=ranks, zero_stage=stage).total_bytes


@cache
def cards(deck: str) -> dict[str, dict[str, Any]]:
    """Return the cards of a deck by their item, every scalar as text."""
    read = yaml.load((DECKS / f"{deck}.yaml").read_text("utf-8"), yaml.CBaseLoader)
    return {f"{deck}/{card['id']}": card for card in read["cards"]}


def text_at(item: str, place: str) -> str:
    """Return what the card prints at a key, in a cell of its table or in its right choices."""
    card = cards(item.split("/", maxsplit=1)[0])[item]
    if place == "right choice":
        return " ".join(option["text"] for option in card["choices"] if option.get("right"))
    if " | " in place:
        name, column = place.rsplit(" | ", 1)
        (row,) = [row for row in card["rows"] if row[0] == name]
        return str(row[card["columns"].index(column)])
    return str(card[place])


def prints(text: str, number: str) -> bool:
    """Return whether `text` holds `number` as a whole, not as a part of a longer number."""
    return bool(re.search(rf"(?<![\d.,]){re.escape(number)}(?!\d|[.,]\d)", text))


def uncomputed(decks: tuple[str, ...], rows: list[Row]) -> list[str]:
    """Return the `number` cards and the numeric table cells that no row computes in full."""
    computed = {(item, place): number for item, place, number in rows}
    missed = []
    for item, card in (entry for deck in decks for entry in cards(deck).items()):
        if card.get("kind") == "number" and (item, "answer") not in computed:
            missed.append(item)
        for row in card.get("rows", ()):
            for column, cell in zip(card["columns"][1:], row[1:], strict=True):
                place = f"{row[0]} | {column}"
                if NUMERIC_CELL.fullmatch(cell) and computed.get((item, place), "0") != cell:
                    missed.append(f"{item}: {place}")
    return missed
