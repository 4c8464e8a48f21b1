"""The one kind of error that drillkit reports to a person."""

from __future__ import annotations


class DrillkitError(Exception):
    """Something a person can mend: what is wrong, where, and what to do about it.

    `what` is a plain sentence without a full stop's worth of blame, `where` a file, a
    `file:line:column`, a setting or nothing, and `hint` the next thing to try. `exit_code` is what
    the command line ends with: 1 when the content is wrong, 2 when the call is wrong.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"{place}error: {self.what}{hint}"


class UsageError(DrillkitError):
    """The call itself is wrong: an unknown item, a malformed option, an impossible time."""

    exit_code = 2
