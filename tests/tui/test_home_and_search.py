"""Home, search, help, settings and what the files do while the app runs."""

from __future__ import annotations

from drive import Desk, play, running, screen_text, until


def name_of(app):
    return type(app.screen).__name__


def test_home_counts_by_deck_and_opens_one(tmp_path):
    desk = Desk(tmp_path)
    (desk.decks / "more.yaml").write_text(
        "deck: more\ntitle: Another\ncards:\n  - {id: a, ask: q1, answer: a}\n", "utf-8"
    )

    async def scene():
        async with running(desk) as (app, pilot):
            text = screen_text(app)
            assert "0 due · 13 new · streak 0 days" in text
            row = next(line for line in text.splitlines() if "Another" in line)
            assert row.split() == ["Another", "·", "1", "·", "1"]
            await pilot.press("j", "j", "enter")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            assert app.screen.session.current.item == "more/a"

    play(scene)


def test_an_empty_library_says_what_to_do(tmp_path):
    async def scene():
        async with running(Desk(tmp_path, deck="")) as (app, _):
            assert "drillkit new deck" in screen_text(app)

    play(scene)


def test_search_asks_for_two_letters_opens_the_first_and_returns(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await pilot.press("slash", "z")
            assert "Type at least 2 letters." in screen_text(app)
            await pilot.press("e", "r", "o")
            assert "1 card." in screen_text(app)
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "CardScreen")
            assert "ZeRO-3 shards activations" in screen_text(app)
            assert "states only" in screen_text(app)
            await pilot.press("escape")
            assert name_of(app) == "SearchScreen"
            await pilot.press("escape")
            assert name_of(app) == "HomeScreen"

    play(scene)


def test_search_from_a_review_returns_to_the_same_card(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await pilot.press("r")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            item = app.screen.session.current.item
            await pilot.press("slash", "x", "y", "escape")
            assert name_of(app) == "ReviewScreen"
            assert app.screen.session.current.item == item

    play(scene)


def test_help_lists_the_keys_that_work_here(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await pilot.press("question_mark")
            text = screen_text(app)
            for key, does in (("r", "Review"), ("/", "Search"), ("s", "Settings"), ("q", "Quit")):
                assert any(line.split()[1:3] == [key, does] for line in text.splitlines())
            await pilot.press("escape")
            assert name_of(app) == "HomeScreen"

    play(scene)


def test_keys_can_be_remapped_and_help_knows(tmp_path):
    desk = Desk(tmp_path, settings='keys = { "home.review" = "x" }\n')

    async def scene():
        async with running(desk) as (app, pilot):
            await pilot.press("question_mark")
            assert any(
                line.split()[1:3] == ["x", "Review"] for line in screen_text(app).split("\n")
            )
            await pilot.press("escape", "r")
            assert name_of(app) == "HomeScreen"
            await pilot.press("x")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")

    play(scene)


def test_a_setting_is_changed_kept_and_a_wrong_one_refused(tmp_path):
    desk = Desk(tmp_path)

    async def scene():
        async with running(desk) as (app, pilot):
            await pilot.press("s", "j", "enter")
            assert name_of(app) == "ChangeScreen"
            for _ in range(10):
                await pilot.press("backspace")
            await pilot.press("b", "l", "u", "e", "enter")
            assert "one of dark, light, ansi" in screen_text(app)
            for _ in range(10):
                await pilot.press("backspace")
            await pilot.press("l", "i", "g", "h", "t", "enter")
            await until(pilot, lambda: name_of(app) == "SettingsScreen")
            assert app.theme == "textual-light"

    play(scene)
    assert 'theme = "light"' in (desk.home / "settings.toml").read_text("utf-8")


def test_edited_added_and_deleted_cards_are_noticed(tmp_path):
    desk = Desk(tmp_path)

    async def scene():
        async with running(desk) as (app, pilot):
            (desk.decks / "more.yaml").write_text(
                "deck: more\ncards:\n  - {id: a, ask: q1, answer: a}\n", "utf-8"
            )
            text = desk.file.read_text("utf-8").replace("What is first?", "What comes first?")
            kept = [line for line in text.splitlines() if "id: flaw" not in line]
            desk.file.write_text("\n".join(kept) + "\n", "utf-8")
            await until(pilot, lambda: "1 card added" in screen_text(app))
            told = " ".join(screen_text(app).replace("▌", " ").split())
            assert "1 card edited" in told
            await until(pilot, lambda: "0 due · 12 new" in screen_text(app))
            assert set(app.today.library.items) >= {"more/a", "demo/plain"}
            assert "demo/flaw" not in app.today.library.items
            await pilot.press("r")
            await until(pilot, lambda: name_of(app) == "ReviewScreen")
            assert "What comes first?" in screen_text(app)

    play(scene)


def test_a_broken_file_is_told_of_and_one_key_away(tmp_path):
    desk = Desk(tmp_path)
    (desk.decks / "bad.yaml").write_text("deck: bad\ncards:\n  - id: a\n    ask: b: c\n", "utf-8")

    async def scene():
        async with running(desk) as (app, pilot):
            assert "1 error in the deck files: press d." in screen_text(app)
            await pilot.press("d")
            await until(pilot, lambda: name_of(app) == "FaultsScreen")
            assert "bad.yaml:4:11" in screen_text(app)
            assert "a second colon" in screen_text(app)

    play(scene)


def test_a_window_that_is_too_small_says_what_it_needs(tmp_path):
    async def scene():
        async with running(Desk(tmp_path), size=(59, 15)) as (app, pilot):
            assert "drillkit needs 60 columns and 15 rows" in screen_text(app)
            await pilot.resize_terminal(60, 15)
            await pilot.pause()
            assert "0 due · 12 new" in screen_text(app)
            assert "Demo deck" in screen_text(app)

    play(scene)


def test_the_interview_is_counted_down_to(tmp_path):
    desk = Desk(tmp_path, settings="interview = 2026-12-20\n")

    async def scene():
        async with running(desk) as (app, _):
            assert "interview in 19 days" in screen_text(app)

    play(scene)


def test_a_suspended_card_is_found_and_taken_back(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await pilot.press("slash", "z", "e", "r", "o", "enter")
            await until(pilot, lambda: name_of(app) == "CardScreen")
            await pilot.press("s")
            await until(pilot, lambda: "suspended" in screen_text(app))
            assert app.collection().state("demo/flaw").suspended
            assert "Unsuspend" in screen_text(app)
            await pilot.press("s", "m")
            await until(pilot, lambda: "flagged" in screen_text(app))
            assert not app.collection().state("demo/flaw").suspended

    play(scene)


def test_the_command_palette_leads_to_every_activity(tmp_path):
    async def scene():
        async with running(Desk(tmp_path)) as (app, pilot):
            await pilot.press("ctrl+p")
            await until(pilot, lambda: "numeric problems, outside the schedule" in screen_text(app))
            await pilot.press(*"symbols")
            await until(pilot, lambda: "what they mean on the cards" in screen_text(app))
            await pilot.press("enter")
            await until(pilot, lambda: name_of(app) == "GlossaryScreen")

    play(scene)


def test_a_meaning_in_the_glossary_stands_apart_from_its_cards(tmp_path):
    deck = """deck: a
title: A
cards:
  - {id: one, ask: q, answer: r, symbols: {p: ranks in the ring}}
"""

    async def scene():
        async with running(Desk(tmp_path, deck=deck)) as (app, pilot):
            await pilot.press("y")
            await until(pilot, lambda: "ranks in the ring  1 card" in screen_text(app))

    play(scene)
