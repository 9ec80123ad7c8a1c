"""Sweeps out old rows once an hour, in small steps."""

import asyncio
from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Final

import structlog

from bot.base.errors import StoreError
from bot.base.ids import GuildId, Shards
from bot.base.retention import Gone
from bot.connection.channels import Channels
from bot.connection.requests import TROUBLE
from bot.play.use_cases.retention import Housekeeping

_log = structlog.get_logger()

_EVERY: Final = timedelta(hours=1)
_rest: Final = partial(asyncio.sleep, 0.2)
"""Rest after each step: so a sweep takes a small part of the time, however much there is to do."""


class Sweeper:
    """Sweeps for some shards; what belongs to no server goes with the shard of direct messages."""

    def __init__(self, housekeeping: Housekeeping, channels: Channels) -> None:
        self._housekeeping = housekeeping
        self._channels = channels

    async def run(self, shards: Shards) -> None:
        """Sweep at once and then again and again, for ever."""
        while True:
            try:
                if gone := await self._sweep(shards):
                    _log.info("no longer kept", **{what.value: gone[what] for what in gone})
            except StoreError:  # the store has told the host of it
                pass
            except Exception:
                _log.exception("what was kept long enough could not be swept out")
            await asyncio.sleep(_EVERY.total_seconds())

    async def _sweep(self, shards: Shards) -> Counter[Gone]:
        gone: Counter[Gone] = Counter()
        if 0 in shards.ids:
            gone += await self._housekeeping.sweep(rest=_rest)
        return gone + await self._housekeeping.sweep_servers(
            shards, sees=self._channels.sees, is_out=self._is_out, rest=_rest
        )

    async def _is_out(self, guild: GuildId) -> bool:
        try:
            return await self._channels.is_out(guild)
        except TROUBLE as error:
            _log.info("cannot see whether a server is there", guild=guild, error=str(error))
            return False
