"""Deck text that would be markup, escapes or layout to somebody: shown, never obeyed."""

from __future__ import annotations

import asyncio
import html
import re
import time
import unicodedata

import pytest
from terminal import PATIENCE_S, Terminal, run, write_home

from drillkit.content.cards import KINDS
from drillkit.tui.app import DrillApp
from drillkit.tui.screens.card import CardScreen

MARKUP = "[/foo] W[i] [b]x[/b] [@click=app.quit]y[/] [link=http://e.vil]z[/link] \\[q] $x {z} %s"
LITERALS = ("[/foo]", "W[i]", "[b]x[/b]", "[@click=app.quit]y[/]", "[link=http://e.vil]z[/link]")
ESCAPES = (
    "a\x1b[31mred\x1b[0m \x1b]0;owned\x07 \x1b]52;c;cm0=\x1b\\ \x1b[2J\x1b[H \x9b31m \x9d0;x\x9c"
    " n\x00l b\x08s c\rr v\x0bt d\x7fl \x1b[?1049l e\x1b"
)
SHAPES = (
    "\u202egnirts\u202c \u2066x\u2069 z\u200bw\u200dj\ufeff \u3042\u6f22\u5b57"
    " \U0001f469\u200d\U0001f680 e"
    + "\u0301" * 50
    + " \u0627\u0644\u0639 \ufffe \U000e0041 \u00adsoft \u2028 \u0e33"
)
SURROGATES = "lone \ud800 and \udfff here"
LONG = "x" * 100_000
LONG_WORDS = "[/foo] 漢字 " * 10_000
TEXTS = {
    "markup": MARKUP,
    "escapes": ESCAPES,
    "shapes": SHAPES,
    "surrogates": SURROGATES,
    "long line": LONG,
    "long text": LONG_WORDS,
}
QUICK = ("markup", "escapes", "surrogates")


def quoted(text: str) -> str:
    """Write any text as a double-quoted YAML scalar: what is not plain becomes an escape."""
    signs = []
    for sign in text:
        code = ord(sign)
        plain = sign.isprintable() and sign not in '"\\' and not 0xD800 <= code <= 0xDFFF
        signs.append(sign if plain else f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}")
    return '"' + "".join(signs) + '"'


def decks_of(text: str) -> dict[str, str]:
    """Return a file for every kind of card, with `text` in every field that holds text."""
    t, u, v = quoted(text), quoted("1 " + text), quoted("2 " + text)
    # A key of a YAML mapping has at most 1024 signs.
    key = t if len(text) < 1000 else "k"
    gap = quoted("before {{" + text.replace("|", "/").replace("{z}", "z") + "}} after " + text)
    own = {
        "recall": f"ask: {t}, answer: {t}",
        "cloze": f"ask: {t}, text: {gap}",
        "choice": f"ask: {t}, choices: [{{text: {u}, right: true, because: {t}}},"
        f" {{text: {v}, because: {t}}}]",
        "points": f"ask: {t}, points: [{u}, {v}]",
        "order": f"ask: {t}, steps: [{u}, {v}]",
        "steps": f"ask: {t}, steps: [{u}, {v}]",
        "table": f"ask: {t}, columns: [{u}, {v}], rows: [[{t}, {t}]]",
        "wording": f"ask: {t}, prompts: [{t}], answer: {u}",
        "aloud": f"ask: {t}, seconds: 30, points: [{u}, {v}]",
        "number": f"ask: {t}, answer: 3.35 TB/s",
        "spot": f"ask: {t}, claim: {t}, flaw: {t}, right: {t}",
    }
    assert own.keys() == KINDS.keys()
    common = f"why: {t}, source: [{t}], tags: [{t}], group: {t}, symbols: {{{key}: {t}}}"
    cards = {
        kind: [f"{{id: one, kind: {kind}, {common}, {fields}}}"] for kind, fields in own.items()
    }
    cards["wording"].append(f"{{id: two, kind: wording, prompts: [{u}], answer: {v}}}")
    cards["refused"] = [
        f"{{id: {t}, ask: {t}, answer: {t}}}",
        f"{{id: a, {key}: {t}, ask: {t}, answer: {t}}}",
        f"{{id: b, kind: {t}, ask: {t}}}",
        f"{{id: c, figure: {t}, after: {t}, was: {t}, ask: {t}, answer: {t}}}",
        f"{{id: d, kind: number, ask: {t}, answer: {t}, within: {t}}}",
    ]
    heads = {name: f"deck: d-{name}\ntitle: {t}\ntags: [{t}]\ncards:\n" for name in cards}
    return {
        name: heads[name] + "".join(f"  - {card}\n" for card in held)
        for name, held in cards.items()
    }


def screen_text(app):
    strips = app.screen._compositor.render_strips(app.screen.size)
    return "\n".join(strip.text.rstrip() for strip in strips)


def assert_harmless(app):
    """What is painted holds no control sign, no half character, no link and no action."""
    for strip in app.screen._compositor.render_strips(app.screen.size):
        for segment in strip:
            assert all(
                unicodedata.category(sign) not in {"Cc", "Cs", "Co", "Cn", "Cf"}
                for sign in segment.text
            ), repr(segment.text)
            style = segment.style
            assert style is None or not style.link
            assert style is None or "@click" not in (style.meta or {})


async def until(pilot, holds):
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        if holds():
            await pilot.pause()
            return
        await asyncio.sleep(0.005)
    raise AssertionError("waited in vain:\n" + screen_text(pilot.app))


