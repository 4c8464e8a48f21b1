"""A journal loses nothing, takes back a half-written line, and is one player's at a time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from drillkit.content.round import Fact, Phase, Round
from drillkit.errors import DrillkitError
from drillkit.rounds.archive import Archive
from drillkit.rounds.events import AnyEvent, Asked, Beat, Numbered, Stamp, Started, Wrote
from drillkit.rounds.journal import Journal, is_played, read_journal

if TYPE_CHECKING:
    from pathlib import Path

AT = Stamp(12.5, 1_767_258_000_000, 60, "boot")
ROUND = Round(
    id="small",
    title="A round",
    prompt="Plan it.",
    facts=(Fact(symbol="done", say="Done means a lower loss."),),
    phases=(Phase(id="clarify", minutes=5, row="scope"),),
)
START = Started(
    at=AT, round=ROUND, seed=3, level="senior", mode="interview", phases=("clarify",), minutes=5
)
EVENTS: list[AnyEvent] = [
    START,
    Wrote(at=AT, start=0, removed=0, text="16·13 = 208 GB [bold]\n\x1b[31m"),
    Asked(at=AT, words="deadline", facts=("days",)),
    Numbered(at=AT, check="states", text="208 GB"),
    Beat(at=AT),
]


def _written(path: Path, events: list[AnyEvent]) -> Path:
    journal = Journal.create(path)
    for event in events:
        journal.append(event)
    journal.close()
    return path


def test_every_event_comes_back_as_it_was(tmp_path: Path) -> None:
    path = _written(tmp_path / "small" / "one.jsonl", EVENTS)
    assert read_journal(path) == EVENTS
    assert path.read_bytes().count(b"\n") == len(EVENTS)
    assert b"\x1b" not in path.read_bytes()


def test_a_line_cut_off_by_a_crash_is_left_out_and_the_next_one_starts_clean(
    tmp_path: Path,
) -> None:
    path = _written(tmp_path / "small" / "one.jsonl", EVENTS)
    with path.open("ab") as file:
        file.write(b'{"kind":"beat","at":[13.0,17')
    assert read_journal(path) == EVENTS
    journal = Journal.reopen(path)
    journal.append(EVENTS[-1])
    journal.close()
    assert read_journal(path) == [*EVENTS, EVENTS[-1]]


def test_a_round_is_played_once_at_a_time_and_is_free_again_afterwards(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    journal = Journal.create(folder / "one.jsonl")
    assert is_played(folder)
    with pytest.raises(DrillkitError, match="another window"):
        Journal.create(folder / "two.jsonl")
    with pytest.raises(DrillkitError, match="another window"):
        Journal.reopen(folder / "one.jsonl")
    journal.close()
    assert not is_played(folder)
    Journal.reopen(folder / "one.jsonl").close()


def test_a_journal_is_never_started_over_another(tmp_path: Path) -> None:
    path = _written(tmp_path / "small" / "one.jsonl", EVENTS)
    with pytest.raises(DrillkitError, match="cannot be written"):
        Journal.create(path)
    assert read_journal(path) == EVENTS
    assert not is_played(path.parent)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "no round begins"),
        (b"not json\n", "line 1 is damaged"),
        (b'{"kind":"nonsense","at":[1,1,1,""]}\n', "line 1 is damaged"),
        (b'{"kind":"beat","at":[1.0,1,1,""]}\n', "no round begins"),
        (b"\xff\xfe\x00\n", "line 1 is damaged"),
    ],
)
def test_a_damaged_journal_is_told_with_its_line(tmp_path: Path, raw: bytes, told: str) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(raw)
    with pytest.raises(DrillkitError, match=told):
        read_journal(path)


def test_a_pipe_among_the_journals_is_told_and_not_waited_for(tmp_path: Path) -> None:
    _written(tmp_path / "small" / "one.jsonl", [START])
    os.mkfifo(tmp_path / "small" / "two.jsonl")
    kept, faults = Archive(tmp_path).read()
    assert [one.path.stem for one in kept] == ["one"]
    assert [fault.what for fault in faults] == ["is no plain file"]
