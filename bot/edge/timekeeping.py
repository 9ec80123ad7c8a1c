"""Wakes up each second and looks at the games whose time has come."""

import asyncio
from datetime import datetime, timedelta

import structlog

from bot.edge.desk import Desk
from bot.edge.hearing import Hearing
from bot.edge.hour import Time
from bot.model.ids import Shards

_log = structlog.get_logger()

_TICK = timedelta(seconds=1)
_LATER = timedelta(minutes=1)
"""How much later a game is looked at again that waits for its server, or could not be looked at."""
_JUMP = timedelta(seconds=30)
"""Where the hour gains more than this between two looks, the machine has slept or stood still."""


async def keep_time(desk: Desk, hearing: Hearing, shards: Shards, time: Time) -> None:
    """Stop clocks and remind, for ever."""
    last, awake = time.now(), time.awake
    while True:
        try:
            now, awake_now = time.now(), time.awake
            if now - last - timedelta(seconds=awake_now - awake) > _JUMP:
                away_s = round((now - last).total_seconds())
                _log.warning("this machine has slept: nobody's time ran", seconds=away_s)
                with desk.work.piece():
                    await hearing.missed(last)
            last, awake = now, awake_now
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
