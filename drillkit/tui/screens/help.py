"""The keys that work on the screen below, read from its bindings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from textual.containers import VerticalScroll
from textual.widgets import Static

from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.text import cell
from drillkit.tui.widgets.key_line import KeyLine

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
        yield KeyLine()


def rows_of(screen: Screen[object]) -> list[tuple[str, str]]:
    """Return (keys, what they do) for every key that works on `screen` now.

    The screen's own keys come first, then those of the app, then those of the widget in focus;
    keys that do the same stand together.
    """
    found: dict[tuple[int, str], tuple[list[str], str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.system or not active.enabled or not binding.description:
            continue
        rank = 2 if binding.action in PLUMBING else _rank(active, screen)
        keys, _ = found.setdefault((rank, binding.action), ([], binding.description))
        key = screen.app.get_key_display(binding)
        if key not in keys:
            keys.append(key)
    ordered = sorted(found.items(), key=lambda entry: entry[0][0])
    return [(" ".join(keys), description) for _, (keys, description) in ordered]


# Keys that Textual gives to every screen; they work, but nobody comes for them.
PLUMBING = frozenset(
    {"app.focus_next", "app.focus_previous", "screen.copy_text", "command_palette"}
)


def _rank(active: ActiveBinding, screen: Screen[object]) -> int:
    if active.node is screen:
        return 0
    ours = type(active.node).__module__.startswith("drillkit") and active.binding.show
    return 0 if ours else 1
