"""What a channel allows: threads, and the permissions that the bot needs there."""

import discord

from bot.edge.desk import Interaction
from bot.errors import MissingPermissions, NoThreadsHere
from bot.store.rows import Place

_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)
_THREADS = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
# The names as people read them in Discord's settings, for the flags of discord.Permissions.
_TO_PLAY = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
_TO_PLAY_IN_THREADS = {
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}

NEEDED = discord.Permissions(**dict.fromkeys([*_TO_PLAY, *_TO_PLAY_IN_THREADS], True))
"""Everything the bot asks for when it is invited."""


def threads_possible(interaction: Interaction) -> bool:
    """Whether the bot can open a thread from a message in this channel."""
    return _has_threads(interaction) and not _missing(interaction, _TO_PLAY_IN_THREADS)


def check_place(interaction: Interaction, place: Place) -> None:
    """See that a game can be played where it is wanted.

    Raises:
        NoThreadsHere: if a thread is wanted where Discord has none.
        MissingPermissions: naming what the bot lacks.
    """
    needed = dict(_TO_PLAY)
    if interaction.channel is not None and interaction.channel.type in _THREADS:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = _TO_PLAY_IN_THREADS["send_messages_in_threads"]
    if place is Place.THREAD:
        if not _has_threads(interaction):
            raise NoThreadsHere
        needed |= _TO_PLAY_IN_THREADS
    if missing := _missing(interaction, needed):
        raise MissingPermissions(missing)


def _has_threads(interaction: Interaction) -> bool:
    return interaction.channel is not None and interaction.channel.type in _WITH_THREADS


def _missing(interaction: Interaction, needed: dict[str, str]) -> tuple[str, ...]:
    granted = interaction.app_permissions
    return tuple(
        name
        for flag, name in needed.items()
        if not (granted.administrator or getattr(granted, flag))
    )
