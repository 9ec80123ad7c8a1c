"""/tournament: people make tournaments, join them, and follow them."""

from datetime import timedelta
from functools import partial
from typing import Literal

import discord
from discord import app_commands

from bot.base.ids import SourceId, UserId
from bot.base.locales import Reader
from bot.connection.permissions import TO_PLAN
from bot.connection.posts import Post
from bot.features.tournaments.delivery.messages import TournamentPosts
from bot.features.tournaments.doors.buttons import shown
from bot.features.tournaments.doors.options import (
    ANY,
    BEGUN,
    GOING_ON,
    OPEN,
    clocks,
    lengths,
    meant,
    moments,
    offered,
    round_times,
)
from bot.features.tournaments.model import possible_terms as allowed
from bot.features.tournaments.model.possible_terms import LONGEST_NAME, MOST_ROUNDS, usual_clock
from bot.features.tournaments.model.results import LONGEST_NOTE
from bot.features.tournaments.model.tournament import (
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from bot.features.tournaments.refusals import BadLength, TournamentGone
from bot.features.tournaments.use_cases.news import News
from bot.features.tournaments.use_cases.start_times import LONGEST_TEXT as LONGEST_MOMENT
from bot.features.tournaments.use_cases.start_times import read_beginning, read_length
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.features.tournaments.words.answers import (
    confirm_correction,
    result_name,
    tournament_begun,
    tournament_called_off,
    tournament_joined,
    tournament_left,
    tournament_made,
    tournament_set_right,
)
from bot.features.tournaments.words.terms import format_choice
from bot.play.doors.interactions import (
    LEVEL_CHOICES,
    Answer,
    Interaction,
    answering,
    channel_of,
    guild_of,
    in_help,
    in_servers,
    named,
    venue,
)
from bot.play.doors.setup_options import manages_events
from bot.play.model.clock import LONGEST_TEXT, chosen_clock
from bot.play.model.conduct import check_place
from bot.play.model.terms import Place, Start
from bot.play.words.help import Surroundings

_WHICH = "Which one; empty: this channel's, or the only one"
_Which = app_commands.Range[str, 1, 100]


def _help(reader: Reader, around: Surroundings) -> str | None:
    if around.venue.is_direct:
        return None
    return reader.gettext("{command} starts a tournament for this server.").format(
        command=around.command("tournament create")
    )


def _format_words(format_: TournamentFormat, reader: Reader) -> str:
    return format_choice(reader, format_)


def _result_words(result: PairingResult, reader: Reader) -> str:
    return result_name(reader, result)


_FORMATS = [
    app_commands.Choice(name=named(partial(_format_words, one)), value=str(one))
    for one in TournamentFormat
]
_RESULTS = [
    app_commands.Choice(name=named(partial(_result_words, one)), value=str(one))
    for one in PairingResult
    if not one.is_bye
]
tournament = app_commands.Group(
    name="tournament", description="Play in a tournament of this server, or make one"
)
in_servers(tournament)
in_help(_help)(tournament)


@tournament.command(description="Make a tournament that people here can join")
@app_commands.describe(
    name="What it is called",
    format="Who plays whom",
    clock="Such as 1 day per move, or 10+5; empty: as usual here, or 1 day per move",
    start="The board: ready-made (balanced, symmetric, pie) or empty (placement)",
    rounds="How many, in a Swiss; empty: as many as fit the number of players",
    begins="Such as in 2 hours, tomorrow 8 pm, Saturday 18:00; empty: when you start it",
    round_time="How long a round takes at most, such as 7 days; empty: the clocks decide",
    lasts="How long an arena or a ladder goes on",
    rated="Rated games? Empty: yes",
    level="With an odd number of players, I play too, this strong",
    third_place="Knockout: a game for third place? Empty: no",
)
@app_commands.choices(format=_FORMATS)
@app_commands.choices(level=LEVEL_CHOICES)
async def create(
    interaction: Interaction,
    name: app_commands.Range[str, 1, LONGEST_NAME],
    format: str,  # noqa: A002 - what people read
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    start: Literal["balanced", "symmetric", "pie", "placement"] | None = None,
    rounds: app_commands.Range[int, 1, MOST_ROUNDS] | None = None,
    begins: app_commands.Range[str, 1, LONGEST_MOMENT] | None = None,
    round_time: app_commands.Range[str, 1, LONGEST_MOMENT] | None = None,
    lasts: app_commands.Range[str, 1, LONGEST_MOMENT] | None = None,
    rated: bool = True,
    level: int | None = None,
    third_place: bool = False,
) -> None:
    async with answering(interaction) as answer:
        client, here, user = interaction.client, venue(interaction), UserId(interaction.user.id)
        services = client.services
        played = TournamentFormat(format)
        usual = await services.lobby.usual(guild_of(interaction), here)
        zone = (await services.store.players.get(user)).zone
        now = interaction.created_at
        language = answer.reader.locale
        begins_at = None
        if begins is not None:
            begins_at = read_beginning(begins, now=now, zone=zone, language=language)
        check_place(await services.store.guilds.rules(guild_of(interaction)), here, Place.THREAD)
        made = await services.of(Tournaments).create(
            TournamentTerms(
                guild=guild_of(interaction),
                channel=channel_of(interaction),
                organiser=user,
                name=name.strip(),
                format=played,
                start=usual.start if start is None else Start(start),
                clock=chosen_clock(clock, None, usual_clock(played, usual.clock)),
                coordinates=usual.coordinates,
                rated=rated,
                rounds=rounds,
                begins_at=begins_at,
                round_time=None if round_time is None else _length(round_time),
                lasts=None if lasts is None else _length(lasts),
                level=level,
                third_place=third_place,
                machine=interaction.client.machine if level is not None else None,
            ),
            source=SourceId(interaction.id),
            is_organiser=await _may_organise(interaction),
        )
        lacks = made.terms.begins_at is not None and not _may_make_events(interaction)
        given = {
            "clock": clock,
            "start": start,
            "rounds": rounds,
            "round_time": round_time,
            "lasts": lasts,
            "level": level,
            "third_place": third_place,
        }
        unused = allowed.unused(played, given)
        missing = TO_PLAN["create_events"] if lacks else None
        post = tournament_made(answer.reader, made, missing, unused)
        await answer.privately(post)


@tournament.command(description="Join a tournament")
@app_commands.rename(which="tournament")
@app_commands.describe(which=_WHICH)
async def join(interaction: Interaction, which: _Which | None = None) -> None:
    async with answering(interaction) as answer:
        services, user = interaction.client.services, UserId(interaction.user.id)
        number = await meant(interaction, which, GOING_ON)
        joined = await services.of(Tournaments).join(number, user, source=SourceId(interaction.id))
        await _tell(answer, joined, tournament_joined(answer.reader, joined))


@tournament.command(description="Leave a tournament; games that run go on and count")
@app_commands.rename(which="tournament")
@app_commands.describe(which=_WHICH)
async def leave(interaction: Interaction, which: _Which | None = None) -> None:
    async with answering(interaction) as answer:
        services, user = interaction.client.services, UserId(interaction.user.id)
        number = await meant(interaction, which, GOING_ON)
        left = await services.of(Tournaments).withdraw(number, user)
        await _tell(answer, left, tournament_left(answer.reader, left))


@tournament.command(description="Show the standings and games; only you see it")
@app_commands.rename(which="tournament")
@app_commands.describe(which="Which one; empty: the newest")
async def standings(interaction: Interaction, which: _Which | None = None) -> None:
    async with answering(interaction) as answer:
        number = await meant(interaction, which, ANY)
        found = await interaction.client.services.of(Tournaments).get(number)
        if found is None:
            raise TournamentGone
        await answer.view(await shown(answer, found, "table"))


@tournament.command(description="Organisers: begin a tournament now")
@app_commands.rename(which="tournament")
@app_commands.describe(which=_WHICH)
async def start(interaction: Interaction, which: _Which | None = None) -> None:
    async with answering(interaction) as answer:
        number, user = await meant(interaction, which, OPEN), UserId(interaction.user.id)
        begun = await interaction.client.services.of(Tournaments).begin(
            number, user, manages=manages_events(interaction)
        )
        await _tell(answer, begun, tournament_begun(answer.reader, begun))


@tournament.command(description="Organisers: take someone out of a tournament")
@app_commands.rename(which="tournament")
@app_commands.describe(player="The player to remove", which=_WHICH)
async def withdraw(
    interaction: Interaction, player: discord.User, which: _Which | None = None
) -> None:
    async with answering(interaction) as answer:
        number, who = await meant(interaction, which, GOING_ON), UserId(player.id)
        left = await interaction.client.services.of(Tournaments).withdraw(
            number, who, by=UserId(interaction.user.id), manages=manages_events(interaction)
        )
        await _tell(answer, left, tournament_left(answer.reader, left, who))


@tournament.command(description="Organisers: call a tournament off; its games go on")
@app_commands.rename(which="tournament")
@app_commands.describe(which=_WHICH)
async def cancel(interaction: Interaction, which: _Which | None = None) -> None:
    async with answering(interaction) as answer:
        number, user = await meant(interaction, which, GOING_ON), UserId(interaction.user.id)
        off = await interaction.client.services.of(Tournaments).cancel(
            number, user, manages=manages_events(interaction)
        )
        await _tell(answer, off, tournament_called_off(answer.reader, off))


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
    interaction: Interaction,
    round_: app_commands.Range[int, 1],
    board: app_commands.Range[int, 1],
    result: str,
    note: app_commands.Range[str, 1, LONGEST_NOTE],
    which: _Which | None = None,
) -> None:
    async with answering(interaction) as answer:
        number, user = await meant(interaction, which, BEGUN), UserId(interaction.user.id)
        right, wanted = (round_, board), PairingResult(result)
        found, ends = await interaction.client.services.of(Tournaments).correct(
            number, *right, wanted, note, user, manages=manages_events(interaction)
        )
        if ends:
            question = confirm_correction(answer.reader, found, right, wanted, note, ends)
            await answer.privately(question)
            return
        await _tell(answer, found, tournament_set_right(answer.reader, found))


