"""drillkit in a real terminal: a pty, what it was told to do, and what it shows."""

from __future__ import annotations

import fcntl
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from codecs import getincrementaldecoder
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

import drillkit
from drillkit.review.collection import Collection
from drillkit.review.doctor import examine
from drillkit.review.events import Rated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROOT = Path(drillkit.__file__).resolve().parent.parent
# A machine under load may take long; nothing here waits this long unless it hangs.
PATIENCE_S = 60.0
# What a child runs before it becomes drillkit; then `python -m drillkit` takes its place.
BECOME = (
    "\nimport os, sys\nos.execv(sys.executable, [sys.executable, '-m', 'drillkit', *sys.argv[1:]])"
)
# The pty becomes the session's own terminal, as the one in a window is.
TAKE_TERMINAL = "import fcntl, termios\nfcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
# Root may write where the modes forbid it. Without CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH it may
# not, so folders that are closed to a person are closed to the tests that run as root as well.
LIKE_A_PERSON = """
import ctypes, os
if os.geteuid() == 0:
    for right in (1, 2):
        assert ctypes.CDLL(None).prctl(24, right, 0, 0, 0) == 0
"""
TOKEN = re.compile(
    r"\x1b\[(?P<private>[<=>?]?)(?P<args>[\d;:]*)(?P<inter>[ -/]*)(?P<final>[@-~])"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b[()][0-9A-B]|\x1b[=>78cDEHM]"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])"
    r"|(?P<text>[^\x00-\x1f\x7f]+)",
)
# The start of a sequence whose rest has not come yet.
UNFINISHED = re.compile(r"\x1b(?:\[[<=>?]?[\d;:]*[ -/]*|\][^\x07\x1b]*\x1b?|[()])?\Z")
# What a terminal has on or off before anything asked.
AT_REST = {"7": True, "25": True}


@dataclass
class Screen:
    """A small terminal: cells, a cursor, and the modes that a program has switched."""

    columns: int
    rows: int
    cells: list[list[str]] = field(default_factory=list)
    x: int = 0
    y: int = 0
    modes: dict[str, bool] = field(default_factory=dict)
    keyboard: int = 0
    unknown: list[str] = field(default_factory=list)
    _rest: str = ""

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.x, self.y = 0, 0
        self.clear()

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]

    @property
    def text(self) -> str:
        """What a person reads, line by line."""
        return "\n".join(self.lines)

    def left_on(self) -> dict[str, bool]:
        """Return the modes that are not as they were before the program came."""
        changed = {mode: on for mode, on in self.modes.items() if on != AT_REST.get(mode, False)}
        return changed | ({"keyboard": True} if self.keyboard else {})

    def feed(self, text: str) -> None:
        text = self._rest + text
        at = 0
        while at < len(text):
            token = TOKEN.match(text, at)
            if token is None:
                if UNFINISHED.match(text, at):
                    break
                self.unknown.append(text[at : at + 12])
                at += 1
                continue
            at = token.end()
            self._take(token)
        self._rest = text[at:]

    def _take(self, token: re.Match[str]) -> None:
        if token["text"]:
            self._write(token["text"])
        elif token["control"]:
            self._control(token["control"])
        elif token["final"]:
            self._sequence(token)

    def _control(self, sign: str) -> None:
        if sign == "\n":
            self._feed_line()
        elif sign == "\r":
            self.x = 0
        elif sign == "\b":
            self.x = max(0, self.x - 1)

    def _feed_line(self) -> None:
        if self.y < self.rows - 1:
            self.y += 1
        else:
            self.cells = [*self.cells[1:], [" "] * self.columns]

    def _write(self, text: str) -> None:
        for sign in text:
            if unicodedata.combining(sign):
                continue
            width = 2 if unicodedata.east_asian_width(sign) in "WF" else 1
            if self.x >= self.columns:
                if not self.modes.get("7", True):
                    continue
                self.x = 0
                self._feed_line()
            self.cells[self.y][self.x] = sign
            if width == 2 and self.x + 1 < self.columns:
                self.cells[self.y][self.x + 1] = ""
            self.x += width

    def _sequence(self, token: re.Match[str]) -> None:
        private, final = token["private"], token["final"]
        numbers = [int(part or 0) for part in re.split("[;:]", token["args"])]
        if private == "?" and final in "hl":
            for number in numbers:
                self.modes[str(number)] = final == "h"
                if number == 1049:
                    self.clear()
        elif final == "u" and private in "<>":
            self.keyboard += 1 if private == ">" else -1
        elif final in "Hf":
            row, column = (*numbers, 1, 1)[:2] if len(numbers) < 2 else numbers[:2]
            self.y = min(max(row or 1, 1), self.rows) - 1
            self.x = min(max(column or 1, 1), self.columns) - 1
        elif final in "ABCD" and not private:
            step = numbers[0] or 1
            dx, dy = {"A": (0, -step), "B": (0, step), "C": (step, 0), "D": (-step, 0)}[final]
            self.x = min(max(self.x + dx, 0), self.columns - 1)
            self.y = min(max(self.y + dy, 0), self.rows - 1)
        elif final == "J" and numbers[0] in (2, 3):
            self.clear()
        elif final == "K":
            self.cells[self.y][self.x :] = [" "] * (self.columns - self.x)


