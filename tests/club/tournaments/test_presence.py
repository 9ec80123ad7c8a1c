"""Tests for finding absent players and expired deadlines."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval
from bot.people.model import TooManyStops
from bot.people.use_cases.stops import Stops
from bot.play.model.clock import TimeControl
from bot.play.words.boards import board
from club.tournaments.model.tournament import Pairing, PairingResult, TournamentFormat
from club.tournaments.refusals import BadTerms, Problem, TournamentRefusal
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.pairings import Presence, PresenceCheck
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.table import ANN, BOB, CID, GUILD, Table, raises
from tests.club.tournaments.directed import LIVE, Event, black_of, game_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
ROBIN = TournamentFormat.ROUND_ROBIN


async def looked(event: Event, *, heard: datetime | None = None) -> PresenceCheck:
    """Return the result of a check now. Everything was received up to a moment, or up to now."""
    table = event.table

    async def until() -> datetime:
        return heard or table.clock()

    return await Presence(table.does).check(await event.now(), received_until=until)


async def one_game(
    table: Table, players: Sequence[UserId] = (ANN, BOB), **terms: Any
) -> tuple[Event, Pairing]:
    """A running round robin of two people."""
    event = await Event.begun(table, players, format=ROBIN, **terms)
    (pairing,) = await event.play_round()
    return event, pairing


async def waits(event: Event, pairing: Pairing) -> PresenceCheck:
    """Return the result of a check after the wait for the player to move in the only game."""
    row = (await event.table.game_cache.existing(game_of(pairing))).row
    return PresenceCheck(waited_for=((row.id, row.revision),))


async def test_a_week_without_announcements_gives_no_points(
    table: Table,
) -> None:
    event = await Event.begun(table, (ANN, BOB, CID, UserId(104)), format=ROBIN)
    await event.tick()
    first, second = (await event.now()).pairings[-2:]
    began = table.clock()
    assert await looked(event) == PresenceCheck(next_at=began + 7 * DAY)
    table.clock.advance(days=7, seconds=-1)
    assert (await looked(event)).decided == ()
    table.clock.advance(seconds=1)
    found = await looked(event)
    assert sorted(found.decided, key=lambda one: one.board) == [
        replace(item, result=PairingResult.NEITHER, forfeit=True) for item in (first, second)
    ]
    assert (found.absent, found.next_at) == (frozenset(), None)
    assert (await looked(event, heard=began + 7 * DAY - SECOND)).decided == ()


async def test_the_next_time_that_is_up_is_the_rounds_where_that_is_earlier(table: Table) -> None:
    event = await Event.begun(table, (ANN, BOB), format=ROBIN, round_time=3 * DAY)
    await event.tick()
    assert (await looked(event)).next_at == table.clock() + 3 * DAY
    await event.play_round()
    assert (await looked(event)).next_at == table.clock() + 3 * DAY


async def test_in_a_live_game_each_has_five_minutes_for_their_first_move(table: Table) -> None:
    event, pairing = await one_game(table, clock=LIVE)
    assert await looked(event) == PresenceCheck(next_at=table.clock() + 5 * MINUTE)
    table.clock.advance(minutes=5)
    assert await looked(event) == await waits(event, pairing), "White's time is up"
    table.clock.advance(minutes=-1)
    await event.move(pairing)
    assert await looked(event) == PresenceCheck(next_at=table.clock() + 5 * MINUTE)
    table.clock.advance(minutes=5)
    assert await looked(event) == await waits(event, pairing), "and Black's"
    await event.move(pairing)
    table.clock.advance(hours=1)
    assert await looked(event) == PresenceCheck(), "both have been there: now their clocks decide"


async def test_nobody_must_be_present_while_the_bot_is_offline(table: Table) -> None:
    event, pairing = await one_game(table, clock=LIVE)
    began = table.clock()
    away = Interval(begins=began + MINUTE, ends=began + 31 * MINUTE)
    await table.store.outages.add(0, 1, away)
    table.clock.advance(minutes=31)
    assert await looked(event) == PresenceCheck(next_at=began + 35 * MINUTE)
    table.clock.advance(minutes=4)
    assert await looked(event) == await waits(event, pairing)


async def test_players_who_appear_during_a_check_are_present(table: Table) -> None:
    """A turn of the other player that has just started does not count as missed."""
    event, pairing = await one_game(table, clock=LIVE)
    table.clock.advance(minutes=5)

    async def heard_until() -> datetime:
        await event.move(pairing)
        return table.clock()

    updates = await table.of(Director).check(event.id, event.around(heard_until))
    assert updates == []
    assert await event.running() == [pairing]
    assert (await looked(event)).next_at == table.clock() + 5 * MINUTE


async def test_slow_games_need_no_presence_at_once(table: Table) -> None:
    event, _ = await one_game(table)
    table.clock.advance(days=30)
    assert await looked(event) == PresenceCheck()


async def test_when_a_rounds_time_is_up_who_never_came_has_not_come(table: Table) -> None:
    event, pairing = await one_game(table, clock=None, round_time=3 * DAY)
    deadline = table.clock() + 3 * DAY
    table.clock.advance(hours=1)
    await event.move(pairing)
    table.clock.advance(days=3)
    won = replace(pairing, result=PairingResult.WHITE, forfeit=True)
    assert await looked(event, heard=deadline) == PresenceCheck(
        (won,), frozenset({black_of(pairing)})
    )
    assert await looked(event, heard=deadline - SECOND) == PresenceCheck()


async def test_two_absent_players_end_the_wait(table: Table) -> None:
    event, pairing = await one_game(table, clock=None, round_time=3 * DAY)
    table.clock.advance(days=3)
    assert await looked(event) == await waits(event, pairing)


async def ask_players(event: Event) -> tuple[Pairing, UserId]:
    """Return the only pairing once White's time is up, and the players who are asked."""
    await event.tick()
    await event.table.look()
    (pairing,) = (await event.now()).pairings
    assert pairing.asks
    return pairing, black_of(pairing)


