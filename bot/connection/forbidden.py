"""Requests that Discord is known to forbid: they are not made.

Discord bans an address that makes 10,000 forbidden requests in ten minutes, and asks programs to
look at their permissions first. So each request in a server's channel is held against the
permissions that are known of it. What Discord forbids all the same is not asked for again before
they change, or an hour has passed: it is no word for ever.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final

import discord
from discord.http import Route

_MISSING: Final = frozenset({50001, 50013})
"""Discord's codes for a channel that is out of sight, and for a permission that lacks."""
_BELIEVED_S: Final = 3_600.0
_MESSAGES: Final = "/channels/{channel_id}/messages"
_TO_READ: Final = ("read_message_history",)
_NEEDED: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("GET", _MESSAGES): _TO_READ,
    ("GET", f"{_MESSAGES}/{{message_id}}"): _TO_READ,
    ("POST", _MESSAGES): ("send_messages",),
    ("POST", "/channels/{channel_id}/typing"): ("send_messages",),
    ("POST", f"{_MESSAGES}/{{message_id}}/threads"): ("create_public_threads",),
    ("PUT", f"{_MESSAGES}/{{message_id}}/reactions/{{emoji}}/@me"): _TO_READ,
}
"""Permissions for each kind of request, besides seeing the channel."""

_Kind = tuple[int, str, str]
"""A channel, and a kind of request there: its method and its path."""


class ForbiddenError(discord.Forbidden):
    """A request was not made, for Discord would forbid it."""

    def __init__(self, why: str) -> None:
        answer: Any = SimpleNamespace(status=403, reason="Forbidden")
        super().__init__(answer, {"code": 50013, "message": why})


class Forbidden:
    """The requests that are known to be forbidden to one client."""

    def __init__(self, client: discord.Client, *, now: Callable[[], float] = monotonic) -> None:
        self._client = client
        self._now = now
        self._by_guild: defaultdict[int, dict[_Kind, float]] = defaultdict(dict)

    def look(self, route: Route, *, with_files: bool) -> None:
        """Look at a request that is about to be made.

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
        lacking = [one for one in ("view_channel", *needed) if not getattr(granted, one)]
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
        # Of a server in an outage not even our own roles may be known.
        return None if found.guild.get_member(self._own_id) is None else found

    @property
    def _own_id(self) -> int:
        return 0 if self._client.user is None else self._client.user.id


def _kind(route: Route) -> _Kind:
    return int(route.channel_id or 0), route.method, route.path
