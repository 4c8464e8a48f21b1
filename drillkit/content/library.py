"""Folders -> Library: every deck that can be read, from a cache where its file is unchanged.

What was read of a file is used again while its size, time and inode agree. A file that was written
within the last seconds before it was read is read again, since such a stamp can hide a second edit.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from drillkit import __version__
from drillkit.content.cards import AnyCard, Deck
from drillkit.content.diagnostic import Diagnostic, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

# Grows whenever the shape or the meaning of what is cached changes.
CACHE_FORM = f"{__version__}/2"
UNSETTLED_NS = 2_000_000_000
SUFFIXES = (".yaml", ".yml")


class Stamp(msgspec.Struct, frozen=True, array_like=True):
    """What tells that a file is still the one that was read."""

    size: int
    changed_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        return cls(status.st_size, status.st_mtime_ns, status.st_ino)


class _Cached(msgspec.Struct, frozen=True, array_like=True):
    form: str
    path: str
    stamp: Stamp
    cached_ns: int
    deck: Deck
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Place:
    """Where an item is written."""

    path: Path
    line: int


@dataclass(frozen=True)
class Change:
    """What an edit of the files did: item ids, and files with their first error."""

    added: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.edited or self.removed or self.broken)

    def __str__(self) -> str:
        counts = (
            (self.added, "added"),
            (self.edited, "edited"),
            (self.removed, "removed"),
        )
        parts = [f"{_cards(len(items))} {verb}" for items, verb in counts if items]
        parts += [f"errors in {file}" for file in self.broken]
        return ", ".join(parts)


def _cards(count: int) -> str:
    return f"{count:,} card" + ("" if count == 1 else "s")


@dataclass(frozen=True)
class Library:
    """All content that could be read. `decks` and `items` are in the order of the files."""

    decks: dict[str, Deck] = field(default_factory=dict)
    items: dict[str, AnyCard] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    stamps: dict[str, Stamp] = field(default_factory=dict)
    files_read: int = 0
    _paths: dict[str, str] = field(default_factory=dict)

    def place(self, item: str) -> Place:
        """Return where `item` is written. Raises KeyError for an unknown item."""
        card = self.items[item]
        return Place(Path(self._paths.get(item) or self.decks[card.deck].path), card.line)

    def change_from(self, before: Library) -> Change:
        """Tell what differs from an earlier reading of the same folders."""
        old, new = before.items, self.items
        if old is new:
            return Change()
        errors = {found.file for found in self.diagnostics if found.severity == "error"}
        known = {found.file for found in before.diagnostics if found.severity == "error"}
        return Change(
            added=tuple(item for item in new if item not in old),
            edited=tuple(i for i, card in new.items() if i in old and _differs(card, old[i])),
            removed=tuple(item for item in old if item not in new),
            broken=tuple(sorted(errors - known)),
        )


def _differs(card: AnyCard, other: AnyCard) -> bool:
    # A card that only moved within its file is the same card.
    return card is not other and card != msgspec.structs.replace(other, line=card.line)


class Shelf:
    """Reads the content folders, again and again, and only what changed."""

    def __init__(self, folders: Iterable[Path], cache: Path | None) -> None:
        self._folders = tuple(folders)
        self._cache = cache / "content" if cache is not None else None
        self._decks: dict[str, tuple[Stamp, Deck, tuple[Diagnostic, ...]]] = {}
        self._library = Library()
        self._scan_faults: list[Diagnostic] = []
        self._unsettled: set[str] = set()

    def read(self) -> Library:
        """Return the library as the files are now; the same object while nothing changed."""
        faults: list[Diagnostic] = []
        stamps = {
            str(path): Stamp.of(status)
            for folder in self._folders
            for path, status in deck_files(folder, faults)
        }
        same_files = stamps == self._library.stamps and faults == self._scan_faults
        if same_files and not self._unsettled:
            return self._library
        unsettled, self._unsettled = self._unsettled, set()
        files_read = 0
        decks: dict[str, tuple[Stamp, Deck, tuple[Diagnostic, ...]]] = {}
        for path, stamp in stamps.items():
            held = self._decks.get(path)
            if held is None or held[0] != stamp:
                held = self._from_cache(path, stamp)
            if held is None:
                held = self._from_file(path, stamp)
                files_read += 1
            elif path in unsettled:
                again = self._from_file(path, stamp)
                held = held if held == again else again
            decks[path] = held
        if same_files and decks == self._decks:
            return self._library
        self._decks, self._scan_faults = decks, faults
        self._library = assemble(decks, faults, files_read)
        return self._library

    def _entry(self, path: str) -> Path | None:
        if self._cache is None:
            return None
        name = hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
        return self._cache / f"{name}.msgpack"

    def _from_cache(
        self, path: str, stamp: Stamp
    ) -> tuple[Stamp, Deck, tuple[Diagnostic, ...]] | None:
        entry = self._entry(path)
        if entry is None:
            return None
        try:
            cached = msgspec.msgpack.decode(entry.read_bytes(), type=_Cached)
        except (OSError, msgspec.DecodeError):
            return None  # no entry, or one of another form: the file itself is read
        if (cached.form, cached.path, cached.stamp) != (CACHE_FORM, path, stamp):
            return None
        if cached.cached_ns - stamp.changed_ns < UNSETTLED_NS:
            return None
        return stamp, cached.deck, cached.diagnostics

    def _from_file(self, path: str, stamp: Stamp) -> tuple[Stamp, Deck, tuple[Diagnostic, ...]]:
        # Imported here: a library that comes whole from the cache needs no YAML.
        from drillkit.content.deck import read_deck  # noqa: PLC0415
        from drillkit.content.text import MAX_FILE_BYTES  # noqa: PLC0415

        try:
            with Path(path).open("rb") as source:
                raw = source.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            found = unreadable(path, error)
            return stamp, Deck(Path(path).stem, Path(path).stem, path), (found,)
        reading = read_deck(raw, path)
        diagnostics = tuple(reading.diagnostics)
        read_ns = time.time_ns()
        # A time in the future never settles; such a file is only read again at the next start.
        if 0 <= read_ns - stamp.changed_ns < UNSETTLED_NS:
            self._unsettled.add(path)
        self._keep(_Cached(CACHE_FORM, path, stamp, read_ns, reading.deck, diagnostics))
        return stamp, reading.deck, diagnostics

    def _keep(self, cached: _Cached) -> None:
        entry = self._entry(cached.path)
        if entry is None:
            return
        # The cache is a convenience: a full or read-only disk, or a file name that is no text,
        # must not stop a review.
        with contextlib.suppress(OSError, UnicodeEncodeError):
            entry.parent.mkdir(parents=True, exist_ok=True)
            draft = entry.with_suffix(f".{os.getpid()}")
            draft.write_bytes(msgspec.msgpack.encode(cached))
            draft.replace(entry)


def assemble(
    decks: dict[str, tuple[Stamp, Deck, tuple[Diagnostic, ...]]],
    faults: Iterable[Diagnostic],
    files_read: int,
) -> Library:
    """Join decks into one library; items with one id in two files are told of and both kept."""
    diagnostics = list(faults)
    by_id: dict[str, Deck] = {}
    items: dict[str, AnyCard] = {}
    paths: dict[str, str] = {}
    in_turn = sorted(decks.items(), key=lambda held: held[1][1].order)
    for path, (_, deck, found) in in_turn:
        diagnostics += found
        cards: list[AnyCard] = []
        for card in deck.cards:
            own = card
            if card.item in items:
                first = items[card.item]
                where = f"{paths.get(card.item) or by_id[card.deck].path}:{first.line}"
                diagnostics.append(
                    Diagnostic(
                        path,
                        card.line,
                        1,
                        "error",
                        "duplicate-id",
                        f"the id {card.item!r} stands in {where} and again in {path}:{card.line}",
                        "give one of the two cards another id",
                        f"card {card.id}",
                    )
                )
                own = msgspec.structs.replace(card, id=_second(card, items))
            items[own.item] = own
            cards.append(own)
            if deck.id in by_id:
                paths[own.item] = path
        held = by_id.get(deck.id)
        by_id[deck.id] = (
            msgspec.structs.replace(deck, cards=tuple(cards))
            if held is None
            else msgspec.structs.replace(held, cards=held.cards + tuple(cards))
        )
    diagnostics += _dangling(items, by_id, paths)
    stamps = {path: stamp for path, (stamp, _, _) in decks.items()}
    return Library(by_id, items, tuple(in_order(diagnostics)), stamps, files_read, paths)


def _second(card: AnyCard, items: dict[str, AnyCard]) -> str:
    number = 2
    while f"{card.deck}/{card.id}~{number}" in items:
        number += 1
    return f"{card.id}~{number}"


def _dangling(
    items: dict[str, AnyCard], decks: dict[str, Deck], paths: dict[str, str]
) -> list[Diagnostic]:
    return [
        Diagnostic(
            paths.get(card.item) or decks[card.deck].path,
            card.line,
            1,
            "error",
            "unknown-parent",
            f"`after: {card.after}` names no card",
            "name the id of the card that this one follows",
            f"card {card.id}",
        )
        for card in items.values()
        if card.after and card.after not in items
    ]


# --- the files -----------------------------------------------------------------------------------


def deck_files(root: Path, faults: list[Diagnostic]) -> list[tuple[Path, os.stat_result]]:
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
    is_deck = entry.name.endswith(SUFFIXES)
    try:
        if not (is_deck or entry.is_dir()):
            return
        status = entry.stat()
    except OSError as error:
        if is_deck:
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
