"""Before a round: how it is to be played; and a round that was left, to go on with or not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from drillkit.content.round import LEVELS
from drillkit.errors import DrillkitError
from drillkit.rounds.choice import LEAST_MINUTES, MODES, MOST_MINUTES, Choice
from drillkit.rounds.events import Stamp
from drillkit.rounds.pace import OVERTIME_S, minutes_of
from drillkit.rounds.standing import Standing, day_of, moment_of, times
from drillkit.tui.screens.dialog import DialogScreen
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line, shown
from drillkit.tui.widgets.key_line import KeyLine
from drillkit.tui.widgets.lists import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.app import ComposeResult
    from textual.widget import Widget

    from drillkit.content.round import Round
    from drillkit.rounds.archive import Kept

MODE_ABOUT = {
    "interview": "As in earnest: no pause, and no verdict on a number before the debrief.",
    "practice": "The clock can be paused, and each number is judged at once.",
    "sprint": "One phase alone, or the whole round in less time.",
}
LEVEL_ABOUT = {
    "mid": "Graded as a mid-level engineer: completes the plan with the right formulas.",
    "senior": "Graded as a senior: drives, and lets numbers decide.",
    "staff": "Graded as staff: questions the ask and the cost, says who runs it.",
}
MINUTES_STEP = 5
MOST_SHOWN = 20

Value = TypeVar("Value")


class RoundStartScreen(DrillScreen[None]):
    """`j`/`k` go from line to line, left and right change one, Enter begins."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "begin", "Begin", key_display="Enter", priority=True),
        Binding("left,h", "change(-1)", "Change", key_display="← →"),
        Binding("right,l,space", "change(1)", "Change", show=False),
        Binding("s", "seed", "Type a seed", id="round.seed"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, round_: Round, standing: Standing, choice: Choice) -> None:
        super().__init__()
        self._round = round_
        self._standing = standing
        self._choice = replace(choice, level=choice.level or round_.level)

    def parts(self) -> Iterable[Widget]:
        yield Static(line(self._round.title), id="headline")
        yield Static(line(_past(self._standing)), id="note")
        yield Choices(id="settings")
        yield Static(id="about")
        yield Static(id="round-plan")

    def on_mount(self) -> None:
        self._fill()
        self.query_one(Choices).focus()
        self.query_one(Choices).highlighted = 0

    # --- the lines -------------------------------------------------------------------------------

    def _lines(self) -> list[tuple[str, str, str, str]]:
        """The lines as (key, name, value, what it means)."""
        choice = self._choice
        lines: list[tuple[str, str, str, str]] = []
        lines.append(("mode", "Mode", choice.mode, MODE_ABOUT[choice.mode]))
        if choice.mode == "sprint":
            phase = self._round.phase(choice.phase).title if choice.phase else "the whole round"
            about = "Left and right go from phase to phase. The facts are told at the start."
            lines.append(("phase", "Play", phase, about if choice.phase else "All phases, faster."))
            if not choice.phase:
                about = f"The plan of {self._round.minutes} minutes is scaled to it."
                lines.append(("minutes", "Minutes", str(choice.minutes), about))
        level = choice.level or self._round.level
        lines.append(("level", "Level", level, LEVEL_ABOUT[level]))
        hard = "The interviewer moves on when the minutes of a phase are over."
        soft = "You move on by yourself; an overrun is taken from later phases."
        lines.append(("hard", "Hard mode", *(("on", hard) if choice.hard else ("off", soft))))
        if choice.seed is None:
            lines.append(("seed", "Numbers", "by chance", "s types a seed, to repeat its numbers."))
        else:
            about = "The same seed, the same numbers. 0: the round as it is written."
            lines.append(("seed", "Numbers", f"seed {choice.seed}", about))
        return lines

    def _fill(self) -> None:
        choices = self.query_one(Choices)
        at = choices.highlighted or 0
        lines = self._lines()
        choices.set_options(
            Option(Content(f"{name:<11}") + line(f"‹ {value} ›", "bold"), id=key)
            for key, name, value, _ in lines
        )
        choices.highlighted = min(at, len(lines) - 1)
        self._tell()

    @on(OptionList.OptionHighlighted)
    def _tell(self) -> None:
        lines = self._lines()
        at = min(self.query_one(Choices).highlighted or 0, len(lines) - 1)
        self.query_one("#about", Static).update(line(lines[at][3]))
        self.query_one("#round-plan", Static).update(self._plan())

    def _plan(self) -> Content:
        choice, total = self._choice, self._choice.total_minutes(self._round)
        phases = [phase for phase in self._round.phases if choice.whole or phase.id == choice.phase]
        scale = total / sum(phase.minutes for phase in phases)
        times = [one.minutes * scale for one in phases]
        whole = all(time == int(time) for time in times)
        told = (f"{time:.0f}" if whole else minutes_of(time * 60) for time in times)
        named = " · ".join(f"{one.title} {time}" for one, time in zip(phases, told, strict=True))
        return line(f"{total} minutes:", "bold") + Content(" ") + line(named)

    # --- changing --------------------------------------------------------------------------------

    def action_change(self, by: int) -> None:
        choice = self._choice
        match self._lines()[self.query_one(Choices).highlighted or 0][0]:
            case "mode":
                mode = _next(MODES, choice.mode, by)
                self._choice = replace(choice, mode=mode)
            case "phase":
                names = ["", *(phase.id for phase in self._round.phases)]
                self._choice = replace(choice, phase=_next(names, choice.phase, by))
            case "minutes":
                minutes = choice.minutes + by * MINUTES_STEP
                minutes = min(max(minutes, LEAST_MINUTES), MOST_MINUTES)
                self._choice = replace(choice, minutes=minutes)
            case "level":
                level = _next(LEVELS, choice.level or self._round.level, by)
                self._choice = replace(choice, level=level)
            case "hard":
                self._choice = replace(choice, hard=not choice.hard)
            case _:
                self._choice = replace(choice, seed=0 if choice.seed is None else None)
        self._fill()

    def action_seed(self) -> None:
        self.app.push_screen(TypedScreen("The seed, a whole number:", "0"), self._take_seed)

    def _take_seed(self, text: str | None) -> None:
        if not text:
            return
        try:
            seed = int(text)
        except ValueError:
            self.notify(line(f"{text[:MOST_SHOWN]!r} is no whole number.").plain, markup=False)
            return
        try:
            self._choice = replace(self._chosen, seed=seed).checked(self._round)
        except DrillkitError as error:
            self.drill.complain(error)
        self._fill()

    @on(OptionList.OptionSelected)
    def action_begin(self) -> None:
        self.drill.begin_round(self._round, self._chosen)

    @property
    def _chosen(self) -> Choice:
        """The choice; a phase that was chosen for a sprint is kept in mind, but not played."""
        return self._choice if self._choice.mode == "sprint" else replace(self._choice, phase="")


