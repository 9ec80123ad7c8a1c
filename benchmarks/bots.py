"""Runs bots in separate processes, each with its own local Discord and two players."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox import Channel, Person, RateLimits, Sandbox

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Club:
    """A running bot with its local Discord and two players.

    Attributes:
        pid: Process ID of the bot.
    """

    world: Sandbox
    white: Person
    black: Person
    pid: int

    def new_channel(self) -> Channel:
        """Return a channel in a new server. Each server limits new games per person."""
        guild = self.world.create_guild("Friends")
        guild.join(self.white)
        guild.join(self.black)
        return guild.create_channel("dvonn")


@asynccontextmanager
async def club(folder: Path, module: str, *arguments: str, **settings: str) -> AsyncIterator[Club]:
    """Run a bot in a sandbox without rate limits while the block runs.

    Args:
        folder: Existing folder for the bot's work and its log.
        module: The bot's module, as passed to ``python -m``.
        arguments: Arguments after the module.
        settings: Environment variables besides the token and the API's address.

    Raises:
        RuntimeError: if the bot does not come online. Its text is the bot's log.
    """
    async with Sandbox(rate_limits=RateLimits.generous(), record=False) as world:
        white, black = world.create_person("Ann"), world.create_person("Bob")
        async with running_bot(world, folder, module, *arguments, **settings) as pid:
            yield Club(world, white, black, pid)


def _hide_rich(folder: Path) -> None:
    """Keep the bot from importing Rich, which hosts don't install, by a package in the folder.

    structlog imports Rich where it is installed, and only the tools of developers install it.
    """
    (folder / "rich").mkdir(parents=True, exist_ok=True)
    (folder / "rich" / "__init__.py").write_text('raise ImportError("hidden")\n')


@asynccontextmanager
async def running_bot(
    world: Sandbox, folder: Path, module: str, *arguments: str, **settings: str
) -> AsyncIterator[int]:
    """Run a bot beside a local Discord while the block runs. Yield its process id once it is ready.

    Args:
        world: The local Discord.
        folder: Existing folder for the bot's work and its log.
        module: The bot's module, as passed to ``python -m``.
        *arguments: Arguments after the module.
        **settings: Environment variables besides the token and the API's address.

    Raises:
        RuntimeError: if the bot does not come online. Its text is the bot's log.
    """
    inherited = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT") if key in os.environ}
    log = folder / "bot.log"
    _hide_rich(folder / "hidden")
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *arguments),
            stdout=output,
            stderr=output,
            env={
                **inherited,
                "PYTHONPATH": os.pathsep.join([str(folder / "hidden"), str(ROOT)]),
                "DISCORD_TOKEN": world.token,
                "DISCORD_API_URL": world.api_url,
                "REQUESTS_PER_SECOND": "10000",  # practically no limit
                **settings,
            },
            cwd=folder,
        )
    try:
        try:
            await world.wait_ready()
        except TimeoutError as error:
            raise RuntimeError(f"{error}\n{log.read_text()}") from error
        yield process.pid
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def memory_mib(pid: int) -> tuple[float, float] | None:
    """Return a process's current and largest memory in MiB, or None outside Linux."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except FileNotFoundError:
        return None
    kib = dict(re.findall(r"^(VmRSS|VmHWM):\s+([0-9]+) kB$", status, re.MULTILINE))
    return int(kib["VmRSS"]) / 1024, int(kib["VmHWM"]) / 1024


def processor_ms(pid: int) -> float | None:
    """Return the processor time of a process's current threads in ms, or None outside Linux.

    The kernel counts it in nanoseconds, and `cpu_s` in hundredths of a second.
    """
    tasks = Path(f"/proc/{pid}/task")
    if not tasks.is_dir():
        return None
    counts = (file.read_text(encoding="ascii").split()[0] for file in tasks.glob("*/schedstat"))
    return sum(map(int, counts)) / 1e6


def cpu_s(pid: int) -> float:
    """Return the processor time of all threads of a process, in seconds. Linux only."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
