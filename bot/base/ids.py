"""Types of ids. Each kind of object has its own, so that ids cannot be confused."""

from dataclasses import dataclass
from typing import Final, NewType

from dvonn import Color

UserId = NewType("UserId", int)
DELETED_USER: Final = {Color.WHITE: UserId(1), Color.BLACK: UserId(2), None: UserId(0)}
"""Ids that replace deleted users: by color for a game's players, and under None for others.

Discord never assigns them.
"""
GuildId = NewType("GuildId", int)
NO_GUILD = GuildId(0)
"""Guild id of direct messages with the bot. Discord sends them to shard 0."""
ChannelId = NewType("ChannelId", int)
"""Id of a text channel or a thread. No channel has the same id as a thread."""
MessageId = NewType("MessageId", int)
SourceId = NewType("SourceId", int)
"""Id of the message or interaction behind a change. Each change has its own."""
GameId = NewType("GameId", int)
ChallengeId = NewType("ChallengeId", int)
TournamentId = NewType("TournamentId", int)
Revision = NewType("Revision", int)
"""Number of an accepted change within its game: 0 is the start, and each event adds one."""
LAST_STAND_IN: Final = 2**63 - 1
_MAX_STAND_INS: Final = 2**20
BEFORE_START = Revision(-1)
"""Revision of a game without events: its first event is revision 0."""
LATEST = Revision(2**31 - 1)
"""A revision number higher than any game reaches."""


def anonymous_id(number: int) -> UserId:
    """Return the id that replaces a deleted tournament participant, given their place in the list.

    Discord won't assign such an id before the year 2084.
    """
    return UserId(LAST_STAND_IN - number)


def is_deleted_user(user: UserId) -> bool:
    """Return True if an id replaces a deleted user."""
    return user in DELETED_USER.values() or user > LAST_STAND_IN - _MAX_STAND_INS


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards that a process runs, and the total number of shards."""

    ids: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningChannel:
    """The channel of a running game."""

    guild: GuildId
    channel: ChannelId
    last: SourceId
    """Source of the game's last event."""


def shard_of(guild: GuildId, count: int) -> int:
    """Return the shard that receives the events of a server.

    >>> shard_of(GuildId(5 << 22), 4)
    1
    """
    return (guild >> 22) % count


def team_of(channel: ChannelId) -> UserId:
    """Return the id of the team that votes in a channel.

    Team ids are negative, so they can't be confused with user ids.
    """
    return UserId(-channel)


def is_team(user: UserId) -> bool:
    return user < 0


def team_channel(team: UserId) -> ChannelId:
    return ChannelId(-team)
