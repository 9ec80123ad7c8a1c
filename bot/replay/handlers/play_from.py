"""Starts games from a position, by a view's button or the form for choosing an opponent."""

import re
from dataclasses import replace
from typing import Any

from bot.base.ids import UserId
from bot.connection.forms import (
    is_bot,
    picked_ids,
    picked_values,
    several,
    typed_text,
    whole_number,
)
from bot.play.handlers import interactions
from bot.play.handlers.challenge_buttons import RequestedTerms, begin
from bot.play.handlers.game_commands import first_choice
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import FIRST_LEVEL, ColorChoice, Start
from bot.play.model.typed_clocks import LONGEST_TEXT
from bot.replay.handlers.views import load_view
from bot.replay.model.refusals import NoSuchPly
from bot.replay.model.replays import LINE, SPOT, ReplayCursor
from bot.replay.words.play_from import play_from_id, position_form
from dvonn import Color, Phase, Position
from dvonn._records.position_text import PrintedPosition
from dvonn.machine import LEVELS


async def play_from(
    answer: interactions.Answer,
    printed: PrintedPosition,
    custom_id: str,
    color: Color | None = None,
) -> None:
    """Start a casual game against the machine from a position, at the user's usual level.

    The user plays `color`, or else the color to move. Without a machine, the form of
    `choose_opponent` opens instead.

    Raises:
        NoSuchPly: if nobody can move there.
        The same errors as `begin`.
    """
    if answer.client.machine is None:
        await choose_opponent(answer, printed.position, custom_id)
        return
    request = RequestedTerms(to_machine=True, colour=_colour(_playable(printed.position), color))
    await _begin_from(answer, printed, request)


async def choose_opponent(answer: interactions.Answer, position: Position, custom_id: str) -> None:
    """Open the form for a game from a position.

    `custom_id` is the custom id of the form.

    Raises:
        NoSuchPly: if nobody can move there.
    """
    venue, level = interactions.venue(answer.interaction), None
    if answer.client.machine is not None:
        reading = answer.services.lobby.usual_level(answer.user)
        level = await answer.within_deadline(reading, FIRST_LEVEL)
    title, fields = position_form(
        answer.reader, _playable(position), level=level, among_people=not venue.is_direct
    )
    await answer.form(several(title, fields, custom_id, LONGEST_TEXT))


async def begin_from(answer: interactions.Answer, printed: PrintedPosition, data: Any) -> None:
    """Start a casual game from a position, with the values of the submitted form.

    Raises:
        BadOpponent: if the user chose another bot.
        The same errors as `begin`.
    """
    opponent = next(map(UserId, picked_ids(data, "opponent")), None)
    if opponent != answer.client.own_id and is_bot(data, opponent):
        raise BadOpponent(OpponentProblem.BOT)
    level = whole_number(next(iter(picked_values(data, "level")), ""))
    request = RequestedTerms(
        to_machine=opponent is None and answer.client.machine is not None,
        opponent=opponent,
        level=level if level in LEVELS else None,
        colour=first_choice(ColorChoice, picked_values(data, "colour"))
        or _colour(printed.position),
        clock=typed_text(data, "clock").strip() or None,
    )
    await _begin_from(answer, printed, request)


async def _begin_from(
    answer: interactions.Answer, printed: PrintedPosition, request: RequestedTerms
) -> None:
    await begin(answer, replace(request, start=Start.POSITION, position=printed, rated=False))


def _playable(position: Position) -> Position:
    if position.phase is Phase.OVER:
        raise NoSuchPly
    return position


def _colour(position: Position, color: Color | None = None) -> ColorChoice:
    """Return the choice that gives the user `color`, by default the color to move."""
    is_black = (color or position.turn) is Color.BLACK
    return ColorChoice.BLACK if is_black else ColorChoice.WHITE


class PlayFromButton(interactions.Component, template=rf"dvonn:from(?P<how>-with)?:{SPOT}{LINE}"):
    """Buttons that start a game from a ply or a tried line, immediately or through a form."""

    async def respond(self, answer: interactions.Answer) -> None:
        cursor = ReplayCursor.from_match(self.match)
        view = await load_view(answer.interaction, cursor)
        if self.match["how"]:
            await choose_opponent(answer, view.position, play_from_id(cursor))
        else:
            await play_from(answer, view.printed, play_from_id(cursor), view.side(answer.user))


@interactions.form(rf"dvonn:from:{SPOT}{LINE}")
async def read_start(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    view = await load_view(answer.interaction, ReplayCursor.from_match(match))
    await begin_from(answer, view.printed, data)
