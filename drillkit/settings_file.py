"""settings.toml as a person edits it: one key at a time, comments and order kept."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from drillkit.content.library import Place
from drillkit.errors import DrillkitError
from drillkit.settings import settings_of

if TYPE_CHECKING:
    from pathlib import Path

# Key -> what it does and its default, as TOML.
ABOUT: dict[str, tuple[str, str]] = {
    "interview": ("the day of the interview; intervals end before it", '""'),
    "theme": ("dark, light or ansi (your terminal's own colours)", '"dark"'),
    "day_starts": ("the hour at which a new study day begins", "4"),
    "editor": ("the editor that e opens; empty: $VISUAL or $EDITOR", '""'),
    "content": ("more folders with decks", "[]"),
    "review.retention": ("the recall at which a card comes back, 0.70 to 0.99", "0.9"),
    "review.retention_by_deck": ("the same for single decks: { zero = 0.95 }", "{}"),
    "review.retention_by_tag": ("the same for single tags", "{}"),
    "review.new_per_day": ("new cards a day", "20"),
    "review.reviews_per_day": ("reviews a day", "200"),
    "review.learning_steps": ("when a new card comes back", '["1m", "10m"]'),
    "review.relearning_steps": ("when a forgotten card comes back", '["10m"]'),
    "review.max_interval_days": ("the longest interval", "36500"),
    "review.fuzz": ("spread intervals a little, so that cards part", "true"),
    "review.leech_lapses": ("after so many lapses a card is a leech", "8"),
    "review.leech_action": ("what happens to a leech: flag or suspend", '"flag"'),
    "review.weights": ("the 21 weights of FSRS-6; empty: the defaults", "[]"),
    "keys": ("other keys: { 'review.undo' = 'z' }; names in the README", "{}"),
}


@dataclass(frozen=True)
class Entry:
    """One setting: its key, its value as TOML, what it does."""

    key: str
    text: str
    about: str


class SettingsFile:
    """The file at `path`, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> tuple[Entry, ...]:
        """Return every setting with its present value. Raises `DrillkitError`."""
        document = self._document()
        found = []
        for key, (about, default) in ABOUT.items():
            table, name = _within(document, key)
            value = table.get(name) if table is not None else None
            # tomlkit hands a truth value out bare.
            text = default if value is None else tomlkit.item(value).as_string()
            found.append(Entry(key, text, about))
        return tuple(found)

    def change(self, key: str, text: str) -> None:
        """Set `key` to the TOML value `text`, or back to its default when `text` is empty.

        The file is only written if all of it is right afterwards; raises `DrillkitError` if not.
        """
        document = self._document()
        section, _, name = key.rpartition(".")
        if section and section not in document:
            document.add(section, tomlkit.table())
        table, _ = _within(document, key)
        if text:
            table[name] = _value(text)
        else:
            table.pop(name, None)
        settings_of(document.unwrap(), key)
        self._write(document.as_string())

    def place(self) -> Place:
        """Return where an editor should open, making an empty file if there is none."""
        if not self.path.exists():
            self._write("# drillkit's settings; the settings screen (s) lists the keys.\n")
        return Place(self.path, 1)

    def _document(self) -> Any:  # noqa: ANN401 tomlkit's containers are dicts of anything
        try:
            return tomlkit.parse(self.path.read_bytes().decode("utf-8-sig"))
        except FileNotFoundError:
            return tomlkit.document()
        except (OSError, UnicodeDecodeError, TOMLKitError) as error:
            raise DrillkitError(f"cannot be read: {error}", where=str(self.path)) from None

    def _write(self, text: str) -> None:
        try:
            # The file may be a link into a folder of such files.
            target = self.path.resolve()
            target.parent.mkdir(parents=True, exist_ok=True)
            draft = target.with_suffix(f".{os.getpid()}")
            draft.write_bytes(text.encode())
            draft.replace(target)
        except OSError as error:
            raise DrillkitError(f"cannot be written: {error}", where=str(self.path)) from None


def _within(document: Any, key: str) -> tuple[Any, str]:  # noqa: ANN401 tomlkit's containers are dicts of anything
    section, _, name = key.rpartition(".")
    table = document.get(section) if section else document
    if table is not None and not isinstance(table, dict):
        raise DrillkitError(
            f"{section!r} is a section", hint=f"write [{section}] and its keys below"
        )
    return table, name


def _value(text: str) -> Any:  # noqa: ANN401 any TOML value
    try:
        return tomlkit.value(text)
    except TOMLKitError:
        pass
    try:
        # A bare word or date that was meant as text.
        return tomlkit.value('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')
    except TOMLKitError:
        raise DrillkitError(f"{text!r} is no value") from None
