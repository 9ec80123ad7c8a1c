"""The buttons, lists and forms of boards on which moves are tried, and the button for a hint."""

import re
from typing import Any

from bot.connection.forms import one_line, typed
from bot.features.explore.doors.looking import around, hint_in, show_explore, thoughts_on
from bot.features.explore.words import explore, explore_form, hinted, shared_line
from bot.play.doors.interactions import Answer, Component, Interaction, answering
from bot.play.doors.looking import look_at, share
from bot.play.model.courses import LINE, SPOT, Seen, Spot, see
from bot.play.model.refusals import IllegalPlay, NoSuchPly, UnreadableMove
from dvonn import Coordinates, IllegalMoveError, Move, NotationError, Phase, parse_moves

_LONGEST_TYPED = 400

_FORM = re.compile(rf"dvonn:try:{SPOT}{LINE}")

_FIELD = "moves"


class ExploreButton(
    Component, template=rf"dvonn:explore:{SPOT}{LINE}:(?P<action>at|ask|share|type)"
):
    """A board to try moves on, or what can be done with it."""

    async def respond(self, answer: Answer) -> None:
        seen = await look_at(answer.interaction, Spot.found(self.found))
        match self.action:
            case "ask":
                thoughts = await thoughts_on(answer.interaction, seen)
                await show_explore(answer, seen, thoughts=thoughts)
            case "share":
                by = answer.user
                reader = await answer.everybody()
                await share(answer, seen, shared_line(reader, seen, by))
            case "type":
                if seen.position.phase is Phase.OVER:
                    raise NoSuchPly
                words = explore_form(answer.reader, seen)
                where = f"dvonn:try:{seen.spot.with_line}"
                await answer.form(one_line(words, where, _FIELD, _LONGEST_TYPED))
            case _:
                await show_explore(answer, seen)


class ExploreSelect(Component, template=rf"dvonn:explore:{SPOT}{LINE}:(?P<action>stack|space[01])"):
    """A stack to try a move with, or a free space to place on."""

    async def respond(self, answer: Answer) -> None:
        """Show where the stack may go, or the board with the piece."""
        seen = await look_at(answer.interaction, Spot.found(self.found))
        point = seen.coordinates.point(self.chosen)
        if point is None:
            raise NoSuchPly
        if self.action == "stack":
            here = around(answer.interaction)
            await answer.view(explore(answer.reader, seen, here, chosen=point))
        else:
            spot = seen.spot.then(Move(target=point))
            await show_explore(answer, see(spot, seen.course, seen.game))


async def read_tried(interaction: Interaction) -> None:
    """Try what was typed into a form, if it is ours."""
    data: Any = interaction.data or {}
    match = _FORM.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    async with answering(interaction) as answer:
        seen = await look_at(interaction, Spot.found(match))
        moves = _moves(seen, typed(data, _FIELD), answer.reader.naming(seen.coordinates))
        spot = seen.spot.then(*moves)
        await show_explore(answer, see(spot, seen.course, seen.game))


def _moves(seen: Seen, text: str, coordinates: Coordinates) -> tuple[Move, ...]:
    """Return the moves of a text in some coordinates, all of which the rules allow.

    Raises:
        UnreadableMove: if it holds anything else.
        IllegalPlay: if the rules refuse one.
    """
    position = seen.position
    try:
        moves = list(parse_moves(text[:_LONGEST_TYPED], coordinates))
    except NotationError as error:
        raise UnreadableMove(error, position, coordinates) from error
    played = []
    while moves:
        move = moves.pop(0)
        is_moving = position.phase is Phase.MOVEMENT and move.source is None
        if is_moving and moves and moves[0].source is None:  # "d2 d4" is a movement
            move = Move(target=moves.pop(0).target, source=move.target)
        try:
            position = position.play(move)
        except IllegalMoveError as error:
            raise IllegalPlay(error, coordinates) from error
        played.append(move)
    return tuple(played)


class HintButton(Component, template=r"dvonn:hint:(?P<game>[0-9]{1,18})"):
    """Hint, where the machine plays or both players have agreed on hints."""

    async def respond(self, answer: Answer) -> None:
        """Say what the engine would play, to the player alone."""
        game, thoughts = await hint_in(answer.interaction, self.game)
        await answer.privately(hinted(answer.reader, game, thoughts))
