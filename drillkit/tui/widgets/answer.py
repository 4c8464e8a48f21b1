"""What is shown below the answer: why, symbols, sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from drillkit.tui.text import shown, stacked

if TYPE_CHECKING:
    from drillkit.content.cards import AnyCard


class AnswerNotes(Static):
    """The reason, the meaning of the symbols and where to look it up."""

    def show_card(self, card: AnyCard, remark: str = "") -> None:
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
        self.update(stacked(parts) if parts else Content(""))