class Terminal:
    """`python -m drillkit` in a pty of its own. Use it with `with`: nothing stays running."""

    def __init__(
        self,
        *args: str,
        home: Path,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        before: str = "",
    ) -> None:
        """Start it; `before` is Python that the child runs first, say to limit its resources."""
        self.screen = Screen(*size)
        self.raw = bytearray()
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self.master, self._slave = os.openpty()
        self._open_ends: tuple[int, ...] = (self._slave, self.master)
        self._set_size(*size)
        self.modes_before = termios.tcgetattr(self._slave)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", TAKE_TERMINAL + before + BECOME, *args],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=environment(home, env),
            cwd=home.parent,
            start_new_session=True,
        )
        # Our own end stays open until the child has ended: the modes are read from it.
        os.set_blocking(self.master, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.hang_up()

    # --- what a person does ----------------------------------------------------------------

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Change the window's size; the system tells the program so."""
        self.screen.resize(columns, rows)
        self._set_size(columns, rows)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def done(self) -> int:
        """How many answers the status line counts."""
        found = re.search(r"([\d,]+) done", self.text)
        assert found is not None, f"no status line:\n{self.text}"
        return int(found[1].replace(",", ""))

    @property
    def question(self) -> str:
        """The question on the screen, as `write_home` numbers them."""
        found = re.search(r"Question \d+\?", self.text)
        return found[0] if found is not None else ""

    def reveal(self) -> None:
        """Show the answer and wait until it can be rated."""
        self.press(" ")
        self.wait_for("1 to 4 rate", "Answer ")

    def rate(self, key: str = "4") -> str:
        """Answer the card on the screen, wait until the next is drawn; return its question."""
        self.wait_until(lambda: self.question != "", "a question")
        before, done = self.question, self.done
        self.reveal()
        self.press(key)
        self.wait_until(
            lambda: self.question not in {"", before} and self.done == done + 1, "the next card"
        )
        return before

    def signal(self, number: int) -> None:
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """End it as hard as it goes, and take in what it had written before."""
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.wait()
        self.read(0)

    def hang_up(self) -> None:
        """Close the window."""
        # Once only: the number of a closed end may already be another thread's.
        ends, self._open_ends = self._open_ends, ()
        for end in ends:
            os.close(end)

    # --- what a person sees ----------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.screen.text

    def read(self, wait_s: float) -> bool:
        """Take in what is written now, or within `wait_s`; return whether anything was."""
        heard = False
        try:
            while select.select([self.master], [], [], 0 if heard else wait_s)[0]:
                data = os.read(self.master, 65_536)
                if not data:
                    break
                heard = True
                self.raw += data
                self.screen.feed(self._decoder.decode(data))
        except OSError:
            pass
        return heard

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Read until `holds`; fail with the screen when it never does."""
        give_up = time.monotonic() + PATIENCE_S
        while not holds():
            self.read(0.05)
            if holds():
                return
            assert self.process.poll() is None, f"it ended before {what}:\n{self.text}"
            assert time.monotonic() < give_up, f"waited in vain for {what}:\n{self.text}"

    def wait_for(self, *texts: str) -> None:
        """Read until all `texts` are on the screen."""
        self.wait_until(lambda: all(text in self.text for text in texts), f"{texts}")

    def wait_exit(self) -> int:
        """Read until it has ended; return its exit code."""
        give_up = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            self.read(0.02)
            assert time.monotonic() < give_up, f"it does not end:\n{self.text}"
        self.read(0)
        return self.process.returncode

    def assert_restored(self) -> None:
        """The terminal is as it was: modes, alternate screen, cursor, mouse, keyboard."""
        assert termios.tcgetattr(self._slave) == self.modes_before
        assert self.screen.left_on() == {}


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return a plain environment: nothing of the one that the tests run in but the path."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "DRILLKIT_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        **(more or {}),
    }


def run(
    *args: str,
    home: Path,
    typed: str = "",
    env: Mapping[str, str] | None = None,
    before: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run `drillkit ARGS` without a terminal, with `typed` on its input."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", before + BECOME, *args],
        input=typed,
        env=environment(home, env),
        cwd=home.parent,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def write_home(
    home: Path, cards: Sequence[str] | int, settings: str = "", cache: Path | None = None
) -> Path:
    """Make a home with one deck `drill` of short recall cards and settings that allow them all."""
    texts = [f"Question {n}?" for n in range(cards)] if isinstance(cards, int) else cards
    (home / "decks").mkdir(parents=True)
    lines = ["deck: drill", "title: Drill deck", "order: 1", "cards:"]
    for number, text in enumerate(texts):
        lines += [f"  - id: c{number}", f"    ask: {text}", f"    answer: Answer {number}."]
    (home / "decks" / "drill.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (home / "settings.toml").write_text(
        settings or "[review]\nnew_per_day = 9999\nreviews_per_day = 9999\n", encoding="utf-8"
    )
    if cache is not None:
        shutil.copytree(cache, home / "cache")
    return home


def ratings(home: Path) -> list[str]:
    """Return the questions that the log holds ratings of, in its order, without those undone."""
    with Collection.open(home / "collection.db", home / "backups") as collection:
        undone = collection.undone()
        return [
            f"Question {event.action.item.removeprefix('drill/c')}?"
            for event in collection.events("kind = 'rated'")
            if isinstance(event.action, Rated) and event.batch not in undone
        ]


def assert_sound(home: Path) -> None:
    """The file is whole and its state is a replay of its log."""
    with Collection.open(home / "collection.db", home / "backups") as collection:
        report = examine(collection)
        assert report.clean, report.findings
