"""`python tests/bench [--full] [NAME …]` measures everything, or what is named, in one table.

Every figure is a median and every ratio comes from one run in which the two things took turns, so
that what else the machine does falls on both. Nothing here fails because something is slow.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bench_due
import bench_figures
import bench_problems
import bench_rating
import bench_reading
import bench_replay
import bench_round
import bench_start
import bench_writing
from bench_table import Row, Sizes, table

BENCHES = {
    "start": bench_start,
    "rating": bench_rating,
    "due": bench_due,
    "reading": bench_reading,
    "writing": bench_writing,
    "replay": bench_replay,
    "figures": bench_figures,
    "problems": bench_problems,
    "round": bench_round,
}
REPLAYED = 1_000_000


def main() -> None:
    """Run the benches and print the table."""
    asked = argparse.ArgumentParser(prog="python tests/bench", description=__doc__)
    asked.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    asked.add_argument("--full", action="store_true", help="replay a million events as well")
    given = asked.parse_args()
    unknown = [name for name in given.names if name not in BENCHES]
    if unknown:
        asked.error(f"there is no bench {unknown[0]}: choose from " + ", ".join(BENCHES))
    sizes = replace(Sizes(), replayed=REPLAYED if given.full else 0)
    rows: list[Row] = []
    for name in given.names or BENCHES:
        sys.stderr.write(f"{name} …\n")
        with tempfile.TemporaryDirectory(prefix="drillkit-bench-") as folder:
            rows += BENCHES[name].rows(Path(folder), sizes)
    print(table(rows))


if __name__ == "__main__":
    main()
