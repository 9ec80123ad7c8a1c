"""Reviews that another process makes, which has a machine."""

from collections.abc import Mapping
from datetime import UTC, datetime
from random import Random

from bot.base.database_address import database_address
from bot.base.ids import GameId
from bot.composition import use_cases
from bot.database.opening import create_engine
from bot.features.reviews.store import queue
from bot.features.reviews.use_cases import Reviews
from bot.play.store.store import Store
from tests.bot.reviewed import review_of
from tests.bot.table import ALL
from tests.e2e.conftest import Club


async def review(club: Club, *, game: int, losses: Mapping[int, float]) -> None:
    """Have a game reviewed that is over; at some plies, by their numbers, so much is given away."""
    engine = create_engine(database_address(club.bot.settings["DATABASE_URL"]))
    store, now = Store(engine), datetime.now(UTC)
    reviews = use_cases(store, now=lambda: now, rng=Random(1), has_machine=True).of(Reviews)
    row = await store.games.get(GameId(game))
    assert row is not None
    async with engine.begin() as connection:
        await queue(connection, row.id, row.guild, now, tells=True)
    job = await reviews.take(ALL)
    assert job is not None
    assert await reviews.finish(job, review_of(job.game, losses))
    await store.close()
