"""Fork bots from a process that has imported everything, which starts them ten times as fast.

A bot is as separate as one that was started normally: it has its own environment, folder, log,
signals and end. `python -m tests.e2e.warm` is the process that bots are forked from. It reads a
request from each line of its standard input, and reports which bots were started and which have
ended.

Seven things take a bot longer than most tests, so that process does them beforehand. It loads the
engine in a worker, which is forked, too. It compiles the SQLite statements of a game by playing
one. It draws the shared parts of pictures. It compares the code's tables with SQLite files. It
translates the commands. It makes PNG files a quarter larger, in half the time. And at its exit a
forked bot frees no memory object by object, because the system frees all at once. Bots that are
started normally do all seven themselves.
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

from discord import Intents
from sqlalchemy import Connection

from bot.base.database_address import database_address
from bot.client.command_tree import command_tree
from bot.connection import command_registration as registration
from bot.database import schema_check as shape
from bot.database.opening import create_engine, migrate
from bot.play.handlers.interactions import ServicesClient
from tests import commands_once
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
"""Everything that a bot imports, except its own `__main__`, which each bot runs itself."""


class WarmProcess:
    """A forked bot, with the methods of `asyncio.subprocess.Process` that tests need."""

    def __init__(self, pid: int, end: "Future[int]") -> None:
        self.pid = pid
        self._end = end

    @property
    def returncode(self) -> int | None:
        """The process's exit status, negative if a signal ended it, or None while it runs."""
        return self._end.result() if self._end.done() else None

    async def wait(self) -> int:
        """Wait until the process ends. Return its exit status."""
        return await shield(wrap_future(self._end))  # the caller may run into a timeout

    def send_signal(self, number: int) -> None:
        """Send the process a signal."""
        if not self._end.done():
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the process. If coverage is measured, wait until it has written its data."""
        if _measuring() is not None:
            self.send_signal(signal.SIGUSR2)
            self.send_signal(signal.SIGCONT)  # a frozen process writes nothing
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
        module: Name of the module.
        arguments: Its command-line arguments.
        folder: Its working directory.
        environment: Its only environment variables.
        log: File that gets its output.
        errors: File for its standard error, if separate.
        before: A command prefix that starts the parent process with fewer privileges.
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
    """A process that bots are forked from. Each pytest process has one."""

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
        """End the process and its bots, and wait, so that their processor time counts as this
        process's."""
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
    """Fork a process for each request.

    Return the request in the new process, or None at the end of the input.
    """
    os.setpgid(0, 0)  # the bots are in this process group, however this process ends
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
                # a bot has caught the signal, and another may have ended
                signal.set_wakeup_fd(wake)
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
    with suppress(ImportError):  # then there is no machine player, or a test has removed it
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
    """Become the requested program, as if it had just been started."""
    os.environ.clear()
    os.environ.update(wish["environment"])
    os.chdir(wish["folder"])
    files = (os.devnull, wish["log"], wish["errors"])
    for number, name in enumerate(files):
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(file, number)
        os.close(file)
    random.seed()  # otherwise all bots would have the same random numbers
    gc.unfreeze()  # otherwise each bot's first collection would scan all of it
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
    """Return the coverage measurement of this process, if any. numba imports coverage, too."""
    module = sys.modules.get("coverage")
    return None if module is None else module.Coverage.current()


def _say_what_was_run(coverage: Any, *_: object) -> None:
    coverage.stop()
    # Not here: interrupted code may hold the lock that this takes.
    saving = threading.Thread(target=coverage.save, daemon=True)
    saving.start()
    saving.join(_SAVED_WITHIN_S)
    os.kill(os.getpid(), signal.SIGKILL)


def _compare_schemas_once() -> None:
    """Prepare the comparison of SQLite files with the code's tables for all forked bots."""
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
    """Prepare the translated names of all commands for all forked bots."""
    commands_once.put_in_place()
    for user_installs in (False, True):
        tree = command_tree(ServicesClient(intents=Intents.none()))
        asyncio.run(registration.payload(tree, user_installs=user_installs))


_status: list[int] = []
"""Exit status of a forked program. Empty in the process that it is forked from."""


def _leave() -> None:
    """Run the last exit handler of a program: its threads have ended, and nothing else is left."""
    if _status:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_status[0])


def prepare() -> None:
    """Import and prepare what forked bots need."""
    atexit.register(_leave)  # handlers are called in reverse order of registration
    for name in _AT_HAND:
        import_module(name)
    fork_workers()
    _compare_schemas_once()
    import_module("renderer").warm_up()
    import_module("bot.base.languages").read_languages()  # and their metadata
    _translate_commands_once()
    import_module("renderer.png").COMPRESSION = 1  # type: ignore[attr-defined]  # see above
    # A process that is killed before it writes its data is killed without it.
    signal.signal(signal.SIGUSR2, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    gc.freeze()  # so that no bot's collector scans it


def serve() -> None:
    """Fork for each request until there are none. Become the requested program in each fork."""
    wanted = _serve()
    if wanted is not None:
        _become(wanted)


if __name__ == "__main__":
    prepare()
    serve()
