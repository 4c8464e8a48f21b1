"""After the last card: what was learned, what lapsed, when to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from drillkit.counted import counted
from drillkit.errors import DrillkitError
from drillkit.review.rating import Rating
from drillkit.tui.screens.screen import DrillScreen
from drillkit.tui.text import line, stacked
from drillkit.tui.today import when_text
from drillkit.tui.widgets.lists import Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from drillkit.review.session import Session
    from drillkit.review.summary import Summary

POLL_S = 5.0
NAMES_SHOWN = 12


class FinishedScreen(DrillScreen[bool]):
    """Answers True when there is a card to go on with, False to go home."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "home", "Home", key_display="Enter"),
        Binding("u", "undo", "Undo", id="review.undo"),
        Binding("escape,q", "home", "Home", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def parts(self) -> Iterable[Widget]:
        yield Static("Done for now.", id="headline")
        with Page(id="summary-page"):
            yield Static(self._text(self.session.summary()))

    def on_mount(self) -> None:
        self.set_interval(POLL_S, self._poll)

    def _text(self, summary: Summary) -> Content:
        now = self.session.clock.now()
        settings = self.session.settings
        if not summary.done:
            parts = [Content("Nothing waits.")]
        else:
            rated = ", ".join(
                f"{summary.by_rating[rating]} {rating.label}"
                for rating in Rating
                if summary.by_rating.get(rating)
            )
            minutes, seconds = divmod(round(summary.seconds), 60)
            answers = counted(summary.done, "answer")
            parts = [Content(f"{answers} in {minutes} min {seconds} s: {rated}.")]
        if self.session.filter.cram:
            parts += self._scores(summary)
        else:
            parts += self._named("Learned", summary.learned)
            parts += self._named("Lapsed", summary.lapsed)
        if summary.waiting_ms is not None:
            minutes = max(1, round(summary.waiting_ms / 60_000))
            parts.append(Content(f"A card on a learning step is back in {minutes} min; stay here."))
        if summary.next_due_at is not None:
            parts.append(Content(f"Next: {when_text(summary.next_due_at, now, settings)}."))
        parts.append(Content(f"Due tomorrow: {counted(summary.due_tomorrow, 'card')}."))
        return Content("\n\n").join(parts)

    def _scores(self, summary: Summary) -> list[Content]:
        """Name each card of a cram with its last rating, the worst first."""
        cards = self.session.library.items
        ranked = sorted(summary.last.items(), key=lambda answer: answer[1])
        lines = [
            Content(f"  {rating.label:<6} ") + line(cards[item].question or item)
            for item, rating in ranked
            if item in cards
        ]
        return [stacked(lines)] if lines else []

    def _named(self, title: str, items: tuple[str, ...]) -> list[Content]:
        if not items:
            return []
        cards = self.session.library.items
        names = [cards[item].question or item for item in items if item in cards]
        lines = [Content(f"{title} ({len(items)}):")]
        lines += [Content("  · ") + line(name) for name in names[:NAMES_SHOWN]]
        if len(names) > NAMES_SHOWN:
            lines.append(Content(f"  and {len(names) - NAMES_SHOWN} more"))
        return [stacked(lines)]

    def _poll(self) -> None:
        if self.app.screen is self and self.session.poll() is not None:
            self.dismiss(True)  # noqa: FBT003 the screen's answer

    def action_undo(self) -> None:
        try:
            outcome = self.session.undo()
        except DrillkitError as error:
            self.notify(line(error.what).plain, severity="error", markup=False)
            return
        if outcome is None:
            self.notify("Nothing to undo.")
        else:
            self.dismiss(True)  # noqa: FBT003 the screen's answer

    def action_home(self) -> None:
        self.dismiss(False)  # noqa: FBT003 the screen's answer
