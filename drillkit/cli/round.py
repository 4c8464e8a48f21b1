"""Design rounds from the command line: straight into one, by a script, past ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from drillkit.cli.console import answer, say
from drillkit.cli.options import Json
from drillkit.errors import DrillkitError, UsageError
from drillkit.start import can_draw, complain, open_app
from drillkit.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drillkit.content.round import Round
    from drillkit.rounds.choice import Choice

Word = TypeVar("Word", bound=str)


def round(  # noqa: A001, PLR0913, PLR0917 a command's name and its options
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[ROUND]", help="The id of a round.")] = "",
    mode: Annotated[str, typer.Option(help="interview, practice or sprint.")] = "",
    phase: Annotated[str, typer.Option(help="A sprint of this phase alone.")] = "",
    minutes: Annotated[int | None, typer.Option(help="A sprint of all phases, so long.")] = None,
    level: Annotated[str, typer.Option(help="mid, senior or staff.")] = "",
    seed: Annotated[int | None, typer.Option(help="The same seed, the same numbers.")] = None,
    hard: Annotated[bool, typer.Option("--hard", help="Move on when a phase is over.")] = False,
    script: Annotated[
        Path | None, typer.Option(help="Let a scripted candidate play; print the debrief.")
    ] = None,
    export: Annotated[
        bool, typer.Option("--export", help="Write the past rounds as Markdown; say where.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Play a design round of 45 minutes; without a name it lists them."""
    workspace: Workspace = context.obj
    if script is not None:
        return _play_script(workspace, script, name, seed, as_json=as_json)
    if export:
        return _export(workspace, name, as_json=as_json)
    choice = _choice(mode, phase, minutes, level, seed, hard=hard)
    if not name:
        if choice is not None:
            raise UsageError("which round?", hint="`drillkit round --json` lists them")
        if can_draw() and not as_json:
            return open_app(workspace, lambda app: app.rounds())
        return _list(workspace, as_json=as_json)

    from drillkit.rounds.choice import round_named  # noqa: PLC0415 the list needs it not

    rounds = workspace.library().rounds
    if name in rounds or not _is_left(workspace, name):
        found = round_named(rounds, name)
        if choice is not None:
            choice.checked(found)
    if as_json:
        raise UsageError("a round is played on the screen", hint="--json goes with --script")
    if not can_draw():
        complain(
            DrillkitError(
                "a round needs a terminal to be played",
                hint="--script FILE plays it without one, `drillkit replay JOURNAL` shows one",
            )
        )
        return 2
    return open_app(workspace, lambda app: app.start_round(name, choice))


def replay(
    context: typer.Context,
    journal: Annotated[Path, typer.Argument(help="rounds/ROUND/DATE.jsonl of your data folder.")],
    as_json: Json = False,
) -> None:
    """Print a round as it went: timeline, talk and board."""
    from drillkit.plain.debrief import replay_document, replay_lines  # noqa: PLC0415 only here
    from drillkit.rounds.archive import state_of  # noqa: PLC0415

    del context
    state = state_of(journal)
    if as_json:
        answer(replay_document(state))
    else:
        for line in replay_lines(state):
            say(line)


# --- parts -------------------------------------------------------------------------------------


def _choice(
    mode: str, phase: str, minutes: int | None, level: str, seed: int | None, *, hard: bool
) -> Choice | None:
    """Return what was chosen by options, or None where nothing was."""
    from drillkit.content.round import LEVELS  # noqa: PLC0415 only a round needs these
    from drillkit.rounds.choice import MODES, SPRINT_MINUTES, Choice  # noqa: PLC0415

    if not (mode or phase or level or hard) and minutes is None and seed is None:
        return None
    sprint = bool(phase) or minutes is not None
    if sprint and mode not in {"", "sprint"}:
        raise UsageError(f"--phase and --minutes are for a sprint, not for {mode}")
    return Choice(
        mode=_one_of(MODES, mode, "mode") if mode else "sprint" if sprint else "interview",
        level=_one_of(LEVELS, level, "level") if level else None,
        phase=phase,
        minutes=SPRINT_MINUTES if minutes is None else minutes,
        hard=hard,
        seed=seed,
    )


def _one_of(words: Sequence[Word], word: str, what: str) -> Word:
    for known in words:
        if known == word:
            return known
    from difflib import get_close_matches  # noqa: PLC0415 only for a wrong call

    near = get_close_matches(word, words, n=1)
    hint = f"did you mean {near[0]}?" if near else ", ".join(words)
    raise UsageError(f"there is no {what} {word!r}", hint=hint)


def _is_left(workspace: Workspace, name: str) -> bool:
    """Tell whether a round waits unfinished: its file may be broken or gone meanwhile."""
    from drillkit.rounds.standing import Standing, standings  # noqa: PLC0415 hardly ever needed

    kept, _ = workspace.rounds.read(name)
    return standings(kept).get(name, Standing()).unfinished is not None


def _list(workspace: Workspace, *, as_json: bool) -> int:
    rounds = workspace.library().rounds.values()
    if as_json:
        answer({"rounds": [_told(one) for one in rounds]})
    else:
        for one in rounds:
            say(f"{one.id:<24} {one.level:<7} {one.minutes} min  {one.title}")
    return 0


def _told(one: Round) -> dict[str, object]:
    phases = [phase.id for phase in one.phases]
    return {
        "round": one.id,
        "title": one.title,
        "level": one.level,
        "minutes": one.minutes,
        "phases": phases,
    }


def _play_script(
    workspace: Workspace, path: Path, name: str, seed: int | None, *, as_json: bool
) -> int:
    from drillkit.content.script_reading import read_script  # noqa: PLC0415 only here
    from drillkit.content.text import MAX_FILE_BYTES  # noqa: PLC0415
    from drillkit.plain.debrief import debrief_document, debrief_lines  # noqa: PLC0415
    from drillkit.rounds.choice import round_named  # noqa: PLC0415
    from drillkit.rounds.script import run_script  # noqa: PLC0415

    try:
        with path.open("rb") as source:
            raw = source.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise DrillkitError(f"cannot be read: {error.strerror}", where=str(path)) from None
    reading = read_script(raw, str(path))
    if reading.script is None:
        found = reading.diagnostics[0]
        raise DrillkitError(found.message, where=f"{found.file}:{found.line}", hint=found.hint)
    if name and name != reading.script.round:
        raise UsageError(f"this script plays {reading.script.round}, not {name}")
    found_round = round_named(workspace.library().rounds, reading.script.round)
    state = run_script(found_round, reading.script, seed)
    if as_json:
        answer(debrief_document(state))
    else:
        for line in debrief_lines(state):
            say(line)
    return 0


def _export(workspace: Workspace, name: str, *, as_json: bool) -> int:
    from drillkit.rounds.export import write_export  # noqa: PLC0415 only here

    kept, faults = workspace.rounds.read(name)
    written = [write_export(one) for one in kept if one.state.over]
    for fault in faults:
        complain(fault)
    if as_json:
        answer({"written": [str(path) for path in written]})
    else:
        for path in written:
            say(str(path))
        if not written and not faults:
            raise UsageError(
                f"no round {name} was played to its end" if name else "no round was played yet",
                hint="`drillkit round` begins one",
            )
    return 1 if faults else 0
