"""Published and worked numbers, row by row, against the functions of drillkit.mlsys.

`DRILLKIT_ORACLE=FILE` runs another file of the same form.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from oracle_table import SKIPPED, TABLE

CASES = Path(__file__).parents[1] / "cases" / "oracle.yaml"


def rows():
    path = Path(os.environ.get("DRILLKIT_ORACLE") or CASES)
    document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return document["rows"]


def number(value) -> float:
    # YAML 1.1 reads 7e9 as text.
    return float(value) if isinstance(value, str) else value


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["id"])
def test_a_published_number_is_reproduced(row):
    name = row["find"]
    for prefix, reason in SKIPPED.items():
        if name.startswith(prefix):
            pytest.skip(f"{name}: {reason}")
    if name not in TABLE:
        pytest.fail(f"the table has no function for {name}")
    given = {symbol: number(value) for symbol, value in row["given"].items()}
    got = TABLE[name](**given)
    expect, within = number(row["expect"]), number(row["rel_tol"])
    assert got == pytest.approx(expect, rel=within, abs=0), row["source"]


def test_the_file_has_rows_and_every_id_once():
    ids = [row["id"] for row in rows()]
    assert ids
    assert len(set(ids)) == len(ids)
