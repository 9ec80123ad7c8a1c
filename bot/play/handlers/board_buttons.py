"""Handles the buttons below a board and its questions, and the form for typing a move."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import discord

from bot.base.ids import GameId, MessageId, Revision, SourceId, UserId
from bot.base.languages import Reader
from bot.base.spelling import LONGEST
from bot.connection.forms import DISCORD_ID, DynamicComponent, one_line, typed_text
from bot.connection.posts import Post
from bot.connection.words import done
from bot.play.game_changes import GameUpdate
from bot.play.handlers.challenge_buttons import answer_with_game, post_challenge
from bot.play.handlers.interactions import Answer, Component, form, venue
from bot.play.handlers.rounds import in_round, next_in_round
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import GameNotRunning, NotAPlayer, NotYourTurn, StaleBoard
from bot.play.model.refused_starts import BadOpponent, NotForYou, OpponentProblem
from bot.play.words.boards import board_as_text
from bot.play.words.challenges import challenge_accepted
from bot.play.words.clocks import confirm_claim
from bot.play.words.notices import (
    action_receipt,
    confirm_abort,
    confirm_resignation,
    play_on_answer,
)
from bot.play.words.picker import landings, picker, preview
from bot.play.words.picker import move_form as move_form_post
from bot.play.words.rounds import on_page

BOARD_ID = r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):"
_FIELD_ID = "move"
_OFFERS = {"undo": Offer.TAKEBACK, "fill": Offer.FINISH}


class _End(Protocol):
    """A way to end a game at a given revision."""

    async def __call__(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId
    ) -> GameUpdate: ...


class BoardButton(
    Component,
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
        r":(?P<action>pick|type|text|rematch|fill|undo|give|pause|resume|resign|claim|abort|(?:resign|claim|abort)-yes"
        r"|resign-no)"
    ),
):
    """Button below a board, or below a question about it."""

    async def respond(self, answer: Answer) -> None:
        services, user = answer.services, answer.user
        match self.action:
            case "type":
                await show_move(self, answer, is_typed=True)
            case "text":
                game, is_newest = await services.games.at_revision(self.game, self.revision)
                post = board_as_text(answer.reader, game, is_newest=is_newest, asker=user)
                await answer.send_private(post)
            case "rematch":
                await self._rematch(answer, user)
            case "resign" | "abort" | "claim":
                await answer.view(await self._question(answer, user))
            case "resign-yes" | "abort-yes" | "claim-yes":
                await self._end(answer)
            case "undo" | "fill":
                await self._offer(answer, _OFFERS[self.action])
            case "give" | "pause" | "resume":
                await self._time(answer, user)
            case "resign-no":
                await answer.edit_message(play_on_answer(answer.reader))
            case _:
                await show_move(self, answer, is_typed=False)

    async def _question(self, answer: Answer, user: UserId) -> Post:
        leaving, reader = answer.services.leaving, answer.reader
        board = self.game, self.revision, user
        match self.action:
            case "resign":
                return confirm_resignation(reader, await leaving.may_resign(*board), user)
            case "abort":
                return confirm_abort(reader, await leaving.may_abort(*board))
            case _:
                return confirm_claim(reader, await leaving.may_claim(*board), user)

    async def _end(self, answer: Answer) -> None:
        leaving, user, source = answer.services.leaving, answer.user, answer.source
        ends: Mapping[str, _End] = {
            "resign-yes": leaving.resign,
            "abort-yes": leaving.abort,
            "claim-yes": leaving.claim,
        }
        end = ends[self.action]
        update = await end(self.game, self.revision, user, source=source)
        await answer.publish(update, answer.dismiss())

    async def _offer(self, answer: Answer, offer: Offer) -> None:
        update = await answer.services.offers.suggest(
            self.game, answer.user, offer, source=answer.source, revision=self.revision
        )
        is_placed = offer is Offer.FINISH
        receipt = action_receipt(answer.reader, update)
        await answer.publish(update, answer.dismiss() if is_placed else answer.view(receipt))

    async def _time(self, answer: Answer, user: UserId) -> None:
        offers, source = answer.services.offers, answer.source
        match self.action:
            case "give":
                update = await offers.give_time(self.game, user, source=source)
            case "pause":
                update = await offers.suggest(self.game, user, Offer.PAUSE, source=source)
            case _:
                update = await offers.end_pause(self.game, user, source=source)
        await answer.publish(update, answer.view(action_receipt(answer.reader, update)))

    async def _rematch(self, answer: Answer, user: UserId) -> None:
        interaction = answer.interaction
        services = answer.services
        assert interaction.message is not None  # a button is under a message  # noqa: S101
        game = await services.game_cache.existing(self.game)
        if game.row.vote is None and game.row.machine is None:
            await answer.check_member(game.opponent(user))
        row, update = await services.rematches.ask(
            game,
            user,
            message=MessageId(interaction.message.id),
            venue=venue(interaction),
            source=answer.source,
        )
        if update is None:
            is_solo = row.terms.level is not None
            await (answer_with_game(answer, row) if is_solo else post_challenge(answer, row))
        elif update.game.row.own_thread:
            reader = await answer.public_reader(row.terms.challenger)
            accepted = challenge_accepted(reader, row, update.game)
            await answer.publish(update, answer.send_public(accepted))
        else:
            await answer.publish(update, answer.defer())


async def show_move(part: Component, answer: Answer, *, is_typed: bool) -> None:
    """Show the form for a typed move, or the steps to choose one. Spectators can guess."""
    services = answer.services
    try:
        game = await services.games.may_move(part.game, answer.user, cached=is_typed)
    except NotAPlayer:
        if (watching := services.spectators) is None:
            raise
        await (watching.type if is_typed else watching.pick)(answer, part.game)
        return
    if is_typed:
        await answer.form(move_form(answer.reader, game))
    else:
        await _show_picker(answer, game, part.revision)


async def _show_picker(answer: Answer, game: Game, revision: Revision) -> None:
    """Let a player choose a move, privately unless nobody else plays."""
    if revision == game.row.revision and answer.is_on_board(game, revision):
        await _show(answer, game, picker)
    else:
        await _show_privately(answer, game, picker(answer.reader, game))


class ResignButton(
    Component,
    template=(
        r"dvonn:resign:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9})"
        rf":(?P<asker>{DISCORD_ID}):(?P<action>yes|abort|no)"
    ),
):
    """Buttons that answer the public question before a resignation."""

    async def respond(self, answer: Answer) -> None:
        user, asker = answer.user, UserId(int(self.match["asker"]))
        if user != asker:
            raise NotForYou(asker)
        if self.action == "no":
            await answer.dismiss(public=True)
            return
        leaving = answer.services.leaving
        end = leaving.abort if self.action == "abort" else leaving.resign
        try:
            update = await end(self.game, self.revision, user, source=answer.source)
        except (GameNotRunning, StaleBoard):  # after a restart, the old question is unknown
            await answer.dismiss(public=True)
            raise
        await answer.publish(update, answer.dismiss(public=True))


def move_form(reader: Reader, game: Game) -> discord.ui.Modal:
    words = move_form_post(reader, game)
    return one_line(words, f"dvonn:form:{game.row.id}", _FIELD_ID, LONGEST)


@form(r"dvonn:form:(?P<game>[0-9]{1,18})")
async def read_move(answer: Answer, match: re.Match[str], data: Any) -> None:
    services, user = answer.services, answer.user
    game, text = GameId(int(match["game"])), typed_text(data, _FIELD_ID)
    notation = answer.reader.coordinates
    find = partial(services.game_cache.running, game)
    if (effects := await services.games.preview(find, user, text, notation)) is not None:
        await _show_privately(answer, effects.game, preview(answer.reader, effects))
        return
    playing = services.games.type_in(game, user, text, source=answer.source, notation=notation)
    await answer.play_or_vote(playing, answer.send_private)


class OfferButton(
    Component,
    template=(
        r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):(?P<action>accept|decline)"
    ),
):
    """Buttons Accept and Decline below a board.

    If the player who made the offer presses Decline, it is withdrawn.
    """

    async def respond(self, answer: Answer) -> None:
        offers = answer.services.offers
        do = offers.accept if self.action == "accept" else offers.decline
        update = await do(self.game, self.revision, answer.user, source=answer.source)
        await answer.publish(update, answer.defer())


class PlayOnButton(
    Component, template=r"dvonn:board:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):play-on"
):
    """Button that lets the machine continue a game that the opponent has left."""

    async def respond(self, answer: Answer) -> None:
        if (machine := answer.client.machine) is None:
            raise BadOpponent(OpponentProblem.NO_MACHINE)
        update = await answer.services.stand_in.continue_game(
            self.game, self.revision, answer.user, machine, source=answer.source
        )
        await answer.publish(update, answer.send_private(done(answer.reader)))


PICK_ID = r"dvonn:pick:(?P<game>[0-9]{1,18}):(?P<revision>[0-9]{1,9}):"


class PickerPart(Component, template=r"(?!)"):
    """Base class of the move picker's parts. If the game has changed, a refusal replaces them."""

    async def respond(self, answer: Answer) -> None:
        try:
            await self.pick(answer)
        except (GameNotRunning, NotYourTurn, StaleBoard) as error:
            if in_round(answer) or await answer.is_handled():
                raise
            await answer.view(Post(content=answer.refusal(error)))

    @abstractmethod
    async def pick(self, answer: Answer) -> None:
        """Respond like `respond`. A refusal replaces the picker."""


