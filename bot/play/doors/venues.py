"""Reads from an interaction the place in which a game is asked for."""

from typing import Any

import discord

from bot.base.ids import ChannelId
from bot.connection.permissions import (
    TO_OPEN_THREADS,
    is_direct,
    is_muffled,
    is_visiting,
    may_give_permissions,
    missing,
    to_play,
)
from bot.play.model.conduct import Venue

_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)


def venue(interaction: discord.Interaction[Any]) -> Venue:
    """Return the place of an interaction, as a venue for a game."""
    where, channel = interaction.channel, ChannelId(interaction.channel_id or 0)
    if is_visiting(interaction):
        muffled = is_muffled(interaction)
        return Venue(
            channel=channel, home=channel, has_threads=False, visiting=True, is_muffled=muffled
        )
    if is_direct(interaction):  # nothing can be lacking there
        return Venue(channel=channel, home=channel, has_threads=False, is_direct=True)
    kind = None if where is None else where.type
    to_play_here = to_play(kind)
    for_threads = {flag: name for flag, name in TO_OPEN_THREADS.items() if flag not in to_play_here}
    return Venue(
        channel=channel,
        home=ChannelId(where.parent_id) if isinstance(where, discord.Thread) else channel,
        has_threads=kind in _WITH_THREADS,
        lacking=missing(interaction.app_permissions, to_play_here),
        lacking_for_threads=missing(interaction.app_permissions, for_threads),
        asker_may_mend=may_give_permissions(interaction.permissions),
    )
