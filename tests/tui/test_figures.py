"""Figures on the screen: opening, changing by keys and mouse, stepping, simulating, guessing."""

from __future__ import annotations

import pytest
from drive import DECK, Desk, open_card, play, running, screen_text, until

from drillkit.figures.catalogue import FIGURES
from drillkit.review.guesses import guesses
from drillkit.tui.figures import open_figure
from drillkit.tui.screens.figure import FigureScreen
from drillkit.tui.screens.figures import FiguresScreen
from drillkit.tui.screens.guess import GuessesScreen, GuessScreen
from drillkit.tui.widgets.figures.picture import STYLES
from drillkit.tui.widgets.figures.sliders import Sliders

WITH_FIGURES = (
    DECK
    + """\
  - {id: sizes, ask: "ZeRO-3 on 64?", answer: 1.75 GB, figure: zero P=7e9 N=64 stage=3}
  - {id: wrong, ask: "And?", answer: none, figure: zero N=lots}
"""
)
SIZES = [(80, 24), (120, 40)]


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


async def opened(app, pilot, text):
    open_figure(app, text)
    await until(pilot, lambda: isinstance(app.screen, FigureScreen))
    await until(pilot, lambda: app.screen.query_one("#reading").render().plain != "")
    return app.screen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_shows_its_reading_and_every_slider(desk, name, size):
    """F7: at 80 × 24 as well; the current value and its unit stand at each slider."""

    async def scene():
        async with running(desk, size) as (app, pilot):
            screen = await opened(app, pilot, name)
            shown = " ".join(screen_text(app).split())
            kind = FIGURES[name]
            values = kind.read({})
            reading = kind.draw(values, screen.query_one("Picture").room).reading
            assert " ".join(reading.split())[:60] in shown
            for one in kind.parameters:
                assert one.shown(values[one.name]) in shown
                assert one.name in shown
            for key in ("Select", "Change", "Reset", "Preset"):
                assert key in shown
            rows = screen.query_one("Picture").query_one("Static").size.height
            assert rows <= screen.query_one("Picture").size.height + 1 or name == "ring"

    play(scene)


