"""Opening a front end: the app, or the plain one where no app can run."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from drillkit.errors import DrillkitError
from drillkit.harmless import harmless

if TYPE_CHECKING:
    from collections.abc import Callable

    from drillkit.tui.app import DrillApp
    from drillkit.workspace import Workspace


def can_draw() -> bool:
    """Tell whether there is a terminal on which screens can be drawn."""
    # Textual draws on standard error: sent elsewhere, it would leave an empty screen that waits.
    on_terminal = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    return on_terminal and os.environ.get("TERM", "") not in ("", "dumb")


def open_app(
    workspace: Workspace | None = None, start: Callable[[DrillApp], None] | None = None
) -> int:
    """Run the app until it is left; return the exit code.

    `start` is called once the decks are read, to go straight to a screen: `lambda app:
    app.review(chosen)`. Without a terminal it says so and what to use instead.
    """
    if not can_draw():
        complain(
            DrillkitError(
                "drillkit's screens need a terminal",
                hint="`drillkit review --plain` asks line by line",
            )
        )
        return 2
    # Nearly all that is made until the first screen stands is kept, so searching it for garbage
    # would only make the start a tenth longer. The app takes the collector up again.
    gc.disable()
    # Imported here: only the app needs textual.
    from drillkit.settings import home_from_environment  # noqa: PLC0415
    from drillkit.tui.app import DrillApp  # noqa: PLC0415
    from drillkit.workspace import Workspace  # noqa: PLC0415

    try:
        app = DrillApp(workspace or Workspace(home_from_environment()), start)
    except DrillkitError as error:
        complain(error)
        return error.exit_code
    app.run()
    if app.fatal is not None:
        complain(app.fatal)
    return app.return_code or 0


def complain(error: DrillkitError) -> None:
    """Print an error, without letting what it quotes reach the terminal as it is."""
    print(harmless(str(error)), file=sys.stderr)