class SpaceSelect(PickerPart, template=PICK_ID + r"row:[0-4]"):
    """Select with free spaces. Choosing one places the piece."""

    async def pick(self, answer: Answer) -> None:
        await _play(self, answer, self.chosen)


class StackButton(PickerPart, template=PICK_ID + r"from:(?P<stack>[a-k0-9]{2,3})"):
    """Button for a movable stack that shows where the stack can land."""

    async def pick(self, answer: Answer) -> None:
        await show_landings(self, answer, self.match["stack"])


async def show_landings(part: Component, answer: Answer, label: str) -> None:
    """Show where a chosen stack can land."""
    games, user = answer.services.games, answer.user
    game, stack = await games.pick_stack(part.game, part.revision, user, label)
    await _show(answer, game, partial(landings, stack=stack))


class LandingButton(PickerPart, template=PICK_ID + r"(?P<action>go|play):(?P<move>[a-k0-9-]{2,7})"):
    """Button that plays or previews the move to a landing space."""

    async def pick(self, answer: Answer) -> None:
        services, user = answer.services, answer.user
        label = self.match["move"]
        if self.action == "go":
            effects = await services.games.preview_picked(self.game, self.revision, user, label)
            if effects is not None:
                await _show(
                    answer,
                    effects.game,
                    lambda reader, _, on_board: preview(reader, effects, on_board=on_board),
                )
                return
        await _play(self, answer, label)


