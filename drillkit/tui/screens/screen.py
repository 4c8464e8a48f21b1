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

WIDE_COLUMNS = 96


class TooSmall(Static, can_focus=False):
    """Asks for a larger window, and takes the keys meanwhile: nobody sees what they would do.

    `q` still leaves.
    """

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(
            f"drillkit needs {columns} columns and {rows} rows: enlarge the window.",
            id="too-small",
        )

    def on_key(self, event: events.Key) -> None:
        if event.key != "q":
            event.stop()
            event.prevent_default()


class DrillScreen(Screen[Result]):
    """A screen of ours: `parts` are its widgets; keys, help and size are dealt with here."""

    LEAST: ClassVar[tuple[int, int]] = (60, 15)
    """The columns and rows below which there is nothing to see."""

    UNDISTURBED: ClassVar[bool] = False
    """Whether nothing that happens elsewhere may show on it."""

    _focus_before: Widget | None = None

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.help", "Help", key_display="?", id="help"),
    ]

    @property
    def drill(self) -> DrillApp:
        """The app, by its own type."""
        from drillkit.tui.app import DrillApp  # noqa: PLC0415 the app imports the screens

        assert isinstance(self.app, DrillApp)  # noqa: S101 for the type alone
        return self.app

    def ask_to_leave(self) -> bool:
        """Ask before drillkit ends; return whether there was anything to ask."""
        return False

    def parts(self) -> Iterable[Widget]:
        """Yield the screen's own widgets, from top to bottom."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield TooSmall(*self.LEAST)
        yield from self.parts()
        yield KeyLine()

    def on_resize(self, event: events.Resize) -> None:
        # On a low window the rows are worth more than the keys that do not fit.
        self.set_class(event.size.width < WIDE_COLUMNS and event.size.height >= 20, "-narrow")
        columns, rows = self.LEAST
        small = event.size.width < columns or event.size.height < rows
        if small == self.has_class("-small"):
            return
        if small:
            self._focus_before = self.focused
        self.set_class(small, "-small")
        self.call_after_refresh(self._turn_focus)

    def _turn_focus(self) -> None:
        """Hold the keys while the window is too small, and give them back as they were."""
        cover = self.query_one(TooSmall)
        cover.can_focus = self.has_class("-small")
        if cover.can_focus:
            cover.focus()
        elif self.focused is None or isinstance(self.focused, TooSmall):
            before = self._focus_before
            self.set_focus(before if before is not None and before.is_attached else None)
