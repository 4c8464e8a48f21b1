"""A sitting on the screen: each form of card, rating, undo, edit, leaving and coming back."""

from __future__ import annotations

import re
from contextlib import nullcontext

import pytest
from drive import Desk, open_card, play, running, screen_text, until

from drillkit.review.rating import Rating
from drillkit.tui import editor


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def ratings(app):
    """What the log says of ratings that stand: (item, rating, response)."""
    collection = app._collection
    undone = collection.undone()
    return [
        (event.action.item, event.action.rating, event.action.response)
        for event in collection.events("kind = 'rated'")
        if event.batch not in undone
    ]


def test_space_reveals_and_a_digit_rates(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "plain")
            assert "The first answer" not in screen_text(app)
            await pilot.press("3")
            assert ratings(app) == [], "a rating before the answer is shown does nothing"
            await pilot.press("space")
            text = screen_text(app)
            assert "The first answer" in text
            assert "Because." in text
            assert "3 Good · 10 min" in text
            await pilot.press("3")
            assert ratings(app) == [("demo/plain", Rating.GOOD, None)]
            assert "1 done" in screen_text(app)

    play(scene)


def test_a_gap_is_typed_and_its_verdict_proposes_the_rating(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "gap")
            await pilot.press("1", "6", "enter")
            assert "▸ 3 Good" in screen_text(app)
            await pilot.press("2")
            item, rating, response = ratings(app)[0]
            assert (item, rating) == ("demo/gap", Rating.HARD), "the person has the last word"
            assert response == {"typed": "16", "verdict": "right", "score": 1.0}

    play(scene)


def test_a_wrong_choice_gives_its_reason_and_is_logged(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "pick")
            wrong = re.search(r"(\d) \[ \] stage one", screen_text(app))[1]
            await pilot.press(wrong)
            text = screen_text(app)
            assert "✗ wrong stage one" in text
            assert "too early" in text
            assert "✓ right stage three" in text
            assert "▸ 1 Again" in text
            await pilot.press("1")
            assert ratings(app)[0][2]["picked"] == "stage one"

    play(scene)


def test_a_choice_keeps_its_order_on_a_retry(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "pick")
            before = [line for line in screen_text(app).splitlines() if " stage " in line]
            await pilot.press("1", "1")
            await pilot.press("u")
            await pilot.pause()
            after = [line for line in screen_text(app).splitlines() if " stage " in line]
            assert before == after

    play(scene)


def test_points_are_ticked_and_misses_are_logged(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "list")
            assert "Recall 2 points" in screen_text(app)
            await pilot.press("space")
            assert "0 of 2 points" in screen_text(app)
            await pilot.press("j", "space")
            text = screen_text(app)
            assert "[x] right" in text
            assert "1 of 2 points" in text
            await pilot.press("2")
            assert ratings(app)[0][2] == {"missed": ["left"], "verdict": "wrong", "score": 0.5}

    play(scene)


def test_a_flag_on_an_answered_card_still_asks_for_a_rating(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "plain")
            await pilot.press("space", "m")
            await until(pilot, lambda: "flagged. 1 to 4 rate" in screen_text(app))

    play(scene)


def test_steps_are_put_in_order_by_their_digits(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "sort")
            digits = {}
            for line in screen_text(app).splitlines():
                for name in ("alpha", "beta", "gamma"):
                    if name in line:
                        digits[name] = line.split("[")[1][0]
            await pilot.press(digits["beta"], "backspace", digits["alpha"], digits["beta"])
            await pilot.pause()
            assert "▸ 3 Good" not in screen_text(app)
            await pilot.press(digits["gamma"])
            await pilot.pause()
            text = screen_text(app)
            assert ratings(app) == []
            assert "In order." in text
            assert "▸ 3 Good" in text

    play(scene)


def test_a_derivation_unfolds_line_by_line_and_is_rated_at_its_end(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "derive")
            assert "2 lines to come" in screen_text(app)
            await pilot.press("space")
            text = screen_text(app)
            assert "1. a = b" in text
            assert "b = c" not in text
            await pilot.press("3")
            assert ratings(app) == []
            await pilot.press("space", "3")
            assert ratings(app)[0][0] == "demo/derive"

    play(scene)


