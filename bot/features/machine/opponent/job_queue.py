"""Sends jobs from bots to workers, with SAQ's queue in the bot's PostgreSQL.

Questions and answers are JSON. Data from the database is never unpickled, because that could run
commands. The packages (the extra `cluster`) are only there with MACHINE=queue, so check
`queue_is_installed` before importing this module.
"""

import logging
import time
from dataclasses import asdict
from secrets import randbelow
from typing import Any, Final

import psycopg
from psycopg_pool import AsyncConnectionPool
from saq.queue.postgres import PostgresQueue
from sqlalchemy import text
from sqlalchemy.engine import URL

from bot.base.database_address import libpq_parameters
from bot.database import opening
from bot.database.connection import AsyncConnection
from bot.database.schema_check import SchemaError
from bot.features.machine.opponent.questions import QuestionKind
from bot.play.model.engine_thoughts import Thought
from bot.play.opponent import MachineBackend
from dvonn import GameRecord, Position, parse_move, position_from_text, position_to_text
from dvonn_lessons.puzzles import Puzzle

Question = dict[str, Any]

URGENT, PATIENT, IDLE = range(2), range(2, 3), range(3, 4)
"""Ranges of priorities. A worker handles them in parallel, so that none waits for another."""


def position_question(position: Position, **terms: int) -> Question:
    return {"position": position_to_text(position), **terms}


def game_question(record: GameRecord, **terms: int) -> Question:
    return {"record": record.to_text(), **terms}


async def answer(thinker: MachineBackend, kind: QuestionKind, question: Question) -> Any:
    terms = dict(question)
    match kind:
        case QuestionKind.CHOOSE:
            position = position_from_text(terms.pop("position"))
            return str(await thinker.choose(position, **terms))
        case QuestionKind.ANALYSE:
            thoughts = await thinker.analyse(position_from_text(terms.pop("position")))
            return [
                asdict(thought) | {"moves": [str(move) for move in thought.moves]}
                for thought in thoughts
            ]
        case QuestionKind.REVIEW | QuestionKind.CLOSER:
            record, closer = GameRecord.from_text(terms.pop("record")), kind is QuestionKind.CLOSER
            review = await thinker.review(terms.pop("game"), record, **terms, closer=closer)
            return review.to_json()
        case QuestionKind.PUZZLES:
            record = GameRecord.from_text(terms.pop("record"))
            return [puzzle.to_json() for puzzle in await thinker.puzzles(terms.pop("game"), record)]


def read_thoughts(data: Any) -> tuple[Thought, ...]:
    return tuple(
        Thought(**thought | {"moves": tuple(map(parse_move, thought["moves"]))}) for thought in data
    )


def read_puzzles(data: Any) -> tuple[Puzzle, ...]:
    return tuple(map(Puzzle.from_json, data))


logging.getLogger("saq").setLevel(logging.ERROR)  # it logs every job

BACKDATED_S: Final = 86_400
"""Number of seconds that jobs are backdated, so that a worker with a slow clock takes them."""
_KEPT_S: Final = 7 * 86_400
_CLOCKS_DIFFER_S: Final = 5
_PATIENCE_S: Final = 10
_KEYS: Final = 2**31
_YEARS_S: Final = 10 * 365 * 86_400
_KEEPALIVE: Final = (
    "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2"
)
_delete_old_jobs = text("DELETE FROM saq_jobs WHERE scheduled < extract(epoch FROM now()) - :age")
_clock_offset = text("SELECT extract(epoch FROM clock_timestamp() - to_timestamp(:here))")


class JobQueue(PostgresQueue):
    """The queue of one build, used by bots and workers. Call `make_tables` first."""

    def __init__(
        self, pool: AsyncConnectionPool[Any], build: str, priorities: range = range(4)
    ) -> None:
        super().__init__(
            pool=pool, name=queue_name(build), priorities=(priorities.start, priorities.stop - 1)
        )

    async def init_db(self) -> None:
        """Do nothing. SAQ would hold a lock on the tables that blocks newer versions."""


def queue_name(build: str) -> str:
    """Return the name of a build's queue. Workers of other builds don't see its jobs."""
    return f"dvonn {build}"


def connections(url: URL, *, limit: int) -> AsyncConnectionPool[Any]:
    """Create a bot's connection pool, which is not open yet."""
    return _pool(libpq_parameters(url), least=1, limit=limit)


def worker_connections(url: URL) -> AsyncConnectionPool[Any]:
    """Create a worker's pool of two connections, which is not open yet.

    One of them holds SAQ's lock that detects dead workers. So neither is ever closed, and the
    server soon gives up on a host that has lost power.
    """
    parameters = libpq_parameters(url)
    parameters["options"] = f"{parameters.get('options', '')} {_KEEPALIVE}".strip()
    return _pool(parameters, least=2, limit=2)


def _pool(parameters: dict[str, str], *, least: int, limit: int) -> AsyncConnectionPool[Any]:
    return AsyncConnectionPool(
        kwargs={
            **parameters,
            "application_name": "dvonn-bot queue",
            "connect_timeout": _PATIENCE_S,
            "prepare_threshold": None,  # a pooler may hand each transaction to another connection
        },
        check=AsyncConnectionPool.check_connection,  # PostgreSQL may have restarted
        min_size=least,
        max_size=limit,
        timeout=_PATIENCE_S,
        max_lifetime=_YEARS_S,
        open=False,
    )


async def make_tables(url: URL, *, for_worker: bool = False) -> None:
    """Create or update SAQ's tables, in only one process at a time.

    Raises:
        DatabaseError: if the database can't be used for it.
    """
    engine = opening.create_engine(url)
    try:
        async with engine.begin() as connection:
            if for_worker:
                await _check_worker_can_use(connection)
            # SAQ has its own lock for this, but on the connection, which a pooler keeps open. Left
            # without an owner, that lock would let SAQ use an older version's tables.
            await opening.exclude_migrations(connection)
            async with connections(url, limit=1) as pool:
                await PostgresQueue(pool=pool, saq_lock_keyspace=randbelow(_KEYS)).connect()
            # Delete the jobs of a bot that was killed and has been upgraded since.
            await connection.execute(_delete_old_jobs, {"age": BACKDATED_S + _KEPT_S})
    except (*opening.UNUSABLE, psycopg.Error, ValueError) as error:
        raise opening.unusable(url, error) from error
    finally:
        await engine.dispose()


async def _check_worker_can_use(connection: AsyncConnection) -> None:
    if opening.is_pooled(connection):
        raise SchemaError(
            "it is behind a pooler, which hides whether a worker is running",
            "use PostgreSQL's own address for a worker; a bot may use the pooler's",
        )
    offset_s = (await connection.execute(_clock_offset, {"here": time.time()})).scalar_one()
    if abs(offset_s) > _CLOCKS_DIFFER_S:
        raise SchemaError(
            f"its clock differs from this host's by {abs(offset_s):.0f} s",
            "synchronize both hosts' clocks with NTP",
        )
