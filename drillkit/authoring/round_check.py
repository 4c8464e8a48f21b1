"""What is wrong with rounds beside others: their scripts, and the problems that they send to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from drillkit.content.faults import at
from drillkit.content.files import each_file
from drillkit.content.round_reading import RoundReading, read_round
from drillkit.content.schema import Report, nearest
from drillkit.content.script_rules import judge_script
from drillkit.content.text import MAX_FILE_BYTES, decode, read_tree
from drillkit.content.tree import Mapping, Scalar
from drillkit.settings import bundled_content

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
    known = families if drills <= families else families | bundled_families()
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
            if check.drill and check.drill not in known:
                place = at(reading.node, ("phases", number, "checks", index, "drill"))
                near = nearest(check.drill, known)
                guess = f"did you mean `{near}`?" if near else "`drillkit practice` lists them"
                told = f"no numeric problem has the id {check.drill!r}"
                report.error(place, "unknown-drill", told, guess)
    return report.found


def bundled_families() -> set[str]:
    """Return the ids of the problem families that come with drillkit."""
    found: set[str] = set()
    for path in each_file([bundled_content() / "problems" / "numeric"], []):
        with path.open("rb") as source:
            text, _ = decode(source.read(MAX_FILE_BYTES + 1), str(path))
        for node in read_tree(text or "", str(path), "problems").items:
            identity = node.values.get("id") if isinstance(node, Mapping) else None
            if isinstance(identity, Scalar):
                found.add(identity.text.strip())
    return found


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
