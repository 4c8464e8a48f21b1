"""The commands: each reads its arguments, calls one function and prints what it returns."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import msgspec
import typer

from drillkit import __version__
from drillkit.clock import Moment, parse_moment
from drillkit.errors import DrillkitError, UsageError
from drillkit.harmless import harmless
from drillkit.settings import home_from_environment
from drillkit.start import can_draw, complain, open_app
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from drillkit.clock import Clock
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.review.events import Event
    from drillkit.review.state import State
    from drillkit.settings import Settings

app = typer.Typer(
    help="Ten minutes a morning until your machine-learning-systems interview.",
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Item = Annotated[str, typer.Argument(help="deck/card, as `drillkit log` shows it.")]


def run() -> int:
    """Run the command line; return the exit code.

    0 fine, 1 the content is wrong, 2 the call is wrong, 3 drillkit is wrong.
    """
    try:
        result = app(standalone_mode=False)
    except DrillkitError as error:
        complain(error)
        return error.exit_code
    except typer.Exit as leaving:
        return leaving.exit_code
    except typer.Abort:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough of it.
        sys.stderr.close()
        return 0
    except Exception as error:  # noqa: BLE001 the last line of defence says who is to blame
        show = getattr(error, "show", None)
        if show is not None:
            show()
            return 2
        traceback.print_exc()
        print("drillkit failed; this is a fault of drillkit, not of your files.", file=sys.stderr)
        return 3
    return result if isinstance(result, int) else 0


def say(text: str) -> None:
    """Print a line of plain output."""
    print(harmless(text))


def answer(value: Any) -> None:  # noqa: ANN401 any JSON document
    """Print one JSON document."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


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


# --- studying ------------------------------------------------------------------------------------


@app.command()
def review(
    context: typer.Context,
    deck: Annotated[str, typer.Option(help="Only this deck.")] = "",
    tag: Annotated[str, typer.Option(help="Only cards with this tag.")] = "",
    cram: Annotated[bool, typer.Option(help="Any card, leaving the schedule alone.")] = False,
    plain: Annotated[bool, typer.Option(help="Line by line, for pipes and readers.")] = False,
) -> int:
    """Go straight into review."""
    from drillkit.review.queue import Filter  # noqa: PLC0415 `check` and `new` need no review

    chosen = Filter(deck=deck, tag=tag, cram=cram)
    if plain or not can_draw():
        from drillkit.plain import review_plainly  # noqa: PLC0415

        return review_plainly(context.obj, chosen, sys.stdin, sys.stdout)
    return open_app(context.obj, chosen)


@app.command()
def due(context: typer.Context, as_json: Json = False) -> None:
    """Say what waits."""
    from drillkit.review.today import overview  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    now = workspace.clock.now()
    with workspace.collection() as collection:
        waiting = overview(collection, workspace.library(), workspace.settings, now)
    counts, next_at = waiting.counts, waiting.next_due_at
    if as_json:
        answer(
            {
                "due": counts.due,
                "new": counts.new,
                "learning": counts.learning,
                "by_deck": {
                    deck: {"due": own.due, "new": own.new, "learning": own.learning}
                    for deck, own in waiting.by_deck.items()
                },
                "next_due_at": next_at.local.isoformat() if next_at else None,
            }
        )
        return
    say(f"{counts.due} due, {counts.new} new, {counts.learning} learning")
    for deck, own in waiting.by_deck.items():
        if own.total:
            say(f"  {deck}: {own.due} due, {own.new} new, {own.learning} learning")
    if not counts.total and next_at is not None:
        say(f"next: {next_at.local:%Y-%m-%d %H:%M}")


@app.command()
def rate(
    context: typer.Context,
    item: Item,
    rating: Annotated[str, typer.Argument(help="again, hard, good or easy.")],
    as_json: Json = False,
) -> None:
    """Write one rating into the log, as the app would."""
    from drillkit.review.direct import rate_item  # noqa: PLC0415 `check` and `new` need no review
    from drillkit.review.rating import Rating  # noqa: PLC0415

    workspace: Workspace = context.obj
    chosen = Rating.named(rating)
    with workspace.collection() as collection:
        outcome = rate_item(*_parts(workspace, collection), item, chosen)
        document = _standing(workspace, collection, item)
    if as_json:
        answer(document)
    else:
        say(f"{item}: {chosen.label}, back in {outcome.text}")


@app.command()
def mark(
    context: typer.Context,
    item: Item,
    what: Annotated[str, typer.Argument(help="suspend, unsuspend, bury, unbury, flag or unflag.")],
    as_json: Json = False,
) -> None:
    """Suspend, bury or flag an item, or take that back."""
    from drillkit.review.direct import mark_item  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    with workspace.collection() as collection:
        mark_item(*_parts(workspace, collection), item, what)
        document = _standing(workspace, collection, item)
    if as_json:
        answer(document)
    else:
        say(f"{item}: {what}")


def _parts(
    workspace: Workspace, collection: Collection
) -> tuple[Collection, Library, Clock, Settings]:
    return collection, workspace.library(), workspace.clock, workspace.settings


def _standing(workspace: Workspace, collection: Collection, item: str) -> dict[str, object]:
    """Return what the schedule knows of an item, as a document."""
    from drillkit.review.direct import next_intervals  # noqa: PLC0415 as above

    state = collection.state(item)
    due = _due_at(state, workspace)
    previews = next_intervals(*_parts(workspace, collection), item)
    memory = state.memory
    return {
        "item": item,
        "reps": state.reps,
        "lapses": state.lapses,
        "stability": getattr(memory, "stability", None),
        "difficulty": getattr(memory, "difficulty", None),
        "due_at": due.local.isoformat() if due is not None else None,
        "intervals": {rating.label: preview.text for rating, preview in previews.items()},
        "suspended": state.suspended,
        "flagged": state.flagged,
    }