class Walk:
    """A person who opens every screen and answers every card; `seen` is (place, text) of each."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot
        self.seen = []

    def on(self, name):
        return type(self.app.screen).__name__ == name

    def look(self, place):
        assert_harmless(self.app)
        self.seen.append((place, screen_text(self.app)))

    async def visit(self, key, name):
        before = self.app.screen
        await self.pilot.press(key)
        await until(self.pilot, lambda: self.on(name))
        self.look(name)
        await self.pilot.press("escape")
        await until(self.pilot, lambda: self.app.screen is before)

    async def all(self):
        await until(self.pilot, lambda: self.app.today is not None)
        self.look("home")
        await self.visit("question_mark", "HelpScreen")
        await self.visit("d", "FaultsScreen")
        await self.search()
        await self.read_cards()
        if self.app.today.library.items:
            await self.review()

    async def search(self):
        await self.pilot.press("slash")
        await until(self.pilot, lambda: self.on("SearchScreen"))
        await self.pilot.press(*"[/", "backspace", "backspace", *"1 x")
        self.look("search")
        await self.pilot.press("escape")

    async def read_cards(self):
        library = self.app.today.library
        for card in library.items.values():
            self.app.push_screen(CardScreen(library, card))
            await until(self.pilot, lambda: self.on("CardScreen"))
            self.look(f"card {card.kind}")
            self.app.pop_screen()

    async def review(self):
        await self.pilot.press("r")
        await until(self.pilot, lambda: self.on("ReviewScreen"))
        while self.on("ReviewScreen"):
            await self.answer(self.app.screen.session)
        await until(self.pilot, lambda: self.on("FinishedScreen"))
        self.look("finished")
        picture = self.app.export_screenshot()
        assert "\x1b" not in picture
        assert "Done for now." in html.unescape(picture).replace("\xa0", " ")

    async def answer(self, session):
        kind, screen, done = session.current.card.kind, self.app.screen, session.done
        self.look(f"{kind} question")
        if kind in {"cloze", "table", "number"}:
            await self.pilot.press(*"[/x]")
            self.look(f"{kind} typed")
            screen.query_one("Input#typed").value = "3 TB/s"
        # A choice and a wording are answered by a digit, the others by Enter, line by line.
        for _ in range(8):
            if not screen.query_one("#ratings").display:
                await self.pilot.press("1" if kind in {"choice", "wording"} else "enter")
        self.look(f"{kind} answer")
        if kind == "recall":
            await self.visit("i", "WhyScreen")
        await self.pilot.press("m", "4")
        await until(
            self.pilot,
            lambda: (
                session.done > done
                and (session.current is None or session.current.phase == "question")
            ),
        )


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in TEXTS],
)
def test_every_field_is_shown_as_it_is_on_every_screen(workspace, write_deck, name):
    for kind, deck in decks_of(TEXTS[name]).items():
        write_deck(f"{kind}.yaml", deck)
    app = DrillApp(workspace)

    async def scene():
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            walk = Walk(app, pilot)
            await walk.all()
            assert app.is_running, "nothing in the text quits the app"
            return walk.seen

    seen = asyncio.run(scene())
    library = app.today.library
    kinds = {card.kind for card in library.items.values()}
    places = {place for place, _ in seen}
    assert {f"{kind} answer" for kind in kinds} <= places
    if name == "surrogates":
        assert "no character" in dict(seen)["FaultsScreen"]
    else:
        assert kinds == KINDS.keys(), [str(found) for found in library.diagnostics]
    if name == "markup":
        for place, text in seen:
            flat = re.sub(r"[│╭╮╰╯─▁▂▃▄▅▆▇█▊▎▔\s]+", " ", text)
            if place.startswith("card ") or "question" in place or place == "home":
                assert any(literal in flat for literal in LITERALS), (place, text)
        everything = "".join(re.sub(r"\s+", " ", text) for _, text in seen)
        assert all(literal in everything for literal in LITERALS)


@pytest.mark.parametrize("name", ["markup", "escapes", "shapes", "surrogates"])
def test_no_escape_of_a_deck_reaches_a_real_terminal(tmp_path, name):
    home = write_home(tmp_path / "home", 1)
    for kind, deck in decks_of(TEXTS[name]).items():
        (home / "decks" / f"{kind}.yaml").write_text(deck, encoding="utf-8")
    with Terminal(home=home, size=(100, 30)) as terminal:
        terminal.wait_for("All decks", "Review")
        terminal.press("d")
        terminal.wait_for("Errors in the deck files")
        terminal.press("q")
        terminal.wait_for("All decks")
        terminal.press("q")
        assert terminal.wait_exit() == 0
        terminal.assert_restored()
        assert terminal.screen.unknown == []
        # Textual writes CSI sequences alone: no title, no clipboard, no eight-bit control.
        written = bytes(terminal.raw).decode()
        written = written.replace("\x1b]22;default\x07", "")  # the mouse pointer, given back
        assert set(re.findall("\x1b(.)", written, re.DOTALL)) == {"["}
        assert not re.search("[\x80-\x9f]", written)
    for command in (("check", str(home / "decks")), ("review", "--plain"), ("log",)):
        told = run(*command, home=home, typed="\n4\n" * 20)
        assert told.returncode in (0, 1), told.stderr
        for sign in told.stdout + told.stderr:
            assert sign.isprintable() or sign == "\n", repr(sign)
