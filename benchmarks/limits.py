"""A whole game under a memory limit that the system enforces, as on small hosts.

    python -m benchmarks.limits [--mib 256] [--machine] [--idle 30] [--seed 1]

This works only on Linux and as root. The bot and its worker for the machine run in a control group
that is limited to `--mib` MiB, without swap. The kernel kills processes that exceed it. Two people
play a whole game by typed moves. With `--machine`, a second game is played against the machine, and
both games are reviewed. If the memory is too small for the machine, the run continues without it.

The database exists, as at every start but a host's first one, and the bot may use two malloc
arenas, as in its image and its systemd unit.

`most_mib` is the most memory that the group has used, including cached files that could not be
dropped. `rest_mib` is the memory of its processes before the first game, and `rss_mib` at the end.
Then nobody does anything for `--idle` seconds: `idle_percent` is the processor time of all its
processes in that time, as a percentage of one core. `start_cpu_s` is the bot's processor time until
it is ready, and `start_s` the elapsed time.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random

from benchmarks.bots import cpu_s, memory_mib, running_bot
from benchmarks.result import result_line
from bot.base.database_address import database_address
from bot.database.opening import create_engine, migrate
from bot.play.store.store import Store
from sandbox import RateLimits, Sandbox
from tests.soak.tables import Hall

_V1 = Path("/sys/fs/cgroup/memory")
_V2 = Path("/sys/fs/cgroup")
_SETTLED_S = 5.0
"""Time for the bot to finish its work after the start, and after the last board, in seconds."""
_REVIEWED_S = 60.0
_ENDS_WITHIN = 100
_MIB = 1 << 20


class Group:
    """A separate control group for the bot, in either version of the kernel's interface."""

    def __init__(self, mib: int) -> None:
        is_v1 = (_V1 / "memory.limit_in_bytes").exists()
        self._folder = (_V1 if is_v1 else _V2) / f"dvonn-{os.getpid()}"
        self._limit = "memory.limit_in_bytes" if is_v1 else "memory.max"
        self._peak = "memory.max_usage_in_bytes" if is_v1 else "memory.peak"
        self._swap = "memory.memsw.limit_in_bytes" if is_v1 else "memory.swap.max"
        self._events = "memory.oom_control" if is_v1 else "memory.events"
        self._folder.mkdir()
        (self._folder / self._limit).write_text(str(mib * _MIB))
        with suppress(OSError):  # on kernels that do not count swap
            (self._folder / self._swap).write_text(str(mib * _MIB) if is_v1 else "0")

    @property
    def pids(self) -> list[int]:
        """The ids of all processes in the group."""
        return [int(pid) for pid in (self._folder / "cgroup.procs").read_text().split()]

    @property
    def has_another(self) -> bool:
        """True if the group has a process besides the current one."""
        return any(pid != os.getpid() for pid in self.pids)

    @property
    def most_mib(self) -> float:
        """The largest memory that the group has used, in MiB."""
        return int((self._folder / self._peak).read_text()) / _MIB

    @property
    def rss_mib(self) -> float:
        """The memory of the group's processes now, in MiB."""
        return sum(now[0] for number in self.pids if (now := memory_mib(number)))

    @property
    def killed(self) -> int:
        """The number of the group's processes that were killed because memory ran out."""
        words = (self._folder / self._events).read_text().split()
        return int(words[words.index("oom_kill") + 1])

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Put every process that is started in the block into the group, with its children."""
        procs, outside = self._folder / "cgroup.procs", self._folder.parent / "cgroup.procs"
        procs.write_text(str(os.getpid()))
        try:
            yield
        finally:
            outside.write_text(str(os.getpid()))

    def close(self) -> None:
        """Remove the group once it is empty. A killed worker takes some time to end."""
        for _ in range(_ENDS_WITHIN):
            if not self.pids:
                break
            time.sleep(0.1)
        self._folder.rmdir()


async def measure(mib: int, idle_s: float, seed: int, folder: Path, *, machine: bool) -> None:
    """Play under the limit, and print the RESULT line."""
    url = f"sqlite:///{folder.as_posix()}/dvonn.sqlite3"
    settings = {"DATABASE_URL": url, "MACHINE": "auto" if machine else "off"}
    settings |= {"MALLOC_ARENA_MAX": "2"}
    engine = create_engine(database_address(url))
    await migrate(engine)
    store = Store(engine)
    with closing(Group(mib)) as group:
        async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
            began = time.perf_counter()
            # The process that starts the bot is in the group only during the start.
            bot = running_bot(world, folder, "bot", **settings)
            with group.entered():
                starting = asyncio.ensure_future(bot.__aenter__())
                while not group.has_another:  # noqa: ASYNC110 - a control group sends no events
                    await asyncio.sleep(0)
            pid = await starting
            figures: dict[str, float] = {
                "mib": mib,
                "start_s": time.perf_counter() - began,
                "start_cpu_s": cpu_s(pid),
            }
            try:
                await asyncio.sleep(_SETTLED_S)
                figures["rest_mib"] = group.rss_mib
                hall = Hall(world, store, Random(seed), pause_s=0.05)
                print(f"people: {await hall.play('placement')} turns")
                if machine:
                    hall = Hall(world, store, Random(seed), 0.05)
                    turns = await hall.play("placement", by_machine=True)
                    print(f"machine: {turns} turns")
                    await asyncio.sleep(_REVIEWED_S)  # both games are reviewed
                await asyncio.sleep(_SETTLED_S)
                figures["rss_mib"], pids = group.rss_mib, group.pids
                spent = sum(map(cpu_s, pids))
                await asyncio.sleep(idle_s)
                used = sum(map(cpu_s, pids)) - spent
                figures["idle_percent"] = used / idle_s * 100
                figures["most_mib"] = group.most_mib
                figures["killed"] = group.killed
            finally:
                await store.close()
                await bot.__aexit__(None, None, None)
    print(result_line("limits", figures))


def main() -> None:
    """Measure, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.limits")
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--machine", action="store_true")
    parser.add_argument("--idle", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not _V2.exists():
        print("limits: needs Linux, and root for a control group; nothing was measured")
        return
    with tempfile.TemporaryDirectory(prefix="dvonn-limits-") as name:
        work = measure(options.mib, options.idle, options.seed, Path(name), machine=options.machine)
        asyncio.run(work)


if __name__ == "__main__":
    main()
