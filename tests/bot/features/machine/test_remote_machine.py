"""Tests for the machine on another host: jobs in SAQ's queue, on a real PostgreSQL."""

import asyncio
import re
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from bot.features.machine.startup import ENGINE_FOLDERS

pytest.importorskip("saq", reason="the extra `cluster` is not installed")

from aiohttp import ClientSession
from sqlalchemy import text
from sqlalchemy.engine import URL
from structlog.testing import capture_logs

from bot.base.database_address import database_address
from bot.base.errors import ConfigError, DatabaseError
from bot.connection.tasks import end
from bot.database.connection import AsyncEngine
from bot.database.opening import create_engine
from bot.features.machine.opponent import job_queue, queue_worker, remote
from bot.features.machine.opponent.job_queue import BACKDATED_S, make_tables, queue_name
from bot.features.machine.opponent.queue_worker import answer_questions
from bot.features.machine.opponent.remote import NotAnsweredError, RemoteMachine, remote_machine
from bot.features.machine.startup import build
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review, parse_move
from dvonn.puzzles import Puzzle, load
from tests.bot.reviewed import placed
from tests.bot.table import raises
from tests.games import positions_of, random_game
from tests.ports import free_port
from tests.postgresql import drop_tables

BUILD = "1.2.3+abc"
REVIEW = Review(plies=(), placement=placed(), accuracy=(91.4, None), engine=BUILD, nodes=100_000)
BOARDS = positions_of(random_game(2))
RECORD = GameRecord(random_game(2)[49:], start=BOARDS[49])


class Plain:
    """A machine without an engine. Its answers depend on the questions only."""

    at_once = 1

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.go_on = asyncio.Event()
        self.go_on.set()
        self.given_up = 0

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        await self._think((position, level, seed))
        return position.legal_moves()[seed % len(position.legal_moves())]

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        await self._think(position)
        moves = position.legal_moves()[:2]
        return (Thought(moves=moves, white_wins=0.25), Thought(moves=moves[:1], margin=-3))

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        await self._think((game, record, placements, closer))
        return REVIEW

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        self.asked.append(game)
        if not record.moves:
            raise ValueError(f"game {game} has no moves")
        return load()[:2]

    async def _think(self, question: object) -> None:
        self.asked.append(question)
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(database_address(postgres_url))
    await drop_tables(engine)
    yield engine
    await drop_tables(engine)
    await engine.dispose()


@pytest.fixture
def url(database: AsyncEngine) -> URL:
    return database.url


@pytest.fixture
async def machine(url: URL) -> AsyncIterator[RemoteMachine]:
    async with remote_machine(url, BUILD) as machine:
        yield machine


@asynccontextmanager
async def working(
    url: URL, thinker: Plain, of: str = BUILD, *, searches: int = 1, page: int = 0, port: int = 0
) -> AsyncIterator[None]:
    """Run a worker during the block."""
    told_at = ("127.0.0.1", port)
    answering = answer_questions(url, thinker, searches=searches, build=of, page=page, port=told_at)
    task = asyncio.create_task(answering)
    try:
        yield
    finally:
        await end((task,))


async def count(database: AsyncEngine, which: str = "TRUE") -> int:
    """Return the number of jobs."""
    async with database.connect() as connection:
        found = await connection.execute(text(f"SELECT count(*) FROM saq_jobs WHERE {which}"))  # noqa: S608 - of a test
        return int(found.scalar_one())


async def until(database: AsyncEngine, which: str, number: int = 1) -> None:
    """Wait until there is a number of jobs."""
    while await count(database, which) != number:  # noqa: ASYNC110 - it tells of no event
        await asyncio.sleep(0.01)


async def wait_for_questions(thinker: Plain, number: int = 1) -> None:
    """Wait until a number of questions were asked."""
    while len(thinker.asked) < number:  # noqa: ASYNC110 - a list tells of no event
        await asyncio.sleep(0.01)


async def given_up(thinker: Plain) -> None:
    """Wait until a search was aborted."""
    while not thinker.given_up:  # noqa: ASYNC110 - a number tells of no event
        await asyncio.sleep(0.01)


def choosing(machine: RemoteMachine, seed: int = 0) -> "asyncio.Task[Move]":
    return asyncio.create_task(machine.choose(BOARDS[0], level=1, seed=seed))


