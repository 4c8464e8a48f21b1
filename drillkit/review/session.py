"""One sitting: the card in front of a person, revealed, rated, undone.

It draws nothing and asks no clock but the one it is given, so the app and the plain front end are
two views of the same object.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from drillkit.errors import DrillkitError, UsageError
from drillkit.review import answering
from drillkit.review.answering import Answer
from drillkit.review.cram import CramQueue, build_cram
from drillkit.review.events import (
    AnyAction,
    Buried,
    Flagged,
    SittingFinished,
    Suspended,
    Unflagged,
)
from drillkit.review.names import claims
from drillkit.review.queue import Counts, Entry, Filter, Queue
from drillkit.review.state import State, decay_of, predicted_recall
from drillkit.review.summary import Summary, progress, summary
from drillkit.review.today import build, next_due_at, study_day
from drillkit.review.turn import Outcome, Turn, draw_seed, open_sitting
from drillkit.review.undoing import take_back
from drillkit.review.why import Why, reason_for, why
from drillkit.review.writing import StaleError

if TYPE_CHECKING:
    from drillkit.clock import Clock, Moment
    from drillkit.content.library import Library
    from drillkit.review.collection import Collection
    from drillkit.review.events import Configured
    from drillkit.review.rating import Rating
    from drillkit.review.scheduler import Scheduled
    from drillkit.settings import Settings

ELSEWHERE = "answered or changed in another window meanwhile"


class Session:
    """A sitting in progress. Its attributes are plain values that its methods renew.

    A method that writes has its events on the disk when it returns. One that raises `DrillkitError`
    (disk full, say) has changed nothing: the same card is current and the action can be repeated.
    """

    def __init__(
        self,
        collection: Collection,
        library: Library,
        clock: Clock,
        settings: Settings,
        chosen: Filter,
    ) -> None:
        self.collection = collection
        self.library = library
        self.clock = clock
        self.settings = settings
        self.filter = chosen
        self.current: Turn | None = None
        self.counts = Counts()
        self.done = 0
        self.next_wait_ms: int | None = None
        self.notice = ""
        now = clock.now()
        self._day = study_day(now, settings)
        self._since_day = self._day
        self._sitting = open_sitting(collection, chosen, self._day)
        self._finished = False
        self._config: tuple[str, Configured] | None = None
        self._mine: list[str] = []
        self._times: Counter[str] = Counter()
        self._last = ""
        self._shown_s = clock.elapsed_s()
        self._revealed_s = self._shown_s
        self._entry: Entry | None = None
        self._queue: Queue | CramQueue
        self._rebuild(now)
        self._advance(now)

    @classmethod
    def open(
        cls,
        collection: Collection,
        library: Library,
        clock: Clock,
        settings: Settings,
        chosen: Filter = Filter(),  # noqa: B008 a frozen value
    ) -> Session:
        """Start a sitting, or go on with today's unfinished one over the same cards.

        Nothing is written before the first action, but for the end of a sitting that was cut off
        after its last card. Raises `DrillkitError` when the collection
        cannot be read, `UsageError` for a deck or tag that no card has.
        """
        if chosen.deck and chosen.deck not in library.decks:
            raise UsageError(
                f"there is no deck {chosen.deck!r}",
                hint="the decks are: " + ", ".join(library.decks),
            )
        if chosen.tag and not any(chosen.tag in card.tags for card in library.items.values()):
            raise UsageError(f"no card has the tag {chosen.tag!r}")
        return cls(collection, library, clock, settings, chosen)

    # --- looking ---------------------------------------------------------------------------------

    def shown(self) -> None:
        """Start the think time anew: the question is on the screen just now."""
        self._shown_s = self._revealed_s = self.clock.elapsed_s()

    def pass_over(self, seconds: float) -> None:
        """Count the last `seconds` neither as thinking nor as reading: something else was shown."""
        now_s = self.clock.elapsed_s()
        self._shown_s = min(self._shown_s + seconds, now_s)
        self._revealed_s = min(self._revealed_s + seconds, now_s)

    def reveal(self) -> Turn:
        """Show the answer: thinking ends, reading begins. Again does nothing more."""
        turn = self._turn()
        if turn.phase == "question":
            self._revealed_s = self.clock.elapsed_s()
            self.current = turn = replace(turn, phase="answer")
        return turn

    def previews(self) -> dict[Rating, Scheduled]:
        """Return what each rating would lead to, exactly; empty in a cram."""
        turn = self._turn()
        if turn.cram:
            return {}
        now = self.clock.now()
        day = study_day(now, self.settings)
        return answering.intervals(self.settings, turn.card, turn.item, turn.state, now, day)[0]

    def why(self) -> Why:
        """Return why the card is shown and what its schedule knows."""
        turn = self._turn()
        target = self.settings.retention.of(turn.card.deck, turn.card.tags)
        decay = decay_of(self.settings.weights)
        return why(self.collection, turn.state, turn.reason, target, self._day, decay)

    def summary(self) -> Summary:
        """Return what this sitting came to."""
        now = self.clock.now()
        upcoming = next_due_at(self.collection, self.library, self.settings, now)
        return summary(
            self.collection,
            self.library,
            self._sitting,
            self._since_day,
            self._day,
            upcoming,
            self.next_wait_ms,
        )

    # --- acting ----------------------------------------------------------------------------------

    def rate(self, rating: Rating, response: dict[str, Any] | None = None) -> Outcome:
        """Write the answer down and move on. Raises `UsageError` before the answer is shown."""
        turn, self.notice = self._turn(), ""
        if turn.phase != "answer":
            raise UsageError("the answer is not shown yet", hint="reveal it, then rate")
        now = self.clock.now()
        day = study_day(now, self.settings)
        answer = Answer(rating, *self._times_ms(), response)
        try:
            with self.collection.writing(now, day) as writing:
                if turn.cram:
                    sitting = answering.sitting_of(writing, self._sitting, self.filter)
                    answering.cram(writing, turn.item, answer, sitting)
                    recorded = None
                else:
                    state = answering.begin(writing, turn.state, turn.item)
                    sitting = answering.sitting_of(writing, self._sitting, self.filter)
                    config = answering.config_of(
                        self.collection, writing, self.settings, self._config
                    )
                    recorded = answering.rate(
                        writing,
                        turn.card,
                        state,
                        answer,
                        self.settings,
                        (now, day),
                        config[0],
                        sitting,
                    )
        except StaleError:
            return self._moved(turn, now)
        # From here on the answer is on the disk: only memory is brought up to it.
        self._mine.append(writing.batch)
        self._sitting, self._last, self._finished = sitting, turn.item, False
        self.done += 1
        self._times[turn.item] += 1
        entry = self._entry or Entry(turn.item, turn.card, turn.state)
        if recorded is None:
            if isinstance(self._queue, CramQueue):
                self._queue.answered(entry, rating)
            self._advance(now)
            return Outcome("crammed", turn.item, rating, state=turn.state)
        self._config = config
        if isinstance(self._queue, Queue):
            self._queue.settle(entry, recorded.state)
        self._advance(now)
        return Outcome(
            "rated",
            turn.item,
            rating,
            recorded.scheduled.text,
            recorded.state,
            recorded.leech,
            self._leech_notice(recorded.state) if recorded.leech else "",
        )

    def suspend(self) -> Outcome:
        """Take the current card out of study until it is unsuspended, and move on."""
        turn = self._turn()
        return self._act(turn, Suspended(item=turn.item), "suspended")

    def bury(self) -> Outcome:
        """Put the current card off until tomorrow, and move on."""
        turn = self._turn()
        tomorrow = study_day(self.clock.now(), self.settings) + 1
        return self._act(turn, Buried(item=turn.item, until=tomorrow), "buried")

    def flag(self) -> Outcome:
        """Mark the current card for a later look, or remove the mark; it stays current."""
        turn = self._turn()
        if turn.state.flagged:
            return self._act(turn, Unflagged(item=turn.item), "unflagged")
        return self._act(turn, Flagged(item=turn.item), "flagged")

    def _act(self, turn: Turn, action: AnyAction, kind: str) -> Outcome:
        now, self.notice = self.clock.now(), ""
        try:
            with self.collection.writing(now, study_day(now, self.settings)) as writing:
                answering.begin(writing, turn.state, turn.item)
                writing.append(action)
        except StaleError:
            return self._moved(turn, now)
        self._mine.append(writing.batch)
        state = self.collection.state(turn.item)
        if kind in ("flagged", "unflagged"):
            self.current = replace(turn, state=state)
        else:
            self._rebuild(now)
            self._advance(now)
        return Outcome(kind, turn.item, state=state)

    def undo(self) -> Outcome | None:
        """Take the last action back; its card is current again. None: there is nothing to undo.

        This sitting's own actions come first, then whatever the log holds before.
        """
        now, self.notice = self.clock.now(), ""
        day = study_day(now, self.settings)
        undone = take_back(self.collection, self.library, self._mine, now, day)
        if undone is None:
            return None
        self._finished = False
        self._rebuild(now)
        card = self.library.items.get(undone.item)
        if card is None:
            notice = f"{undone.item} is undone; its card is no longer in the decks"
            self._advance(now)
        else:
            notice = undone.notice
            entry = self._queue.find(undone.item)
            entry = entry or Entry(undone.item, card, State(item=undone.item))
            self._show(entry, self._state_of(entry), now)
            if self.current is not None:
                self.current = replace(self.current, reason="undone: answer it again")
            self._count(now)
        return Outcome(
            "undone", undone.item, state=self.collection.state(undone.item), notice=notice
        )

    # --- what changes by itself ------------------------------------------------------------------

    def poll(self) -> Turn | None:
        """Look whether time or another window has changed what is to be shown; return the turn."""
        now = self.clock.now()
        self.notice = ""
        changed = self._look_outside(now)
        turn = self.current
        if turn is None:
            self._advance(now)
        elif changed and self._is_stale(turn):
            self._moved(turn, now)
        elif changed:
            self._count(now)
        return self.current

    def refresh(self, library: Library) -> None:
        """Go on with the files as they are now; the current card stays if it still exists."""
        now = self.clock.now()
        turn, self.library, self.notice = self.current, library, ""
        self._rebuild(now)
        if turn is None:
            self._advance(now)
            return
        item = turn.item if turn.item in library.items else claims(library).get(turn.item, "")
        card = library.items.get(item)
        if card is None:
            self.notice = f"{turn.item} is no longer in the decks"
            self._advance(now)
            return
        self._entry = self._queue.find(item) or Entry(item, card, turn.state)
        self.current = replace(turn, item=item, card=card)
        self._count(now)

    def _look_outside(self, now: Moment) -> bool:
        outside = self.collection.changed_outside()
        if not outside and study_day(now, self.settings) == self._day:
            return False
        if outside:
            # Perhaps a backup was restored: hold on to nothing that may be gone.
            self._config = None
            if not self.collection.one("SELECT 1 FROM events WHERE id = ?", self._sitting):
                self._sitting = ""
        self._rebuild(now)
        return True

    def _is_stale(self, turn: Turn) -> bool:
        return not turn.cram and self.collection.state(turn.state.item).seq != turn.state.seq

    def _moved(self, turn: Turn, now: Moment) -> Outcome:
        self.notice = f"{turn.item} was {ELSEWHERE}"
        self._rebuild(now)
        self._advance(now)
        return Outcome("moved", turn.item, notice=self.notice)

    # --- what comes next -------------------------------------------------------------------------

    def _rebuild(self, now: Moment) -> None:
        self._day = study_day(now, self.settings)
        so_far = progress(self.collection, self._sitting, self._since_day)
        self.done, self._last, self._times = so_far.done, so_far.last, so_far.times
        # What is read from here on is as new as this queue.
        self.collection.changed_outside()
        if self.filter.cram:
            self._queue = build_cram(
                self.collection, self.library, self.settings, now, self.filter, so_far.answers
            )
            return
        self._queue = build(self.collection, self.library, self.settings, now, self.filter)
        self._queue.done_reviews, self._queue.done_new = so_far.reviews, so_far.new

    def _advance(self, now: Moment) -> None:
        self._look_outside(now)
        self.current = self._entry = None
        while entry := self._queue.pick(now.utc_ms, self._last, self.library):
            state = self._state_of(entry)
            if self.filter.cram or _is_as_queued(entry, state):
                self._show(entry, state, now)
                break
            # Another window answered it since the queue was built.
            self._rebuild(now)
        self._count(now)
        if self.current is None and self.next_wait_ms is None:
            self._finish(now)

    def _state_of(self, entry: Entry) -> State:
        return answering.state_of_card(self.collection, self.library, entry.item, entry.card)

    def _show(self, entry: Entry, state: State, now: Moment) -> None:
        recall = predicted_recall(state, self._day, decay_of(self.settings.weights))
        self._entry = msgspec.structs.replace(entry, state=state)
        reason = reason_for(state, recall, entry.target, self._day, now.utc_ms)
        if entry.card.after and entry.card.after == self._last:
            reason = f"follows {entry.card.after}; {reason}"
        self.current = Turn(
            item=entry.item,
            card=entry.card,
            state=state,
            phase="question",
            seed=draw_seed(entry.item, self._day),
            # A cram leaves the state alone, yet its next draw should be another one.
            times_seen=state.reps + (self._times[entry.item] if self.filter.cram else 0),
            reason="cram" if self.filter.cram else reason,
            cram=self.filter.cram,
        )
        self.shown()

    def _count(self, now: Moment) -> None:
        self.counts = self._queue.counts
        self.next_wait_ms = None if self.current else self._queue.wait_ms(now.utc_ms)

    def _finish(self, now: Moment) -> None:
        if not self._sitting or self._finished:
            return
        # The answers are safe already; a disk that fills up now must not spoil the last one.
        with suppress(DrillkitError):
            with self.collection.writing(now, self._day) as writing:
                writing.note(SittingFinished(sitting=self._sitting))
            self._finished = True

    def _turn(self) -> Turn:
        if self.current is None:
            raise UsageError("there is no card to study now")
        return self.current

    def _times_ms(self) -> tuple[int, int]:
        think_s = self._revealed_s - self._shown_s
        read_s = self.clock.elapsed_s() - self._revealed_s
        return max(0, round(think_s * 1000)), max(0, round(read_s * 1000))

    def _leech_notice(self, state: State) -> str:
        done = "suspended" if self.settings.leech_action == "suspend" else "flagged"
        return f"{state.item} has lapsed {state.lapses} times and is {done}: rewrite or split it"


def _is_as_queued(entry: Entry, state: State) -> bool:
    """Whether nobody has answered a card since it was put into the queue."""
    # A new card may carry marks, such as a flag, that the queue does not look at.
    if state.phase == "new":
        return entry.state.phase == "new"
    return state.seq == entry.state.seq
