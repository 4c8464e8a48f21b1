"""Two windows at once, and a process that dies in the middle of writing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from review_desk import EASY, GOOD, PLAIN, Desk, numbered

from drillkit.review.collection import Collection
from drillkit.review.direct import rate_item
from drillkit.review.doctor import examine
from drillkit.review.session import Session

ROOT = Path(__file__).parents[2]


def test_two_windows_rate_one_after_the_other_and_no_card_twice(make_desk):
    """Threads with a connection each go through the same new cards; each counts exactly once."""
    desk = make_desk(numbered(60), replace(PLAIN, new_per_day=60))
    outcomes: list[tuple[str, str]] = []
    faults: list[BaseException] = []

    def work() -> None:
        try:
            with Collection.open(desk.path) as own:
                session = Session.open(own, desk.library, desk.clock, desk.settings)
                while session.current is not None:
                    session.reveal()
                    outcome = session.rate(EASY)
                    outcomes.append((outcome.kind, outcome.item))
        except BaseException as fault:  # noqa: BLE001 told by the test's own thread
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    rated = [item for kind, item in outcomes if kind == "rated"]
    assert sorted(rated) == sorted(desk.library.items)
    assert {state.reps for state in desk.collection.states()} == {1}
    assert examine(desk.collection).clean


def test_many_processes_may_start_at_once(tmp_path):
    """The file is made once, whoever is first; each writes its own events."""
    code = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        sys.path.insert(0, "tests/review")
        from review_desk import EASY, Desk, numbered
        from drillkit.review.direct import rate_item
        desk = Desk(Path(sys.argv[1]), numbered(20))
        for number in range(20):
            place = desk.collection, desk.library, desk.clock, desk.settings
            rate_item(*place, f"d/c{number}", EASY)
        """
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    errors = [process.communicate()[1] for process in running]
    assert [process.returncode for process in running] == [0] * 4, errors
    with Collection.open(tmp_path / "collection.db") as collection:
        assert {state.reps for state in collection.states()} == {4}
        assert examine(collection).clean


def test_undo_in_two_windows_takes_each_action_back_once(make_desk):
    desk = make_desk(numbered(30), replace(PLAIN, new_per_day=30))
    for item in desk.library.items:
        rate_item(desk.collection, desk.library, desk.clock, desk.settings, item, GOOD)

    def work() -> None:
        with Collection.open(desk.path) as own:
            session = Session.open(own, desk.library, desk.clock, desk.settings)
            while session.undo() is not None:
                pass

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert desk.held() == {}
    targets = [e.action.target for e in desk.collection.events() if e.action.kind == "undone"]
    assert len(targets) == len(set(targets)) == 30


WRITER = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    sys.path.insert(0, "tests/review")
    from review_desk import EASY, PLAIN, Desk, numbered
    desk = Desk(Path(sys.argv[1]), numbered(5000), PLAIN.__class__(new_per_day=5000))
    session = desk.session()
    while session.current is not None:
        outcome = desk.answer(session, EASY)
        os.write(1, (outcome.item + "\\n").encode())
        if session.done % 7 == 0:
            session.undo()
            os.write(1, b"undone\\n")
            desk.answer(session, EASY)
            os.write(1, (outcome.item + "\\n").encode())
    """
)


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_process_loses_nothing_that_it_acknowledged(tmp_path, seed):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    told: list[str] = []
    wanted = random.Random(seed).randrange(5, 120)
    rest = b""
    while len(told) < wanted:
        rest += os.read(process.stdout.fileno(), 4096)
        *lines, rest = rest.split(b"\n")
        told += [line.decode() for line in lines]
    process.send_signal(signal.SIGKILL)
    left, _ = process.communicate()
    told += [line.decode() for line in (rest + left).split(b"\n")[:-1]]
    desk = Desk(tmp_path, numbered(5000), replace(PLAIN, new_per_day=5000))
    kinds = [e.action.kind for e in desk.collection.events()]
    written = [kind for kind in kinds if kind in ("rated", "undone")]
    expected = ["undone" if line == "undone" else "rated" for line in told]
    # What was acknowledged is there, in order; at most one more was written and not yet told.
    assert written[: len(expected)] == expected
    assert len(written) <= len(expected) + 1
    assert examine(desk.collection).clean
    session = desk.session()
    assert session.done == written.count("rated") - written.count("undone")
    assert desk.answer(session).kind == "rated"
    desk.close()