def _next(values: Sequence[Value], value: Value, by: int) -> Value:
    return values[(list(values).index(value) + by) % len(values)]


def _past(standing: Standing) -> str:
    ended = standing.ended
    if not ended:
        return "Not played yet. The facts are told when you ask for them."
    return f"Played {times(len(ended))}, last on {day_of(ended[-1]):%a %d %b}."


class TypedScreen(DialogScreen[str]):
    """Asks for one line; the answer is the text, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "Take it", key_display="Enter", priority=True),
        Binding("escape", "close", "Leave it", key_display="Esc"),
    ]

    def __init__(self, ask: str, placeholder: str = "", value: str = "") -> None:
        super().__init__()
        self._ask = ask
        self._placeholder = placeholder
        self._value = value

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(shown(self._ask))
            yield Input(self._value, placeholder=self._placeholder, id="typed-line")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def action_keep(self) -> None:
        self.dismiss(self.query_one(Input).value.strip())


class UnfinishedScreen(DrillScreen[None]):
    """A round that was left before its end: go on, grade what there is, or put it aside."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Choose", key_display="Enter", priority=True),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    def __init__(self, kept: Kept) -> None:
        super().__init__()
        self._kept = kept

    def parts(self) -> Iterable[Widget]:
        state = self._kept.state
        started = moment_of(state.started.at).local
        yield Static(line(state.started.round.title), id="headline")
        yield Static(
            line(f"Begun {started:%a %d %b %H:%M}, {state.started.mode}, and left unfinished."),
            id="note",
        )
        yield Static(id="about")
        yield Choices(id="settings")

    def on_mount(self) -> None:
        self._fill()
        self.query_one(Choices).focus()
        self.query_one(Choices).highlighted = 0
        self.set_interval(1, self._fill)

    def _fill(self) -> None:
        """Show where the round stands; while the screen waits, the time away grows."""
        state = self._kept.state
        away_s = Stamp.of(self.drill.workspace.clock).since(state.last)
        left, gone = minutes_of(state.elapsed_s), minutes_of(state.elapsed_s + away_s)
        where = f"{state.phase.title}, phase {state.index + 1} of {len(state.plan)}"
        self.query_one("#about", Static).update(
            line(f"At {left} of {minutes_of(state.total_s)}, in {where}. Away for {_long(away_s)}.")
        )
        options: list[tuple[str, str, str]] = []
        if state.started.mode == "interview":
            if state.elapsed_s + away_s < state.total_s + OVERTIME_S:
                about = "An interview does not wait: the time away counts."
                options.append(("counted", f"Resume at {gone}", about))
        else:
            options += [
                ("uncounted", f"Resume at {left}", "The time away does not count."),
                ("counted", f"Resume at {gone}", "The time away counts."),
            ]
        over = "" if options else "Its time is over meanwhile. "
        options += [
            ("grade", "Grade it as it is", f"{over}The debrief takes what is there."),
            ("discard", "Discard it", "Its journal is put aside. You are asked to type the word."),
        ]
        choices = self.query_one(Choices)
        at = choices.highlighted or 0
        entries = [(key, title, about) for key, title, about in options]
        choices.set_options(
            Option(line(title, "bold") + Content("\n    ") + line(about, "dim"), id=key)
            for key, title, about in entries
        )
        choices.highlighted = min(at, len(entries) - 1)

    @on(OptionList.OptionSelected)
    def action_choose(self) -> None:
        choices = self.query_one(Choices)
        if choices.highlighted is None:
            return
        match choices.get_option_at_index(choices.highlighted).id:
            case "counted":
                self.drill.resume_round(self._kept, counted=True)
            case "uncounted":
                self.drill.resume_round(self._kept, counted=False)
            case "grade":
                self.drill.grade_as_it_is(self._kept)
            case _:
                ask = "Type discard to put this round aside:"
                self.app.push_screen(TypedScreen(ask, "discard"), self._discard)

    def _discard(self, typed: str | None) -> None:
        if typed != "discard":
            if typed:
                self.notify("Nothing was discarded.")
            return
        try:
            aside = self.drill.workspace.rounds.discard(self._kept)
        except DrillkitError as error:
            self.drill.complain(error)
            return
        self.app.pop_screen()
        self.notify(line(f"Put aside: {aside}").plain, markup=False, timeout=8)


def _long(seconds: float) -> str:
    """How long somebody was away, in the words of a sentence."""
    minutes = seconds / 60
    if minutes < 1:
        return f"{seconds:.0f} s"
    if minutes < 100:
        return f"{minutes:.0f} min"
    hours = minutes / 60
    return f"{hours:.0f} hours" if hours < 48 else f"{hours / 24:.0f} days"