def nobodys(pairing: Pairing) -> Pairing:
    return replace(pairing, result=PairingResult.NEITHER, forfeit=True)


@pytest.mark.parametrize(
    ("terms", "first", "answer"),
    [
        ({}, DAY, DAY),
        ({"clock": LIVE}, 5 * MINUTE, 5 * MINUTE),
        ({"clock": None, "round_time": 3 * DAY}, 3 * DAY, DAY),
        ({"round_time": 30 * HOUR}, DAY, DAY),
    ],
)
async def test_players_without_a_turn_have_a_day_to_confirm_their_presence(
    table: Table, terms: dict[str, Any], first: timedelta, answer: timedelta
) -> None:
    event, _ = await one_game(table, **terms)
    table.clock.advance(seconds=first.total_seconds())
    pairing, black = await ask_players(event)
    until = table.clock() + answer
    assert await looked(event) == PresenceCheck(next_at=until)
    table.clock.time = until
    assert await looked(event) == PresenceCheck((nobodys(pairing),), frozenset({black}))
    assert await looked(event, heard=until - SECOND) == PresenceCheck()


async def test_presence_questions_wait_longer_during_outages(table: Table) -> None:
    event, _ = await one_game(table, round_time=30 * HOUR)
    table.clock.advance(days=1)
    await ask_players(event)
    began = table.clock()
    away = Interval(begins=began + HOUR, ends=began + 11 * HOUR)
    await table.store.outages.add(0, 1, away)
    assert (await looked(event)).next_at == began + 34 * HOUR


