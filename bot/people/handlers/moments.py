"""Moments that people type into options and forms."""

from contextlib import suppress
from datetime import datetime
from functools import partial

from bot.base.ids import UserId
from bot.people.model import BadMoment
from bot.people.use_cases.moments import read_moment
from bot.people.words.moments import moment_choices
from bot.play.handlers.interactions import Answer, Interaction
from bot.play.handlers.option_choices import TextChoices, choices


async def suggest_moments(interaction: Interaction, typed: str) -> TextChoices:
    services = interaction.client.services
    reader = await services.readers.for_interaction(interaction)
    zone = (await services.store.players.get(UserId(interaction.user.id))).zone
    read_text = partial(read_moment, now=interaction.created_at, zone=zone, language=reader.locale)

    def when(text: str) -> datetime | None:
        with suppress(BadMoment):
            return read_text(text)
        return None

    return choices(moment_choices(reader, typed, when, zone=zone))


async def typed_moment(answer: Answer, text: str) -> datetime | None:
    """Return a typed moment in the user's time zone, or None if nothing was typed.

    Raises:
        BadMoment: if it can't be parsed.
    """
    if not text.strip():
        return None
    zone = (await answer.services.store.players.get(answer.user)).zone
    now, language = answer.interaction.created_at, answer.reader.locale
    return read_moment(text, now=now, zone=zone, language=language)
