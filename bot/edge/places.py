"""Whether a game can be played where somebody wants it."""

import discord

from bot.edge.desk import Interaction
from bot.edge.permissions import TO_OPEN_THREADS, missing, to_play
from bot.errors import MissingPermissions, NoThreadsHere
from bot.store.rows import Place

_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)


def threads_possible(interaction: Interaction) -> bool:
    """Whether the bot can open a thread from a message in this channel."""
    return _has_threads(interaction) and not missing(interaction.app_permissions, TO_OPEN_THREADS)


def check_place(interaction: Interaction, place: Place) -> None:
    """See that a game can be played where it is wanted.

    Raises:
        NoThreadsHere: if a thread is wanted where Discord has none.
        MissingPermissions: naming what the bot lacks.
    """
    needed = to_play(None if interaction.channel is None else interaction.channel.type)
    if place is Place.THREAD:
        if not _has_threads(interaction):
            raise NoThreadsHere
        needed |= TO_OPEN_THREADS
    if lacking := missing(interaction.app_permissions, needed):
        raise MissingPermissions(lacking)


def _has_threads(interaction: Interaction) -> bool:
    return interaction.channel is not None and interaction.channel.type in _WITH_THREADS
