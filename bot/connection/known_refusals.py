"""Avoids requests that Discord would forbid.

Discord bans an IP address that makes 10,000 forbidden requests in ten minutes, and tells programs
to check permissions first. So each request in a server's channel is checked against the known
permissions. If Discord refuses it anyway, it is not repeated until the permissions change or an
hour has passed.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from typing import Final

import discord
from discord.http import Route

from bot.connection.request_errors import ForbiddenError

_MISSING: Final = frozenset({50001, 50013})
"""Discord's error codes for a channel without access, and for a missing permission."""
_MEMORY_S: Final = 3_600.0
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
"""Permissions that each kind of request needs, in addition to viewing the channel."""

_Kind = tuple[int, str, str]
"""A channel and a kind of request there: its method and path."""


class KnownRefusals:
    """The requests that are known to be forbidden for a client."""

    def __init__(self, client: discord.Client, *, now: Callable[[], float] = monotonic) -> None:
        self._client = client
        self._now = now
        self._by_guild: defaultdict[int, dict[_Kind, float]] = defaultdict(dict)

    def check(self, route: Route, *, with_files: bool) -> None:
        """Raise an error if a request is known to be forbidden, before it is made.

        Raises:
            ForbiddenError: if Discord would forbid it.
        """
        channel = self._channel(route)
        if channel is None:
            return
        refused_at = self._by_guild.get(channel.guild.id, {}).get(_kind(route), -math.inf)
        if self._now() - refused_at < _MEMORY_S:
            raise ForbiddenError("Discord has forbidden it, and no permission has changed since")
        if (needed := _NEEDED.get((route.method, route.path))) is None:
            return
        permissions = channel.permissions_for(channel.guild.me)
        if isinstance(channel, discord.Thread) and needed == ("send_messages",):
            needed = ("send_messages_in_threads",)
        if with_files:
            needed = (*needed, "attach_files")
        missing_rights = [
            right for right in ("view_channel", *needed) if not getattr(permissions, right)
        ]
        if missing_rights:
            raise ForbiddenError(f"lacks {', '.join(missing_rights)}")

    def note(self, route: Route, error: discord.Forbidden) -> None:
        """Remember a request that Discord has forbidden."""
        channel = self._channel(route)
        if channel is not None and error.code in _MISSING:
            self._by_guild[channel.guild.id][_kind(route)] = self._now()

    def changed(self, guild: discord.Guild) -> None:
        self._by_guild.pop(guild.id, None)

    def _channel(self, route: Route) -> discord.abc.GuildChannel | discord.Thread | None:
        if route.channel_id is None:
            return None
        channel = self._client.get_channel(int(route.channel_id))
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return None
        # During a server's outage even the bot's own roles may be unknown.
        return None if channel.guild.get_member(self._own_id) is None else channel

    @property
    def _own_id(self) -> int:
        return 0 if self._client.user is None else self._client.user.id


def _kind(route: Route) -> _Kind:
    return int(route.channel_id or 0), route.method, route.path
