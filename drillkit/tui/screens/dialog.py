"""A box over the screen, closed by Esc."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

Result = TypeVar("Result")


class DialogScreen(ModalScreen[Result]):
    """What is shown for a moment, over what one was doing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", key_display="Esc"),
    ]

    def action_close(self) -> None:
        self.dismiss()