async def test_every_request_is_answered_unchanged(
    machine: RemoteMachine, url: URL, database: AsyncEngine
) -> None:
    there, here, terms = Plain(), Plain(), {"level": 4, "seed": 11}
    async with working(url, there):
        for position in (BOARDS[0], BOARDS[30], BOARDS[60]):
            assert await machine.choose(position, **terms) == await here.choose(position, **terms)
            assert await machine.analyse(position) == await here.analyse(position)
            assert there.asked == here.asked
        assert await machine.review(5, RECORD, placements=49) == REVIEW
        assert there.asked[-1] == (5, RECORD, 49, False)
        assert await machine.review(5, RECORD, placements=49, closer=True) == REVIEW
        assert there.asked[-1] == (5, RECORD, 49, True)
        assert await machine.puzzles(5, RECORD) == await here.puzzles(5, RECORD)
        assert await count(database) == 0  # nothing is left of it


async def test_two_builds_side_by_side_each_answer_their_own_bots(url: URL) -> None:
    old, new = Plain(), Plain()
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(remote_machine(url, of)) for of in ("1+a", "1+b")]
        for thinker, of in ((old, "1+a"), (new, "1+b")):
            await stack.enter_async_context(working(url, thinker, of))
        await asyncio.gather(
            *(bots[seed % 2].choose(BOARDS[0], level=1, seed=seed) for seed in range(10))
        )
    assert sorted(old.asked, key=str) == [(BOARDS[0], 1, seed) for seed in range(0, 10, 2)]
    assert sorted(new.asked, key=str) == [(BOARDS[0], 1, seed) for seed in range(1, 10, 2)]


DATED_BACK = """
status = 'queued' AND scheduled < extract(epoch FROM now()) - 80000
AND convert_from(job, 'UTF8')::json ->> 'timeout' = '0'
"""


async def test_workers_of_another_build_do_not_answer_and_are_reported(
    machine: RemoteMachine, url: URL, database: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "_WARN_AFTER_S", 0.2)
    other, same = Plain(), Plain()
    async with working(url, other, "1.2.3+abd"):
        with capture_logs() as logged:
            waiting = choosing(machine)
            # With a clock ahead of the worker's, the job would wait. So jobs are backdated, and no
            # search takes too long.
            await until(database, DATED_BACK)
            await asyncio.sleep(1.5)  # a worker checks every second
        assert [line["event"] for line in logged].count("worker not responding") == 1
        async with working(url, same):
            await waiting
    assert (len(other.asked), len(same.asked)) == (0, 1)


def test_a_build_can_be_the_name_of_a_queue() -> None:
    """PostgreSQL truncates longer names, and then two builds would see each other's jobs."""
    assert build() == build()
    assert len(f"saq:{queue_name(build())}") < 64


async def test_a_move_goes_before_hints_and_reviews_that_were_asked_for_earlier(
    machine: RemoteMachine, url: URL, database: AsyncEngine
) -> None:
    thinker, tasks = Plain(), []
    thinker.go_on.clear()
    for number, question in enumerate(
        (
            machine.review(3, RECORD, placements=49, closer=True),
            *(machine.review(game, RECORD, placements=49) for game in range(3)),
            *(machine.analyse(BOARDS[ply]) for ply in (3, 4)),
            machine.choose(BOARDS[0], level=1, seed=7),
        ),
        1,
    ):
        tasks.append(asyncio.ensure_future(question))
        await until(database, "status = 'queued'", number)
    async with working(url, thinker):
        # Neither the first review nor the closer look ends, and they delay nobody.
        await wait_for_questions(thinker, 3)
        assert (3, RECORD, 49, True) in thinker.asked
        assert (BOARDS[0], 1, 7) in thinker.asked
        thinker.go_on.set()
        await asyncio.gather(*tasks)
    urgent = [row for row in thinker.asked if not isinstance(row, tuple) or row[-1] == 7]
    assert urgent == [(BOARDS[0], 1, 7), BOARDS[3], BOARDS[4]]


