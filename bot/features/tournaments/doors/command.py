"""/tournament: people make tournaments, join them, and follow them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import UserId
from bot.connection.forms import picked, several, typed, whole_number
from bot.connection.permissions import TO_PLAN
from bot.features.tournaments.doors import options
from bot.features.tournaments.doors.buttons import shown, tell
from bot.features.tournaments.model.possible_terms import check_theme, is_used, usual_clock
from bot.features.tournaments.model.results import LONGEST_NOTE
from bot.features.tournaments.model.tournament import (
    PairingResult,
    TournamentFormat,
    TournamentTerms,
)
from bot.features.tournaments.refusals import BadLength, OrganisersOnly, TournamentGone
from bot.features.tournaments.use_cases.start_times import LONGEST_TEXT as LONGEST_MOMENT
from bot.features.tournaments.use_cases.start_times import read_beginning, read_length
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words import answers
from bot.features.tournaments.words.making import making_form, theme_choice
from bot.features.tournaments.words.terms import format_choice
from bot.play.doors import interactions
from bot.play.doors.option_choices import START_CHOICES, choice, usual_clocks
from bot.play.doors.setup_options import manages_events
from bot.play.model.clock import LONGEST_TEXT, chosen_clock, clock_text, read_time_control
from bot.play.model.conduct import check_place
from bot.play.model.pasted import read
from bot.play.model.refusals import NoSuchPly
from bot.play.model.terms import Place, Start
from dvonn import Coordinates, Phase

_WHICH = "Which one; empty: this channel's, or the only one"
_Which = app_commands.Range[str, 1, 100]


_THEME = choice(str(Start.POSITION), theme_choice)
_FORMATS = [choice(str(one), format_choice, one) for one in TournamentFormat]
_RESULTS = [choice(str(one), answers.result_name, one) for one in PairingResult if not one.is_bye]
tournament = app_commands.Group(
    name="tournament", description="Play in a tournament of this server, or make one"
)
interactions.in_servers(tournament)
interactions.in_help(
    lambda reader: reader.gettext("{command} starts a tournament for this server."),
    called="tournament create",
    where=lambda around: not around.venue.is_direct,
)(tournament)


@tournament.command(description="Make a tournament that people here can join")
@app_commands.describe(
    format="Who plays whom",
    clock="Such as 1 day per move, or 10+5; empty: as usual here, or 1 day per move",
    begins="Such as in 2 hours, tomorrow 8 pm, Saturday 18:00; empty: when you start it",
    start="The board it begins on; empty: as usual here",
)
@app_commands.choices(format=_FORMATS, start=[*START_CHOICES, _THEME])
async def create(
    interaction: interactions.Interaction,
    format: str,  # noqa: A002 - what people read
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    begins: app_commands.Range[str, 1, LONGEST_MOMENT] | None = None,
    start: str | None = None,
) -> None:
    """Open the form for the rest; its id keeps what has been chosen."""
    async with interactions.answering(interaction) as answer:
        if not await answer.soon(_may_organise(interaction), at_hand=True):  # it is asked again
            raise OrganisersOnly
        moment = ""
        if begins is not None:
            begins_at = read_beginning(
                begins,
                now=interaction.created_at,
                zone=(await answer.services.store.players.get(answer.user)).zone,
                language=answer.reader.locale,
            )
            moment = str(int(begins_at.timestamp()))
        played = TournamentFormat(format)
        number = list(TournamentFormat).index(played)
        text = "" if clock is None else clock_text(read_time_control(clock, None))
        themed = start == Start.POSITION
        if themed:
            check_theme(played)
        title, fields = making_form(answer.reader, played, themed=themed)
        custom_id = f"dvonn:cup-form:{number}:{start or ''}:{moment}:{text}"
        await answer.form(several(title, fields, custom_id, LONGEST_TEXT))


@interactions.form(
    r"dvonn:cup-form:(?P<format>[0-4]):(?P<start>balanced|symmetric|pie|placement|position)?:"
    r"(?P<begins>[0-9]{0,12}):(?P<clock>.{0,60})"
)
async def read_making(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    """Make the tournament that was asked for."""
    interaction, services = answer.interaction, answer.services
    here, guild = interactions.venue(interaction), interactions.guild_of(interaction)
    played = list(TournamentFormat)[int(match["format"])]
    usual = await services.lobby.usual(guild, here)
    check_place(await services.store.guilds.rules(guild), here, Place.THREAD)
    rounds, level = typed(data, "rounds").strip(), "".join(picked(data, "level"))
    also, begins = picked(data, "also"), match["begins"]
    pasted, position = typed(data, "position"), None
    if pasted:
        position = read(pasted, answer.reader.naming(Coordinates.STANDARD)).positions()[-1]
        if position.phase is Phase.OVER:
            raise NoSuchPly
    made = await services.of(Tournaments).create(
        TournamentTerms(
            guild=guild,
            channel=interactions.channel_of(interaction),
            organiser=answer.user,
            name=typed(data, "name").strip(),
            format=played,
            start=Start(match["start"]).today if match["start"] else usual.start,
            position=position,
            clock=chosen_clock(match["clock"] or None, None, usual_clock(played, usual.clock)),
            coordinates=usual.coordinates,
            rated="rated" in also,
            rounds=whole_number(rounds) if rounds else None,
            begins_at=datetime.fromtimestamp(int(begins), UTC) if begins else None,
            round_time=_length(typed(data, "round_time")),
            lasts=_length(typed(data, "lasts")),
            level=whole_number(level) if level else None,
            third_place="third_place" in also,
            machine=answer.client.machine if level else None,
        ),
        source=answer.source,
        is_organiser=await _may_organise(interaction),
    )
    lacks = made.terms.begins_at is not None and not _may_make_events(interaction)
    given = [name for name in ("clock", "start") if match[name]]
    unused = [name for name in given if not is_used(played, name)]
    missing = TO_PLAN["create_events"] if lacks else None
    await answer.privately(answers.tournament_made(answer.reader, made, missing, unused))


@tournament.command(description="Show a tournament: join or leave it, its table and games")
@app_commands.rename(which="tournament")
@app_commands.describe(which="Which one; empty: the newest")
async def show(interaction: interactions.Interaction, which: _Which | None = None) -> None:
    async with interactions.answering(interaction) as answer:
        number = await options.meant(interaction, which, options.ANY)
        found = await interaction.client.services.of(Tournaments).get(number)
        if found is None:
            raise TournamentGone
        await answer.view(await shown(answer, found, "table"))


@tournament.command(description="Organisers: take someone out of a tournament")
@app_commands.rename(which="tournament")
@app_commands.describe(player="The player to remove", which=_WHICH)
async def withdraw(
    interaction: interactions.Interaction, player: discord.User, which: _Which | None = None
) -> None:
    async with interactions.answering(interaction) as answer:
        number, who = await options.meant(interaction, which, options.GOING_ON), UserId(player.id)
        left = await interaction.client.services.of(Tournaments).withdraw(
            number, who, by=UserId(interaction.user.id), manages=manages_events(interaction)
        )
        await tell(answer, left, answers.tournament_left(answer.reader, left, who))


@tournament.command(description="Organisers: set a result, with a note that everybody can read")
@app_commands.rename(which="tournament", round_="round")
@app_commands.describe(
    round_="Which round",
    board="Which board of that round",
    result="The right result",
    note="Why, for everybody to read",
    which=_WHICH,
)
@app_commands.choices(result=_RESULTS)
async def correct(
    interaction: interactions.Interaction,
    round_: app_commands.Range[int, 1],
    board: app_commands.Range[int, 1],
    result: str,
    note: app_commands.Range[str, 1, LONGEST_NOTE],
    which: _Which | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        number, user = (
            await options.meant(interaction, which, options.BEGUN),
            UserId(interaction.user.id),
        )
        right, wanted = (round_, board), PairingResult(result)
        found, ends = await interaction.client.services.of(Tournaments).correct(
            number, *right, wanted, note, user, manages=manages_events(interaction)
        )
        if ends:
            question = answers.confirm_correction(answer.reader, found, right, wanted, note, ends)
            await answer.privately(question)
            return
        await tell(answer, found, answers.tournament_set_right(answer.reader, found))


def _length(text: str) -> timedelta | None:
    """Return a length of time; None where nothing was typed.

    Raises:
        BadLength: if it is none.
    """
    if not text.strip():
        return None
    length = read_length(text)
    if length is None:
        raise BadLength(text)
    return length


def _may_make_events(interaction: interactions.Interaction) -> bool:
    """Tell whether the bot may put something among a server's events."""
    guild = interaction.guild
    if guild is None or guild.me is None:
        return True
    granted = guild.me.guild_permissions
    return granted.create_events or granted.manage_events


async def _may_organise(interaction: interactions.Interaction) -> bool:
    member = interaction.user
    roles = [role.id for role in member.roles] if isinstance(member, discord.Member) else []
    return await interaction.client.services.of(Tournaments).may_create(
        interactions.guild_of(interaction), manages=manages_events(interaction), roles=roles
    )


for _command, _states in (
    (show, options.ANY),
    (withdraw, options.GOING_ON),
    (correct, options.BEGUN),
):
    _command.autocomplete("which")(options.offered(_states))


create.autocomplete("clock")(usual_clocks)
create.autocomplete("begins")(options.moments)
