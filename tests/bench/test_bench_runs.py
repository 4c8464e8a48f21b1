"""Each bench runs and yields ratios; how large they are is for people to read, not for a test."""

from __future__ import annotations

import math

import bench_due
import bench_figures
import bench_problems
import bench_rating
import bench_reading
import bench_replay
import bench_round
import bench_start
import bench_writing
import pytest
from bench_table import TINY, Row, in_turn, table


@pytest.mark.parametrize(
    "bench",
    [
        bench_start,
        bench_rating,
        bench_due,
        bench_reading,
        bench_writing,
        bench_replay,
        bench_figures,
        bench_problems,
        bench_round,
    ],
    ids=lambda bench: bench.__name__,
)
def test_a_bench_yields_finite_numbers_on_tiny_sizes(bench, tmp_path):
    rows = list(bench.rows(tmp_path, TINY))
    assert rows
    for row in rows:
        assert math.isfinite(row.ours)
        assert row.ours > 0
        assert row.ratio is None or math.isfinite(row.ratio)


def test_the_table_gives_a_verdict_only_where_there_is_a_limit():
    rows = [
        Row("twice as slow", 20, "ms", 10, 1.5),
        Row("as fast", 10, "ms", 10, 1.5),
        Row("a time of its own", 40, "ms", None, 50),
        Row("told only", 7, "s"),
    ]
    assert [row.verdict for row in rows] == ["MISSED", "holds", "holds", ""]
    lines = table(rows).splitlines()
    assert len(lines) == 1 + len(rows)
    assert lines[1].split()[-5:] == ["10", "ms", "2", "1.5", "MISSED"]


def test_measuring_in_turn_alternates_and_returns_medians():
    taken = []
    values = iter([1.0, 10.0, 3.0, 30.0, 2.0, 20.0])

    def act(name):
        taken.append(name)
        return next(values)

    assert in_turn(3, lambda: act("a"), lambda: act("b")) == [2.0, 20.0]
    assert taken == ["a", "b"] * 3
