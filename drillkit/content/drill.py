"""What a card sends to for practice: a problem family, a design round or a figure, by its id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from drillkit.content.cards import FIGURES

if TYPE_CHECKING:
    from drillkit.content.cards import AnyCard
    from drillkit.content.library import Library


class Drill(msgspec.Struct, frozen=True):
    """Something to practise; `kind` says what `id` is the id of."""

    kind: Literal["problem", "round", "figure"]
    id: str
    title: str

    @property
    def command(self) -> str:
        """What is typed to run it by itself."""
        verb = "practice" if self.kind == "problem" else self.kind
        return f"drillkit {verb} {self.id}"


def drill_named(name: str, library: Library) -> Drill | None:
    """Return what the name stands for: a problem before a round, a round before a figure."""
    if name in library.problems:
        return Drill("problem", name, library.problems[name].title)
    if name in library.rounds:
        return Drill("round", name, library.rounds[name].title)
    if name in FIGURES:
        return Drill("figure", name, FIGURES[name])
    return None


def drills_of(card: AnyCard, library: Library) -> tuple[Drill, ...]:
    """Return the drills of a card, without those that there are not: `check` tells of them."""
    found = (drill_named(name, library) for name in card.drill)
    return tuple(drill for drill in found if drill is not None)
