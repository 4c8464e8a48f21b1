"""Straight into a numeric problem."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from drillkit.start import can_draw, open_app
from drillkit.workspace import Workspace


def practice(
    context: typer.Context,
    problem: Annotated[str, typer.Argument(help="The id of a problem family.")] = "",
    find: Annotated[str, typer.Option(help="The symbol that is asked for.")] = "",
    seed: Annotated[int | None, typer.Option(help="The same seed, the same numbers.")] = None,
    plain: Annotated[bool, typer.Option(help="Line by line, for pipes and readers.")] = False,
) -> int:
    """Drill numeric problems; without a name it lists the families."""
    workspace: Workspace = context.obj
    if plain or not can_draw():
        from drillkit.plain.problem import practise_plainly  # noqa: PLC0415 the screens need it not

        return practise_plainly(workspace, problem, find, seed, (sys.stdin, sys.stdout))
    return open_app(workspace, lambda app: app.practice(problem, find, seed))
