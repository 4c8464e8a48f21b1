"""Looking after the collection: log, stats, doctor, backup, restore."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from drillkit.cli.console import Progress, answer, say
from drillkit.cli.options import Json
from drillkit.cli.study import parts
from drillkit.clock import Moment
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from drillkit.review.events import Event


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


def stats(context: typer.Context, as_json: Json = False) -> None:
    """Say how recall, load and time have been and will be."""
    from drillkit.review.report import report_of  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    with workspace.collection() as collection:
        report = report_of(*parts(workspace, collection))
    if as_json:
        answer(report)
        return
    for line in report.lines():
        say(line)


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


def backup(
    context: typer.Context, path: Annotated[Path, typer.Argument(help="Where to write it.")]
) -> None:
    """Write a copy of the collection."""
    from drillkit.review.backup import backup as write  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    say(f"written: {write(workspace.folders.collection, path)}")


def restore(
    context: typer.Context, path: Annotated[Path, typer.Argument(help="A copy to go back to.")]
) -> None:
    """Put a copy in the place of the collection; the present one is kept beside it."""
    from drillkit.review.backup import restore as put_back  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    kept = put_back(path, workspace.folders.collection, workspace.clock.now())
    say(f"restored from {path}" + (f"; the old collection is {kept}" if kept else ""))
