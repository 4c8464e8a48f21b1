"""What `drillkit stats` says: streak, recall, forecast, weakest topics, confused classes."""

from __future__ import annotations

from drillkit.clock import ManualClock, Moment
from drillkit.content.shelf import Shelf
from drillkit.review.collection import Collection
from drillkit.review.queue import Filter
from drillkit.review.rating import Rating
from drillkit.review.report import report_of
from drillkit.review.session import Session
from drillkit.settings import Settings

DECK = """\
deck: w
cards:
  - {id: fit, kind: wording, prompts: [does it fit], answer: memory table}
  - {id: time, kind: wording, prompts: [how long], answer: compute budget}
"""


def test_confused_classes_are_told_once_there_are_twenty_picks(tmp_path):
    (tmp_path / "w.yaml").write_text(DECK, "utf-8")
    library = Shelf([tmp_path], None).read()
    clock = ManualClock(Moment(1_796_108_400_000, 60))
    settings = Settings()
    with Collection.open(tmp_path / "c.db") as collection:
        for picks in range(1, 25):
            session = Session.open(collection, library, clock, settings, Filter(cram=True))
            while session.current is None:
                clock.advance(86_400)
                session = Session.open(collection, library, clock, settings, Filter(cram=True))
            wrong = session.current.item == "w/fit" and picks % 4 == 1
            answer = session.current.card.answer
            session.reveal()
            session.rate(
                Rating.AGAIN if wrong else Rating.GOOD,
                {"picked": "compute budget" if wrong else answer},
            )
            report = report_of(collection, library, clock, settings)
            assert bool(report.mistaken) == (picks >= 20)
        first = report.mistaken[0]
        assert (first.deck, first.right, first.picked) == ("w", "memory table", "compute budget")
        assert any("took 'memory table' for 'compute budget'" in line for line in report.lines())
        assert report.streak_days >= 1
