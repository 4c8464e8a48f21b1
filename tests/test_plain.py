"""The sitting line by line: every kind of card, every command, and everything that goes wrong."""

from __future__ import annotations

import errno
import io
import re

import pytest
import yaml

from drillkit.content.cards import KINDS
from drillkit.errors import DrillkitError
from drillkit.plain.review import HELP, review_plainly
from drillkit.review.events import Rated
from drillkit.review.queue import Filter
from drillkit.review.session import Session


class Keyboard(io.StringIO):
    """What is typed, line by line; `waits` seconds pass on the clock before each line."""

    def __init__(self, lines, clock, waits):
        super().__init__("".join(f"{line}\n" for line in lines))
        self._clock, self._waits = clock, waits

    def readline(self, *args):
        self._clock.advance(self._waits)
        return super().readline(*args)


@pytest.fixture
def sit(workspace, write_deck, clock):
    """Write a deck, type the lines, and return what was printed."""
    workspace.folders.settings.parent.mkdir(parents=True, exist_ok=True)
    workspace.folders.settings.write_text("review.fuzz = false\n")

    def sit_down(*typed, cards=None, waits=2.0, chosen=None):
        if cards is not None:
            write_deck("d.yaml", "deck: d\ntitle: The deck\ncards:\n" + cards)
        target = io.StringIO()
        keyboard = Keyboard(typed, clock, waits)
        assert review_plainly(workspace, chosen or Filter(), keyboard, target) == 0
        return target.getvalue()

    return sit_down


@pytest.fixture
def rated(workspace):
    """The ratings in the log, as (item, rating, response)."""

    def read():
        with workspace.collection() as collection:
            return [
                (event.action.item, event.action.rating, event.action.response)
                for event in collection.events()
                if isinstance(event.action, Rated)
            ]

    return read


def recall(name="a", ask="A?", answer="x", more=""):
    return f"  - {{id: {name}, ask: {ask}, answer: {answer}{more}}}\n"


# --- every form ----------------------------------------------------------------------------------


def test_recall_shows_the_answer_after_enter_and_takes_a_rating(sit, rated):
    cards = recall(more=", why: because, source: [one, two], symbols: {n: bytes, p: ranks}")
    printed = sit("", "3", cards=cards)
    assert printed.startswith(HELP)
    question, answer, _ = printed.split("Enter to show the answer: ")
    assert "\n[The deck · " in question
    assert "left: 0 due, 1 new, 0 learning]\nA?\n" in question
    assert "x" not in question.splitlines()[-1]
    assert answer.startswith(
        "  x\nbecause\nn: bytes; p: ranks\nSource: one; two\n1 again (1 min), "
    )
    assert "d/a: good, back in 10 min\n" in answer
    assert rated() == [("d/a", 3, None)]


def test_drills_are_named_after_the_answer_with_the_command_that_runs_each(sit):
    printed = sit("", "3", cards=recall(more=", source: here, drill: [ring, no-such, zero]"))
    question, answer, _ = printed.split("Enter to show the answer: ")
    assert "Drill" not in question
    drills = "Ring all-reduce (drillkit figure ring) · ZeRO memory (drillkit figure zero)"
    assert f"  x\nSource: here\nDrill: {drills}\n1 again" in answer


def test_cloze_is_typed_and_graded_and_enter_takes_the_proposal(sit, rated):
    printed = sit("all reduce", "", cards='  - {id: a, kind: cloze, text: "an {{all-reduce}}"}\n')
    assert "Fill the gap.\n  an _____\nAnswer (? alone shows the commands): " in printed
    assert "  an all-reduce\nRight.\n" in printed
    assert "[Enter: 3]: d/a: good" in printed
    assert rated()[0][:2] == ("d/a", 3)
    assert rated()[0][2] == {"verdict": "right", "score": 1.0}


def test_grade_only_proposes_and_the_person_has_the_last_word(sit, rated):
    printed = sit("reduce", "4", cards='  - {id: a, kind: cloze, text: "an {{all-gather}}"}\n')
    assert "Not the same.\n" in printed
    assert "[Enter: 1]: d/a: easy" in printed
    assert rated()[0][1] == 4


