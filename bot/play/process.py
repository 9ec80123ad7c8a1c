"""The part of features in the whole process, beside any client."""

import argparse
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from bot.base.config import Settings, StoreSettings

Opens = Callable[[Settings, AsyncExitStack], Awaitable[Sequence[object]]]
"""Makes what is there for each client, and gives the stack what is to be closed in the end."""
Look = Callable[[Settings], Awaitable[list[str]]]
"""Tells in lines of `dvonn-bot check` what is set up."""


class Opponent:
    """An opponent of people: where one is opened, there is a machine."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A command of `dvonn-bot` beside the bot itself."""

    name: str
    help: str
    fill: Callable[[argparse.ArgumentParser], object]
    """Adds its options."""
    load: Callable[[], StoreSettings]
    """Reads its settings."""
    run: Callable[[Any, argparse.Namespace], Coroutine[Any, Any, int]]
    """Does it, with these settings and options; returns the exit status."""
    until_stopped: bool = False
    """It goes on until the process is told to stop."""
