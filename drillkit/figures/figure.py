"""What a figure is: its parameters, the question it can open with, and the drawing it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from drillkit.content.cards import FIGURES
from drillkit.errors import UsageError
from drillkit.figures.drawing import Line, Size
from drillkit.figures.parameters import Amount, Values, read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.figures.parameters import Parameter


@dataclass(frozen=True)
class Number:
    """A value in base units (a list where there is one a stage), its unit, and both as text."""

    value: float | str | list[int]
    unit: str
    text: str


@dataclass(frozen=True)
class Figure:
    """A drawing, one or two sentences that say what it shows, and its numbers by name."""

    lines: tuple[Line, ...]
    reading: str
    numbers: dict[str, Number]


@dataclass(frozen=True)
class Preset:
    """Settings under a name."""

    name: str
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Question:
    """What is guessed before a figure is seen.

    `parts` are the numbers asked for, `why` is shown with the truth.
    """

    id: str
    ask: str
    parts: tuple[Part, ...]
    why: str


@dataclass(frozen=True)
class Part:
    """One number to guess: what it is called, which number of the figure at `settings` it is.

    `unit` is that of a bare guess.
    """

    name: str
    number: str
    unit: str
    settings: tuple[tuple[str, str], ...]


Drawer = Callable[[Values, Size, tuple[Any, ...]], Figure]


@dataclass(frozen=True)
class Kind:
    """A figure that can be drawn for any values of its parameters.

    `draw` takes the values, the room and what `simulate` has yielded so far. `steps` names the
    parameter that goes forward step by step, whose last step for given values is `last_step`.
    `simulate` is slow work whose results are drawn as they come: it is asked for with the parameter
    `simulate`, and `simulations` says how many results there will be.
    """

    name: str
    about: str
    parameters: tuple[Parameter, ...]
    drawer: Drawer
    presets: tuple[Preset, ...] = ()
    questions: tuple[Question, ...] = ()
    steps: str = ""
    last_step: Callable[[Values], float] | None = None
    simulate: Callable[[Values], Iterator[Any]] | None = None
    simulations: int = 0

    @property
    def title(self) -> str:
        """What the figure is called where people read."""
        return FIGURES[self.name]

    def read(self, given: Mapping[str, str], base: Values | None = None) -> Values:
        """Return the values that `given` sets, the others from `base` or the defaults.

        Raises `UsageError` for an unknown name, a value out of range or numbers that do not go
        together.
        """
        try:
            values = self.settled(read_settings(self.parameters, given, base))
            self.draw(values)
        except ValueError as error:
            raise UsageError(f"{self.name}: {error}") from error
        return values

    def fitting(self, settings: Mapping[str, str], given: Mapping[str, str]) -> Values:
        """Return the values for `settings`, and for as much of `given` as the figure can take.

        Raises what `read` raises for the settings.
        """
        values = self.read(settings)
        for name, text in given.items():
            if name not in settings:
                with suppress(UsageError):
                    values = self.read({name: text}, values)
        return values

    def settled(self, values: Values) -> Values:
        """Return the values with the step no further than the last."""
        if self.last_step is None:
            return values
        return values | {self.steps: min(float(values[self.steps]), self.last_step(values))}

    def sliders(self, values: Values) -> tuple[Parameter, ...]:
        """Return the parameters, that of the steps only as far as the last step."""
        if self.last_step is None:
            return self.parameters
        last = self.last_step(values)
        return tuple(
            replace(one, stops=tuple(stop for stop in one.stops if stop <= last))
            if isinstance(one, Amount) and one.name == self.steps
            else one
            for one in self.parameters
        )

    def draw(
        self, values: Values, size: Size | None = None, results: tuple[Any, ...] = ()
    ) -> Figure:
        """Return the figure. Raises `ValueError` for numbers that do not go together."""
        return self.drawer(values, size or Size(), results)

    def simulated(self, values: Values) -> tuple[Any, ...]:
        """Return all results of the simulation, where the values ask for one."""
        if self.simulate is None or values.get("simulate") != "yes":
            return ()
        return tuple(self.simulate(values))

    def parameter(self, name: str) -> Parameter:
        """Return the parameter of that name, which must be one."""
        return next(one for one in self.parameters if one.name == name)

    def shown(self, values: Values) -> dict[str, Number]:
        """Return the values of all parameters with unit and text."""
        return {
            one.name: Number(
                values[one.name],
                one.base_unit if isinstance(one, Amount) else "",
                one.shown(values[one.name]),
            )
            for one in self.parameters
        }
