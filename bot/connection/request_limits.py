"""Limits on requests: by the bot's permissions, and by Discord's rate limit.

Discord bans an address that makes 10,000 forbidden requests in ten minutes, and asks programs to
check their permissions first. So each request in a server's channel is checked against the known
permissions. If Discord refuses it anyway, it is not repeated until the permissions change or an
hour has passed.

Discord allows 50 requests a second for each token, not counting responses to interactions. A bot
that makes more is refused everything for a while. Each process keeps to its share, so that several
need not coordinate. A request reaches Discord at some moment between its start and its response. So
its slot is free again a second after the response.

Cleanup and the reading of missed messages wait for boards, and leave some slots free for them.
Otherwise a burst of moves could find all slots taken for a second. If there is too much cleanup,
only the newest is done.
"""

import asyncio
import math
from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route

from bot.base.priority_semaphore import Priority, PrioritySemaphore, QueueFullError

_MISSING: Final = frozenset({50001, 50013})
"""Discord's error codes for a channel without access, and for a missing permission."""
_BELIEVED_S: Final = 3_600.0
_MESSAGES: Final = "/channels/{channel_id}/messages"
_TO_READ: Final = ("read_message_history",)
_NEEDED: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("GET", _MESSAGES): _TO_READ,
    ("GET", f"{_MESSAGES}/{{message_id}}"): _TO_READ,
    ("POST", _MESSAGES): ("send_messages",),
    ("POST", "/channels/{channel_id}/typing"): ("send_messages",),
    ("POST", f"{_MESSAGES}/{{message_id}}/threads"): ("create_public_threads",),
    ("PUT", f"{_MESSAGES}/{{message_id}}/reactions/{{emoji}}/@me"): (*_TO_READ, "add_reactions"),
}
"""Permissions for each kind of request, besides seeing the channel."""

_Kind = tuple[int, str, str]
"""A channel, and a kind of request there: its method and its path."""


class ForbiddenError(discord.Forbidden):
    """A request was not made, because Discord would forbid it."""

    def __init__(self, why: str) -> None:
        answer: Any = SimpleNamespace(status=403, reason="Forbidden")
        super().__init__(answer, {"code": 50013, "message": why})


class KnownRefusals:
    """The requests that are forbidden to one client, as far as known."""

    def __init__(self, client: discord.Client, *, now: Callable[[], float] = monotonic) -> None:
        self._client = client
        self._now = now
        self._by_guild: defaultdict[int, dict[_Kind, float]] = defaultdict(dict)

    def look(self, route: Route, *, with_files: bool) -> None:
        """Check a request that is about to be made.

        Raises:
            ForbiddenError: if Discord would forbid it.
        """
        channel = self._channel(route)
        if channel is None:
            return
        refused_at = self._by_guild.get(channel.guild.id, {}).get(_kind(route), -math.inf)
        if self._now() - refused_at < _BELIEVED_S:
            raise ForbiddenError("Discord has forbidden it, and no permission has changed since")
        if (needed := _NEEDED.get((route.method, route.path))) is None:
            return
        granted = channel.permissions_for(channel.guild.me)
        if isinstance(channel, discord.Thread) and needed == ("send_messages",):
            needed = ("send_messages_in_threads",)
        if with_files:
            needed = (*needed, "attach_files")
        lacking = [right for right in ("view_channel", *needed) if not getattr(granted, right)]
        if lacking:
            raise ForbiddenError(f"lacks {', '.join(lacking)}")

    def note(self, route: Route, error: discord.Forbidden) -> None:
        """Remember what Discord has forbidden."""
        channel = self._channel(route)
        if channel is not None and error.code in _MISSING:
            self._by_guild[channel.guild.id][_kind(route)] = self._now()

    def changed(self, guild: discord.Guild) -> None:
        self._by_guild.pop(guild.id, None)

    def _channel(self, route: Route) -> discord.abc.GuildChannel | discord.Thread | None:
        if route.channel_id is None:
            return None
        found = self._client.get_channel(int(route.channel_id))
        if not isinstance(found, discord.abc.GuildChannel | discord.Thread):
            return None
        # During an outage of a server even our own roles may be unknown.
        return None if found.guild.get_member(self._own_id) is None else found

    @property
    def _own_id(self) -> int:
        return 0 if self._client.user is None else self._client.user.id


def _kind(route: Route) -> _Kind:
    return int(route.channel_id or 0), route.method, route.path


_SECOND_S: Final = 1.0
_UNCOUNTED: Final = ("/interactions/", "/webhooks/")
_KEPT_OF: Final = {Priority.PATIENT: 3, Priority.OPTIONAL: 4}
"""Number of slots for each one that this priority leaves free."""
_COURTESIES_S: Final = 4
"""Maximum number of waiting optional requests, in seconds of the rate budget."""


class TooLateError(TimeoutError):
    """A request was not made, because it would have been too late."""


class RateBudget:
    """Limits the requests in any second, and serves cleanup last."""

    def __init__(self, a_second: int) -> None:
        kept = {priority: a_second // share for priority, share in _KEPT_OF.items()}
        self._places = PrioritySemaphore(a_second, kept=kept, optional=a_second * _COURTESIES_S)

    async def acquire(self, priority: Priority) -> int:
        """Wait until a request may be sent. Return the slot that it takes.

        Raises:
            TooLateError: if it is optional, and too many newer ones wait.
        """
        try:
            return await self._places.acquire(priority)
        except QueueFullError as error:
            raise TooLateError("too much else is to be tidied up") from error

    def release_later(self, place: int) -> None:
        asyncio.get_running_loop().call_later(_SECOND_S, self._places.release, place)

    def heeded_by(
        self, trace: aiohttp.TraceConfig, priority_of: Callable[[str, str], Priority]
    ) -> aiohttp.TraceConfig:
        """Make a client's requests wait for a slot before their other checks.

        `priority_of` returns the priority of a request by its method and URL.
        """
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
                about.place = await self.acquire(priority_of(request.method, address))
            try:
                for look in looks:
                    await look(session, about, request)
            except BaseException:  # aiohttp calls no hook for that
                await end(session, about, request)
                raise

        async def end(_session: object, about: SimpleNamespace, _params: object) -> None:
            if about.place is not None:
                self.release_later(about.place)

        trace.on_request_start.append(begin)
        trace.on_request_end.append(end)
        trace.on_request_exception.append(end)
        return trace
