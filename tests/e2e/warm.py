"""Fork bots from a process that has imported everything. That makes a start ten times as fast.

A bot is as much a process of its own as one that was started cold: it has its own environment,
folder, log, signals and end. `python -m tests.e2e.warm` is the process that they are forked from;
it reads a wish from each line of its standard input, and tells who has been born and who has died.

Seven things that bots do take longer than most tests: loading the engine in a worker, which is
forked, too; compiling the statements of a game on SQLite, which their origin has played; drawing
the parts of the pictures, which it has done for them; comparing a SQLite file's tables with those
that the code means, which it has done for all files that have them in the same words; translating
the commands, which it has done for all bots that have these; making files of the pictures as small
as they get, which these make a quarter larger in half of the time; and giving back, in the end,
object by object, what the system takes back at once. Those that are started cold do all seven.
"""

import asyncio
import atexit
import gc
import json
import os
import random
import runpy
import selectors
import signal
import subprocess
import sys
import threading
from asyncio import shield, wrap_future
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from discord import Intents, app_commands
from sqlalchemy import Connection

from bot.base.database_address import database_address
from bot.client.command_tree import command_tree
from bot.connection import command_registration as registration
from bot.database import schema_check as shape
from bot.database.opening import create_engine, migrate
from bot.play.handlers.interactions import ServicesClient
from tests.warm_workers import fork_workers
from tests.when_gone import WhenGone

ORIGIN: tuple[str, ...] = ("tests.e2e.warm",)
"""The module whose process bots are forked from, and its arguments."""

_SAVED_WITHIN_S = 5
_AT_HAND = (
    *(
        "encodings.idna",
        "aiosqlite",
        "bot.base.languages",
        "bot.client.client",
        "bot.connection.session",
    ),
    *("bot.database.backups", "bot.operations.check", "bot.operations.health_port"),
    "renderer.picture",
)
"""All that a bot imports. Its own `__main__` is run anew in each."""


class WarmProcess:
    """A forked bot, with what `asyncio.subprocess.Process` has of it."""

    def __init__(self, pid: int, end: "Future[int]") -> None:
        self.pid = pid
        self._end = end

    @property
    def returncode(self) -> int | None:
        """Its exit status, below zero where a signal has ended it. None as long as it runs."""
        return self._end.result() if self._end.done() else None

    async def wait(self) -> int:
        """Wait until it has ended. Return its exit status."""
        return await shield(wrap_future(self._end))  # whoever waits may lose patience

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if not self._end.done():
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once. While coverage is measured, as soon as it has said what it has run."""
        if _measuring() is not None:
            self.send_signal(signal.SIGUSR2)
            self.send_signal(signal.SIGCONT)  # a frozen one says nothing
        else:
            self.send_signal(signal.SIGKILL)


def fork(
    module: str,
    *arguments: str,
    folder: Path,
    environment: Mapping[str, str],
    log: Path,
    errors: Path | None = None,
    before: tuple[str, ...] = (),
) -> WarmProcess:
    """Start a module of the project, or of its tests, as a program.

    Args:
        module: its name.
        arguments: what stands behind its name.
        folder: where it is started.
        environment: all its variables.
        log: what it writes is added to this file,
        errors: but its errors to this one, if there is one.
        before: a command that starts the process from which it is forked, with less power.
    """
    wish = {
        "module": module,
        "arguments": arguments,
        "folder": str(folder),
        "environment": dict(environment),
        "log": str(log),
        "errors": str(errors or log),
    }
    return _source(before).fork(wish)


class _Source:
    """A process that bots are forked from, one for each run of pytest."""

    def __init__(self, before: tuple[str, ...]) -> None:
        self._process = subprocess.Popen(
            [*before, sys.executable, "-m", *ORIGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self._born: Future[int] = Future()
        self._ends: dict[int, Future[int]] = {}
        threading.Thread(target=self._listen, daemon=True).start()
        atexit.register(self._end)

    def fork(self, wish: Mapping[str, Any]) -> WarmProcess:
        self._born = Future()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(wish) + "\n")
        pid = self._born.result()
        return WarmProcess(pid, self._ends[pid])

    def _end(self) -> None:
        """End the process and its bots, and wait: then their time counts as this process's."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                word, pid, status = json.loads(line)
                if word == "born":
                    self._ends[pid] = Future()
                    self._born.set_result(pid)
                else:
                    self._ends.pop(pid).set_result(status)


@cache
def _source(before: tuple[str, ...]) -> _Source:
    return _Source(before)


def _serve() -> dict[str, Any] | None:
    """Fork whoever is wished for. Returns the wish in the new process, None when nobody asks."""
    os.setpgid(0, 0)  # the bots are of the group, however this process ends
    gone = WhenGone('kill -KILL -- "-$1"', str(os.getpid()))
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    waiting = selectors.DefaultSelector()
    waiting.register(sys.stdin, selectors.EVENT_READ)
    waiting.register(woken, selectors.EVENT_READ)
    alive: set[int] = set()
    while True:
        ready = {key.fileobj for key, _ in waiting.select()}
        if woken in ready:
            os.read(woken, 4096)
            alive -= _tell_who_has_died()
        if sys.stdin in ready:
            line = sys.stdin.readline()
            if not line:
                for pid in alive:  # nobody is left to end them
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
                return None
            wish: dict[str, Any] = json.loads(line)
            if not wish["arguments"]:
                _play_once()
                signal.set_wakeup_fd(wake)  # a bot has taken that, and another may have died
                alive -= _tell_who_has_died()
            if wish["environment"].get("MACHINE") == "auto":
                _load_engine()
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                gone.forget()
                waiting.close()
                os.close(woken)
                os.close(wake)
                return wish
            alive.add(pid)
            _tell("born", pid, 0)


