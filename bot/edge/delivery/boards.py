"""Boards, each with the news of its game, and the threads in which games are played.

Of several unsent boards of a game only the newest is sent, and it tells of the others.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord
import structlog

from bot import messages
from bot.edge.channels import Channels, send
from bot.edge.delivery.kinds import Kind, Parcel
from bot.edge.trouble import TROUBLE
from bot.edge.vanished import Vanished
from bot.edge.work import Work
from bot.games import Games
from bot.games.update import Update
from bot.messages import Post
from bot.model.game import Game, GameRow
from bot.model.ids import BEFORE_START, GameId, MessageId
from bot.model.terms import PlacementBoards
from bot.store import Store
from bot.store.rows import BOARD, THREAD, Delivery
from dvonn import Phase

_log = structlog.get_logger()

_NONCES = 100_000
"""A nonce has room for 25 characters, and Discord remembers it for a few minutes."""


class ThreadKind(Kind):
    """A thread opens at the message of a challenge. Opening it twice does no harm."""

    name = THREAD
    in_order = True

    def __init__(self, channels: Channels, store: Store, vanished: Vanished) -> None:
        super().__init__(channels)
        self._store = store
        self._vanished = vanished

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel:
        """The thread of one game."""
        (row,) = rows
        game = await self._store.games.get(row.turn[0])
        assert game is not None  # games are never deleted  # noqa: S101
        return self.opening(row, game)

    def opening(self, row: Delivery, game: GameRow) -> Parcel:
        """The thread of a game that is at hand."""
        return Parcel([row], partial(self.channels.open_thread, row, game))

    async def find(self, row: Delivery) -> MessageId | None:  # noqa: ARG002
        """Discord says so when it is opened twice."""
        return None

    async def refused(self, row: Delivery) -> None:
        """Perhaps the message is no more."""
        await self._vanished.look(row.turn[0])


class BoardKind(Kind):
    """A board is known again by its picture's name."""

    name = BOARD
    in_order = True

    def __init__(
        self,
        channels: Channels,
        store: Store,
        games: Games,
        work: Work,
        vanished: Vanished,
        *,
        draw: Callable[[Post], Awaitable[bytes | None]],
    ) -> None:
        super().__init__(channels)
        self._store = store
        self._games = games
        self._work = work
        self._vanished = vanished
        self._draw = draw
        # The boards that this process has sent, while they can be edited.
        self._newest: dict[GameId, MessageId] = {}
        self._courtesies: set[asyncio.Task[None]] = set()

    async def prepare(self, rows: Sequence[Delivery]) -> Parcel:
        """One board, with all that has not been told."""
        (row,) = rows
        game, revision = row.turn
        told = await self._store.deliveries.newest_told(game, revision)
        after = BEFORE_START if told is None else told
        return self.news(row, await self._games.untold(game, revision, after))

    def news(self, row: Delivery, update: Update) -> Parcel:
        """A board with all that is to be told by it."""
        return Parcel(
            [row],
            partial(self._send_board, row, update),
            partial(self._be_courteous, row, update.game),
        )

    def standing(self, row: Delivery, message: MessageId) -> Parcel:
        """A board that stands in the channel already."""

        async def know() -> MessageId:
            return message

        return Parcel([row], know)

    async def overtaken(self, rows: Sequence[Delivery]) -> Sequence[Delivery]:
        """All but the newest; and that, too, where another process has sent a newer one."""
        game, revision = rows[-1].turn
        told = await self._store.deliveries.newest_told(game)
        return rows[:-1] if told is None or revision > told else rows

    def is_it(self, message: discord.Message, row: Delivery) -> bool:
        """Whether a message has the picture of that turn."""
        name = messages.picture_name(*row.turn)
        return any(file.filename == name for file in message.attachments)

    async def find(self, row: Delivery) -> MessageId | None:
        """In the channel; or in place of the board before it."""
        older = await self._store.deliveries.newest_board(*row.turn)
        found = await super().find(row)
        if found is not None or older is None:
            return found
        with suppress(discord.NotFound):
            there = await self.channels(row.channel).fetch_message(older[1])
            if self.channels.is_own(there) and self.is_it(there, row):
                return older[1]
        return None

    async def refused(self, row: Delivery) -> None:
        """Perhaps the place of the game is no more."""
        await self._vanished.look(row.turn[0])

    async def _send_board(self, row: Delivery, update: Update) -> MessageId:
        post = messages.board(update)
        if row.silent:
            post = replace(post, ping=None)  # the player to move is named, and hears nothing
        png = await self._draw(post)
        older = await self._to_replace(row, update.game)
        if older is not None:
            with suppress(discord.NotFound):  # somebody deleted it just now
                return await self.channels.replace(row.channel, older, post, png)
        game, revision = row.turn
        # After a restored backup, another event may have the same game and revision.
        written_s = int(update.told[-1].event.at.timestamp())
        nonce = f"{game}-{revision}-{written_s % _NONCES}"
        return await send(self.channels(row.channel), post, nonce, png)

    async def _to_replace(self, row: Delivery, game: Game) -> MessageId | None:
        """The last board, where it is still the newest message and the moderators chose so."""
        older = self._newest.get(game.row.id)
        if (
            older is None
            or game.position.phase is not Phase.PLACEMENT
            or not game.is_running
            # Whoever is asked, or waited for, has to hear of it, and edits ring nowhere.
            or game.asked is not None
            or game.left_by is not None
            or not self.channels.is_newest(row.channel, older)
        ):
            return None
        rules = await self._store.guilds.rules(game.row.guild)
        return older if rules.placement_boards is PlacementBoards.EDIT else None

    def _be_courteous(self, row: Delivery, game: Game, message: MessageId) -> None:
        """Tidy up beside the turn: tried once, and nothing depends on it."""
        if game.is_running and game.position.phase is Phase.PLACEMENT:
            self._newest[game.row.id] = message
        else:
            self._newest.pop(game.row.id, None)
        task = self._work.start(self._tidy_up(row, game, message))
        self._courtesies.add(task)
        task.add_done_callback(self._courtesies.discard)

    async def _tidy_up(self, row: Delivery, game: Game, message: MessageId) -> None:
        try:
            older = await self._store.deliveries.newest_board(*row.turn)
            if older is not None and older[1] != message:
                await self.channels.take_buttons_off(*older)
            if not game.is_running and game.row.own_thread:
                await self.channels.put_away(game.row.channel)
        except TROUBLE as error:
            _log.info("a courtesy was refused", game=row.game, error=str(error))
        except Exception:
            _log.exception("a courtesy failed", game=row.game)