@app.command()
def undo(context: typer.Context, as_json: Json = False) -> None:
    """Take the last action back."""
    from drillkit.review.direct import undo_last  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    with workspace.collection() as collection:
        outcome = undo_last(*_parts(workspace, collection))
        if outcome is None:
            raise DrillkitError("there is nothing to undo")
        document = _standing(workspace, collection, outcome.item) if as_json else {}
    if as_json:
        answer(document)
    else:
        say(f"{outcome.item}: undone")


@app.command()
def log(
    context: typer.Context,
    item: Annotated[str, typer.Option(help="Only this item's events.")] = "",
    as_json: Json = False,
) -> None:
    """List the events, oldest first."""
    workspace: Workspace = context.obj
    with workspace.collection() as collection:
        chosen = ("item = ?", item) if item else ("1",)
        events = collection.events(*chosen)
        if as_json:
            answer({"events": list(events)})
            return
        for event in events:
            say(_told(event))


def _told(event: Event) -> str:
    action: dict[str, object] = msgspec.to_builtins(event.action)
    kind = action.pop("kind", "unknown")
    told = " ".join(f"{key}={value}" for key, value in action.items())
    when = Moment(event.utc_ms, event.offset_min).local
    return f"{event.seq} {when:%Y-%m-%dT%H:%M:%S%z} {kind} {told}"


@app.command()
def stats(context: typer.Context, as_json: Json = False) -> None:
    """Say how recall, load and time have been and will be."""
    from drillkit.review.report import report_of  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    with workspace.collection() as collection:
        report = report_of(*_parts(workspace, collection))
    if as_json:
        answer(report)
        return
    for line in report.lines():
        say(line)


@app.command()
def doctor(
    context: typer.Context,
    repair: Annotated[bool, typer.Option(help="Rebuild the state from the log.")] = False,
    as_json: Json = False,
) -> int:
    """Check the collection and prove that its state is a replay of its log."""
    from drillkit.review.doctor import examine  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    with workspace.collection() as collection, Progress() as progress:
        report = examine(collection, library=workspace.library(), repair=repair, progress=progress)
    if as_json:
        answer(
            {
                "clean": report.clean,
                "events": report.events,
                "items": report.items,
                "findings": [str(finding) for finding in report.findings],
                "repaired": report.repaired,
            }
        )
    else:
        for finding in report.findings:
            say(str(finding))
        verdict = "clean" if report.clean else "not clean"
        say(f"{report.events:,} events, {report.items:,} items: {verdict}")
    return 0 if report.clean else 1


@app.command()
def backup(
    context: typer.Context, path: Annotated[Path, typer.Argument(help="Where to write it.")]
) -> None:
    """Write a copy of the collection."""
    from drillkit.review.backup import backup as write  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    say(f"written: {write(workspace.folders.collection, path)}")


@app.command()
def restore(
    context: typer.Context, path: Annotated[Path, typer.Argument(help="A copy to go back to.")]
) -> None:
    """Put a copy in the place of the collection; the present one is kept beside it."""
    from drillkit.review.backup import restore as put_back  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    kept = put_back(path, workspace.folders.collection, workspace.clock.now())
    say(f"restored from {path}" + (f"; the old collection is {kept}" if kept else ""))


def _due_at(state: State, workspace: Workspace) -> Moment | None:
    from drillkit.review.state import New, Reviewing  # noqa: PLC0415 as above
    from drillkit.review.today import day_start  # noqa: PLC0415

    now = workspace.clock.now()
    match state.memory:
        case New():
            return None
        case Reviewing(due_day=day):
            return day_start(day, now, workspace.settings)
        case memory:
            return Moment(memory.due_ms, now.offset_min)


# --- authoring -----------------------------------------------------------------------------------


@app.command()
def check(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Files or folders.")] = None,
    fix: Annotated[bool, typer.Option(help="Write ids where they are missing.")] = False,
    as_json: Json = False,
) -> int:
    """Tell everything that is wrong in the deck files."""
    from drillkit.authoring.check import check as look  # noqa: PLC0415 a review needs no checks

    workspace: Workspace = context.obj
    folders = paths or [folder for folder in workspace.deck_folders if folder.exists()]
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
            f"{verdict.cards:,} cards in {verdict.files:,} files: "
            f"{verdict.errors:,} errors, {verdict.warnings:,} warnings"
        )
    return 1 if verdict.errors else 0


@app.command()
def new(
    kind: Annotated[str, typer.Argument(help="deck")],
    path: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Write a commented file to start from."""
    from drillkit.authoring.starter import write_deck  # noqa: PLC0415 a review needs no starter

    _need_deck(kind)
    say(f"written: {write_deck(path)}")


@app.command()
def schema(kind: Annotated[str, typer.Argument(help="deck")]) -> None:
    """Print the JSON Schema of a file, for editors."""
    from drillkit.authoring.starter import deck_schema  # noqa: PLC0415 a review needs no schema

    _need_deck(kind)
    answer(deck_schema())


def _need_deck(kind: str) -> None:
    if kind != "deck":
        raise UsageError(f"there is no kind of file called {kind!r}", hint="the kinds are: deck")


class Progress:
    """A line on standard error that counts, where somebody may be watching and it takes long."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._shown = -1

    def __enter__(self) -> Self:
        return self

    def __call__(self, what: str, done: int, total: int) -> None:
        percent = 100 * done // max(total, 1)
        if self._watched and percent != self._shown:
            self._shown = percent
            sys.stderr.write(f"\r{what}: {percent} %")
            sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._shown >= 0:
            sys.stderr.write("\r\x1b[K")
