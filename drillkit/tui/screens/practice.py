"""The families of numeric problems, by topic: one to drill, or a mix."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from drillkit.tui.screens.problem import ProblemScreen
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.content.library import Library
    from drillkit.content.problem import Problem


class PracticeScreen(DrillScreen[None]):
    """Enter drills one family, `t` all that share its first tag, `m` a mix of everything."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "drill", "Drill", key_display="Enter"),
        Binding("t", "topic", "Its topic", id="practice.topic"),
        Binding("m", "mix", "A mix of all", id="practice.mix"),
        Binding("escape,q", "app.pop_screen", "Home", key_display="Esc"),
    ]

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._families = tuple(library.problems.values())

    def parts(self) -> Iterable[Widget]:
        count = len(self._families)
        yield Static("Numeric problems", id="headline")
        yield Static(f"{count} families; every question has other numbers.", id="note")
        yield Choices(*(Option(self._entry(family)) for family in self._families), id="results")

    def on_mount(self) -> None:
        choices = self.query_one(Choices)
        choices.focus()
        choices.highlighted = 0

    def _entry(self, family: Problem) -> Content:
        asked = ", ".join(find.symbol for find in family.find)
        about = f"{' '.join(family.tags)} · asks {asked} · {family.seconds} s"
        return line(family.title) + Content("\n    ") + line(about, "dim")

    def _chosen(self) -> Problem | None:
        at = self.query_one(Choices).highlighted
        return None if at is None else self._families[at]

    @on(OptionList.OptionSelected)
    def action_drill(self) -> None:
        family = self._chosen()
        if family is not None:
            self.app.push_screen(ProblemScreen((family,)))

    def action_topic(self) -> None:
        family = self._chosen()
        if family is not None:
            tags = family.tags[:1]
            topic = tuple(one for one in self._families if one.tags[:1] == tags)
            self.app.push_screen(ProblemScreen(topic))

    def action_mix(self) -> None:
        if self._families:
            self.app.push_screen(ProblemScreen(self._families))
