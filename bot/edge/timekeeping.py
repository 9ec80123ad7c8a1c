"""Wakes up each second and looks at the games whose time has come."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.edge.desk import Desk
from bot.edge.hearing import Hearing
from bot.store.rows import Shards

_log = structlog.get_logger()

_TICK = timedelta(seconds=1)
_LATER = timedelta(minutes=1)
"""How much later a game is looked at again that waits for its server, or could not be looked at."""
_JUMP = timedelta(seconds=30)
"""A clock that gains more than this between two looks was set, or the machine has slept."""


@dataclass(frozen=True, slots=True)
class Time:
    """The hour, and a clock that only ever runs evenly."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    """Seconds since some moment; it stands still while the machine sleeps."""

    async def tick(self, seconds: float) -> None:
        """Let so many seconds pass by the even clock; that is looked at each second."""
        ends = self.monotonic() + seconds
        while (left := ends - self.monotonic()) > 0:  # noqa: ASYNC110 - no event tells of time
            await asyncio.sleep(min(left, _TICK.total_seconds()))


async def keep_time(desk: Desk, hearing: Hearing, shards: Shards, time: Time) -> None:
    """Stop clocks and remind, for ever."""
    last, steady = time.now(), time.monotonic()
    while True:
        try:
            now, even = time.now(), time.monotonic()
            if now - last - timedelta(seconds=even - steady) > _JUMP:
                _log.warning(
                    "the clock has jumped: nobody's time ran", seconds=(now - last).seconds
                )
                with desk.work.piece():
                    await hearing.missed(last)
            last, steady = now, even
            await _look(desk, hearing, shards, time)
        except Exception:
            _log.exception("the clocks could not be looked at")
        await asyncio.sleep(_TICK.total_seconds())


async def _look(desk: Desk, hearing: Hearing, shards: Shards, time: Time) -> None:
    heard: datetime | None = None

    async def surely() -> datetime | None:
        nonlocal heard
        heard = heard or await hearing.surely()
        return heard

    for game, seen in (await desk.timekeeper.due(shards)).items():
        with desk.work.piece():
            try:
                if await desk.vanished.waits(game):
                    await desk.store.timers.put_off(game, seen, time.now() + _LATER)
                    continue
                update = await desk.timekeeper.look(game, seen, heard=surely)
                if update is not None:
                    await desk.publisher.publish(update)
            except Exception:
                # One game must not keep the others waiting.
                _log.exception("a game's clock could not be looked at", game=game)
                await desk.store.timers.put_off(game, seen, time.now() + _LATER)
