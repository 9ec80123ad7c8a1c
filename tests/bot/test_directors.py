"""Several directors of one database, and such as die: every pairing is made and begun once."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.games.tournaments import PAIRING
from bot.games.tournaments.aside import is_costly
from bot.model.ids import MessageId, TournamentId, UserId
from bot.model.tournaments import (
    PairingResult,
    PairUp,
    Tournament,
    TournamentFormat,
    TournamentState,
    next_step,
)
from bot.store import Conflict, Store
from bot.store.schema import deliveries, games
from bot.store.tournament_rows import TournamentChange
from tests.bot.conftest import Clock
from tests.bot.directed import LIVE, MESSAGES, PEOPLE, Event, places
from tests.bot.table import Table


class Died(BaseException):
    """A process is killed."""


class Reaper:
    """Kills whoever is about to commit once too often, right before it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.lives = 1_000
        self.killed = 0
        event.listen(engine.sync_engine, "commit", self._commit)

    def _commit(self, _connection: object) -> None:
        self.lives -= 1
        if self.lives < 0:
            self.killed += 1
            raise Died


async def seen_through(table: Table, tournament: Event, *, pace_s: float = 2) -> Tournament:
    """Go on with a tournament, wherever it is, until it is over."""
    here = Event(table, tournament.id)
    await here.tick()
    if (now := await here.now()).state is TournamentState.CHECK_IN:
        for entrant in now.entrants:
            await table.tournaments.check_in(here.id, entrant.player)
        table.clock.time = now.terms.begins_at or table.clock()
    return await here.to_the_end(PEOPLE, pace_s=pace_s)


async def counts(engine: AsyncEngine) -> tuple[int, int]:
    """How many games there are, and how many different things were to be told."""
    async with engine.connect() as connection:
        played = await connection.execute(select(func.count()).select_from(games))
        told = await connection.execute(select(func.count()).where(deliveries.c.game_id.is_(None)))
        return int(played.scalar_one()), int(told.scalar_one())


GAMES_AND_NEWS = {TournamentFormat.ROUND_ROBIN: (3, 12), TournamentFormat.KNOCKOUT: (2, 9)}
"""How many games three people play, and what is told: news, the event, and an announcement each."""


@pytest.mark.parametrize("format_", GAMES_AND_NEWS)
async def test_killed_after_each_transaction_a_tournament_comes_to_its_end(
    engine: AsyncEngine, clock: Clock, format_: TournamentFormat
) -> None:
    """Each process writes once, dies before it could again, and takes all with it that it knew."""
    start = clock() + timedelta(hours=2)
    first = Table(Store(engine), clock)
    tournament = await Event.made(first, PEOPLE[:3], format=format_, begins_at=start)
    done, killed = await survived(engine, clock, tournament)
    assert killed > 15
    assert await counts(engine) == GAMES_AND_NEWS[format_]
    assert places(done) == PEOPLE[:3]


async def survived(
    engine: AsyncEngine, clock: Clock, tournament: Event, *, pace_s: float = 2
) -> tuple[Tournament, int]:
    """See a tournament through by processes that write once each; and how many were killed."""
    reaper = Reaper(engine)
    for number in range(1, 200):
        reaper.lives = 1
        process = Table(Store(engine), clock)
        process.last_source = 1_000_000 * number
        try:
            done = await seen_through(process, tournament, pace_s=pace_s)
            break
        except Died:
            pass
    reaper.lives = 1_000
    assert done.state is TournamentState.DONE
    return done, reaper.killed


@pytest.mark.thorough("the same lines as those of the other formats, which both databases run")
@pytest.mark.parametrize(
    ("format_", "terms", "pace_s"),
    [
        (TournamentFormat.SWISS, {"rounds": 2}, 2),
        (TournamentFormat.ARENA, {"clock": LIVE, "lasts": timedelta(minutes=10)}, 150),
    ],
)
async def test_killed_after_each_transaction_everybody_plays_each_game_once(
    engine: AsyncEngine,
    clock: Clock,
    format_: TournamentFormat,
    terms: dict[str, Any],
    pace_s: float,
) -> None:
    """How many games an arena has depends on who was free when a process died."""
    start = clock() + timedelta(hours=2)
    first = Table(Store(engine), clock)
    tournament = await Event.made(first, PEOPLE[:4], format=format_, begins_at=start, **terms)
    done, killed = await survived(engine, clock, tournament, pace_s=pace_s)
    assert killed > 15
    assert len(done.pairings) >= 4
    assert len({one.game for one in done.pairings}) == len(done.pairings)
    assert (await counts(engine))[0] == len(done.pairings)
    assert sum((await announcements(engine)).values()) == len(done.pairings)
    assert set((await announcements(engine)).values()) == {1}
    if format_ is TournamentFormat.SWISS:
        assert Counter(one.round for one in done.pairings) == {1: 2, 2: 2}


