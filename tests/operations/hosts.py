"""Several bots next to one local Discord, each with its health and metrics."""

from dataclasses import dataclass
from pathlib import Path

from sandbox import Sandbox
from tests.e2e.bot_process import BotClock, BotProcess, WorldClock
from tests.operations.watched import Watched, until
from tests.ports import free_port

TOLD = "duplicate process detected"


@dataclass
class Watchful:
    """A bot and its metrics."""

    bot: BotProcess
    page: Watched
    clock: BotClock | None = None

    async def start(self) -> None:
        """Start it, and wait until it has recorded what it received."""
        await self.bot.start()
        await until(self.has_written)

    async def has_written(self) -> bool:
        numbers = await self.page.numbers()
        return any(name.startswith("dvonn_gateway_heard_timestamp") for name in numbers)

    async def shares(self, *shards: str) -> bool:
        """Return True if its health names exactly these shared shards, and no other fault."""
        status, health = await self.page.health()
        assert (status, health["healthy"]) == (200, True)
        assert health["degraded"].keys() <= {"shared shards"}
        return bool(health["shared"] == list(shards))

    async def has_fault(self, fault: str) -> bool:
        """Return True if its health names a fault. Its log and metrics must agree."""
        status, health = await self.page.health()
        assert status == 200
        return fault in health["degraded"]

    @property
    def log_count(self) -> int:
        """Return how often the host was told."""
        return self.bot.log.count(TOLD)


class Hosts:
    """Starts bots next to one local Discord."""

    def __init__(self, world: Sandbox, clock: WorldClock, folder: Path) -> None:
        self.world = world
        self._clock = clock
        self._folder = folder
        self.all: list[Watchful] = []

    def bot(self, database: str, shards: str = "all", *, moved: bool = False) -> Watchful:
        """Add a bot, which is not started yet. Its clock can be moved if requested."""
        folder = self._folder / f"bot-{len(self.all)}"
        folder.mkdir()
        page = Watched(free_port())
        settings = {"DATABASE_URL": database, "SHARDS": shards, "METRICS_PORT": str(page.port)}
        bot = BotProcess(self.world, folder, **settings)
        bot.alone = False
        one = Watchful(bot, page)
        if moved:
            one.clock = bot.take_clock()
            one.clock.elapse(seconds=self._clock.ahead_s)
        self.all.append(one)
        return one

    def pass_time(self, seconds: float) -> None:
        """Let time pass for Discord and all bots whose clocks can be moved."""
        for item in self.all:
            if item.clock is not None:
                item.clock.elapse(seconds=seconds)
        self._clock.ahead_s += seconds
