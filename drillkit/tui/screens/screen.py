"""What all screens share: a footer of the keys that work, help, and a sentence when too small."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from drillkit.tui.widgets.key_line import KeyLine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual import events
    from textual.app import ComposeResult
    from textual.widget import Widget

    from drillkit.tui.app import DrillApp

Result = TypeVar("Result")

LEAST_COLUMNS, LEAST_ROWS = 60, 15


class DrillScreen(Screen[Result]):
    """A screen of ours: `parts` are its widgets; keys, help and size are dealt with here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.help", "Help", key_display="?", id="help"),
    ]

    @property
    def drill(self) -> DrillApp:
        """The app, by its own type."""
        from drillkit.tui.app import DrillApp  # noqa: PLC0415 the app imports the screens

        assert isinstance(self.app, DrillApp)  # noqa: S101 for the type alone
        return self.app

    def parts(self) -> Iterable[Widget]:
        """Yield the screen's own widgets, from top to bottom."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield Static(
            f"drillkit needs {LEAST_COLUMNS} columns and {LEAST_ROWS} rows: enlarge the window.",
            id="too-small",
        )
        yield from self.parts()
        yield KeyLine()

    def on_resize(self, event: events.Resize) -> None:
        small = event.size.width < LEAST_COLUMNS or event.size.height < LEAST_ROWS
        self.set_class(small, "-small")
