"""A child process that exchanges lines of text with this one."""

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from dvonn._rules.errors import DvonnError

PARTING_S: Final = 5.0
"""Seconds that a program gets to exit when asked."""
_REAPED_S: Final = 1.0
_LONGEST_LINE: Final = 1 << 20
_LAST_WORDS: Final = 2000
"""Number of trailing bytes of the error stream to keep."""


class EngineFailedError(DvonnError):
    """An engine could not be started, exited, did not answer in time, or broke the protocol."""


class EngineProcess:
    """A running program, with any processes that it started.

    Attributes:
        sent: All lines that were sent to it.
    """

    def __init__(self, transport: asyncio.SubprocessTransport, process: Process) -> None:
        self.sent: list[str] = []
        self._transport = transport
        self._process = process
        self._has_spoken = False
        self._errors = b""
        self._error_reader = asyncio.create_task(self._read_errors())

    @classmethod
    async def start(cls, command: Sequence[str]) -> "EngineProcess":
        """Start a program.

        Raises:
            EngineFailedError: if it cannot be started.
        """
        loop = asyncio.get_running_loop()
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: SubprocessStreamProtocol(limit=_LONGEST_LINE, loop=loop),
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                # makes the program the leader of a process group, which `kill` ends
                start_new_session=True,
            )
        except (OSError, TypeError, ValueError) as error:
            raise EngineFailedError(f"cannot be started: {error}") from error
        return cls(transport, Process(transport, protocol, loop))

    def send(self, line: str) -> None:
        """Send a line.

        If the program has exited, do nothing. `read` will raise the error.

        Raises:
            EngineFailedError: if the text is more than one line.
        """
        if line.splitlines() != [line]:
            raise EngineFailedError(f"more than one line: {line!r}")
        self.sent.append(line)
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(f"{line}\n".encode("utf-8", "replace"))

    async def read(self) -> str:
        """Wait without a timeout for the program's next line, and return it.

        Raises:
            EngineFailedError: if the program has exited, or the line is too long.
        """
        stream = self._process.stdout
        try:
            line = b"" if stream is None else await stream.readline()
        except ValueError:
            raise EngineFailedError(f"it sent a line of more than {_LONGEST_LINE} bytes") from None
        if not line.endswith(b"\n"):
            with suppress(TimeoutError):  # the reason may still be arriving
                await asyncio.wait_for(asyncio.shield(self._error_reader), PARTING_S)
            raise EngineFailedError(": ".join(filter(None, ["it has ended", self.last_words])))
        self._has_spoken = True
        return line.decode("utf-8", "replace").strip()

    @property
    def last_words(self) -> str:
        """The last line that the program wrote to its error stream."""
        lines = self._errors.decode("utf-8", "replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    @asynccontextmanager
    async def deadline(self, seconds: float, awaited: str) -> AsyncIterator[None]:
        """Limit the time of the block. `awaited` names the missing answer in the error.

        Raises:
            EngineFailedError: if it takes longer.
        """
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            reason = f"no {awaited} within {seconds:g} s"
            if not self._has_spoken:
                reason += "; it has printed nothing: does it flush its output after each line?"
            raise EngineFailedError(reason) from None

    async def end(self, farewell: str | None, patience_s: float = PARTING_S) -> int:
        """Send a last line, close the program's input, and return its exit status.

        Raises:
            EngineFailedError: if it does not exit in time.
        """
        if farewell is not None:
            self.send(farewell)
        if self._process.stdin is not None:
            self._process.stdin.close()
        async with self.deadline(patience_s, "end"):
            while self._process.stdout is not None and await self._process.stdout.read(1 << 16):
                pass  # it may send more lines before it exits
            return await self._process.wait()

    async def kill(self) -> None:
        """Kill the program and the processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _REAPED_S)
        self._transport.close()  # in case a process that left the group keeps the pipes open
        self._error_reader.cancel()
        await asyncio.wait([self._error_reader])

    async def _read_errors(self) -> None:
        stream = self._process.stderr
        while stream is not None and (chunk := await stream.read(_LAST_WORDS)):
            self._errors = (self._errors + chunk)[-_LAST_WORDS:]
