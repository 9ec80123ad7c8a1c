"""Tests for the limit on pings between two people, on both databases."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from bot.base.ids import ChannelId, GuildId, UserId
from bot.database.connection import AsyncEngine
from bot.play.game_changes import GameUpdate
from bot.play.model.conduct import CHALLENGE_PINGS, OFFER_PINGS, PingRate
from bot.play.model.game import Game, Offer
from bot.play.model.refused_starts import AskedTooOften, NotNow
from bot.play.store.schema import pings
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, Table, raises
from tests.games import random_game

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
OTHER_GUILD = GuildId(2 << 22)
MACHINE = UserId(999)
DAY = timedelta(days=1)


# The calculation


def test_an_allowance_is_several_in_a_row_and_then_one_at_a_time() -> None:
    allowance = PingRate(3, every=timedelta(hours=2))
    until = None
    for number in range(1, 4):
        until = allowance.count(until, NOON)
        assert until == NOON + number * timedelta(hours=2)
    assert until is not None
    assert allowance.count(until, NOON) is None
    assert allowance.next_at(until) == NOON + timedelta(hours=2)
    assert allowance.count(until, NOON + timedelta(hours=1, minutes=59)) is None
    assert allowance.count(until, NOON + timedelta(hours=2)) == NOON + timedelta(hours=8)
    later = NOON + timedelta(days=9)
    assert allowance.count(until, later) == later + timedelta(hours=2)  # unused pings don't add up


def test_simultaneous_requests_count_in_any_order() -> None:
    """The time is taken before the lock, so a later ping may be counted first."""
    allowance, until = PingRate(3, every=timedelta(hours=2)), None
    for earlier in (0, 40, 5):
        until = allowance.count(until, NOON - timedelta(milliseconds=earlier))
        assert until is not None
    assert allowance.count(until, NOON) is None


def most_in(allowance: PingRate, time: timedelta) -> int:
    """Return how many pings are allowed if someone tries every minute."""
    until, through = None, 0
    for minute in range(time // timedelta(minutes=1)):
        counted = allowance.count(until, NOON + timedelta(minutes=minute))
        until, through = counted or until, through + (counted is not None)
    return through


def test_the_documented_limits() -> None:
    """RELIABILITY.md states the same limits."""
    assert most_in(CHALLENGE_PINGS, timedelta(hours=1)) == 5
    assert most_in(CHALLENGE_PINGS, DAY) == 10
    assert most_in(CHALLENGE_PINGS, 30 * DAY) == 4 + 30 * 6
    assert most_in(OFFER_PINGS, timedelta(hours=1)) == 6
    assert most_in(OFFER_PINGS, DAY) == 5 + 24


# Challenges and rematches


Closing = Callable[[Table], Awaitable[None]]


async def cancelled(table: Table) -> None:
    await table.lobby.cancel(await table.challenge(), ANN)


async def declined(table: Table) -> None:
    await table.lobby.decline(await table.challenge(), BOB)


async def left_open(table: Table) -> None:
    await table.challenge()


async def in_another_server(table: Table) -> None:
    await table.lobby.cancel(await table.challenge(guild=OTHER_GUILD), ANN)


@pytest.mark.parametrize("again", [cancelled, declined, left_open, in_another_server])
async def test_five_challenges_are_the_limit_whatever_their_state(
    table: Table, clock: Clock, again: Closing
) -> None:
    for _ in range(5):
        await again(table)
    for _ in range(3):  # refused, so it doesn't count
        assert (await raises(NotNow, table.challenge())).who == BOB
    await raises(NotNow, table.challenge(guild=GuildId(3 << 22)))
    await table.challenge(CID)
    await table.challenge(BOB, challenger=CID)
    clock.advance(hours=4)
    await table.challenge()
    await raises(NotNow, table.challenge())


async def test_expired_challenges_count_until_they_are_forgotten(
    table: Table, clock: Clock, engine: AsyncEngine
) -> None:
    async def remembered() -> int:
        async with engine.connect() as connection:
            rows = await connection.execute(select(func.count()).select_from(pings))
            return int(rows.scalar_one())

    for _ in range(3):
        await table.challenge()
    await table.challenge(CID)
    await table.lobby.expire(ALL)
    assert await remembered() == 2
    clock.advance(hours=4)
    await table.lobby.expire(ALL)
    assert await remembered() == 1
    clock.advance(hours=8)
    await table.lobby.expire(ALL)
    assert await remembered() == 0  # expired rows are deleted


async def test_an_accepted_challenge_makes_up_for_all_before_it(table: Table) -> None:
    """Friends who play one game after another never reach the limit."""
    for _ in range(4):
        await cancelled(table)
    for _ in range(12):
        await table.begin()
        await table.end(ANN)
    for _ in range(5):
        await cancelled(table)


async def test_challengers_accept_challenges(table: Table) -> None:
    for _ in range(5):
        await cancelled(table)
    early = await table.challenge(ANN, challenger=BOB)
    await cancelled(table)
    await table.accept(early, ANN)


async def test_a_challenge_can_always_be_accepted_by_the_person_asked(table: Table) -> None:
    asked = await table.challenge(ANN, challenger=BOB)
    for _ in range(5):
        await cancelled(table)
    await raises(NotNow, table.challenge())
    await table.accept(asked, ANN)


async def test_people_who_may_not_challenge_cannot_accept_open_challenges(
    table: Table, clock: Clock
) -> None:
    asked = await table.challenge(None, challenger=BOB)
    for _ in range(5):
        await cancelled(table)
    assert (await raises(NotNow, table.accept(asked, ANN))).who == BOB
    clock.advance(hours=4)
    await table.accept(asked, ANN)


async def test_accepting_open_challenges_costs_nothing(table: Table) -> None:
    for _ in range(12):
        await table.accept(await table.challenge(None, challenger=BOB), ANN)
        await table.end(ANN)
    for _ in range(5):
        await cancelled(table)


async def test_rematches_count_as_challenges(table: Table, clock: Clock) -> None:
    game = await table.ended()
    row, update = await table.rematch(game, ANN)
    assert update is None
    await table.lobby.cancel(row.id, ANN)
    clock.advance(minutes=1)
    for _ in range(4):
        await cancelled(table)
    await raises(NotNow, table.challenge())
    await table.rematch(game, BOB)
    _, update = await table.rematch(game, ANN)  # she is asked
    assert update is not None


async def test_the_machine_can_be_challenged_any_number_of_times(table: Table) -> None:
    for _ in range(7):
        row = await table.challenge(MACHINE, level=1)
        await table.lobby.cancel(row, ANN)


async def test_two_processes_challenge_the_same_person_at_once(table: Table, other: Table) -> None:
    results = await asyncio.gather(
        # Each challenge is in its own server, so that no server's lock helps.
        *((table, other)[n % 2].challenge(guild=GuildId((5 + n) << 22)) for n in range(12)),
        return_exceptions=True,
    )
    kinds = [type(result).__name__ for result in results]
    assert sorted(kinds) == ["NotNow"] * 7 + ["int"] * 5


@pytest.mark.both_databases(thorough="its rows are rows of a backup")
async def test_the_limit_outlives_a_restart(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    for _ in range(5):
        await cancelled(table)
    again = Table(Store(engine), clock)
    again.last_source = 800_000
    await raises(NotNow, again.challenge())


# Offers


async def plays_on(table: Table, move: int) -> Game:
    """Return the next two plies."""
    for text in random_game(1)[2 * move : 2 * move + 2]:
        await table.move(await table.game_cache.running_in(CHANNEL), text)
    return await table.game_cache.running_in(CHANNEL)


async def asks(table: Table, what: Offer = Offer.DRAW, user: UserId = ANN) -> GameUpdate:
    return await table.ask(user, what)


async def test_six_offers_are_the_limit(table: Table, clock: Clock) -> None:
    """The limit holds for all offers and answers. Moves are never limited."""
    await table.begin()
    for move, what in enumerate([Offer.DRAW, Offer.FINISH, Offer.TAKEBACK] * 2):
        await plays_on(table, move)
        clock.advance(minutes=2)
        offered = await asks(table, what)
        if move % 3 < 2:
            await table.decline(offered.game, (ANN, BOB)[move % 3])
    game = await plays_on(table, 6)
    for what in Offer:
        caught = await raises(AskedTooOften, asks(table, what))
        assert timedelta() < caught.possible_from - clock() <= timedelta(hours=1)
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == game.row.revision
    await plays_on(table, 7)
    clock.time = caught.possible_from
    await asks(table)
    await plays_on(table, 8)
    await raises(AskedTooOften, asks(table))
    await asks(table, user=BOB)
    await table.lobby.cancel(await table.challenge(), ANN)  # challenges are counted separately


async def test_offers_in_several_games_count_together(table: Table) -> None:
    await table.begin()
    for move in range(6):
        await plays_on(table, move)
        await asks(table)
    await table.end(ANN)
    await table.begin(guild=OTHER_GUILD)
    await raises(AskedTooOften, asks(table))


async def test_an_accepted_offer_makes_up_for_those_before_it(table: Table, clock: Clock) -> None:
    await table.begin()
    for move in range(5):
        await plays_on(table, move)
        await asks(table)
    clock.advance(minutes=2)
    await plays_on(table, 5)
    clock.advance(minutes=2)
    await table.agree((await asks(table, Offer.TAKEBACK)).game, BOB)
    for move in range(6, 12):
        await table.play(ANN, str(random_game(1)[2 * move - 2]))
        await table.play(BOB, str(random_game(1)[2 * move - 1]))
        await asks(table)


async def test_the_machine_can_be_asked_any_number_of_times(table: Table) -> None:
    update = await table.accept(await table.challenge(MACHINE, level=1), MACHINE)
    game = update.game
    for _ in range(9):
        await table.play(
            ANN, str((await table.game_cache.running_in(CHANNEL)).position.legal_moves()[0])
        )
        game = (await asks(table)).game
        await table.decline(game, MACHINE)
        await table.play(MACHINE, str(game.position.legal_moves()[0]))


async def test_two_processes_ask_the_same_person_at_once(table: Table, other: Table) -> None:
    """Two games of the same two people: of two offers that would be the sixth, one is allowed."""
    elsewhere = ChannelId(700)
    await table.begin()
    await table.begin(channel=elsewhere)
    for move in range(5):
        await plays_on(table, move)
        await asks(table)
    await plays_on(table, 5)
    results = await asyncio.gather(
        table.ask(ANN, Offer.DRAW), other.ask(ANN, Offer.DRAW, elsewhere), return_exceptions=True
    )
    kinds = [type(result).__name__ for result in results]
    assert sorted(kinds) == ["AskedTooOften", "GameUpdate"]
