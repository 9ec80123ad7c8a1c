"""The form with the terms of a new tournament."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import discord

from bot.connection.forms import picked_values, several, typed_text, whole_number
from bot.people.handlers.setup_options import manages_events
from bot.people.use_cases.moments import read_length
from bot.play.handlers import interactions
from bot.play.handlers.interactions import Answer, Interaction, form
from bot.play.model.conduct import check_place
from bot.play.model.terms import Place, Start
from bot.play.model.typed_clocks import LONGEST_TEXT, chosen_clock
from club.tournaments import refusals
from club.tournaments.model.leagues import USUAL_SIZE
from club.tournaments.model.possible_terms import is_used, usual_clock
from club.tournaments.model.tournament import TournamentFormat, TournamentTerms
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import answers


async def show_form(
    answer: Answer,
    format_: TournamentFormat,
    start: str | None,
    clock: str,
    begins: datetime | None = None,
    example: TournamentTerms | None = None,
) -> None:
    """Open the form for the other terms. Its custom id contains the options of the command.

    `example` are the terms of an earlier tournament, which fill the form.

    Raises:
        TournamentRefusal: if the user may not create tournaments.
    """
    if not await answer.within_deadline(may_organize(answer.interaction), cached=True):
        raise refusals.TournamentRefusal(refusals.Problem.MAY_NOT_CREATE)
    moment = "" if begins is None else str(int(begins.timestamp()))
    title, fields = answers.making_form(answer.reader, format_, example)
    number = list(TournamentFormat).index(format_)
    custom_id = f"dvonn:cup-form:{number}:{start or ''}:{moment}:{clock}"
    await answer.form(several(title, fields, custom_id, LONGEST_TEXT))


@form(
    r"dvonn:cup-form:(?P<format>[0-4]):(?P<start>balanced|placement)?:"
    r"(?P<begins>[0-9]{0,11}):(?P<clock>.{0,60})"
)
async def read_making(answer: Answer, match: re.Match[str], data: Any) -> None:
    interaction, services = answer.interaction, answer.services
    venue, guild = interactions.venue(interaction), interactions.guild_of(interaction)
    format_ = list(TournamentFormat)[int(match["format"])]
    usual_terms = await services.lobby.defaults_for(guild, venue)
    check_place(await services.store.guilds.rules(guild), venue, Place.THREAD)
    rounds, size = typed_text(data, "rounds").strip(), "".join(picked_values(data, "division_size"))
    extras, begins = picked_values(data, "also"), match["begins"]
    is_sized = is_used(format_, "division_size")
    created = await services.require(Tournaments).create(
        TournamentTerms(
            guild=guild,
            channel=interactions.channel_of(interaction),
            organiser=answer.user,
            name=typed_text(data, "name").strip(),
            format=format_,
            start=Start(match["start"]) if match["start"] else usual_terms.start,
            clock=chosen_clock(
                match["clock"] or None, None, usual_clock(format_, usual_terms.clock)
            ),
            coordinates=usual_terms.coordinates,
            rated="rated" in extras,
            rounds=whole_number(rounds) if rounds else None,
            begins_at=datetime.fromtimestamp(int(begins), UTC) if begins else None,
            round_time=_length(typed_text(data, "round_time")),
            lasts=_length(typed_text(data, "lasts")),
            twice="twice" in extras,
            division_size=(whole_number(size) if size else USUAL_SIZE) if is_sized else None,
        ),
        source=answer.source,
        is_organizer=await may_organize(interaction),
    )
    await answer.send_private(answers.tournament_made(answer.reader, created))


def _length(text: str) -> timedelta | None:
    """Return a duration, or None if nothing was typed."""
    return read_length(text) if text.strip() else None


async def may_organize(interaction: Interaction) -> bool:
    member = interaction.user
    roles = [role.id for role in member.roles] if isinstance(member, discord.Member) else []
    return await interaction.client.services.require(Tournaments).may_create(
        interactions.guild_of(interaction), manages=manages_events(interaction), roles=roles
    )
