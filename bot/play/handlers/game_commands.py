"""Commands for starting games and playing moves."""

import re
from functools import partial
from typing import Any, Final, TypeVar

import discord
from discord import app_commands

from bot.base.errors import PlayError
from bot.base.ids import UserId
from bot.base.spelling import LONGEST
from bot.connection.forms import DISCORD_ID, picked_values, several, typed_text
from bot.connection.words import forgotten_form
from bot.play.handlers import interactions, option_choices
from bot.play.handlers.challenge_buttons import RequestedTerms, begin
from bot.play.handlers.interactions import Interaction, answering, anywhere, channel_of, in_help
from bot.play.model.game import Offer
from bot.play.model.refusals import StaleBoard
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import ColorChoice, Defaults, Place, Start
from bot.play.model.typed_clocks import LONGEST_TEXT, read_time_control, typed_form
from bot.play.words.begin_form import STRICT, TEAMS, more_options
from bot.play.words.help import HelpContext
from bot.play.words.moves import suggestions
from bot.play.words.notices import action_receipt, confirm_leaving
from bot.play.words.picker import picker, preview
from dvonn import Coordinates

_MACHINE: Final = "machine"
_FORM_STARTS: Final = frozenset({Start.BALANCED, Start.PLACEMENT})
"""Kinds of start that the form offers."""
_Clock = app_commands.Range[str, 1, LONGEST_TEXT]


@app_commands.command(description="Play against me at once")
@app_commands.describe(
    level="My level, or play both sides. Empty: same as last time",
    clock="Your time, such as 1 day per move or 10+5; empty: no clock",
    rated="Rated: no hints, no takebacks. Empty: unrated",
    more="Choose your color, the board, a thread and more in a form",
)
@app_commands.choices(level=option_choices.OPPONENT_CHOICES)
@interactions.anywhere
async def play(
    interaction: interactions.Interaction,
    level: int | None = None,
    clock: _Clock | None = None,
    rated: bool | None = None,
    more: bool = False,
) -> None:
    async with interactions.answering(interaction) as answer:
        request = RequestedTerms(to_machine=True, level=level, clock=clock, rated=rated)
        await (_open(answer, request) if more else _begin(answer, request))


@app_commands.command(description="Challenge a friend, or anyone, to a game of DVONN")
@app_commands.describe(
    opponent="Leave it empty for anyone",
    clock="Such as 1 day per move, or 10+5; empty: as usual here",
    rated="Whether it counts for ratings; empty: as usual, but not a first game",
    more="Choose your color, the board, a thread and more in a form",
)
@interactions.among_people
async def challenge(
    interaction: interactions.Interaction,
    opponent: discord.User | None = None,
    clock: _Clock | None = None,
    rated: bool | None = None,
    more: bool = False,
) -> None:
    async with interactions.answering(interaction) as answer:
        other = None if opponent is None else UserId(opponent.id)
        if opponent is not None and opponent.bot and other != answer.client.own_id:
            raise BadOpponent(OpponentProblem.BOT)
        request = RequestedTerms(opponent=other, clock=clock, rated=rated)
        await (_open(answer, request) if more else begin(answer, request))


async def _begin(answer: interactions.Answer, request: RequestedTerms) -> None:
    boards = answer.services.own_boards
    if request.to_machine and request.level == option_choices.NO_LEVEL and boards is not None:
        await boards.begin(answer, request.start or Start.BALANCED)
    else:
        await begin(answer, request)


async def _open(answer: interactions.Answer, request: RequestedTerms) -> None:
    """Open the form for a game's other options.

    Its id contains the choices made so far.

    Raises:
        BadClock: if the clock is invalid.
    """
    venue = interactions.venue(answer.interaction)
    reading = answer.services.lobby.defaults_for(interactions.guild_of(answer.interaction), venue)
    defaults = await answer.within_deadline(reading, Defaults())
    clock = "" if request.clock is None else typed_form(read_time_control(request.clock, None))
    opponent = _MACHINE if request.to_machine else request.opponent or ""
    rated = "" if request.rated is None else int(request.rated)
    reader = answer.reader
    title, fields = more_options(
        reader,
        defaults,
        to_machine=request.to_machine,
        team=None if venue.is_direct or venue.visiting else answer.services.teams.choice(reader),
    )
    if request.level == option_choices.NO_LEVEL:
        fields = tuple(field for field in fields if field.key == "start")
    level = "" if request.level is None else request.level
    custom_id = f"dvonn:begin:{opponent}:{level}:{rated}:{clock}"
    await answer.form(several(title, fields, custom_id, LONGEST_TEXT))


_Chosen = TypeVar("_Chosen", bound=Any)


