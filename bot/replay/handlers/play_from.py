"""Games from a position: buttons of views, and the form for choosing an opponent."""

import re
from dataclasses import replace
from typing import Any

from bot.base.ids import UserId
from bot.connection.forms import picked, picked_ids, several, typed, whole_number
from bot.play.handlers import interactions
from bot.play.handlers.challenge_buttons import RequestedTerms, begin
from bot.play.handlers.game_commands import first_choice
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import FIRST_LEVEL, ColorChoice, Start
from bot.play.model.typed_clocks import LONGEST_TEXT
from bot.replay.handlers.views import look_at
from bot.replay.model.refusals import NoSuchPly
from bot.replay.model.replays import LINE, SPOT, ReplayCursor
from bot.replay.words.play_from import play_from_id, position_form
from dvonn import Color, Phase, Position
from dvonn._records.position_text import PrintedPosition
from dvonn.machine import LEVELS


async def play_from(
    answer: interactions.Answer, printed: PrintedPosition, custom_id: str, own: Color | None = None
) -> None:
    """Start a friendly game against the machine from a position, on the user's usual level.

    They play `own`, or else the color to move. Without a machine, they choose an opponent in the
    form of `choose_opponent`.

    Raises:
        NoSuchPly: if nobody can move there.
        The errors of `begin`.
    """
    if answer.client.machine is None:
        await choose_opponent(answer, printed.position, custom_id)
        return
    chosen = RequestedTerms(to_machine=True, colour=_colour(_checked(printed.position), own))
    await _begin_from(answer, printed, chosen)


async def choose_opponent(answer: interactions.Answer, position: Position, custom_id: str) -> None:
    """Open the form for a game from a position.

    `custom_id` is the form's.

    Raises:
        NoSuchPly: if nobody can move there.
    """
    here, level = interactions.venue(answer.interaction), None
    if answer.client.machine is not None:
        reading = answer.services.lobby.usual_level(answer.user)
        level = await answer.within_deadline(reading, FIRST_LEVEL)
    title, fields = position_form(
        answer.reader, _checked(position), level=level, among_people=not here.is_direct
    )
    await answer.form(several(title, fields, custom_id, LONGEST_TEXT))


async def begin_from(answer: interactions.Answer, printed: PrintedPosition, data: Any) -> None:
    """Start a friendly game from a position, with the values of the submitted form.

    Raises:
        BadOpponent: if the user chose another bot.
        The errors of `begin`.
    """
    known = data.get("resolved", {}).get("users", {})
    opponent = next(map(UserId, picked_ids(data, "opponent")), None)
    if opponent != answer.client.own_id and known.get(str(opponent), {}).get("bot"):
        raise BadOpponent(OpponentProblem.BOT)
    level = whole_number(next(iter(picked(data, "level")), ""))
    chosen = RequestedTerms(
        to_machine=opponent is None and answer.client.machine is not None,
        opponent=opponent,
        level=level if level in LEVELS else None,
        colour=first_choice(ColorChoice, picked(data, "colour")) or _colour(printed.position),
        clock=typed(data, "clock").strip() or None,
    )
    await _begin_from(answer, printed, chosen)


async def _begin_from(
    answer: interactions.Answer, printed: PrintedPosition, chosen: RequestedTerms
) -> None:
    await begin(answer, replace(chosen, start=Start.POSITION, position=printed, rated=False))


def _checked(position: Position) -> Position:
    if position.phase is Phase.OVER:
        raise NoSuchPly
    return position


def _colour(position: Position, own: Color | None = None) -> ColorChoice:
    """Return the user's own color, or else the color to move."""
    is_black = (own or position.turn) is Color.BLACK
    return ColorChoice.BLACK if is_black else ColorChoice.WHITE


class PlayFromButton(interactions.Component, template=rf"dvonn:from(?P<how>-with)?:{SPOT}{LINE}"):
    """Button "Play from here" below a ply of a game or a tried line, or the one with options."""

    async def respond(self, answer: interactions.Answer) -> None:
        spot = ReplayCursor.found(self.found)
        seen = await look_at(answer.interaction, spot)
        if self.found["how"]:
            await choose_opponent(answer, seen.position, play_from_id(spot))
        else:
            await play_from(answer, seen.printed, play_from_id(spot), seen.side(answer.user))


@interactions.form(rf"dvonn:from:{SPOT}{LINE}")
async def read_start(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    seen = await look_at(answer.interaction, ReplayCursor.found(match))
    await begin_from(answer, seen.printed, data)