def test_a_blank_cell_and_a_number_with_its_unit(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "grid")
            assert "_____" in screen_text(app)
            await pilot.press("4", "P", "enter")
            assert "▸ 3 Good" in screen_text(app)
            await pilot.press("3")
            await open_card_again(app, pilot, "figure")
            await pilot.press("3", "space", "p", "i", "n", "t", "s", "enter")
            assert app.screen.session.current.phase == "question", "unreadable costs nothing"
            for _ in range(8):
                await pilot.press("backspace")
            await pilot.press("3", "space", "T", "B", "slash", "s", "enter")
            text = screen_text(app)
            assert "10% too low" in text
            assert "▸ 2 Hard" in text

    play(scene)


async def open_card_again(app, pilot, card):
    while app.screen.session.current.card.id != card:
        if app.focused is not None and app.focused.id == "typed":
            await pilot.press("escape")
        await pilot.press("b")
        app.clear_notifications()
        await pilot.pause()


def test_wording_offers_the_classes_of_the_deck(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "memory")
            text = screen_text(app)
            assert "does it fit" in text
            assert "memory" in text
            assert "compute" in text

    play(scene)


def test_aloud_counts_down_and_shows_overtime(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "speak")
            assert "0:30 left of 30 s" in screen_text(app)
            assert "[ ]" not in screen_text(app)
            desk.clock.advance(42)
            await until(pilot, lambda: "+0:12 over" in screen_text(app))
            await pilot.press("space", "a")
            text = screen_text(app)
            assert "2 of 2 points, 12 s over time" in text
            assert "▸ 2 Hard" in text
            await pilot.press("tab", "m", "y", "space", "w", "a", "y", "enter", "3")
            response = ratings(app)[0][2]
            assert response["summary"] == "my way"
            assert response["spoken_s"] == pytest.approx(42)

    play(scene)


def test_think_time_stops_at_the_reveal(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "plain")
            desk.clock.advance(7)
            await pilot.press("space")
            desk.clock.advance(5)
            await pilot.press("3")
            event = next(iter(app._collection.events("kind = 'rated'")))
            assert (event.action.think_ms, event.action.read_ms) == (7000, 5000)

    play(scene)


def test_undo_works_on_the_finished_screen_and_after_a_restart(desk):
    async def first():
        async with running(desk) as (app, pilot):
            await rate_everything(app, pilot)
            await pilot.press("u")
            await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
            assert len(ratings(app)) == 11

    async def second():
        async with running(desk) as (app, pilot):
            await pilot.press("r")
            await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
            await leave_field(app, pilot)
            await pilot.press("u")
            await pilot.pause()
            assert len(ratings(app)) == 10

    play(first)
    play(second)


async def leave_field(app, pilot):
    if app.focused is not None and app.focused.id == "typed":
        await pilot.press("escape")


async def rate_everything(app, pilot):
    await pilot.press("r")
    await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
    for _ in range(100):
        if type(app.screen).__name__ != "ReviewScreen":
            return
        await leave_field(app, pilot)
        await pilot.press("space")
        await pilot.press("4")
        await pilot.pause()
    raise AssertionError("the sitting does not end")


