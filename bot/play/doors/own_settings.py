"""/settings: the form of people's own choices."""

import re
from collections.abc import Container, Iterable
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot.base.ids import UserId
from bot.base.languages import languages
from bot.connection.forms import picked_ids, several, typed, whole_number
from bot.connection.posts import AnyField
from bot.play.doors import interactions
from bot.play.doors.challenge_buttons import take_down
from bot.play.model.clock import LONGEST_TEXT
from bot.play.model.preferences import Preferences, RemindAhead, RemindBy
from bot.play.model.refusals import CannotDelete, TurnOver
from bot.play.use_cases.preferences import Choices, SwitchList
from bot.play.words import own_settings
from bot.play.words.own_settings import (
    confirm_deletion,
    confirm_deletion_again,
    deleted,
    exported,
    nothing_deleted,
)
from bot.play.words.own_settings import privacy as privacy_post
from bot.play.words.setup import AS_USUAL
from dvonn import Coordinates
from renderer import THEMES

_ON_LOOKS: Final = frozenset({"language", "theme", "coordinates", "seen"})
"""Lists of the page on language and boards. The others are on the page on turns."""


class ReminderButton(interactions.Component, template=r"dvonn:reminder:[0-9]{1,19}"):
    """The button under a reminder: the presser sees their own settings."""

    async def respond(self, answer: interactions.Answer) -> None:
        await show_turns(answer)


class PreferenceButton(
    interactions.Component,
    template=r"dvonn:preferences:(?P<action>turns|looks|quiet|away|back|blocks)",
):
    """A button of the form: the other page, a form to fill in, or the end of a vacation."""

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
                known = answer.prepared(_form_id(self.action))
                await answer.form(await answer.soon(_read_form(answer, self.action), known))


class PreferenceSelect(
    interactions.Component,
    template=r"dvonn:preferences:(?P<action>on|by|at|seen|language|theme|coordinates)",
):
    """A list of the form. A choice takes effect at once."""

    async def respond(self, answer: interactions.Answer) -> None:
        services, user = answer.services, answer.user
        try:
            chosen = await choose(services.choices, user, self.action, list(self.item.values))
        except ValueError as error:  # somebody has forged a choice
            raise TurnOver from error
        # They may have chosen the look and language of this very answer.
        answer.reader = await services.readers.asker(answer.interaction)
        await (show_looks if self.action in _ON_LOOKS else show_turns)(answer, chosen)


async def choose(choices: Choices, user: UserId, what: str, values: list[str]) -> Preferences:
    """Choose from one of the lists. Raise ValueError if that is no choice."""
    if what in set(SwitchList):
        switches = {one.of.key for one in choices.switches if one.at == what}
        on = {one for one in values if one != AS_USUAL}
        if not on <= switches:
            raise ValueError(f"{sorted(on)} cannot be switched on there")
        return await choices.switch(user, **{one: one in on for one in switches})
    (value,) = values
    match what:
        case "by":
            return await choices.set_reminders(user, by=RemindBy(value))
        case "at":
            return await choices.set_reminders(user, at=frozenset(map(RemindAhead, value.split())))
        case "language":
            return await choices.set_language(user, one_of(value, languages()))
        case "theme":
            return await choices.set_theme(user, one_of(value, THEMES))
        case _:
            how = None if value == AS_USUAL else Coordinates(value)
            return await choices.set_coordinates(user, how)


def one_of(value: str, there: Container[str]) -> str | None:
    """Return the choice if it is offered, or None for the default.

    Raises:
        ValueError: if there is no such thing.
    """
    if value == AS_USUAL:
        return None
    if value not in there:
        raise ValueError(f"{value!r} cannot be chosen")
    return value


async def show_turns(answer: interactions.Answer, chosen: Preferences | None = None) -> None:
    services, user, reader = answer.services, answer.user, answer.reader
    known = chosen or await services.store.players.get(user)
    absence = await services.vacations.of(user)
    blocked = await services.store.blocks.of(user)
    answer.prepare(_form("quiet", *own_settings.quiet_fields(reader, known)))
    answer.prepare(_form("blocks", *own_settings.block_fields(reader, blocked)))
    await answer.view(
        own_settings.preferences(reader, known, services.choices.switches, blocked, absence)
    )


