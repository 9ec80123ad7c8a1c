"""Handles /board, /games and the buttons of views, and loads what views share."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final

import discord
from discord import app_commands

from bot.base.ids import ChannelId, GameId, Revision
from bot.connection.permissions import THREADS, is_direct
from bot.connection.posts import Post
from bot.play.extension_points import ExtensionPoint
from bot.play.handlers import interactions
from bot.play.handlers.board_buttons import BOARD_ID
from bot.play.handlers.rounds import waiting
from bot.play.model.game import Game
from bot.play.model.refusals import StaleBoard
from bot.play.model.refused_starts import NotAllowed
from bot.play.use_cases.offers import no_pause
from bot.play.words.boards import board_as_text as board_as_text_post
from bot.play.words.boards import board_view
from bot.play.words.clocks import with_clocks
from bot.play.words.moves import board_aloud, legal_moves
from bot.play.words.pictures import seats, turn_of_picture
from bot.play.words.rounds import begin_round
from bot.replay.model.pasted import in_message
from bot.replay.model.refusals import BadPaste, GameStillRunning, NoBoard, NoSuchPly
from bot.replay.model.replays import SPOT, ReplayCursor, ReplayView, commented, sequence_of, view_at
from bot.replay.parts import page_parts, replay_parts, shared_parts
from bot.replay.use_cases.history import History
from bot.replay.words import game_page as pages
from bot.replay.words.views import film as film_post
from bot.replay.words.views import game_link
from dvonn import GameRecord
from dvonn.formats import FORMATS


async def load_view(interaction: interactions.Interaction, cursor: ReplayCursor) -> ReplayView:
    """Return the view at a cursor.

    A pasted record is read from the message itself.

    Raises:
        GameNotRunning: if there is no such game.
        NoSuchPly, LineTooLong: like `view_at`.
    """
    if cursor.game is not None:
        game = await interaction.client.services.game_cache.existing(cursor.game)
        return view_at(cursor, sequence_of(game), game)
    if interaction.message is None:
        raise NoSuchPly
    try:
        return view_at(cursor, in_message(interaction.message.content))
    except BadPaste as error:
        raise NoSuchPly from error


async def show_page(answer: interactions.Answer, game: Game, *, is_below: bool = False) -> None:
    newest = await answer.services.store.deliveries.newest_board(game.row.id)
    user, pause, now = answer.user, game.pause, answer.services.now()
    sequence = sequence_of(game)
    newest_ply = ReplayCursor(game.row.id, sequence.plies)
    asker = pages.PageAsker(
        user,
        has_machine=answer.services.has_machine,
        may_end=await answer.services.leaving.may_end(game, user),
        may_pause=no_pause(game, now) is None,
        may_resume=pause is not None and pause.may_end(user, now),
        link=link_to(answer, view_at(newest_ply, sequence, game)),
    )
    parts = page_parts(answer.services.extensions)
    page = pages.game_page(answer.reader, game, newest, asker, parts)
    await answer.view(replace(page, picture=None) if is_below else page)


async def show_replay(answer: interactions.Answer, view: ReplayView) -> None:
    interaction = answer.interaction
    parts = replay_parts(answer.services.extensions)
    await answer.view(
        pages.replay(answer.reader, view, may_share=may_share(interaction), parts=parts)
    )


def may_share(interaction: interactions.Interaction) -> bool:
    """Return True if other people read the channel and the user may write there."""
    if interaction.guild_id is None:
        return not is_direct(interaction)
    permissions = interaction.permissions
    is_thread = interaction.channel is not None and interaction.channel.type in THREADS
    return permissions.send_messages_in_threads if is_thread else permissions.send_messages


async def share(answer: interactions.Answer, view: ReplayView, post: Post) -> None:
    """Post a private view for everyone in the channel.

    Raises:
        GameStillRunning: if it shows a running game between people.
        NotAllowed: if the user may not write there.
    """
    if view.is_running:
        raise GameStillRunning
    if not may_share(answer.interaction):
        raise NotAllowed("Send Messages")
    await answer.send_public(post)


def link_to(answer: interactions.Answer, view: ReplayView) -> str:
    """Return a view's link on the host's page of games, or "" if there is no such page."""
    return game_link(view, answer.client.game_page, answer.services.names.name)


@interactions.in_help()
@app_commands.command(description="Show the board and the clocks; only you see it")
@app_commands.describe(text="As text, for screen readers")
@interactions.anywhere
async def board(interaction: interactions.Interaction, text: bool = False) -> None:
    async with interactions.answering(interaction) as answer:
        services = answer.services
        game, clocks = await services.clocks.in_channel(interactions.channel_of(interaction))
        board_post = (
            board_aloud(answer.reader, game, answer.user)
            if text
            else board_view(answer.reader, game)
        )
        post = with_clocks(answer.reader, board_post, game, clocks)
        await answer.send_private(post)
        await services.publisher.check_departure(game)


@interactions.in_help()
@app_commands.command(description="List your games in this server, finished ones too")
@interactions.anywhere
async def games(interaction: interactions.Interaction) -> None:
    async with interactions.answering(interaction) as answer:
        services, user = answer.services, answer.user
        guild = interactions.guild_of(interaction)
        running = await services.own_games.running(guild, user)
        ended = await services.require(History).ended(guild, user)
        post = pages.games_list(answer.reader, running, ended, guild, user)
        if (boards := services.own_boards) is not None:
            post = replace(post, selects=(*post.selects, *await boards.listed(answer)))
        buttons = begin_round(answer.reader, len(waiting(running, user)))
        await answer.send_private(replace(post, buttons=(*buttons, *post.buttons)))


@app_commands.context_menu(name="Board as text")
@interactions.anywhere
async def board_as_text(interaction: interactions.Interaction, message: discord.Message) -> None:
    async with interactions.answering(interaction) as answer:
        number, revision = shown_board(interaction, message)
        game, is_newest = await answer.services.games.at_revision(number, revision)
        post = board_as_text_post(answer.reader, game, is_newest=is_newest, asker=answer.user)
        await answer.send_private(post)


@app_commands.context_menu(name="My moves")
@interactions.anywhere
async def my_moves(interaction: interactions.Interaction, message: discord.Message) -> None:
    async with interactions.answering(interaction) as answer:
        number, _ = shown_board(interaction, message)
        game = await answer.services.games.may_move(number, answer.user)
        await answer.send_private(legal_moves(answer.reader, game))


@app_commands.context_menu(name="Replay")
@interactions.anywhere
async def replay_game(interaction: interactions.Interaction, message: discord.Message) -> None:
    async with interactions.answering(interaction) as answer:
        number, revision = shown_board(interaction, message)
        game, ply, _ = await answer.services.require(History).at_board(number, revision)
        await show_replay(answer, view_at(ReplayCursor(number, ply), sequence_of(game), game))


def shown_board(
    interaction: interactions.Interaction, message: discord.Message
) -> tuple[GameId, Revision]:
    """Return the game and revision that a message shows.

    Raises:
        NoBoard: if it shows none, or someone else wrote it.
    """
    bot_user = interaction.client.user
    if bot_user is not None and message.author.id == bot_user.id:
        for file in message.attachments:
            turn = turn_of_picture(file.filename)
            if turn is not None:
                return turn
    raise NoBoard


class GameButton(interactions.Component, template=r"dvonn:game:(?P<game>[0-9]{1,18}):page"):
    """Opens a game's page, or returns to it."""

    async def respond(self, answer: interactions.Answer) -> None:
        await show_page(answer, await answer.services.game_cache.existing(self.game))


