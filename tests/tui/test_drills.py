"""From an answered card to its drills and back, the rating still to be given."""

from __future__ import annotations

from pathlib import Path

import pytest
from drive import DECK, Desk, open_card, play, running, screen_text, until

from drillkit.review.events import Rated
from drillkit.tui.widgets.key_line import KeyLine

SMALL = Path(__file__).parents[1] / "cases" / "small_round.yaml"
PROBLEMS = """\
problems:
  - id: states
    title: Model states under ZeRO-3
    given:
      P: {name: parameters, unit: params, from: [7e9, 13e9, 30e9, 70e9]}
      N: {name: GPUs, unit: GPUs, powers_of_2: [8, 256]}
    equations: ["M = 16*P/N"]
    find:
      M: {unit: GB, within: 2%, ask: "{P} parameters under ZeRO-3 on {N} GPUs: GB a GPU?"}
"""
CARDS = """\
  - {id: sums, ask: Will it fit?, answer: Yes, drill: states}
  - {id: plan, ask: Which plan?, answer: That, drill: small}
  - {id: picture, ask: Which picture?, answer: This, drill: ring}
  - {id: lost, ask: Where to?, answer: Nowhere, drill: no-such}
  - {id: three, kind: points, ask: What then?, points: [one, two], drill: [states, small, ring],
     why: Because., figure: zero, source: here}
"""


def name_of(app):
    return type(app.screen).__name__


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path, DECK + CARDS)
    for folder, file, text in (
        ("numeric", "states.yaml", PROBLEMS),
        ("rounds", "small.yaml", SMALL.read_text("utf-8")),
    ):
        path = made.home / "problems" / folder / file
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    return made


async def answer(app, pilot, card):
    await open_card(app, pilot, card)
    await pilot.press("space")
    await until(pilot, lambda: "1 2 3 4 Rate" in screen_text(app))


def test_drills_are_shown_with_the_answer_and_not_before(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "sums")
            assert "Drill" not in screen_text(app)
            await pilot.press("p")
            await pilot.pause()
            assert name_of(app) == "ReviewScreen"
            await pilot.press("space")
            await until(pilot, lambda: "Drill: Model states under ZeRO-3" in screen_text(app))
            assert "p Drill" in screen_text(app)

    play(scene)


@pytest.mark.parametrize(
    ("card", "screen"),
    [("sums", "ProblemScreen"), ("plan", "RoundStartScreen"), ("picture", "FigureScreen")],
)
def test_the_one_drill_opens_and_leads_back_to_the_card(desk, card, screen):
    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, card)
            desk.clock.advance(2)
            await pilot.press("p")
            await until(pilot, lambda: name_of(app) == screen)
            desk.clock.advance(500)
            if screen == "ProblemScreen":
                app.set_focus(None)
            await pilot.press("escape")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            turn = app.screen.session.current
            assert (turn.item, turn.phase) == (f"demo/{card}", "answer")
            assert "1 2 3 4 Rate" in screen_text(app)
            desk.clock.advance(1)
            await pilot.press("3")
            await pilot.pause()
            (rated,) = (e.action for e in app._collection.events("kind = 'rated'"))
            assert isinstance(rated, Rated)
            assert (rated.item, rated.think_ms, rated.read_ms) == (f"demo/{card}", 0, 3000)

    play(scene)


def test_of_several_drills_one_is_chosen(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, "three")
            shown = screen_text(app)
            assert "Drill: Model states under ZeRO-3 · Pretrain a 7B decoder in two" in shown
            await pilot.press("p")
            await until(pilot, lambda: name_of(app) == "DrillsScreen")
            assert "in two weeks  mock round" in screen_text(app)
            await pilot.press("escape")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            await pilot.press("p")
            await until(pilot, lambda: name_of(app) == "DrillsScreen")
            await pilot.press("j", "j", "enter")
            await until(pilot, lambda: name_of(app) == "FigureScreen")
            assert app.screen.kind.name == "ring"
            desk.clock.advance(90)
            await pilot.press("escape")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            assert "0 of 2 points" in screen_text(app)
            await pilot.press("space", "3")
            await pilot.pause()
            (rated,) = (e.action for e in app._collection.events("kind = 'rated'"))
            assert (rated.read_ms, rated.response["missed"]) == (0, ["two"])

    play(scene)