async def test_an_abandoned_search_ends(
    machine: RemoteMachine, url: URL, database: AsyncEngine
) -> None:
    thinker = Plain()
    thinker.go_on.clear()
    async with working(url, thinker):
        searched = choosing(machine)
        await wait_for_questions(thinker)
        queued = choosing(machine, 1)
        await until(database, "status = 'queued'")
        await end((queued, searched))
        await given_up(thinker)
        await until(database, "TRUE", 0)
        thinker.go_on.set()
        await machine.choose(BOARDS[0], level=1, seed=2)  # it keeps working
    assert [seed for _, _, seed in thinker.asked] == [0, 2]  # type: ignore[misc,has-type]


async def test_no_worker_thinks_for_a_killed_bot(
    url: URL, database: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "ALIVE_S", 3600)  # it logs that once
    thinker = Plain()
    thinker.go_on.clear()
    async with remote_machine(url, BUILD) as machine, working(url, thinker):
        await machine.puzzles(5, RECORD)
        thinker.asked.clear()
        with monkeypatch.context() as patch:
            patch.setattr(RemoteMachine, "announce_waiting", says_nothing)
            await forget_bots(database)
            waiting = choosing(machine)
            await asyncio.sleep(2)
            assert thinker.asked == []
        # It is alive, so it notices that its sign of life expired, logs that, and asks again.
        await wait_for_questions(thinker)
        monkeypatch.setattr(RemoteMachine, "announce_waiting", says_nothing)
        await forget_bots(database)
        await given_up(thinker)
        assert len(thinker.asked) == 1
        await end((waiting,))


async def says_nothing(_machine: RemoteMachine) -> None:
    """Return a message by a process that no longer exists."""


async def forget_bots(database: AsyncEngine) -> None:
    """Let the bots' signs of life expire."""
    async with database.begin() as connection:
        await connection.execute(text("DELETE FROM saq_stats WHERE worker_id LIKE 'bot %'"))


