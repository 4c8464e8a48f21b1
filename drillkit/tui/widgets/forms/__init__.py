"""One widget for each form in which a card is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.review import question as forms
from drillkit.tui.widgets.forms.arrange import ArrangeView
from drillkit.tui.widgets.forms.choose import ChooseView
from drillkit.tui.widgets.forms.reveal import RevealView
from drillkit.tui.widgets.forms.tick import TickView
from drillkit.tui.widgets.forms.typed import TypedView
from drillkit.tui.widgets.forms.unfold import UnfoldView

if TYPE_CHECKING:
    from drillkit.clock import Clock
    from drillkit.tui.widgets.forms.view import FormView


def view_of(form: forms.Form, clock: Clock) -> FormView:
    """Return the widget in which `form` is answered."""
    match form:
        case forms.Reveal():
            return RevealView(form.lines)
        case forms.Unfold():
            return UnfoldView(form)
        case forms.Choose():
            return ChooseView(form)
        case forms.Tick():
            return TickView(form, clock)
        case forms.Arrange():
            return ArrangeView(form)
        case forms.Fill() | forms.Estimate():
            return TypedView(form)


__all__ = ["view_of"]
