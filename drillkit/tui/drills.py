"""From a card to what it sends to for practice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.content.drill import drill_named
from drillkit.errors import DrillkitError
from drillkit.tui.screens.drills import DrillsScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from drillkit.content.drill import Drill
    from drillkit.tui.app import DrillApp


def choose_drill(app: DrillApp, drills: tuple[Drill, ...], go: Callable[[Drill], None]) -> None:
    """Call `go` with the one drill, or with that of several which is chosen."""
    if len(drills) == 1:
        go(drills[0])
        return

    def chosen(drill: Drill | None) -> None:
        if drill is not None:
            go(drill)

    app.push_screen(DrillsScreen(drills), chosen)


def open_drill(app: DrillApp, drill: Drill) -> None:
    """Show a drill in front of the card; nothing opens when its file went away meanwhile."""
    now = drill_named(drill.id, app.library)
    match now.kind if now is not None else None:
        case "problem":
            app.practice(drill.id)
        case "round":
            app.start_round(drill.id)
        case "figure":
            from drillkit.tui.figures import open_figure  # noqa: PLC0415 it draws: few cards need it

            open_figure(app, drill.id)
        case None:
            what = f"{drill.id} is no longer in the files"
            app.complain(DrillkitError(what, hint="`drillkit check` tells what a card sends to"))
