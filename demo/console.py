"""Functions for the terminal: unbuffered lines, and a clean exit."""

import asyncio
import contextlib
import io
import signal
import sys


def show_all_characters() -> None:
    """Prevent encoding errors from an arrow or a name that the console can't show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def stop_on_signals() -> None:
    """Cancel the current task, as Ctrl-C does, on a stop signal or when the window closes.

    The bot is in its own process group, so it doesn't get the signal. Canceling the task stops it.
    """
    me = asyncio.current_task()
    for name in ("SIGTERM", "SIGHUP"):
        with contextlib.suppress(NotImplementedError, AttributeError):  # not on Windows
            number = getattr(signal, name)
            asyncio.get_running_loop().add_signal_handler(number, lambda: me and me.cancel())


def print_line(line: str) -> None:
    """Print a line of progress immediately."""
    print(line, flush=True)