@pytest.mark.parametrize(
    ("terms", "until"),
    [
        ({}, 6 * DAY),
        ({"clock": LIVE}, 5 * MINUTE),
        ({"round_time": 4 * DAY}, 3 * DAY),
        ({"round_time": 30 * HOUR}, DAY),
    ],
)
async def test_presence_questions_during_a_vacation_wait_until_after_it_or_the_rounds_end(
    table: Table, terms: dict[str, Any], until: timedelta
) -> None:
    event, _ = await one_game(table, **terms)
    table.clock.advance(**({"minutes": 5} if "clock" in terms else {"days": 1}))
    _, black = await ask_players(event)
    began = table.clock()
    await table.vacations.start(black, 5)
    assert (await looked(event)).next_at == began + until


async def test_missing_players_are_not_waited_for(table: Table) -> None:
    event, _ = await one_game(table)
    table.clock.advance(days=1)
    pairing, black = await ask_players(event)
    await table.of(Tournaments).withdraw(event.id, black)
    assert await looked(event) == PresenceCheck((nobodys(pairing),))


WHITE, BLACK, DRAW = PairingResult.WHITE, PairingResult.BLACK, PairingResult.DRAW
SLOW = TimeControl(bank=20 * DAY)
RESTS = TimeControl(bank=20 * DAY, weekends="UTC")
"""It started on a Sunday at noon."""


@pytest.mark.parametrize(
    ("control", "hours", "days", "result"),
    [
        (None, (30, 36, 6), 3, DRAW),
        (None, (30, 35, 7), 3, BLACK),
        (None, (30, 37, 5), 3, WHITE),
        (None, (37, 34), 3, BLACK),
        (None, (35, 1, 5, 30), 3, BLACK),
        (None, (29, 30, 1), 3, WHITE),
        (SLOW, (30, 36, 6), 3, DRAW),
        (SLOW, (35, 1, 5, 30), 3, BLACK),
        (RESTS, (40, 30), 3, DRAW),
        (RESTS, (41, 29), 3, BLACK),
        (RESTS, (32, 48, 40), 7, DRAW),
        (RESTS, (32, 48, 39), 7, WHITE),
    ],
)
async def test_of_two_present_players_the_slower_one_loses(
    table: Table,
    control: TimeControl | None,
    hours: tuple[int, ...],
    days: int,
    result: PairingResult,
) -> None:
    table.clock.time = datetime(2026, 3, 1, 12, tzinfo=UTC)
    event, pairing = await one_game(table, clock=control, round_time=days * DAY)
    deadline = table.clock() + days * DAY
    for spent in hours:
        table.clock.advance(hours=spent)
        await event.move(pairing)
    table.clock.time = deadline
    assert await looked(event) == PresenceCheck((replace(pairing, result=result),))


@pytest.mark.parametrize("length", [4 * DAY, 7 * DAY])
async def test_while_the_bot_is_away_no_round_ends(table: Table, length: timedelta) -> None:
    event, pairing = await one_game(table, round_time=length)
    began = table.clock()
    await event.move(pairing, 2)
    table.clock.advance(hours=22)
    away = Interval(begins=table.clock(), ends=table.clock() + length)
    table.clock.time = away.ends
    await table.store.outages.add(0, 1, away)
    assert (await looked(event)).decided == ()
    assert (await looked(event)).next_at == began + 2 * length


async def test_while_a_moderator_has_stopped_all_clocks_no_round_ends(table: Table) -> None:
    event, _ = await one_game(table, round_time=4 * DAY)
    deadline = table.clock() + 4 * DAY
    table.clock.advance(hours=22)
    await table.of(Stops).begin(GUILD, 7)
    table.clock.time = deadline + DAY
    assert (await looked(event)).decided == ()
    assert (await looked(event)).next_at == deadline + 7 * DAY


