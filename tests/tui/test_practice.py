"""Numeric problems on the screen: practice, and as items of a review."""

from __future__ import annotations

import re
import threading

from drive import Desk, play, running, screen_text, until

from drillkit.numeric.sample import draw
from drillkit.numeric.seed import review_seed
from drillkit.review.rating import Rating

PROBLEMS = """\
title: Memory
problems:
  - id: states
    title: Model states under ZeRO-3
    seconds: 60
    given:
      P: {name: parameters, unit: params, from: [7e9, 13e9, 30e9, 70e9]}
      N: {name: GPUs, unit: GPUs, powers_of_2: [8, 256]}
    equations: ["M = 16*P/N"]
    find:
      M: {unit: GB, within: 2%, ask: "{P} parameters under ZeRO-3 on {N} GPUs: GB a GPU?"}
    slips:
      - {id: weights-only, M: 2*P/N, says: "Two bytes are the weights alone."}
    hints: [All sixteen bytes are sharded.]
    why: Stage 3 shards everything.
    source: here
"""


def desk_with_problems(tmp_path, deck=""):
    desk = Desk(tmp_path, deck=deck)
    folder = desk.home / "problems" / "numeric"
    folder.mkdir(parents=True)
    (folder / "memory.yaml").write_text(PROBLEMS, "utf-8")
    return desk


def flat(app):
    """What the screen shows as one line."""
    return " ".join(screen_text(app).split())


async def type_in(pilot, text):
    names = {" ": "space", ".": "full_stop"}
    await pilot.press(*(names.get(sign, sign) for sign in text))


def crammed(app):
    return [event.action for event in app.collection().events("kind = 'crammed'")]


def test_a_wrong_answer_is_told_its_mistake_and_a_right_one_ends_it(tmp_path):
    async def scene():
        async with running(desk_with_problems(tmp_path)) as (app, pilot):
            await pilot.press("p", "enter")
            await until(pilot, lambda: type(app.screen).__name__ == "ProblemScreen")
            variant = app.screen._variant
            wrong = next(slip for slip in variant.slips if slip.id == "weights-only")
            await type_in(pilot, f"{float(wrong.value) / 1e9} GB")
            assert "Read as" in screen_text(app) or "read as" in screen_text(app)
            await pilot.press("enter")
            assert "How sure are you?" in screen_text(app)
            await pilot.press("7")
            await until(pilot, lambda: "Two bytes are the weights alone." in flat(app))
            assert "2 tries left." in screen_text(app)
            await pilot.press("f2")
            await until(pilot, lambda: "All sixteen bytes are sharded." in screen_text(app))
            await type_in(pilot, f"{float(variant.truth) / 1e9} GB")
            await pilot.press("enter")
            await until(pilot, lambda: "M = 16·P/N" in screen_text(app))
            text = screen_text(app)
            assert "1 of 1 solved" in text
            assert "Right, at try 2, with 1 hint." in text
            action = crammed(app)[0]
            assert action.item == "problems/states"
            assert action.rating is Rating.HARD
            assert action.response["confidence"] == 70
            assert action.response["verdicts"] == ["misconception:weights-only", "correct"]
            assert app.collection().state("problems/states").reps == 0, "practice is no review"

    play(scene)


def test_another_like_this_has_other_numbers_and_the_seed_brings_one_back(tmp_path):
    async def scene():
        async with running(desk_with_problems(tmp_path)) as (app, pilot):
            app.practice("states", "M", 42)
            await until(pilot, lambda: type(app.screen).__name__ == "ProblemScreen")
            await until(pilot, lambda: app.screen._variant is not None)
            assert app.screen._variant.ask == draw(app.library.problems["states"], 42, "M").ask
            await pilot.press("escape", "s")
            await until(pilot, lambda: "--seed 42" in flat(app))
            await pilot.press("space", "n")
            await pilot.pause()
            assert app.screen._variant.seed != 42

    play(scene)


def test_a_due_family_comes_in_the_review_with_fresh_numbers_each_time(tmp_path):
    async def scene():
        desk = desk_with_problems(tmp_path)
        async with running(desk) as (app, pilot):
            await pilot.press("r")
            await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
            family = app.library.problems["states"]
            first = draw(family, review_seed("problems/states", 0))
            assert " ".join(first.ask.split()) in flat(app)
            await type_in(pilot, f"{float(first.truth) / 1e9} GB")
            await pilot.press("enter", "9")
            await until(pilot, lambda: "▸ 3 Good" in screen_text(app))
            await pilot.press("3")
            await pilot.pause()
            rated = next(iter(app.collection().events("kind = 'rated'"))).action
            assert rated.response["seed"] == review_seed("problems/states", 0)
            assert rated.response["verdict"] == "right"
            second = draw(family, review_seed("problems/states", 1))
            assert " ".join(second.ask.split()) in flat(app)
            assert second.ask != first.ask

    play(scene)


def test_slow_thinking_makes_a_right_answer_hard(tmp_path):
    async def scene():
        desk = desk_with_problems(tmp_path)
        async with running(desk) as (app, pilot):
            await pilot.press("r")
            await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
            first = draw(app.library.problems["states"], review_seed("problems/states", 0))
            desk.clock.advance(200)
            await type_in(pilot, f"{float(first.truth) / 1e9} GB")
            await pilot.press("enter", "enter")
            await until(pilot, lambda: "▸ 2 Hard" in screen_text(app))
            assert "in 200 s, 60 s was the aim" in screen_text(app)

    play(scene)


def test_scratch_space_keeps_what_is_written_and_returns_to_the_answer(tmp_path):
    async def scene():
        async with running(desk_with_problems(tmp_path)) as (app, pilot):
            await pilot.press("p", "enter")
            await until(pilot, lambda: type(app.screen).__name__ == "ProblemScreen")
            await pilot.press("f4", "1", "6", "escape")
            await type_in(pilot, "5")
            assert app.screen.query_one("#typed").value == "5"
            assert app.screen.query_one("#scratch").text == "16"

    play(scene)


def test_the_question_is_shown_before_the_derivation_is_worked_out(tmp_path, monkeypatch):
    from drillkit.numeric import worked  # noqa: PLC0415

    solve = worked.solve_variant

    seen = threading.Event()

    def slow(variant):
        assert seen.wait(20)
        return solve(variant)

    monkeypatch.setattr(worked, "solve_variant", slow)

    async def scene():
        async with running(desk_with_problems(tmp_path)) as (app, pilot):
            await pilot.press("p", "enter")
            await until(pilot, lambda: type(app.screen).__name__ == "ProblemScreen")
            await pilot.press("escape", "space")
            await pilot.pause()
            text = screen_text(app)
            assert re.search(r"parameters under ZeRO-3", text)
            assert "Working it out" in text
            seen.set()
            await until(pilot, lambda: "M = 16·P/N" in screen_text(app))

    play(scene)
