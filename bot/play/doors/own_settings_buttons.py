"""The private form of settings: its two pages, its lists, and the forms that its buttons open."""

import re
from collections.abc import Container
from typing import Any, Final

import discord

from bot.base.ids import UserId
from bot.base.locales import languages
from bot.connection.forms import several, typed
from bot.connection.from_id import FromId
from bot.connection.posts import Field
from bot.play.doors.answers import Answer, answering
from bot.play.doors.services import Interaction
from bot.play.model.preferences import Preferences, RemindAhead, RemindBy
from bot.play.model.refusals.playing import TurnOver
from bot.play.model.time_control import LONGEST_TEXT
from bot.play.own_switches import SwitchList
from bot.play.use_cases.preferences import Choices
from bot.play.words.own_settings import looks, preferences, quiet_fields, vacation_fields
from bot.play.words.styles import AS_USUAL
from bot.play.words.vacations import vacation_ended, vacation_started
from dvonn import Coordinates
from renderer import THEMES

_ON_LOOKS: Final = frozenset({"language", "theme", "coordinates", "seen"})
"""Lists of the page on language and boards; the others are on the page on turns."""
_LONGEST_COUNT: Final = 3
_FORM_ID: Final = re.compile(r"dvonn:preferences-form:(?P<action>quiet|away)")


class ReminderButton(FromId, template=r"dvonn:reminder:[0-9]{1,19}"):
    """The button under a reminder: the presser sees their own settings."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the form."""
        async with answering(interaction) as answer:
            await show_turns(answer)


class PreferenceButton(
    FromId, template=r"dvonn:preferences:(?P<action>turns|looks|quiet|away|back)"
):
    """A button of the form: the other page, a form to type into, or the end of a vacation."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what it says."""
        async with answering(interaction) as answer:
            services, user = interaction.client.services, UserId(interaction.user.id)
            match self.action:
                case "turns":
                    await show_turns(answer)
                case "looks":
                    await show_looks(answer)
                case "back":
                    ended, absence = await services.vacations.end(user)
                    await show_turns(answer)
                    await answer.privately(vacation_ended(answer.reader, ended, absence))
                case "quiet":
                    fields = quiet_fields(answer.reader, await services.choices.of(user))
                    await _open(answer, "quiet", *fields)
                case _:
                    await _open(answer, "away", *vacation_fields(answer.reader))


class PreferenceSelect(
    FromId,
    template=r"dvonn:preferences:(?P<action>on|by|at|seen|language|theme|coordinates)",
):
    """A list of the form: what is chosen there holds at once."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Choose, and show all that is chosen now."""
        async with answering(interaction) as answer:
            services, user = interaction.client.services, UserId(interaction.user.id)
            try:
                chosen = await choose(services.choices, user, self.action, list(self.item.values))
            except ValueError as error:  # somebody has forged a choice
                raise TurnOver from error
            # They may have chosen how this very answer looks and reads.
            answer.reader = await services.readers.asker(interaction)
            await (show_looks if self.action in _ON_LOOKS else show_turns)(answer, chosen)


async def choose(choices: Choices, user: UserId, what: str, values: list[str]) -> Preferences:
    """Choose from one of the lists.

    Raises:
        ValueError: if that is no choice.
    """
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
    """Return the choice if it is one of those offered; None where nothing is chosen.

    Raises:
        ValueError: if there is no such thing.
    """
    if value == AS_USUAL:
        return None
    if value not in there:
        raise ValueError(f"{value!r} cannot be chosen")
    return value


async def show_turns(answer: Answer, chosen: Preferences | None = None) -> None:
    """Show the page on turns, in place of the other one."""
    services, user = answer.interaction.client.services, UserId(answer.interaction.user.id)
    known = chosen or await services.choices.of(user)
    absence = await services.vacations.of(user)
    await answer.view(
        preferences(
            answer.reader,
            known,
            services.choices.switches,
            await services.blocks.of(user),
            is_away=bool(absence.vacations),
        )
    )


async def show_looks(answer: Answer, chosen: Preferences | None = None) -> None:
    """Show the page on what somebody alone reads and sees, in place of the other one."""
    services, user = answer.interaction.client.services, UserId(answer.interaction.user.id)
    known = chosen or await services.choices.of(user)
    await answer.view(looks(answer.reader, known, services.choices.switches))


async def read_own_settings(interaction: Interaction) -> None:
    """Do what was typed into one of the form's forms, if it is ours."""
    data: Any = interaction.data or {}
    match = _FORM_ID.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    async with answering(interaction) as answer:
        services, user = interaction.client.services, UserId(interaction.user.id)
        if match["action"] == "quiet":
            times = (typed(data, name) for name in ("begins", "ends", "zone"))
            await show_turns(answer, await services.choices.set_times(user, *times))
            return
        days, first = typed(data, "days").strip(), typed(data, "first").strip()
        absence = await services.vacations.start(
            user, _count(days), first or None, answer.reader.locale
        )
        await show_turns(answer)
        await answer.privately(vacation_started(answer.reader, absence))


async def _open(answer: Answer, action: str, title: str, fields: tuple[Field, ...]) -> None:
    await answer.form(several(title, fields, f"dvonn:preferences-form:{action}", LONGEST_TEXT))


def _count(text: str) -> int:
    """Read a number of days; 0, which is too few, where the text is no number."""
    is_number = len(text) <= _LONGEST_COUNT and text.isascii() and text.isdigit()
    return int(text) if is_number else 0
