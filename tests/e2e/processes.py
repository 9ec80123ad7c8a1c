"""Several processes of one bot on one PostgreSQL database."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

from sandbox import GuildAdmin, Sandbox
from tests.e2e.bot_process import BotClock, BotProcess, WorldClock

ATTEMPTS = 1_000


class Processes:
    """Processes that share a database, and the sandbox's clock."""

    def __init__(
        self, world: Sandbox, clock: WorldClock, folder: Path, database: str | None, **settings: str
    ) -> None:
        self._world = world
        self._world_clock = clock
        self._folder = folder
        self._settings = settings if database is None else {"DATABASE_URL": database, **settings}
        self._clocks: list[BotClock] = []
        self._made = 0
        self.all: list[BotProcess] = []

    def add(self, shards: str = "all") -> BotProcess:
        """Add a process, which is not started yet."""
        self._made += 1
        folder = self._folder / f"process-{self._made}"
        folder.mkdir()
        bot = BotProcess(self._world, folder, SHARDS=shards, **self._settings)
        bot.alone = False
        clock = bot.take_clock()
        clock.elapse(seconds=self._world_clock.ahead_s)
        self._clocks.append(clock)
        self.all.append(bot)
        return bot

    @property
    def now(self) -> datetime:
        """Return the time that all processes see."""
        return self._clocks[0].now

    def pass_time(self, **by: float) -> None:
        """Let time pass for all processes and for Discord."""
        for clock in self._clocks:
            clock.elapse(**by)
        self._world_clock.ahead_s += timedelta(**by).total_seconds()

    def pass_until(self, moment: datetime) -> None:
        """Let time pass until a moment."""
        self.pass_time(seconds=(moment - self.now).total_seconds())

    @property
    def log(self) -> str:
        """Return the logs of all processes."""
        return "".join(bot.log for bot in self.all)

    async def end(self) -> None:
        """Kill all remaining processes, frozen or not."""
        for bot in self.all:
            await bot.end()

    def forget(self, bot: BotProcess) -> None:
        """Forget a process that has ended, so that it is not started again."""
        place = self.all.index(bot)
        del self.all[place], self._clocks[place]


async def guild_of_shard(world: Sandbox, name: str, shard: int, count: int) -> GuildAdmin:
    """Create a server of a given shard.

    Its id, and so the shard, depends on the current millisecond.
    """
    for _ in range(ATTEMPTS):
        if int(world.clock.time() * 1_000) % count == shard:
            guild = world.create_guild(name)
            if (guild.guild.id >> 22) % count == shard:
                return guild
        await asyncio.sleep(0.0003)
    raise AssertionError(f"no server came to shard {shard} of {count}")