class BackButton(PickerPart, template=PICK_ID + r"(?P<action>back|board)"):
    """Back button of the move picker."""

    async def pick(self, answer: Answer) -> None:
        services, user = answer.services, answer.user
        game = await services.games.may_move(self.game, user)
        if self.action == "back":
            await _show(answer, game, picker)
        else:
            await services.games.on_board(self.game, self.revision)
            await answer.edit_message(await services.publisher.board(game))


async def _show(answer: Answer, game: Game, post: Callable[..., Post]) -> None:
    """Replace a step of the move picker with the next one: privately, or on the board itself.

    Users of screen readers get a new message, because screen readers don't announce edits.
    """
    message, reader = answer.interaction.message, answer.reader
    if message is None or message.flags.ephemeral or reader.uses_screen_reader:
        await _show_privately(answer, game, post(reader, game, on_board=False))
        return
    reader = await answer.services.readers.for_game(game.row)
    await answer.edit_message(post(reader, game, on_board=True))


async def _show_privately(answer: Answer, game: Game, post: Post) -> None:
    if in_round(answer):
        await answer.edit_message(on_page(answer.reader, post, game.row.id))
    else:
        answer.services.pickers.put(game.row.id, await answer.view(post))


async def _play(part: DynamicComponent, answer: Answer, label: str) -> None:
    services, user = answer.services, answer.user
    services.pickers.pop(part.game)  # the answer deletes it
    playing = services.games.pick(part.game, part.revision, user, label, source=answer.source)

    async def show_next(update: GameUpdate) -> None:
        await answer.edit_message(await next_in_round(answer, part.game, update))

    await answer.play_or_vote(playing, answer.edit_message, show_next if in_round(answer) else None)
