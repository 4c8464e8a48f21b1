"""The YAML files of the content folders, and what tells that one is still the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from drillkit.content.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIXES = (".yaml", ".yml")


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """What tells that a file is still the one that was read."""

    size: int
    changed_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)


def each_file(roots: Iterable[Path], faults: list[Diagnostic]) -> dict[Path, Stamp]:
    """Return the stamp of every YAML file below `roots`, once however many paths lead to it."""
    stamps: dict[Path, Stamp] = {}
    seen: set[tuple[int, int]] = set()
    for root in roots:
        for path, status in content_files(root, faults):
            identity = (status.st_dev, status.st_ino)
            if identity not in seen:
                seen.add(identity)
                stamps[path] = Stamp.of(status)
    return stamps


def content_files(root: Path, faults: list[Diagnostic]) -> list[tuple[Path, os.stat_result]]:
    """List the YAML files below `root` (or `root` itself), in order, with their status.

    A missing folder holds nothing. Links are followed, each folder once, so a loop ends; what
    cannot be entered or is no plain file is added to `faults`.
    """
    files: list[tuple[Path, os.stat_result]] = []
    try:
        status = root.stat()
    except FileNotFoundError:
        return files
    except OSError as error:
        faults.append(unreadable(str(root), error))
        return files
    if not _is_folder(status):
        _take(root, status, files, faults)
        return files
    seen = {(status.st_dev, status.st_ino)}
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            faults.append(unreadable(str(folder), error))
            continue
        inner: list[Path] = []
        for entry in entries:
            if entry.name.startswith("."):
                continue
            _sort_entry(entry, inner, files, faults, seen)
        waiting += reversed(inner)
    return files


def _sort_entry(
    entry: os.DirEntry[str],
    inner: list[Path],
    files: list[tuple[Path, os.stat_result]],
    faults: list[Diagnostic],
    seen: set[tuple[int, int]],
) -> None:
    is_content = entry.name.endswith(SUFFIXES)
    try:
        if not (is_content or entry.is_dir()):
            return
        status = entry.stat()
    except OSError as error:
        if is_content:
            faults.append(unreadable(entry.path, error))
        return
    if not _is_folder(status):
        _take(Path(entry.path), status, files, faults)
    elif (status.st_dev, status.st_ino) not in seen:
        seen.add((status.st_dev, status.st_ino))
        inner.append(Path(entry.path))


def _is_folder(status: os.stat_result) -> bool:
    return status.st_mode & 0o170000 == 0o040000


def _take(
    path: Path,
    status: os.stat_result,
    files: list[tuple[Path, os.stat_result]],
    faults: list[Diagnostic],
) -> None:
    # A pipe or a device would never end.
    if status.st_mode & 0o170000 == 0o100000:
        files.append((path, status))
    else:
        faults.append(
            Diagnostic(
                str(path), 0, 0, "error", "not-a-file", "not a plain file", "remove or rename it"
            )
        )


def unreadable(path: str, error: OSError) -> Diagnostic:
    """Say that a file or folder cannot be read, and why."""
    return Diagnostic(
        path,
        0,
        0,
        "error",
        "unreadable",
        f"cannot be read: {error.strerror or error}",
        "check its permissions, or remove it from the content folders",
    )
