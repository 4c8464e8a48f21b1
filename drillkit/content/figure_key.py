"""The key `figure` of a card or a problem: a figure's name, then perhaps settings of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.content.cards import FIGURES
from drillkit.content.schema import nearest

if TYPE_CHECKING:
    from drillkit.content.schema import Report
    from drillkit.content.tree import Mapping


def judge_figure(figure: str, node: Mapping, report: Report) -> None:
    """Report an unknown name. The settings, as in `zero P=7e9 N=64`, are the figures' to judge."""
    name = figure.split(maxsplit=1)[0] if figure.strip() else ""
    if name and name not in FIGURES:
        near = nearest(name, FIGURES)
        guess = f"did you mean `{near}`?" if near else "figures: " + ", ".join(FIGURES)
        place = node.values.get("figure", node)
        report.error(place, "unknown-figure", f"unknown figure {name!r}", guess)
