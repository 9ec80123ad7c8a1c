"""Triggers: kinds of input. Moves are logged and counted with the trigger that caused them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

import structlog

from bot.base.metrics import TURN_SECONDS, TURNS
from bot.connection.tasks import bound

_log = structlog.get_logger()


class Trigger(StrEnum):
    """Kinds of input."""

    TYPED = "typed"
    CAUGHT_UP = "caught up"
    """Typed while the bot was offline."""
    COMMAND = "command"
    BUTTON = "button"
    """A button or a select."""
    FORM = "form"


@dataclass(frozen=True, slots=True)
class _Handling:
    trigger: Trigger
    began: float


_handled: ContextVar[_Handling | None] = ContextVar("handled", default=None)


@contextmanager
def handling_trigger(trigger: Trigger, **ids: int | None) -> Iterator[None]:
    """Handle a request during this block.

    Log lines in it contain the trigger (as `door`) and Discord's ids.
    """
    known_ids = {name: number for name, number in ids.items() if number is not None}
    logged = structlog.contextvars.bound_contextvars(door=trigger.value, **known_ids)
    with bound(_handled, _Handling(trigger, time.monotonic())), logged:
        yield


def count_change(game: int, revision: int, *, is_sent: bool) -> None:
    """Count a change made by the current request. `is_sent` is True if its board was sent."""
    current = _handled.get()
    if current is None:
        return
    seconds = time.monotonic() - current.began
    TURNS.labels(current.trigger).inc()
    if is_sent:
        TURN_SECONDS.labels(current.trigger).observe(seconds)
    _log.info("move played", game=game, revision=revision, sent=is_sent, ms=round(seconds * 1_000))