@cache
def _play_once() -> None:
    from tests.e2e.first_game import play  # noqa: PLC0415 - tools go without

    play()
    gc.freeze()


def _load_engine() -> None:
    with suppress(ImportError):  # then there is no machine player, or a test has taken it out
        import_module("bot.features.machine.opponent.worker").warm_up()


def _tell_who_has_died() -> set[int]:
    dead: set[int] = set()
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return dead
        if pid == 0:
            return dead
        dead.add(pid)
        _tell("died", pid, os.waitstatus_to_exitcode(status))


def _tell(word: str, pid: int, status: int) -> None:
    print(json.dumps([word, pid, status]), flush=True)  # noqa: T201 - its parent reads it


def _become(wish: Mapping[str, Any]) -> None:
    """Be the program that is wished for, as if it had been started just now."""
    os.environ.clear()
    os.environ.update(wish["environment"])
    os.chdir(wish["folder"])
    files = (os.devnull, wish["log"], wish["errors"])
    for number, name in enumerate(files):
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(file, number)
        os.close(file)
    random.seed()  # else every bot would throw the same dice
    gc.unfreeze()  # for a bot that has set nothing aside yet: else it would look through all of it
    if (coverage := _measuring()) is not None:
        signal.signal(signal.SIGUSR2, partial(_say_what_was_run, coverage))
    sys.argv = [wish["module"], *wish["arguments"]]
    try:
        runpy.run_module(wish["module"], run_name="__main__", alter_sys=True)
        _status.append(0)
    except SystemExit as ended:
        _status.append(ended.code if isinstance(ended.code, int) else int(ended.code is not None))
        raise


def _measuring() -> Any:
    """What measures the coverage in this process, if anything does: numba alone loads it, too."""
    module = sys.modules.get("coverage")
    return None if module is None else module.Coverage.current()


def _say_what_was_run(coverage: Any, *_: object) -> None:
    coverage.stop()
    # Not here: what was interrupted may hold the lock that this takes.
    saving = threading.Thread(target=coverage.save, daemon=True)
    saving.start()
    saving.join(_SAVED_WITHIN_S)
    os.kill(os.getpid(), signal.SIGKILL)


def _compare_schemas_once() -> None:
    """Have whoever is forked know what comes of comparing a SQLite file with today's tables."""
    compare, known = shape.differences, dict[tuple[str | None, ...], list[str]]()

    def differences(connection: Connection) -> list[str]:
        if connection.dialect.name != "sqlite":
            return compare(connection)
        words = connection.exec_driver_sql("SELECT sql FROM sqlite_master ORDER BY type, name")
        key = tuple(words.scalars())
        if key not in known:
            known[key] = compare(connection)
        return known[key]

    async def make(file: Path) -> None:
        engine = create_engine(database_address(f"sqlite:///{file}"))
        await migrate(engine)
        await engine.dispose()

    shape.differences = differences
    with TemporaryDirectory() as folder:
        asyncio.run(make(Path(folder) / "dvonn.sqlite3"))


def _translate_commands_once() -> None:
    """Have whoever is forked know how all commands are called in each language."""
    translate, known = registration.payload, dict[tuple[object, ...], registration.Commands]()

    async def payload(
        tree: app_commands.CommandTree[Any], *, by_people: bool
    ) -> registration.Commands:
        key = (by_people, *tree.get_commands())  # each is the same object in all trees
        if key not in known:
            known[key] = await translate(tree, by_people=by_people)
        return known[key]

    registration.payload = payload
    for by_people in (False, True):
        tree = command_tree(ServicesClient(intents=Intents.none()))
        asyncio.run(payload(tree, by_people=by_people))


_status: list[int] = []
"""What a forked program ends with. Nothing in the process that it is forked from."""


def _leave() -> None:
    """The last thing at a program's exit: its threads are over, and all else is done."""
    if _status:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_status[0])


def prepare() -> None:
    """Import and do what bots that are forked from here find done."""
    atexit.register(_leave)  # the first of all is the last to be called
    for name in _AT_HAND:
        import_module(name)
    fork_workers()
    _compare_schemas_once()
    import_module("renderer").warm_up()
    import_module("bot.base.languages").read_languages()  # and what is known of them
    _translate_commands_once()
    import_module("renderer.png").COMPRESSION = 1  # type: ignore[attr-defined]  # see above
    # Who is killed before it can say what it has run is just killed.
    signal.signal(signal.SIGUSR2, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    gc.freeze()  # what was there before is not looked through by each


def serve() -> None:
    """Fork whoever is wished for, until nobody asks any more. Be that program in the fork."""
    wanted = _serve()
    if wanted is not None:
        _become(wanted)


if __name__ == "__main__":
    prepare()
    serve()
