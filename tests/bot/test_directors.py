"""Several directors of one database, and such as die: every pairing is made and begun once."""

from datetime import timedelta

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.model.tournaments import Format, Tournament, TournamentState
from bot.store import Store
from bot.store.schema import deliveries, games
from tests.bot.conftest import Clock
from tests.bot.directed import PEOPLE, Event, places
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


async def seen_through(table: Table, tournament: Event) -> Tournament:
    """Go on with a tournament, wherever it is, until it is over."""
    here = Event(table, tournament.id)
    await here.tick()
    if (now := await here.now()).state is TournamentState.CHECK_IN:
        for entrant in now.entrants:
            await table.tournaments.check_in(here.id, entrant.player)
        table.clock.time = now.terms.begins_at or table.clock()
    return await here.to_the_end(PEOPLE)


async def counts(engine: AsyncEngine) -> tuple[int, int]:
    """How many games there are, and how many different things were to be told."""
    async with engine.connect() as connection:
        played = await connection.execute(select(func.count()).select_from(games))
        told = await connection.execute(select(func.count()).where(deliveries.c.game_id.is_(None)))
        return int(played.scalar_one()), int(told.scalar_one())


GAMES_AND_NEWS = {Format.ROUND_ROBIN: (3, 12), Format.KNOCKOUT: (2, 9), Format.SWISS: (2, 9)}
"""How many games three people play, and what is told: news, the event, and an announcement each."""


@pytest.mark.parametrize("format_", GAMES_AND_NEWS)
async def test_killed_after_each_transaction_a_tournament_comes_to_its_end(
    engine: AsyncEngine, clock: Clock, format_: Format
) -> None:
    """Each process writes once, dies before it could again, and takes all with it that it knew."""
    start = clock() + timedelta(hours=2)
    first = Table(Store(engine), clock)
    tournament = await Event.made(first, PEOPLE[:3], format=format_, begins_at=start)
    reaper = Reaper(engine)
    for number in range(1, 100):
        reaper.lives = 1
        process = Table(Store(engine), clock)
        process.last_source = 1_000_000 * number
        try:
            done = await seen_through(process, tournament)
            break
        except Died:
            pass
    reaper.lives = 1_000

    assert done.state is TournamentState.DONE
    assert reaper.killed > 15
    assert await counts(engine) == GAMES_AND_NEWS[format_]
    assert places(done) == PEOPLE[:3]