class MoreButton(interactions.Component, template=BOARD_ID + "more"):
    """Button *More* below a board that shows the buttons that don't fit there."""

    async def respond(self, answer: interactions.Answer) -> None:
        game = await answer.services.game_cache.existing(self.game)
        await show_page(answer, game, is_below=True)


class GamesSelect(interactions.Component, template=r"dvonn:games:open"):
    """Select that opens one of the user's games."""

    async def respond(self, answer: interactions.Answer) -> None:
        if self.number is None:
            raise StaleBoard
        await answer.check_may_read(GameId(self.number))
        game = await answer.services.game_cache.existing(GameId(self.number))
        await show_page(answer, game)


class GamesButton(
    interactions.Component, template=r"dvonn:games:(?P<action>before|after):(?P<game>[0-9]{1,18})"
):
    """Buttons for older or newer ended games."""

    async def respond(self, answer: interactions.Answer) -> None:
        games = await answer.services.require(History).ended(
            answer.guild, answer.user, **{self.action: self.game}
        )
        await answer.view(pages.ended_list(answer.reader, games, answer.user))


class GamesPageButton(
    interactions.Component, template=r"dvonn:games:(?P<action>running|ended):(?P<page>[0-9]{1,4})"
):
    """Buttons for a page of running games, and for the latest ended games."""

    async def respond(self, answer: interactions.Answer) -> None:
        services, guild, user = answer.services, answer.guild, answer.user
        games = await services.require(History).ended(guild, user)
        if self.action == "ended":
            await answer.view(pages.ended_list(answer.reader, games, user))
            return
        running, page = await services.own_games.running(guild, user), int(self.match["page"])
        await answer.view(pages.games_list(answer.reader, running, games, guild, user, page))


