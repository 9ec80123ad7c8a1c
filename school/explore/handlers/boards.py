"""Handlers of studies: of a game, of a pasted text, or of a game against oneself."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord
from discord import app_commands

from bot.base.ids import GameId, UserId
from bot.base.languages import Reader
from bot.connection.forms import one_line, typed_text
from bot.connection.posts import Post, Select
from bot.play.handlers import interactions
from bot.play.model import refusals
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.model.terms import Start
from bot.replay.handlers import views as game_views
from bot.replay.handlers.play_from import begin_from, play_from
from bot.replay.model.refusals import NoSuchPly
from bot.replay.model.replays import (
    LINE,
    SPOT,
    ReplayCursor,
    ReplayView,
    sequence_of,
    unpack,
    view_at,
)
from bot.replay.use_cases.history import History
from dvonn import Coordinates, IllegalMoveError, Move, Node, NotationError, Phase, parse_moves
from school.explore.handlers.engine import evaluate_position, hint_for
from school.explore.model import LONGEST_COMMENT, Study
from school.explore.use_cases import Studies
from school.explore.words import boards
from school.explore.words.hints import hinted

STUDY: Final = r"dvonn:study:(?P<study>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):"
_OF_FORM: Final = r":(?P<study>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"


async def show_explore(
    answer: interactions.Answer, view: ReplayView, *, is_retry: bool = False
) -> None:
    await show_study(answer, await _studies(answer).open(view, answer.user), is_retry=is_retry)


async def show_study(
    answer: interactions.Answer,
    study: Study,
    *,
    thoughts: tuple[Thought, ...] = (),
    is_retry: bool = False,
    note: str = "",
) -> None:
    """Show a study to its owner, with the engine's evaluation and a note, if given."""
    if study.replay_view.position.phase is not Phase.OVER:
        answer.prepare(_form(answer, study))
    options = _explore_options(answer)
    if is_retry:
        note = boards.something_better(answer.reader)
    await answer.view(boards.explore(answer.reader, study, options, thoughts=thoughts, note=note))


def _studies(answer: interactions.Answer) -> Studies:
    return answer.services.require(Studies)


def _explore_options(answer: interactions.Answer) -> boards.ExploreOptions:
    return boards.ExploreOptions(
        may_share=game_views.may_share(answer.interaction),
        has_engine=answer.services.has_machine,
        more=answer.services.extensions.all_of(boards.STUDY_BUTTONS),
    )


class StudyBoards:
    """Gives commands and pages of games access to users' studies."""

    async def begin(self, answer: interactions.Answer, start: Start) -> None:
        guild = interactions.guild_of(answer.interaction)
        await show_study(answer, await _studies(answer).both_sides(answer.user, guild, start))

    async def listed(self, answer: interactions.Answer) -> tuple[Select, ...]:
        return boards.own_boards(answer.reader, await _studies(answer).saved(answer.user))

    async def tree(self, answer: interactions.Answer, game: Game) -> Node | None:
        return await _studies(answer).tree(game, answer.user)

    async def hint(
        self, services: interactions.Services, game: GameId, user: UserId, reader: Reader
    ) -> Post:
        return hinted(reader, *await hint_for(services, game, user=user))

    def where_to_paste(self, reader: Reader) -> str:
        return boards.where_to_paste(reader)

    def button_id(self, game: Game) -> str:
        return boards.on_board(game)


@app_commands.context_menu(name="Explore from here")
@interactions.anywhere
async def explore_from_here(
    interaction: interactions.Interaction, message: discord.Message
) -> None:
    """Open the user's study, starting from the shown board."""
    async with interactions.answering(interaction) as answer:
        number, revision = game_views.shown_board(interaction, message)
        game, ply, line = await answer.services.require(History).at_board(number, revision)
        await show_explore(
            answer, view_at(ReplayCursor(number, ply, line), sequence_of(game), game)
        )


