"""What reads badly on a card, though nothing is wrong with its form."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from typing import TYPE_CHECKING, Any

import msgspec

from drillkit.content.schema import Report
from drillkit.content.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.content.cards import AnyCard
    from drillkit.content.diagnostic import Diagnostic

SCREEN_COLUMNS, SCREEN_ROWS = 74, 16
CODE = re.compile(r"`[^`]*`")
STAR = re.compile(r"(?<=[\w)\]])\s?\*{1,2}\s?(?=[\w(\[])")
# As in pandoc: what stands between the signs touches them, and no digit follows the last one.
DOLLARS = re.compile(r"\$(?! )[^$\n]+(?<! )\$(?!\d)")
BIDI = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c")
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u26ff\ufe0f]")
UNREAD_KEYS = frozenset({"id", "kind", "figure", "after", "was", "group", "tags", "seconds"})


def judge_prose(card: AnyCard, node: Mapping, file: str) -> list[Diagnostic]:
    """Return a warning, at its place, for each text of the card that will not read well."""
    report = Report(file, f"card {card.id}")
    for key, value in node.values.items():
        if key not in UNREAD_KEYS:
            for scalar in _scalars(value):
                _judge_text(scalar, report)
    rows = sum(
        max(1, len(textwrap.wrap(line, SCREEN_COLUMNS)))
        for text in card.answer_lines()
        for line in text.splitlines()
    )
    if rows > SCREEN_ROWS:
        report.warning(
            node,
            "long-answer",
            f"the answer takes {rows} lines; a screen shows {SCREEN_ROWS}",
            "ask for one fact a card: split it",
        )
    return report.found


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for entry in node.items:
            yield from _scalars(entry)
    elif isinstance(node, Mapping):
        for entry in node.values.values():
            yield from _scalars(entry)


def _judge_text(scalar: Scalar, report: Report) -> None:
    prose = CODE.sub("", scalar.text)
    if STAR.search(prose):
        report.warning(
            scalar, "star", "`*` stands for a multiplication", "write · or ×, or put code in `…`"
        )
    if DOLLARS.search(prose):
        report.warning(
            scalar, "dollars", "$…$ is shown as it is typed", "write the formula in plain signs"
        )
    if any(sign in BIDI for sign in scalar.text):
        report.warning(scalar, "bidi", "a hidden sign that turns the text's direction", "remove it")
    if EMOJI.search(scalar.text):
        report.warning(scalar, "emoji", "an emoji: terminals differ in its width", "use a word")
    hidden = [sign for sign in scalar.text if _is_hidden(sign)]
    if hidden:
        report.warning(
            scalar, "control", f"the hidden character U+{ord(hidden[0]):04X}", "remove it"
        )


def _is_hidden(sign: str) -> bool:
    """Tell whether a sign is a control character or has no width; bidi signs are told apart."""
    kind = unicodedata.category(sign)
    return sign not in "\n\t\xad" and sign not in BIDI and kind in {"Cc", "Cf"}


def wording_key(card: AnyCard) -> Any:  # noqa: ANN401 only compared with itself
    """Return what two cards must not share: the question and whatever it is asked about."""
    fields = msgspec.structs.asdict(card)
    material = fields.get("text") or fields.get("claim") or fields.get("prompts") or ""
    table = (fields.get("columns"), fields.get("rows"))
    plain = " ".join(str(card.ask).casefold().split()).rstrip("?.: ")
    return (plain, material, table)
