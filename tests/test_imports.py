"""What is imported when: each check runs in a process of its own and reads its sys.modules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ("textual", "sympy", "numpy", "yaml", "fsrs", "typer", "tomlkit", "rich")
DECK = "deck: d\ncards:\n  - {id: a, ask: A?, answer: x}\n"


@pytest.fixture
def home(tmp_path):
    (tmp_path / "decks").mkdir()
    path = tmp_path / "decks" / "d.yaml"
    path.write_text(DECK)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    return tmp_path


def modules_after(script: str, home: Path) -> set[str]:
    """Run a script and return which of the heavy libraries it has imported."""
    tail = "\nimport json, sys\nprint(json.dumps(list(sys.modules)), file=sys.stderr)\n"
    done = subprocess.run(
        [sys.executable, "-c", script + tail],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"DRILLKIT_HOME": str(home), "TERM": "xterm-256color"},
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1])) & set(HEAVY)


COMMAND = """
import sys
from pathlib import Path
import drillkit.workspace
drillkit.workspace.bundled_content = lambda: Path("/nowhere")
sys.argv = ["drillkit", *{words!r}]
from drillkit.cli.app import run
assert run() == 0
"""


def test_due_with_a_warm_cache_imports_nothing_heavy(home):
    script = COMMAND.format(words=["due", "--json"])
    assert modules_after(script, home) == {"typer", "yaml"}
    assert modules_after(script, home) == {"typer"}


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (["check"], {"typer", "yaml"}),
        (["schema", "deck"], {"typer", "yaml"}),
        (["log"], {"typer"}),
        (["rate", "d/a", "good"], {"typer", "fsrs"}),
        (["doctor"], {"typer", "fsrs"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_command_imports_what_it_needs_and_no_more(home, words, allowed):
    modules_after(COMMAND.format(words=["due"]), home)
    assert modules_after(COMMAND.format(words=words), home) <= allowed


def test_importing_the_app_imports_no_library_that_waits_for_later(home):
    assert modules_after("import drillkit.tui.app", home) == {"textual", "rich"}


HOME_SCREEN = """
import asyncio
from pathlib import Path
import drillkit.workspace
drillkit.workspace.bundled_content = lambda: Path("/nowhere")
from drillkit.settings import home_from_environment
from drillkit.tui.app import DrillApp

async def open_home():
    app = DrillApp(drillkit.workspace.Workspace(home_from_environment()))
    async with app.run_test() as pilot:
        for _ in range(200):
            await pilot.pause(0.01)
            if app.today is not None:
                return
        raise SystemExit("Home was never filled")

asyncio.run(open_home())
"""


def test_home_is_painted_without_a_library_that_waits_for_later(home):
    modules_after(COMMAND.format(words=["due"]), home)
    assert modules_after(HOME_SCREEN, home) == {"textual", "rich"}


EVERYTHING = """
import importlib
for name in {names!r}:
    importlib.import_module(name)
"""


def everything(*left_out: str) -> str:
    """Return a script that imports all of drillkit but the rooms named."""
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "drillkit").rglob("*.py"))
    ]
    return EVERYTHING.format(names=[name for name in names if not name.startswith(left_out)])


def test_nothing_below_the_screens_imports_textual(home):
    assert "textual" not in modules_after(everything("drillkit.tui"), home)


def test_nothing_but_the_numeric_room_and_what_stands_on_it_imports_sympy_or_numpy(home):
    rooms = ("tui", "numeric", "cli", "authoring")
    found = modules_after(everything(*(f"drillkit.{room}" for room in rooms)), home)
    assert not found & {"sympy", "numpy", "textual", "typer"}
