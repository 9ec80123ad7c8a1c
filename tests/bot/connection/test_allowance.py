"""Tests for the limit on session starts, over simulated days."""

from datetime import timedelta
from itertools import count

import pytest

from bot.connection.session_budget import (
    DAY,
    Permit,
    SessionBudget,
    SessionLimit,
    SessionStart,
    SessionWait,
)
from tests.bot.conftest import Clock

ALLOWANCE = SessionBudget()


def terms(
    clock: Clock, *, total: int = 1_000, remaining: int | None = None, at_a_time: int = 1
) -> SessionLimit:
    return SessionLimit(
        total=total,
        remaining=total if remaining is None else remaining,
        asked_at=clock.time,
        resets_at=clock.time + DAY,
        concurrency=at_a_time,
    )


class Ledger:
    """The session starts in the database."""

    def __init__(self, clock: Clock, said: SessionLimit) -> None:
        self.clock = clock
        self.since = clock.time
        self.terms = said
        self.begun: list[SessionStart] = []

    def ask(self, shard: int = 0, shards: int = 1) -> Permit:
        now = self.clock.time
        recent = [item for item in self.begun if item.at > now - DAY]
        return ALLOWANCE.permit(shard, shards, recent, self.terms, now=now, since=self.since)

    def begin(self, shard: int = 0, shards: int = 1) -> set[SessionWait]:
        """Wait until a session may be started, and start it. Return the time waited."""
        reasons = set()
        while (permit := self.ask(shard, shards)).at > self.clock.time:
            self.clock.time = permit.at
            reasons.add(permit.reason)
        self.begun.append(SessionStart(shard=shard, count=shards, at=self.clock.time))
        return reasons

    def most_in_a_day(self) -> int:
        moments = [item.at for item in self.begun]
        return max(sum(at <= moment < at + DAY for moment in moments) for at in moments)


@pytest.fixture
def ledger(clock: Clock) -> Ledger:
    return Ledger(clock, terms(clock))


def test_the_first_hundred_sessions_a_day_wait_no_longer_than_necessary(
    ledger: Ledger,
) -> None:
    for _ in range(102):
        ledger.begin()
    apart = [
        (one.at - other.at).total_seconds()
        for one, other in zip(ledger.begun[1:], ledger.begun, strict=False)
    ]
    assert apart == [5.5] * 99 + [864.0] * 2
    assert ledger.begun[0].at == ledger.since


@pytest.mark.parametrize("ahead", [timedelta(minutes=4), DAY])
def test_a_host_whose_clock_was_ahead_when_the_process_began_waits_for_nothing(
    ledger: Ledger, ahead: timedelta
) -> None:
    ledger.since += ahead
    assert ledger.begin() == set()


@pytest.mark.parametrize("lasts_s", [0, 30, 900, 1_300])
def test_however_long_sessions_last_there_are_at_most_two_hundred_a_day(
    ledger: Ledger, *, lasts_s: int
) -> None:
    ends = ledger.clock.time + timedelta(days=2)
    while ledger.clock.time < ends:
        ledger.begin()
        ledger.clock.advance(seconds=lasts_s)
    assert ledger.most_in_a_day() <= 200


@pytest.mark.parametrize(("shards", "at_a_time"), [(16, 1), (16, 16), (100, 16), (300, 16)])
def test_a_big_bot_starts_as_fast_as_discord_lets_it(
    clock: Clock, shards: int, at_a_time: int
) -> None:
    total = max(1_000, shards * 10)
    ledger = Ledger(clock, terms(clock, total=total, at_a_time=at_a_time))
    for again in range(2):  # it was killed, and starts again
        began = clock.time
        for shard in range(shards):
            assert ledger.begin(shard, shards) <= {SessionWait.TURN}
        rounds = -(-shards // at_a_time) - (not again)
        assert clock.time - began == rounds * ALLOWANCE.apart


def test_many_failing_shards_stay_below_discords_limit(clock: Clock) -> None:
    ledger = Ledger(clock, terms(clock))
    ends = clock.time + timedelta(hours=30)
    for number in count():
        ledger.begin(number % 40, 40)
        if clock.time > ends:
            break
    assert ledger.most_in_a_day() <= 800


def test_a_shard_does_not_wait_for_the_fault_of_another(clock: Clock) -> None:
    ledger = Ledger(clock, terms(clock))
    ends = clock.time + DAY
    while clock.time < ends:
        ledger.begin(3, 8)
    assert ledger.most_in_a_day() <= 200
    clock.advance(seconds=6)
    assert ledger.begin(4, 8) == set()
    assert SessionWait.TOKEN in ledger.begin(3, 8)


def test_the_last_ones_are_left_for_other_programs(clock: Clock) -> None:
    ledger = Ledger(clock, terms(clock, remaining=100))
    permit = ledger.ask()
    assert (permit.reason, permit.at) == (SessionWait.DISCORD, ledger.terms.resets_at)


@pytest.mark.parametrize(
    ("total", "shards", "kept"),
    [(1_000, 1, 100), (1_000, 200, 400), (100, 200, 50), (1_000, 8, 100)],
)
def test_a_tenth_is_left_or_two_for_each_shard_but_at_most_half(
    clock: Clock, total: int, shards: int, kept: int
) -> None:
    at_the_end = Ledger(clock, terms(clock, total=total, remaining=kept)).ask(0, shards)
    assert at_the_end.reason is SessionWait.DISCORD
    before = Ledger(clock, terms(clock, total=total, remaining=kept + 1)).ask(0, shards)
    assert before.reason is not SessionWait.DISCORD


def test_with_few_session_starts_left_the_others_wait_for_a_day(clock: Clock) -> None:
    ledger = Ledger(clock, terms(clock, total=3))
    for _ in range(2):
        assert ledger.begin() <= {SessionWait.TURN}
    permit = ledger.ask()
    assert (permit.reason, permit.at) == (SessionWait.TOKEN, clock.time + DAY)


def test_games_of_another_database_count_by_discords_data(clock: Clock) -> None:
    """Like a bot in a container that loses its file at each start."""
    ledger = Ledger(clock, terms(clock, remaining=700))
    permit = ledger.ask()
    assert permit.reason is SessionWait.TOKEN
    assert timedelta(minutes=10) < permit.at - clock.time < timedelta(minutes=20)


def test_a_new_day_restores_all_session_starts(clock: Clock) -> None:
    ledger = Ledger(clock, terms(clock, remaining=0))
    clock.advance(days=1)
    assert ledger.ask().at <= clock.time


def test_later_session_starts_are_subtracted_from_discords_count(clock: Clock) -> None:
    said = terms(clock, remaining=700)
    asked = clock.time
    moments = (asked - timedelta(hours=1), asked, asked + timedelta(seconds=1), asked + DAY / 2)
    history = [SessionStart(shard=shard, count=4, at=at) for shard, at in enumerate(moments)]
    assert said.remaining_at(history, asked + DAY / 2) == 698
    assert said.remaining_at(history, said.resets_at) == said.total


def test_a_tenth_of_discords_limit_is_left_unused(clock: Clock) -> None:
    ledger = Ledger(clock, terms(clock, total=100))
    for _ in range(45):
        assert ledger.begin() <= {SessionWait.TURN}
    assert SessionWait.TOKEN in ledger.begin()
