"""Writing decks, problems and rounds: check, new, schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

import typer

from drillkit.cli.console import Progress, answer, say
from drillkit.cli.options import Json
from drillkit.counted import counted
from drillkit.errors import UsageError
from drillkit.workspace import Workspace

T = TypeVar("T")


def check(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Files or folders.")] = None,
    fix: Annotated[bool, typer.Option(help="Write ids where they are missing.")] = False,
    as_json: Json = False,
) -> int:
    """Tell everything that is wrong in the files of decks, problems and rounds."""
    from drillkit.authoring.check import check as look  # noqa: PLC0415 a review needs no checks

    workspace: Workspace = context.obj
    folders = paths or [folder for folder in workspace.content_folders if folder.exists()]
    with Progress() as progress:
        verdict = look(folders, fix=fix, progress=progress)
    if as_json:
        answer(
            {
                "files": verdict.files,
                "cards": verdict.cards,
                "problems": verdict.problems,
                "rounds": verdict.rounds,
                "diagnostics": verdict.diagnostics,
            }
        )
    else:
        for name in verdict.fixed:
            say(f"{name}: ids written")
        for found in verdict.diagnostics:
            say(str(found))
        say(
            f"{counted(verdict.cards, 'card')}, {counted(verdict.problems, 'problem')} and "
            f"{counted(verdict.rounds, 'round')} in {counted(verdict.files, 'file')}: "
            f"{counted(verdict.errors, 'error')}, {counted(verdict.warnings, 'warning')}"
        )
    return 1 if verdict.errors else 0


Kind = Annotated[str, typer.Argument(help="deck, problem or round")]


def new(
    kind: Kind,
    path: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Write a commented file to start from."""
    from drillkit.authoring.problem_starter import write_problems  # noqa: PLC0415 a review needs
    from drillkit.authoring.round_starter import write_round  # noqa: PLC0415 no starters
    from drillkit.authoring.starter import write_deck  # noqa: PLC0415

    writers = {"deck": write_deck, "problem": write_problems, "round": write_round}
    say(f"written: {_of_kind(kind, writers)(path)}")


def schema(kind: Kind) -> None:
    """Print the JSON Schema of a file, for editors."""
    from drillkit.authoring.problem_starter import problem_schema  # noqa: PLC0415 a review needs
    from drillkit.authoring.round_starter import round_schema  # noqa: PLC0415 no schemas
    from drillkit.authoring.starter import deck_schema  # noqa: PLC0415

    schemas = {"deck": deck_schema, "problem": problem_schema, "round": round_schema}
    answer(_of_kind(kind, schemas)())


def _of_kind(kind: str, known: dict[str, T]) -> T:
    if kind not in known:
        hint = "the kinds are: " + ", ".join(known)
        raise UsageError(f"there is no kind of file called {kind!r}", hint=hint)
    return known[kind]
