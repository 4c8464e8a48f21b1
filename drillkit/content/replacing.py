"""Writing a whole file at once: a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

NEW_FILE_MODE = 0o644


def replace_file(path: Path, raw: bytes) -> None:
    """Put `raw` in the place of the file at `path`, or make it; links are followed, modes kept.

    Raises `OSError`.
    """
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o7777 if target.exists() else NEW_FILE_MODE
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).chmod(mode)
        Path(draft).replace(target)
    except OSError:
        with contextlib.suppress(OSError):
            Path(draft).unlink()
        raise
