"""The clock: instants, offsets and study days through daylight saving and travel."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drillkit import clock as room
from drillkit.clock import (
    ManualClock,
    Moment,
    ShiftedClock,
    SystemClock,
    day_number,
    day_of,
    parse_moment,
)
from drillkit.errors import UsageError

BERLIN, NEW_YORK, LORD_HOWE, KATHMANDU, APIA = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
)

# Where, what the clock on the wall says (fold 1: the second time round), when days turn, which day.
DAYS = [
    # An ordinary night: the day turns at four, to the minute.
    (BERLIN, "2026-12-01T03:59:59", 0, 4, "2026-11-30"),
    (BERLIN, "2026-12-01T04:00:00", 0, 4, "2026-12-01"),
    (BERLIN, "2026-12-01T23:59:00", 0, 4, "2026-12-01"),
    (BERLIN, "2026-12-02T00:30:00", 0, 4, "2026-12-01"),
    # Other turns: midnight, and the latest there is.
    (BERLIN, "2026-12-01T00:00:00", 0, 0, "2026-12-01"),
    (BERLIN, "2026-11-30T23:59:59", 0, 0, "2026-11-30"),
    (BERLIN, "2026-12-01T22:59:00", 0, 23, "2026-11-30"),
    (BERLIN, "2026-12-01T23:00:00", 0, 23, "2026-12-01"),
    # Spring forward at two: the day of 23 hours turns at four on the wall all the same.
    (BERLIN, "2026-03-29T01:59:00", 0, 4, "2026-03-28"),
    (BERLIN, "2026-03-29T03:00:00", 0, 4, "2026-03-28"),
    (BERLIN, "2026-03-29T03:59:00", 0, 4, "2026-03-28"),
    (BERLIN, "2026-03-29T04:00:00", 0, 4, "2026-03-29"),
    # A turn within the hour that is left out: three o'clock is the first moment after it.
    (BERLIN, "2026-03-29T01:59:00", 0, 2, "2026-03-28"),
    (BERLIN, "2026-03-29T03:00:00", 0, 2, "2026-03-29"),
    # Fall back at three: the day of 25 hours.
    (BERLIN, "2026-10-25T02:30:00", 0, 4, "2026-10-24"),
    (BERLIN, "2026-10-25T02:30:00", 1, 4, "2026-10-24"),
    (BERLIN, "2026-10-25T04:00:00", 0, 4, "2026-10-25"),
    (BERLIN, "2026-10-26T03:59:00", 0, 4, "2026-10-25"),
    # The same in America, where the clocks change on other days.
    (NEW_YORK, "2026-03-08T03:59:00", 0, 4, "2026-03-07"),
    (NEW_YORK, "2026-03-08T04:00:00", 0, 4, "2026-03-08"),
    (NEW_YORK, "2026-11-01T01:30:00", 1, 4, "2026-10-31"),
    (NEW_YORK, "2026-11-01T04:00:00", 0, 4, "2026-11-01"),
    # Half an hour of daylight saving, and three quarters of an hour beside UTC.
    (LORD_HOWE, "2026-04-05T01:45:00", 1, 4, "2026-04-04"),
    (LORD_HOWE, "2026-04-05T04:00:00", 0, 4, "2026-04-05"),
    (KATHMANDU, "2026-12-01T03:59:00", 0, 4, "2026-11-30"),
    (KATHMANDU, "2026-12-01T04:00:00", 0, 4, "2026-12-01"),
    # Samoa left a whole day out: 30 December 2011 never was.
    (APIA, "2011-12-29T23:59:00", 0, 4, "2011-12-29"),
    (APIA, "2011-12-31T03:59:00", 0, 4, "2011-12-30"),
    (APIA, "2011-12-31T04:00:00", 0, 4, "2011-12-31"),
    # The turn of a year, and a leap day.
    (BERLIN, "2027-01-01T03:00:00", 0, 4, "2026-12-31"),
    (BERLIN, "2028-03-01T03:00:00", 0, 4, "2028-02-29"),
]


@pytest.mark.parametrize(("zone", "wall", "fold", "turn", "day"), DAYS)
def test_study_day_turns_at_its_hour_on_the_wall(zone, wall, fold, turn, day):
    when = datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone), fold=fold)
    moment = Moment.of(when)
    assert moment.study_day(turn) == date.fromisoformat(day)
    assert moment.local.replace(tzinfo=None) == datetime.fromisoformat(wall)


def test_travel_follows_the_wall_where_one_is():
    """Tokyo to San Francisco: the same day twice. Back again: the morning after next."""
    tokyo, francisco = 9 * 60, -8 * 60
    leaving = parse_moment("2026-12-01T17:00+09:00")
    landing = Moment(leaving.plus(10 * 3_600_000).utc_ms, francisco)
    assert (leaving.study_day(), landing.study_day()) == (date(2026, 12, 1), date(2026, 12, 1))
    assert landing.local.hour == 10
    back = Moment(parse_moment("2026-12-03T12:00-08:00").plus(11 * 3_600_000).utc_ms, tokyo)
    assert back.study_day() == date(2026, 12, 4)


def test_log_read_on_another_continent_still_knows_the_morning():
    moment = parse_moment("2026-12-01T05:00+13:00")
    assert moment.local.isoformat() == "2026-12-01T05:00:00+13:00"
    assert moment.study_day() == date(2026, 12, 1)


@given(
    st.integers(40_000_000_000, 7_000_000_000_000),
    st.integers(-12 * 60, 14 * 60),
    st.integers(0, 23),
)
def test_study_day_lasts_from_one_turn_to_the_next(utc_ms, offset, turn):
    moment = Moment(utc_ms, offset)
    local = moment.local
    begins = local.replace(hour=turn, minute=0, second=0, microsecond=0)
    begins -= timedelta(days=begins > local)
    assert moment.study_day(turn) == begins.date()


@given(st.integers(0, 4_000_000_000_000), st.integers(-12 * 60, 14 * 60))
def test_moment_survives_a_round_trip_through_a_datetime(utc_ms, offset):
    assert Moment.of(Moment(utc_ms, offset).local) == Moment(utc_ms, offset)


def test_moments_are_in_order_of_their_instants():
    assert parse_moment("2026-12-01T08:00+01:00") < parse_moment("2026-12-01T08:00+00:00")


def test_later_moment_keeps_the_offset():
    assert parse_moment("2026-12-01T08:00+01:00").plus(1500) == parse_moment(
        "2026-12-01T08:00:01.500+01:00"
    )


# --- reading a time ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "utc", "offset"),
    [
        ("2026-12-01T08:00+01:00", "2026-12-01T07:00:00+00:00", 60),
        ("2026-12-01 08:00:30-05:30", "2026-12-01T13:30:30+00:00", -330),
        ("2026-12-01T08:00Z", "2026-12-01T08:00:00+00:00", 0),
        ("1970-01-01T00:00+00:00", "1970-01-01T00:00:00+00:00", 0),
        ("2999-12-31T23:59+00:00", "2999-12-31T23:59:00+00:00", 0),
    ],
)
def test_time_is_read_with_its_offset(text, utc, offset):
    moment = parse_moment(text)
    assert moment.offset_min == offset
    assert datetime.fromtimestamp(moment.utc_ms / 1000, UTC).isoformat() == utc


FORM = "write it as 2026-12-01T08:00+01:00"


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("2026-12-01T08:00", "the time 2026-12-01T08:00:00 has no offset", FORM),
        ("2026-12-01", "the time 2026-12-01T00:00:00 has no offset", FORM),
        ("tomorrow", "cannot read the time 'tomorrow'", FORM),
        ("", "cannot read the time ''", FORM),
        ("2026-02-30T08:00Z", "cannot read the time '2026-02-30T08:00Z'", FORM),
        ("2026-12-01T08:00+99:00", "cannot read the time '2026-12-01T08:00+99:00'", FORM),
        ("0001-01-01T00:00Z", "the year 1 is out of reach", "from 1970 to 2999"),
        ("9999-12-31T23:59-12:00", "the year 9999 is out of reach", "from 1970 to 2999"),
    ],
)
def test_time_that_cannot_be_read_is_a_wrong_call(text, what, hint):
    with pytest.raises(UsageError) as caught:
        parse_moment(text)
    assert (caught.value.what, caught.value.hint) == (what, hint)
    assert caught.value.exit_code == 2


def test_days_are_numbers_that_grow_by_one():
    last, first = date(2026, 12, 31), date(2027, 1, 1)
    assert day_number(first) - day_number(last) == 1
    assert day_of(day_number(last)) == last


# --- the clocks ----------------------------------------------------------------------------------


def test_manual_clock_moves_only_when_told_to():
    clock = ManualClock(parse_moment("2026-12-01T08:00+01:00"))
    before = (clock.now(), clock.elapsed_s())
    assert (clock.now(), clock.elapsed_s()) == before
    clock.advance(90.5)
    assert clock.now() == parse_moment("2026-12-01T08:01:30.500+01:00")
    assert clock.elapsed_s() - before[1] == 90.5


def test_shifted_clock_runs_on_from_its_start(monkeypatch):
    running = [100.0]
    monkeypatch.setattr(room, "_running_s", lambda: running[0])
    start = parse_moment("2026-12-01T08:00+01:00")
    clock = ShiftedClock(start)
    assert clock.now() == start
    running[0] += 61.25
    assert clock.now() == start.plus(61_250)
    assert clock.elapsed_s() == 161.25


@pytest.mark.parametrize(("zone", "offset"), [("Asia/Kathmandu", 345), ("UTC", 0)])
def test_system_clock_tells_the_local_offset(monkeypatch, zone, offset):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        now = SystemClock().now()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert now.offset_min == offset


def test_system_clocks_elapsed_time_does_not_go_back():
    clock = SystemClock()
    assert clock.elapsed_s() <= clock.elapsed_s()


def test_elapsed_time_does_without_a_clock_that_counts_sleep(monkeypatch):
    monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    monkeypatch.setattr(time, "monotonic", lambda: 7.5)
    assert SystemClock().elapsed_s() == 7.5
