"""The keys that work on the screen below, read from its bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.text import cell

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import ActiveBinding
    from textual.screen import Screen


class HelpScreen(DialogScreen[None]):
    """What `?` shows."""

    def __init__(self, below: Screen[object]) -> None:
        super().__init__()
        self._rows = rows_of(below)

    def compose(self) -> ComposeResult:
        table = Table.grid(padding=(0, 3))
        for keys, description in self._rows:
            table.add_row(cell(keys, "bold"), cell(description))
        with VerticalScroll(classes="dialog"):
            yield Static(table)
        yield Footer(show_command_palette=False)


def rows_of(screen: Screen[object]) -> list[tuple[str, str]]:
    """Return (keys, what they do) for every key that works on `screen` now."""
    keys: dict[str, list[str]] = {}
    for active in screen.active_bindings.values():
        description = _description(active)
        if description and active.enabled:
            key = active.binding.key_display or screen.app.get_key_display(active.binding)
            keys.setdefault(description, [])
            if key not in keys[description]:
                keys[description].append(key)
    return [(" ".join(names), description) for description, names in keys.items()]


def _description(active: ActiveBinding) -> str:
    binding = active.binding
    if binding.system:
        return ""
    return binding.description or (binding.group.description if binding.group else "")
