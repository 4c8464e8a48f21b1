"""`drillkit check` reads the numbers with which cards and problems open their figures."""

from __future__ import annotations

import pytest

from drillkit.authoring.check import check


def found(tmp_path, figure):
    path = tmp_path / "d.yaml"
    path.write_text(
        f"deck: d\ncards:\n  - {{id: a, ask: What?, answer: that, figure: {figure}}}\n", "utf-8"
    )
    return [(one.line, one.code) for one in check([path]).diagnostics if one.severity == "error"]


@pytest.mark.parametrize(
    "figure", ["zero", "zero P=7e9 N=64 stage=3", "ring n=2 GB p=8", "pipeline schedule=1f1b m=8"]
)
def test_a_figure_may_have_numbers(tmp_path, figure):
    assert found(tmp_path, figure) == []


@pytest.mark.parametrize(
    "figure", ["zero N=lots", "zero Q=3", "zero 7e9", "zero stage=4", "pipeline schedule=fast"]
)
def test_numbers_that_the_figure_does_not_take_are_an_error(tmp_path, figure):
    assert found(tmp_path, figure) == [(3, "figure-setting")]


def test_an_unknown_figure_is_told_of_once(tmp_path):
    assert found(tmp_path, "zerro P=7e9") == [(3, "unknown-figure")]
