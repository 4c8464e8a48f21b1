"""What the interviewer does of his own accord: curveballs, and words on the time.

He interrupts nobody in the first 45 seconds of a phase, once a phase, four times a round. Which
curveballs are in store is up to the seed, so that the same round played again has others.
"""

from __future__ import annotations

import difflib
import operator
import re
from typing import TYPE_CHECKING

from drillkit.content.round_course import WHEN
from drillkit.rounds.pace import over_s

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drillkit.content.round import Curveball, Fact
    from drillkit.rounds.draw import Draw
    from drillkit.rounds.events import Reminder
    from drillkit.rounds.pace import Planned
    from drillkit.rounds.state import State

SETTLED_S = 45
MOST_CURVEBALLS = 4
FEWEST_TIMED = 3
ANSWER_S = 120
NUDGE_S, STRONG_NUDGE_S = 30, 120
LONGEST_QUESTION, LONGEST_WORD, MOST_SLIPS = 1_000, 24, 24
STALE_S = 180
"""A curveball for a minute that could not come by so much later does not come at all."""

_RELATIONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


# --- curveballs ----------------------------------------------------------------------------------


def in_store(draw: Draw, plan: tuple[Planned, ...]) -> tuple[tuple[Curveball, int | None], ...]:
    """Return the curveballs that this seed may throw, each with its second where it has one.

    Three or four timed ones are picked, no two for the same phase, which leaves phases free for
    those that wait for a condition: these are all in store.
    """
    random = draw.random("curveballs")
    most = FEWEST_TIMED + int(random.random() * (MOST_CURVEBALLS - FEWEST_TIMED + 1))
    shuffled = list(draw.round.curveballs)
    for last in range(len(shuffled) - 1, 0, -1):
        # Random.shuffle may differ from one Python to the next.
        other = min(int(random.random() * (last + 1)), last)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    taken: set[str] = set()
    timed: list[tuple[Curveball, int | None]] = []
    waiting: list[tuple[Curveball, int | None]] = []
    for curveball in shuffled:
        trigger = curveball.trigger
        if trigger.when:
            waiting.append((curveball, None))
            continue
        second = trigger.minute_s
        if trigger.window_s is not None:
            low, high = trigger.window_s
            second = low + int(draw.random(f"window {curveball.id}").random() * (high - low + 1))
        phase = trigger.phase or _phase_at(plan, second or 0)
        if phase in taken or len(timed) == most:
            continue
        taken.add(phase)
        timed.append((curveball, second))
    return (*timed, *waiting)


def _phase_at(plan: tuple[Planned, ...], second: int) -> str:
    return next((one.phase.id for one in plan if second < one.end_s), plan[-1].phase.id)


def next_curveball(
    state: State, store: tuple[tuple[Curveball, int | None], ...], elapsed_s: float
) -> Curveball | None:
    """Return the curveball that comes now, if one does."""
    if not _may_interrupt(state, elapsed_s):
        return None
    thrown = {one.curveball.id for one in state.curveballs}
    for curveball, second in store:
        if curveball.id not in thrown and _due(state, curveball, second, elapsed_s):
            return curveball
    return None


def _may_interrupt(state: State, elapsed_s: float) -> bool:
    return (
        not state.over
        and not state.overtime
        and not state.paused
        and state.open_curveball is None
        and len(state.curveballs) < MOST_CURVEBALLS
        and elapsed_s - state.entered_s >= SETTLED_S
        and all(one.phase != state.phase.id for one in state.curveballs)
        # The answer must find its time.
        and elapsed_s + SETTLED_S < state.total_s
    )


def _due(state: State, curveball: Curveball, second: int | None, elapsed_s: float) -> bool:
    trigger = curveball.trigger
    if curveball.kind == "challenge" and state.number(curveball.check) is None:
        return False
    if trigger.when:
        return _holds(state, trigger.when, elapsed_s)
    if second is not None:
        return second <= elapsed_s < second + STALE_S
    return state.phase.id == trigger.phase and elapsed_s - state.entered_s >= trigger.after_s


def _holds(state: State, when: str, elapsed_s: float) -> bool:
    """Whether a condition is met; the reader of the round saw to it that it is one."""
    found = WHEN.fullmatch(when)
    if found is None:
        return False
    name, value = found["name"], found["state"]
    match found["kind"]:
        case "check":
            number = state.number(name)
            return number is not None and number.good is (value == "hit")
        case "phase":
            here = state.phase.id == name
            return here and over_s(state.planned, state.entered_s, elapsed_s) > 0
        case "fact":
            # While the candidate may still ask, nothing is left out.
            return state.index > 0 and name not in state.asked
    fields = state.layouts[-1].fields if state.layouts else {}
    return name in fields and bool(_RELATIONS[found["relation"]](fields[name], int(value)))


# --- the time ------------------------------------------------------------------------------------


def reminders(state: State, elapsed_s: float) -> Iterator[tuple[Reminder, str]]:
    """Yield what is to be said on the time and was not yet, as (reminder, phase it is about)."""
    left_s = state.total_s - elapsed_s
    if state.overtime:
        return
    last = state.index == len(state.plan) - 1
    # Who is ahead of the plan may spend on a phase what an earlier one left over.
    behind_s = min(
        over_s(state.planned, state.entered_s, elapsed_s), elapsed_s - state.planned.end_s
    )
    over = 0.0 if last else behind_s
    due: list[tuple[Reminder, str, bool]] = [
        ("over-120", state.phase.id, over >= STRONG_NUDGE_S),
        ("over-30", state.phase.id, NUDGE_S <= over < STRONG_NUDGE_S),
        # A short sprint has no five minutes to speak of.
        ("five-minutes", "", 60 < left_s <= 300 and state.total_s > 600),
        ("one-minute", "", 0 < left_s <= 60),
    ]
    for reminder, phase, is_due in due:
        if is_due and (reminder, phase) not in state.reminded:
            yield reminder, phase


# --- questions -----------------------------------------------------------------------------------


def facts_meant(facts: tuple[Fact, ...], words: str) -> tuple[str, ...]:
    """Return the facts that a question asks for: by their words, their name or their symbol."""
    tokens = _plain(words[:LONGEST_QUESTION]).split()
    if not tokens:
        return ()
    singular = [_singular(token) for token in tokens]
    found = [
        fact.symbol
        for fact in facts
        if any(_within(_plain(word), singular) for word in (*fact.ask, fact.name, fact.symbol))
    ]
    if found:
        return tuple(found)
    # A slip of the finger: `?dealine`. To compare words is dear, and a long text is no slip.
    slips = [one for one in dict.fromkeys(tokens) if len(one) <= LONGEST_WORD][:MOST_SLIPS]
    for fact in facts:
        known = [_plain(word) for word in fact.ask if len(word) > 3]
        if any(difflib.get_close_matches(slip, known, n=1, cutoff=0.8) for slip in slips):
            found.append(fact.symbol)
    return tuple(found)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def _within(words: str, singular: list[str]) -> bool:
    """Whether all those words, plurals aside, stand in a row among others, taken as singular."""
    wanted = [_singular(word) for word in words.split()]
    if not wanted:
        return False
    size = len(wanted)
    return any(singular[at : at + size] == wanted for at in range(len(singular) - size + 1))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