def test_gap_left_empty_gets_no_grade(sit, rated):
    printed = sit("", "", "2", cards='  - {id: a, kind: cloze, text: "an {{all-gather}}"}\n')
    assert "[Enter" not in printed
    assert rated() == [("d/a", 2, None)]


CHOICE = """\
  - id: a
    kind: choice
    ask: Which?
    choices:
      - {text: alpha, right: true, because: it leads}
      - {text: beta, because: it trails}
"""


@pytest.mark.parametrize(("pick", "rating"), [("alpha", 3), ("beta", 1)])
def test_choice_is_picked_by_its_number_and_told_why(sit, rated, workspace, pick, rating):
    shown = sit(cards=CHOICE)
    number = re.search(rf"(\d)\. {pick}", shown)[1]
    printed = sit(number, "")
    other = "beta" if pick == "alpha" else "alpha"
    assert f"{number}. {'right' if rating == 3 else 'wrong'}: {pick}. it " in printed
    assert (f"right: {other}" in printed) == (rating == 1)
    assert rated()[0][1] == rating


def test_several_right_choices_are_asked_for_as_such(sit, rated):
    cards = CHOICE.replace("beta, because: it trails", "beta, right: true")
    printed = sit("1, 2", "", cards=cards)
    assert "Numbers of all that are right: " in printed
    assert rated()[0][1] == 3


def test_points_are_recalled_then_ticked(sit, rated):
    printed = sit("", "1 3", "", cards="  - {id: a, kind: points, ask: q, points: [x, y, z]}\n")
    before, after, _ = printed.split("3 points. Recall, then Enter")
    assert "x" not in before.rsplit("q\n", 1)[1]
    assert "  1. x\n  2. y\n  3. z\nNumbers of the points you had (a: all): " in after
    assert "2 of 3 points.\n" in after
    assert rated()[0][1:] == (2, {"verdict": "close", "score": 0.667})


def test_all_points_are_one_letter(sit, rated):
    printed = sit("", "a", "", cards="  - {id: a, kind: points, ask: q, points: [x, y, z]}\n")
    assert "3 of 3 points.\n" in printed
    assert rated()[0][1] == 3


@pytest.mark.parametrize(("waits", "told"), [(9.0, "1 of 1 points.\n"), (30.0, "20 s over time.")])
def test_aloud_counts_the_seconds(sit, waits, told):
    cards = "  - {id: a, kind: aloud, ask: q, seconds: 10, points: [x]}\n"
    printed = sit("", "1", "", cards=cards, waits=waits)
    assert "Say it aloud in 10 s" in printed
    assert told in printed


def test_order_is_typed_as_numbers(sit, rated):
    cards = "  - {id: a, kind: order, ask: q, steps: [one, two, three]}\n"
    shown = dict(re.findall(r"(\d)\. (\w+)\n", sit(cards=cards)))
    by_step = {step: number for number, step in shown.items()}
    printed = sit(" ".join(by_step[step] for step in ("one", "two", "three")), "")
    assert "  1. one\n  2. two\n  3. three\nIn order.\n" in printed
    assert rated()[0][1] == 3


def test_order_typed_in_part_gets_no_grade(sit):
    printed = sit("1 2", "", cards="  - {id: a, kind: order, ask: q, steps: [one, two, three]}\n")
    assert "[Enter" not in printed


def test_steps_come_one_by_one(sit):
    printed = sit("", "", "3", cards="  - {id: a, kind: steps, ask: q, steps: [one, two]}\n")
    assert "Enter for the next line:   1. one\nEnter for the next line:   2. two\n" in printed


def test_table_shows_its_rows_with_one_cell_blank(sit):
    cards = "  - {id: a, kind: table, columns: [stage, bytes], rows: [[one, 4], [two, '']]}\n"
    printed = sit("4", "", cards=cards)
    assert "  stage | bytes\n  one | _____\n  two | \n" in printed
    assert "  one: bytes = 4\nRight.\n" in printed


