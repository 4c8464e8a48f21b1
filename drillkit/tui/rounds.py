"""Ways into a design round: to begin one, to go on with one that was left, to grade one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.errors import DrillkitError
from drillkit.rounds.archive import Kept
from drillkit.rounds.choice import Choice, round_named
from drillkit.rounds.debrief import own_grades, verdict_or_none
from drillkit.rounds.journal import played_elsewhere
from drillkit.rounds.rubric import rubric
from drillkit.rounds.sitting import Sitting
from drillkit.rounds.standing import Standing, day_of, standings
from drillkit.tui.screens.round_start import RoundStartScreen, UnfinishedScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drillkit.content.round import Round
    from drillkit.rounds.pace import Visit
    from drillkit.rounds.state import State
    from drillkit.tui.app import DrillApp


def start_round(app: DrillApp, name: str, choice: Choice | None) -> None:
    """Show the start of a round, or what to do with one that was left in the middle.

    With a `choice` the round begins at once. Raises `UsageError` for a name that no round has.
    """
    if _played_elsewhere(app, name):
        return
    kept, faults = app.workspace.rounds.read(name)
    for fault in faults:
        app.complain(fault)
    standing = standings(kept).get(name, Standing())
    if standing.unfinished is not None:
        # Its journal holds the round as it was; its file may be broken or gone since.
        app.push_screen(UnfinishedScreen(standing.unfinished))
        return
    round_ = round_named(app.library.rounds, name)
    if choice is not None:
        begin_round(app, round_, choice)
    else:
        app.push_screen(RoundStartScreen(round_, standing, Choice()))


def return_to_round(app: DrillApp, kept: Kept) -> None:
    """Ask what is to become of a round that was left in the middle."""
    if not _played_elsewhere(app, kept.state.round_id):
        app.push_screen(UnfinishedScreen(kept))


def _played_elsewhere(app: DrillApp, name: str) -> bool:
    played = app.workspace.rounds.is_played(name)
    if played:
        app.complain(played_elsewhere(name))
    return played


def begin_round(app: DrillApp, round_: Round, choice: Choice) -> None:
    """Begin the round in front of whatever was shown before its start screen."""
    workspace = app.workspace
    kept, _ = workspace.rounds.read(round_.id)
    _play(app, lambda: choice.begin(workspace.rounds, workspace.clock, round_), kept)


def resume_round(app: DrillApp, kept: Kept, *, counted: bool) -> None:
    """Go on with a round that was left."""
    workspace = app.workspace
    others, _ = workspace.rounds.read(kept.state.round_id)
    _play(app, lambda: Sitting.resume(kept.path, workspace.clock, counted=counted), others)


def offer_sprint(app: DrillApp, state: State, phase: str) -> None:
    """Show the start of a sprint of one phase of that round, or of all with ""."""
    try:
        round_ = round_named(app.library.rounds, state.round_id)
        choice = Choice(mode="sprint", level=state.started.level, phase=phase).checked(round_)
    except DrillkitError as error:
        app.complain(error)
        return
    kept, _ = app.workspace.rounds.read(round_.id)
    standing = standings(kept).get(round_.id, Standing())
    app.push_screen(RoundStartScreen(round_, standing, choice))


def _play(app: DrillApp, open_: Callable[[], Sitting], kept: Sequence[Kept]) -> None:
    try:
        sitting = open_()
    except DrillkitError as error:
        app.complain(error)
        return
    if isinstance(app.screen, RoundStartScreen | UnfinishedScreen):
        app.pop_screen()
    app.play_round(sitting, ghost_of(sitting, kept))


def ghost_of(sitting: Sitting, kept: Sequence[Kept]) -> tuple[Visit, ...]:
    """Return the course of the best earlier run of the same phases in the same time, if any.

    The best is the one with the best verdict that was not interrupted; of two alike, the later.
    """
    started = sitting.state.started
    alike = [
        one.state
        for one in kept
        if one.state.finished
        and not one.state.interrupted
        and one.path != sitting.path
        and one.state.started.phases == started.phases
        and one.state.started.minutes == started.minutes
    ]
    best = max(alike, key=lambda one: (_score(one), one.started.at.utc_ms), default=None)
    return tuple(best.visits) if best else ()


def _score(state: State) -> float:
    rows = rubric(state.started.round, state.started.level)
    verdict = verdict_or_none(own_grades(state), rows)
    return verdict.mean if verdict else 0.0


def grade_as_it_is(app: DrillApp, kept: Kept) -> None:
    """End a round that was left where it was left, and grade it."""
    try:
        sitting = Sitting.resume(kept.path, app.workspace.clock, counted=False)
        sitting.finish()
    except DrillkitError as error:
        app.complain(error)
        return
    app.pop_screen()
    debrief_round(app, sitting)


def debrief_round(app: DrillApp, round_: Sitting | Kept, *, again: bool = False) -> None:
    """Go on with the debrief of a round where it stands; `again` grades it a second time, blind."""
    from drillkit.tui.screens.debrief import first_step  # noqa: PLC0415 not before a round is over

    try:
        if isinstance(round_, Kept):
            _keep_shut(app, round_)
            round_ = Sitting.resume(round_.path, app.workspace.clock)
        step = first_step(round_, again=again)
    except DrillkitError as error:
        app.complain(error)
        return
    app.push_screen(step)


def _keep_shut(app: DrillApp, kept: Kept) -> None:
    """Raise `DrillkitError` where a look at the model answer would spoil a later attempt."""
    if not kept.state.opened:
        return
    others, _ = app.workspace.rounds.read(kept.state.round_id)
    for other in others:
        later = other.state.started.at.utc_ms > kept.state.started.at.utc_ms
        if later and not other.state.opened:
            raise DrillkitError(
                "the model answer is shut until the round is graded that you began on "
                f"{day_of(other):%a %d %b}",
                hint="Grade that one first, or discard it.",
            )
