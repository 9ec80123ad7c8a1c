"""The buttons and lists of the private views: a game's page, its replay, a board for trying."""

import re
from typing import Any

import discord

from bot.base.ids import NO_GUILD, GameId, GuildId, SourceId, UserId
from bot.connection.forms import one_line, typed
from bot.connection.from_id import FromId
from bot.features.explore.words import explore, explore_form, hinted, shared_line
from bot.features.reviews.use_cases import Reviews
from bot.play.doors.answers import Answer, answering
from bot.play.doors.looking import (
    around,
    asker,
    hint_in,
    look_at,
    share,
    show_explore,
    show_page,
    show_replay,
    thoughts_on,
    try_again,
)
from bot.play.doors.services import Interaction
from bot.play.model.refusals.looking import NoEngineHelp, NoSuchPly
from bot.play.model.refusals.playing import IllegalPlay, TurnOver, UnreadableMove
from bot.play.model.spots import LINE, SPOT, Seen, Spot, see
from bot.play.words.asides import played as played_post
from bot.play.words.game_page import OWN_FORMAT, games_list
from bot.play.words.game_page import record as record_post
from bot.play.words.pictures import seats
from bot.play.words.replay import animated, shared_ply, web_page
from bot.play.words.views import film as film_post
from dvonn import Coordinates, IllegalMoveError, Move, NotationError, Phase, parse_moves
from dvonn.formats import FORMATS

_LONGEST_TYPED = 400
_FORM = re.compile(rf"dvonn:try:{SPOT}{LINE}")
_FIELD = "moves"


class GameButton(FromId, template=r"dvonn:game:(?P<game>[0-9]{1,18}):page"):
    """A game's page, or the way back to it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the page."""
        async with answering(interaction) as answer:
            await show_page(answer, await interaction.client.desk.games.current(self.game))


class GamesSelect(FromId, template=r"dvonn:games:open"):
    """A list of one's games."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Open the page of the one that was chosen."""
        async with answering(interaction) as answer:
            if self.number is None:
                raise TurnOver
            game = await interaction.client.desk.games.current(GameId(self.number))
            await show_page(answer, game)


class GamesButton(FromId, template=r"dvonn:games:(?P<action>before|after):(?P<game>[0-9]{1,18})"):
    """Older or newer games that are over."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show another page."""
        async with answering(interaction) as answer:
            guild, user = GuildId(interaction.guild_id or NO_GUILD), UserId(interaction.user.id)
            games = await interaction.client.desk.history.ended(
                guild, user, **{self.action: self.game}
            )
            await answer.view(games_list(answer.reader, (), games, guild, user))


class ReplayButton(
    FromId,
    template=rf"dvonn:replay:{SPOT}:(?P<action>at|first|back|next|last|share|record|film|page)",
):
    """A ply of a game, or what can be done with it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show it, or do that."""
        async with answering(interaction) as answer:
            seen = await look_at(interaction, Spot.found(self.found))
            match self.action:
                case "share":
                    by = UserId(interaction.user.id)
                    reader = await answer.everybody()
                    await share(answer, seen, shared_ply(reader, seen, by))
                case "record":
                    await show_record(answer, seen)
                case "film":
                    film = film_post(answer.reader, seen)
                    gif = await interaction.client.desk.publisher.animate(film)
                    await answer.privately(animated(answer.reader, film, gif))
                case "page":
                    await self._page(answer, seen)
                case _:
                    await show_replay(answer, seen)

    async def _page(self, answer: Answer, seen: Seen) -> None:
        """Give a page for a browser, with the review where there is one."""
        desk, game = answer.interaction.client.desk, seen.spot.game
        (user, guild), review, why_not = asker(answer.interaction), None, ""
        if game is not None and not seen.is_running:
            try:
                review = await desk.of(Reviews).told(game, user=user, guild=guild)
            except NoEngineHelp as error:
                why_not = desk.refusal(answer.reader, error)
        film = film_post(answer.reader, seen, review)
        page = await desk.publisher.page(film)
        await answer.privately(web_page(answer.reader, film, page, why_not))


async def show_record(answer: Answer, seen: Seen, form: str = OWN_FORMAT) -> None:
    """Give the record of a game, with the names that were heard last."""
    desk, game = answer.interaction.client.desk, seen.game
    if game is None:
        raise TurnOver
    white, black = seats(game).names(desk.names.name)
    game, record = await desk.history.record(game.row.id, white=white, black=black)
    await answer.view(record_post(answer.reader, game, record, form))


class FormatSelect(FromId, template=r"dvonn:record:(?P<game>[0-9]{1,18})"):
    """A list of programs, in whose form a record can be had."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Give the record in that form."""
        async with answering(interaction) as answer:
            if self.chosen not in FORMATS:
                raise TurnOver
            await show_record(answer, await look_at(interaction, Spot(self.game)), self.chosen)


class JumpSelect(FromId, template=rf"dvonn:replay:{SPOT}:jump"):
    """A list of plies to jump to."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the ply that was chosen."""
        async with answering(interaction) as answer:
            if self.number is None:
                raise NoSuchPly
            spot = Spot.found(self.found).at(self.number)
            await show_replay(answer, await look_at(interaction, spot))


class TryAgainButton(FromId, template=r"dvonn:explore:(?P<game>[0-9]{1,18}):again"):
    """Try again, under the last board: the board before one's own mistake."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show a board of one's own."""
        async with answering(interaction) as answer:
            await show_explore(answer, await try_again(interaction, self.game), again=True)


class ExploreButton(FromId, template=rf"dvonn:explore:{SPOT}{LINE}:(?P<action>at|ask|share|type)"):
    """A board to try moves on, or what can be done with it."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show it, or do that."""
        async with answering(interaction) as answer:
            seen = await look_at(interaction, Spot.found(self.found))
            match self.action:
                case "ask":
                    thoughts = await thoughts_on(interaction, seen)
                    await show_explore(answer, seen, thoughts=thoughts)
                case "share":
                    by = UserId(interaction.user.id)
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


class ExploreSelect(FromId, template=rf"dvonn:explore:{SPOT}{LINE}:(?P<action>stack|space[01])"):
    """A stack to try a move with, or a free space to place on."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show where the stack may go, or the board with the piece."""
        async with answering(interaction) as answer:
            seen = await look_at(interaction, Spot.found(self.found))
            point = seen.coordinates.point(self.chosen)
            if point is None:
                raise NoSuchPly
            if self.action == "stack":
                here = around(interaction)
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
    """The moves of a text in some coordinates, all of which the rules allow.

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


class HintButton(FromId, template=r"dvonn:hint:(?P<game>[0-9]{1,18})"):
    """Hint, where the machine plays or both players have agreed on hints."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Say what the engine would play, to the player alone."""
        async with answering(interaction) as answer:
            game, thoughts = await hint_in(interaction, self.game)
            await answer.privately(hinted(answer.reader, game, thoughts))


class SuggestHintsButton(FromId, template=r"dvonn:hints:(?P<game>[0-9]{1,18})"):
    """Suggest hints, on the page of a game between people."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Ask the other player, where everybody sees it; or agree, if they have asked."""
        async with answering(interaction) as answer:
            update = await interaction.client.desk.offers.suggest_hints(
                self.game, UserId(interaction.user.id), source=SourceId(interaction.id)
            )
            await answer.publish(update, answer.privately(played_post(answer.reader, update)))
