"""Two bots by mistake on one database: their host is told by both, and nobody is stopped."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess
from tests.operations.conftest import Watched, until
from tests.ports import free_port
from tests.postgresql import without_rows

TOLD = "another process uses this database as well"
OVER = "no other process uses this database for the same shards any more"


@dataclass
class Watchful:
    """A bot, and its numbers."""

    bot: BotProcess
    page: Watched

    async def start(self) -> None:
        """Start it, and wait until it has written down what it has heard."""
        await self.bot.start()
        await until(self.has_written)

    async def has_written(self) -> bool:
        numbers = await self.page.numbers()
        return any(name.startswith("dvonn_gateway_heard_timestamp") for name in numbers)

    async def shares(self, *shards: str) -> bool:
        """Whether these are the shards that it says it shares; that is no illness."""
        status, health = await self.page.health()
        assert (status, health["healthy"]) == (200, True)
        return bool(health["shared"] == list(shards))

    @property
    def told(self) -> int:
        """How often the host was told."""
        return self.bot.log.count(TOLD)


class Hosts:
    """Who starts bots beside one local Discord."""

    def __init__(self, world: Sandbox, folder: Path) -> None:
        self.world = world
        self._folder = folder
        self.all: list[Watchful] = []

    def bot(self, database: str, shards: str = "all") -> Watchful:
        """One more, which is not started yet."""
        folder = self._folder / f"bot-{len(self.all)}"
        folder.mkdir()
        page = Watched(free_port())
        settings = {"DATABASE_URL": database, "SHARDS": shards, "METRICS_PORT": str(page.port)}
        bot = BotProcess(self.world, folder, **settings)
        bot.alone = False
        self.all.append(Watchful(bot, page))
        return self.all[-1]


@pytest.fixture
async def hosts(tmp_path: Path) -> AsyncIterator[Hosts]:
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        world.create_guild("Friends")
        hosts = Hosts(world, tmp_path)
        yield hosts
        for one in hosts.all:
            await one.bot.end()
            print(one.bot.log)  # noqa: T201 - pytest shows it when the test has failed


async def test_two_bots_on_one_file_are_told_by_both(hosts: Hosts, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"
    old, new = hosts.bot(url), hosts.bot(url)
    await old.start()
    await new.start()
    assert (old.told, new.told) == (0, 1)  # the new one sees at its start that the file is open
    hosts.world.invalidate_sessions()  # in a new session it is written at once what was heard
    await until(lambda: old.shares("shard 0"))
    await until(lambda: new.shares("shard 0"))
    assert (old.told, new.told) == (1, 1)
    assert await new.bot.stop() == 0
    hosts.world.invalidate_sessions()
    await until(old.shares)
    assert OVER in old.bot.log
    assert await old.bot.stop() == 0


async def test_a_bot_that_comes_back_after_a_power_cut_meets_nobody(
    hosts: Hosts, tmp_path: Path
) -> None:
    one = hosts.bot(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}")
    await one.start()
    await one.bot.kill()
    await one.start()
    hosts.world.invalidate_sessions()
    await one.bot.wrote("was looked through")
    assert await one.shares()
    assert one.told == 0


async def test_processes_of_the_same_shards_on_a_postgresql_are_told_and_others_are_not(
    hosts: Hosts, postgres_url: str
) -> None:
    await without_rows(postgres_url)
    first, other, same = (hosts.bot(postgres_url, shards) for shards in ("0/2", "1/2", "0/2"))
    for one in (first, other, same):
        await one.start()
    hosts.world.invalidate_sessions()
    await until(lambda: first.shares("shard 0"))
    await until(lambda: same.shares("shard 0"))
    assert await other.shares()
    assert [one.told for one in (first, other, same)] == [1, 0, 1]
