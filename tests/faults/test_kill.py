"""Killed at the worst moment: what the screen acknowledged is in the log; the sitting goes on."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from terminal import Terminal, assert_sound, ratings, write_home

WORST_S = 0.050


def sit_and_be_killed(home, kills, seed):
    """Start, see that nothing is lost, rate two cards, be killed upon the second; `kills` times.

    Return how many of the last ratings the screen had acknowledged and how many were in the log.
    """
    chance = random.Random(seed)
    acknowledged: list[str] = []
    in_doubt = ""
    seen = kept = 0
    for number in range(kills):
        with Terminal("review", "--deck", "drill", home=home) as terminal:
            terminal.wait_until(lambda: terminal.question != "", "a question")
            logged = ratings(home)
            assert logged in (acknowledged, [*acknowledged, in_doubt])
            assert_sound(home)
            assert terminal.done == len(logged), "the sitting goes on with its count"
            kept += len(logged) > len(acknowledged)
            acknowledged = logged
            assert terminal.question not in logged

            acknowledged.append(terminal.rate())
            in_doubt = terminal.question
            terminal.reveal()
            before = written(home)
            terminal.press("4")
            # Every second time the moment counts from the write, whenever it comes.
            while number % 2 and written(home) == before:
                terminal.read(0.001)
            time.sleep(chance.uniform(0, WORST_S))
            terminal.kill()
            if terminal.question not in {"", in_doubt} or terminal.done > len(acknowledged):
                acknowledged.append(in_doubt)
                seen += 1
    assert ratings(home) in (acknowledged, [*acknowledged, in_doubt])
    assert_sound(home)
    return seen, kept + seen


def written(home):
    """Return what changes as soon as anything is written to the log."""
    stand = home.joinpath("collection.db-wal").stat()
    return stand.st_mtime_ns, stand.st_size


def kill(tmp_path, kills, seed):
    # Two homes at once: one waits for the disk and the pty while the other computes.
    homes = [write_home(tmp_path / name / "home", 2 * kills + 5) for name in ("one", "two")]
    with ThreadPoolExecutor(len(homes)) as pool:
        results = pool.map(sit_and_be_killed, homes, [kills // 2] * 2, [seed, seed + 1])
        for seen, kept in results:
            print(f"of {kills // 2} killed ratings {kept} were kept, {seen} of them on the screen")


def test_twenty_kills_after_a_rating_key_lose_nothing_acknowledged(tmp_path):
    kill(tmp_path, 20, seed=1)


@pytest.mark.long
def test_two_hundred_kills_after_a_rating_key_lose_nothing_acknowledged(tmp_path):
    kill(tmp_path, 200, seed=100)


def test_a_first_start_killed_at_any_moment_leaves_a_home_that_starts(tmp_path):
    """The collection is being made, renewed and backed up in the first second."""
    chance = random.Random(5)
    home = write_home(tmp_path / "home", 5)
    for _ in range(4):
        for made in [*home.glob("collection.db*"), *home.glob("backups/*")]:
            made.unlink()
        with Terminal("review", "--deck", "drill", home=home) as terminal:
            give_up = time.monotonic() + chance.uniform(0.2, 1.0)
            while time.monotonic() < give_up:
                terminal.read(0.01)
            terminal.kill()
        with Terminal("review", "--deck", "drill", home=home) as terminal:
            first = terminal.rate()
            assert ratings(home) == [first]
            assert_sound(home)