def test_keys_select_change_and_reset(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            screen = await opened(app, pilot, "zero N=8")
            assert "112 GB crosses the 80 GB line" in " ".join(screen_text(app).split())
            await pilot.press("j", "j", "l")
            assert screen.values["stage"] == 1
            assert "ZeRO-1" in screen.query_one("#reading").render().plain
            await pilot.press("right", "plus", "right")
            assert screen.values["stage"] == 3
            await pilot.press("h", "left", "minus")
            assert screen.values["stage"] == 0
            await pilot.press("k", "l", "l", "l")
            assert screen.values["N"] == 64
            await pilot.press("r")
            assert screen.values["N"] == 8
            await pilot.press("p", "p")
            assert screen.values["N"] == 64
            assert "7B on 64 GPUs" in screen_text(app)

    play(scene)


def test_keys_that_come_faster_than_the_picture_all_count(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            screen = await opened(app, pilot, "zero")
            sliders = screen.query_one(Sliders)
            sliders.choose(2)
            for _ in range(3):
                sliders.move(1)
            await until(pilot, lambda: screen.values["stage"] == 3)

    play(scene)


def test_the_mouse_sets_a_slider(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            screen = await opened(app, pilot, "zero")
            # The third slider of the first column is the stage; its bar ends at column 26.
            await pilot.click(Sliders, offset=(2 + 2 + 16 + 1 + 5, 2))
            assert screen.values["stage"] == 3
            await pilot.click(Sliders, offset=(2 + 2 + 16 + 1, 2))
            assert screen.values["stage"] == 0

    play(scene)


def test_the_ring_steps_forward_and_back_and_stops_at_the_end(desk):
    """F2."""

    async def scene():
        async with running(desk) as (app, pilot):
            screen = await opened(app, pilot, "ring p=4")
            assert screen.check_action("step", (-1,)) is None
            start = screen_text(app)
            await pilot.press("s", "s", "s")
            assert "Exactly one chunk per rank is complete" in screen_text(app)
            await pilot.press("s", "s", "s", "s", "s")
            assert screen.values["step"] == 6
            assert screen.check_action("step", (1,)) is None
            for _ in range(6):
                await pilot.press("b")
            assert screen_text(app).replace("s b", "") == start.replace("s b", "")

    play(scene)


def test_the_gantt_moves_along_with_the_time(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            screen = await opened(app, pilot, "pipeline schedule=1f1b m=32")
            assert "F0" in screen_text(app)
            for _ in range(40):
                await pilot.press("s")
            assert screen.values["at"] == 40
            shown = screen_text(app)
            assert "▼ t = 40" in shown
            assert "F0" not in shown

    play(scene)


def test_failures_are_simulated_beside_the_screen_and_the_dots_appear(desk):
    async def scene():
        async with running(desk, (100, 30)) as (app, pilot):
            screen = await opened(app, pilot, "checkpoint simulate=yes seed=3")
            await until(pilot, lambda: len(screen._results) == screen.kind.simulations)
            assert screen._worker is None
            assert "◆" in screen_text(app)
            first = screen._results
            await pilot.press("r")
            await until(pilot, lambda: len(screen._results) == screen.kind.simulations)
            assert screen._results == first

    play(scene)


def test_a_simulation_can_be_cancelled(desk, monkeypatch):
    async def scene():
        async with running(desk) as (app, pilot):
            screen = await opened(app, pilot, "checkpoint")
            worker = screen._simulate(screen.values)
            worker.cancel()
            screen._worker = worker
            screen.values = screen.values | {"simulate": "yes"}
            screen.draw_figure()
            assert "0 of 8 done, x cancels" in " ".join(screen_text(app).split())
            await pilot.press("x")
            assert screen.values["simulate"] == "no"
            assert screen._worker is None
            assert "x cancels" not in screen_text(app)

    play(scene)


def test_from_home_a_figure_asks_for_a_guess_first_and_keeps_it(desk):
    """P1: stored, with nothing of the answer shown; later beside the truth with the ratio."""

    async def scene():
        async with running(desk) as (app, pilot):
            await pilot.press("f")
            await until(pilot, lambda: isinstance(app.screen, FiguresScreen))
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, GuessScreen))
            assert "120" not in screen_text(app)
            await pilot.press(*"many", "enter")
            assert isinstance(app.screen, GuessScreen)
            for _ in range(4):
                await pilot.press("backspace")
            await pilot.press(*"100", "space", "slash", "space", "5", "enter")
            await until(pilot, lambda: isinstance(app.screen, FigureScreen))
            kept = guesses(app.collection())["zero-memory"]
            assert kept.text == "100 / 5"
            assert kept.values == (100e9, 5e9)
            assert kept.truths == (120e9, 1.875e9)
            await pilot.press("g")
            await until(pilot, lambda: isinstance(app.screen, GuessesScreen))
            shown = screen_text(app)
            assert "you said 100 GB, it is 120 GB: 0.833 × the truth" in shown
            assert "you said 5 GB, it is 1.875 GB: 2.67 × the truth" in shown

    play(scene)


def test_a_guess_that_was_made_is_not_asked_again_and_survives_a_restart(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            open_figure(app, "ring", guess_first=True)
            await until(pilot, lambda: isinstance(app.screen, GuessScreen))
            await pilot.press(*"4", "enter")
            await until(pilot, lambda: isinstance(app.screen, FigureScreen))
        async with running(desk) as (app, pilot):
            open_figure(app, "ring", guess_first=True)
            await until(pilot, lambda: isinstance(app.screen, FigureScreen))
            await pilot.press("g")
            await until(pilot, lambda: "1.14 × the truth" in screen_text(app))

    play(scene)


def test_escape_opens_the_figure_without_a_guess(desk):
    async def scene():
        async with running(desk) as (app, pilot):
            open_figure(app, "ring", guess_first=True)
            await until(pilot, lambda: isinstance(app.screen, GuessScreen))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, FigureScreen))
            assert guesses(app.collection()) == {}
            await pilot.press("g")
            await until(pilot, lambda: isinstance(app.screen, GuessesScreen))
            shown = screen_text(app)
            assert "Not guessed yet" in shown
            assert "3.5 GB" not in shown

    play(scene)


def test_a_card_opens_its_figure_with_its_own_numbers(tmp_path):
    desk = Desk(tmp_path, WITH_FIGURES)

    async def scene():
        async with running(desk) as (app, pilot):
            await open_card(app, pilot, "sizes")
            assert "f Figure" in screen_text(app)
            await pilot.press("f")
            await until(pilot, lambda: isinstance(app.screen, FigureScreen))
            values = app.screen.values
            assert (values["P"], values["N"], values["stage"]) == (7e9, 64, 3)
            await pilot.press("escape")
            assert type(app.screen).__name__ == "ReviewScreen"

    play(scene)


def test_a_card_without_a_figure_has_no_key_and_one_with_wrong_numbers_tells(tmp_path):
    desk = Desk(tmp_path, WITH_FIGURES)

    async def scene():
        async with running(desk, (120, 40)) as (app, pilot):
            await open_card(app, pilot, "plain")
            assert "f Figure" not in screen_text(app)
            await pilot.press("f")
            assert type(app.screen).__name__ == "ReviewScreen"
            await pilot.press("escape")
            await open_card(app, pilot, "wrong")
            await pilot.press("f")
            await until(pilot, lambda: "N=lots" in screen_text(app))
            assert type(app.screen).__name__ == "ReviewScreen"

    play(scene)


def test_a_low_window_shows_the_chosen_slider_and_scrolls_the_picture(desk):
    async def scene():
        async with running(desk, (60, 15)) as (app, pilot):
            await opened(app, pilot, "zero")
            assert "► P parameters" in screen_text(app)
            assert "Data parallelism sends" not in screen_text(app)
            await pilot.press("k")
            assert "► a heads" in screen_text(app)
            await pilot.press(*["pagedown"] * 5)
            assert "Data parallelism sends" in screen_text(app)
            await pilot.press(*["pageup"] * 5)
            assert "on each GPU" in screen_text(app)

    play(scene)


PROBLEMS = """\
problems:
  - id: states
    title: Model states under ZeRO-3
    figure: zero stage=3
    given:
      P: {name: parameters, unit: params, from: [13e9]}
      N: {name: GPUs, unit: GPUs, from: [32]}
      s: {name: a bandwidth, unit: GB/s, from: [50]}
    equations: ["M = 16*P/N + 0*s"]
    find:
      M: {unit: GB, within: 2%, ask: "{P} under ZeRO-3 on {N}, {s}?"}
    source: here
"""


def test_a_problem_opens_its_figure_with_the_numbers_of_its_question(tmp_path):
    """What the figure does not know, or knows as something else, is left out."""
    desk = Desk(tmp_path, "")
    folder = desk.home / "problems" / "numeric"
    folder.mkdir(parents=True)
    (folder / "memory.yaml").write_text(PROBLEMS, "utf-8")

    async def scene():
        async with running(desk, (120, 40)) as (app, pilot):
            await pilot.press("p", "enter")
            await until(pilot, lambda: type(app.screen).__name__ == "ProblemScreen")
            assert "f Figure" not in screen_text(app)
            await pilot.press("escape", "space")
            await until(pilot, lambda: "f Figure" in screen_text(app))
            await pilot.press("f")
            await until(pilot, lambda: isinstance(app.screen, FigureScreen))
            values = app.screen.values
            assert (values["P"], values["N"], values["stage"]) == (13e9, 32, 3)
            assert values["s"] == 4096

    play(scene)


def test_every_role_has_a_style():
    used = {
        span.role
        for kind in FIGURES.values()
        for row in kind.draw(kind.read({})).lines
        for span in row
    }
    assert used <= set(STYLES)