class ExploreButton(interactions.Component, template=rf"dvonn:explore:{SPOT}{LINE}:at"):
    """Button that opens the user's study of the shown game."""

    async def respond(self, answer: interactions.Answer) -> None:
        await show_explore(
            answer,
            await game_views.load_view(answer.interaction, ReplayCursor.from_match(self.match)),
        )


class LeftButton(interactions.Component, template=r"dvonn:explore:(?P<game>[0-9]{1,18}):left"):
    """The button *Explore* on a game's page, which opens the user's study of it as they left it."""

    async def respond(self, answer: interactions.Answer) -> None:
        game = await answer.services.game_cache.existing(self.game)
        await show_study(answer, await _studies(answer).resume(game, answer.user))


class StudiesSelect(interactions.Component, template=r"dvonn:studies:open"):
    """The select that opens one of the user's studies."""

    async def respond(self, answer: interactions.Answer) -> None:
        if self.number is None:
            raise refusals.StaleBoard
        await show_study(answer, await _studies(answer).get(self.number, answer.user))


_CHANGES: Final[dict[str, Callable[[Study], Study]]] = {
    "back": Study.previous,
    "next": Study.onward,
    "flip": lambda study: replace(study, turned=not study.turned),
    "cut": Study.cut,
}


class StudyButton(
    interactions.Component,
    template=rf"{STUDY}(?P<action>at|back|next|flip|delete|cut|ask|share|type|say|replay|from|pick"
    r"|stack-(?P<stack>[a-k0-9]{2,3})|go(?P<move>[A-Za-z0-9_-]{2}))",
):
    """The buttons of a study, for its owner."""

    async def respond(self, answer: interactions.Answer) -> None:
        number, revision = int(self.match["study"]), int(self.revision)
        change = _CHANGES.get(self.action)
        if self.match["move"]:
            change = partial(_played, moves=unpack(self.match["move"]))
        if self.action in {"type", "say", "from"}:
            await _open(answer, number, revision, self.action)
        elif change is None:
            study = await _studies(answer).get(number, answer.user)
            if study.revision != revision:
                await show_study(answer, study)
            elif self.action == "pick" or self.match["stack"]:
                await _pick(answer, study, self.match["stack"])
            else:
                await _do(answer, study, self.action)
        else:
            await _change(answer, number, revision, change)


class StudySelect(interactions.Component, template=rf"{STUDY}(?P<action>space[01]|line)"):
    """A select menu of free spaces, or of lines in the study."""

    async def respond(self, answer: interactions.Answer) -> None:
        number, revision = int(self.match["study"]), int(self.revision)
        study = await _studies(answer).get(number, answer.user)
        if study.revision == revision:
            await _choose(answer, study, self.action, self.chosen)
        else:
            await show_study(answer, study)


def _played(study: Study, *, moves: Sequence[Move]) -> Study:
    return study.played(*moves)


async def _choose(answer: interactions.Answer, study: Study, action: str, chosen: str) -> None:
    """Show the study after the choice."""
    if action == "line":
        number = int(chosen) if chosen.isdecimal() else 0
        await _change(answer, study.id, study.revision, lambda study: study.at_number(number))
        return
    point = study.coordinates.point(chosen)
    if point is None:
        raise NoSuchPly
    move = Move(target=point)
    await _change(answer, study.id, study.revision, lambda study: study.played(move))


async def _pick(answer: interactions.Answer, study: Study, stack: str | None) -> None:
    """Show the stacks that can move, or the landings of `stack`."""
    chosen = None if stack is None else study.coordinates.point(stack)
    options = _explore_options(answer)
    await answer.view(boards.explore(answer.reader, study, options, picking=True, chosen=chosen))


async def _change(
    answer: interactions.Answer, number: int, revision: int, change: Callable[[Study], Study]
) -> None:
    """Apply a change to a user's study, and show the result.

    If it has changed since it was shown, only show it.
    """
    try:
        study, _ = await _studies(answer).change(number, revision, answer.user, change)
    except IllegalMoveError as error:  # no button has such a move
        raise NoSuchPly from error
    await show_study(answer, study)


