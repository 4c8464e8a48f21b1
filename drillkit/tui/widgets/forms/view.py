"""What every form's widget can do; the review screen knows no more of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.containers import Vertical
from textual.message import Message

if TYPE_CHECKING:
    from drillkit.review.grade import Grade


class FormView(Vertical, can_focus=True):
    """A form being answered: first the question's side, then the answer's.

    `hint` says how it is answered, in a few words.
    """

    hint = "Space reveals the answer."

    class Submitted(Message):
        """The person is done answering: the answer may be shown."""

    class Regraded(Message):
        """The grade changed after the answer was shown."""

    def open_answer(self) -> bool:
        """Show the answer's side; return False while there is more to unfold first."""
        raise NotImplementedError

    def refusal(self) -> str:
        """Return why the answer cannot be taken as it stands, or nothing."""
        return ""

    def grade(self) -> Grade | None:
        """Return what the machine makes of the answer, or None where only the person can tell."""
        return None

    def response(self) -> dict[str, Any]:
        """Return what was answered, for the log."""
        return {}

    def given(self) -> dict[str, str]:
        """Return the numbers that the question states, symbol by symbol, as text."""
        return {}

    def stays_focused(self) -> bool:
        """Tell whether the widget still has something to do once the answer is shown."""
        return False
