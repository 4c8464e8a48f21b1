"""The reader is standard library only, so that any part of the app may import it at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import drillkit

ROOT = str(Path(drillkit.__file__).parent.parent)
PROGRAM = """
import drillkit.algebra.answer, drillkit.algebra.formula, drillkit.numeric.table
print(*sorted({name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
"""


def test_reading_and_judging_need_nothing_but_the_standard_library():
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {ROOT!r})\n{PROGRAM}"],
        capture_output=True,
        text=True,
        check=False,
    )
    loaded = set(done.stdout.split())
    assert "drillkit" in loaded, done.stderr
    assert not loaded & {"sympy", "numpy", "pint", "msgspec", "textual", "yaml", "fsrs", "typer"}
