"""A round as Markdown, to keep, to print or to send to a colleague.

The same journal always gives the same text: nothing here asks for the time, and what a person
wrote stands in fences that it cannot close, without anything that a terminal obeys.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

import msgspec

from drillkit.content.replacing import replace_file
from drillkit.content.round import ROWS, Round
from drillkit.errors import DrillkitError
from drillkit.harmless import harmless, one_line
from drillkit.numeric.wording import ANSWER_FIGURES, suited
from drillkit.rounds.debrief import debrief, fact_rows, own_grades, verdict_or_none
from drillkit.rounds.layout import OUTCOMES
from drillkit.rounds.mentions import HEADING
from drillkit.rounds.pace import minutes_of
from drillkit.rounds.rubric import row_title, rubric
from drillkit.rounds.standing import moment_of
from drillkit.rounds.state import OVERTIME
from drillkit.rounds.timing import phase_times

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from drillkit.rounds.archive import Kept
    from drillkit.rounds.debrief import Debrief, LayoutPair, PointMark
    from drillkit.rounds.events import Mark
    from drillkit.rounds.layout import LayoutVerdict
    from drillkit.rounds.records import Thrown
    from drillkit.rounds.state import State

TICKS: dict[Mark, str] = {"hit": "[x]", "partial": "[~]", "miss": "[ ]"}
_FENCE = re.compile(r"`{3,}")
_SPECIAL = re.compile(r"([\\`*\[<|])")


def export(state: State) -> str:
    """Return a round that is over as Markdown; what was not graded yet is left shut.

    Raises `DrillkitError` while the round goes on.
    """
    if not state.over:
        raise DrillkitError("the round goes on", hint="end it first")
    told = debrief(state) if state.opened else None
    parts = [
        _front(state),
        f"# {_inline(state.started.round.title)}",
        _quoted(state.prompt),
        _timeline(state),
        _facts(state),
        *_boards(state),
        *_notes(state),
        *([_checks(told), *_layouts(told)] if told else []),
        *_curveballs(state, told),
        _rubric(state, told),
        *([_model(told)] if told else []),
        _cards(state),
        *([f"## Next step\n\n{_inline(told.next_step.told)}"] if told else [_SHUT]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_export(kept: Kept) -> Path:
    """Write a round's Markdown beside its journal; return where. Raises `DrillkitError`."""
    text = export(kept.state)
    try:
        replace_file(kept.export, text.encode("utf-8", "replace"))
    except OSError as error:
        raise DrillkitError(
            f"cannot be written: {error.strerror or error}", where=str(kept.export)
        ) from None
    return kept.export


_SHUT = (
    "## Not graded yet\n\nNumbers, layout and model answer are told once you have graded yourself."
)


# --- the head ------------------------------------------------------------------------------------


def version_of(round_: Round) -> str:
    """Return a short name of a round's text: it changes when the author changes anything."""
    plain = msgspec.structs.replace(round_, path="", line=1)
    # Read back once: a round out of a journal leaves out defaults that one out of a file states.
    read_back = msgspec.json.decode(msgspec.json.encode(plain), type=Round)
    return hashlib.blake2b(msgspec.json.encode(read_back), digest_size=4).hexdigest()


def _front(state: State) -> str:
    started = state.started
    rows = rubric(started.round, started.level)
    own = verdict_or_none(own_grades(state), rows)
    lines: dict[str, str | int | bool] = {
        "round": started.round.id,
        "version": version_of(started.round),
        "date": moment_of(started.at).local.isoformat(timespec="minutes"),
        "seed": started.seed,
        "case": state.draw.case,
        "level": started.level,
        "mode": started.mode,
        "phases": " ".join(started.phases),
        "interrupted": state.interrupted,
        "verdict": own.name if own else "",
    }
    told = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in lines.items())
    return "---\n" + "\n".join(_plain(line) for line in told) + "\n---"


def _timeline(state: State) -> str:
    lines = [
        "## Timeline",
        "",
        "| phase | planned | began | took | of | over | words |",
        "|---|---|---|---|---|---|---|",
    ]
    for time in phase_times(state):
        phase = time.planned.phase
        began = "not reached" if time.entered_s is None else minutes_of(time.entered_s)
        cells = (
            _inline(phase.title or phase.id),
            minutes_of(time.planned.start_s),
            began,
            minutes_of(time.spent_s),
            minutes_of(time.planned.length_s),
            f"+{minutes_of(time.over_s)}" if time.over_s else "",
            str(time.words),
        )
        lines.append(f"| {' | '.join(cells)} |")
    for absence in state.absences:
        counted = "counted" if absence.counted else "not counted"
        told = f"{minutes_of(absence.seconds)} ({counted})"
        lines += ["", f"- away at {minutes_of(absence.at_s)} for {told}"]
    return "\n".join(lines)


