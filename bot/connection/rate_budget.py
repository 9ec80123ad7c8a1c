"""Limits how many requests per second this process makes.

Discord allows 50 requests a second per token, not counting interaction responses. If a bot makes
more, Discord refuses everything for a while. Each process keeps to its own share, so processes need
not coordinate. A request reaches Discord at some time between its start and its response, so its
slot becomes free a second after the response.

Cleanup and the reading of missed messages yield to boards and leave some slots free for them.
Otherwise, a burst of moves could find all slots taken for a second. If too much cleanup is queued,
only the newest part is done.
"""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Final

import aiohttp
from discord.http import Route

from bot.base.priority_semaphore import Priority, PrioritySemaphore, QueueFullError
from bot.connection.request_errors import TooLateError

_SECOND_S: Final = 1.0
_UNCOUNTED: Final = ("/interactions/", "/webhooks/")
_RESERVED_SHARE: Final = {Priority.PATIENT: 3, Priority.OPTIONAL: 4}
"""Patient requests leave 1/3 of the slots to more urgent ones, and optional requests 1/4."""
_OPTIONAL_BACKLOG_S: Final = 4
"""Maximum backlog of optional requests, measured in seconds of the rate budget."""


class RateBudget:
    """Limits the number of requests in any second. Cleanup comes last."""

    def __init__(self, per_second: int) -> None:
        reserves = {priority: per_second // share for priority, share in _RESERVED_SHARE.items()}
        self._slots = PrioritySemaphore(
            per_second, reserves=reserves, optional=per_second * _OPTIONAL_BACKLOG_S
        )

    async def acquire(self, priority: Priority) -> int:
        """Wait until a request may be sent. Return the slot that it takes.

        Raises:
            TooLateError: if it is optional and too many newer ones are waiting.
        """
        try:
            return await self._slots.acquire(priority)
        except QueueFullError as error:
            raise TooLateError("too many other cleanup requests are waiting") from error

    def release_later(self, slot: int) -> None:
        asyncio.get_running_loop().call_later(_SECOND_S, self._slots.release, slot)

    def add_to_trace(
        self, trace: aiohttp.TraceConfig, priority_of: Callable[[str, str], Priority]
    ) -> aiohttp.TraceConfig:
        """Make a client's requests wait for a slot before their other checks.

        `priority_of` takes a request's method and URL and returns its priority.
        """
        hooks = list(trace.on_request_start)
        trace.on_request_start.clear()

        async def begin(
            session: aiohttp.ClientSession,
            context: SimpleNamespace,
            request: aiohttp.TraceRequestStartParams,
        ) -> None:
            context.slot = None
            address = str(request.url)
            if address.startswith(Route.BASE) and not any(part in address for part in _UNCOUNTED):
                context.slot = await self.acquire(priority_of(request.method, address))
            try:
                for hook in hooks:
                    await hook(session, context, request)
            except BaseException:  # aiohttp reports no exception of its start hooks
                await end(session, context, request)
                raise

        async def end(_session: object, context: SimpleNamespace, _params: object) -> None:
            if context.slot is not None:
                self.release_later(context.slot)

        trace.on_request_start.append(begin)
        trace.on_request_end.append(end)
        trace.on_request_exception.append(end)
        return trace