async def test_no_round_ends_while_its_clocks_are_stopped(table: Table) -> None:
    event, pairing = await one_game(table, round_time=4 * DAY)
    other, elsewhere = await one_game(
        table, (CID, UserId(104)), name="Other Cup", round_time=4 * DAY
    )
    began, tournaments = table.clock(), table.of(Tournaments)
    table.clock.advance(hours=22)
    await event.act("stop", days=7)
    assert await tournaments.stopped_until(await event.now()) == table.clock() + 7 * DAY
    assert await tournaments.stopped_until(await other.now()) is None
    assert (await looked(other)).next_at == began + 4 * DAY
    table.clock.advance(days=5)
    over = [update.game.row.id for update in await table.look()]
    assert over == [game_of(elsewhere)], "no other clock runs"
    assert (await looked(event)).decided == ()
    assert (await looked(event)).next_at == began + 11 * DAY
    assert (await event.now()).newest_round_ends == began + 11 * DAY
    await event.act("resume")
    assert await tournaments.stopped_until(await event.now()) is None
    assert (await looked(event)).next_at == began + 9 * DAY
    table.clock.advance(hours=3)
    (lost,) = await table.look()
    assert lost.game.row.id == game_of(pairing)
    assert not lost.game.is_running


async def test_the_rights_and_limits_of_stopping_clocks(table: Table) -> None:
    async def refused(doing: Awaitable[object]) -> Problem:
        return (await raises(TournamentRefusal, doing)).problem

    waiting = await Event.create(table, (ANN, BOB))
    assert await refused(waiting.act("stop", days=7)) is Problem.NOT_BEGUN
    event, _ = await one_game(table)
    assert await refused(event.act("stop", ANN, days=7)) is Problem.NOT_ORGANIZER
    assert await refused(event.act("resume", ANN)) is Problem.NOT_ORGANIZER
    assert await refused(event.act("resume")) is Problem.NOT_STOPPED
    for days in (0, 61):
        await raises(BadTerms, event.act("stop", days=days))
    for days in (1, 2, 60):
        await event.act("stop", days=days)
    await raises(TooManyStops, event.act("stop", days=7))
    until = table.clock() + 60 * DAY
    assert await table.of(Tournaments).stopped_until(await event.now()) == until, (
        "the newest counts"
    )


async def test_a_vacation_stops_the_clock_and_not_the_round(table: Table) -> None:
    table.clock.time = datetime(2026, 3, 1, 12, tzinfo=UTC)
    event, pairing = await one_game(table, round_time=4 * DAY)
    deadline = table.clock() + 4 * DAY
    table.clock.advance(hours=1)
    await event.move(pairing)
    table.clock.advance(hours=2)
    await event.move(pairing)
    await table.vacations.start(pairing.white, 10)
    table.clock.time = deadline
    won = replace(pairing, result=PairingResult.WHITE)
    assert await looked(event) == PresenceCheck((won,)), "the days of a vacation aren't used"


async def test_a_game_that_its_round_ends_says_so(table: Table) -> None:
    event, pairing = await one_game(table, round_time=4 * DAY)
    await event.move(pairing, 8)
    table.clock.advance(days=4)

    async def heard_until() -> datetime:
        return table.clock()

    updates = await table.of(Director).check(event.id, event.around(heard_until))
    (ended,) = [update for update in updates if not update.game.is_running]
    said = board(IN_ENGLISH, ended).content
    assert f"The round is over, and <@{pairing.white}> has used more time." in said
    assert "ran out of time" not in said


async def test_in_a_ladder_a_vacation_comes_before_a_loss_on_time(
    table: Table,
) -> None:
    event = await Event.begun(table, (ANN, BOB), format=TournamentFormat.LADDER)
    control = TimeControl(bank=DAY, increment=DAY, cap=DAY)
    game = await table.begin(clock=control, rated=True)
    assert game.row.tournament == event.id
    for _ in range(8):
        game = (await table.move(game)).game
    table.clock.advance(days=1, minutes=1)
    (saved,) = await table.look()
    assert saved.game.is_running
    assert (await table.vacations.summary(ANN)).running is not None
