"""settings.toml and the folders: what a person may choose, and where things lie.

`DRILLKIT_HOME` (or `--home`) moves everything that drillkit writes: the collection, the settings,
the cache and the person's own decks.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from drillkit.errors import DrillkitError

THEMES = ("dark", "light", "ansi")
LEECH_ACTIONS = ("flag", "suspend")


@dataclass(frozen=True)
class Retention:
    """The recall probability at which an item comes back: globally, for a deck or for a tag."""

    default: float = 0.9
    decks: dict[str, float] = field(default_factory=dict)
    tags: dict[str, float] = field(default_factory=dict)

    def of(self, deck: str, tags: tuple[str, ...] = ()) -> float:
        """Return an item's retention: its deck's, else its strictest tag's, else the default."""
        if deck in self.decks:
            return self.decks[deck]
        return max((self.tags[tag] for tag in tags if tag in self.tags), default=self.default)


@dataclass(frozen=True)
class Settings:
    """Everything a person may choose, with the defaults that apply where settings.toml is silent.

    Steps are in seconds, intervals in days, `day_starts` is an hour on the wall clock.
    """

    day_starts: int = 4
    interview: date | None = None
    theme: str = "dark"
    editor: str = ""
    content: tuple[Path, ...] = ()
    retention: Retention = field(default_factory=Retention)
    new_per_day: int = 20
    reviews_per_day: int = 200
    learning_steps_s: tuple[int, ...] = (60, 600)
    relearning_steps_s: tuple[int, ...] = (600,)
    max_interval_days: int = 36_500
    fuzz: bool = True
    weights: tuple[float, ...] = ()
    leech_lapses: int = 8
    leech_action: str = "flag"
    keys: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Folders:
    """Where drillkit keeps a person's files."""

    data: Path
    config: Path
    cache: Path

    @property
    def collection(self) -> Path:
        return self.data / "collection.db"

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def decks(self) -> Path:
        return self.data / "decks"

    @property
    def problems(self) -> Path:
        return self.data / "problems"

    @property
    def rounds(self) -> Path:
        return self.data / "rounds"

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @classmethod
    def at(cls, home: Path | None) -> Folders:
        """Return the folders below `home`, or the platform's own places when it is None."""
        if home is not None:
            return cls(data=home, config=home, cache=home / "cache")
        import platformdirs  # noqa: PLC0415 a home of one's own needs no places

        places = platformdirs.PlatformDirs("drillkit", appauthor=False)
        return cls(places.user_data_path, places.user_config_path, places.user_cache_path)


def home_from_environment() -> Path | None:
    """Return what `DRILLKIT_HOME` names, or None."""
    text = os.environ.get("DRILLKIT_HOME", "")
    return Path(text).expanduser() if text else None


def bundled_content() -> Path:
    """Return the folder that holds the `decks` and `problems` we ship."""
    package = Path(__file__).resolve().parent
    inside = package / "bundled"
    return inside if inside.is_dir() else package.parent


# --- reading settings.toml -------------------------------------------------------------------

STEP_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _step_s(value: object) -> int:
    match = re.fullmatch(r"(\d+)\s*([smhd])", value) if isinstance(value, str) else None
    if match is None or int(match[1]) == 0:
        raise ValueError('is a list of steps such as ["1m", "10m"]; units are s, m, h, d')
    return int(match[1]) * STEP_UNITS_S[match[2]]


def _steps(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise ValueError('is a list of steps such as ["1m", "10m"]')  # noqa: TRY004 one kind of error for all keys
    return tuple(_step_s(step) for step in value)


def _whole(low: int, high: int) -> Any:  # noqa: ANN401 each reader returns its own type
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"is a whole number from {low:,} to {high:,}")
        return value

    return read