def test_wording_asks_for_the_class(sit, rated):
    cards = "  - {id: a, kind: wording, prompts: [idle?], answer: measure}\n"
    cards += "  - {id: b, kind: wording, prompts: [lost?], answer: checkpoint}\n"
    shown = sit(cards=cards)
    assert "What do you start with?\n  “idle?”\n" in shown
    printed = sit(re.search(r"(\d)\. measure", shown)[1], "")
    assert "right: measure\n" in printed
    assert rated()[0][1] == 3


def test_number_is_scored_by_its_ratio(sit, rated):
    cards = "  - {id: a, kind: number, ask: q, answer: 3.35 TB/s}\n"
    printed = sit("many", "2.5 TB/s", "", cards=cards)
    asked, unread, graded, _ = printed.split("Answer (? alone shows the commands): ")
    assert asked.endswith("q\n")
    assert unread.strip()  # why it cannot be read; it costs nothing
    assert "  3.35 TB/s\n" in graded
    assert "25% too low" in graded
    assert rated()[0][1] == 2


def test_spot_shows_the_claim_then_the_flaw(sit):
    printed = sit("", "3", cards="  - {id: a, kind: spot, claim: c c, flaw: f f, right: r r}\n")
    assert "What is wrong here?\n  c c\nEnter to show the answer:   f f\n  r r\n" in printed


def test_follow_up_names_its_parent(sit):
    cards = recall() + recall("b", "Why?", "y", ", after: a")
    printed = sit("", "4", "", "4", cards=cards)
    assert "Following up on: A?\nWhy?\n" in printed


# --- the sitting ---------------------------------------------------------------------------------


def test_sitting_ends_with_what_was_done(sit):
    printed = sit("", "4", "", "4", cards=recall() + recall("b", "B?"))
    assert "Done: 2 answers.\n" in printed
    assert "Next: 2026-12-09 04:00\n" in printed


def test_nothing_to_study_is_told(sit):
    assert sit(cards=recall(more=", after: a")).startswith("\nNothing waits.\n")


def test_end_of_input_leaves_and_the_sitting_goes_on_later(sit, rated):
    cards = recall() + recall("b", "B?")
    assert sit("", "4", "", cards=cards).endswith("4 easy (8 d): \n")
    printed = sit("", "3")
    assert "A?" not in printed
    assert rated() == [("d/a", 4, None), ("d/b", 3, None)]


def test_every_rating_is_in_the_log_before_the_next_question(workspace, sit, rated, clock):
    seen = []

    class Watching(io.StringIO):
        def write(self, text):
            if text.startswith("B?"):
                seen.extend(rated())
            return super().write(text)

    sit(cards=recall() + recall("b", "B?"))
    keyboard = Keyboard(["", "3"], clock, 1.0)
    review_plainly(workspace, Filter(), keyboard, Watching())
    assert seen == [("d/a", 3, None)]


def test_filter_and_cram_are_those_of_the_app(sit, rated):
    write = recall() + recall("b", "B?", more=", tags: net")
    assert "A?" not in sit(cards=write, chosen=Filter(tag="net"))
    sit("", "4", "", "4")
    printed = sit("", "3", chosen=Filter(tag="net", cram=True))
    assert "B?" in printed
    assert len(rated()) == 2


@pytest.mark.parametrize("wrong", ["", "5", "0", "god", "33", "3 3", "-1", "²", "9" * 5000])
def test_rating_that_is_none_is_asked_for_again(sit, rated, wrong):
    printed = sit("", wrong, "good", cards=recall())
    assert "use again, hard, good or easy\n" in printed
    assert rated() == [("d/a", 3, None)]


@pytest.mark.parametrize("typed", ["again", "AGAIN", " 1 "])
def test_rating_may_be_a_word_or_a_number(sit, rated, typed):
    sit("", typed, "q", cards=recall())
    assert rated() == [("d/a", 1, None)]


