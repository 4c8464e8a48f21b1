"""What the commands print: plain lines, one JSON document, a progress line."""

from __future__ import annotations

import io
import json
import sys
from typing import Any, Self

import msgspec

from drillkit.harmless import harmless


def say(text: str) -> None:
    """Print a line of plain output."""
    print(harmless(text))


def answer(value: Any) -> None:  # noqa: ANN401 any JSON document
    """Print one JSON document."""
    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        # A terminal without these signs, or a file name that is no text: escapes say the same.
        text = json.dumps(msgspec.to_builtins(value), indent=2)
    sys.stdout.write(text + "\n")


def forgive_encodings() -> None:
    """Let a sign that the terminal cannot show, or a byte typed that is no text, become a `?`."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class Progress:
    """A line on standard error that counts, where somebody may be watching and it takes long."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._shown = -1

    def __enter__(self) -> Self:
        return self

    def __call__(self, what: str, done: int, total: int) -> None:
        percent = 100 * done // max(total, 1)
        if self._watched and percent != self._shown:
            self._shown = percent
            sys.stderr.write(f"\r{what}: {percent} %")
            sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self._shown >= 0:
            sys.stderr.write("\r\x1b[K")
