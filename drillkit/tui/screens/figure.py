"""One figure: its picture, what the picture says, and the sliders that change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line
from drillkit.tui.widgets.figures.picture import Picture
from drillkit.tui.widgets.figures.sliders import Sliders

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget
    from textual.worker import Worker

    from drillkit.figures.figure import Kind
    from drillkit.figures.parameters import Value, Values

SELECT = Binding.Group("Select", compact=True)
CHANGE = Binding.Group("Change", compact=True)
STEP = Binding.Group("Step", compact=True)


class FigureScreen(DrillScreen[None]):
    """Every key changes the values in one place; the picture is drawn anew from them."""

    DEFAULT_CSS = """
    FigureScreen #status { text-wrap: nowrap; text-overflow: ellipsis; }
    FigureScreen #reading { height: 5; padding: 1 2 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "choose(1)", "Select the next", key_display="j", group=SELECT),
        Binding("k,up", "choose(-1)", "Select the one before", key_display="k", group=SELECT),
        Binding("h,left,minus", "move(-1)", "Less", key_display="h", group=CHANGE),
        Binding("l,right,plus,equals_sign", "move(1)", "More", key_display="l", group=CHANGE),
        Binding("s", "step(1)", "Next step", group=STEP),
        Binding("b", "step(-1)", "Step back", group=STEP),
        Binding("x", "cancel", "Cancel"),
        Binding("pagedown", "page(1)", "Scroll the picture down", show=False),
        Binding("pageup", "page(-1)", "Scroll the picture up", show=False),
        Binding("p", "preset", "Preset"),
        Binding("r", "reset", "Reset"),
        Binding("g", "guesses", "Guesses"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc"),
    ]

    class Simulated(Message):
        """One more result is there, or the last one was."""

        def __init__(self, worker: Worker[None], result: Any, *, last: bool) -> None:  # noqa: ANN401 what the figure's simulation yields
            super().__init__()
            self.worker = worker
            self.result = result
            self.last = last

    def __init__(self, kind: Kind, values: Values, told: str = "") -> None:
        super().__init__()
        self.kind = kind
        self.values = values
        self._start = values
        self._preset = -1
        self._told = ""
        self._first = told or kind.about
        self._results: tuple[Any, ...] = ()
        self._worker: Worker[None] | None = None

    # --- what is shown ---------------------------------------------------------------------

    def parts(self) -> Iterable[Widget]:
        yield Static(id="status")
        yield Static(id="reading")
        yield Picture()
        yield Sliders(self.kind.sliders(self.values), self.values)

    def on_mount(self) -> None:
        self._head(self._first)
        self._simulate_if_wanted()

    def _head(self, text: str) -> None:
        if text != self._told:
            self._told = text
            head = line(f"{self.kind.title} · {text}")
            self.query_one("#status", Static).update(head, layout=False)

    @on(Picture.Resized)
    def draw_figure(self) -> None:
        """Draw the figure for the values as they are."""
        picture = self.query_one(Picture)
        figure = self.kind.draw(self.values, picture.room, self._results)
        picture.show_lines(figure.lines)
        self._say(figure.reading)
        self.query_one(Sliders).show_values(self.kind.sliders(self.values), self.values)

    def _say(self, reading: str) -> None:
        if self._worker is not None:
            done = len(self._results)
            reading = f"Simulating: {done} of {self.kind.simulations} done, x cancels. {reading}"
        self.query_one("#reading", Static).update(line(reading), layout=False)

    def _use(self, values: Values) -> None:
        """Go on with other values, unless the figure cannot be drawn for them."""
        before, self.values = self.values, self.kind.settled(values)
        results, self._results = self._results, ()
        try:
            self.draw_figure()
        except ValueError as error:
            self.values, self._results = before, results
            self.notify(line(str(error)).plain, markup=False)
            return
        self._simulate_if_wanted()
        if self.kind.steps:
            self.refresh_bindings()

    # --- the keys --------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "step":
            if not self.kind.steps or self.kind.last_step is None:
                return False
            at = float(self.values[self.kind.steps])
            last = self.kind.last_step(self.values)
            return (at < last if parameters == (1,) else at > 0) or None
        if action == "cancel":
            return self._worker is not None
        if action == "guesses":
            return bool(self.kind.questions)
        return True

    def action_choose(self, by: int) -> None:
        self.query_one(Sliders).choose(by)

    def action_move(self, by: int) -> None:
        self.query_one(Sliders).move(by)

    @on(Sliders.Changed)
    def change(self, event: Sliders.Changed) -> None:
        self._change(event.name, event.value)

    def _change(self, name: str, value: Value) -> None:
        self._head(self.kind.about)
        self._use(self.values | {name: value})

    def action_step(self, by: int) -> None:
        name = self.kind.steps
        at = float(self.values[name]) + by
        self._change(name, max(at, 0))

    def action_page(self, by: int) -> None:
        picture = self.query_one(Picture)
        if by > 0:
            picture.scroll_page_down(animate=False)
        else:
            picture.scroll_page_up(animate=False)

    def action_reset(self) -> None:
        self._preset = -1
        self._head(self.kind.about)
        self._use(self._start)

    def action_preset(self) -> None:
        self._preset = (self._preset + 1) % len(self.kind.presets)
        preset = self.kind.presets[self._preset]
        self._use(self.kind.read(dict(preset.settings)))
        self._head(preset.name)

    def action_guesses(self) -> None:
        from drillkit.tui.figures import show_guesses  # noqa: PLC0415 it imports this screen

        show_guesses(self.drill, self.kind)

    # --- simulating, off the screen's thread -----------------------------------------------

    def _simulate_if_wanted(self) -> None:
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        if self.values.get("simulate") == "yes":
            self._worker = self._simulate(self.values)
            self.refresh_bindings()

    @work(thread=True, exclusive=True, group="simulate", exit_on_error=False)
    def _simulate(self, values: Values) -> None:
        worker = get_current_worker()
        if self.kind.simulate is None:
            return
        for number, result in enumerate(self.kind.simulate(values), 1):
            if worker.is_cancelled:
                return
            last = number == self.kind.simulations
            self.post_message(self.Simulated(worker, result, last=last))

    @on(Simulated)
    def take_result(self, event: Simulated) -> None:
        if event.worker is not self._worker:
            return
        self._results = (*self._results, event.result)
        if event.last:
            self._worker = None
            self.refresh_bindings()
        self.draw_figure()

    def action_cancel(self) -> None:
        if self._worker is None:
            return
        self._worker.cancel()
        self._worker = None
        self.values = self.values | {"simulate": "no"}
        self.draw_figure()
        self.refresh_bindings()
