"""Private boards on which moves are tried, the engine's thoughts on them, hints, and /show."""

import re
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands

from bot.base.ids import GameId, UserId
from bot.connection.forms import one_line, paragraph, typed
from bot.connection.requests import TROUBLE
from bot.features.explore.model import HintProblem, NoHint, check_hint
from bot.features.explore.words import Around, explore, explore_form, hinted, shared_line, show_form
from bot.features.machine.opponent.analyst import Analyst
from bot.play.doors import interactions
from bot.play.doors.game_views import (
    link_to,
    look_at,
    may_share,
    share,
    show_replay,
    shown_board,
)
from bot.play.model import refusals
from bot.play.model.courses import LINE, SPOT, Seen, Spot, course_of, see
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.model.pasted import LONGEST, read
from bot.play.words.private_answers import played
from dvonn import Coordinates, IllegalMoveError, Move, NotationError, Phase, parse_moves


async def show_explore(
    answer: interactions.Answer,
    seen: Seen,
    *,
    thoughts: tuple[Thought, ...] = (),
    again: bool = False,
) -> None:
    here = around(answer)
    if seen.position.phase is not Phase.OVER:
        answer.prepare(_form(answer, seen))
    await answer.view(explore(answer.reader, seen, here, thoughts=thoughts, again=again))


def _form(answer: interactions.Answer, seen: Seen) -> discord.ui.Modal:
    return one_line(explore_form(answer.reader, seen), _form_id(seen.spot), _TRIED, _LONGEST_TYPED)


def _form_id(spot: Spot) -> str:
    return f"dvonn:try:{spot.with_line}"


def around(answer: interactions.Answer) -> Around:
    return Around(
        may_share=may_share(answer.interaction),
        has_engine=answer.services.has_machine,
        asker=answer.user,
    )


async def thoughts_for(
    services: interactions.Services, seen: Seen, *, user: UserId
) -> tuple[Thought, ...]:
    """Return the engine's thoughts on a position: every door to them leads through here.

    Raises:
        NoHint: if there is nothing to say.
        NoEngineHelp: if it would help in a game between people.
    """
    engine = services.get(Analyst)
    if engine is None:
        raise NoHint(HintProblem.NO_MACHINE)
    if seen.position.phase is Phase.OVER:
        raise NoHint(HintProblem.OVER)
    await services.fair_play.check(seen.positions, user=user, game=seen.spot.game)
    return await engine.analyse(seen.position, user=user)


async def worth_of_points(answer: interactions.Answer, game: Game, ply: int) -> tuple[Thought, ...]:
    """Return the worth of free points after a ply of a game that is over; empty where that is kept.

    A review does without: the engine may be switched off, or people may be playing the same.
    """
    with suppress(refusals.NoEngineHelp, NoHint):
        seen = see(Spot(game.row.id, ply), course_of(game), game)
        return await thoughts_for(answer.services, seen, user=answer.user)
    return ()


async def hint_for(
    services: interactions.Services, number: GameId, *, user: UserId
) -> tuple[Game, tuple[Thought, ...]]:
    """Return a game as it stands, and what the engine says to its player who is to move.

    Raises:
        GameGone, NotAPlayer, NotYourTurn: if they are not to move there.
        NoHint: if this game has no hints.
        NoEngineHelp: if it would help in another game between people.
    """
    engine = services.get(Analyst)
    if engine is None:
        raise NoHint(HintProblem.NO_MACHINE)
    game = await services.games.may_move(number, user)
    check_hint(game)
    await services.fair_play.check_hint(game, user=user)
    return game, await engine.analyse(game.position, user=user)


_LONGEST_OPTION = 6_000
_LONGEST_FORM = 4_000
"""The most characters that Discord takes there."""
_PASTED = "pasted"
_LAST_PLY = 200
"""No game is longer."""


@interactions.in_help(
    lambda reader: reader.gettext("{command} shows a position or a game that you paste or upload.")
)
@app_commands.command(description="Show a position or game that you paste or upload")
@app_commands.describe(
    text="A game record, a list of moves, or a position; empty: a form to paste into",
    file="The same as a text file",
    move="After which move; empty: the last one",
)
@interactions.anywhere
async def show(
    interaction: interactions.Interaction,
    text: app_commands.Range[str, 1, _LONGEST_OPTION] | None = None,
    file: discord.Attachment | None = None,
    move: app_commands.Range[int, 0, _LAST_PLY] | None = None,
) -> None:
    async with interactions.answering(interaction) as answer:
        if file is not None:
            await _show(answer, await _read(file), move)
        elif text is not None:
            await _show(answer, text, move)
        else:
            where = "dvonn:show:" + ("" if move is None else str(move))
            words = show_form(answer.reader)
            await answer.form(paragraph(words, where, _PASTED, _LONGEST_FORM))


