"""Starts the machine for the bot, for `check` and for `worker`."""

import argparse
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path
from typing import Final

import structlog

import bot
import dvonn
import dvonn_lessons
from bot.base.config import MachineSwitch, Settings, WorkerSettings, load_worker_settings
from bot.base.database_address import redacted_url
from bot.base.environment import how_to_install
from bot.base.errors import ConfigError
from bot.features.machine.opponent.analyst import Analyst
from bot.features.machine.opponent.machine import Machine, machine_is_installed
from bot.features.machine.opponent.staged_machine import StagedMachine
from bot.play.seams import Tool
from dvonn.machine import INTERPRETED

ENGINE_FOLDERS = (
    Path(dvonn.__file__).parent,
    Path(dvonn_lessons.__file__).parent,
    *(Path(bot.__file__).parent / name for name in ("play/model", "features/machine/opponent")),
)
"""Packages with the engine, the puzzles, and the types of questions and answers."""


def build(folders: tuple[Path, ...] = ENGINE_FOLDERS) -> str:
    """Return the version and a checksum of the engine's code. It is the same on every machine."""
    digest = sha256()
    for folder in folders:
        files = (file for kind in ("py", "json") for file in folder.rglob(f"*.{kind}"))
        for name, file in sorted((file.relative_to(folder).as_posix(), file) for file in files):
            digest.update(f"{folder.name}/{name}\0".encode())
            digest.update(sha256(file.read_bytes()).digest())
    return f"{bot.__version__}+{digest.hexdigest()[:12]}"


_log = structlog.get_logger()


async def open_machine(settings: Settings, parts: AsyncExitStack) -> Analyst | None:
    """Return the machine, or None if it is switched off."""
    match settings.machine:
        case MachineSwitch.QUEUE:
            from bot.features.machine.opponent.remote import remote_machine  # noqa: PLC0415 - an extra

            remote = remote_machine(settings.database, build())
            return Analyst(await parts.enter_async_context(remote))
        case MachineSwitch.OFF:
            return None
        case MachineSwitch.AUTO if machine_is_installed():
            machine = StagedMachine(Machine(settings.machine_searches, settings.machine_ahead))
        case _:
            machine = StagedMachine(None)
            _log.info("machine plays the lower levels only", levels=len(machine.levels))
    parts.callback(machine.close)
    return Analyst(machine, machine.levels)


async def check_machine(settings: Settings) -> list[str]:
    prefix = f"ok  MACHINE is {settings.machine}"
    if settings.machine is MachineSwitch.OFF:
        return [f"{prefix}: nobody can play against the machine"]
    if settings.machine is MachineSwitch.QUEUE:
        return [f"{prefix}: `dvonn-bot worker` of the same code thinks, with this database"]
    if settings.machine is MachineSwitch.AUTO and machine_is_installed():
        return [f"{prefix}: people can play against the machine"]
    line = (
        f"{prefix}: people can play levels 1 to {INTERPRETED[-1]} of the machine, without reviews"
    )
    if settings.machine is MachineSwitch.LIGHT:
        return [line]
    cure = how_to_install("engine")
    return [f"{line}, as its packages are not installed; {cure} installs them"]


async def _work(settings: WorkerSettings, arguments: argparse.Namespace) -> int:
    """Answer questions from the bots of a database until canceled.

    Raises:
        StartError: if the worker can't start.
    """
    if not machine_is_installed():
        raise ConfigError(
            "worker",
            f"needs the packages of the extra engine; {how_to_install('engine')} installs them",
        )
    from bot.features.machine.opponent.queue_worker import answer_questions  # noqa: PLC0415 - an extra

    searches = settings.machine_searches
    machine = Machine(searches, settings.machine_ahead)
    _log.info(
        "worker started",
        version=build(),
        database=redacted_url(settings.database),
        searches=searches,
    )
    try:
        await answer_questions(
            settings.database,
            machine,
            searches=searches,
            build=build(),
            page=arguments.page,
            port=(settings.metrics_host, settings.metrics_port),
        )
    finally:
        machine.close()
    return 0


def _fill(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--page", type=int, default=0, metavar="PORT", help="show the queue at 127.0.0.1:PORT"
    )


WORKER: Final = Tool(
    name="worker",
    help="run the machine player for bots with MACHINE=queue and the same PostgreSQL",
    fill=_fill,
    load=load_worker_settings,
    run=_work,
    until_stopped=True,
)
