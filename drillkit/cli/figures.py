"""Figures from the command line."""

from __future__ import annotations

import shutil
from typing import Annotated

import typer

from drillkit.cli.console import answer, say
from drillkit.cli.options import Json
from drillkit.start import can_draw, open_app

WIDEST = 160


def figure(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Which figure; without it, all are listed.")] = "",
    settings: Annotated[
        list[str] | None, typer.Argument(help="name=value, as after --set.", show_default=False)
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", help="name=value, with a unit; may be repeated.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print it, and open no screen.")] = False,
    width: Annotated[int, typer.Option(help="Columns of --text; 0: the terminal's.")] = 0,
    as_json: Json = False,
) -> int:
    """Draw a figure for numbers of your own."""
    from drillkit.figures.catalogue import FIGURES, setting  # noqa: PLC0415 a review needs no figures
    from drillkit.figures.catalogue import figure as find  # noqa: PLC0415
    from drillkit.figures.drawing import Size, text_of  # noqa: PLC0415

    if not name:
        if as_json:
            answer(
                {"figures": [{"name": one.name, "title": one.title} for one in FIGURES.values()]}
            )
        else:
            for one in FIGURES.values():
                say(f"{one.name:<12} {one.about}")
        return 0
    kind = find(name)
    given = [*(sets or ()), *(settings or ())]
    values = kind.read(dict(map(setting, given)))
    if not (text or as_json) and can_draw():
        from drillkit.tui.figures import open_figure  # noqa: PLC0415 only a screen needs textual

        wanted = " ".join((name, *given))
        return open_app(context.obj, lambda app: open_figure(app, wanted, guess_first=True))
    columns = width or min(shutil.get_terminal_size((80, 24)).columns, WIDEST)
    drawn = kind.draw(values, Size(columns), kind.simulated(values))
    if as_json:
        answer(
            {
                "figure": name,
                "title": kind.title,
                "parameters": kind.shown(values),
                "numbers": drawn.numbers,
                "reading": drawn.reading,
            }
        )
        return 0
    say(kind.title)
    say(", ".join(f"{one} = {shown.text}" for one, shown in kind.shown(values).items()))
    say("")
    for row in text_of(drawn.lines).split("\n"):
        say(row)
    say("")
    say(drawn.reading)
    for key, number in drawn.numbers.items():
        say(f"{key}: {number.text}")
    return 0