def test_a_problem_solved_as_a_drill_leaves_the_card_to_be_rated(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, "sums")
            await pilot.press("p")
            await until(pilot, lambda: app.focused is not None and app.focused.id == "typed")
            app.set_focus(None)
            await pilot.press("space")
            await until(pilot, lambda: "n: another like this" in screen_text(app))
            await pilot.press("escape")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            await pilot.press("3")
            await pilot.pause()
            written = [e.action for e in app._collection.events()]
            answers = [
                (one.item, type(one).__name__) for one in written if hasattr(one, "think_ms")
            ]
            assert answers == [("problems/states", "Crammed"), ("demo/sums", "Rated")]

    play(scene)


def test_a_round_played_as_a_drill_leads_back_to_the_card_too(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, "plan")
            await pilot.press("p")
            await until(pilot, lambda: name_of(app) == "RoundStartScreen")
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "RoundScreen")
            desk.clock.advance(40)
            await pilot.press("escape", "q")
            await until(pilot, lambda: "Leave the round?" in screen_text(app))
            await pilot.press("k")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            desk.clock.advance(4)
            await pilot.press("3")
            await pilot.pause()
            (rated,) = (e.action for e in app._collection.events("kind = 'rated'"))
            assert (rated.item, rated.read_ms) == ("demo/plan", 4000)

    play(scene)


def test_every_key_of_an_answered_card_stands_in_its_two_lines(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, "three")
            height = app.screen.query_one(KeyLine).size.height
            told = " ".join(screen_text(app).splitlines()[-height:])
            for binding in (one.binding for one in app.screen.active_bindings.values()):
                if binding.show and binding.group is None:
                    assert f"{app.get_key_display(binding)} {binding.description}" in told

    play(scene)


def test_a_drill_that_is_nowhere_is_not_offered(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, "lost")
            assert "Drill" not in screen_text(app)
            await pilot.press("p")
            await pilot.pause()
            assert name_of(app) == "ReviewScreen"

    play(scene)


def test_a_drill_whose_file_went_away_is_told_of(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, "three")
            await pilot.press("p")
            await until(pilot, lambda: name_of(app) == "DrillsScreen")
            (desk.home / "problems" / "numeric" / "states.yaml").unlink()
            await until(pilot, lambda: "states" not in app.library.problems)
            await pilot.press("enter")
            await until(pilot, lambda: "states is no longer in the files" in screen_text(app))
            assert name_of(app) == "ReviewScreen"

    play(scene)


def test_a_card_that_is_only_read_has_its_drills_too(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            await pilot.press("slash", *"then", "enter")
            await until(pilot, lambda: name_of(app) == "CardScreen")
            assert "Drill: " in screen_text(app)
            assert "p Drill" in screen_text(app)
            await pilot.press("p")
            await until(pilot, lambda: name_of(app) == "DrillsScreen")
            await pilot.press("j", "enter")
            await until(pilot, lambda: name_of(app) == "RoundStartScreen")
            await pilot.press("escape")
            await until(pilot, lambda: name_of(app) == "CardScreen")

    play(scene)


def test_the_key_can_be_another_one_and_help_knows(tmp_path, desk):
    (desk.home / "settings.toml").write_text('keys = { "review.drill" = "x" }\n', "utf-8")

    async def scene():
        async with running(desk) as (app, pilot):
            await answer(app, pilot, "picture")
            await pilot.press("question_mark")
            rows = screen_text(app).splitlines()
            assert any(row.split()[1:3] == ["x", "Drill"] for row in rows)
            await pilot.press("escape", "x")
            await until(pilot, lambda: name_of(app) == "FigureScreen")

    play(scene)
