"""Whose wish is being carried out: for the log's lines, and for what is counted."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

import structlog

from bot.operations.metrics import TURN_SECONDS, TURNS

_log = structlog.get_logger()


class Door(StrEnum):
    """How a wish came in."""

    TYPED = "typed"
    CAUGHT_UP = "caught up"
    """Typed while the bot was away."""
    COMMAND = "command"
    BUTTON = "button"
    """A button, or a choice in a list."""
    FORM = "form"


@dataclass(frozen=True, slots=True)
class _Visit:
    door: Door
    began: float


_visit: ContextVar[_Visit | None] = ContextVar("visit", default=None)


@contextmanager
def visit(door: Door, **ids: int | None) -> Iterator[None]:
    """Carry out a wish; every line logged meanwhile tells its door and the numbers of Discord."""
    known = {name: number for name, number in ids.items() if number is not None}
    token = _visit.set(_Visit(door, time.monotonic()))
    try:
        with structlog.contextvars.bound_contextvars(door=door.value, **known):
            yield
    finally:
        _visit.reset(token)


def played(game: int, revision: int, *, shown: bool) -> None:
    """Count something that was written down for a visitor.

    Args:
        game: The game's number.
        revision: What it made of it.
        shown: Whether its board stands in the channel.
    """
    current = _visit.get()
    if current is None:
        return
    seconds = time.monotonic() - current.began
    TURNS.labels(current.door).inc()
    if shown:
        TURN_SECONDS.labels(current.door).observe(seconds)
    _log.info("played", game=game, revision=revision, shown=shown, ms=round(seconds * 1_000))
