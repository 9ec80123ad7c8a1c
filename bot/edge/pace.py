"""No more requests in a second than Discord grants, or than this process's share of them.

Discord counts all requests of a token together, 50 in a second, but for those that answer
interactions; whoever makes more is refused everything for a while. Each process keeps to its share,
so that several need not talk about it.
"""

import asyncio
from typing import Final

import aiohttp
from aiohttp import hdrs
from discord.http import Route

from bot.edge.requests import delivers
from bot.places import Places

_WINDOW_S: Final = 1.05
"""A second, and what a network may bring closer together."""
_UNCOUNTED: Final = ("/interactions/", "/webhooks/")
_TIDYING: Final = (hdrs.METH_DELETE, hdrs.METH_PATCH, hdrs.METH_PUT)


class Pace:
    """Lets so many requests out within any second; what only tidies up lets all others go first.

    Args:
        a_second: how many.
    """

    def __init__(self, a_second: int) -> None:
        self._places = Places(a_second)

    async def turn(self, *, patient: bool) -> None:
        """Wait until one more request may go out."""
        place = await self._places.take(patient=patient)
        asyncio.get_running_loop().call_later(_WINDOW_S, self._places.give_back, place)

    def heeded_by(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """What a client has to look at before each request, once that has its turn."""

        async def wait(
            _session: object, _about: object, request: aiohttp.TraceRequestStartParams
        ) -> None:
            address = str(request.url)
            if address.startswith(Route.BASE) and not any(part in address for part in _UNCOUNTED):
                tidies = request.method in _TIDYING or address.endswith("/typing")
                await self.turn(patient=tidies and not delivers())

        trace.on_request_start.insert(0, wait)
        return trace