async def test_long_searches_and_waits_both_give_signs_of_life(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in (
        (remote, "ALIVE_S", 1),
        (remote, "HEARTBEAT_S", 1),
        (queue_worker, "_UPDATE_EVERY_S", 0.3),
    ):
        monkeypatch.setattr(module, name, value)
    thinker = Plain()
    thinker.go_on.clear()
    async with remote_machine(url, BUILD) as machine, working(url, thinker):
        waiting = choosing(machine)
        await wait_for_questions(thinker)
        await asyncio.sleep(4.5)  # jobs are checked every two seconds
        assert (len(thinker.asked), thinker.given_up) == (1, 0)
        thinker.go_on.set()
        await waiting


async def test_a_worker_has_two_connections_and_its_loss_is_soon_noticed(
    url: URL,
) -> None:
    async with job_queue.worker_connections(url) as pool:
        await pool.wait()
        assert pool.get_stats()["pool_size"] == 2
        async with pool.connection() as connection:
            assert "tcp_keepalives_idle=5" in connection.info.get_parameters()["options"]


async def test_a_question_that_no_worker_can_answer_is_given_up(
    machine: RemoteMachine, url: URL
) -> None:
    thinker = Plain()
    async with working(url, thinker):
        await raises(NotAnsweredError, machine.puzzles(5, GameRecord([])))
        assert thinker.asked == [5] * 3
        assert await machine.puzzles(5, GameRecord([parse_move("a1")])) != ()


async def test_a_stopping_worker_leaves_its_jobs_to_others(
    machine: RemoteMachine, url: URL
) -> None:
    first, second = Plain(), Plain()
    first.go_on.clear()
    async with working(url, second, "another"), working(url, first):
        waiting = choosing(machine)
        await wait_for_questions(first)
    assert first.given_up == 1
    async with working(url, second):
        await waiting
    assert len(second.asked) == 1


ENDLESS = """
import asyncio, sys
from bot.features.machine.opponent.queue_worker import answer_questions
from bot.base.database_address import database_address
class Endless:
    async def choose(self, position, **terms):
        print("begun", flush=True)
        await asyncio.sleep(3600)
url, build = database_address(sys.argv[1]), sys.argv[2]
asyncio.run(answer_questions(url, Endless(), searches=1, build=build))
"""


@asynccontextmanager
async def at_work(url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A worker in its own process that has started an endless search."""
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", ENDLESS, url, BUILD), stdout=asyncio.subprocess.PIPE
    )
    assert worker.stdout is not None
    assert await worker.stdout.readline() == b"begun\n"
    yield worker
    assert worker.returncode == -signal.SIGKILL


async def test_another_worker_answers_a_killed_workers_jobs(
    machine: RemoteMachine, url: URL, postgres_url: str
) -> None:
    thinker, waiting = Plain(), choosing(machine)
    async with at_work(postgres_url) as worker, working(url, thinker):
        assert thinker.asked == []
        worker.kill()
        await worker.wait()
        await waiting
    assert len(thinker.asked) == 1


async def test_an_abandoned_job_of_a_killed_worker_is_not_repeated(
    url: URL, postgres_url: str, database: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "HEARTBEAT_S", 1)
    thinker = Plain()
    async with remote_machine(url, BUILD) as machine:
        waiting = choosing(machine)
        async with at_work(postgres_url) as worker:
            worker.kill()
            await worker.wait()
        await end((waiting,))
        async with working(url, thinker):
            await until(database, "TRUE", 0)
    assert thinker.asked == []


async def test_a_stopped_workers_questions_are_asked_again(
    machine: RemoteMachine, url: URL, database: AsyncEngine
) -> None:
    thinker, port = Plain(), free_port()
    thinker.go_on.clear()
    async with working(url, thinker, page=port), ClientSession() as session:
        waiting = choosing(machine)
        await wait_for_questions(thinker)
        async with database.connect() as connection:
            key = (await connection.execute(text("SELECT key FROM saq_jobs"))).scalar_one()
        page = f"http://127.0.0.1:{port}/api/queues/{queue_name(BUILD)}/jobs/{key}/abort"
        async with session.post(page) as answer:
            assert await answer.json() == {}
        await wait_for_questions(thinker, 2)
        thinker.go_on.set()
        await waiting


async def test_a_worker_does_so_much_at_the_same_time(machine: RemoteMachine, url: URL) -> None:
    thinker = Plain()
    thinker.go_on.clear()
    async with working(url, thinker, searches=2):
        waiting = [choosing(machine, seed) for seed in range(3)]
        await wait_for_questions(thinker, 2)
        await asyncio.sleep(1.5)  # a worker checks every second
        assert len(thinker.asked) == 2
        thinker.go_on.set()
        await asyncio.gather(*waiting)


CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = :name AND datname = current_database()
"""


async def test_bots_and_workers_continue_after_cut_connections(
    machine: RemoteMachine, url: URL, database: AsyncEngine
) -> None:
    thinker = Plain()
    async with working(url, thinker):
        await machine.choose(BOARDS[0], level=1, seed=0)
        thinker.go_on.clear()
        waiting = choosing(machine)
        await wait_for_questions(thinker, 2)
        async with database.begin() as connection:
            await connection.execute(text(CUT), {"name": "dvonn-bot queue"})
        thinker.go_on.set()
        await waiting
        await machine.choose(BOARDS[0], level=1, seed=0)


async def test_the_queue_has_a_page_where_a_host_wants_it(machine: RemoteMachine, url: URL) -> None:
    port, thinker = free_port(), Plain()
    async with working(url, thinker, page=port):
        await machine.choose(BOARDS[0], level=1, seed=0)
        async with ClientSession(f"http://127.0.0.1:{port}") as session:
            async with session.get("/api/queues") as answer:
                (queue,) = (await answer.json())["queues"]
            assert queue["name"] == queue_name(BUILD)
            # The bot, and the worker for each of three kinds of questions.
            assert len(queue["workers"]) == 4
            async with session.get("/") as answer:
                assert re.search("<title>SAQ</title>", await answer.text())
        with pytest.raises(ConfigError, match=f"--page {port} cannot be opened"):
            await answer_questions(url, thinker, searches=1, build=BUILD, page=port)


async def test_a_worker_reports_its_health_and_metrics(
    machine: RemoteMachine, url: URL, database: AsyncEngine
) -> None:
    port, thinker = free_port(), Plain()
    async with (
        working(url, thinker, port=port),
        ClientSession(f"http://127.0.0.1:{port}") as session,
    ):

        async def health() -> dict[str, Any]:
            async with session.get("/healthz") as answer:
                told = await answer.json()
                assert (answer.status == 200) is told["healthy"] is True
                return dict(told)

        async def number(name: str) -> float:
            async with session.get("/metrics") as answer:
                (line,) = re.findall(rf"^{name} (.*)$", await answer.text(), re.MULTILINE)
            return float(line)

        await machine.choose(BOARDS[0], level=1, seed=9)  # the search has started
        assert await health() == {
            "healthy": True,
            "status": "ready",
            "degraded": {},
            "database": "well",
        }
        thinker.go_on.clear()
        waiting = [choosing(machine, seed) for seed in range(3)]
        await wait_for_questions(thinker, 2)
        await until(database, "status = 'queued'", 2)
        assert await number("dvonn_queue_waiting") == 2
        async with database.begin() as connection:  # as if a minute had passed
            await connection.execute(text("UPDATE saq_jobs SET scheduled = scheduled - 100"))
        assert 100 <= await number("dvonn_queue_oldest_seconds") < 200
        silent = await health()
        assert (silent["status"], list(silent["degraded"])) == ("degraded", ["machine silent"])
        thinker.go_on.set()
        await asyncio.gather(*waiting)
        assert (await health())["status"] == "ready"
        assert await number("dvonn_ready") == 1


async def test_the_page_of_the_queue_is_for_this_machines_browser_alone(
    machine: RemoteMachine, url: URL, database: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    port, thinker = free_port(), Plain()
    thinker.go_on.clear()
    here = f"http://127.0.0.1:{port}"
    foreign: tuple[dict[str, str], ...] = (
        {"Host": "evil.example"},
        {"Host": f"evil.example:{port}"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "[::"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    )
    async with working(url, thinker, page=port), ClientSession(here) as session:
        waiting = choosing(machine)
        await wait_for_questions(thinker)
        async with database.connect() as connection:
            key = (await connection.execute(text("SELECT key FROM saq_jobs"))).scalar_one()
        jobs = f"/api/queues/{queue_name(BUILD)}/jobs"
        for headers in foreign:
            for method, path in (("GET", "/api/queues"), ("POST", f"{jobs}/{key}/abort")):
                async with session.request(method, path, headers=headers) as answer:
                    assert (answer.status, "queues" in await answer.json()) == (403, False)
        for path in ("/api/queues/none", f"{jobs}/none", "/api/queues/none/jobs/none", "/none"):
            async with session.get(path) as answer:
                said = await answer.text()
                assert (answer.status, "Traceback" in said) == (404, False)
        thinker.go_on.set()
        await waiting
        # Links on other sites may lead to the page, and its own requests are accepted.
        for own in (
            {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
            {"Origin": here, "Sec-Fetch-Site": "same-origin"},
            {"Host": f"localhost:{port}"},
        ):
            async with session.get("/", headers=own) as answer:
                assert answer.status == 200
    assert thinker.given_up == 0
    assert "Traceback" not in caplog.text


LEFT = """
INSERT INTO saq_jobs (key, job, queue, status, scheduled)
VALUES (:key, '', 'dvonn of another build', 'queued', :at)
"""


async def test_tables_are_created_once_and_rows_expire_after_a_week(
    url: URL, database: AsyncEngine
) -> None:
    async with database.connect() as connection:
        # The pooler keeps the lock of a process that has ended.
        await connection.execute(text("SELECT pg_advisory_lock(0, 0)"))
        await asyncio.gather(*(make_tables(url) for _ in range(4)))
    day = 86_400
    async with database.begin() as connection:
        for age in (6, 8):
            at = int(time.time()) - age * day - BACKDATED_S
            await connection.execute(text(LEFT), {"key": str(age), "at": at})
    await make_tables(url)
    assert await count(database) == await count(database, "key = '6'") == 1


async def test_a_worker_whose_clock_is_wrong_does_not_begin(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would consider other workers dead."""
    monkeypatch.setattr(job_queue, "_CLOCKS_DIFFER_S", -1)
    with pytest.raises(DatabaseError, match="its clock differs from this host's by 0 s"):
        await make_tables(url, for_worker=True)
    await make_tables(url)  # bots need no clock


def test_all_code_that_thinks_counts() -> None:
    assert all(any(folder.rglob("*.py")) for folder in ENGINE_FOLDERS)
