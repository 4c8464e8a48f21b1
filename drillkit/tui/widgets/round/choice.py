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

    def __init__(self) -> None:
        super().__init__(id="choice")
        self.display = False
        self.insists = False
        self._options: Sequence[Option] = ()

    def ask(self, question: str, options: Sequence[Option], *, insists: bool = False) -> None:
        """Show the question and take the keys."""
        self._options, self.insists = options, insists
        parts = [Content.styled(question, "bold")] if question else []
        parts += [Content.assemble((one.key, "bold $accent"), " ", one.says) for one in options]
        if not insists:
            parts.append(Content.assemble(("Esc", "bold $accent"), " back"))
        self.update(Content("  ").join(parts))
        self.display = True
        self.focus()

    def close(self) -> None:
        self.display = self.insists = False
        self._options = ()

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
        if not self.insists:
            self.close()
