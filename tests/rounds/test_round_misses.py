"""What was missed becomes cards: the dearest first, each once, and provably right."""

from __future__ import annotations

from datetime import datetime

import msgspec
import pytest
from candidates import LAYOUT, graded, strong, weak
from rounds_table import SMALL, Table, small_round

from drillkit.authoring.check import check
from drillkit.authoring.round_cards import add_round_cards, draft_of, drafts_of, proved
from drillkit.clock import ManualClock, Moment
from drillkit.content.round_reading import read_round
from drillkit.content.shelf import Shelf
from drillkit.errors import DrillkitError
from drillkit.review.collection import Collection
from drillkit.review.direct import rate_item
from drillkit.review.rating import Rating
from drillkit.rounds.misses import misses
from drillkit.settings import Settings


class Home:
    """A person's own folders, with their history."""

    def __init__(self, folder):
        self.decks, self.problems = folder / "decks", folder / "problems"
        self.collection = Collection.open(folder / "collection.db", folder / "backups")
        self.clock = ManualClock(Moment.of(datetime.fromisoformat("2026-12-01T08:00+01:00")))
        self.settings = Settings()

    @property
    def library(self):
        folders = [one for one in (self.decks, self.problems) if one.exists()]
        return Shelf(folders, None).read()

    def drafts(self, table):
        return drafts_of(misses(table.sitting.state), self.library, self.collection)

    def add(self, drafts):
        return add_round_cards(
            self.decks, self.problems, drafts, self.library,
            self.collection, self.clock, self.settings,
        )  # fmt: skip

    @property
    def files(self):
        return {
            path.name: path.read_text("utf-8")
            for folder in (self.decks, self.problems)
            for path in folder.rglob("*.yaml")
        }


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path)
    yield made
    made.collection.close()


def one_of_each():
    """A round with one failed check and one missed point."""
    return graded(strong(hours="12000 GPU-h", monitor="the loss"))


def test_a_failed_check_and_a_missed_point_become_two_cards_once(home):
    table = one_of_each()
    table.sitting.mark("monitor/loss-spikes", "miss")
    drafts = home.drafts(table)
    assert {draft.miss.kind for draft in drafts} == {"check", "point"}
    added = home.add(drafts)
    assert set(added.new) == {"problems/small-gpu-hours", "from-rounds/small-loss-spikes"}
    assert added.again == ()
    library = home.library
    assert not library.diagnostics
    card = library.items["from-rounds/small-loss-spikes"]
    assert card.question == "What do you watch during a run and what do you do at a spike?"
    assert card.source == ("Pretrain a 7B decoder in two weeks",)
    assert all("\norder: 1\n" in text for text in home.files.values()), "asked before other cards"

    files = home.files
    again = home.drafts(table)
    assert all(draft.known for draft in again)
    repeated = home.add(again)
    assert repeated.new == ()
    assert set(repeated.again) == set(added.new)
    assert home.files == files
    assert all(home.collection.state(item).reps == 1 for item in added.new)


def test_what_is_written_passes_every_check(home):
    home.add(home.drafts(graded(weak())))
    verdict = check([home.decks, home.problems])
    assert verdict.errors == 0
    assert (verdict.cards, verdict.problems) == (5, 2)


def test_a_missed_number_comes_back_with_other_numbers(home):
    home.add(home.drafts(one_of_each()))
    family = home.library.problems["small-gpu-hours"]
    assert {given.symbol for given in family.given} == {"tokens", "peak", "mfu", "flops_tok"}
    assert all(len(given.values) > 1 for given in family.given)
    assert family.find[0].unit == "GPU-h"
    assert family.equations == ("gpu_hours = tokens*flops_tok/(peak*mfu)",)


@pytest.mark.parametrize("check_id", ["flops_tok", "gpu_hours"])
def test_every_number_of_the_small_round_makes_a_family_that_is_proved(check_id):
    table = Table()
    table.go_to("monitor")
    table.sitting.finish()
    found = {miss.id: miss for miss in misses(graded(table).sitting.state)}
    miss = found[f"small-{check_id.replace('_', '-')}"]
    assert proved(miss.family) is not None


def test_a_number_that_makes_no_family_becomes_a_card(home):
    miss = next(m for m in misses(graded(weak()).sitting.state) if m.kind == "check")
    draft = draft_of(miss._replace(family=None), home.library, home.collection)
    assert draft.family is None
    assert draft.card.ask.startswith("How do you work out ")
    useless = msgspec.structs.replace(miss.family, equations=("x = ",))
    assert draft_of(miss._replace(family=useless), home.library, home.collection).card is not None


def test_a_drill_that_was_met_is_asked_again_in_place_of_a_new_family(home):
    miss = next(m for m in misses(one_of_each().sitting.state) if m.kind == "check")
    family = msgspec.structs.replace(miss.family, id="a-drill")
    drill = miss._replace(id="a-drill", family=family)
    home.add([draft_of(drill, home.library, home.collection)])
    drilled = miss._replace(drill="a-drill")
    assert draft_of(drilled, home.library, home.collection).known == ""
    rate_item(
        home.collection, home.library, home.clock, home.settings, "problems/a-drill", Rating.GOOD
    )
    draft = draft_of(drilled, home.library, home.collection)
    assert draft.known == "problems/a-drill"
    added = home.add([draft])
    assert (added.new, added.again) == ((), ("problems/a-drill",))
    assert added.told == "1 known already, asked again soon"


