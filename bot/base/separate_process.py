"""Run a single call in its own process. This module and that process import almost nothing."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TypeVar

from bot.base.logs import child_log_setup

_Result = TypeVar("_Result")


async def run_in_process(call: Callable[[], _Result]) -> _Result:
    """Run a call in a new process that exits when the call returns.

    Raises:
        BrokenProcessPool: if the process dies.
    """
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        1, context, initializer=_begin, initargs=(receiver, child_log_setup())
    )
    try:
        return await asyncio.get_running_loop().run_in_executor(pool, call)
    finally:
        sender.close()
        receiver.close()
        pool.shutdown(wait=False, cancel_futures=True)


def _begin(receiver: Connection, set_up_log: Callable[[], None] | None) -> None:
    """Prepare a new process.

    The process exits once the bot's end of the pipe is closed. The bot closes it after the result
    or a cancellation. If the bot is killed, the system closes it.
    """
    if set_up_log is not None:
        set_up_log()
    # Ctrl-C reaches every process of a terminal. The bot ends this one itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_when_closed, args=(receiver,), daemon=True).start()


def _exit_when_closed(receiver: Connection) -> None:
    with suppress(EOFError, OSError):
        receiver.recv()
    os._exit(0)
