"""Deletes expired data periodically."""

import asyncio
from collections import Counter
from functools import partial
from typing import Final

import structlog

from bot.base.ids import GuildId, Shards
from bot.base.retention import DeletedKind
from bot.connection.request_errors import DISCORD_ERRORS
from bot.people.use_cases.retention_sweeper import RetentionSweeper
from bot.play.handlers.interactions import Services
from bot.play.seams import RecurringTask, ShardContext

_log = structlog.get_logger()

_pause: Final = partial(asyncio.sleep, 0.2)
"""Pause after each step, so that a sweep takes only a small share of the time."""


def recurring(context: ShardContext) -> tuple[RecurringTask, ...]:
    async def due(shards: Shards) -> tuple[Shards, ...]:
        return (shards,)

    sweep = partial(_sweep, context.services)
    return (RecurringTask(name="sweeping", every=context.rhythm.retention, due=due, do=sweep),)


async def _sweep(services: Services, shards: Shards) -> None:
    sweeper, channels = services.require(RetentionSweeper), services.publisher.channels
    deleted: Counter[DeletedKind] = Counter()
    if 0 in shards.ids:
        deleted += await sweeper.sweep(pause=_pause)

    async def is_out(guild: GuildId) -> bool:
        try:
            return await channels.is_out(guild)
        except DISCORD_ERRORS as error:
            _log.info("guild lookup failed", guild=guild, error=str(error))
            return False

    deleted += await sweeper.sweep_servers(shards, sees=channels.sees, is_out=is_out, pause=_pause)
    if deleted:
        _log.info("expired data deleted", **{kind.value: deleted[kind] for kind in deleted})