def _facts(state: State) -> str:
    rows = fact_rows(state)
    told = {fact.symbol: text for fact, text in state.facts()}
    lines = ["## Facts", ""]
    for fact, text in state.facts():
        at = state.asked.get(fact.symbol)
        asked = "told" if at is None else f"asked at {minutes_of(at)}"
        lines.append(f"- {_inline(text)} ({asked})")
    if not told:
        lines.append("None was asked for.")
    missed = [row.fact for row in rows if not row.asked]
    if missed:
        names = ", ".join(fact.name or fact.symbol for fact in missed)
        lines += ["", f"Not asked for in time: {_inline(names)}."]
    if state.situation.assumed:
        lines += ["", "Assumed: " + _inline(", ".join(_assumed(state))) + "."]
    return "\n".join(lines)


def _assumed(state: State) -> Iterator[str]:
    for symbol in state.situation.assumed:
        yield f"{symbol} = {state.filled('{' + symbol + '}')}"


# --- the board -----------------------------------------------------------------------------------


def board_by_phase(board: str) -> tuple[tuple[str, str], ...]:
    """Return a board in its sections, as (phase, text); what stands above the first has no name."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for line in board.split("\n"):
        if HEADING.fullmatch(line):
            sections.append((line.strip().strip("= "), []))
        else:
            sections[-1][1].append(line)
    texts = ((name, "\n".join(lines).strip("\n")) for name, lines in sections)
    return tuple((name, text) for name, text in texts if name or text.strip())


def _boards(state: State) -> Iterator[str]:
    yield "## Board"
    titles = {phase.id: phase.title or phase.id for phase in state.started.round.phases}
    for name, text in board_by_phase(state.judged_board):
        shown = _fenced(text) if text.strip() else "Nothing was written."
        yield f"### {_inline(titles.get(name, name or 'At the top'))}\n\n{shown}"
    if not state.overtime:
        return
    late = [text for name, text in board_by_phase(state.board) if name == OVERTIME]
    if any(text.strip() for text in late):
        yield f"### Overtime (not graded)\n\n{_fenced(late[-1])}"


def _notes(state: State) -> Iterator[str]:
    if state.notes:
        lines = (f"- {minutes_of(at_s)} {_inline(text)}" for at_s, text in state.notes)
        yield "## Notes\n\n" + "\n".join(lines)


# --- what was graded -----------------------------------------------------------------------------


def _checks(told: Debrief) -> str:
    lines = [
        "## Numbers",
        "",
        "| phase | asked | mine | expected | ratio | band | diagnosis |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in told.checks:
        said = [*row.diagnosis]
        if row.follows:
            said.insert(0, "right by your own numbers")
        cells = (
            row.phase,
            _inline(row.ask),
            _inline(row.mine) + (" (revised)" if row.revised else ""),
            _inline(row.expected),
            "" if row.ratio is None else f"{row.ratio:.3g}",
            row.band or "no number",
            _inline(" ".join(said)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) if told.checks else ""


def _layouts(told: Debrief) -> Iterator[str]:
    for pair in told.layouts:
        yield f"## Layout ({pair.phase})\n\n" + "\n\n".join(_layout(pair))


def _layout(pair: LayoutPair) -> Iterator[str]:
    if pair.laid is None:
        yield "Mine: none was given in time."
    else:
        yield f"Mine: {_fields(pair.laid.fields)}\n\n{_rules(pair.laid.verdict)}"
    yield f"Model: {_fields(pair.model)}\n\n{_rules(pair.model_verdict)}"


def as_written(rule: str) -> str:
    """Return a layout's rule in the signs of prose: `tp·pp·dp = gpus`, `pp ≤ layers`."""
    for typed, sign in (("*", "·"), ("==", "="), (">=", "≥"), ("<=", "≤")):
        rule = rule.replace(typed, sign)
    return rule


def _fields(fields: dict[str, int]) -> str:
    return " ".join(f"{name}={value}" for name, value in fields.items())