async def _do(answer: interactions.Answer, study: Study, action: str) -> None:
    """Handle an action that does not change the study."""
    view = study.replay_view
    match action:
        case "ask":
            thoughts = await evaluate_position(answer.services, view, user=answer.user)
            await show_study(answer, study, thoughts=thoughts)
        case "share":
            everybody, shared = await answer.public_reader(), study.shared()
            link = game_views.link_to(answer, shared)
            post = boards.shared_line(everybody, shared, answer.user, link=link)
            await game_views.share(answer, view, post)
        case "replay":
            await game_views.show_replay(answer, study.replayed())
        case "delete" if study.can_cut:
            await answer.view(boards.delete_asked(answer.reader, study))
        case "type":
            await answer.form(_form(answer, study))
        case _:
            await show_study(answer, study)


async def _open(answer: interactions.Answer, number: int, revision: int, action: str) -> None:
    """Open a form for moves, for a comment, or for a game from the current position."""

    async def found() -> Study:
        study = await _studies(answer).get(number, answer.user)
        if study.revision != revision:
            raise NoSuchPly
        return study

    async def form() -> discord.ui.Modal:
        study = await found()
        if study.replay_view.position.phase is Phase.OVER:
            raise NoSuchPly
        return _form(answer, study)

    if action == "type":
        cached = answer.cached_form(f"dvonn:study-type:{number}:{revision}")
        await answer.form(await answer.within_deadline(form(), cached))
    elif action == "say":
        words = boards.comment_form(answer.reader, await found())
        form_id = f"dvonn:study-say:{number}:{revision}"
        await answer.form(one_line(words, form_id, _COMMENT_FIELD, LONGEST_COMMENT, needed=False))
    else:
        study = await found()
        form_id = f"dvonn:study-from:{number}:{revision}"
        await play_from(
            answer, study.replay_view.printed, form_id, study.replay_view.side(answer.user)
        )


_LONGEST_TYPED: Final = 400
_MOVES_FIELD: Final = "moves"
_COMMENT_FIELD: Final = "said"


def _form(answer: interactions.Answer, study: Study) -> discord.ui.Modal:
    words = boards.explore_form(answer.reader, study.replay_view)
    custom_id = f"dvonn:study-type:{study.id}:{study.revision}"
    return one_line(words, custom_id, _MOVES_FIELD, _LONGEST_TYPED)


@interactions.form(rf"dvonn:study-type{_OF_FORM}")
async def read_moves(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    named = answer.reader.coordinates_or

    def add_moves(study: Study) -> Study:
        return study.played(
            *_moves(study.replay_view, typed_text(data, _MOVES_FIELD), named(study.coordinates))
        )

    await _change_by_form(answer, match, add_moves)


@interactions.form(rf"dvonn:study-say{_OF_FORM}")
async def read_comment(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    comment = typed_text(data, _COMMENT_FIELD)
    await _change_by_form(answer, match, lambda study: study.with_comment(comment))


async def _change_by_form(
    answer: interactions.Answer, match: re.Match[str], change: Callable[[Study], Study]
) -> None:
    study, is_done = await _studies(answer).change(
        int(match["study"]), int(match["revision"]), answer.user, change
    )
    if not is_done:
        raise NoSuchPly
    await show_study(answer, study)


@interactions.form(rf"dvonn:study-from{_OF_FORM}")
async def read_start(answer: interactions.Answer, match: re.Match[str], data: Any) -> None:
    study = await _studies(answer).get(int(match["study"]), answer.user)
    if study.revision != int(match["revision"]):
        raise NoSuchPly
    await begin_from(answer, study.replay_view.printed, data)


def _moves(view: ReplayView, text: str, coordinates: Coordinates) -> tuple[Move, ...]:
    """Parse a text as legal moves from a view's position.

    Raises:
        UnreadableMove: if the text contains anything else.
        IllegalPlay: if a move is illegal.
    """
    position = view.position
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
