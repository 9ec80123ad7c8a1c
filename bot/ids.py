"""The numbers that name things, each a type of its own so that none stands in for another."""

from typing import NewType

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
NO_GUILD = GuildId(0)
"""Stands for the direct messages between people and the bot: Discord counts them to shard 0 too."""
ChannelId = NewType("ChannelId", int)
"""A text channel or a thread: Discord draws both from one row of numbers."""
MessageId = NewType("MessageId", int)
SourceId = NewType("SourceId", int)
"""The message or interaction that asked for a change; no two changes share one."""
GameId = NewType("GameId", int)
ChallengeId = NewType("ChallengeId", int)
Revision = NewType("Revision", int)
"""Counts the accepted changes of one game: 0 is its start, and each event adds one."""
