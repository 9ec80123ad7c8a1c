"""For whom something is said, at every door."""

from typing import Any

import discord

from bot.locales import IN_ENGLISH, Reader, reader


def asker(interaction: discord.Interaction[Any]) -> Reader:
    """Whoever gives a command or presses a button, in the language of their Discord."""
    return reader(str(interaction.locale.value))


def everybody() -> Reader:
    """All who read a channel or thread; as yet no server can choose its language."""
    return IN_ENGLISH


def recipient() -> Reader:
    """Whoever gets a direct message unasked: Discord does not tell their language."""
    return IN_ENGLISH
