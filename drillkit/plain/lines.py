"""Saying and hearing lines over text streams."""

from __future__ import annotations

from typing import TextIO

from drillkit.harmless import harmless


class Left(Exception):  # noqa: N818 not an error: the person left
    """The person left, or the input ended."""


class Lines:
    """A conversation: what is said goes out at once, harmless; what is heard comes stripped."""

    def __init__(self, source: TextIO, target: TextIO) -> None:
        self._source = source
        self._target = target

    def say(self, text: str = "") -> None:
        self._target.write(harmless(text) + "\n")
        self._target.flush()

    def hear(self, prompt: str) -> str:
        """Return the next line. Raises `Left` when there is none."""
        self._target.write(prompt)
        self._target.flush()
        line = self._source.readline()
        if not line:
            self.say()
            raise Left
        return line.strip()
