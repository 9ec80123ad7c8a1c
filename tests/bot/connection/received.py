"""Interactions and messages as Discord sends them, without a connection."""

from datetime import datetime, timedelta
from typing import Any, Final

import discord

HOME: Final = 7
"""A server where the bot is a member."""
ELSEWHERE: Final = 8
HALL: Final = 70
"""A channel."""
GAME: Final = 71
"""A thread of that channel."""
NEWEST: Final = 900
"""The newest message in the channel."""
ANN: Final = 11
THREAD: Final = discord.ChannelType.public_thread.value
NOON: Final = datetime.fromisoformat("2026-11-29T12:00:00+00:00")

_USER: Final[Any] = {"id": str(ANN), "username": "ann", "discriminator": "0", "avatar": None}


_THREAD: Final[Any] = {
    "parent_id": str(HALL),
    "owner_id": str(ANN),
    "message_count": 1,
    "member_count": 1,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": NOON.isoformat(),
    },
}


def client(permissions: int = 0) -> discord.Client:
    """Return a client in one server, with a channel and a thread in its cache.

    Args:
        permissions: Everyone's permissions there.
    """
    made = discord.Client(intents=discord.Intents.none())
    state: Any = made._connection
    bot: Any = {"id": "1", "username": "dvonn", "discriminator": "0", "avatar": None}
    state.user = discord.ClientUser(state=state, data=bot)
    hall = {"id": str(HALL), "type": 0, "name": "hall", "position": 0, "permission_overwrites": []}
    thread = _THREAD | {"id": str(GAME), "type": THREAD, "name": "a game", "guild_id": str(HOME)}
    everybody = {"id": str(HOME), "name": "@everyone", "position": 0}
    server: Any = {
        "id": str(HOME),
        "name": "home",
        "preferred_locale": "de",
        "roles": [everybody | {"permissions": str(permissions)}],
        "channels": [hall | {"last_message_id": str(NEWEST)}],
        "threads": [thread | {"last_message_id": None}],
    }
    state._add_guild_from_data(server)
    return made


_STATE: Final[Any] = client()._connection


def interaction(
    guild: int | None = ELSEWHERE,
    *,
    channel: int = HALL,
    kind: int = 0,
    granted: discord.Permissions | None = None,
    context: int = 0,
    number: int = 0,
    by_server: bool = False,
    at: discord.Client | None = None,
) -> discord.Interaction[Any]:
    """Return an interaction of Ann's that was just created.

    Args:
        guild: The server, or None for a direct message.
        channel: The channel.
        kind: Discord's number of the channel's type.
        granted: Ann's permissions there.
        context: 1 for a direct message to the bot, 2 for one between people.
        number: Number of the press, if there are several at once.
        by_server: True if the server has added the bot, False if Ann has installed it.
        at: The client that receives it.
    """
    data: Any = {
        "id": str(discord.utils.time_snowflake(discord.utils.utcnow())),
        "application_id": "1",
        "type": 3,
        "token": str(number),
        "version": 1,
        "attachment_size_limit": 1,
        "context": context,
        "data": {},
        "authorizing_integration_owners": {"0": str(guild)} if by_server else {"1": str(ANN)},
        "channel": {
            "id": str(channel),
            "type": kind,
            "name": "hall",
            "position": 0,
            "permission_overwrites": [],
            "recipients": [],
            **(_THREAD if kind == THREAD else {}),
        },
    }
    if guild is None:
        data |= {"user": _USER}
    else:
        flags = (granted or discord.Permissions.none()).value
        member: dict[str, Any] = {
            "user": _USER,
            "roles": [],
            "joined_at": None,
            "deaf": False,
            "mute": False,
        }
        member |= {"flags": 0, "permissions": str(flags)}
        data |= {"guild_id": str(guild), "member": member}
    return discord.Interaction(data=data, state=_STATE if at is None else at._connection)


def member(at: discord.Client, guild: int = HOME) -> discord.Member:
    """Return Ann as a member of a server, or as a user without one."""
    state: Any = at._connection
    server: Any = {"id": str(guild), "name": "elsewhere"}
    data: Any = {"user": _USER, "roles": [], "joined_at": None, "deaf": False, "mute": False}
    where = at.get_guild(guild) or discord.Guild(data=server, state=state)
    return discord.Member(data=data | {"flags": 0}, guild=where, state=state)


def join(at: discord.Client) -> None:
    """Put the bot's own membership of its server into the cache."""
    server, bot = at.get_guild(HOME), at.user
    assert server is not None
    assert bot is not None
    told: Any = {"user": {**_USER, "id": str(bot.id)}, "roles": [], "joined_at": None}
    about: Any = {**told, "deaf": False, "mute": False, "flags": 0}
    server._add_member(discord.Member(data=about, guild=server, state=at._connection))


def message(
    edited: timedelta | None, number: int = 0, *, channel: int = HALL, **more: Any
) -> discord.Message:
    """Return a message sent at noon, and perhaps edited some time later.

    Args:
        edited: How much later it was edited, or None.
        number: Number of the message, if there are several.
        channel: Its channel.
        more: Other parts of it, as Discord names them.
    """
    data: Any = {
        "id": str(discord.utils.time_snowflake(NOON) + number),
        "channel_id": str(channel),
        "author": _USER,
        "content": "c3",
        "type": 0,
        "timestamp": NOON.isoformat(),
        "edited_timestamp": None if edited is None else (NOON + edited).isoformat(),
        **{key: [] for key in ("attachments", "embeds", "mentions", "mention_roles", "components")},
        **dict.fromkeys(("pinned", "tts", "mention_everyone"), False),
        **more,
    }
    where: Any = discord.PartialMessageable(state=_STATE, id=channel)
    return discord.Message(state=_STATE, channel=where, data=data)
