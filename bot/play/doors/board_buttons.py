"""Actions of the buttons under a board, of those of its questions, and of the form for a move."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

import discord

from bot.base.ids import GameId, MessageId, Revision, SourceId, UserId
from bot.base.locales import Reader
from bot.connection.forms import one_line, typed
from bot.connection.from_id import FromId
from bot.connection.posts import Post
from bot.connection.words import done
from bot.play.doors.answers import Answer, answering
from bot.play.doors.challenge_buttons import begin_against_machine, post_challenge
from bot.play.doors.commands import venue
from bot.play.doors.services import Interaction
from bot.play.doors.voting import play_or_vote
from bot.play.model.courtesies import LONGEST
from bot.play.model.game import Game
from bot.play.model.refusals.playing import NotAPlayer
from bot.play.model.refusals.starting import BadOpponent, NotForYou, OpponentProblem
from bot.play.use_cases.update import Update
from bot.play.words.asides import confirm_abort, confirm_resignation, kept_playing, played
from bot.play.words.boards import board_as_text
from bot.play.words.challenges import challenge_accepted
from bot.play.words.lying import confirm_claim
from bot.play.words.picker import move_form as move_form_post
from bot.play.words.picker import picker
from bot.play.words.previews import preview
from dvonn import Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """Answers to *Move* and *Type a move* for somebody who doesn't play. A feature makes them.

    Both raise a `PlayError` where they open nothing.
    """

    pick: Callable[[Answer, GameId], Awaitable[None]]
    type: Callable[[Answer, GameId], Awaitable[None]]


_ID = r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):"
_COLORS = {"white": Color.WHITE, "black": Color.BLACK}
_FORM_ID = re.compile(r"dvonn:form:(?P<game>[0-9]{1,18})")
_FIELD_ID = "move"


class _End(Protocol):
    """A way to end a game at a revision."""

    async def __call__(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId
    ) -> Update: ...


class BoardButton(
    FromId,
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
        r":(?P<action>pick|type|text|rematch|fill|resign|claim|abort|(?:resign|claim|abort)-yes"
        r"|resign-no)"
    ),
):
    """A button under a board, or under a question about it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press."""
        async with answering(interaction) as answer:
            services, user = answer.services, answer.user
            match self.action:
                case "pick":
                    await self._move(answer, typed=False)
                case "type":
                    await self._move(answer, typed=True)
                case "text":
                    game, is_newest = await services.games.at(self.game, self.revision)
                    await answer.privately(board_as_text(answer.reader, game, is_newest=is_newest))
                case "rematch":
                    await self._rematch(answer, user)
                case "resign" | "abort" | "claim":
                    await answer.privately(await self._question(answer, user))
                case "resign-yes":
                    await self._end(answer, services.leaving.resign)
                case "abort-yes":
                    await self._end(answer, services.leaving.abort)
                case "claim-yes":
                    await self._end(answer, services.leaving.claim)
                case "fill":
                    await self._fill(answer, user)
                case _:
                    await answer.in_place(kept_playing(answer.reader))

    async def _move(self, answer: Answer, *, typed: bool) -> None:
        """Let the player to move choose or type; let a spectator do what a feature offers."""
        services = answer.services
        try:
            game = await services.games.may_move(self.game, answer.user)
        except NotAPlayer:
            if (watching := services.get(Watching)) is None:
                raise
            await (watching.type if typed else watching.pick)(answer, self.game)
            return
        if typed:
            await answer.form(move_form(answer.reader, game))
        else:
            await answer.privately(
                picker(answer.reader, game, answer.interaction.client.board_parts)
            )

    async def _question(self, answer: Answer, user: UserId) -> Post:
        """Ask the player to confirm the end of a game."""
        leaving, reader = answer.services.leaving, answer.reader
        board = self.game, self.revision, user
        match self.action:
            case "resign":
                return confirm_resignation(reader, await leaving.may_resign(*board), user)
            case "abort":
                return confirm_abort(reader, await leaving.may_abort(*board))
            case _:
                return confirm_claim(reader, await leaving.may_claim(*board), user)

    async def _end(self, answer: Answer, end: _End) -> None:
        """Resign, abort or claim, after the question."""
        user, source = answer.user, answer.source
        update = await end(self.game, self.revision, user, source=source)
        await answer.publish(update, answer.in_place(played(answer.reader, update)))

    async def _fill(self, answer: Answer, user: UserId) -> None:
        update = await answer.services.offers.fill(
            self.game, self.revision, user, source=answer.source
        )
        await answer.publish(update, answer.privately(played(answer.reader, update)))

    async def _rematch(self, answer: Answer, user: UserId) -> None:
        interaction = answer.interaction
        services = answer.services
        assert interaction.message is not None  # a button is under a message  # noqa: S101
        row, update = await services.rematches.ask(
            await services.games.current(self.game),
            user,
            message=MessageId(interaction.message.id),
            venue=venue(interaction),
            source=answer.source,
        )
        if update is None:
            message = await post_challenge(answer, row)
            if row.terms.level is not None and message is not None:
                await begin_against_machine(answer, row, message)
        else:
            reader = await answer.everybody(row.terms.challenger)
            accepted = challenge_accepted(reader, row, update.game)
            await answer.publish(update, answer.publicly(accepted))


class ResignButton(
    FromId,
    template=(
        r"dvonn:resign:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
        r":(?P<asker>[0-9]{1,20}):(?P<action>yes|abort|no)"
    ),
):
    """An answer to the question before a game is given up, where everybody sees it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Take the answer of the one who wants to resign."""
        async with answering(interaction) as answer:
            user, asker = answer.user, UserId(int(self.found["asker"]))
            if user != asker:
                raise NotForYou(asker)
            reader = await answer.everybody()
            if self.action == "no":
                await answer.in_place(kept_playing(reader))
                return
            leaving = answer.services.leaving
            end = leaving.abort if self.action == "abort" else leaving.resign
            update = await end(self.game, self.revision, user, source=answer.source)
            await answer.publish(update, answer.in_place(played(reader, update)))


def move_form(reader: Reader, game: Game) -> discord.ui.Modal:
    """Return a form with one line for a move."""
    words = move_form_post(reader, game)
    return one_line(words, f"dvonn:form:{game.row.id}", _FIELD_ID, LONGEST)


async def read_move(interaction: Interaction) -> None:
    """Play what was typed into a form, if it is ours. It may have been opened before a restart."""
    data: Any = interaction.data or {}
    match = _FORM_ID.fullmatch(str(data.get("custom_id", "")))
    if match is None:
        return
    async with answering(interaction) as answer:
        services, user = answer.services, answer.user
        game, text = GameId(int(match["game"])), typed(data, _FIELD_ID)
        named = answer.reader.coordinates
        if (found := await services.previews.typed_in(game, user, text, named)) is not None:
            await answer.privately(preview(answer.reader, found))
            return
        playing = services.games.type_in(game, user, text, source=answer.source, named=named)
        await play_or_vote(answer, playing, answer.privately, text=text, named=named)


class OfferButton(
    FromId,
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):(?P<action>accept|decline)"
    ),
):
    """Accept or Decline under a board; with Decline, the asker takes the offer back."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a press; the next board says the rest."""
        async with answering(interaction) as answer:
            offers = answer.services.offers
            do = offers.accept if self.action == "accept" else offers.decline
            update = await do(self.game, self.revision, answer.user, source=answer.source)
            await answer.publish(update, answer.defer())


