"""One line that asks for one letter: commands, and questions that want an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events


BOUND = "\N{NO-BREAK SPACE}"


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
        parts += [
            # A key stays on the line of what it does.
            Content.assemble((one.key, "bold $accent"), BOUND, one.says.replace(" ", BOUND))
            for one in shown
        ]
        self.update(Content("  ").join(parts))
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
        if self.display and not self.has_focus and not self.insists:
            self.close()
