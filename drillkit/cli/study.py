"""Studying from the command line: review, due, rate, mark, undo."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from drillkit.cli.console import answer, say
from drillkit.cli.due import tell_due
from drillkit.cli.options import Item, Json
from drillkit.clock import Moment
from drillkit.errors import DrillkitError, UsageError
from drillkit.start import can_draw, open_app
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from drillkit.clock import Clock
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.review.state import State
    from drillkit.settings import Settings


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
        from drillkit.plain.review import review_plainly  # noqa: PLC0415

        return review_plainly(context.obj, chosen, sys.stdin, sys.stdout)
    return open_app(context.obj, lambda app: app.review(chosen))


def due(context: typer.Context, as_json: Json = False) -> None:
    """Say what waits."""
    tell_due(context.obj, as_json=as_json)


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
        outcome = rate_item(*parts(workspace, collection), item, chosen)
        document = _standing(workspace, collection, item)
    if as_json:
        answer(document)
    else:
        say(f"{item}: {chosen.label}, back in {outcome.text}")


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
        mark_item(*parts(workspace, collection), item, what)
        document = _standing(workspace, collection, item)
    if as_json:
        answer(document)
    else:
        say(f"{item}: {what}")


def parts(
    workspace: Workspace, collection: Collection
) -> tuple[Collection, Library, Clock, Settings]:
    return collection, workspace.library(), workspace.clock, workspace.settings


def _standing(workspace: Workspace, collection: Collection, item: str) -> dict[str, object]:
    """Return what the schedule knows of an item, as a document."""
    from drillkit.review.direct import next_intervals  # noqa: PLC0415 as above

    state = collection.state(item)
    due = _due_at(state, workspace)
    previews = next_intervals(*parts(workspace, collection), item)
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


def undo(context: typer.Context, as_json: Json = False) -> None:
    """Take the last action back."""
    from drillkit.review.direct import undo_last  # noqa: PLC0415 `check` and `new` need no review

    workspace: Workspace = context.obj
    with workspace.collection() as collection:
        outcome = undo_last(*parts(workspace, collection))
        if outcome is None:
            raise DrillkitError("there is nothing to undo")
        document = _standing(workspace, collection, outcome.item) if as_json else {}
    if as_json:
        answer(document)
    else:
        say(f"{outcome.item}: undone")


def glossary(
    context: typer.Context,
    symbol: Annotated[str, typer.Argument(help="Only this symbol.")] = "",
    as_json: Json = False,
) -> None:
    """Say what the symbols on the cards mean."""
    from drillkit.content.glossary import glossary as gathered  # noqa: PLC0415 only this command

    workspace: Workspace = context.obj
    found = gathered(workspace.library())
    chosen = {name: found[name] for name in found if symbol in ("", name)}
    if not chosen:
        raise UsageError(f"no card uses the symbol {symbol!r}")
    if as_json:
        answer({name: [meaning.text for meaning in chosen[name]] for name in chosen})
        return
    for name, meanings in chosen.items():
        say(f"{name}: " + "; ".join(meaning.text for meaning in meanings))
