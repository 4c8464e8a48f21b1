"""Opening figures: from the list, from a card, from the command line; with or without a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drillkit.errors import DrillkitError
from drillkit.figures.catalogue import parse
from drillkit.figures.predict import truths
from drillkit.review.events import Predicted
from drillkit.review.guesses import guesses, keep_guess
from drillkit.tui.screens.figure import FigureScreen
from drillkit.tui.screens.guess import GuessesScreen, GuessScreen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from drillkit.figures.figure import Kind, Question
    from drillkit.figures.predict import Guess
    from drillkit.tui.app import DrillApp


def open_figure(
    app: DrillApp, text: str, given: Mapping[str, str] | None = None, *, guess_first: bool = False
) -> None:
    """Open the figure that `text` names as a card does, such as `zero P=7e9 N=64`.

    `given` are the numbers of a problem, of which the figure takes those it knows. With
    `guess_first` the first of its questions that was not answered yet is asked before.
    """
    try:
        kind, settings = parse(text)
        values = kind.fitting(settings, given or {})
        question = _unasked(app, kind) if guess_first else None
    except DrillkitError as error:
        app.complain(error)
        return
    if question is None:
        app.push_screen(FigureScreen(kind, values))
        return

    def go_on(guess: Guess | None) -> None:
        kept = guess is not None and _keep(app, kind, question, guess)
        told = "your guess is kept: g shows it beside the truth" if kept else ""
        app.push_screen(FigureScreen(kind, values, told))

    app.push_screen(GuessScreen(question), go_on)


def show_guesses(app: DrillApp, kind: Kind) -> None:
    """Show what was guessed for the figure's questions beside the truth."""
    try:
        found = guesses(app.collection())
    except DrillkitError as error:
        app.complain(error)
        return
    app.push_screen(GuessesScreen(kind, {name: one.values for name, one in found.items()}))


def _unasked(app: DrillApp, kind: Kind) -> Question | None:
    if not kind.questions:
        return None
    known = guesses(app.collection())
    return next((one for one in kind.questions if one.id not in known), None)


def _keep(app: DrillApp, kind: Kind, question: Question, guess: Guess) -> bool:
    true = tuple(
        float(one.value) for one in truths(kind, question) if not isinstance(one.value, list)
    )
    event = Predicted(question=question.id, text=guess.text, values=guess.values, truths=true)
    try:
        keep_guess(app.collection(), app.workspace.clock.now(), app.workspace.settings, event)
    except DrillkitError as error:
        app.complain(error)
        return False
    return True
