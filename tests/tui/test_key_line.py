"""The bottom line tells which keys work, and a click on one presses it."""

from __future__ import annotations

import re

from drive import Desk, open_card, play, running, screen_text, until

from drillkit.tui.widgets.key_line import KeyLine


def keys_shown(app):
    """The line's text; on Home it takes two rows."""
    height = app.screen.query_one(KeyLine).size.height
    return "\n".join(screen_text(app).splitlines()[-height:])


def test_it_tells_the_keys_that_work_now(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await open_card(app, pilot, "plain")
            await until(pilot, lambda: "Space Reveal" in keys_shown(app))
            assert "Rate" not in keys_shown(app)
            await pilot.press("space")
            await until(pilot, lambda: "1 2 3 4 Rate" in keys_shown(app))
            assert "Reveal" not in keys_shown(app)

    play(scene)


def test_no_line_ends_between_a_key_and_its_word(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            for columns in range(62, 96):
                await pilot.resize_terminal(columns, 24)
                bindings = [one.binding for one in app.screen.active_bindings.values()]
                told = [
                    f"{app.get_key_display(one)} {one.description}" for one in bindings if one.show
                ]
                await until(pilot, lambda: "? Help" in keys_shown(app))
                first, second = keys_shown(app).splitlines()
                shown = re.split(r" {2,}", first.strip()) + re.split(r" {2,}", second.strip())
                assert set(filter(None, shown[:-1])) <= set(told)

    play(scene)


def test_a_click_on_a_key_presses_it(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await until(pilot, lambda: "? Help" in keys_shown(app))
            column = keys_shown(app).index("? Help")
            await pilot.click(KeyLine, offset=(column, 0))
            await until(pilot, lambda: type(app.screen).__name__ == "HelpScreen")

    play(scene)
