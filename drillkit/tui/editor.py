"""The person's own editor, at a line of a file."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from drillkit.errors import DrillkitError

if TYPE_CHECKING:
    from drillkit.content.library import Place

FALLBACKS = ("nano", "vim", "vi")
# How editors that do not know `+LINE FILE` are told a line, by the name of their program.
LINE_FORMS: dict[str, tuple[str, ...]] = {
    "code": ("--wait", "--goto", "{path}:{line}"),
    "codium": ("--wait", "--goto", "{path}:{line}"),
    "cursor": ("--wait", "--goto", "{path}:{line}"),
    "zed": ("--wait", "{path}:{line}"),
    "subl": ("--wait", "{path}:{line}"),
    "hx": ("{path}:{line}",),
    "helix": ("{path}:{line}",),
}


def command(place: Place, chosen: str) -> list[str]:
    """Return the command that opens `place`; `chosen` is the setting, before the environment.

    Raises `DrillkitError` when there is no editor.
    """
    text = chosen or os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    if not words:
        words = [name for name in FALLBACKS if shutil.which(name)][:1]
    if not words or shutil.which(words[0]) is None:
        what = f"the editor {words[0]!r} is not installed" if words else "no editor is set"
        raise DrillkitError(what, hint="set EDITOR, or `editor` in the settings")
    form = LINE_FORMS.get(Path(words[0]).name, ("+{line}", "{path}"))
    return [*words, *(part.format(path=place.path, line=place.line) for part in form)]


def run(place: Place, chosen: str) -> None:
    """Open the editor and wait for it. Raises `DrillkitError` when it cannot be started."""
    words = command(place, chosen)
    try:
        subprocess.run(words, check=False)  # noqa: S603 the person's own editor
    except OSError as error:
        raise DrillkitError(f"cannot start {words[0]!r}: {error.strerror}") from None
