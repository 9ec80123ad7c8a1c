"""Faults that last for days: how many sessions the bot starts in any 24 hours.

    python -m tests.soak.identifies [--days 2] [FAULT ...]

The real bot meets each fault in the sandbox. While it waits on purpose, the time of both is moved
forward to the end of the wait. Everything else takes its real time.
"""

import argparse
import asyncio
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess, WorldClock
from tests.e2e.processes import Processes
from tests.operations.watched import Watched

MOST = 200
_DAY_S = 86_400.0
_LOOK_S = 0.05
_OUTAGE_S = 180.0
"""How long a fault that causes no session is watched. No time can be skipped there."""
_STARTS_WITHIN_S = 86_400.0


@dataclass
class Watch:
    """Counts sessions, and moves time forward."""

    world: Sandbox
    clock: WorldClock
    processes: Processes
    bot: BotProcess
    watched: Watched
    begun: list[float] = field(default_factory=list)

    def count(self) -> None:
        """Record the sessions started since the last check."""
        new = self.world.state.gateway.identifies - len(self.begun)
        self.begun += [self.clock.time()] * new

    async def look(self) -> None:
        """Record them, and skip the bot's waiting time."""
        self.count()
        with suppress(aiohttp.ClientError):
            numbers = await self.watched.numbers()
            until = numbers.get('dvonn_gateway_waits_until_timestamp_seconds{shard="0"}', 0.0)
            left = until - self.processes.now.timestamp()
            if left > 0:
                self.processes.pass_time(seconds=left)
        await asyncio.sleep(_LOOK_S)

    @property
    def most_in_a_day(self) -> int:
        """Return the maximum number in any 24 hours."""
        return max(sum(at <= item < at + _DAY_S for item in self.begun) for at in self.begun)


Fault = Callable[[Watch], Awaitable[None]]


async def first_server_away(watch: Watch) -> None:
    """The first of two servers is in an outage."""
    guild, *_ = watch.world.state.guilds.values()
    watch.world.faults.outage(guild)
    await asyncio.sleep(_OUTAGE_S)


async def all_servers_away(watch: Watch) -> None:
    """Both servers are in an outage."""
    for guild in watch.world.state.guilds.values():
        watch.world.faults.outage(guild)
    await asyncio.sleep(_OUTAGE_S)


async def op_9(watch: Watch) -> None:
    """Every identify or resume is answered with an invalid session."""
    watch.world.faults.invalidate_always()
    watch.world.invalidate_sessions()


async def op_9_resumable(watch: Watch) -> None:
    """The same, with a session that may be resumed."""
    watch.world.faults.invalidate_always(resumable=True)
    watch.world.invalidate_sessions()


async def closed(watch: Watch) -> None:
    """Each session is lost right after READY."""
    watch.world.faults.end_after_ready()
    watch.world.invalidate_sessions()


async def resume_refused(watch: Watch) -> None:
    """Connections are cut, and RESUME is refused."""
    watch.world.faults.refuse_resume(times=None)

    async def cut() -> None:
        while True:
            await watch.world.wait_session(timeout=_STARTS_WITHIN_S)
            await watch.world.disconnect()

    _BESIDE.append(asyncio.create_task(cut()))


async def killed(watch: Watch) -> None:
    """The process is killed and restarted as soon as its session has started."""

    async def kill() -> None:
        while True:
            await watch.bot.kill()
            await watch.bot.start(patience_s=_STARTS_WITHIN_S)

    watch.bot.alone = True
    _BESIDE.append(asyncio.create_task(kill()))


async def stopped(watch: Watch) -> None:
    """The same with SIGTERM, as by a supervisor that restarts an unhealthy bot."""

    async def stop() -> None:
        while True:
            await watch.bot.stop()
            await watch.bot.start(patience_s=_STARTS_WITHIN_S)

    watch.bot.alone = True
    _BESIDE.append(asyncio.create_task(stop()))


_BESIDE: list[asyncio.Task[None]] = []
FAULTS: dict[str, Fault] = {
    "first-server-away": first_server_away,
    "all-servers-away": all_servers_away,
    "op-9": op_9,
    "op-9-resumable": op_9_resumable,
    "closed-after-ready": closed,
    "resume-refused": resume_refused,
    "killed": killed,
    "stopped": stopped,
}


async def run(name: str, days: float, folder: Path) -> int:
    """Let a fault last. Return the number of sessions in any 24 hours of it."""
    clock = WorldClock()
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        watched = Watched(one.getsockname()[1])
    limits = RateLimits.generous()
    async with Sandbox(rate_limits=limits, record=False, clock=clock) as world:
        for number in range(2):
            world.create_guild(f"Club {number}")
        processes = Processes(world, clock, folder, None, METRICS_PORT=str(watched.port))
        bot = processes.add()
        watch = Watch(world, clock, processes, bot, watched)
        await bot.start(patience_s=_STARTS_WITHIN_S)
        began = clock.time()
        try:
            await FAULTS[name](watch)
            ends = began + (0 if name.endswith("away") else days * _DAY_S)
            while clock.time() < ends:
                await watch.look()
            watch.count()
        finally:
            for task in _BESIDE:
                task.cancel()
            _BESIDE.clear()
            await processes.end()
        hours = (clock.time() - began) / 3600
        sys.stdout.write(
            f"{name}: {len(watch.begun)} sessions in {hours:.1f} hours, "
            f"at most {watch.most_in_a_day} in 24 hours; token reset: "
            f"{world.state.gateway.token_reset}\n"
        )
        sys.stdout.flush()
        return watch.most_in_a_day


def main() -> int:
    """Run, and report whether there were too many."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--days", type=float, default=2.0)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=", ".join(FAULTS))
    options = parser.parse_args()
    most = 0
    for name in options.faults or FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            most = max(most, asyncio.run(run(name, options.days, Path(folder))))
    return 1 if most > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
