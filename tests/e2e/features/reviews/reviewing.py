"""Reviews made by another process, which has a machine."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random

from sqlalchemy import update

from bot.base.database_address import database_address
from bot.base.ids import GameId, UserId
from bot.composition import use_cases
from bot.database.opening import create_engine
from bot.play.store.store import Store
from dvonn.machine import LEVELS
from sandbox import Message
from school.practice.schema import practice
from school.practice.use_cases import Mistake, Practicing
from school.reviews.store import queue
from school.reviews.use_cases import Reviews
from tests.bot.reviewed import review_of
from tests.bot.table import ALL
from tests.e2e.conftest import Club, message_of
from tests.e2e.database import seed_of
from tests.games import drawn


async def review(club: Club, *, game: int, losses: Mapping[int, float]) -> None:
    """Have an ended game reviewed, with a given loss at some plies."""
    engine = create_engine(database_address(club.bot.settings["DATABASE_URL"]))
    store, now = Store(engine), datetime.now(UTC)
    reviews = use_cases(store, now=lambda: now, rng=Random(1), levels=LEVELS).require(Reviews)
    row = await store.games.get(GameId(game))
    assert row is not None
    async with engine.begin() as connection:
        await queue(connection, row.id, row.guild, now, tells=True)
    job = await reviews.take(ALL)
    assert job is not None
    assert await reviews.finish(job, review_of(job.game, losses))
    await store.close()


async def given_up(club: Club) -> Message:
    """Return the last board of a game in which both players have moved once."""
    table = await club.start_game(start="balanced")
    table.position = drawn(seed_of(club.bot, 1))
    for revision in (1, 2):
        await table.type(table.position.legal_moves()[0])
        await table.board(revision)
    asked = message_of(await club.ann.slash(club.channel, "resign"))
    await club.ann.click(asked, "Yes, resign")
    return await table.board(3)


async def a_day_later(club: Club, user: int) -> Mistake:
    """Make a user's exercises due now, as after a day. Return the first one."""
    engine = create_engine(database_address(club.bot.settings["DATABASE_URL"]))
    store, now = Store(engine), datetime.now(UTC)
    async with engine.begin() as connection:
        await connection.execute(update(practice).values(due_at=now - timedelta(minutes=1)))
    practising = use_cases(store, now=lambda: now, rng=Random(1)).require(Practicing)
    found = await practising.next(UserId(user))
    await store.close()
    return found