class ReplayButton(
    interactions.Component,
    template=rf"dvonn:replay:{SPOT}:(?P<action>at|first|back|next|last|share|record|film)",
):
    """Buttons that show a ply of a game, share it, or save the game as a file."""

    async def respond(self, answer: interactions.Answer) -> None:
        view = await load_view(answer.interaction, ReplayCursor.from_match(self.match))
        match self.action:
            case "share":
                reader, parts = (
                    await answer.public_reader(),
                    shared_parts(answer.services.extensions),
                )
                link = link_to(answer, view)
                await share(
                    answer, view, pages.shared_ply(reader, view, answer.user, parts, link=link)
                )
            case "record":
                await show_record(answer, view)
            case "film":
                film = film_post(answer.reader, view)
                gif = await answer.services.publisher.animate(film)
                names = answer.services.names.name
                await answer.send_private(pages.animated(answer.reader, film, gif, names))
            case _:
                await show_replay(answer, view)


RECORD_COMMENTS: Final = ExtensionPoint[
    Callable[[interactions.Services, Game], Awaitable[Mapping[int, str]]]
]()
"""Functions that return comments for a game's record, by number of moves before them."""


async def show_record(
    answer: interactions.Answer, view: ReplayView, form: str = pages.OWN_FORMAT
) -> None:
    """Send a game's record, with the last known names."""
    services, game = answer.services, view.game
    if game is None:
        raise StaleBoard
    white, black = seats(game).names(services.names.name)
    game, record = await services.require(History).record(game.row.id, white=white, black=black)
    boards = services.own_boards
    tree = None if boards is None else await boards.tree(answer, game)
    for comments_of in services.extensions.all_of(RECORD_COMMENTS):
        if comments := await comments_of(services, game):
            tree = commented(record.tree if tree is None else tree, comments)
    if tree is not None:
        record = GameRecord(tree, record.headers, record.coordinates, start=record.start)
    await answer.view(pages.record(answer.reader, game, record, form))


class FormatSelect(interactions.Component, template=r"dvonn:record:(?P<game>[0-9]{1,18})"):
    """Select for the format of a game's record, by program."""

    async def respond(self, answer: interactions.Answer) -> None:
        if self.chosen not in FORMATS:
            raise StaleBoard
        await show_record(
            answer, await load_view(answer.interaction, ReplayCursor(self.game)), self.chosen
        )


class JumpSelect(interactions.Component, template=rf"dvonn:replay:{SPOT}:jump"):
    """Select that jumps to a ply of a replay."""

    async def respond(self, answer: interactions.Answer) -> None:
        if self.number is None:
            raise NoSuchPly
        cursor = ReplayCursor.from_match(self.match).at_ply(self.number)
        await show_replay(answer, await load_view(answer.interaction, cursor))


class NoticeButton(interactions.Component, template=r"dvonn:notice:(?P<notice>set-back|in-part)"):
    """Shows the current board of the channel's game. Its custom id also identifies the notice."""

    async def respond(self, answer: interactions.Answer) -> None:
        services = answer.services
        game = await services.game_cache.running_in(ChannelId(answer.interaction.channel_id or 0))
        await answer.send_private(board_view(answer.reader, game))