@pytest.mark.parametrize("wrong", ["0", "3", "x", "1;2", "²", "٣", "-1", "9" * 5000, "1.0"])
def test_numbers_that_are_none_are_asked_for_again(sit, wrong):
    printed = sit(wrong, "1", "q", cards=CHOICE)
    assert "Type numbers from 1 to 2, with spaces between, or nothing.\nNumber: " in printed


# --- commands ------------------------------------------------------------------------------------


def test_undo_brings_the_card_back(sit, rated, workspace):
    printed = sit("", "4", "u", "", "1", "q", cards=recall() + recall("b", "B?"))
    assert "d/a: undone\n" in printed
    assert [row[:2] for row in rated()] == [("d/a", 4), ("d/a", 1)]
    with workspace.collection() as collection:
        assert collection.state("d/a").reps == 1


def test_undo_of_nothing_is_told_and_the_prompt_comes_again(sit):
    printed = sit("u", "", "4", cards=recall())
    assert printed.count("Enter to show the answer: ") == 2
    assert "Enter to show the answer: Nothing to undo.\nEnter" in printed


@pytest.mark.parametrize(("letter", "word"), [("s", "suspended"), ("b", "buried")])
@pytest.mark.parametrize("lines", [[], [""]], ids=["question", "answer"])
def test_suspend_and_bury_go_on_with_the_next_card(sit, rated, letter, word, lines):
    printed = sit(*lines, letter, "", "3", "q", cards=recall() + recall("b", "B?"))
    assert f"d/a: {word}\n" in printed
    assert rated() == [("d/b", 3, None)]


def test_flag_stays_on_the_card_and_is_taken_back(sit):
    printed = sit("m", "m", "", "3", cards=recall())
    assert "Enter to show the answer: flagged\n" in printed
    assert "Enter to show the answer: unflagged\n" in printed


def test_why_is_told_of_new_and_of_known_cards(sit):
    printed = sit("i", "", "3", "i", "q", cards=recall())
    assert "Enter to show the answer: d/a: " in printed
    assert "; new, 0 answers, 0 lapses\n" in printed
    later = sit("i", "q", waits=700.0)
    assert "; learning, 1 answers, 0 lapses\nstability 2.3 d, difficulty 2.1 of 10, " in later


def test_question_mark_helps_at_every_prompt(sit):
    cards = '  - {id: a, kind: cloze, text: "{{x}}"}\n'
    assert sit("?", "x", "?", "3", cards=cards).count(HELP) == 3


def test_letters_are_an_answer_where_text_is_typed(sit, rated):
    printed = sit("s", "", cards='  - {id: a, kind: cloze, text: "{{s}} is the length"}\n')
    assert "Right.\n" in printed
    assert rated()[0][1] == 3


def test_leaving_is_possible_at_every_prompt(sit, rated):
    for lines in (["q"], ["", "q"]):
        sit(*lines, cards=recall())
    assert rated() == []


# --- faults --------------------------------------------------------------------------------------


def test_rating_that_cannot_be_saved_is_tried_again(sit, rated, monkeypatch):
    rate, failures = Session.rate, iter([True, True, False])

    def failing(session, *args, **more):
        if next(failures):
            raise DrillkitError("cannot write: the disk is full", hint="free some space")
        return rate(session, *args, **more)

    monkeypatch.setattr(Session, "rate", failing)
    printed = sit("", "3", "", "", "q", cards=recall())
    told = "error: cannot write: the disk is full\nhint: free some space\nNot saved. Enter tries"
    assert printed.count(told) == 2
    assert rated() == [("d/a", 3, None)]


def test_person_may_leave_when_nothing_can_be_saved(sit, rated, monkeypatch):
    def failing(*_args, **_more):
        raise DrillkitError("cannot write: the disk is full")

    monkeypatch.setattr(Session, "rate", failing)
    assert "Not saved." in sit("", "3", "q", cards=recall())
    assert rated() == []


def test_command_that_cannot_be_saved_is_told_and_the_card_stays(sit, monkeypatch):
    def failing(*_args, **_more):
        raise DrillkitError("cannot write: the disk is full")

    monkeypatch.setattr(Session, "suspend", failing)
    monkeypatch.setattr(Session, "flag", failing)
    printed = sit("s", "m", "", "3", cards=recall())
    assert printed.count("error: cannot write: the disk is full\nEnter to show the answer: ") == 2
    assert "d/a: good" in printed


