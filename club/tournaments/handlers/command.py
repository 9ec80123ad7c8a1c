"""/tournament: users create, join and follow tournaments."""

import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

import discord
from discord import app_commands

from bot.base.ids import TournamentId, UserId
from bot.connection.forms import picked, several, typed, whole_number
from bot.connection.permissions import TO_PLAN
from bot.connection.posts import timestamp
from bot.people.handlers.setup_options import manages_events
from bot.play.handlers import interactions
from bot.play.handlers.interactions import Interaction, channel_of, guild_of
from bot.play.handlers.option_choices import (
    START_CHOICES,
    TextChoices,
    choice,
    choices,
    usual_clocks,
)
from bot.play.model.conduct import check_place
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import Place, Start
from bot.play.model.typed_clocks import LONGEST_TEXT, chosen_clock, read_time_control, text_to_read
from bot.play.words.views import assumed_inside
from bot.replay.model.refusals import NoSuchPly
from bot.replay.use_cases.pasted_texts import PastedTexts
from club.tournaments import refusals
from club.tournaments.handlers.buttons import refresh, shown, tell
from club.tournaments.model.leagues import USUAL_SIZE
from club.tournaments.model.possible_terms import check_theme, is_used, usual_clock
from club.tournaments.model.results import LONGEST_NOTE
from club.tournaments.model.tournament import (
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.start_times import LONGEST_TEXT as LONGEST_MOMENT
from club.tournaments.use_cases.start_times import read_beginning, read_length
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import answers, organizing
from club.tournaments.words.terms import format_choice
from dvonn import Coordinates, Phase

OPEN: Final = frozenset({TournamentState.OPEN, TournamentState.CHECK_IN})
GOING_ON: Final = OPEN | {TournamentState.RUNNING}
PLAYED: Final = frozenset({TournamentState.RUNNING})
BEGUN: Final = PLAYED | {TournamentState.DONE}
ANY: Final = frozenset(TournamentState)
LONGEST_EXTENSION: Final = 60
"""Maximum number of days of one extension."""


async def resolve_tournament(
    interaction: Interaction, which: str | None, states: frozenset[TournamentState]
) -> TournamentId:
    """Return a command's tournament: the one named in it, or the only one possible.

    Raises:
        NoTournament: if the server has none in such a state.
        NotOpen: if there is one, but not in such a state.
        WhichTournament: if there are several, and not exactly one of them in this channel.
        TournamentGone: if there is no tournament with that number or name.
    """
    known = await _candidates(interaction, states)
    found = [tournament for tournament in known if tournament.state in states]
    if which is not None:
        return _named_so(which, found, known)
    if not known:
        raise refusals.NoTournament
    if not found:
        raise refusals.NotOpen(_problem(known[0]))
    here = [tournament for tournament in found if tournament.terms.channel == _home(interaction)]
    if states is ANY:
        return (here or found)[0].id
    for candidates in (here, found):
        if len(candidates) == 1:
            return candidates[0].id
    raise refusals.WhichTournament(tuple(tournament.terms.name for tournament in here or found))


def offered(
    states: frozenset[TournamentState],
) -> Callable[[Interaction, str], Coroutine[Any, Any, TextChoices]]:

    async def offer(interaction: Interaction, typed: str) -> TextChoices:
        found = [
            tournament
            for tournament in await _candidates(interaction, states)
            if tournament.state in states
        ]
        reader = await interaction.client.services.readers.for_interaction(interaction)
        return choices(answers.tournament_choices(reader, found, typed))

    return offer


def _problem(known: Tournament) -> refusals.NotOpenProblem:
    """Return the tournament state that prevents an action."""
    if known.state in OPEN:
        return refusals.NotOpenProblem.NOT_BEGUN
    runs = known.state is TournamentState.RUNNING
    return refusals.NotOpenProblem.BEGUN if runs else refusals.NotOpenProblem.OVER


def _named_so(which: str, found: list[Tournament], known: list[Tournament]) -> TournamentId:
    """Return the tournament with an id, a name, or a unique beginning of a name.

    Raises:
        TournamentGone: if there is none.
        NotOpen: if it is known, but it is too early or too late for the action.
        WhichTournament: if several names begin like that.
    """
    asked = which.strip().casefold()
    for tournament in (*found, *known):
        if asked in (str(tournament.id), tournament.terms.name.casefold()):
            if tournament not in found:
                raise refusals.NotOpen(_problem(tournament))
            return tournament.id
    begun = [
        tournament for tournament in found if tournament.terms.name.casefold().startswith(asked)
    ]
    if not begun:
        raise refusals.TournamentGone
    if len(begun) > 1:
        raise refusals.WhichTournament(tuple(tournament.terms.name for tournament in begun))
    return begun[0].id


async def _candidates(
    interaction: Interaction, states: frozenset[TournamentState]
) -> list[Tournament]:
    """Return a server's tournaments in some states, newest first."""
    tournaments, guild = interaction.client.services.require(Tournaments), guild_of(interaction)
    goes_on = states <= GOING_ON
    found = (await tournaments.find(guild))[::-1] if goes_on else await tournaments.latest(guild)
    if states not in (PLAYED, BEGUN):
        return found
    # A league has games only in its divisions.
    return [
        played
        for listed in found
        for played in (
            await tournaments.divisions(listed)
            if listed.terms.format is TournamentFormat.LEAGUE
            else (listed,)
        )
    ]


def _home(interaction: Interaction) -> int:
    """Return a command's channel, or the parent channel of its thread."""
    return interaction.client.services.publisher.channels.home(channel_of(interaction))


async def moments(interaction: Interaction, typed: str) -> TextChoices:
    services = interaction.client.services
    reader = await services.readers.for_interaction(interaction)
    zone = (await services.store.players.get(UserId(interaction.user.id))).zone
    meant: str | None = None
    read = partial(read_beginning, now=interaction.created_at, zone=zone, language=reader.locale)

    def when(text: str) -> datetime | None:
        with suppress(refusals.BadBeginning):
            return read(text)
        return None

    try:
        read(typed)
    except refusals.BadBeginning as error:
        meant = error.meant
    return choices(answers.beginning_choices(reader, typed, when, meant=meant, zone=zone))


_WHICH = "Which one; empty: this channel's, or the only one"
_Which = app_commands.Range[str, 1, 100]


_THEME = choice(str(Start.POSITION), answers.theme_choice)
_FORMATS = [choice(str(format_), format_choice, format_) for format_ in TournamentFormat]
_RESULTS = [
    choice(str(result), answers.result_name, result)
    for result in PairingResult
    if not result.is_bye
]
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
    """Open the form for the other terms. Its custom id holds the chosen options."""
    async with interactions.answering(interaction) as answer:
        if not await answer.within_deadline(
            _may_organize(interaction), cached=True
        ):  # it is requested again
            raise refusals.MayNotCreate
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
        text = "" if clock is None else text_to_read(read_time_control(clock, None))
        themed = start == Start.POSITION
        if themed:
            check_theme(played)
        title, fields = answers.making_form(answer.reader, played, themed=themed)
        custom_id = f"dvonn:cup-form:{number}:{start or ''}:{moment}:{text}"
        await answer.form(several(title, fields, custom_id, LONGEST_TEXT))


@interactions.form(
    r"dvonn:cup-form:(?P<format>[0-4]):(?P<start>balanced|placement|position)?:"
    r"(?P<begins>[0-9]{0,11}):(?P<clock>.{0,60})"
)
async def read_making(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    interaction, services = answer.interaction, answer.services
    here, guild = interactions.venue(interaction), interactions.guild_of(interaction)
    played = list(TournamentFormat)[int(match["format"])]
    usual = await services.lobby.usual(guild, here)
    check_place(await services.store.guilds.rules(guild), here, Place.THREAD)
    rounds, level = typed(data, "rounds").strip(), "".join(picked(data, "level"))
    also, begins = picked(data, "also"), match["begins"]
    pasted, position, notes = typed(data, "position"), None, list[str]()
    if pasted:
        named = answer.reader.coordinates_or(Coordinates.STANDARD)
        course = await services.require(PastedTexts).read(pasted, answer.user, named)
        position, notes = course.positions()[-1], assumed_inside(answer.reader, course.assumed)
        if position.phase is Phase.OVER:
            raise NoSuchPly
    made = await services.require(Tournaments).create(
        TournamentTerms(
            guild=guild,
            channel=interactions.channel_of(interaction),
            organiser=answer.user,
            name=typed(data, "name").strip(),
            format=played,
            start=Start(match["start"]) if match["start"] else usual.start,
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
            twice="twice" in also,
            division_size=_division_size(data) if is_used(played, "division_size") else None,
            machine=answer.client.machine if level else None,
        ),
        source=answer.source,
        is_organizer=await _may_organize(interaction),
    )
    lacks = made.terms.begins_at is not None and not _may_make_events(interaction)
    given = [name for name in ("clock", "start") if match[name]]
    unused = [name for name in given if not is_used(played, name)]
    missing = TO_PLAN["create_events"] if lacks else None
    await answer.send_private(answers.tournament_made(answer.reader, made, missing, unused, notes))


@tournament.command(description="Show a tournament: join or leave it, its table and games")
@app_commands.rename(which="tournament")
@app_commands.describe(which="Which one; empty: the newest")
async def show(interaction: interactions.Interaction, which: _Which | None = None) -> None:
    async with interactions.answering(interaction) as answer:
        number = await resolve_tournament(interaction, which, ANY)
        found = await answer.services.require(Tournaments).get(number)
        if found is None:
            raise refusals.TournamentGone
        await answer.view(await shown(answer, found, "table"))


@tournament.command(description="Organisers: take someone out of a tournament")
@app_commands.rename(which="tournament")
@app_commands.describe(player="The player to remove", which=_WHICH)
async def withdraw(
    interaction: interactions.Interaction, player: discord.User, which: _Which | None = None
) -> None:
    async with interactions.answering(interaction) as answer:
        number, who = await resolve_tournament(interaction, which, GOING_ON), UserId(player.id)
        left = await answer.services.require(Tournaments).withdraw(
            number, who, by=answer.user, manages=manages_events(interaction)
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
        number, user = await resolve_tournament(interaction, which, BEGUN), answer.user
        right, wanted = (round_, board), PairingResult(result)
        found, ends = await answer.services.require(Tournaments).correct(
            number, *right, wanted, note, user, manages=manages_events(interaction)
        )
        if ends:
            question = answers.confirm_correction(answer.reader, found, right, wanted, note, ends)
            await answer.send_private(question)
            return
        await tell(answer, found, answers.tournament_set_right(answer.reader, found))


def _division_size(data: Any) -> int:
    chosen = "".join(picked(data, "division_size"))
    return whole_number(chosen) if chosen else USUAL_SIZE


@tournament.command(description="Organisers: put someone in, or bring them back")
@app_commands.rename(which="tournament")
@app_commands.describe(player="The player to add", which=_WHICH)
async def add(
    interaction: interactions.Interaction, player: discord.User, which: _Which | None = None
) -> None:
    async with interactions.answering(interaction) as answer:
        if player.bot:
            raise BadOpponent(OpponentProblem.BOT)
        number, who = await resolve_tournament(interaction, which, GOING_ON), UserId(player.id)
        found = await answer.services.require(Tournaments).add(
            number, who, answer.user, source=answer.source, manages=manages_events(interaction)
        )
        await answer.send_public(organizing.player_added(await answer.everybody(), found, who))
        await refresh(answer, found)


@tournament.command(description="Organisers: give one game more time than its round has")
@app_commands.rename(which="tournament", round_="round")
@app_commands.describe(
    round_="Which round",
    board="Which board of that round",
    days="How many days more",
    which=_WHICH,
)
async def extend(
    interaction: interactions.Interaction,
    round_: app_commands.Range[int, 1],
    board: app_commands.Range[int, 1],
    days: app_commands.Range[int, 1, LONGEST_EXTENSION],
    which: _Which | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        number, place = await resolve_tournament(interaction, which, PLAYED), (round_, board)
        found = await answer.services.require(Tournaments).extend(
            number, place, days, answer.user, manages=manages_events(interaction)
        )
        timed = await answer.services.require(Director).with_pauses(found)
        pairing = timed.pairing_at(place)
        ends = None if pairing is None else timed.round_ends(pairing)
        moment = "" if ends is None else timestamp(ends)
        await tell(answer, found, organizing.game_extended(answer.reader, found, moment))


@tournament.command(description="Organisers: choose a second organiser, or nobody")
@app_commands.rename(which="tournament")
@app_commands.describe(player="Who may do all that you may; empty: nobody", which=_WHICH)
async def helper(
    interaction: interactions.Interaction,
    player: discord.User | None = None,
    which: _Which | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        number = await resolve_tournament(interaction, which, GOING_ON)
        who = None if player is None else UserId(player.id)
        found = await answer.services.require(Tournaments).choose_helper(
            number, who, answer.user, manages=manages_events(interaction)
        )
        await tell(answer, found, organizing.helper_chosen(answer.reader, found))


@tournament.command(description="List this server's past tournaments and their winners")
async def past(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        ended = await answer.services.require(Tournaments).ended(guild_of(interaction))
        await answer.send_private(organizing.past_tournaments(answer.reader, ended))


def _length(text: str) -> timedelta | None:
    """Return a duration, or None if nothing was typed.

    Raises:
        BadLength: if the text is not a duration.
    """
    if not text.strip():
        return None
    length = read_length(text)
    if length is None:
        raise refusals.BadLength(text)
    return length


def _may_make_events(interaction: interactions.Interaction) -> bool:
    """Return True if the bot may create events in a server."""
    guild = interaction.guild
    if guild is None or guild.me is None:
        return True
    granted = guild.me.guild_permissions
    return granted.create_events or granted.manage_events


async def _may_organize(interaction: interactions.Interaction) -> bool:
    member = interaction.user
    roles = [role.id for role in member.roles] if isinstance(member, discord.Member) else []
    return await interaction.client.services.require(Tournaments).may_create(
        interactions.guild_of(interaction), manages=manages_events(interaction), roles=roles
    )


_OFFERS: Final[list[tuple[Any, frozenset[TournamentState]]]] = [
    (show, ANY),
    (correct, BEGUN),
    (withdraw, GOING_ON),
    (add, GOING_ON),
    (extend, PLAYED),
    (helper, GOING_ON),
]
for _command, _states in _OFFERS:
    _command.autocomplete("which")(offered(_states))


create.autocomplete("clock")(usual_clocks)
create.autocomplete("begins")(moments)