def _share(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.7 <= value <= 0.99:
        raise ValueError("is a number from 0.70 to 0.99")
    return float(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("is true or false")  # noqa: TRY004 one kind of error for all keys
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("is a text")  # noqa: TRY004 one kind of error for all keys
    return value


def _one_of(*names: str) -> Any:  # noqa: ANN401 each reader returns its own type
    def read(value: object) -> str:
        if value not in names:
            raise ValueError("is one of " + ", ".join(names))
        return str(value)

    return read


def _day(value: object) -> date | None:
    if isinstance(value, str) and value == "":
        return None
    try:
        return value if type(value) is date else date.fromisoformat(str(value))
    except ValueError:
        raise ValueError("is a date such as 2026-12-20") from None


def _folders(value: object) -> tuple[Path, ...]:
    if not isinstance(value, list) or not all(isinstance(path, str) for path in value):
        raise ValueError("is a list of folders")
    if any("\0" in path for path in value):
        raise ValueError("holds a NUL character")
    return tuple(Path(path).expanduser() for path in value)


def _weights(value: object) -> tuple[float, ...]:
    numbers = value if isinstance(value, list) else None
    if numbers is None or len(numbers) not in (0, 21):
        raise ValueError("is a list of the 21 FSRS-6 weights, or empty for the defaults")
    if not all(isinstance(number, int | float) for number in numbers):
        raise ValueError("holds something that is not a number")
    return tuple(float(number) for number in numbers)


def _shares(value: object) -> dict[str, float]:
    if not isinstance(value, dict):
        raise ValueError("is a table such as { collectives = 0.92 }")  # noqa: TRY004 one kind of error for all keys
    return {str(name): _share(share) for name, share in value.items()}


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise ValueError('is a table such as { undo = "u" }')
    return dict(value)


# Key in settings.toml -> (field of Settings, reader). Sections are part of the key.
READERS: dict[str, tuple[str, Any]] = {
    "day_starts": ("day_starts", _whole(0, 23)),
    "interview": ("interview", _day),
    "theme": ("theme", _one_of(*THEMES)),
    "editor": ("editor", _text),
    "content": ("content", _folders),
    "review.retention": ("retention.default", _share),
    "review.retention_by_deck": ("retention.decks", _shares),
    "review.retention_by_tag": ("retention.tags", _shares),
    "review.new_per_day": ("new_per_day", _whole(0, 9999)),
    "review.reviews_per_day": ("reviews_per_day", _whole(0, 9999)),
    "review.learning_steps": ("learning_steps_s", _steps),
    "review.relearning_steps": ("relearning_steps_s", _steps),
    "review.max_interval_days": ("max_interval_days", _whole(1, 36_500)),
    "review.fuzz": ("fuzz", _flag),
    "review.weights": ("weights", _weights),
    "review.leech_lapses": ("leech_lapses", _whole(1, 99)),
    "review.leech_action": ("leech_action", _one_of(*LEECH_ACTIONS)),
    "keys": ("keys", _texts),
}
SECTIONS = ("review",)


def read_settings(path: Path) -> Settings:
    """Read settings.toml; a missing file gives the defaults.

    Raises one `DrillkitError` that lists every problem of the file, each unknown key with the
    nearest known one.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise DrillkitError(
            f"cannot read the settings: {error.strerror}", where=str(path)
        ) from None
    import tomllib  # noqa: PLC0415 most people have no such file, and it is read at every start

    try:
        table = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DrillkitError("the file is not UTF-8 text", where=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise DrillkitError(
            f"not TOML: {error}", where=str(path), hint="values of text stand in quotes"
        ) from None
    return settings_of(table, str(path))


def settings_of(table: dict[str, Any], where: str = "settings") -> Settings:
    """Check a table of settings and return it typed; raise with all problems at once."""
    problems: list[str] = []
    chosen: dict[str, Any] = {}
    for key, value in _flat(table).items():
        if key in SECTIONS:
            problems.append(f"{key!r} is a section: write [{key}] and its keys below")
            continue
        if key not in READERS:
            import difflib  # noqa: PLC0415 only for what is misspelt

            near = difflib.get_close_matches(key, (*READERS, *SECTIONS), n=1, cutoff=0.5)
            problems.append(
                f"unknown key {key!r}" + (f"; did you mean {near[0]!r}?" if near else "")
            )
            continue
        name, read = READERS[key]
        try:
            chosen[name] = read(value)
        except ValueError as error:
            problems.append(f"{key} = {value!r}: {key} {error}")
    if problems:
        raise DrillkitError(
            "; ".join(problems),
            where=where,
            hint="remove a line to get its default back",
        )
    retention = Retention(
        default=chosen.pop("retention.default", 0.9),
        decks=chosen.pop("retention.decks", {}),
        tags=chosen.pop("retention.tags", {}),
    )
    return Settings(retention=retention, **chosen)


def _flat(table: dict[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if key in SECTIONS and isinstance(value, dict):
            flat.update({f"{key}.{inner}": inner_value for inner, inner_value in value.items()})
        else:
            flat[key] = value
    return flat
