"""Discord's hour, by answers in whole seconds, on machines whose clocks are wrong and jump."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from random import Random

import pytest
import structlog
from structlog.testing import LogCapture

from bot.connection import discord_clock as hour
from bot.connection.discord_clock import DiscordClock, HostClocks

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class Machine:
    """A machine, and Discord far away from it.

    Attributes:
        now: the time by Discord's clock.
        ahead: by how much the machine's is ahead of it.
    """

    def __init__(self, ahead: timedelta) -> None:
        self.now = NOON
        self.ahead = ahead
        self._slept = timedelta()
        self.time = DiscordClock(
            HostClocks(hour=self._hour, steady=self._steady, awake=self._awake)
        )

    def _hour(self) -> datetime:
        return self.now + self.ahead

    def _steady(self) -> float:
        return (self.now - NOON).total_seconds() + 7

    def _awake(self) -> float:
        return self._steady() - self._slept.total_seconds()

    def ask(self, there: timedelta, back: timedelta) -> None:
        """Ask Discord for anything; how long the question and the answer are under way."""
        asked = self.time.steady
        self.now += there
        date = format_datetime(self.now.replace(microsecond=0), usegmt=True)
        self.now += back
        self.time.tell(date, asked)

    @property
    def error(self) -> timedelta:
        """How far the hour is ahead of Discord's."""
        return self.time.now() - self.now


@pytest.mark.parametrize("jumps", [False, True])
def test_a_clock_that_is_wrong_by_up_to_a_day_does_no_harm(jumps: bool) -> None:
    """By minutes: from a day behind to a day ahead."""
    rng = Random(1)
    for minutes in range(-24 * 60, 24 * 60 + 1):
        machine = Machine(timedelta(minutes=minutes))
        for _ in range(3):
            there, back = (timedelta(seconds=rng.uniform(0, 0.5)) for _ in range(2))
            machine.ask(there, back)
            if jumps:
                machine.ahead = timedelta(minutes=rng.randint(-1_440, 1_440))
            # Never ahead: nothing is taken for heard that was not.
            assert -2 * SECOND <= machine.error <= timedelta()
            machine.now += timedelta(hours=rng.randint(0, 48))
            assert -2 * SECOND <= machine.error <= timedelta()


def test_a_moment_is_one_on_both_clocks_though_the_process_stands_still_while_it_reads_them() -> (
    None
):
    passed = iter([0.0, 3_600.0])  # an hour, once something has been read

    def then(clock: float) -> float:
        return clock + next(passed, 3_600.0)

    clocks = HostClocks(hour=lambda: NOON, steady=lambda: 0.0, awake=lambda: then(5.0))
    assert DiscordClock(clocks).moment() == (NOON, 3_605.0)


def test_until_an_answer_comes_the_machines_own_clock_tells() -> None:
    machine = Machine(timedelta(hours=5))
    assert machine.error == timedelta(hours=5)
    for unreadable in ("", "yesterday", "Mon, 99 Foo 2026 25:00:00 GMT"):
        machine.time.tell(unreadable, 0.0)
        assert machine.error == timedelta(hours=5)


def test_more_answers_tell_it_better_and_it_does_not_wander() -> None:
    rng, machine = Random(2), Machine(timedelta())
    errors = []
    for _ in range(200):
        machine.ask(timedelta(milliseconds=20), timedelta(milliseconds=20))
        errors.append(machine.error)
        machine.now += timedelta(seconds=rng.uniform(0, 60))
    assert all(later >= sooner for sooner, later in pairwise(errors))
    assert errors[-1] >= timedelta(milliseconds=-60)


def test_where_the_steady_clock_stood_still_the_next_answer_brings_the_hour_forward() -> None:
    machine = Machine(timedelta())
    machine.ask(SECOND, SECOND)
    at = machine.time.steady
    late = machine.now + timedelta(hours=3)
    machine.time.tell(format_datetime(late, usegmt=True), at)
    assert timedelta() <= late - machine.time.now() <= SECOND


def test_a_wrong_clock_is_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its own: how the process's logger writes is for whichever test comes first to set.
    told = LogCapture()
    monkeypatch.setattr(hour, "_log", structlog.wrap_logger(None, processors=[told]))
    machine = Machine(timedelta(minutes=-4))
    for _ in range(3):
        machine.ask(SECOND, SECOND)
    machine.ahead = timedelta(minutes=4)
    machine.ask(SECOND, SECOND)
    assert [line["ahead_s"] for line in told.entries] == [-239, 241]
