"""The same sitting, line by line: for pipes, dumb terminals and screen readers."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, TextIO

from drillkit.content.cards import Family
from drillkit.content.drill import drills_of
from drillkit.errors import DrillkitError, UsageError
from drillkit.plain.lines import Left, Lines
from drillkit.review import question as forms
from drillkit.review.grade import (
    Grade,
    grade_choice,
    grade_estimate,
    grade_fill,
    grade_order,
    grade_ticks,
)
from drillkit.review.rating import Rating
from drillkit.review.session import Session

if TYPE_CHECKING:
    from drillkit.review.queue import Filter
    from drillkit.review.turn import Turn
    from drillkit.workspace import Workspace

HELP = (
    "Enter shows the answer. Then 1 again, 2 hard, 3 good, 4 easy, or Enter for what is proposed. "
    "At any prompt: u undo, s suspend, b bury, m flag, i why, q leave, ? this."
)


def review_plainly(workspace: Workspace, chosen: Filter, source: TextIO, target: TextIO) -> int:
    """Run one sitting over text streams; return the exit code.

    Raises `DrillkitError`, and `BrokenPipeError` when nobody reads any more.
    """
    with workspace.collection() as collection:
        session = Session.open(
            collection, workspace.library(), workspace.clock, workspace.settings, chosen
        )
        talk = _Talk(session, source, target)
        # Nothing is to be saved: each answer is on the disk, and the sitting stays open.
        with contextlib.suppress(Left):
            talk.go()
    return 0


class _Talk(Lines):
    def __init__(self, session: Session, source: TextIO, target: TextIO) -> None:
        super().__init__(source, target)
        self.session = session

    # --- the sitting -----------------------------------------------------------------------

    def go(self) -> None:
        """Ask until nothing is left or the person leaves."""
        if self.session.current is not None:
            self.say(HELP)
        while (turn := self.session.current) is not None:
            self._one(turn)
        self._finish()

    def _one(self, turn: Turn) -> None:
        if self.session.notice:
            self.say(self.session.notice)
        counts = self.session.counts
        left = f"{counts.due} due, {counts.new} new, {counts.learning} learning"
        deck = self.session.library.decks.get(turn.card.deck)
        self.say()
        self.say(f"[{deck.title if deck else turn.card.deck} · {turn.reason} · left: {left}]")
        self.session.shown()
        try:
            if isinstance(turn.card, Family) and turn.card.id in self.session.library.problems:
                self._solve(turn)
            else:
                self._question(turn)
        except _Elsewhere:
            return

    def _question(self, turn: Turn) -> None:
        library = self.session.library
        question = forms.draw(turn.card, turn.seed, library.decks.get(turn.card.deck))
        parent = library.items.get(turn.card.after)
        if parent is not None:
            self.say(f"Following up on: {parent.question}")
        self.say(question.ask)
        for text in question.material:
            self.say(f"  {text}")
        for row in question.table:
            self.say("  " + " | ".join(row))
        self._rate(turn, self._answered(question.form), {})

    def _solve(self, turn: Turn) -> None:
        """Ask a problem with fresh numbers."""
        # Imported here: a sitting of cards alone needs no algebra.
        from drillkit.numeric.sample import draw  # noqa: PLC0415
        from drillkit.numeric.seed import review_seed  # noqa: PLC0415
        from drillkit.plain.problem import solve_plainly  # noqa: PLC0415

        family = self.session.library.problems[turn.card.id]
        variant = draw(family, review_seed(turn.item, turn.times_seen))
        attempt, grade = solve_plainly(self, variant, self.session.clock)
        self.session.reveal()
        self._rate(turn, grade, attempt.record())

    def _answered(self, form: forms.Form) -> Grade | None:
        """Let the person answer, show the answer, and return what a machine can say of it."""
        grade = self._graded(form)
        turn = self.session.reveal()
        for text in (grade.remark if grade else "", turn.card.why):
            if text:
                self.say(text)
        if turn.card.symbols:
            self.say("; ".join(f"{name}: {text}" for name, text in turn.card.symbols.items()))
        if turn.card.source:
            self.say("Source: " + "; ".join(turn.card.source))
        drills = drills_of(turn.card, self.session.library)
        if drills:
            self.say("Drill: " + " · ".join(f"{one.title} ({one.command})" for one in drills))
        return grade

    def _graded(self, form: forms.Form) -> Grade | None:
        match form:
            case forms.Choose():
                return self._choose(form)
            case forms.Arrange():
                return self._arrange(form)
            case forms.Fill() | forms.Estimate():
                return self._type(form)
            case forms.Tick():
                return self._tick(form)
            case forms.Unfold():
                self._unfold(form)
            case forms.Reveal():
                self._ask("Enter to show the answer: ")
                self.session.reveal()
                self._lines(form.lines)
        return None

    def _lines(self, lines: tuple[str, ...]) -> None:
        for text in lines:
            self.say(f"  {text}")

    def _choose(self, form: forms.Choose) -> Grade | None:
        for number, option in enumerate(form.options, 1):
            self.say(f"  {number}. {option.text}")
        what = "Numbers of all that are right: " if form.several else "Number: "
        picked = {number - 1 for number in self._numbers(what, len(form.options))}
        self.session.reveal()
        for number, option in enumerate(form.options, 1):
            if option.right or number - 1 in picked:
                verdict = "right" if option.right else "wrong"
                self.say(f"  {number}. {verdict}: {option.text}. {option.because}".rstrip(". "))
        return grade_choice(form, picked) if picked else None

    def _arrange(self, form: forms.Arrange) -> Grade | None:
        for number, text in enumerate(form.shown, 1):
            self.say(f"  {number}. {text}")
        placed = [n - 1 for n in self._numbers("Numbers in order: ", len(form.shown))]
        self.session.reveal()
        self._lines(tuple(f"{n}. {form.shown[at]}" for n, at in enumerate(form.right, 1)))
        complete = sorted(placed) == list(range(len(form.shown)))
        return grade_order(form, placed) if complete else None

    def _type(self, form: forms.Fill | forms.Estimate) -> Grade | None:
        while True:
            typed = self._ask("Answer (? alone shows the commands): ", commands=False)
            grade: Grade | str | None = None
            if typed and isinstance(form, forms.Estimate):
                grade = grade_estimate(form, typed)
            elif typed and isinstance(form, forms.Fill):
                grade = grade_fill(form, typed)
            if not isinstance(grade, str):
                break
            self.say(grade)
        self.session.reveal()
        self._lines(form.full if isinstance(form, forms.Fill) else (form.value,))
        return grade

    def _tick(self, form: forms.Tick) -> Grade | None:
        clock = self.session.clock
        started_s = clock.elapsed_s()
        how = (
            f"Say it aloud in {form.seconds} s, then Enter"
            if form.seconds
            else "Recall, then Enter"
        )
        self._ask(f"{len(form.points)} points. {how}, then Enter: ")
        over_s = max(0.0, clock.elapsed_s() - started_s - form.seconds) if form.seconds else 0.0
        self.session.reveal()
        self._lines(tuple(f"{n}. {point}" for n, point in enumerate(form.points, 1)))
        had = self._numbers("Numbers of the points you had (a: all): ", len(form.points))
        return grade_ticks(len(set(had)), len(form.points), over_s)

    def _unfold(self, form: forms.Unfold) -> None:
        for number, text in enumerate(form.lines, 1):
            self._ask("Enter for the next line: ")
            self.session.reveal()
            self.say(f"  {number}. {text}")

    def _rate(self, turn: Turn, grade: Grade | None, response: dict[str, Any]) -> None:
        previews = self.session.previews()
        shown = ", ".join(
            f"{rating.value} {rating.label}"
            + (f" ({previews[rating].text})" if rating in previews else "")
            for rating in Rating
        )
        proposed = f" [Enter: {grade.proposal.value}]" if grade is not None else ""
        while True:
            typed = self._ask(f"{shown}{proposed}: ")
            if not typed and grade is not None:
                rating = grade.proposal
                break
            try:
                rating = Rating.named(typed)
                break
            except UsageError as error:
                self.say(f"{error.what}: {error.hint}")
        if grade is not None:
            response |= {"verdict": grade.verdict, "score": round(grade.score, 3)}
        while True:
            try:
                outcome = self.session.rate(rating, response or None)
                break
            except DrillkitError as error:
                self.say(str(error))
                self._ask("Not saved. Enter tries again: ")
        if outcome.kind == "rated":
            self.say(f"{turn.item}: {rating.label}, back in {outcome.text}")
        if outcome.notice:
            self.say(outcome.notice)

    # --- prompts ---------------------------------------------------------------------------

    def _ask(self, prompt: str, *, commands: bool = True) -> str:
        """Return what was typed; a command is carried out and the prompt repeated.

        A prompt for free text knows only `?`, which tells of the commands elsewhere.
        """
        while True:
            typed = self.hear(prompt)
            if typed == "?":
                self.say(HELP)
            elif typed == "i" and commands:
                self._why()
            elif typed in {"u", "s", "b", "m", "q"} and commands:
                self._command(typed)
            else:
                return typed

    def _command(self, letter: str) -> None:
        if letter == "q":
            raise Left
        session = self.session
        acts = {"m": session.flag, "u": session.undo, "s": session.suspend, "b": session.bury}
        try:
            outcome = acts[letter]()
        except DrillkitError as error:
            self.say(str(error))  # nothing was written, and the card is still there
            return
        if letter == "m" and outcome is not None:
            self.say(outcome.kind)
            return
        if outcome is None:
            self.say("Nothing to undo.")
            return
        self.say(f"{outcome.item}: {outcome.kind}")
        raise _Elsewhere

    def _numbers(self, prompt: str, most: int) -> list[int]:
        known = {str(number): number for number in range(1, most + 1)}
        while True:
            typed = self._ask(prompt)
            if typed == "a":
                return list(known.values())
            words = typed.replace(",", " ").split()
            if all(word in known for word in words):
                return [known[word] for word in words]
            self.say(f"Type numbers from 1 to {most}, with spaces between, or nothing.")

    def _why(self) -> None:
        why = self.session.why()
        self.say(f"{why.item}: {why.reason}; {why.memory}, {why.reps} answers, {why.lapses} lapses")
        if why.memory != "new":
            self.say(
                f"stability {why.stability_days:.1f} d, difficulty {why.difficulty:.1f} of 10, "
                f"recall now {why.recall:.0%} (aimed at {why.target:.0%}), {why.due}"
            )

    def _finish(self) -> None:
        summary = self.session.summary()
        self.say()
        if summary.done:
            self.say(f"Done: {summary.done} answers.")
        else:
            self.say("Nothing waits.")
        for name, items in (("Learned", summary.learned), ("Lapsed", summary.lapsed)):
            if items:
                self.say(f"{name}: {', '.join(items)}")
        if summary.next_due_at is not None:
            self.say(f"Next: {summary.next_due_at.local:%Y-%m-%d %H:%M}")


class _Elsewhere(Exception):  # noqa: N818 not an error: another card is current now
    """A command moved the sitting to another card."""
