"""Exercises: the interface that puzzles, lessons and practice implement, and its handlers.

An exercise is a subclass of `Exercise` with a unique name. Its feature adds it to `EXERCISES`.
Users see an exercise as a view (`words.ExerciseView`): a board, a task, and buttons. The handler of
a command or button starts an exercise by calling `begin`. On any message, a button with the custom
id `exercise_id(ExerciseState(name, key), "at")` also starts it.

Everything else is the same for all exercises. If the user chooses a stack and its target, fills in
the form, or types a move in a direct message, `answer` is called. If the user presses a button with
the exercise's own action, `press` is called. Both methods return the next view.

Custom ids contain the whole state: the exercise's name, a key (such as the puzzle or the step), and
the moves played so far. `ExerciseState.with_moves(...)` returns the state after an answer and the
replies to it. With the action "at", a button can also show an earlier state or another key.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import discord

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.base.languages import Reader
from bot.connection.discord_messages import button_ids
from bot.connection.forms import one_line, typed_text
from bot.connection.permissions import is_direct
from bot.connection.posts import as_read
from bot.connection.request_errors import DISCORD_ERRORS
from bot.play.extension_points import ExtensionPoint
from bot.play.handlers.interactions import Answer, Component, Services, channel_of, form
from bot.play.handlers.replies import Replies
from bot.play.handlers.typed_messages import TypedHandler
from bot.replay.handlers.play_from import begin_from, choose_opponent, play_from
from bot.replay.model.refusals import NoSuchPly
from dvonn import Coordinates, Move, Point
from dvonn._records.position_text import PrintedPosition
from school.exercises import words
from school.exercises.model import EXERCISE, LONGEST_TYPED, ExerciseState, one_move


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseRequest:
    """A user's request in an exercise, and the exercise's state."""

    reader: Reader
    user: UserId
    guild: GuildId
    """`NO_GUILD` in direct messages."""
    state: ExerciseState


class Exercise(ABC):
    """Base class of the kinds of exercises.

    If a method raises a `PlayError`, the user sees it as a message.
    """

    name: ClassVar[str]
    """Unique name of up to eight lowercase letters."""

    def __init__(self, services: Services) -> None:
        self.services = services

    @abstractmethod
    async def show(self, request: ExerciseRequest) -> words.ExerciseView:
        """Return the view of a state.

        This method must be fast, because it is called again for each button.

        Raises:
            NoSuchPly: if there is no such state, or its content no longer exists.
        """

    @abstractmethod
    async def answer(self, request: ExerciseRequest, move: Move) -> words.ExerciseView:
        """Return the view after an answer. It is an offered move, or any legal move."""

    async def press(self, request: ExerciseRequest, action: str) -> words.ExerciseView:
        """Return the view after one of the exercise's own buttons was pressed.

        Raises:
            NoSuchPly: if there is no such action.
        """
        raise NoSuchPly


EXERCISES: Final = ExtensionPoint[type[Exercise]]()


def exercise_of(services: Services, state: ExerciseState) -> Exercise:
    """Return the exercise that a state belongs to.

    Raises:
        NoSuchPly: if this version has no exercise with that name.
    """
    for kind in services.extensions.all_of(EXERCISES):
        if kind.name == state.exercise:
            return kind(services)
    raise NoSuchPly


def request_of(answer: Answer, state: ExerciseState) -> ExerciseRequest:
    return ExerciseRequest(reader=answer.reader, user=answer.user, guild=answer.guild, state=state)


FIELD: Final = "move"


def answer_form(reader: Reader, view: words.ExerciseView) -> discord.ui.Modal:
    return one_line(words.exercise_form(reader, view), form_id(view.state), FIELD, LONGEST_TYPED)


def form_id(state: ExerciseState) -> str:
    return f"dvonn:done:{state.text}"


async def begin(
    answer: Answer,
    view: words.ExerciseView,
    *,
    picking: bool = False,
    chosen: Point | None = None,
) -> None:
    """Show an exercise.

    If a button of an exercise was pressed, the view replaces that exercise. Otherwise it is a new
    message, as always for users of screen readers, because these don't announce edits. In direct
    messages, the new message is an ordinary one, so that typed moves can find it.
    """
    interaction = answer.interaction
    is_open, message = is_direct(interaction), interaction.message
    # If a game is running in these direct messages, typed moves belong to the game.
    by_typing = is_open and not await answer.services.game_cache.is_played_in(
        channel_of(interaction)
    )
    post = words.exercise(answer.reader, view, picking=picking, chosen=chosen, by_typing=by_typing)
    if view.asks:
        answer.prepare(answer_form(answer.reader, view))
    is_ours = message is not None and any(
        name is not None and name.startswith(words.PREFIX) for name in button_ids(message)
    )
    may_edit = message is not None and (is_open or message.flags.ephemeral)
    if is_ours and may_edit and not answer.reader.uses_screen_reader:
        await answer.edit_message(post)
    elif is_open:
        await answer.send_public(post)
    else:
        await answer.send_private(post)


_PART = f"{words.PREFIX}{EXERCISE}"
_LISTS = r":(?P<action>space[01]|go[012])"


class ExerciseButton(Component, template=rf"{_PART}:(?P<action>[a-z]{{1,8}})"):
    """A button or a select below an exercise."""

    async def respond(self, answer: Answer) -> None:
        state = ExerciseState.found(self.match)
        request, exercise = request_of(answer, state), exercise_of(answer.services, state)
        match self.action:
            case "type":
                await _open(answer, state)
            case words.FROM | words.FROM_WITH:
                view, form_id = await exercise.show(request), f"dvonn:from-do:{state.text}"
                if self.action == words.FROM:
                    await play_from(answer, PrintedPosition(view.position), form_id, view.plays)
                else:
                    await choose_opponent(answer, view.position, form_id)
            case "text":
                post = words.exercise_as_text(answer.reader, await exercise.show(request))
                await answer.send_private(post)
            case "move":
                await begin(answer, await exercise.show(request), picking=True)
            case "stack":
                before, stack = _last(request)
                await begin(answer, await exercise.show(before), chosen=stack.target)
            case _:
                await begin(answer, await self._next(exercise, request))

    async def _next(self, exercise: Exercise, request: ExerciseRequest) -> words.ExerciseView:
        if self.action in ("at", words.BACK):
            return await exercise.show(request)
        if self.action != "play":
            return await exercise.press(request, self.action)
        before, move = _last(request)
        view = await exercise.show(before)
        if move not in view.choices:
            move = one_move(str(move), view.position)
        return await exercise.answer(before, move)


def _last(request: ExerciseRequest) -> tuple[ExerciseRequest, Move]:
    """Split a request into the request before its last move, and that move, the user's choice.

    Raises:
        NoSuchPly: if there are no moves.
    """
    if not request.state.line:
        raise NoSuchPly
    return replace(request, state=request.state.without_last_move()), request.state.line[-1]


async def _open(answer: Answer, state: ExerciseState) -> None:

    async def form() -> discord.ui.Modal:
        view = await exercise_of(answer.services, state).show(request_of(answer, state))
        return answer_form(answer.reader, view)

    await answer.form(await answer.within_deadline(form(), answer.cached_form(form_id(state))))


class ExerciseSelect(Component, template=_PART + _LISTS):
    """A select menu of free spaces to place on, or of other exercises."""

    async def respond(self, answer: Answer) -> None:
        """Show the result of the placement, or open the chosen exercise."""
        state = ExerciseState.found(self.match)
        request, exercise = request_of(answer, state), exercise_of(answer.services, state)
        if self.action.startswith("go"):
            request = replace(request, state=ExerciseState(state.exercise, self.chosen))
            await begin(answer, await exercise.show(request))
            return
        view = await exercise.show(request)
        move = one_move(self.chosen, view.position)
        await begin(answer, await exercise.answer(request, move))


@form(rf"dvonn:done:{EXERCISE}")
async def read_answer(answer: Answer, match: re.Match[str], data: Any) -> None:
    state = ExerciseState.found(match)
    request, exercise = request_of(answer, state), exercise_of(answer.services, state)
    view = await exercise.show(request)
    named = answer.reader.coordinates_or(Coordinates.STANDARD)
    move = one_move(typed_text(data, FIELD), view.position, named)
    await begin(answer, await exercise.answer(request, move))


@form(rf"dvonn:from-do:{EXERCISE}")
async def read_start(answer: Answer, match: re.Match[str], data: Any) -> None:
    state = ExerciseState.found(match)
    view = await exercise_of(answer.services, state).show(request_of(answer, state))
    await begin_from(answer, PrintedPosition(view.position), data)


_MOST_SEARCHED: Final = 25
"""Maximum number of recent messages that are searched for an exercise."""
_ASKS: Final = re.compile(rf"{words.PREFIX}{EXERCISE}:(?:type|{words.BACK})")


class TypedAnswers(TypedHandler):
    """Handles answers typed in direct messages, if no game is running there."""

    def __init__(self, services: Services, replies: Replies) -> None:
        self._services = services
        self._replies = replies

    async def handle_move(self, message: discord.Message, text: str) -> bool:
        """Treat a direct message as an answer, and reply with the next view.

        Return False if no exercise asks for a move here.

        Raises:
            PlayError: if the move is refused.
        """
        state = await self._asking(message) if message.guild is None else None
        if state is None:
            return False
        reader = await self._services.readers.for_direct_message(UserId(message.author.id))
        request = ExerciseRequest(
            reader=reader, user=UserId(message.author.id), guild=NO_GUILD, state=state
        )
        exercise = exercise_of(self._services, state)
        exercise_view = await exercise.show(request)
        move = one_move(text, exercise_view.position, reader.coordinates_or(Coordinates.STANDARD))
        view = await exercise.answer(request, move)
        post = as_read(reader, words.exercise(reader, view, by_typing=True))
        picture = await self._services.publisher.render(post)
        await self._replies.reply(message, post, "do", picture)
        return True

    async def _asking(self, message: discord.Message) -> ExerciseState | None:
        """Return the state of the last exercise in the channel, or None if it asks for no move."""
        own_id = self._services.publisher.channels.own_id
        try:
            async for later in message.channel.history(limit=_MOST_SEARCHED, before=message):
                ids = (
                    [name or "" for name in button_ids(later)] if later.author.id == own_id else []
                )
                if any(name.startswith(words.PREFIX) for name in ids):
                    asks = (match for name in ids if (match := _ASKS.fullmatch(name)))
                    return next(map(ExerciseState.found, asks), None)
        except DISCORD_ERRORS:
            return None
        return None
