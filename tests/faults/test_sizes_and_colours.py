"""Small and large windows, and no colour at all: everything that matters is there, in words."""

from __future__ import annotations

import asyncio

import pytest
from terminal import Terminal, write_home

from drillkit.tui.app import DrillApp

CHOICE = """\
deck: drill
title: Drill deck
cards:
  - id: pick
    kind: choice
    ask: Question 0?
    choices:
      - {text: stage one, because: too early}
      - {text: stage three, right: true, because: it shards weights}
"""


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "vt100"}, {"COLORTERM": "truecolor"}])
@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 40)])
def test_states_are_readable_in_words(tmp_path, env, size):
    home = write_home(tmp_path / "home", 1)
    (home / "decks" / "drill.yaml").write_text(CHOICE, encoding="utf-8")
    with Terminal("review", "--deck", "drill", home=home, size=size, env=env) as terminal:
        terminal.wait_for("Question 0?", "stage one", "stage three", "0 done", "Help")
        wrong = next(line for line in terminal.screen.lines if "stage one" in line).split()[0]
        terminal.press(wrong.strip("›") or "1")
        terminal.wait_for("right", "1 Again", "2 Hard", "3 Good", "4 Easy", "too early")
        terminal.press("4")
        terminal.wait_for("Done for now.", "1 answer")
        terminal.press("\r")
        terminal.wait_for("All decks")
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.assert_restored()
        assert terminal.screen.unknown == []


@pytest.mark.parametrize("size", [(1, 1), (1, 100), (59, 15), (60, 14), (500, 200)])
def test_no_size_breaks_any_screen(workspace, write_deck, size):
    write_deck("drill.yaml", CHOICE)
    app = DrillApp(workspace)

    async def scene():
        async with app.run_test(size=size, notifications=True) as pilot:
            for key in ("question_mark", "escape", "slash", "escape", "s", "escape", "r", "i"):
                await pilot.press(key)
                await pilot.pause()
            await pilot.press("escape", "1", "4")
            await pilot.pause()
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert app.is_running

    asyncio.run(scene())
