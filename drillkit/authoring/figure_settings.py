"""The numbers with which a card or a problem opens its figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.content.cards import FIGURES
from drillkit.content.diagnostic import Diagnostic
from drillkit.errors import UsageError
from drillkit.figures.catalogue import parse

if TYPE_CHECKING:
    from drillkit.content.tree import Mapping


def judge_settings(figure: str, node: Mapping, file: str, subject: str) -> list[Diagnostic]:
    """Return what is wrong with the settings of the key `figure`; an unknown name was told of."""
    name, _, rest = figure.partition(" ")
    if name not in FIGURES or not rest:
        return []
    try:
        kind, settings = parse(figure)
        kind.read(settings)
    except UsageError as error:
        place = node.values.get("figure", node)
        hint = error.hint or "write name=value, as in `zero P=7e9 N=64`"
        return [
            Diagnostic(
                file, place.line, place.column, "error", "figure-setting", error.what, hint, subject
            )
        ]
    return []
