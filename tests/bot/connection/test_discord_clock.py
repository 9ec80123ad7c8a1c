"""Tests for Discord's clock on machines whose clocks are wrong or jump."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from random import Random

import pytest
import structlog
from structlog.testing import LogCapture

from bot.connection import discord_clock as hour
from bot.connection.discord_clock import DiscordClock, HostClocks, TimeSource

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
NO_TIME = timedelta()
HOUR = timedelta(hours=1)


class Machine:
    """A machine with its own clock, and Discord behind a slow connection.

    Attributes:
        now: Time of Discord's clock.
        ahead: Time by which the machine's clock is ahead of it.
    """

    def __init__(self, ahead: timedelta) -> None:
        self.now = NOON
        self.ahead = ahead
        self.stood_still = NO_TIME
        self._slept = timedelta()
        self.time = DiscordClock(
            HostClocks(wall_clock=self._hour, steady=self._steady, awake=self._awake)
        )

    def _hour(self) -> datetime:
        return self.now + self.ahead

    def _steady(self) -> float:
        return (self.now - self.stood_still - NOON).total_seconds() + 7

    def _awake(self) -> float:
        return self._steady() - self._slept.total_seconds()

    def ask(
        self,
        there: timedelta = SECOND,
        back: timedelta = SECOND,
        *,
        wrong: timedelta = NO_TIME,
        source: TimeSource = TimeSource.REQUESTS,
    ) -> None:
        """Send a request to Discord. The request and the response each take some time.

        The response may contain a wrong time, ahead of Discord's or behind it.
        """
        asked = self.time.steady
        self.now += there
        date = format_datetime((self.now + wrong).replace(microsecond=0), usegmt=True)
        self.now += back
        self.time.observe(date, asked, source)

    @property
    def error(self) -> timedelta:
        """Return how far the computed time is ahead of Discord's."""
        return self.time.now() - self.now

    @property
    def is_right(self) -> bool:
        """Return True if the computed time is Discord's, to the second or two that a response
        takes."""
        return -3 * SECOND <= self.error <= NO_TIME


@pytest.mark.parametrize("jumps", [False, True])
def test_a_clock_that_is_wrong_by_up_to_a_day_does_no_harm(jumps: bool) -> None:
    """Offsets in minutes, from a day behind to a day ahead."""
    rng = Random(1)
    for minutes in range(-24 * 60, 24 * 60 + 1):
        machine = Machine(timedelta(minutes=minutes))
        for _ in range(3):
            there, back = (timedelta(seconds=rng.uniform(0, 0.5)) for _ in range(2))
            machine.ask(there, back)
            if jumps:
                machine.ahead = timedelta(minutes=rng.randint(-1_440, 1_440))
            # It must never be ahead. Otherwise unreceived events could count as received.
            assert -2 * SECOND <= machine.error <= timedelta()
            machine.now += timedelta(hours=rng.randint(0, 48))
            assert -2 * SECOND <= machine.error <= timedelta()


def test_clock_readings_agree_even_if_the_process_freezes_between_them() -> None:
    passed = iter([0.0, 3_600.0])  # a time, once a response has been read

    def advance_after_first_read(clock: float) -> float:
        return clock + next(passed, 3_600.0)

    clocks = HostClocks(
        wall_clock=lambda: NOON, steady=lambda: 0.0, awake=lambda: advance_after_first_read(5.0)
    )
    assert DiscordClock(clocks).moment() == (NOON, 3_605.0)


def test_the_host_clock_is_used_until_a_response_arrives() -> None:
    machine = Machine(timedelta(hours=5))
    assert machine.error == timedelta(hours=5)
    for unreadable in ("", "yesterday", "Mon, 99 Foo 2026 25:00:00 GMT"):
        machine.time.observe(unreadable, 0.0)
        assert machine.error == timedelta(hours=5)


def test_more_responses_make_the_time_precise_and_stable() -> None:
    rng, machine = Random(2), Machine(timedelta())
    errors = []
    for _ in range(200):
        machine.ask(timedelta(milliseconds=20), timedelta(milliseconds=20))
        errors.append(machine.error)
        machine.now += timedelta(seconds=rng.uniform(0, 60))
    assert all(later >= sooner for sooner, later in pairwise(errors))
    assert errors[-1] >= timedelta(milliseconds=-60)


def synchronized(ahead: timedelta = NO_TIME) -> Machine:
    """A machine that knows Discord's time for certain."""
    machine = Machine(ahead)
    for source in TimeSource:
        machine.ask(source=source)
    assert machine.time.is_sure
    assert machine.is_right
    return machine


def test_the_time_is_certain_once_two_sources_agree() -> None:
    machine = Machine(NO_TIME)
    assert not machine.time.is_sure
    machine.ask()
    assert machine.time.is_sure
    machine.ask(wrong=HOUR)
    assert not machine.time.is_sure
    wrong = Machine(5 * HOUR)
    wrong.ask()
    assert not wrong.time.is_sure
    wrong.ask(source=TimeSource.GATEWAY)
    assert wrong.time.is_sure


def asleep(machine: Machine, hours: float) -> None:
    """Let time pass while the monotonic clock stands still."""
    machine.now += hours * HOUR
    machine.stood_still += hours * HOUR


@pytest.mark.parametrize("hours", [-2, 0.1, 2, 400 * 24])
def test_one_wrong_answer_changes_nothing(hours: float) -> None:
    machine = synchronized()
    for _ in range(3):
        machine.ask(wrong=hours * HOUR)
        assert machine.is_right
        assert not machine.time.is_sure
        machine.ask()
        assert machine.is_right
        assert machine.time.is_sure