async def _tell(answer: Answer, changed: Tournament, post: Post) -> None:
    """Answer, and let the announcement and an open check-in show what has changed."""
    await answer.privately(post)
    asks = (News.CHECK_IN,) if changed.state is TournamentState.CHECK_IN else ()
    posts = answer.services.of(TournamentPosts)
    await posts.refresh(changed, News.CREATED, *asks)


def _length(text: str) -> timedelta:
    """Return a length of time.

    Raises:
        BadLength: if it is none.
    """
    length = read_length(text)
    if length is None:
        raise BadLength(text)
    return length


def _may_make_events(interaction: Interaction) -> bool:
    """Tell whether the bot may put something among a server's events."""
    guild = interaction.guild
    if guild is None or guild.me is None:
        return True
    granted = guild.me.guild_permissions
    return granted.create_events or granted.manage_events


async def _may_organise(interaction: Interaction) -> bool:
    member = interaction.user
    roles = [role.id for role in member.roles] if isinstance(member, discord.Member) else []
    return await interaction.client.services.of(Tournaments).may_create(
        guild_of(interaction), manages=manages_events(interaction), roles=roles
    )


for _command, _states in (
    (join, GOING_ON),
    (leave, GOING_ON),
    (standings, ANY),
    (start, OPEN),
    (withdraw, GOING_ON),
    (cancel, GOING_ON),
    (correct, BEGUN),
):
    _command.autocomplete("which")(offered(_states))


for _option, _choices in (
    ("clock", clocks),
    ("begins", moments),
    ("round_time", round_times),
    ("lasts", lengths),
):
    create.autocomplete(_option)(_choices)
