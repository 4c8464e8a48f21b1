"""A program in a real pseudo-terminal: what it draws, and when."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

ROWS, COLUMNS = 24, 80
PATIENCE_S = 120.0
CTRL_Q = b"\x11"


class Terminal:
    """A running program and the terminal that it draws on. Times are in milliseconds."""

    def __init__(
        self,
        command: list[str],
        environment: dict[str, str],
        folder: Path,
        size: tuple[int, int] = (ROWS, COLUMNS),
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.output = b""
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            cwd=folder,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            os.write(self._ours, CTRL_Q)
        give_up = time.perf_counter() + 10
        while self._process.poll() is None and time.perf_counter() < give_up:
            self._read(0.05)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def _read(self, wait_s: float) -> None:
        if select.select([self._ours], [], [], wait_s)[0]:
            with suppress(OSError):
                self.output += os.read(self._ours, 1 << 16)

    def press(self, keys: bytes) -> None:
        """Type; what was drawn until now is forgotten, and the time counts from here."""
        self.output = b""
        self._started = time.perf_counter()
        os.write(self._ours, keys)

    def wait_for(self, text: bytes) -> float:
        """Return the time from the start or the last key until `text` was drawn."""
        while text not in self.output:
            self._read(0.5)
            waited_s = time.perf_counter() - self._started
            if waited_s > PATIENCE_S or self._process.poll() is not None:
                drawn = self.output[-2000:].decode("utf-8", "replace")
                raise RuntimeError(f"{text!r} was not drawn; the last was {drawn!r}")
        return (time.perf_counter() - self._started) * 1000

    def wait_for_any(self) -> float:
        """Return the time from the last key until anything was drawn."""
        return self.wait_for(b"\x1b")

    def settle(self, seconds: float) -> None:
        """Let the program draw whatever it wants for a while."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)

    def memory_mb(self) -> tuple[float, float]:
        """Return what the process holds: (PSS, its share of what it has in common; RSS, all)."""
        found = {}
        for line in (self._status / "smaps_rollup").read_text(encoding="ascii").splitlines():
            name, _, rest = line.partition(":")
            found[name] = rest.split()[0]
        return int(found["Pss"]) * 1024 / 1e6, int(found["Rss"]) * 1024 / 1e6

    def worked_ms(self) -> float:
        """Return for how long the process has been on a processor, all threads together."""
        nanoseconds = 0
        for thread in (self._status / "task").iterdir():
            # A thread may end while we look.
            with suppress(OSError):
                nanoseconds += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
        return nanoseconds / 1e6

    @property
    def _status(self) -> Path:
        return Path("/proc", str(self._process.pid))