@interactions.form(r"dvonn:show:(?P<move>[0-9]{1,3})?")
async def read_shown(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    ply = None if match["move"] is None else int(match["move"])
    await _show(answer, typed(data, _PASTED), ply)


async def _read(file: discord.Attachment) -> str:
    """Return the text of a file, which is measured before it is fetched.

    Raises:
        BadPaste: if it is too long, or no text.
    """
    if file.size > LONGEST:
        raise refusals.BadPaste(refusals.PasteProblem.TOO_LONG, limit=LONGEST)
    try:
        return (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refusals.BadPaste(refusals.PasteProblem.NOT_TEXT) from error
    except TROUBLE as error:
        raise refusals.BadPaste(refusals.PasteProblem.EMPTY) from error


async def _show(answer: interactions.Answer, text: str, ply: int | None) -> None:
    course = read(text, answer.reader.naming(Coordinates.STANDARD))
    last = course.plies
    await show_replay(answer, see(Spot(None, last if ply is None else min(ply, last)), course))


@app_commands.context_menu(name="Explore from here")
@interactions.anywhere
async def explore_from_here(
    interaction: interactions.Interaction, message: discord.Message
) -> None:
    """Try moves on a board of one's own, from that board on."""
    async with interactions.answering(interaction) as answer:
        number, revision = shown_board(interaction, message)
        game, ply, line = await answer.services.history.at_board(number, revision)
        await show_explore(answer, see(Spot(number, ply, line), course_of(game), game))


_LONGEST_TYPED = 400

_TRIED = "moves"


class ExploreButton(
    interactions.Component, template=rf"dvonn:explore:{SPOT}{LINE}:(?P<action>at|ask|share|type)"
):
    """A board to try moves on, or what can be done with it."""

    async def respond(self, answer: interactions.Answer) -> None:
        spot = Spot.found(self.found)
        if self.action == "type":
            await _open(answer, spot)
            return
        seen = await look_at(answer.interaction, spot)
        match self.action:
            case "ask":
                thoughts = await thoughts_for(answer.services, seen, user=answer.user)
                await show_explore(answer, seen, thoughts=thoughts)
            case "share":
                everybody, link = await answer.everybody(), link_to(answer, seen)
                await share(answer, seen, shared_line(everybody, seen, answer.user, link=link))
            case _:
                await show_explore(answer, seen)


async def _open(answer: interactions.Answer, spot: Spot) -> None:
    """Open the form to type moves into that are to be tried."""

    async def form() -> discord.ui.Modal:
        seen = await look_at(answer.interaction, spot)
        if seen.position.phase is Phase.OVER:
            raise refusals.NoSuchPly
        return _form(answer, seen)

    await answer.form(await answer.soon(form(), answer.prepared(_form_id(spot))))


class ExploreSelect(
    interactions.Component, template=rf"dvonn:explore:{SPOT}{LINE}:(?P<action>stack|space[01])"
):
    """A stack to try a move with, or a free space to place on."""

    async def respond(self, answer: interactions.Answer) -> None:
        """Show where the stack may go, or the board with the piece."""
        seen = await look_at(answer.interaction, Spot.found(self.found))
        point = seen.coordinates.point(self.chosen)
        if point is None:
            raise refusals.NoSuchPly
        if self.action == "stack":
            await answer.view(explore(answer.reader, seen, around(answer), chosen=point))
        else:
            spot = seen.spot.then(Move(target=point))
            await show_explore(answer, see(spot, seen.course, seen.game))


@interactions.form(rf"dvonn:try:{SPOT}{LINE}")
async def read_tried(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    seen = await look_at(answer.interaction, Spot.found(match))
    moves = _moves(seen, typed(data, _TRIED), answer.reader.naming(seen.coordinates))
    await show_explore(answer, see(seen.spot.then(*moves), seen.course, seen.game))


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
        raise refusals.UnreadableMove(error, position, coordinates) from error
    played = []
    while moves:
        move = moves.pop(0)
        is_moving = position.phase is Phase.MOVEMENT and move.source is None
        if is_moving and moves and moves[0].source is None:  # "d2 d4" is a movement
            move = Move(target=moves.pop(0).target, source=move.target)
        try:
            position = position.play(move)
        except IllegalMoveError as error:
            raise refusals.IllegalPlay(error, coordinates) from error
        played.append(move)
    return tuple(played)


class HintButton(interactions.Component, template=r"dvonn:hint:(?P<game>[0-9]{1,18})"):
    """Hint, where the machine plays or both players have agreed on hints."""

    async def respond(self, answer: interactions.Answer) -> None:
        game, thoughts = await hint_for(answer.services, self.game, user=answer.user)
        await answer.privately(hinted(answer.reader, game, thoughts))


class SuggestHintsButton(interactions.Component, template=r"dvonn:hints:(?P<game>[0-9]{1,18})"):
    """Suggest hints, on the page of a game between people."""

    async def respond(self, answer: interactions.Answer) -> None:
        update = await answer.services.offers.suggest_hints(
            self.game, answer.user, source=answer.source
        )
        await answer.publish(update, answer.privately(played(answer.reader, update)))
