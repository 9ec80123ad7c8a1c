"""/tournament: users create and follow tournaments."""

from discord import app_commands

from bot.people.handlers.moments import suggest_moments, typed_moment
from bot.people.use_cases.moments import LONGEST_TEXT as LONGEST_MOMENT
from bot.play.handlers import interactions
from bot.play.handlers.interactions import Interaction, channel_of, guild_of
from bot.play.handlers.option_choices import (
    START_CHOICES,
    TextChoices,
    choice,
    choices,
    usual_clocks,
)
from bot.play.model.typed_clocks import LONGEST_TEXT, read_time_control, typed_form
from club.tournaments import refusals
from club.tournaments.handlers.buttons import show_tournament
from club.tournaments.handlers.making import show_form
from club.tournaments.model.tournament import Tournament, TournamentFormat
from club.tournaments.use_cases.tournaments import Tournaments
from club.tournaments.words import answers, organizing
from club.tournaments.words.terms import format_choice


async def resolve_tournament(interaction: Interaction, query: str | None) -> Tournament:
    """Return a command's tournament: the newest with a number or name, or whose name begins so.

    Without a query, it is the newest in its channel or server.

    Raises:
        TournamentRefusal: if there is none.
    """
    tournaments = await _tournaments(interaction)
    if not tournaments:
        raise refusals.TournamentRefusal(refusals.Problem.NONE_HERE)
    if query is None:
        home = interaction.client.services.publisher.channels.home(channel_of(interaction))
        in_channel = (tournament for tournament in tournaments if tournament.terms.channel == home)
        return next(in_channel, tournaments[0])
    typed = query.strip().casefold()
    named = [(item, item.terms.name.casefold()) for item in tournaments]
    exact = [item for item, name in named if typed in (str(item.id), name)]
    matching = exact or [item for item, name in named if name.startswith(typed)]
    if not matching:
        raise refusals.TournamentRefusal(refusals.Problem.GONE)
    return matching[0]


async def _tournaments(interaction: Interaction) -> list[Tournament]:
    """Return a server's newest tournaments, newest first."""
    return await interaction.client.services.require(Tournaments).latest(guild_of(interaction))


async def suggest_tournaments(interaction: Interaction, typed: str) -> TextChoices:
    reader = await interaction.client.services.readers.for_interaction(interaction)
    tournaments = await _tournaments(interaction)
    return choices(answers.tournament_choices(reader, tournaments, typed))


_FORMATS = [choice(str(format_), format_choice, format_) for format_ in TournamentFormat]
tournament = app_commands.Group(
    name="tournament", description="Play in a tournament of this server, or make one"
)
interactions.in_servers(tournament)
interactions.in_help(
    full_name="tournament create",
    condition=lambda context: not context.venue.is_direct,
)(tournament)


@tournament.command(description="Make a tournament that people here can join")
@app_commands.describe(
    format="Who plays whom",
    clock="Such as 1 day per move, or 10+5; empty: as usual here",
    begins="Such as in 2 hours, tomorrow 8 pm, Saturday 18:00; empty: when you start it",
    start="The board it begins on; empty: as usual here",
)
@app_commands.choices(format=_FORMATS, start=START_CHOICES)
@app_commands.autocomplete(clock=usual_clocks, begins=suggest_moments)
async def create(
    interaction: Interaction,
    format: str,  # noqa: A002 - what people read
    clock: app_commands.Range[str, 1, LONGEST_TEXT] | None = None,
    begins: app_commands.Range[str, 1, LONGEST_MOMENT] | None = None,
    start: str | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        begins_at = await typed_moment(answer, begins or "")
        control = "" if clock is None else typed_form(read_time_control(clock, None))
        await show_form(answer, TournamentFormat(format), start, control, begins_at)


@tournament.command(description="Show a tournament: join or leave it, its table and games")
@app_commands.rename(query="tournament")
@app_commands.describe(query="Which one; empty: the newest")
@app_commands.autocomplete(query=suggest_tournaments)
async def show(
    interaction: Interaction, query: app_commands.Range[str, 1, 100] | None = None
) -> None:
    async with interactions.answering(interaction) as answer:
        await show_tournament(answer, await resolve_tournament(interaction, query))


@tournament.command(description="List this server's past tournaments and their winners")
async def past(interaction: Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        ended = await answer.services.require(Tournaments).ended(guild_of(interaction))
        await answer.send_private(organizing.past_tournaments(answer.reader, ended))