async def announcements(engine: AsyncEngine) -> Counter[str]:
    async with engine.connect() as connection:
        rows = await connection.execute(
            select(deliveries.c.key).where(deliveries.c.kind == PAIRING)
        )
        return Counter(row.key for row in rows)


async def test_two_directors_of_one_database_pair_and_begin_once(
    engine: AsyncEngine, clock: Clock
) -> None:
    """Both look at once, begin at once, and games end while they look."""
    one, other = (Event(Table(Store(engine), clock), TournamentId(1)) for _ in range(2))
    other.table.last_source = 1_000_000
    await Event.made(one.table, PEOPLE[:8], format=TournamentFormat.SWISS, rounds=3)
    await one.begin()
    for number in range(1, 4):
        await asyncio.gather(one.tick(), other.tick())
        rows = await one.announce()
        begun = await asyncio.gather(
            *(
                event.table.director.opened(
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
    assert Counter(one.round for one in done.pairings) == {1: 4, 2: 4, 3: 4}


async def test_whoever_has_seen_an_older_version_writes_nothing(table: Table) -> None:
    event = await Event.made(table, PEOPLE[:4])
    seen = await event.begin()
    await event.tick()
    paired = await event.now()
    over = replace(seen, state=TournamentState.CANCELLED, ended_at=table.clock())
    again = TournamentChange(before=seen, after=over, due_at=None)
    with pytest.raises(Conflict):
        await table.store.tournaments.change(again, at=table.clock())
    assert await event.now() == paired


async def test_who_looks_too_early_looks_again_in_time(table: Table) -> None:
    start = table.clock() + timedelta(days=3)
    event = await Event.made(table, PEOPLE[:4], begins_at=start)
    assert await table.director.look(event.id, heard=event.heard) == []
    table.clock.advance(days=2)
    await event.tick()
    assert (await event.now()).state is TournamentState.CHECK_IN
    assert await table.director.look(event.id, heard=event.heard) == []
    table.clock.advance(days=1)
    await event.tick()
    assert (await event.now()).state is TournamentState.CANCELLED, "nobody has checked in"


async def test_what_was_announced_and_not_begun_is_begun_by_the_next_look(table: Table) -> None:
    event = await Event.made(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
    await event.begin()
    await event.tick()
    await event.announce()
    table.clock.advance(seconds=30)
    begun = await event.tick()
    running = await event.running()
    assert {update.game.row.id for update in begun} == {one.game for one in running}
    assert len(running) == 2
    assert not await table.director.step(event.id, [], heard=event.heard), "nothing else is due"


async def test_the_database_lets_nobody_be_paired_twice_in_a_round(
    engine: AsyncEngine, table: Table
) -> None:
    """Whatever a process has seen, or thinks that it has."""
    event = await Event.made(table, PEOPLE[:4])
    await event.begin()
    await event.tick()
    now = await event.now()
    nothing_yet = replace(now, pairings=())
    other = (replace(now.pairings[0], board=7, black=now.pairings[1].black),)
    with pytest.raises(Conflict):
        await table.store.tournaments.change(
            TournamentChange(before=nothing_yet, after=replace(now, pairings=other), due_at=None),
            at=table.clock(),
        )
    assert await event.now() == now


async def test_a_message_that_has_done_something_else_begins_no_game(table: Table) -> None:
    """However often it is asked: what stands against it is looked at once, and stays."""
    event = await Event.made(table, PEOPLE[:2])
    await event.begin()
    await event.tick()
    (row,) = await event.announce()
    message = MessageId(MESSAGES + row.id)
    challenge = await table.challenge()
    table.last_source = message - 1
    await table.accept(challenge)
    assert await table.director.opened(event.id, 1, 1, message) is None
    assert await event.running() == []


async def test_many_are_paired_in_a_process_of_its_own(table: Table) -> None:
    event = await Event.made(table, [UserId(400 + number) for number in range(9)], rounds=2)
    begun = await event.begin()
    assert is_costly(begun)
    await event.tick()
    paired = await event.now()
    assert [one.result for one in paired.pairings] == [None] * 4 + [PairingResult.BYE]
    assert not is_costly(paired), "while a round is played there is nothing to pair"
    here = next_step(begun, now=table.clock())
    assert isinstance(here, PairUp)
    assert here.pairings == paired.pairings, "as in this process"
