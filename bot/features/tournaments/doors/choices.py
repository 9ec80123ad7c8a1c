"""Suggestions for an organiser who types."""

from contextlib import suppress
from datetime import datetime
from functools import partial

from bot.base.ids import UserId
from bot.features.tournaments.refusals import BadBeginning
from bot.features.tournaments.use_cases.beginnings import read_beginning, read_length
from bot.features.tournaments.words.answers import (
    beginning_choices,
    length_choices,
    round_time_choices,
)
from bot.play.doors.interactions import Interaction, TextChoices, choices, guild_of
from bot.play.words.clocks import clock_choices


async def clocks(interaction: Interaction, typed: str) -> TextChoices:
    """Suggest clocks; the server's own comes first."""
    rules = await interaction.client.services.servers.rules(guild_of(interaction))
    reader = await interaction.client.services.readers.asker(interaction)
    return choices(clock_choices(reader, typed, rules.defaults))


async def moments(interaction: Interaction, typed: str) -> TextChoices:
    """Suggest beginnings, by the organiser's own clock."""
    services = interaction.client.services
    reader = await services.readers.asker(interaction)
    zone = (await services.choices.of(UserId(interaction.user.id))).zone
    meant: str | None = None
    read = partial(read_beginning, now=interaction.created_at, zone=zone, language=reader.locale)

    def when(text: str) -> datetime | None:
        with suppress(BadBeginning):
            return read(text)
        return None

    try:
        read(typed)
    except BadBeginning as error:
        meant = error.meant
    return choices(beginning_choices(reader, typed, when, meant=meant, zone=zone))


async def round_times(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.services.readers.asker(interaction)
    return choices(round_time_choices(reader, typed, read_length(typed)))


async def lengths(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.services.readers.asker(interaction)
    return choices(length_choices(reader, typed, read_length(typed)))
