"""Exercises: the seam for puzzles, lessons and one's own mistakes.

An exercise is a class of `Exercise` with a name of its own; its feature makes what its `offered`
returns. People see a view of it (`words.ExerciseView`): a board, what to do, and buttons. To begin
one, a command or a button calls `begin`; or a button, under whatever message, has the id
`exercise_id(ExerciseSpot(name, key), "at")`. From then on all comes by itself: choosing a stack and
where it goes, the form, the board in words, and in direct messages a typed move lead to `answer`; a
button with an action of the exercise's own leads to `press`. Each returns the view that comes next.

Nothing is kept but what the ids hold: the exercise's name, a key (which puzzle, which step) and the
moves played since it began. A view goes on by `ExerciseSpot.then(...)`, with the answer and what is
played after it; its buttons may lead back to an earlier spot (action "at"), or to another key.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

import discord

from bot.base.ids import GuildId, UserId
from bot.base.languages import Reader
from bot.connection.discord_messages import button_ids
from bot.connection.forms import one_line
from bot.connection.permissions import is_direct
from bot.features.exercises.model import LONGEST_TYPED, ExerciseSpot
from bot.features.exercises.words import PREFIX, ExerciseView, exercise, exercise_form
from bot.play.doors.interactions import Answer, Services
from bot.play.model.refusals import NoSuchPly
from bot.play.use_cases.registry import UseCases
from dvonn import Move, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A person who does an exercise, and the spot at which they are."""

    reader: Reader
    user: UserId
    guild: GuildId
    """`NO_GUILD` in direct messages."""
    spot: ExerciseSpot


class Exercise(ABC):
    """A kind of exercises. What any of its methods raises as `PlayError` becomes words."""

    name: ClassVar[str]
    """Up to eight plain letters, which no other has."""

    def __init__(self, services: Services) -> None:
        self.services = services

    @classmethod
    def offered(cls, cases: UseCases) -> "Exercises":
        """Let people do such exercises, as a part that their feature makes."""
        kinds = cases.of(Exercises)
        kinds[cls.name] = cls
        return kinds

    @abstractmethod
    async def show(self, asked: Asked) -> ExerciseView:
        """Return the view of a spot; it is asked of each button once more, so it is quick.

        Raises:
            NoSuchPly: if there is no such spot, or no more.
        """

    @abstractmethod
    async def answer(self, asked: Asked, move: Move) -> ExerciseView:
        """Return the view after an answer: a legal move of the position shown there."""

    async def press(self, asked: Asked, action: str) -> ExerciseView:
        """Return the view that a button of its own shows.

        Raises:
            NoSuchPly: if there is none of that name.
        """
        raise NoSuchPly


class Exercises(dict[str, type[Exercise]]):
    """The kinds of exercises that features have, by their names."""


def exercise_of(services: Services, spot: ExerciseSpot) -> Exercise:
    """Return the exercise that a spot is of.

    Raises:
        NoSuchPly: if this version has none of that name.
    """
    if (kind := services.of(Exercises).get(spot.exercise)) is None:
        raise NoSuchPly
    return kind(services)


def asked_by(answer: Answer, spot: ExerciseSpot) -> Asked:
    return Asked(reader=answer.reader, user=answer.user, guild=answer.guild, spot=spot)


FIELD: Final = "move"


def answer_form(reader: Reader, view: ExerciseView) -> discord.ui.Modal:
    """Return the form to type an answer into."""
    return one_line(exercise_form(reader, view), form_id(view.spot), FIELD, LONGEST_TYPED)


def form_id(spot: ExerciseSpot) -> str:
    return f"dvonn:done:{spot.text}"


async def begin(answer: Answer, view: ExerciseView, *, chosen: Point | None = None) -> None:
    """Show a view: in place of the exercise of the pressed button, else as a new message.

    In direct messages with the bot it is an ordinary message, which is found again when somebody
    types a move.
    """
    interaction = answer.interaction
    by_typing, message = is_direct(interaction), interaction.message
    post = exercise(answer.reader, view, chosen=chosen, by_typing=by_typing)
    if view.asks:
        answer.prepare(answer_form(answer.reader, view))
    is_ours = message is not None and any(
        name is not None and name.startswith(PREFIX) for name in button_ids(message)
    )
    if is_ours and message is not None and (by_typing or message.flags.ephemeral):
        await answer.in_place(post)
    elif by_typing:
        await answer.publicly(post)
    else:
        await answer.privately(post)
