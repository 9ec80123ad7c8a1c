"""Several bots next to one local Discord, each with its health and numbers."""

from dataclasses import dataclass
from pathlib import Path

from sandbox import Sandbox
from tests.e2e.bot_process import BotClock, BotProcess, WorldClock
from tests.operations.watched import Watched, until
from tests.ports import free_port

TOLD = "duplicate process detected"


@dataclass
class Watchful:
    """A bot, and its numbers."""

    bot: BotProcess
    page: Watched
    clock: BotClock | None = None

    async def start(self) -> None:
        """Start it, and wait until it has written down what it has heard."""
        await self.bot.start()
        await until(self.has_written)

    async def has_written(self) -> bool:
        numbers = await self.page.numbers()
        return any(name.startswith("dvonn_gateway_heard_timestamp") for name in numbers)

    async def shares(self, *shards: str) -> bool:
        """Whether these are the shards that it says it shares. That degrades it, and no more."""
        status, health = await self.page.health()
        assert (status, health["healthy"]) == (200, True)
        assert health["degraded"].keys() <= {"shared shards"}
        return bool(health["shared"] == list(shards))

    async def has_fault(self, fault: str) -> bool:
        """Whether its health names a fault. Its log and its numbers do, too, then."""
        status, health = await self.page.health()
        assert status == 200
        return fault in health["degraded"]

    @property
    def told(self) -> int:
        """How often the host was told."""
        return self.bot.log.count(TOLD)


class Hosts:
    """Who starts bots beside one local Discord."""

    def __init__(self, world: Sandbox, clock: WorldClock, folder: Path) -> None:
        self.world = world
        self._clock = clock
        self._folder = folder
        self.all: list[Watchful] = []

    def bot(self, database: str, shards: str = "all", *, moved: bool = False) -> Watchful:
        """One more, which is not started yet. Return its clock can be moved if it is told so."""
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
        """Let time pass, for all whose clocks are moved, and for Discord."""
        for one in self.all:
            if one.clock is not None:
                one.clock.elapse(seconds=seconds)
        self._clock.ahead_s += seconds