def _rules(verdict: LayoutVerdict) -> str:
    lines: list[str] = []
    for rule in verdict.rules:
        said = [text for text in ("" if rule.met else rule.says, rule.margin) if text]
        told = f": {_inline(' '.join(said))}" if said else ""
        lines.append(f"- [{'x' if rule.met else ' '}] {_inline(as_written(rule.holds))}{told}")
    if verdict.values:
        values = (
            f"{name} {suited(value, OUTCOMES[name], ANSWER_FIGURES)}"
            for name, value in verdict.values.items()
        )
        lines += ["", _inline(", ".join(values)) + "."]
    return "\n".join(lines)


def _curveballs(state: State, told: Debrief | None) -> Iterator[str]:
    if not state.curveballs:
        return
    yield "## Interruptions"
    models = {row.thrown.curveball.id: row for row in told.curveballs} if told else {}
    for thrown in state.curveballs:
        parts = [f"### {minutes_of(thrown.at_s)} in {thrown.phase}", _quoted(thrown.said)]
        parts += [_outcome(thrown)]
        if thrown.text.strip():
            parts.append(_fenced(thrown.text))
        row = models.get(thrown.curveball.id)
        if row is not None:
            parts += [_points(row.points), f"A strong answer: {_inline(row.model)}"]
        yield "\n\n".join(part for part in parts if part)


def _outcome(thrown: Thrown) -> str:
    if thrown.outcome == "answered" and thrown.answered_s is not None:
        said = f"Answered after {minutes_of(thrown.answered_s - thrown.at_s)}."
    else:
        said = {"skipped": "Skipped.", "late": "No answer in time."}.get(thrown.outcome, "Open.")
    return f"{said} The doubted number: {thrown.challenged}." if thrown.challenged else said


def _rubric(state: State, told: Debrief | None) -> str:
    lines = [
        "## Rubric",
        "",
        "| row | weight | mine | suggested | again |",
        "|---|---|---|---|---|",
    ]
    shown = told.evidence.suggested if told else {}
    for row in rubric(state.started.round, state.started.level):
        own, again = state.grades.get(row.row), state.regrades.get(row.row)
        cells = (
            row.title,
            str(row.weight),
            str(own.grade) if own else "",
            str(shown.get(row.row, "")),
            str(again.grade) if again else "",
        )
        lines.append(f"| {' | '.join(cells)} |")
    if told:
        if told.own_verdict:
            lines += ["", f"Mine: **{told.own_verdict.name}**, {_inline(told.own_verdict.reason)}."]
        if told.suggested_verdict:
            reason = _inline(told.suggested_verdict.reason)
            lines += ["", f"Suggested: **{told.suggested_verdict.name}**, {reason}."]
    for name in ROWS:
        graded = state.grades.get(name)
        found = told.evidence.row(name) if told else None
        if not (graded and graded.evidence) and found is None:
            continue
        lines += ["", f"### {row_title(name)}", ""]
        if graded and graded.evidence:
            lines.append(f"- my evidence: {_inline(graded.evidence)}")
        lines += [f"- {_inline(line)}" for line in (found.lines if found else ())]
    return "\n".join(lines)


def _model(told: Debrief) -> str:
    parts = ["## Model answer"]
    for model in told.phases:
        parts.append(f"### {_inline(model.phase.title or model.phase.id)}")
        parts.append("\n".join(f"- {_inline(line)}" for line in model.lines))
        parts.append(_points(model.points))
    return "\n\n".join(part for part in parts if part)


def _points(points: tuple[PointMark, ...]) -> str:
    return "\n".join(
        f"- {TICKS[one.mark]} {_inline(one.says)}{'' if one.own else ' (by its words)'}"
        for one in points
    )


def _cards(state: State) -> str:
    if not state.cards:
        return "## Cards\n\nNone were made." if state.finished else ""
    return "## Cards\n\n" + "\n".join(f"- {_inline(card)}" for card in state.cards)


# --- safe text -----------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return "\n".join(harmless(line) for line in text.split("\n"))


def _inline(text: str) -> str:
    """A text on one line, in which Markdown finds nothing to obey."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _quoted(text: str) -> str:
    lines = _plain(text.strip()).split("\n")
    return "\n".join(f"> {_inline(line)}".rstrip() for line in lines)


def _fenced(text: str) -> str:
    """A text in a fence longer than any within it."""
    body = _plain(text)
    longest = max((len(run) for run in _FENCE.findall(body)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{body}\n{fence}"
