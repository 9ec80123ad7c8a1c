"""The short lives of the bot's processes: how they end, and what happens in them."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from sandbox.faults import Faults
from sandbox.orders import Fault
from tests.e2e import newer
from tests.e2e.bot_process import BotProcess
from tests.e2e.processes import Processes

PATIENCE_S = 600.0
"""Maximum start time of a process on a slow machine."""
IN_A_HURRY_S = 1.0
"""Thinking time of players at the end. One core can render about fifty games."""
LONGEST_LIFE_S = 3.0
"""A process lives at most this long after it is ready."""
_LOOK_S = 0.1
DAYS_OF_OUTAGE = 0.2
"""Fraction of kills followed by a day of outage."""
TYPED_MEANWHILE = 3
"""Number of moves to wait for during such an outage."""
BROKEN_CONNECTIONS = 0.3
"""Fraction of lives with broken connections."""
HEARD_AGAIN = 30
"""Number of payloads that are then repeated."""
BAD_LIVES = 0.3
"""Fraction of lives with failing requests."""
LIMITED = 0.15
"""Fraction of lives with a global rate limit, after which all sessions are invalid."""
_LIMIT_S = 8.0
"""discord.py waits five seconds before it starts a session."""
ALL_AT_ONCE = 0.1
"""With several processes: fraction of kills that hit all of them."""
FREEZES = 0.3
"""With several processes: fraction of kills before which a process is frozen for a while."""
REPLACED = 0.5
"""Fraction of frozen processes that are replaced, and wake up next to their successor."""
WAKES_UP_LATE = 0.5
"""Fraction of those that wake up a day later, when nonces have expired."""
ROLLING = 0.2
"""With several processes or upgrades: fraction of kills before which a process is replaced while
it is still running."""
_LONGEST_FREEZE_S = 9.0
"""Leases last five seconds."""
_SEND, _READ = "POST /channels/{id}/messages", "GET /channels/{id}/messages"


@dataclass
class Course:
    """The events so far.

    Attributes:
        thinking_s: Average thinking time of players.
        down: Shards without a running process.
        posted: Number of posted boards.
    """

    thinking_s: float
    down: set[int] = field(default_factory=set)
    kills: int = 0
    days: int = 0
    resumes: int = 0
    failures: int = 0
    limits: int = 0
    posted: int = 0
    frozen: int = 0
    zombies: int = 0
    overlaps: int = 0
    releases: int = 0
    typed_while_down: int = 0


async def _anybody() -> None:
    """Spare no process."""


class Lives:
    """One process for each shard, and a successor as soon as it has ended.

    Args:
        processes: Makes them.
        count: Number of processes at a time.
        rng: Random source for their lifetimes.
        course: Records what happens.
        upgrades: True if each rolling restart starts a later release with another schema.
    """

    spare: Callable[[], Awaitable[None]] = staticmethod(_anybody)
    """Waits until a process may die or be frozen."""

    def __init__(
        self,
        processes: Processes,
        count: int,
        rng: Random,
        course: Course,
        *,
        upgrades: bool = False,
    ) -> None:
        self._upgrades = upgrades
        self._processes = processes
        self._count = count
        self._rng = rng
        self._course = course
        self.bots = [self._new(shard) for shard in range(count)]

    def _new(self, shard: int) -> BotProcess:
        return self._processes.add("all" if self._count == 1 else f"{shard}/{self._count}")

    @property
    def log(self) -> str:
        """Return the logs of the living processes."""
        return "".join(bot.log for bot in self._processes.all)

    async def begin(self) -> None:
        """Let all of them live."""
        for bot in self.bots:
            await self._start(bot)

    async def _start(self, bot: BotProcess) -> None:
        """Start a process of the newest release, however slow the machine is."""
        if self._course.releases:
            bot.module = "tests.e2e.newer"
            bot.settings[newer.VARIABLE] = str(self._course.releases)
        await bot.start(patience_s=PATIENCE_S)

    async def end(self) -> None:
        """Stop all of them."""
        for bot in self.bots:
            await bot.stop()

    async def end_again_and_again(self, kills: int) -> None:
        """Kill a number of times, each time after a short life. Ends early when canceled."""
        course, world = self._course, self.bots[0].world
        failing: list[Fault] = []
        try:
            while course.kills < kills:
                failing = self._fail(world.faults) if self._now_and_then(BAD_LIVES) else []
                if self._now_and_then(BROKEN_CONNECTIONS):
                    await self._break_connections()
                if self._now_and_then(LIMITED):
                    await self._limit()
                if self._count > 1 and self._now_and_then(FREEZES):
                    await self._freeze()
                if (self._count > 1 or self._upgrades) and self._now_and_then(ROLLING):
                    await self._overlap()
                await self._a_while()
                await self._kill(failing)
                if course.kills % 25 == 0:
                    sys.stdout.write(f"{course}\n")
                    sys.stdout.flush()
        except asyncio.CancelledError:
            # The games are over. The last life must be a whole one, to post what is left.
            course.failures += _end(failing)
            if not course.down:
                await self.spare()
            await self._processes.end()
            await self.begin()
            raise
        finally:
            course.thinking_s = IN_A_HURRY_S

    def _now_and_then(self, part: float) -> bool:
        return self._rng.random() < part

    async def _a_while(self, longest_s: float = LONGEST_LIFE_S) -> None:
        await asyncio.sleep(self._rng.uniform(0, longest_s))

    async def _break_connections(self) -> None:
        world = self.bots[0].world
        await self._a_while()
        again = world.faults.repeat(HEARD_AGAIN, times=self._count)
        await world.disconnect()
        await self._a_while()
        self._course.resumes += again.hits
        again.end()

    async def _limit(self) -> None:
        """Apply a global rate limit. Requests that wait for its end must not leave the bot mute."""
        world, course = self.bots[0].world, self._course
        route = self._rng.choice((_SEND, _READ))
        limit = world.faults.limit_everything(route, retry_after_s=_LIMIT_S)
        with limit, suppress(TimeoutError):
            await limit.met(timeout=LONGEST_LIFE_S)
        if not limit.hits:
            return  # nobody has requested it
        course.limits += 1
        before = world.sessions
        world.invalidate_sessions()
        await world.wait_session(besides=before, timeout=PATIENCE_S)
        posted = course.posted
        async with asyncio.timeout(PATIENCE_S):
            while course.posted == posted:  # noqa: ASYNC110 - a count tells of no event
                await asyncio.sleep(_LOOK_S)

    async def _kill(self, failing: list[Fault]) -> None:
        """Kill one process or all, perhaps for a day, and restart what was killed."""
        course = self._course
        everybody = self._count == 1 or self._now_and_then(ALL_AT_ONCE)
        shards = range(self._count) if everybody else [self._rng.randrange(self._count)]
        await self.spare()
        for shard in shards:
            await self.bots[shard].kill()
        course.kills += 1
        course.failures += _end(failing)
        course.down = set(shards)
        if self._now_and_then(DAYS_OF_OUTAGE):
            await self._a_day_passes()
        await asyncio.gather(*(self._start(self.bots[shard]) for shard in shards))
        course.down = set()

    async def _overlap(self) -> None:
        """Restart one process: for a while the old and the new process receive the same events."""
        self._course.overlaps += 1
        # the new process changes the tables while others play
        self._course.releases += self._upgrades
        shard = self._rng.randrange(self._count)
        old, new = self.bots[shard], self._new(shard)
        await self._start(new)
        self.bots[shard] = new
        await self._a_while()
        await self._retire(old)

    async def _freeze(self) -> None:
        """Freeze one process past its leases. It may have a successor when it wakes up."""
        shard = self._rng.randrange(self._count)
        frozen = self.bots[shard]
        await self._a_while()
        # Ideally, it is killed just before the next request, which discord.py sends after a
        # second.
        with frozen.world.faults.answer(_SEND, status=502) as failure, suppress(TimeoutError):
            await failure.met(timeout=LONGEST_LIFE_S)
        await self.spare()
        frozen.freeze()
        self._course.frozen += 1
        self._course.down = {shard}
        if not self._now_and_then(REPLACED):
            await self._a_while(_LONGEST_FREEZE_S)
            frozen.thaw()
            self._course.down = set()
            return
        self._course.zombies += 1
        new = self._new(shard)
        await self._start(new)
        self.bots[shard] = new
        self._course.down = set()
        await self._a_while(_LONGEST_FREEZE_S)
        if self._now_and_then(WAKES_UP_LATE):
            await self._a_day_passes()
        frozen.thaw()
        await self._a_while()
        await self._retire(frozen)

    async def _retire(self, bot: BotProcess) -> None:
        await self.spare()
        if self._rng.random() < 0.5:
            await bot.kill()
        else:
            await bot.stop()
        self._processes.forget(bot)

    async def _a_day_passes(self) -> None:
        """Someone types, a day passes, and someone types again."""
        course = self._course
        course.days += 1
        enough = course.typed_while_down + TYPED_MEANWHILE
        for _ in range(int(LONGEST_LIFE_S / _LOOK_S)):
            if course.typed_while_down < enough:
                await asyncio.sleep(_LOOK_S)
        self._processes.pass_time(days=1)
        await asyncio.sleep(1.0)

    def _fail(self, faults: Faults) -> list[Fault]:
        """Let some of the bot's requests to Discord fail."""
        rng, times = self._rng, self._rng.randint(1, 5)
        return [
            rng.choice(
                (
                    lambda: faults.lose_answer(_SEND, times=times),
                    lambda: faults.lose_request(_SEND, times=times),
                    lambda: faults.answer(_SEND, status=503, times=times),
                    lambda: faults.slow(_SEND, seconds=LONGEST_LIFE_S, times=times),
                )
            )(),
            rng.choice(
                (
                    lambda: faults.lose_request(_READ, times=times),
                    lambda: faults.answer(_READ, status=503, times=times),
                    lambda: faults.slow(_READ, seconds=LONGEST_LIFE_S, times=times),
                )
            )(),
        ]


def _end(faults: list[Fault]) -> int:
    """Remove all faults. Return how often there were any."""
    for fault in faults:
        fault.end()
    return sum(fault.hits for fault in faults)