@interactions.form(
    rf"dvonn:begin:(?P<opponent>(?:{DISCORD_ID})?|{_MACHINE}):(?P<level>[0-9]{{0,2}}):"
    r"(?P<rated>[01]?):(?P<clock>.{0,60})"
)
async def read_more_options(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    """Start the game from a submitted form with more options."""
    switches, to_machine = picked_values(data, "also"), match["opponent"] == _MACHINE
    request = RequestedTerms(
        to_machine=to_machine,
        opponent=UserId(int(match["opponent"])) if match["opponent"] and not to_machine else None,
        level=int(match["level"]) if match["level"] else None,
        rated=None if not match["rated"] else match["rated"] == "1",
        clock=match["clock"] or None,
        weekends=typed_text(data, "weekends").strip() or None,
        colour=first_choice(ColorChoice, picked_values(data, "colour")) or ColorChoice.RANDOM,
        start=first_choice(
            Start, [value for value in picked_values(data, "start") if value in _FORM_STARTS]
        ),
        place=first_choice(Place, [value for value in switches if value in set(Place)]),
        coordinates=first_choice(
            Coordinates, [value for value in switches if value in set(Coordinates)]
        ),
        teams=to_machine and TEAMS in switches,
        strict=STRICT in switches,
    )
    await _begin(answer, request)


def first_choice(kind: type[_Chosen], values: list[str]) -> _Chosen | None:
    """Return the choice in a select, or None if there is none. Raise StaleBoard if it is forged."""
    try:
        return kind(values[0]) if values else None
    except ValueError as error:
        raise StaleBoard from error


class AgainButton(interactions.Component, template=r"dvonn:again:(?P<mark>[0-9a-f]{8})"):
    """Opens a cached form whose text was refused, or that was ready too late to open."""

    async def respond(self, answer: interactions.Answer) -> None:
        form = answer.forms.get(answer.user, self.match["mark"])
        if form is None:
            await answer.send_private(forgotten_form(answer.reader))
        else:
            await answer.form(form)


play.autocomplete("clock")(option_choices.clocks)
challenge.autocomplete("clock")(option_choices.usual_clocks)


@app_commands.command(description="Place a piece or move a stack; empty: show what you can play")
@app_commands.describe(move="Such as d2 or d2-d4; while placing, also several spaces")
@anywhere
async def move(
    interaction: Interaction, move: app_commands.Range[str, 1, LONGEST] | None = None
) -> None:
    async with answering(interaction) as answer:
        services = answer.services
        channel, user = channel_of(interaction), answer.user
        if move is None:
            game, _ = await services.games.legal_here(channel, user)
            await answer.send_private(picker(answer.reader, game))
            return
        notation = answer.reader.coordinates
        find = partial(services.games.running_here, channel, user)
        if (effects := await services.games.preview(find, user, move, notation)) is not None:
            await answer.send_private(preview(answer.reader, effects))
            return
        playing = services.games.play(channel, user, move, source=answer.source, notation=notation)
        await answer.play_or_vote(playing, answer.send_private)


@move.autocomplete("move")
async def _legal_moves(interaction: Interaction, text: str) -> option_choices.TextChoices:
    reader = await interaction.client.services.readers.for_interaction(interaction)
    try:
        game, legal = await interaction.client.services.games.legal_here(
            channel_of(interaction), UserId(interaction.user.id), text, reader.coordinates
        )
    except PlayError:
        return []  # there is nothing to choose from, and the command itself explains why
    return option_choices.choices(
        suggestions(reader, game, legal[: option_choices.AUTOCOMPLETE_LIMIT])
    )


def _in_own_game(context: HelpContext) -> bool:
    """Return True if a game without teams is running here, so that each player decides alone."""
    return context.game is not None and not context.teams_play


@in_help(condition=_in_own_game)
@app_commands.command(description="Take back your last move (after a minute I ask your opponent)")
@anywhere
async def undo(interaction: Interaction) -> None:
    await _ask(interaction, Offer.TAKEBACK)


@in_help(condition=_in_own_game)
@app_commands.command(description="Offer a draw, or accept one")
@anywhere
async def draw(interaction: Interaction) -> None:
    await _ask(interaction, Offer.DRAW)


async def _ask(interaction: Interaction, offer: Offer) -> None:
    async with answering(interaction) as answer:
        update = await answer.services.offers.ask(
            channel_of(interaction), answer.user, offer, source=answer.source
        )
        await answer.publish(update, answer.send_private(action_receipt(answer.reader, update)))


@in_help(condition=_in_own_game)
@app_commands.command(description="Resign this channel's game; I ask first")
@anywhere
async def resign(interaction: Interaction) -> None:
    async with answering(interaction) as answer:
        user = answer.user
        game = await answer.services.leaving.may_leave_here(channel_of(interaction), user)
        await answer.send_private(confirm_leaving(answer.reader, game, user))
