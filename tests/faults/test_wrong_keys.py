"""A cat on the keyboard: no key breaks the app, and the log stays what the state says."""

from __future__ import annotations

import asyncio
import random

import pytest
from terminal import assert_sound
from textual.keys import Keys

from drillkit.tui.app import DrillApp

DECK = """\
deck: demo
title: Demo deck
tags: [demo]
cards:
  - {id: plain, ask: "What is first?", answer: "The first answer", why: "Because."}
  - {id: next, ask: "And then?", answer: "This", after: plain}
  - {id: gap, kind: cloze, text: "AdamW keeps {{16}} bytes"}
  - id: pick
    kind: choice
    ask: Which stage?
    choices:
      - {text: stage one, because: too early}
      - {text: stage three, right: true, because: it shards weights}
  - id: both
    kind: choice
    ask: Which are even?
    choices: [{text: "2", right: true}, {text: "4", right: true}, {text: "5", because: odd}]
  - {id: list, kind: points, ask: "Two things?", points: [left, right]}
  - {id: sort, kind: order, ask: "In order?", steps: [alpha, beta, gamma]}
  - {id: derive, kind: steps, ask: "Derive it", steps: ["a = b", "b = c"]}
  - {id: grid, kind: table, columns: [stage, bytes], rows: [["1", "4P"]]}
  - {id: memory, kind: wording, prompts: ["does it fit"], answer: memory}
  - {id: time, kind: wording, prompts: ["how long"], answer: compute}
  - {id: speak, kind: aloud, ask: "Explain", seconds: 30, points: [one, two]}
  - {id: figure, kind: number, ask: "H100 HBM bandwidth?", answer: 3.35 TB/s}
  - {id: flaw, kind: spot, claim: "ZeRO-3 shards activations", flaw: "states only"}
  - {id: broken, ask: "No answer here?"}
"""
SETTINGS = 'editor = "true"\n[review]\nnew_per_day = 9999\n'
PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]
NAMED = [key.value for key in Keys if "+q" not in key.value and not key.value.startswith("<")]
MORE = [f"{held}+{key}" for held in ("ctrl", "alt", "shift") for key in "abcdefzxy"]
# Keys that lead somewhere come more often than those that do nothing.
FRUITFUL = ["space", "enter", "1", "2", "3", "4", "u", "r", "j", "k", "tab", "t", "escape", "slash"]


async def hammer(workspace, chance, left):
    """Press random keys until `left` are used up or a key has quit the app; return what is left."""
    app = DrillApp(workspace)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        while left and app.is_running and not app._exit:
            burst = [
                chance.choice(chance.choices([FRUITFUL, PRINTABLE, NAMED, MORE], [5, 3, 2, 1])[0])
                for _ in range(min(left, chance.randint(1, 6)))
            ]
            left -= len(burst)
            # From the first: keys that come before Home is filled in are wrong keys as well.
            await pilot.press(*burst)
            workspace.clock.advance(chance.choice([0.1, 1, 5, 60]))
    assert app.return_code in (None, 0)
    return left


def run_hammer(workspace, seed, count):
    chance = random.Random(seed)
    left = count
    while left:
        left = asyncio.run(hammer(workspace, chance, left))
    assert_sound(workspace.folders.data)
    with workspace.collection() as collection:
        return sum(1 for _ in collection.events())


@pytest.fixture
def desk(workspace, write_deck, tmp_path, monkeypatch):
    # A screenshot asked for in the command palette is written to where one stands.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(DrillApp, "deliver_screenshot", lambda *_, **__: None)
    write_deck("demo.yaml", DECK)
    (workspace.folders.config / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    return workspace


@pytest.mark.parametrize("seed", [1, 2])
def test_two_hundred_wrong_keys_break_nothing(desk, seed):
    assert run_hammer(desk, seed, 200) > 0


@pytest.mark.long
def test_two_thousand_wrong_keys_break_nothing(desk):
    assert run_hammer(desk, 2000, 2000) > 0
