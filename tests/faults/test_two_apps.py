"""Two drillkits on one home, and a clock that was set back between two sittings."""

from __future__ import annotations

from terminal import Terminal, assert_sound, ratings, run, write_home


def test_two_apps_at_once_keep_both_logs_and_tell_of_a_card_rated_elsewhere(tmp_path):
    home = write_home(tmp_path / "home", 40)
    review = ("review", "--deck", "drill")
    with Terminal(*review, home=home) as one, Terminal(*review, home=home) as other:
        for terminal in (one, other):
            terminal.wait_for("Question 0?")
        other.reveal()
        rated = [one.rate()]
        other.press("4")
        other.wait_for("another window")
        other.wait_until(lambda: other.question == "Question 1?", "the next card")
        assert ratings(home) == rated
        # From here on each rates what it shows, in turns, as long as the other has not yet.
        for number in range(1, 6):
            for terminal in (one, other):
                before = set(ratings(home))
                terminal.wait_until(lambda: terminal.question != "", "a question")  # noqa: B023 used at once
                shown = terminal.question
                terminal.reveal()
                terminal.press("4")
                terminal.wait_until(
                    lambda: terminal.question not in {"", shown},  # noqa: B023 used at once
                    f"a card after {shown} in round {number}",
                )
                now = ratings(home)
                if shown in before:
                    assert len(now) == len(before), "what the other rated is not rated twice"
                else:
                    assert now[-1] == shown
        assert len(ratings(home)) == len(set(ratings(home))) >= 6
        for terminal in (one, other):
            terminal.press("q")
            terminal.wait_for("All decks")
            terminal.press("q")
            assert terminal.wait_exit() == 0
    assert_sound(home)


def test_two_apps_rating_at_the_same_moment_lose_nothing(tmp_path):
    """Each is confined to its own deck, so every key is a rating."""
    home = write_home(tmp_path / "home", 20)
    second = home / "decks" / "second.yaml"
    text = (home / "decks" / "drill.yaml").read_text(encoding="utf-8")
    second.write_text(text.replace("deck: drill", "deck: second"), encoding="utf-8")
    with (
        Terminal("review", "--deck", "drill", home=home) as one,
        Terminal("review", "--deck", "second", home=home) as other,
    ):
        for number in range(8):
            for terminal in (one, other):
                terminal.wait_for(f"Question {number}?")
                terminal.reveal()
            for terminal in (one, other):
                terminal.press("4")
        for terminal in (one, other):
            terminal.wait_for("Question 8?", "8 done")
    assert len(ratings(home)) == 16
    assert_sound(home)


def test_a_clock_set_back_a_day_between_sittings_loses_nothing(tmp_path):
    home = write_home(tmp_path / "home", 10)
    rated = []
    for at in ("2026-12-02T08:00+01:00", "2026-12-01T08:00+01:00", "2026-12-03T08:00+01:00"):
        with Terminal("--at", at, "review", "--deck", "drill", home=home) as terminal:
            rated += [terminal.rate("3"), terminal.rate("4")]
            terminal.press("q")
            terminal.wait_for("All decks")
            terminal.press("q")
            assert terminal.wait_exit() == 0
        assert ratings(home) == rated
        assert_sound(home)
    checked = run("doctor", home=home)
    assert checked.returncode == 0, checked.stdout
    assert "clean" in checked.stdout
