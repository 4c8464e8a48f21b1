from __future__ import annotations

import pytest
from review_desk import Desk


@pytest.fixture
def desk(tmp_path):
    """A desk with three new cards at eight in the morning."""
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.fixture
def make_desk(tmp_path):
    """Make desks with a library and settings of one's own; all are closed in the end."""
    made = []

    def make(*args, name="home", **kwargs):
        one = Desk(tmp_path / name, *args, **kwargs)
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()
