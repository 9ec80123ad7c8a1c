"""Tests for vacations: days per year, refusals, effect on clocks."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.base.ids import BEFORE_START
from bot.base.languages import IN_ENGLISH, reader_for
from bot.base.zones import Interval
from bot.play.model.clock import TimeControl
from bot.play.model.pauses import PauseReason
from bot.play.model.refusals import BadVacation, NoVacation, VacationProblem
from bot.play.store.store import Store
from bot.play.use_cases import clocks as rules
from bot.play.use_cases.clocks import ALLOWANCE, Allowance, Vacations, VacationSummary
from bot.play.words.clocks import vacations as vacations_line
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, CHANNEL, Table, raises

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
DAYS_CLOCK = TimeControl(bank=3 * DAY, increment=DAY, cap=3 * DAY)


@pytest.fixture
def vacations(store: Store, clock: Clock) -> Vacations:
    return Vacations(store, now=clock)


async def test_a_vacation_begins_at_once_and_takes_from_the_year(
    vacations: Vacations, clock: Clock
) -> None:
    absence = await vacations.start(ANN, 7)
    expected = VacationSummary(
        now=clock(),
        vacations=(Interval(begins=clock(), ends=clock() + 7 * DAY),),
        allowances=(Allowance(2026, 23 * DAY),),
    )
    assert absence == expected
    assert absence.running is not None
    assert await vacations.summary(ANN) == expected
    assert (await vacations.summary(BOB)).allowances == (Allowance(2026, ALLOWANCE),)
    clock.advance(days=7)
    over = await vacations.summary(ANN)
    assert (over.vacations, over.allowances) == ((), (Allowance(2026, 23 * DAY),))


async def test_a_vacation_is_planned_from_midnight_in_the_players_zone(
    vacations: Vacations, store: Store, clock: Clock
) -> None:
    await store.players.change(ANN, lambda chosen: replace(chosen, zone="Asia/Tokyo"))
    absence = await vacations.start(ANN, 2, " 2026-03-10 ")
    begins = datetime(2026, 3, 9, 15, tzinfo=UTC)
    assert absence.vacations == (Interval(begins=begins, ends=begins + 2 * DAY),)
    assert absence.running is None
    elsewhere = await vacations.start(BOB, 2, "2026-03-10")
    assert elsewhere.vacations[0].begins == datetime(2026, 3, 10, tzinfo=UTC)
    # Tokyo already has the second of January when it is the first in UTC.
    clock.time = datetime(2026, 3, 1, 16, tzinfo=UTC)
    today = await vacations.start(ANN, 1, "2026-03-02")
    assert today.vacations[0] == Interval(begins=clock(), ends=clock() + DAY)
    caught = await raises(BadVacation, vacations.start(ANN, 1, "2026-03-01"))
    assert caught.problem is VacationProblem.PAST


@pytest.mark.parametrize(
    ("typed", "language", "day"),
    [
        ("tomorrow", "en-GB", "2026-03-02"),
        ("Lunes", "es", "2026-03-02"),
        ("après-demain", "fr", "2026-03-03"),
        ("martedì 3", "it", "2026-03-03"),
        ("jueves, 24 de diciembre", "es-419", "2026-12-24"),
        ("24/12", "fr", "2026-12-24"),
        ("24. Dezember", "de", "2026-12-24"),
        ("31-1", "nl", "2027-01-31"),
        ("3/4", "en-US", "2026-03-04"),
        ("3/4", "en-GB", "2026-04-03"),
    ],
)
async def test_the_first_day_is_read_as_people_write_it(
    vacations: Vacations, clock: Clock, typed: str, language: str, day: str
) -> None:
    clock.time = datetime(2026, 3, 1, 16, tzinfo=UTC)
    absence = await vacations.start(ANN, 1, typed, language)
    assert absence.vacations[0].begins == datetime.fromisoformat(f"{day}T00:00:00+00:00")


async def test_a_vacation_can_be_planned_a_year_ahead(vacations: Vacations) -> None:
    absence = await vacations.start(ANN, 1, "2027-03-01")
    assert absence.vacations[0].begins == datetime(2027, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "first_day", "problem", "limit"),
    [
        (0, None, VacationProblem.LENGTH, ALLOWANCE),
        (31, None, VacationProblem.LENGTH, ALLOWANCE),
        (1, "soon", VacationProblem.UNREADABLE, timedelta()),
        (1, "31.11.", VacationProblem.UNREADABLE, timedelta()),
        (1, "tomorrow " * 9, VacationProblem.UNREADABLE, timedelta()),
        (1, "2026-02-30", VacationProblem.UNREADABLE, timedelta()),
        (1, "0000-01-01", VacationProblem.UNREADABLE, timedelta()),
        (1, "٢٠٢٦-١٢-٢٤", VacationProblem.UNREADABLE, timedelta()),
        (1, "2026-02-28", VacationProblem.PAST, timedelta()),
        (1, "2027-03-02", VacationProblem.TOO_FAR, 365 * DAY),
        (1, "9999-12-31", VacationProblem.TOO_FAR, 365 * DAY),
    ],
)
async def test_impossible_vacations_are_refused(
    vacations: Vacations,
    days: int,
    first_day: str | None,
    problem: VacationProblem,
    limit: timedelta,
) -> None:
    caught = await raises(BadVacation, vacations.start(ANN, days, first_day))
    assert (caught.problem, caught.limit) == (problem, limit)
    assert (await vacations.summary(ANN)).vacations == ()


async def test_vacations_do_not_overlap_but_may_follow_each_other(
    vacations: Vacations, clock: Clock
) -> None:
    first = (await vacations.start(ANN, 3, "2026-03-10")).vacations[0]
    for days, first_day in ((1, "2026-03-10"), (1, "2026-03-12"), (2, "2026-03-09"), (20, None)):
        caught = await raises(BadVacation, vacations.start(ANN, days, first_day))
        assert caught.problem is VacationProblem.OVERLAP
        assert caught.other == first
    await vacations.start(BOB, 3, "2026-03-10")
    await vacations.start(ANN, 1, "2026-03-13")
    absence = await vacations.start(ANN, 1, "2026-03-09")
    assert [vacation.begins.day for vacation in absence.vacations] == [9, 10, 13]
    assert absence.allowances == (Allowance(2026, 25 * DAY),)


async def test_vacations_stay_within_the_yearly_allowance(vacations: Vacations) -> None:
    await vacations.start(ANN, 20)
    await vacations.start(ANN, 8, "2026-05-01")
    caught = await raises(BadVacation, vacations.start(ANN, 3, "2026-06-01"))
    refused = caught
    assert (refused.problem, refused.year, refused.limit) == (
        VacationProblem.ALLOWANCE, 2026, 2 * DAY,
    )  # fmt: skip
    assert (await vacations.start(ANN, 2, "2026-06-01")).allowances[0].left == timedelta()


async def test_each_year_has_its_own_allowance(vacations: Vacations, clock: Clock) -> None:
    clock.time = datetime(2026, 12, 1, tzinfo=UTC)
    await vacations.start(ANN, 20)
    absence = await vacations.start(ANN, 25, "2026-12-22")
    assert absence.allowances == (Allowance(2026, timedelta()), Allowance(2027, 15 * DAY))
    clock.time = datetime(2027, 1, 10, tzinfo=UTC)
    absence = await vacations.summary(ANN)
    assert absence.running is not None
    assert absence.allowances == (Allowance(2027, 15 * DAY),)
    caught = await raises(BadVacation, vacations.start(ANN, 16, "2027-02-01"))
    assert (caught.year, caught.limit) == (2027, 15 * DAY)


async def test_the_rest_of_a_vacation_that_is_ended_is_given_back(
    vacations: Vacations, clock: Clock
) -> None:
    await vacations.start(ANN, 30)
    clock.advance(days=9, hours=6)
    ended, absence = await vacations.end(ANN)
    assert ended == Interval(begins=clock() - 9 * DAY - 6 * HOUR, ends=clock() + 20.75 * DAY)
    assert absence == VacationSummary(clock(), (), (Allowance(2026, 20 * DAY + 18 * HOUR),))
    await raises(NoVacation, vacations.end(ANN))


async def test_the_next_vacation_is_cancelled_if_none_is_running(
    vacations: Vacations, clock: Clock
) -> None:
    second = (await vacations.start(ANN, 2, "2026-04-10")).vacations[0]
    await vacations.start(ANN, 2, "2026-03-10")
    running = (await vacations.start(ANN, 1)).vacations[0]
    clock.advance(hours=1)
    assert (await vacations.end(ANN))[0] == running
    cancelled, absence = await vacations.end(ANN)
    assert cancelled.begins.month == 3
    assert absence.vacations == (second,)
    assert absence.allowances == (Allowance(2026, 28 * DAY - HOUR),)


async def test_a_vacation_ended_at_the_moment_of_its_beginning_never_was(
    vacations: Vacations,
) -> None:
    await vacations.start(ANN, 1)
    assert (await vacations.end(ANN))[1].allowances == (Allowance(2026, ALLOWANCE),)


async def test_two_vacations_at_once_cannot_take_more_than_there_is(
    vacations: Vacations, other: Table
) -> None:
    """Two processes with their own connections, in a race that one of them loses."""
    for _ in range(5):
        results = await asyncio.gather(
            vacations.start(ANN, 20, "2026-04-01"),
            other.vacations.start(ANN, 20, "2026-06-01"),
            return_exceptions=True,
        )
        assert sum(isinstance(result, VacationSummary) for result in results) == 1
        (refused,) = (result for result in results if isinstance(result, BadVacation))
        assert refused.problem is VacationProblem.ALLOWANCE
        assert (await vacations.summary(ANN)).allowances == (Allowance(2026, 10 * DAY),)
        await vacations.end(ANN)


@given(st.lists(st.tuples(st.integers(0, 364), st.integers(1, 30)), max_size=12))
def test_no_request_exceeds_the_allowance(wishes: list[tuple[int, int]]) -> None:
    """This tests the rule itself, without a database."""
    begin = datetime(2026, 7, 1, tzinfo=UTC)
    taken: list[Interval] = []
    for ahead, days in wishes:
        wanted = Interval(begins=begin + ahead * DAY, ends=begin + (ahead + days) * DAY)
        with suppress(BadVacation):
            rules._check(wanted, taken)
            taken.append(wanted)
    away = sorted(taken, key=lambda one: one.begins)
    assert all(one.ends <= other.begins for one, other in pairwise(away))
    for year in (2026, 2027):
        of_year = sum(
            (item.begins + n * DAY).year == year
            for item in taken
            for n in range((item.ends - item.begins).days)
        )
        assert of_year <= 30


# The effect of vacations on clocks


async def test_a_clock_stops_while_its_player_is_away(
    table: Table, vacations: Vacations, clock: Clock
) -> None:
    await table.begin(clock=DAYS_CLOCK)  # Ann has 3 days
    began = clock()
    clock.advance(days=1)
    await vacations.start(ANN, 7)
    game = await table.game_cache.running_in(CHANNEL)
    assert game.clock is not None
    told = await table.games.unannounced(game.row.id, game.row.revision, BEFORE_START)
    assert told.pause is not None
    assert told.pause.reason is PauseReason.VACATION
    clock.advance(days=8)  # 1 day + 7 days of vacation + 1 day: 1 day is left
    assert await table.look() == []
    update_after = await table.play(ANN, "a1")
    assert update_after.game.clock is not None
    assert update_after.game.clock.white == 2 * DAY
    assert update_after.game.clock.since == clock() == began + 9 * DAY


async def test_the_other_players_vacation_stops_no_clock(
    table: Table, vacations: Vacations, clock: Clock
) -> None:
    await table.begin(clock=DAYS_CLOCK)
    await vacations.start(BOB, 7)
    clock.advance(days=2)
    game = (await table.play(ANN, "a1")).game
    assert game.clock is not None
    assert game.clock.white == 2 * DAY
    clock.advance(days=5, hours=1)  # but Bob's own clock was paused
    game = (await table.play(BOB, "b1")).game
    assert game.clock is not None
    assert game.clock.black == 3 * DAY


async def test_live_games_are_not_paused(table: Table, vacations: Vacations, clock: Clock) -> None:
    live = TimeControl(bank=timedelta(minutes=15))
    await table.begin(clock=live)
    await vacations.start(ANN, 7)
    clock.advance(minutes=10)
    game = (await table.play(ANN, "a1")).game
    assert game.clock is not None
    assert game.clock.white == timedelta(minutes=5)


async def test_time_runs_out_soon_after_a_vacation_is_ended_early(
    table: Table, vacations: Vacations, clock: Clock
) -> None:
    await table.begin(clock=DAYS_CLOCK)
    clock.advance(days=2, hours=23)
    await vacations.start(ANN, 20)
    await table.look()
    clock.advance(hours=23)
    # nothing can happen for days, so one check a day is enough
    assert await table.timekeeper.due(ALL) == {}
    await vacations.end(ANN)
    assert await table.timekeeper.due(ALL) != {}
    assert await table.look() == []
    clock.advance(hours=1)
    assert len(await table.look()) == 1


# Texts


def absence(*vacations: Interval, left: timedelta = 23 * DAY) -> VacationSummary:
    return VacationSummary(datetime(2026, 3, 1, tzinfo=UTC), vacations, (Allowance(2026, left),))


NOW = absence().now
RUNNING = Interval(begins=NOW - DAY, ends=NOW + 6 * DAY)
PLANNED = Interval(begins=NOW + 10 * DAY, ends=NOW + 12 * DAY)


def at(moment: datetime) -> str:
    return f"<t:{int(moment.timestamp())}:f>"


def test_vacations_in_a_line() -> None:
    assert vacations_line(IN_ENGLISH, absence(RUNNING, PLANNED)) == (
        "**Vacation**: "
        f"You are on vacation until {at(RUNNING.ends)} (<t:{int(RUNNING.ends.timestamp())}:R>). "
        f"You are on vacation from {at(PLANNED.begins)} to {at(PLANNED.ends)}. "
        "All your clocks pause, in every server, except in live games. 23 days left of 30 in 2026."
    )
    left = 20 * DAY + 18 * HOUR + timedelta(minutes=59)
    assert vacations_line(IN_ENGLISH, absence(left=left)) == (
        "**Vacation**: 20 days left of 30 in 2026."
    )


def test_the_days_left_agree_with_their_number() -> None:
    spanish = reader_for("es")
    for left, said in ((DAY + 23 * HOUR, "Te queda 1 día de 30"), (HOUR, "Te quedan 0 días de 30")):
        assert vacations_line(spanish, absence(left=left)).endswith(f": {said} en 2026.")
