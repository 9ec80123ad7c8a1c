"""Handlers of guesses: *Move* and *Type a move* for spectators, and their views."""

import re
from contextlib import suppress
from typing import Any, Final

import discord

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, Revision, UserId
from bot.base.spelling import LONGEST
from bot.connection.forms import one_line, typed_text
from bot.play.handlers.interactions import Answer, Component, Services, form
from bot.play.handlers.replies import Replies
from bot.play.handlers.typed_messages import TypedHandler
from club.guesses.use_cases import Guessing
from club.guesses.words import guess_form, guess_landings, guess_picker, guess_table, guessed
from dvonn import Coordinates

_ID = r"dvonn:call:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):"
_FIELD_ID = "move"


_SIGN: Final = "🎯"


class TypedGuesses(TypedHandler):
    """Counts a spectator's typed move as a guess, and reacts to the message."""

    def __init__(self, services: Services, replies: Replies) -> None:
        self._services = services
        self._replies = replies

    async def handle_move(self, message: discord.Message, text: str) -> bool:
        user, channel = UserId(message.author.id), ChannelId(message.channel.id)
        with suppress(PlayError):
            game = (await self._services.game_cache.running_in(channel)).row
            await self._services.require(Guessing).guess(game.id, game.revision, user, text)
            self._services.work.start(self._replies.mark(message, _SIGN))
            return True
        return False


class GuessButton(Component, template=_ID + r"(?P<action>open|type|table)"):
    """Buttons that open the guess picker, the form, or the table of guessers."""

    async def respond(self, answer: Answer) -> None:
        match self.action:
            case "open":
                await show_guess_picker(answer, self.game)
            case "type":
                await show_guess_form(answer, self.game)
            case _:
                game = await answer.services.game_cache.existing(self.game)
                table = await answer.services.require(Guessing).table(answer.guild, answer.user)
                await answer.view(guess_table(answer.reader, game, table, answer.user))


class GuessStackButton(Component, template=_ID + r"from:(?P<stack>[a-k0-9]{2,3})"):
    """The button of a movable stack, which shows where the stack can go."""

    async def respond(self, answer: Answer) -> None:
        game, stack = await answer.services.require(Guessing).pick_stack_to_guess(
            self.game, self.revision, answer.user, self.match["stack"]
        )
        await answer.view(guess_landings(answer.reader, game, stack))


class GuessLandingButton(Component, template=_ID + r"go:(?P<move>[a-k0-9-]{2,7})"):
    """The button of a landing space, which guesses the chosen stack's move there."""

    async def respond(self, answer: Answer) -> None:
        await _guess(answer, self.game, self.revision, self.match["move"])


async def show_guess_picker(answer: Answer, number: GameId) -> None:
    """Show a spectator the possible next moves.

    Raises:
        GameNotRunning, NotAPlayer, CannotGuess: if they may not guess.
    """
    game, before = await answer.services.require(Guessing).guessable_game_with_guess(
        number, answer.user
    )
    await answer.view(guess_picker(answer.reader, game, before))


async def show_guess_form(answer: Answer, number: GameId) -> None:
    """Open the form for a spectator's guess.

    Raises:
        GameNotRunning, NotAPlayer, CannotGuess: if they may not guess.
    """
    game = await answer.services.require(Guessing).guessable_game_cached(number, answer.user)
    words = guess_form(answer.reader, game)
    form_id = f"dvonn:call-form:{game.row.id}:{game.row.revision}"
    await answer.form(one_line(words, form_id, _FIELD_ID, LONGEST))


@form(r"dvonn:call-form:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})")
async def read_guess(answer: Answer, match: re.Match[str], data: Any) -> None:
    game, revision = GameId(int(match["game"])), Revision(int(match["revision"]))
    await _guess(answer, game, revision, typed_text(data, _FIELD_ID), answer.reader.coordinates)


async def _guess(
    answer: Answer,
    number: GameId,
    revision: Revision,
    text: str,
    notation: Coordinates | None = None,
) -> None:
    guessing = answer.services.require(Guessing)
    game, move = await guessing.guess(number, revision, answer.user, text, notation)
    await answer.view(guessed(answer.reader, game, move))