async def show_looks(answer: interactions.Answer, chosen: Preferences | None = None) -> None:
    services, user = answer.services, answer.user
    known = chosen or await services.store.players.get(user)
    await answer.view(own_settings.looks(answer.reader, known, services.choices.switches))


@interactions.form(r"dvonn:preferences-form:(?P<action>quiet|away|blocks)")
async def read_own_settings(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    """Handle the input of one of the form's own forms."""
    services, user = answer.services, answer.user
    if match["action"] == "blocks":
        await _set_blocks(answer, data)
        return
    if match["action"] == "quiet":
        times = (typed(data, name) for name in ("begins", "ends", "zone", "digest"))
        await show_turns(answer, await services.choices.set_times(user, *times))
        return
    days, first = typed(data, "days").strip(), typed(data, "first").strip()
    await services.vacations.start(user, whole_number(days), first or None, answer.reader.locale)
    await show_turns(answer)


async def _set_blocks(answer: interactions.Answer, data: Any) -> None:
    """Block the users that were added to a player's lists, and unblock the removed ones."""
    services, user = answer.services, answer.user
    before = await services.store.blocks.of(user)
    known = data.get("resolved", {}).get("users", {})
    wanted = [UserId(one) for key in own_settings.BLOCK_KEYS for one in picked_ids(data, key)]
    for other in before:
        if other not in wanted:
            await services.store.blocks.remove(user, other)
    for other in [one for one in wanted if one not in before]:
        is_bot = bool(known.get(str(other), {}).get("bot"))
        for row in await services.blocks.block(user, other, other_is_bot=is_bot):
            await take_down(services, row)
    await show_turns(answer)


async def _read_form(answer: interactions.Answer, action: str) -> discord.ui.Modal:
    """Return the form of quiet hours or of blocks as the database has them."""
    store, user = answer.services.store, answer.user
    if action == "quiet":
        chosen = await store.players.get(user)
        return _form(action, *own_settings.quiet_fields(answer.reader, chosen))
    blocked = await store.blocks.of(user)
    return _form(action, *own_settings.block_fields(answer.reader, blocked))


def _form(action: str, title: str, fields: Iterable[AnyField]) -> discord.ui.Modal:
    return several(title, fields, _form_id(action), LONGEST_TEXT)


def _form_id(action: str) -> str:
    return f"dvonn:preferences-form:{action}"


_log = structlog.get_logger()


class PrivacyButton(
    interactions.Component,
    template=r"dvonn:privacy:(?P<action>show|export|delete|delete-sure|delete-now|keep)",
):
    """A button of the page, or of a question about it."""

    async def respond(self, answer: interactions.Answer) -> None:
        privacy, user = answer.services.privacy, answer.user
        match self.action:
            case "show":
                await answer.view(privacy_post(answer.reader))
            case "export":
                ending, data = await privacy.export(user)
                await answer.privately(exported(answer.reader, ending, data))
            case "delete":
                running = await privacy.running(user)
                await answer.in_place(confirm_deletion(answer.reader, running))
            case "delete-sure":
                await answer.in_place(confirm_deletion_again(answer.reader))
            case "delete-now":
                await _delete(answer, user)
            case _:
                await answer.in_place(nothing_deleted(answer.reader))


async def _delete(answer: interactions.Answer, user: UserId) -> None:
    services = answer.services
    try:
        goodbye = await services.privacy.delete(user)
    except CannotDelete as error:
        _log.error(
            "a player could not be deleted: some of their games can't be ended",
            games=error.games,
            cure="look whether the database is damaged: docs/troubleshooting.md",
        )
        raise
    await answer.in_place(deleted(answer.reader))
    for update in goodbye.left:
        await services.publisher.publish(update)
    for row in goodbye.closed:
        await take_down(services, row)


@interactions.in_help(
    lambda reader: reader.gettext(
        "{command} sets when I ping and remind you, and has vacations and blocks."
    )
)
@app_commands.command(description="Set your pings, reminders, vacations, blocks and language")
@interactions.anywhere
async def settings(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        await show_turns(answer)
