"""Bots ask workers through SAQ's queue, in tables of its own in the bot's PostgreSQL.

Only hosts with MACHINE=queue have its packages, the extra `cluster`: whoever imports this asks
`queue_is_installed` first.
"""

import logging
import time
from typing import Any, Final

import psycopg
from psycopg_pool import AsyncConnectionPool
from saq.queue.postgres import PostgresQueue
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.address import libpq_parameters
from bot.store.engine import UNUSABLE, create_engine, never_with_a_migration, unusable
from bot.store.pooler import is_pooled
from bot.store.shape import SchemaError

logging.getLogger("saq").setLevel(logging.ERROR)  # it tells of every job

BACKDATED_S: Final = 86_400
"""Jobs are dated a day back: a worker whose clock is behind would let them wait."""
_KEPT_S: Final = 7 * 86_400
_CLOCKS_DIFFER_S: Final = 5
_PATIENCE_S: Final = 10
_forget = text("DELETE FROM saq_jobs WHERE scheduled < extract(epoch FROM now()) - :age")
_clock = text("SELECT extract(epoch FROM clock_timestamp() - to_timestamp(:here))")


class JobQueue(PostgresQueue):
    """The queue of one build, as bots and workers use it: `make_tables` comes before."""

    def __init__(
        self, pool: AsyncConnectionPool[Any], build: str, priorities: range = range(3)
    ) -> None:
        super().__init__(
            pool=pool, name=queue_name(build), priorities=(priorities.start, priorities.stop - 1)
        )

    async def init_db(self) -> None:
        """Leave the tables alone. SAQ would hold a lock that keeps newer versions from them."""


def queue_name(build: str) -> str:
    """Return the name of a build's queue: other builds' workers do not see its jobs."""
    return f"dvonn {build}"


def connections(url: URL, most: int) -> AsyncConnectionPool[Any]:
    """Make a pool of connections, which is not opened yet."""
    return AsyncConnectionPool(
        kwargs={
            **libpq_parameters(url),
            "application_name": "dvonn-bot queue",
            "connect_timeout": _PATIENCE_S,
            "prepare_threshold": None,  # a pooler may hand each transaction to another connection
        },
        check=AsyncConnectionPool.check_connection,  # PostgreSQL may have been started anew
        min_size=1,
        max_size=most,
        timeout=_PATIENCE_S,
        max_lifetime=10 * 365 * 86_400,  # a worker's lock for sweeping lasts as long as its own
        open=False,
    )


async def make_tables(url: URL, *, for_worker: bool = False) -> None:
    """Make SAQ's tables, or bring them up to date; one process at a time does.

    Raises:
        DatabaseError: if the database cannot be used for it.
    """
    engine = create_engine(url)
    try:
        async with engine.begin() as connection:
            if for_worker:
                await _look_whether_a_worker_can_use(connection)
            await never_with_a_migration(connection)
            async with connections(url, 1) as pool:
                await PostgresQueue(pool=pool).connect()
            # What a bot had asked that was killed and is of another build by now.
            await connection.execute(_forget, {"age": BACKDATED_S + _KEPT_S})
    except (*UNUSABLE, psycopg.Error, ValueError) as error:
        raise unusable(url, error) from error
    finally:
        await engine.dispose()


async def _look_whether_a_worker_can_use(connection: AsyncConnection) -> None:
    if is_pooled(connection):
        raise SchemaError(
            "through a pooler nobody sees whether a worker lives",
            "name PostgreSQL itself for a worker; a bot may use the pooler",
        )
    ahead = (await connection.execute(_clock, {"here": time.time()})).scalar_one()
    if abs(ahead) > _CLOCKS_DIFFER_S:
        raise SchemaError(
            f"its clock differs from this host's by {abs(ahead):.0f} s",
            "let both hosts set their clocks by NTP",
        )
