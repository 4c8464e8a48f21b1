"""What is wrong with rounds beside others: their scripts, and the problems that they send to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from drillkit.authoring.drills import bundled_families, judge_drill, with_bundled
from drillkit.content.faults import at
from drillkit.content.round_reading import RoundReading, read_round
from drillkit.content.schema import Report, nearest
from drillkit.content.script_rules import judge_script
from drillkit.content.text import MAX_FILE_BYTES
from drillkit.content.tree import Scalar

if TYPE_CHECKING:
    from drillkit.content.diagnostic import Diagnostic
    from drillkit.content.round import Round
    from drillkit.content.script_reading import ScriptReading


def judge_rounds(
    rounds: dict[str, RoundReading], scripts: dict[str, ScriptReading], families: set[str]
) -> list[Diagnostic]:
    """Return what rounds and scripts by file lack; `families` are the ids of checked problems."""
    found: list[Diagnostic] = []
    read = (reading.round for reading in rounds.values() if reading.round is not None)
    drills = {check.drill for one in read for check in one.checks if check.drill}
    known = with_bundled(families, drills, bundled_families)
    for name, reading in rounds.items():
        found += _drills(reading, name, known)
    by_id = {_named(reading): reading.round for reading in rounds.values()}
    for name, script in scripts.items():
        found += _script(script, name, by_id)
    return found


def _drills(reading: RoundReading, name: str, known: set[str]) -> list[Diagnostic]:
    """Report each check that sends to a problem family which there is not."""
    if reading.round is None or reading.node is None:
        return []
    report = Report(name, f"round {reading.round.id}")
    for number, phase in enumerate(reading.round.phases):
        for index, check in enumerate(phase.checks):
            if check.drill:
                place = at(reading.node, ("phases", number, "checks", index, "drill"))
                told = f"no numeric problem has the id {check.drill!r}"
                hint = "`drillkit practice` lists them"
                judge_drill(check.drill, known, place, report, (told, hint))
    return report.found


def named_rounds(rounds: dict[str, RoundReading]) -> set[str]:
    """Return the ids that the files of rounds give, whether or not the rest can be read."""
    return {_named(reading) for reading in rounds.values()}


def _named(reading: RoundReading) -> str:
    """The id that a round's file gives, whether or not the rest can be read."""
    identity = reading.node.values.get("round") if reading.node is not None else None
    return identity.text.strip() if isinstance(identity, Scalar) else ""


def _script(reading: ScriptReading, name: str, rounds: dict[str, Round | None]) -> list[Diagnostic]:
    script, node = reading.script, reading.node
    if script is None or node is None:
        return []
    if script.round not in rounds:
        rounds[script.round] = _beside(Path(name), script.round)
        if rounds[script.round] is None:
            del rounds[script.round]
            report = Report(name, f"script {script.name}")
            near = nearest(script.round, rounds)
            hint = f"did you mean `{near}`?" if near else "put both files into one folder"
            place = node.values.get("round", node)
            report.error(place, "unknown-round", f"there is no round {script.round!r}", hint)
            return report.found
    played = rounds[script.round]
    return [] if played is None else judge_script(script, node, name, played)


def _beside(script: Path, identity: str) -> Round | None:
    """The round of a script that is checked by itself: it lies in the same folder."""
    try:
        with script.with_name(f"{identity}.yaml").open("rb") as source:
            return read_round(source.read(MAX_FILE_BYTES + 1), identity).round
    except OSError:
        return None
