"""What tests of every room share: a clock that stands still, decks on disk, a workspace."""

from __future__ import annotations

import os

import pytest

from drillkit.clock import ManualClock, parse_moment
from drillkit.workspace import Workspace

LONG_AGO_S = 1_600_000_000


def pytest_collection_modifyitems(items):
    """Leave out what takes minutes, unless it is asked for: DRILLKIT_LONG=1 pytest -m long."""
    if "DRILLKIT_LONG" in os.environ:
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="a test for releases: set DRILLKIT_LONG"))


@pytest.fixture
def clock():
    """A Tuesday at eight in the morning that passes only when told to."""
    return ManualClock(parse_moment("2026-12-01T08:00+01:00"))


@pytest.fixture
def write_deck(tmp_path):
    """Write a deck file under home/decks, by default long ago, so that its stamp is settled."""

    def write(name: str, content: str | bytes, *, written_s: int | None = LONG_AGO_S):
        path = tmp_path / "home" / "decks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        if written_s is not None:
            os.utime(path, (written_s, written_s))
        return path

    return write


@pytest.fixture
def workspace(tmp_path, clock, monkeypatch):
    """A workspace under home, with the decks of `write_deck` alone and the clock in hand."""
    nothing = tmp_path / "nothing-bundled"
    nothing.mkdir()
    monkeypatch.setattr("drillkit.workspace.bundled_content", lambda: nothing)
    made = Workspace(tmp_path / "home")
    made.clock = clock
    return made