class PickBoardButton(FromId, template=_ID + r"pick-(?P<number>[1-3])"):
    """The number of a board."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pick that board; the new picture is the answer."""
        async with answering(interaction) as answer:
            update = await answer.services.pie.pick_board(
                self.game,
                self.revision,
                answer.user,
                int(self.found["number"]),
                source=answer.source,
            )
            await answer.publish(update, answer.defer())


class PickSideButton(FromId, template=_ID + r"side-(?P<side>white|black)"):
    """A colour."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Pick that colour; the new board is the answer."""
        async with answering(interaction) as answer:
            update = await answer.services.pie.pick_side(
                self.game,
                self.revision,
                answer.user,
                _COLORS[self.found["side"]],
                source=answer.source,
            )
            await answer.publish(update, answer.defer())


class PlayOnButton(
    FromId, template=r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):play-on"
):
    """Play on with the machine, under the last board of a game that the opponent has left."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Go on with the game."""
        async with answering(interaction) as answer:
            client = interaction.client
            if not client.has_machine or client.user is None:
                raise BadOpponent(OpponentProblem.NO_MACHINE)
            update = await client.services.stand_in.go_on(
                self.game, self.revision, answer.user, UserId(client.user.id), source=answer.source
            )
            await answer.publish(update, answer.privately(done(answer.reader)))