def test_reader_that_is_gone_is_no_fault_of_the_sitting(workspace, sit, clock):
    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    sit(cards=recall())
    with pytest.raises(BrokenPipeError):
        review_plainly(workspace, Filter(), Keyboard([""], clock, 1.0), Gone())


# --- hostile text --------------------------------------------------------------------------------

NASTY = {
    "brackets": "W[i] [b] [/foo] [@click=app.bell] {x} {{y}} %s \\",
    "escape bytes": "\x1b[31m\x1b]0;title\x07\x1b]8;;http://x\x1b\\\x9b2J\x00\x08\x7f",
    "direction": "\u202eabc\u2066def\u200f",
    "no width": "a\u200bb\u200dc\ufeffd\u2060",
    "line ends": "a\r\nb\rc\u2028d\u2029e\x85f\x0bg\x0ch",
    "a long line": "x" * 100_000,
    "CJK": "漢字" * 40,
    "marks": "e" + "\u0301" * 500,
    "private": "\ue000\U000f0000\U000e0041",
}
# Each kind with every text field it has; N is the nasty text.
FULL = {
    "recall": {"ask": "N", "answer": "N"},
    "cloze": {"ask": "N", "text": "N {{N}} N"},
    "choice": {
        "ask": "N",
        "choices": [
            {"text": "N", "right": "true", "because": "N"},
            {"text": "N 2", "because": "N"},
        ],
    },
    "points": {"ask": "N", "points": ["N", "N 2"]},
    "order": {"ask": "N", "steps": ["N", "N 2"]},
    "steps": {"ask": "N", "steps": ["N", "N 2"]},
    "table": {"ask": "N", "columns": ["N", "N 2"], "rows": [["N", "N"]]},
    "wording": {"ask": "N", "prompts": ["N"], "answer": "N"},
    "aloud": {"ask": "N", "seconds": "60", "points": ["N"]},
    "number": {"ask": "N", "answer": "16 bytes"},
    "spot": {"ask": "N", "claim": "N", "flaw": "N", "right": "N"},
}
COMMON = {"why": "N", "source": ["N"], "tags": ["N"], "group": "N", "symbols": {"N": "N"}}


def planted(value, text):
    if isinstance(value, str):
        return value.replace("N", text)
    if isinstance(value, list):
        return [planted(entry, text) for entry in value]
    return {planted(key, text): planted(entry, text) for key, entry in value.items()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_no_text_of_a_card_reaches_the_terminal_as_it_is(sit, write_deck, workspace, kind, text):
    safe = text.replace("{{y}}", "{y}")  # the one text that means something in a cloze
    card = {"id": "a", "kind": kind, **planted({**FULL[kind], **COMMON}, safe)}
    document = {"deck": "d", "title": text, "tags": [text], "cards": [card]}
    # All scalars in double quotes, with escapes for what YAML would not hold bare.
    raw = yaml.dump(document, Dumper=yaml.CSafeDumper, default_style='"', width=10**6)
    write_deck("d.yaml", raw)
    library = workspace.library()
    assert library.diagnostics == ()
    assert list(library.items) == ["d/a"]
    printed = sit(*["", "1 2", "16 bytes", "i", "1", "4"] * 3)
    assert "1 again (1 min), 2 hard" in printed
    assert all(sign == "\n" or sign.isprintable() for sign in printed)


@pytest.mark.parametrize("kind", KINDS)
def test_bare_control_bytes_in_a_file_cost_their_card_alone(sit, write_deck, kind):
    card = yaml.safe_dump({"kind": kind, **planted(FULL[kind], "THERE")}, default_flow_style=True)
    lines = recall() + "  - " + " ".join(card.split()).replace("THERE", "\x1b[31m") + "\n"
    write_deck("d.yaml", "deck: d\ncards:\n" + lines)
    printed = sit("", "4")
    assert "A?" in printed
    assert "\x1b" not in printed
