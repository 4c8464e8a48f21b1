"""One line that asks for one letter: commands, and questions that want an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events


class Option(NamedTuple):
    """A letter, what it does in words, and the action of the screen that it runs."""

    key: str
    says: str
    action: str


class Choice(Static, can_focus=True):
    """Takes the keys while it asks; Escape takes the question back unless it `insists`."""

    class Made(Message):
        """A letter was pressed; the action is empty when the question was taken back."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    class Closed(Message):
        """It asks no longer."""

    def __init__(self) -> None:
        super().__init__(id="choice")
        self.display = False
        self.insists = False
        self._options: Sequence[Option] = ()

    def ask(
        self,
        question: str,
        options: Sequence[Option],
        *,
        back: str = "board",
        insists: bool = False,
    ) -> None:
        """Show the question and take the keys; `back` is what Escape does."""
        self._options, self.insists = options, insists
        parts = [Content.styled(question, "bold")] if question else []
        shown = options if insists else [*options, Option("Esc", back, "")]
        parts += [Content.assemble((one.key, "bold $accent"), " ", one.says) for one in shown]
        self.update(_in_rows(parts, self.screen.size.width - 2))
        self.display = True
        self.focus()

    def close(self) -> None:
        self.display = self.insists = False
        self._options = ()
        self.post_message(self.Closed())

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            event.prevent_default()
            if not self.insists:
                self.post_message(self.Made(""))
            return
        if not event.is_printable and event.key != "enter":
            return
        event.stop()
        event.prevent_default()
        for option in self._options:
            if option.key in {event.key, event.character}:
                self.post_message(self.Made(option.action))
                return

    def on_blur(self) -> None:
        # A terminal that turns away takes the focus from everything, and gives it back.
        elsewhere = self.screen.focused not in {None, self}
        if self.display and elsewhere and not self.insists:
            self.close()


def _in_rows(parts: Sequence[Content], width: int) -> Content:
    """Put the parts side by side, and on a new row where one does not fit whole."""
    rows = [parts[0]]
    for part in parts[1:]:
        longer = Content("  ").join([rows[-1], part])
        if longer.cell_length <= width:
            rows[-1] = longer
        else:
            rows.append(part)
    return Content("\n").join(rows)
