"""Guessing first: what a person expects of a figure, kept beside what it shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drillkit.algebra.answer import read_answer
from drillkit.algebra.format import format_number
from drillkit.errors import UsageError

if TYPE_CHECKING:
    from drillkit.figures.figure import Kind, Number, Question

_BETWEEN = re.compile(r"\s*(?:/|;|,\s|\band\b)\s*")


@dataclass(frozen=True)
class Guess:
    """What was typed for a question, and the value of each of its parts in base units."""

    text: str
    values: tuple[float, ...]


def read_guess(question: Question, text: str) -> Guess:
    """Read `100 / 5` (or one number where one is asked). Raises `UsageError` with what to type."""
    texts = _BETWEEN.split(text.strip()) if len(question.parts) > 1 else [text]
    if len(texts) != len(question.parts):
        names = " / ".join(part.name for part in question.parts)
        raise UsageError(f"{len(question.parts)} numbers are asked for", hint=f"type {names}")
    values = []
    for part, one in zip(question.parts, texts, strict=True):
        reading = read_answer(one, part.unit)
        if reading.outcome != "value":
            raise UsageError(reading.message)
        values.append(float(reading.quantity.value))
    return Guess(text.strip(), tuple(values))


def truths(kind: Kind, question: Question) -> tuple[Number, ...]:
    """Return the number that the figure shows for each part of the question."""
    return tuple(
        kind.draw(kind.read(dict(part.settings))).numbers[part.number] for part in question.parts
    )


def compared(kind: Kind, question: Question, values: tuple[float, ...]) -> list[str]:
    """Return a line for each part: the guess, the truth, and the ratio of the two."""
    lines = []
    for part, truth, value in zip(question.parts, truths(kind, question), values, strict=False):
        true = float(truth.value) if isinstance(truth.value, int | float) else 0.0
        ratio = f"{format_number(value / true)} × the truth" if true else "no ratio"
        unit = read_answer(f"1 {part.unit}", part.unit).quantity.value
        guess = f"{format_number(value / float(unit))} {part.unit}"
        lines.append(f"{part.name}: you said {guess}, it is {truth.text}: {ratio}")
    return lines
