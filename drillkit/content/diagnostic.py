"""One finding about a file: where it is, what is wrong and what to do."""

from __future__ import annotations

from typing import Literal

import msgspec

Severity = Literal["error", "warning"]


class Diagnostic(msgspec.Struct, frozen=True):
    """A place in a file and what is wrong there.

    `line` and `column` count from 1 (0 where the whole file is meant), `code` is a stable short
    name, `subject` names the card or problem, `hint` says what to do.
    """

    file: str
    line: int
    column: int
    severity: Severity
    code: str
    message: str
    hint: str = ""
    subject: str = ""

    def __str__(self) -> str:
        place = self.file + (f":{self.line}:{self.column}" if self.line else "")
        subject = f"{self.subject}: " if self.subject else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{place}: {self.severity}: {subject}{self.message}{hint}"


def in_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Sort by file and place, as an author reads them."""
    return sorted(diagnostics, key=lambda found: (found.file, found.line, found.column))
