"""Several processes of one bot on one PostgreSQL."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

from sandbox import GuildAdmin, Sandbox
from tests.e2e.bot_process import BotClock, BotProcess, WorldClock

ATTEMPTS = 1_000


class Processes:
    """Processes that share a database, and one time with the sandbox."""

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
        """One more, which is not started yet."""
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
        """What all of them take for the present."""
        return self._clocks[0].now

    def pass_time(self, **by: float) -> None:
        """Let time pass, for all of them and for Discord."""
        for clock in self._clocks:
            clock.elapse(**by)
        self._world_clock.ahead_s += timedelta(**by).total_seconds()

    def pass_until(self, moment: datetime) -> None:
        """Let time pass until a moment."""
        self.pass_time(seconds=(moment - self.now).total_seconds())

    @property
    def log(self) -> str:
        """What all of them have written."""
        return "".join(bot.log for bot in self.all)

    async def end(self) -> None:
        """Kill what is still there, frozen or not."""
        for bot in self.all:
            await bot.end()

    def forget(self, bot: BotProcess) -> None:
        """One that has ended is not started again."""
        place = self.all.index(bot)
        del self.all[place], self._clocks[place]


async def guild_of_shard(world: Sandbox, name: str, shard: int, count: int) -> GuildAdmin:
    """A new server, of one certain shard: that goes by the millisecond in which it was made."""
    for _ in range(ATTEMPTS):
        if int(world.clock.time() * 1_000) % count == shard:
            guild = world.create_guild(name)
            if (guild.guild.id >> 22) % count == shard:
                return guild
        await asyncio.sleep(0.0003)
    raise AssertionError(f"no server came to shard {shard} of {count}")
