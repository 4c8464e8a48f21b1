"""The settings, with their values and where they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from drillkit.errors import DrillkitError
from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.key_line import KeyLine
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.widget import Widget

    from drillkit.settings_file import SettingsFile


class SettingsScreen(DrillScreen[None]):
    """A list of settings; Enter changes one, and it holds from the next card on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "change", "Change", key_display="Enter"),
        Binding("e", "edit", "Edit the file", id="settings.edit"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, file: SettingsFile) -> None:
        super().__init__()
        self._file = file

    def parts(self) -> Iterable[Widget]:
        yield Static("Settings", id="headline")
        yield Static(line(f"Kept in {self._file.path}"), id="note")
        yield Choices(id="results")

    def on_mount(self) -> None:
        self._fill()
        self.query_one(Choices).focus()

    def on_screen_resume(self) -> None:
        self._fill()

    def _fill(self) -> None:
        choices = self.query_one(Choices)
        at = choices.highlighted or 0
        choices.clear_options()
        choices.add_options(
            Option(
                Content.styled(f"{entry.key:<28}", "bold")
                + line(entry.text)
                + Content("\n    ")
                + line(entry.about, "dim")
            )
            for entry in self._file.entries()
        )
        choices.highlighted = at

    @on(OptionList.OptionSelected)
    def action_change(self) -> None:
        chosen = self.query_one(Choices).highlighted
        if chosen is not None:
            entry = self._file.entries()[chosen]
            self.app.push_screen(ChangeScreen(self._file, entry.key), self._changed)

    def _changed(self, changed: bool | None) -> None:  # noqa: FBT001 what the dialog answers
        if changed:
            self._fill()
            self.drill.settings_changed()

    def action_edit(self) -> None:
        if self.drill.edit(self._file.place()):
            self.drill.settings_changed()


class ChangeScreen(DialogScreen[bool]):
    """One setting to type anew."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "save", "Save", key_display="Enter"),
    ]

    def __init__(self, file: SettingsFile, key: str) -> None:
        super().__init__()
        self._file = file
        self._entry = next(entry for entry in file.entries() if entry.key == key)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(line(self._entry.key, "bold"))
            yield Static(line(self._entry.about))
            yield Input(value=self._entry.text, id="value", max_length=400)
            yield Static("Enter saves; an empty line brings the default back.", id="problem")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def save(self, event: Input.Submitted) -> None:
        try:
            self._file.change(self._entry.key, event.value.strip())
        except DrillkitError as error:
            self.query_one("#problem", Static).update(line(error.what))
            return
        self.dismiss(True)  # noqa: FBT003 the dialog's answer
