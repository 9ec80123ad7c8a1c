"""Handles /settings, the form for a user's own settings."""

import re
from collections.abc import Container, Iterable
from typing import Any, Final

import discord
from discord import app_commands

from bot.base.ids import UserId
from bot.base.languages import languages
from bot.connection.forms import is_bot, picked_ids, several, typed_text, whole_number
from bot.connection.posts import AnyField
from bot.people.use_cases.blocks import Blocks
from bot.people.use_cases.choices import PersonalSettings
from bot.people.words import own_settings
from bot.people.words.styles import AS_USUAL
from bot.play.handlers import interactions
from bot.play.handlers.challenge_buttons import close_challenge_message
from bot.play.model.preferences import Preferences, RemindAhead, RemindBy
from bot.play.model.refusals import StaleBoard
from bot.play.model.typed_clocks import LONGEST_TEXT
from bot.play.switches import SwitchList
from dvonn import Coordinates
from renderer import THEMES

_LOOK_SETTINGS: Final = frozenset({"language", "theme", "coordinates", "seen"})
"""Selects on the page about language and boards. The others are on the page about turns."""


class ReminderButton(interactions.Component, template=r"dvonn:reminder:[0-9]{1,19}"):
    """Button below a reminder that shows the settings of the user who presses it."""

    async def respond(self, answer: interactions.Answer) -> None:
        await show_turns(answer)


class PreferenceButton(
    interactions.Component,
    template=r"dvonn:preferences:(?P<action>turns|looks|quiet|away|back|blocks)",
):
    """Button of the settings form that opens the other page or a modal, or ends a vacation."""

    async def respond(self, answer: interactions.Answer) -> None:
        services, user = answer.services, answer.user
        match self.action:
            case "turns":
                await show_turns(answer)
            case "looks":
                await show_looks(answer)
            case "back":
                await services.vacations.end(user)
                await show_turns(answer)
            case "away":
                fields = own_settings.vacation_fields(answer.reader)
                await answer.form(_form("away", *fields))
            case _:
                cached_form = answer.cached_form(_form_id(self.action))
                await answer.form(
                    await answer.within_deadline(_read_form(answer, self.action), cached_form)
                )


class PreferenceSelect(
    interactions.Component,
    template=r"dvonn:preferences:(?P<action>on|by|at|seen|language|theme|coordinates)",
):
    """Select of the settings form. A choice takes effect immediately."""

    async def respond(self, answer: interactions.Answer) -> None:
        services, user = answer.services, answer.user
        try:
            preferences = await choose(
                services.require(PersonalSettings), user, self.action, list(self.item.values)
            )
        except ValueError as error:  # someone has forged a choice
            raise StaleBoard from error
        # The choice may change the look or language of this answer.
        answer.reader = await services.readers.for_interaction(answer.interaction)
        await (show_looks if self.action in _LOOK_SETTINGS else show_turns)(answer, preferences)


async def choose(
    choices: PersonalSettings, user: UserId, setting: str, values: list[str]
) -> Preferences:
    """Store a choice made in one of the selects. Raise ValueError if it is invalid."""
    if setting in set(SwitchList):
        switches = {switch.of.key for switch in choices.switches if switch.at == setting}
        enabled = {value for value in values if value != AS_USUAL}
        if not enabled <= switches:
            raise ValueError(f"not switches of this select: {sorted(enabled)}")
        return await choices.switch(user, **{switch: switch in enabled for switch in switches})
    (value,) = values
    match setting:
        case "by":
            return await choices.set_reminders(user, by=RemindBy(value))
        case "at":
            return await choices.set_reminders(user, at=frozenset(map(RemindAhead, value.split())))
        case "language":
            return await choices.set_language(user, one_of(value, languages()))
        case "theme":
            return await choices.set_theme(user, one_of(value, THEMES))
        case _:
            coordinates = None if value == AS_USUAL else Coordinates(value)
            return await choices.set_coordinates(user, coordinates)


def one_of(value: str, options: Container[str]) -> str | None:
    """Return the chosen option, or None for the default.

    Raises:
        ValueError: if there is no such option.
    """
    if value == AS_USUAL:
        return None
    if value not in options:
        raise ValueError(f"not an option: {value!r}")
    return value


async def show_turns(answer: interactions.Answer, current: Preferences | None = None) -> None:
    services, user, reader = answer.services, answer.user, answer.reader
    preferences = current or await services.store.players.get(user)
    summary = await services.vacations.summary(user)
    blocked = await services.store.blocks.blocked_by(user)
    answer.prepare(_form("quiet", *own_settings.quiet_fields(reader, preferences)))
    answer.prepare(_form("blocks", *own_settings.block_fields(reader, blocked)))
    await answer.view(
        own_settings.preferences(reader, preferences, services.switches, blocked, summary)
    )


async def show_looks(answer: interactions.Answer, current: Preferences | None = None) -> None:
    services, user = answer.services, answer.user
    preferences = current or await services.store.players.get(user)
    await answer.view(own_settings.looks(answer.reader, preferences, services.switches))


@interactions.form(r"dvonn:preferences-form:(?P<action>quiet|away|blocks)")
async def read_own_settings(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    """Handle a modal that was opened from the settings form and submitted."""
    services, user = answer.services, answer.user
    if match["action"] == "blocks":
        await _set_blocks(answer, data)
        return
    if match["action"] == "quiet":
        times = (typed_text(data, name) for name in ("begins", "ends", "zone", "digest"))
        await show_turns(answer, await services.require(PersonalSettings).set_times(user, *times))
        return
    days, first = typed_text(data, "days").strip(), typed_text(data, "first").strip()
    await services.vacations.start(user, whole_number(days), first or None, answer.reader.locale)
    await show_turns(answer)


async def _set_blocks(answer: interactions.Answer, data: Any) -> None:
    """Block the users that a player added to their list, and unblock those they removed."""
    services, user = answer.services, answer.user
    before = await services.store.blocks.blocked_by(user)
    chosen_users = [
        UserId(number) for key in own_settings.BLOCK_KEYS for number in picked_ids(data, key)
    ]
    for other in before:
        if other not in chosen_users:
            await services.store.blocks.remove(user, other)
    for other in [choice for choice in chosen_users if choice not in before]:
        other_is_bot = is_bot(data, other)
        for row in await services.require(Blocks).block(user, other, other_is_bot=other_is_bot):
            await close_challenge_message(services, row)
    await show_turns(answer)


async def _read_form(answer: interactions.Answer, action: str) -> discord.ui.Modal:
    """Return the form for quiet hours or blocks, with values from the database."""
    store, user = answer.services.store, answer.user
    if action == "quiet":
        preferences = await store.players.get(user)
        return _form(action, *own_settings.quiet_fields(answer.reader, preferences))
    blocked = await store.blocks.blocked_by(user)
    return _form(action, *own_settings.block_fields(answer.reader, blocked))


def _form(action: str, title: str, fields: Iterable[AnyField]) -> discord.ui.Modal:
    return several(title, fields, _form_id(action), LONGEST_TEXT)


def _form_id(action: str) -> str:
    return f"dvonn:preferences-form:{action}"


@interactions.in_help()
@app_commands.command(description="Set your pings, reminders, vacations, blocks and language")
@interactions.anywhere
async def settings(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        await show_turns(answer)
