"""Tests for several directors, some of which die: each pairing is made and started once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, event, func, select

from bot.base.ids import MessageId, TournamentId, UserId
from bot.database.connection import AsyncEngine
from bot.database.database import Conflict
from bot.database.delivery_rows import DeliveryKind, deliveries
from bot.database.sqlite import OneTripConnection
from bot.play.store.schema import games
from bot.play.store.store import Store
from club.tournaments.model.pairing import next_step
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    PairUp,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.refusals import NotIn
from club.tournaments.store.rows import TournamentChange
from club.tournaments.store.tournaments import TournamentTable
from club.tournaments.use_cases.director import Director, is_costly
from club.tournaments.use_cases.news import NEWS, PAIRING
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.conftest import Clock
from tests.bot.table import Table
from tests.club.tournaments.directed import MESSAGES, PEOPLE, Event, places
from tests.club.tournaments.toured import running, tournament

GoOn = Callable[[Table, Event], Awaitable[Tournament]]
"""Continues a tournament, whatever its state, to its end."""


class Died(BaseException):
    """A process is killed."""


class Reaper:
    """Kills the process that is about to commit once too often, right before the commit."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.lives = 1_000
        self.killed = 0
        event.listen(engine.sync_engine, "commit", self._commit)
        event.listen(engine.sync_engine, "before_cursor_execute", self._run)

    def _run(self, connection: Connection, _cursor: object, statement: str, *_more: object) -> None:
        driver = connection.connection.driver_connection
        if isinstance(driver, OneTripConnection):
            is_alone = not driver.begins
        else:
            chosen = connection.get_execution_options()
            is_alone = chosen.get("isolation_level") == "AUTOCOMMIT"
        if is_alone and not statement.startswith("SELECT"):
            self._commit(connection)  # it is a transaction of its own

    def _commit(self, _connection: object) -> None:
        self.lives -= 1
        if self.lives < 0:
            self.killed += 1
            raise Died


async def seen_through(table: Table, tournament: Event, *, pace_s: float = 2) -> Tournament:
    """Continue a tournament, whatever its state, until it is over."""
    here = Event(table, tournament.id)
    await here.tick()
    if (now := await here.now()).state is TournamentState.CHECK_IN:
        for entrant in now.entrants:
            await here.check_in(entrant.player)
        table.clock.time = now.terms.begins_at or table.clock()
    return await here.to_the_end(PEOPLE, pace_s=pace_s)


async def counts(engine: AsyncEngine) -> tuple[int, int]:
    """Return the number of games, and of different announcements."""
    async with engine.connect() as connection:
        played = await connection.execute(select(func.count()).select_from(games))
        told = await connection.execute(select(func.count()).where(deliveries.c.game_id.is_(None)))
        return int(played.scalar_one()), int(told.scalar_one())


GAMES_AND_NEWS = {TournamentFormat.ROUND_ROBIN: (3, 11), TournamentFormat.KNOCKOUT: (2, 8)}
"""The number of games between three people, and of announcements: news, and one per game."""


@pytest.mark.parametrize("format_", GAMES_AND_NEWS)
async def test_killed_after_each_transaction_a_tournament_comes_to_its_end(
    engine: AsyncEngine, clock: Clock, format_: TournamentFormat
) -> None:
    """Each process writes once, and dies with its memory before it could write again."""
    start = clock() + timedelta(hours=2)
    first = Table(Store(engine), clock)
    tournament = await Event.create(first, PEOPLE[:3], format=format_, begins_at=start)
    done, killed = await survived(engine, clock, tournament)
    assert done.state is TournamentState.DONE
    assert killed > 15
    assert await counts(engine) == GAMES_AND_NEWS[format_]
    assert places(done) == PEOPLE[:3]