def test_the_finished_screen_says_what_was_learned_and_when_to_come_back(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await rate_everything(app, pilot)
            await until(pilot, lambda: type(app.screen).__name__ == "FinishedScreen")
            text = screen_text(app)
            assert "12 answers" in text
            assert "12 easy" in text
            assert "Learned (12)" in text
            assert "Next: in" in text or "Next: on" in text
            await pilot.press("enter")
            await until(pilot, lambda: "Nothing waits." in screen_text(app))
            assert "The next card comes" in screen_text(app)

    play(scene)


def test_a_card_on_a_learning_step_comes_back_in_its_time(desk):
    desk.file.write_text("deck: demo\ncards:\n  - {id: one, ask: q, answer: a}\n", "utf-8")

    async def scene():
        async with running(desk) as (app, pilot):
            await pilot.press("r")
            await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
            await pilot.press("space", "3")
            await pilot.pause()
            # Ten minutes are within the span that may be shown ahead.
            assert app.screen.session.current.item == "demo/one"
            desk.clock.advance(600)
            await pilot.press("space", "3")
            await until(pilot, lambda: type(app.screen).__name__ == "FinishedScreen")

    play(scene)


def test_leaving_and_coming_back_continues_the_sitting(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await pilot.press("r")
            await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
            await pilot.press("space", "4")
            await pilot.pause()
            item = app.screen.session.current.item
            await leave_field(app, pilot)
            await pilot.press("escape")
            await until(pilot, lambda: type(app.screen).__name__ == "HomeScreen")
            await pilot.press("r")
            await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
            assert app.screen.session.current.item == item
            assert "1 done" in screen_text(app)

    play(scene)


def test_suspend_bury_and_flag(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "plain")
            await pilot.press("m")
            assert "flagged" in screen_text(app)
            await pilot.press("s")
            await pilot.pause()
            assert app._collection.state("demo/plain").suspended
            await leave_field(app, pilot)
            await pilot.press("u")
            await pilot.pause()
            assert app.screen.session.current.item == "demo/plain"
            assert not app._collection.state("demo/plain").suspended

    play(scene)


def test_why_shows_the_numbers_behind_an_interval(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "plain")
            await pilot.press("space", "3")
            await leave_field(app, pilot)
            await pilot.press("u")
            await pilot.press("i")
            await pilot.pause()
            text = screen_text(app)
            assert "demo/plain" in text
            assert "new" in text
            await pilot.press("escape")
            assert type(app.screen).__name__ == "ReviewScreen"

    play(scene)


def test_the_editor_opens_at_the_cards_line_and_the_same_card_comes_back(desk, monkeypatch):
    opened = []

    def edit(place, _chosen):
        opened.append((place.path, place.line))
        text = desk.file.read_text("utf-8")
        desk.file.write_text(text.replace("What is first?", "What was first?"), "utf-8")

    monkeypatch.setattr(editor, "run", edit)

    async def scene():
        async with running(desk) as (app, pilot):
            monkeypatch.setattr(app, "suspend", nullcontext)
            await open_card(app, pilot, "plain")
            await pilot.press("e")
            await until(pilot, lambda: "What was first?" in screen_text(app))
            assert opened == [(desk.file, 5)]
            assert app.screen.session.current.item == "demo/plain"
            assert app.screen.session.current.phase == "question"

    play(scene)


def test_a_window_too_small_takes_the_keys_and_gives_the_field_back(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "gap")
            await pilot.press("1")
            await pilot.resize_terminal(30, 8)
            await until(pilot, lambda: "enlarge the window" in screen_text(app))
            await pilot.press("s", "b", "m")
            await pilot.resize_terminal(80, 24)
            await until(pilot, lambda: "AdamW keeps" in screen_text(app))
            await pilot.press("6", "enter")
            await until(pilot, lambda: "Right." in screen_text(app))
            assert not app._collection.state("demo/gap").suspended

    play(scene)


def test_a_card_broken_by_an_edit_stays_in_front_until_it_is_mended(desk, monkeypatch):
    whole = desk.file.read_text("utf-8")
    texts = iter([whole.replace('"What is first?"', "What: is: first?"), whole])
    monkeypatch.setattr(editor, "run", lambda *_: desk.file.write_text(next(texts), "utf-8"))

    async def scene():
        async with running(desk) as (app, pilot):
            monkeypatch.setattr(app, "suspend", nullcontext)
            await open_card(app, pilot, "plain")
            await pilot.press("e")
            await until(pilot, lambda: "demo.yaml:5" in screen_text(app))
            assert app.screen.session.current.item == "demo/plain"
            await pilot.press("e")
            await until(pilot, lambda: "demo/plain" in app.library.items)
            await pilot.press("space")
            await until(pilot, lambda: "The first answer" in screen_text(app))
            assert app.screen.session.current.item == "demo/plain"

    play(scene)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ("vim", ["vim", "+7", "/x/deck.yaml"]),
        ("nano -w", ["nano", "-w", "+7", "/x/deck.yaml"]),
        ("code", ["code", "--wait", "--goto", "/x/deck.yaml:7"]),
        ("hx", ["hx", "/x/deck.yaml:7"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(chosen, words, monkeypatch):
    from pathlib import Path  # noqa: PLC0415

    from drillkit.content.library import Place  # noqa: PLC0415

    monkeypatch.setattr(editor.shutil, "which", lambda name: f"/bin/{name}")
    assert editor.command(Place(Path("/x/deck.yaml"), 7), chosen) == words
