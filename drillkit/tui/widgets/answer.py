"""What is shown below the answer: why, symbols, sources, drills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from drillkit.tui.text import shown, stacked

if TYPE_CHECKING:
    from drillkit.content.cards import AnyCard
    from drillkit.content.drill import Drill


class AnswerNotes(Static):
    """The reason, the meaning of the symbols, where to look it up and where to practise it."""

    def show_card(self, card: AnyCard, remark: str = "", drills: tuple[Drill, ...] = ()) -> None:
        """Fill in what `card` has; `remark` is what the machine says of the answer given."""
        parts = []
        if remark:
            parts.append(shown(remark, "bold"))
        if card.why:
            parts.append(shown(card.why))
        if card.symbols:
            meanings = "; ".join(f"{symbol}: {text}" for symbol, text in card.symbols.items())
            parts.append(shown(meanings, "dim"))
        if card.source:
            parts.append(shown("Source: " + "; ".join(card.source), "dim"))
        if drills:
            parts.append(shown("Drill: " + " · ".join(drill.title for drill in drills), "dim"))
        self.update(stacked(parts) if parts else Content(""))