async def survived(
    engine: AsyncEngine, clock: Clock, tournament: Event, go_on: GoOn = seen_through
) -> tuple[Tournament, int]:
    """Run a tournament with processes that write once each. Return how many were killed."""
    reaper = Reaper(engine)
    for number in range(1, 200):
        reaper.lives = 1
        process = Table(Store(engine), clock)
        process.last_source = 1_000_000 * number
        try:
            done = await go_on(process, tournament)
            break
        except Died:
            pass
    reaper.lives = 1_000
    assert done.ended_at is not None
    return done, reaper.killed


async def announcements(engine: AsyncEngine, kind: DeliveryKind = PAIRING) -> Counter[str]:
    async with engine.connect() as connection:
        rows = await connection.execute(select(deliveries.c.key).where(deliveries.c.kind == kind))
        return Counter(row.key for row in rows)


async def through_trouble(table: Table, tournament: Event) -> Tournament:
    """In round 1, during games, a player withdraws and an organizer corrects a result."""
    here = Event(table, tournament.id)
    for _ in range(50):
        await here.play_round()
        for pairing in await here.running():
            if pairing.round == 1 and PEOPLE[3] in pairing.players:
                await withdraw_once(here, PEOPLE[3])
            elif pairing.round == 1:
                await correct_once(here, pairing)
                continue  # which also ends its game
            await here.lose(pairing, max(pairing.players, key=PEOPLE.index))
        if (now := await here.now()).ended_at is not None:
            return now
        table.clock.advance(seconds=2)
    raise AssertionError("it never ends")


async def withdraw_once(here: Event, player: UserId) -> None:
    """A user without an answer asks again, and gets the result."""
    with suppress(NotIn):
        await here.table.of(Tournaments).withdraw(here.id, player)


async def correct_once(here: Event, pairing: Pairing) -> None:
    await here.correct((pairing.round, pairing.board), PairingResult.DRAW)


async def test_withdrawals_and_corrections_survive_kills_once(
    engine: AsyncEngine, clock: Clock
) -> None:
    first = Table(Store(engine), clock)
    tournament = await Event.begun(first, PEOPLE[:4], format=TournamentFormat.SWISS, rounds=2)
    done, killed = await survived(engine, clock, tournament, through_trouble)
    assert done.state is TournamentState.DONE
    assert killed > 10
    await everything_once(engine, done)


async def everything_once(engine: AsyncEngine, done: Tournament) -> None:
    rounds = Counter(pairing.round for pairing in done.pairings)
    assert rounds == {1: 2, 2: 2}, "two games; then one, and a bye"
    corrected = [pairing for pairing in done.pairings if pairing.corrected_by is not None]
    assert [pairing.result for pairing in corrected] == [PairingResult.DRAW]
    assert [entrant.player for entrant in done.entrants if entrant.withdrawn] == [PEOPLE[3]]
    (lost,) = (pairing for pairing in done.pairings if PEOPLE[3] in pairing.players)
    assert not lost.forfeit, "a game that runs goes on and counts"
    assert (await counts(engine))[0] == 3
    assert set((await announcements(engine)).values()) == {1}
    told = Counter(key.split("-")[1] for key in (await announcements(engine, NEWS)).elements())
    assert told == {"created": 1, "round": 2, "results": 1, "corrected": 1, "ended": 1}
    async with engine.connect() as connection:
        going = select(func.count()).select_from(games).where(games.c.outcome.is_(None))
        assert (await connection.execute(going)).scalar_one() == 0


async def test_players_who_left_have_no_unstarted_game(table: Table) -> None:
    """Even if its announcement was sent, and the director has not checked since."""
    event = await Event.begun(table, PEOPLE[:4])
    await event.tick()
    rows = await event.announce()
    first = (await event.now()).pairings[0]
    await table.of(Tournaments).withdraw(event.id, first.white)
    about = event.id, first.round, first.board, MessageId(MESSAGES + rows[0].id)
    assert rows[0].data["board"] == first.board
    assert await table.of(Director).opened(*about) is None
    await table.of(Tournaments).join(event.id, first.white, source=table.source())
    await event.tick()
    assert {item.board for item in await event.running()} == {1, 2}, "they came back in time"