def test_wrong_answers_that_disagree_change_nothing() -> None:
    machine = synchronized()
    for hours in (2, -3, 5):
        machine.ask(wrong=hours * HOUR)
        assert machine.is_right
        assert not machine.time.is_sure


def test_an_answer_to_an_earlier_query_is_not_further_evidence() -> None:
    machine = synchronized()
    asked = machine.time.steady
    machine.now += SECOND
    for _ in range(3):  # through the same proxy, at the same time
        machine.time.observe(format_datetime(machine.now + HOUR, usegmt=True), asked)
    assert machine.is_right
    assert not machine.time.is_sure


@pytest.mark.parametrize("hours", [-2, 0.1, 2, 400 * 24])
def test_a_proxy_with_an_always_wrong_time_is_never_believed(hours: float) -> None:
    machine = synchronized()
    for _ in range(20):
        machine.ask(wrong=hours * HOUR)
        assert machine.is_right
        assert not machine.time.is_sure
    machine.ask(source=TimeSource.GATEWAY)
    for _ in range(20):
        assert machine.is_right
        assert machine.time.is_sure
        machine.ask(wrong=hours * HOUR)
    machine.ask()  # the machine's clock is corrected
    assert machine.is_right
    assert machine.time.is_sure


def test_a_proxy_with_a_wrong_time_in_its_first_response_is_not_believed() -> None:
    machine = Machine(NO_TIME)
    for _ in range(5):
        machine.ask(wrong=2 * HOUR)
        assert not machine.time.is_sure
    machine.ask(source=TimeSource.GATEWAY)
    for _ in range(5):
        assert machine.time.is_sure
        assert machine.is_right
        machine.ask(wrong=2 * HOUR)


def test_three_different_times_leave_the_clock_in_doubt() -> None:
    machine = Machine(-5 * HOUR)
    machine.ask(wrong=2 * HOUR)
    machine.ask(source=TimeSource.GATEWAY)
    assert not machine.time.is_sure


def test_after_a_frozen_steady_clock_the_other_source_corrects_the_time() -> None:
    machine = synchronized()
    asleep(machine, 3)
    for _ in range(5):
        machine.ask()
        assert not machine.time.is_sure
    machine.ask(source=TimeSource.GATEWAY)
    assert machine.time.is_sure
    assert machine.is_right


def test_a_source_with_a_wrong_hour_is_trusted_again_once_a_message_agrees() -> None:
    machine = synchronized()
    machine.ask(wrong=2 * HOUR)
    machine.ask(source=TimeSource.GATEWAY)
    asleep(machine, 2)
    machine.ask()
    # there is no better source yet, so deadlines pass later rather than sooner
    assert machine.time.is_sure
    machine.time.observe_message(machine.now)
    machine.ask()
    machine.time.observe_message(machine.now)
    assert machine.time.is_sure
    assert machine.is_right


def test_a_message_proves_that_it_is_so_late_by_now() -> None:
    machine = synchronized()
    asleep(machine, 3)
    machine.ask()
    machine.time.observe_message(
        machine.now - 2 * HOUR
    )  # it arrives late, because the connection was lost
    assert not machine.time.is_sure
    machine.time.observe_message(machine.now - SECOND)
    assert machine.time.is_sure
    assert machine.is_right


def test_a_message_proves_nothing_about_an_hour_that_is_wrong_ahead() -> None:
    machine = synchronized()
    machine.ask(wrong=2 * HOUR)
    machine.time.observe_message(machine.now)
    assert machine.is_right
    assert not machine.time.is_sure


def test_a_message_proves_an_hour_wrong_that_is_behind() -> None:
    machine = synchronized()
    machine.ask(wrong=-2 * HOUR)
    machine.time.observe_message(machine.now - 3 * HOUR)
    assert not machine.time.is_sure
    machine.time.observe_message(machine.now)
    assert machine.time.is_sure
    assert machine.is_right


@pytest.mark.parametrize("ahead", [NO_TIME, 5 * HOUR])
def test_the_first_answer_is_sure_if_the_machines_own_clock_agrees(ahead: timedelta) -> None:
    machine = Machine(ahead)
    assert not machine.time.is_sure
    machine.ask()
    assert machine.is_right
    assert machine.time.is_sure == (ahead == NO_TIME)
    machine.ask()
    assert machine.time.is_sure == (ahead == NO_TIME)
    machine.ask(source=TimeSource.GATEWAY)
    assert machine.time.is_sure


def test_a_first_answer_that_is_wrong_is_mended() -> None:
    machine = Machine(NO_TIME)
    machine.ask(wrong=2 * HOUR)
    assert not machine.time.is_sure
    machine.ask()
    assert not machine.time.is_sure
    machine.ask(source=TimeSource.GATEWAY)
    assert machine.time.is_sure
    assert machine.is_right


@pytest.fixture
def clock_log(monkeypatch: pytest.MonkeyPatch) -> LogCapture:
    """The log, by a logger of its own, because any test may have configured the process's."""
    log = LogCapture()
    monkeypatch.setattr(hour, "_log", structlog.wrap_logger(None, processors=[log]))
    return log


def test_a_clock_that_a_message_proves_right_is_reported(clock_log: LogCapture) -> None:
    machine = synchronized()
    asleep(machine, 3)
    machine.ask()
    machine.time.observe_message(machine.now)
    offsets = [line["offset_s"] for line in clock_log.entries if "offset_s" in line]
    assert offsets == [10_801, 1], "a response's second is rounded down"


def test_a_wrong_clock_is_reported_once(clock_log: LogCapture) -> None:
    machine = Machine(timedelta(minutes=-4))
    for _ in range(3):
        machine.ask(SECOND, SECOND)
    machine.ahead = timedelta(minutes=4)
    machine.ask(SECOND, SECOND)
    assert [line["offset_s"] for line in clock_log.entries] == [-239, 241]
