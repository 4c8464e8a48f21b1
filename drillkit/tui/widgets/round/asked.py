"""What a round asks numbers for, what was given, and how it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content

from drillkit.numeric.wording import suited
from drillkit.rounds.solve import FIGURES, expected
from drillkit.tui.text import line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drillkit.content.round import Check, Phase
    from drillkit.rounds.number import Band
    from drillkit.rounds.records import Laid, Recorded
    from drillkit.rounds.state import State

LAYOUT = "layout"
BAND_WORDS: dict[Band, str] = {
    "exact": "right",
    "close": "close, within 10 %",
    "ballpark": "ballpark, within a factor of 1.5",
    "order": "within a factor of 3",
    "off": "off",
}
SHORT_WORDS: dict[Band, str] = {
    "exact": "right",
    "close": "close",
    "ballpark": "ballpark",
    "order": "within ×3",
    "off": "off",
}
STYLES = {"right": "$text-success", "recheck": "bold $text-warning", "off": "$text-error"}


class Target(NamedTuple):
    """Something that a number, or without a check a layout, is asked for."""

    phase: Phase
    check: Check | None

    @property
    def name(self) -> str:
        return self.check.id if self.check is not None else LAYOUT

    @property
    def key(self) -> str:
        """Its name among those of all phases."""
        return f"{self.phase.id}/{self.name}"


def targets(state: State) -> list[Target]:
    """Return what is asked for in this phase and in those before it, in their order."""
    found: list[Target] = []
    for planned in state.plan[: state.index + 1]:
        found += [Target(planned.phase, check) for check in planned.phase.checks]
        if planned.phase.plan is not None:
            found.append(Target(planned.phase, None))
    return found


def first_open(state: State, asked: Sequence[Target]) -> int:
    """Return which target to ask for: the first one of this phase without an answer, if any.

    Else the first open one of an earlier phase, else the last of all.
    """
    now = [at for at, one in enumerate(asked) if one.phase.id == state.phase.id]
    rest = range(len(asked))
    return next(
        (at for at in (*now, *rest) if given(state, asked[at]) == ""), now[0] if now else rest[-1]
    )


def given(state: State, target: Target) -> str:
    """Return the answer that stands, in words of its unit, or nothing."""
    if target.check is None:
        laid = state.layout(target.phase.id)
        return "" if laid is None else layout_text(laid.fields)
    number = state.number(target.check.id)
    return "" if number is None else number_text(state, number)


def number_text(state: State, number: Recorded) -> str:
    """A recorded number in the unit asked for: `208 GB`, or a range as it was typed."""
    if number.typed.confidence is not None:
        return number.text
    return suited(number.verdict.value, state.draw.units[number.check], FIGURES)


def layout_text(fields: dict[str, int]) -> str:
    return " ".join(f"{SHORT.get(name, name)}={value}" for name, value in fields.items())


SHORT = {"micro_batch": "micro"}


def state_word(state: State, target: Target) -> str:
    """Say how an answer stands: set, to be checked again, or, where that may be told, how near."""
    if target.check is None:
        laid = state.layout(target.phase.id)
        return "" if laid is None else _layout_word(state, laid)
    number = state.number(target.check.id)
    if number is None:
        return ""
    if _moved(state, number):
        return "recheck"
    return SHORT_WORDS[number.verdict.band] if state.live_checks else "set"


def _layout_word(state: State, laid: Laid) -> str:
    if any(one.curveball.set and one.at_s >= laid.at_s for one in state.curveballs):
        return "recheck"
    if not state.live_checks:
        return "set"
    return "right" if laid.verdict.right else "off"


def _moved(state: State, number: Recorded) -> bool:
    """Whether what is asked for came to something else since: a fact or an assumption changed."""
    return number.verdict.expected not in {
        expected(state.draw, number.check, state.situation, carried=carried)
        for carried in (True, False)
    }


class Standing(NamedTuple):
    """A target, its answer in words, and how that stands; both empty without an answer."""

    target: Target
    answer: str
    word: str


def stands(state: State) -> tuple[Standing, ...]:
    """Return how every target stands."""
    return tuple(Standing(one, given(state, one), state_word(state, one)) for one in targets(state))


def numbers_row(standing: Sequence[Standing], width: int) -> Content:
    """Return the answers on one row, the latest at the end; old ones give way."""
    said = [
        Content.assemble(line(f"{target.name} {answer}"), " ", _in_brackets(word))
        for target, answer, word in standing
        if answer
    ]
    head = Content.styled("numbers  ", "$text-muted")
    waiting = sum(not answer for _, answer, _ in standing)
    if not said:
        asked = f"{waiting} asked for so far (F3)" if waiting else "none asked for yet"
        return Content.assemble(head, (asked, "$text-muted"))
    tail = Content.styled(f"  {waiting} open" if waiting else "", "$text-muted")
    room = width - head.cell_length - tail.cell_length
    row = Content("  ").join(said)
    while row.cell_length > room and len(said) > 1:
        said = said[1:]
        row = Content("  ").join([Content.styled("…", "$text-muted"), *said])
    return Content.assemble(head, row.truncate(room, ellipsis=True), tail)


def _in_brackets(word: str) -> Content:
    return Content.assemble("(", (word, STYLES.get(word, "$text-muted")), ")")


def verdict_of_number(state: State, number: Recorded) -> Content:
    """Tell what came of a number, as far as it may be told while the round goes on."""
    text = number_text(state, number)
    again = "revised" if number.revised else "recorded"
    if not state.live_checks:
        return line(f"{number.check} {text}: {again}")
    verdict = number.verdict
    said = BAND_WORDS[verdict.band]
    if verdict.band != "exact":
        said += ", too high" if verdict.ratio > 1 else ", too low"
    parts = [f"{number.check} {text}: {said}."]
    if verdict.follows:
        parts.append("It follows from your earlier number.")
    parts += verdict.diagnosis
    return line(" ".join(parts), STYLES.get(said, ""))


def verdict_of_layout(state: State, laid: Laid) -> Content:
    """Tell what came of a layout: what is missed, or by how much everything is met."""
    text = layout_text(laid.fields)
    if not state.live_checks:
        return line(f"{text}: recorded")
    word = "right" if laid.verdict.right else "not right"
    said = " ".join(laid.verdict.told) if not laid.verdict.right else "; ".join(laid.verdict.told)
    return line(f"{text}: {word}. {said}", "$text-success" if laid.verdict.right else "")
