"""No more requests in a second than Discord grants, or than this process's share of them.

Discord counts all requests of a token together, 50 in a second, but for those that answer
interactions; whoever makes more is refused everything for a while. Each process keeps to its share,
so that several need not talk about it.

A request reaches Discord at some moment between its beginning and its answer. So the next one that
takes its place begins a second after the answer: then there are never more in any second, however
long each is under way.

What only tidies up, or reads what was written while the bot was away, lets boards go first, and
leaves some places free for them: moves come in bursts, and would else find all places taken for a
second. Where more is to be tidied up than can be, that is done for the newest.
"""

import asyncio
from types import SimpleNamespace
from typing import Final

import aiohttp
from discord.http import Route

from bot.base.priority_semaphore import CrowdedOutError, Priority, PrioritySemaphore
from bot.connection.requests import TooLateError, priority_of

_SECOND_S: Final = 1.0
_UNCOUNTED: Final = ("/interactions/", "/webhooks/")
_KEPT_OF: Final = {Priority.PATIENT: 3, Priority.OPTIONAL: 4}
"""Number of places of which one is kept for requests that somebody waits for."""
_COURTESIES_S: Final = 4
"""Seconds of requests of mere courtesy that wait at most."""


class RateBudget:
    """Lets so many requests out within any second; what only tidies up lets all others go first."""

    def __init__(self, a_second: int) -> None:
        kept = {priority: a_second // share for priority, share in _KEPT_OF.items()}
        self._places = PrioritySemaphore(a_second, kept=kept, optional=a_second * _COURTESIES_S)

    async def turn(self, priority: Priority) -> int:
        """Wait until one more request may go out; its place.

        Raises:
            TooLateError: if it is a courtesy, and there are too many newer ones.
        """
        try:
            return await self._places.take(priority)
        except CrowdedOutError as error:
            raise TooLateError("too much else is to be tidied up") from error

    def over(self, place: int) -> None:
        asyncio.get_running_loop().call_later(_SECOND_S, self._places.give_back, place)

    def heeded_by(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Let a client wait for its turn before it looks at anything else."""
        looks = list(trace.on_request_start)
        trace.on_request_start.clear()

        async def begin(
            session: aiohttp.ClientSession,
            about: SimpleNamespace,
            request: aiohttp.TraceRequestStartParams,
        ) -> None:
            about.place = None
            address = str(request.url)
            if address.startswith(Route.BASE) and not any(part in address for part in _UNCOUNTED):
                about.place = await self.turn(priority_of(request.method, address))
            try:
                for look in looks:
                    await look(session, about, request)
            except BaseException:  # aiohttp tells nobody of that
                await end(session, about, request)
                raise

        async def end(_session: object, about: SimpleNamespace, _params: object) -> None:
            if about.place is not None:
                self.over(about.place)

        trace.on_request_start.append(begin)
        trace.on_request_end.append(end)
        trace.on_request_exception.append(end)
        return trace