async def test_two_directors_of_one_database_pair_and_begin_once(
    engine: AsyncEngine, clock: Clock
) -> None:
    """Both check at once, start games at once, and games end during the check."""
    one, other = (Event(Table(Store(engine), clock), TournamentId(1)) for _ in range(2))
    other.table.last_source = 1_000_000
    await Event.create(one.table, PEOPLE[:8], format=TournamentFormat.SWISS, rounds=3)
    await one.begin()
    for number in range(1, 4):
        await asyncio.gather(one.tick(), other.tick())
        rows = await one.announce()
        begun = await asyncio.gather(
            *(
                event.table.of(Director).opened(
                    event.id, number, row.data["board"], MessageId(MESSAGES + row.id)
                )
                for row in rows
                for event in (one, other)
            )
        )
        assert len([update for update in begun if update is not None]) == 4
        await asyncio.gather(
            *(one.lose(pairing, pairing.white) for pairing in await one.running()),
            one.tick(),
            other.tick(),
        )
        clock.advance(seconds=2)
    await asyncio.gather(one.tick(), other.tick())
    done = await one.now()
    assert done.state is TournamentState.DONE
    assert set((await announcements(engine)).values()) == {1}
    assert await counts(engine) == (12, 12 + len(["created", "3rounds", "2results", "ended"]) + 3)
    assert Counter(pairing.round for pairing in done.pairings) == {1: 4, 2: 4, 3: 4}


async def test_announced_games_are_started_by_the_next_check(table: Table) -> None:
    event = await Event.begun(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
    await event.tick()
    await event.announce()
    table.clock.advance(seconds=30)
    begun = await event.tick()
    running = await event.running()
    assert {update.game.row.id for update in begun} == {item.game for item in running}
    assert len(running) == 2
    more = await table.of(Director).step(event.id, [], event.around())
    assert not more, "nothing else is due"


async def test_a_process_with_an_old_version_cannot_pair_a_round_again(table: Table) -> None:
    event = await Event.create(table, PEOPLE[:4])
    before = await event.begin()
    await event.tick()
    now = await event.now()
    assert now.version > before.version
    other = (replace(now.pairings[0], board=7, black=now.pairings[1].black),)
    with pytest.raises(Conflict):
        await table.store.queries(TournamentTable).change(
            TournamentChange(before, replace(now, version=before.version, pairings=other)),
            at=table.clock(),
        )
    assert await event.now() == now


async def test_a_message_already_used_for_something_else_starts_no_game(table: Table) -> None:
    """The same source can't do two things."""
    event = await Event.begun(table, PEOPLE[:2])
    await event.tick()
    (row,) = await event.announce()
    message = MessageId(MESSAGES + row.id)
    challenge = await table.challenge()
    table.last_source = message - 1
    await table.accept(challenge)
    assert await table.of(Director).opened(event.id, 1, 1, message) is None
    assert await event.running() == []


OTHERS = set(TournamentFormat) - {TournamentFormat.SWISS}


@pytest.mark.parametrize(
    ("found", "costly"),
    [
        (tournament(8), False),
        (tournament(9), True),
        (running(40), False),
        *((tournament(64, format=format_), False) for format_ in OTHERS),
    ],
)
def test_only_free_players_of_a_large_swiss_take_long_to_pair(
    found: Tournament, costly: bool
) -> None:
    assert is_costly(found) is costly


async def test_many_are_paired_in_a_process_of_its_own(table: Table) -> None:
    event = await Event.create(table, [UserId(400 + number) for number in range(9)], rounds=2)
    begun = await event.begin()
    assert is_costly(begun)
    await event.tick()
    paired = await event.now()
    assert [pairing.result for pairing in paired.pairings] == [None] * 4 + [PairingResult.BYE]
    here = next_step(begun, now=table.clock())
    assert isinstance(here, PairUp)
    assert here.pairings == paired.pairings, "as in this process"