def test_what_the_person_edited_stays(home):
    home.add(home.drafts(graded(weak())))
    deck = home.decks / "from-rounds.yaml"
    edited = deck.read_text("utf-8").replace("Why does tensor", "Why, then, does tensor")
    assert edited != deck.read_text("utf-8")
    deck.write_text(edited, "utf-8")
    home.add(home.drafts(graded(weak())))
    assert deck.read_text("utf-8") == edited


def test_a_file_with_errors_is_refused_and_left(home):
    home.problems.joinpath("numeric").mkdir(parents=True)
    path = home.problems / "numeric" / "from-rounds.yaml"
    path.write_text("title: x\nproblems:\n  - id: a\n    title: b: c\n", "utf-8")
    drafts = drafts_of(misses(one_of_each().sitting.state), Shelf([], None).read(), home.collection)
    with pytest.raises(DrillkitError, match="has errors"):
        home.add(drafts)
    assert path.read_text("utf-8").endswith("b: c\n")


def test_the_dearest_comes_first_and_there_are_never_too_many():
    found = misses(graded(weak()).sitting.state)
    cards = [miss for miss in found if miss.kind != "sprint"]
    assert [miss.score for miss in cards] == sorted((m.score for m in cards), reverse=True)
    assert cards[0].id == "small-gpu-hours"
    assert len(cards) == 7
    few = msgspec.structs.replace(small_round(), cards_max=2)
    state = graded(weak(Table(few))).sitting.state
    assert [miss.id for miss in misses(state) if miss.kind != "sprint"] == [
        miss.id for miss in cards[:2]
    ]


def test_the_same_miss_has_the_same_id_whatever_the_numbers():
    first, second = (
        {miss.id for miss in misses(graded(weak(Table(seed=seed))).sitting.state)
         if miss.kind in {"check", "point"}}
        for seed in (0, 5)
    )  # fmt: skip
    assert first == second


def test_a_phase_that_ran_over_by_more_than_a_minute_proposes_a_sprint():
    found = [miss for miss in misses(graded(weak()).sitting.state) if miss.kind == "sprint"]
    assert [(miss.id, miss.phase) for miss in found] == [("small-sprint-clarify", "clarify")]
    assert "2:10" in found[0].ask
    assert not [m for m in misses(graded(strong()).sitting.state) if m.kind == "sprint"]


def test_a_sprint_makes_no_card(home):
    sprints = [m for m in misses(graded(weak()).sitting.state) if m.kind == "sprint"]
    assert drafts_of(sprints, home.library, home.collection) == ()


def test_a_missed_curveball_asks_what_the_interviewer_said():
    table = Table()
    table.go_to("layout")
    table.sitting.layout(LAYOUT)
    table.pass_s(61)
    table.sitting.skip()
    table.sitting.finish()
    found = {miss.id: miss for miss in misses(graded(table).sitting.state)}
    miss = found["small-lose-a-rack"]
    assert miss.ask == "“We lose 32 GPUs. What changes?” What do you say?"
    assert miss.points == ("The date moves or the tokens shrink.",)


def test_unasked_facts_become_one_card_of_all_that_the_plan_needs():
    found = [m for m in misses(graded(weak()).sitting.state) if m.kind == "facts"]
    assert [miss.id for miss in found] == ["small-ask-first"]
    assert found[0].points == (
        "parameters", "training tokens", "GPUs", "deadline", "what done means",
    )  # fmt: skip


def test_nothing_is_missed_in_a_phase_that_was_not_reached():
    table = Table()
    table.until(60)
    table.sitting.finish()
    assert {miss.phase for miss in misses(graded(table).sitting.state)} == {"clarify"}


def test_a_point_that_was_made_in_part_or_marked_as_made_is_not_missed():
    table = graded(weak(Table(msgspec.structs.replace(small_round(), cards_max=20))))
    before = {miss.id for miss in misses(table.sitting.state)}
    table.sitting.mark("monitor/loss-spikes", "partial")
    table.sitting.mark("clarify/restates", "hit")
    after = {miss.id for miss in misses(table.sitting.state)}
    assert before - after == {"small-restates", "small-loss-spikes"}


def test_cards_come_after_the_grading():
    with pytest.raises(DrillkitError, match="after the grading"):
        misses(weak().sitting.state)


def test_a_curveball_that_shares_its_id_with_a_point_gets_a_card_of_its_own():
    text = SMALL.read_text("utf-8").replace("{id: tp-in-node", "{id: lose-a-rack")
    round_ = read_round(text.encode(), "x").round
    table = Table(round_)
    table.go_to("layout")
    table.pass_s(61)
    table.sitting.skip()
    table.sitting.finish()
    found = [miss.id for miss in misses(graded(table).sitting.state)]
    assert len(set(found)) == len(found)
    assert {"small-lose-a-rack", "small-asked-lose-a-rack"} <= set(found)
