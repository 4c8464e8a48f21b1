"""A card or a problem as the two widgets that ask it: the question, and how it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from drillkit.content.cards import Family
from drillkit.review.question import Question, Reveal, draw
from drillkit.tui.widgets.forms import view_of
from drillkit.tui.widgets.question import QuestionView

if TYPE_CHECKING:
    from drillkit.clock import Clock
    from drillkit.content.library import Library
    from drillkit.numeric.variant import Variant
    from drillkit.review.turn import Turn
    from drillkit.tui.widgets.forms.view import FormView


class Asked(NamedTuple):
    """What is mounted to ask one question."""

    question: QuestionView
    form: FormView


def ask(turn: Turn, library: Library, clock: Clock) -> Asked:
    """Draw what is in front of the person. Raises `DrillkitError` for a family with no numbers."""
    if isinstance(turn.card, Family) and turn.card.id in library.problems:
        # Imported here: a sitting of cards alone needs no algebra.
        from drillkit.numeric.sample import draw as draw_variant  # noqa: PLC0415
        from drillkit.numeric.seed import review_seed  # noqa: PLC0415

        seed = review_seed(turn.item, turn.times_seen)
        return ask_variant(draw_variant(library.problems[turn.card.id], seed), clock)
    question = draw(turn.card, turn.seed, library.decks.get(turn.card.deck))
    parent = library.items.get(turn.card.after)
    return Asked(
        QuestionView(question, parent.question if parent else ""), view_of(question.form, clock)
    )


def ask_variant(variant: Variant, clock: Clock) -> Asked:
    """Return the widgets that ask one variant of a problem."""
    from drillkit.tui.widgets.forms.problem import ProblemView  # noqa: PLC0415 as above

    return Asked(QuestionView(Question(variant.ask, (), Reveal(()))), ProblemView(variant, clock))
