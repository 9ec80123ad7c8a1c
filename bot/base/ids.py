"""Types of ids. Each kind of thing has its own type, so that ids are not confused."""

from dataclasses import dataclass
from typing import Final, NewType

from dvonn import Color

UserId = NewType("UserId", int)
DELETED_USER: Final = {Color.WHITE: UserId(1), Color.BLACK: UserId(2), None: UserId(0)}
"""Ids of deleted users: as a game's players, and as other actors in it. Discord gives nobody such
an id."""
GuildId = NewType("GuildId", int)
NO_GUILD = GuildId(0)
"""Stands for direct messages with the bot. Like them, it belongs to shard 0."""
ChannelId = NewType("ChannelId", int)
"""A text channel or a thread. Their ids never collide."""
MessageId = NewType("MessageId", int)
SourceId = NewType("SourceId", int)
"""Id of the message or interaction behind a change. No two changes share one."""
GameId = NewType("GameId", int)
ChallengeId = NewType("ChallengeId", int)
TournamentId = NewType("TournamentId", int)
Revision = NewType("Revision", int)
"""Counts the accepted changes of one game: 0 is its start, and each event adds one."""
LAST_STAND_IN: Final = 2**63 - 1
_MOST_STAND_INS: Final = 2**20
BEFORE_START = Revision(-1)
"""Revision of a game without events: its first event is revision 0."""
LATEST = Revision(2**31 - 1)
"""A revision that no game reaches."""


def anonymous_id(number: int) -> UserId:
    """Return an id for a deleted participant of a tournament, by their place in its list.

    Discord will give nobody such an id before the year 2084.
    """
    return UserId(LAST_STAND_IN - number)


def is_deleted_user(user: UserId) -> bool:
    """Return True if an id stands for a deleted user."""
    return user in DELETED_USER.values() or user > LAST_STAND_IN - _MOST_STAND_INS


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of one process, out of all shards."""

    ids: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningChannel:
    """The channel of a running game."""

    guild: GuildId
    channel: ChannelId
    last: SourceId
    """Source of the game's last event."""


def team_of(channel: ChannelId) -> UserId:
    """Return the id of the team of all voters in a channel.

    The ids of users are above 0, so none is mistaken for a team.
    """
    return UserId(-channel)


def is_team(user: UserId) -> bool:
    return user < 0


def team_channel(team: UserId) -> ChannelId:
    return ChannelId(-team)
