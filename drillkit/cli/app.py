"""The command line: its global options, its commands, and what it ends with."""

from __future__ import annotations

import io
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from drillkit import __version__
from drillkit.cli import author, figures, keep, plan, practice, round, solve, study  # noqa: A004 the command's name
from drillkit.cli.console import forgive_encodings, say
from drillkit.clock import parse_moment
from drillkit.errors import DrillkitError, UsageError
from drillkit.settings import home_from_environment
from drillkit.start import complain, open_app
from drillkit.workspace import Workspace

app = typer.Typer(
    help="Ten minutes a morning until your machine-learning-systems interview.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    study.review,
    study.due,
    study.rate,
    study.mark,
    practice.practice,
    round.round,
    round.replay,
    study.undo,
    study.glossary,
    solve.variant,
    solve.solve,
    solve.judge,
    figures.figure,
    plan.plan,
    keep.log,
    keep.stats,
    keep.doctor,
    keep.backup,
    keep.restore,
    author.check,
    author.new,
    author.schema,
):
    app.command()(command)


def run() -> int:
    """Run the command line; return the exit code.

    0 fine, 1 the content is wrong, 2 the call is wrong, 3 drillkit is wrong.
    """
    forgive_encodings()
    try:
        result = app(standalone_mode=False)
        sys.stdout.flush()
    except DrillkitError as error:
        complain(error)
        return error.exit_code
    except typer.Exit as leaving:
        return leaving.exit_code
    except typer.Abort:
        return 130
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has enough of it (typer leaves on its own then).
        sys.stdout = sys.stderr = io.StringIO()
        return 0
    except OSError as error:
        sys.stdout = io.StringIO()  # what is left in it cannot be written either
        complain(DrillkitError(error.strerror or str(error), where=str(error.filename or "")))
        return 1
    except Exception as error:  # noqa: BLE001 the last line of defence says who is to blame
        show = getattr(error, "show", None)
        if show is not None:
            show()
            return 2
        traceback.print_exc()
        print("drillkit failed; this is a fault of drillkit, not of your files.", file=sys.stderr)
        return 3
    return result if isinstance(result, int) else 0


def _version(wanted: bool) -> None:
    if wanted:
        say(f"drillkit {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    home: Annotated[Path | None, typer.Option(help="Keep everything below this folder.")] = None,
    content: Annotated[
        list[Path] | None, typer.Option(help="One more folder with decks; may be repeated.")
    ] = None,
    at: Annotated[str, typer.Option(help="Set the clock: 2026-12-01T08:00+01:00.")] = "",
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> int | None:
    """Open the app, unless a command follows."""
    del version
    moment = parse_moment(at) if at else None
    for folder in content or ():
        if not folder.exists():
            raise UsageError(f"there is no {folder}", hint="--content names a folder with decks")
    context.obj = Workspace(home or home_from_environment(), tuple(content or ()), moment)
    if context.invoked_subcommand is None:
        return open_app(context.obj)
    return None
