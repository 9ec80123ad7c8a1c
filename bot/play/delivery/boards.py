"""Sends boards with the unannounced events of their games, and opens threads for games.

If several boards of a game are unsent, only the newest is sent, with the events of all of them.
"""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import discord
import structlog

from bot.base.errors import StoreError
from bot.base.ids import BEFORE_START, ChannelId, GameId, MessageId, Revision, UserId
from bot.connection.bounded_cache import BoundedCache
from bot.connection.channel_requests import Channels, send_post
from bot.connection.delivery_handlers import DeliveryHandler, OutgoingMessage
from bot.connection.posts import File, Post
from bot.connection.request_demands import best_effort
from bot.connection.request_errors import DISCORD_ERRORS
from bot.connection.tasks import InFlightWork
from bot.database import delivery_rows
from bot.play.deleted_channels import DeletedChannels
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game, GameRow
from bot.play.model.limits import UNKNOWN_LIMIT
from bot.play.model.preferences import NotificationMode, Preferences
from bot.play.model.terms import PlacementBoards
from bot.play.readers import NameCache, Readers
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.boards import board as board_post
from bot.play.words.characters import character
from bot.play.words.pictures import picture_name
from bot.play.words.views import BoardPart, thread_name

_log = structlog.get_logger()

_NONCES = 10_000_000
"""Number of distinct nonces. A nonce has at most 25 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryContext:
    """The services that delivery handlers use."""

    cases: UseCases
    channels: Channels
    names: NameCache
    readers: Readers
    deleted_channels: DeletedChannels
    work: InFlightWork
    board_parts: Sequence[BoardPart]
    render: Callable[[Post], Awaitable[File | None]]
    publish: Callable[[GameUpdate], Awaitable[bool]]
    check_departure: Callable[[Game], Coroutine[Any, Any, None]]
    correct_limit: Callable[[Game], Coroutine[Any, Any, None]]
    now: Callable[[], datetime]

    async def news(self, game: GameId, revision: Revision) -> GameUpdate:
        cases = self.cases
        last_revision = await cases.store.deliveries.newest_announced(game, revision)
        return await cases.games.unannounced(
            game, revision, BEFORE_START if last_revision is None else last_revision
        )

    async def board(self, game: Game) -> Post:
        update = await self.news(game.row.id, game.row.revision)
        reader = await self.readers.for_game(game.row)
        return replace(board_post(reader, update, parts=self.board_parts), pings=())

    async def with_notification_modes(
        self,
        post: Post,
        update: GameUpdate | None = None,
        preferences: Mapping[UserId, Preferences] = MappingProxyType({}),
    ) -> Post:
        """Return the post with its pings adjusted to the users' quiet hours.

        If it pings a single user who is in quiet hours, that user is only named. A user with a
        digest is not pinged for a turn that the next digest will announce early enough.
        `preferences` are those that the caller has already read.
        """
        choices, now = self.cases.store.players, self.now()
        modes = {}
        for player in post.pings:
            user_preferences = preferences.get(player) or await choices.get(player)
            modes[player] = user_preferences.notification_mode(now)
            if update is not None and update.can_wait:
                is_left = user_preferences.leaves_to_digest(now, update.deadline)
                modes[player] = NotificationMode.OFF if is_left else modes[player]
        for mode in (NotificationMode.RINGS, NotificationMode.SILENT):
            if users := tuple(player for player in post.pings if modes[player] is mode):
                return replace(post, pings=users, silent=mode is NotificationMode.SILENT)
        return replace(post, pings=())


class PostHandler(DeliveryHandler):
    """Sends messages that need the game's services and may have a picture."""

    def __init__(self, context: DeliveryContext) -> None:
        super().__init__(context.channels)
        self.context = context

    async def drop(self, row: delivery_rows.Delivery) -> None:
        await self.context.cases.store.deliveries.drop([row], at=self.context.now())

    async def _send(self, row: delivery_rows.Delivery, post: Post) -> MessageId:
        picture = await self.context.render(post)
        return await send_post(await self.channels.destination(row), post, str(row.batch), picture)


class GameNewsHandler(PostHandler):
    """Announces a game's events in order, including all that were not announced before."""

    in_order = True

    def __init__(self, context: DeliveryContext) -> None:
        super().__init__(context)
        self.store = context.cases.store

    @abstractmethod
    def news(self, row: delivery_rows.Delivery, update: GameUpdate) -> OutgoingMessage:
        """Return the message that announces an update."""

    async def prepare(self, rows: Sequence[delivery_rows.Delivery]) -> OutgoingMessage | None:
        (row,) = rows
        return self.news(row, await self.context.news(*row.event_key))

    async def find(self, row: delivery_rows.Delivery) -> MessageId | None:
        """Find the message of an earlier attempt in the channel.

        Return None if the bot is a guest there, because it can't read the history.
        """
        return None if await self.is_visiting(row) else await super().find(row)

    async def is_visiting(self, row: delivery_rows.Delivery) -> bool:
        """Return True if a row's game is played where the bot is a guest."""
        game = await self.store.games.get(row.event_key[0])
        return game is not None and game.visiting

    async def with_machine_reply(
        self, row: delivery_rows.Delivery, update: GameUpdate
    ) -> GameUpdate:
        """Return an update with all unannounced events, up to the machine's reply."""
        if update.game.row.machine is None:
            return update
        return await self.context.news(*row.event_key)

    async def on_refused(self, row: delivery_rows.Delivery) -> None:
        """Handle a refusal by checking whether the game's channel has been deleted."""
        await self.context.deleted_channels.check(row.event_key[0])

    def run_best_effort(
        self, row: delivery_rows.Delivery, cleanup: Coroutine[Any, Any, None]
    ) -> None:
        """Start a cleanup after a turn. It is attempted once, and errors are only logged."""
        self.context.work.start(try_once(row.game, cleanup))


def nonce_of(update: GameUpdate) -> str:
    event = update.events[-1].event
    # After a backup is restored, another event may have the same game and revision.
    cause = event.source or int(event.at.timestamp())
    return f"{event.game}-{event.revision}-{cause % _NONCES}"


async def try_once(game: GameId | None, cleanup: Coroutine[Any, Any, None]) -> None:
    """Attempt optional work for a game once. Errors are only logged."""
    try:
        with best_effort():
            await cleanup
    except DISCORD_ERRORS as error:
        _log.info("cleanup refused", game=game, error=str(error))
    except StoreError:  # the store has logged it
        pass
    except Exception:
        _log.exception("cleanup failed", game=game)


_EDITED_WITHIN: Final = timedelta(minutes=50)
"""Maximum age of a message to edit. Discord limits edits of messages older than an hour."""


_MAX_DELAY: Final = timedelta(seconds=2)
"""Maximum age of an event whose board counts as sent immediately."""


class ThreadHandler(PostHandler):
    """Opens a thread on a challenge's message. This is safe to repeat."""

    name = delivery_rows.THREAD
    in_order = True

    async def prepare(self, rows: Sequence[delivery_rows.Delivery]) -> OutgoingMessage:
        (row,) = rows
        game = await self.context.cases.store.games.get(row.event_key[0])
        assert game is not None  # games are never deleted  # noqa: S101
        return self.opening(row, game)

    def opening(self, row: delivery_rows.Delivery, game: GameRow) -> OutgoingMessage:
        return OutgoingMessage([row], partial(self._open, row, game))

    async def _open(self, row: delivery_rows.Delivery, game: GameRow) -> MessageId:
        reader = await self.context.readers.for_channel(game.guild, row.channel)
        players = game.white, game.black
        members = await self.channels.member_names(game.guild, players)
        names = [
            character(game.level) if player == game.machine and game.level else member
            for player, member in zip(players, members, strict=True)
        ]
        event = await self.context.cases.event_of(game)
        title = "" if event is None or event.title is None else event.title(reader)
        name = thread_name(reader, game.id, *names, event=title)
        return await self.channels.open_thread(row, name)

    async def find(self, row: delivery_rows.Delivery) -> MessageId | None:  # noqa: ARG002
        return None

    async def delayed(self, row: delivery_rows.Delivery) -> None:
        """Notify the players who are waiting for the thread."""
        await self.context.cases.undelivered.notify(row)

    async def on_refused(self, row: delivery_rows.Delivery) -> None:
        await self.context.deleted_channels.check(row.event_key[0])


class BoardHandler(GameNewsHandler):
    """Sends boards, and recognizes them by their pictures' file names."""

    name = delivery_rows.BOARD
    found_data = UNKNOWN_LIMIT

    def __init__(self, context: DeliveryContext) -> None:
        super().__init__(context)
        # The last board sent from here for each running game.
        self._newest: BoundedCache[GameId, delivery_rows.SentMessage] = BoundedCache()

    def news(self, row: delivery_rows.Delivery, update: GameUpdate) -> OutgoingMessage:
        limit = update.limit
        return OutgoingMessage(
            [row],
            partial(self._send_board, row, update),
            partial(self._after_send, row, update),
            data=None if limit is None else limit.data,
        )

    async def delayed(self, row: delivery_rows.Delivery) -> None:
        """Notify the players who are waiting for the board."""
        await self.context.cases.undelivered.notify(row)

    async def on_found(self, row: delivery_rows.Delivery) -> None:
        """Check the deadline again when a board is found that counted as unsent, so no time ran."""
        await self.context.cases.undelivered.on_found(row)

    def replace_with_next_board(self, row: GameRow, message: MessageId, revision: Revision) -> None:
        """Let a game's next board replace a message. See :meth:`Publisher.replace_with_board`."""
        self._newest.put(
            row.id, delivery_rows.SentMessage(self.name, revision, row.channel, message)
        )

    def standing(self, row: delivery_rows.Delivery, message: MessageId) -> OutgoingMessage:
        """Return an outgoing message for a board that is already in the channel."""

        async def posted() -> MessageId:
            return message

        return OutgoingMessage([row], posted)

    async def superseded(
        self, rows: Sequence[delivery_rows.Delivery]
    ) -> Sequence[delivery_rows.Delivery]:
        """Return all boards except the newest, or all boards if a newer one was already sent."""
        boards = [row for row in rows if row.kind == self.name]
        if not boards:
            return ()
        game, revision = boards[-1].event_key
        last_revision = await self.store.deliveries.newest_announced(game, by=[self.name])
        return boards[:-1] if last_revision is None or revision > last_revision else boards

    def matches(self, message: discord.Message, row: delivery_rows.Delivery) -> bool:
        name = picture_name(*row.event_key)
        return any(file.filename == name for file in message.attachments)

    async def find(self, row: delivery_rows.Delivery) -> MessageId | None:
        """Find the message in the channel, or as an edit of the board before it."""
        if await self.is_visiting(row):
            return None
        older = await self._older(row)
        message_id = await super().find(row)
        if message_id is not None or older is None:
            return message_id
        with suppress(discord.NotFound):
            message = await self.channels(row.channel).fetch_message(older[1])
            if self.channels.is_own(message) and self.matches(message, row):
                return older[1]
        return None

    async def _send_board(self, row: delivery_rows.Delivery, update: GameUpdate) -> MessageId:
        limit = update.deadline, update.pause  # stored with its delivery
        update = await self.with_machine_reply(row, update)
        update = replace(update, deadline=limit[0], pause=limit[1])
        reader, preferences = await self.context.readers.for_game_and(update.game.row, update.pings)
        post = board_post(reader, update, parts=self.context.board_parts)
        post = await self.context.with_notification_modes(post, update, preferences)
        picture = await self.context.render(post)
        if update.game.row.visiting:
            return await self.channels.slots.send(row.channel, post, picture)
        older = None if reader.uses_screen_reader else await self._to_replace(row, update)
        if older is not None:
            with suppress(discord.NotFound):  # someone has just deleted it
                return await self.channels.replace(row.channel, older, post, picture)
        return await send_post(self.channels(row.channel), post, nonce_of(update), picture)

    async def _older(self, row: delivery_rows.Delivery) -> tuple[ChannelId, MessageId] | None:
        newest = await self.store.deliveries.newest_sent(*row.event_key, by=[self.name])
        return None if newest is None else newest.location

    async def _to_replace(
        self, row: delivery_rows.Delivery, update: GameUpdate
    ) -> MessageId | None:
        """Return the board that a new one replaces, if nobody needs a notification."""
        if update.corrects_board:  # only if it is still visible: a typed move is posted below it
            board = await self._older(row)
            in_sight = board is not None and self.channels.is_newest(*board)
            return board[1] if board is not None and in_sight and _is_new(row, board[1]) else None
        older = self._newest.get(update.game.row.id)
        if older is None or not self.channels.is_newest(row.channel, older.message):
            return None
        return older.message if await self._may_edit(row, update, older.message) else None

    async def _may_edit(
        self, row: delivery_rows.Delivery, update: GameUpdate, older: MessageId
    ) -> bool:
        """Return True if editing the newest message is enough.

        An edit pings nobody. It is enough if the player is watching for the machine's reply, or if
        moderators chose it for the placement phase.
        """
        game = update.game
        if game.row.is_solo:
            return not update.pings and _is_new(row, older)
        if not game.is_placing or game.left_by is not None:
            return False
        if await self.context.readers.any_uses_screen_reader(game.row.white, game.row.black):
            return False  # an edit would go unnoticed
        rules = await self.store.guilds.rules(game.row.guild)
        return rules.placement_boards is PlacementBoards.EDIT

    def _after_send(
        self, row: delivery_rows.Delivery, update: GameUpdate, message: MessageId
    ) -> None:
        game = update.game
        before = self._newest.pop(game.row.id)
        if before is not None and before.revision + 1 < update.events[0].event.revision:
            before = None  # something else, such as a note, was sent since then
        if game.is_running:
            sent_message = delivery_rows.SentMessage(
                self.name, row.event_key[1], row.channel, message
            )
            self._newest.put(game.row.id, sent_message)
        self.run_best_effort(row, self._clean_up(row, update, message, before))
        if game.to_move in update.pings:
            self.run_best_effort(row, self.context.check_departure(game))
        if self.context.now() - update.events[-1].event.at > _MAX_DELAY:  # its clock started later
            self.run_best_effort(row, self.context.correct_limit(game))
        if not game.is_running and game.row.own_thread:
            self.run_best_effort(row, self.channels.archive_soon(game.row.channel))

    async def _clean_up(
        self,
        row: delivery_rows.Delivery,
        update: GameUpdate,
        message: MessageId,
        newest: delivery_rows.SentMessage | None,
    ) -> None:
        """Keep only one board during placement: remove the older one, or a note's buttons.

        `newest` is the message that announced the previous revision, or None if it is unknown.
        """
        if newest is None:
            newest = await self.store.deliveries.newest_sent(
                *row.event_key, by=[self.name, delivery_rows.NOTE]
            )
        if newest is None:  # it is the game's first board
            await self._delete_challenge(row, message)
            return
        older: delivery_rows.SentMessage | None = newest
        if newest.kind == delivery_rows.NOTE:
            self.run_best_effort(row, self.channels.remove_buttons(*newest.location))
            older = await self.store.deliveries.newest_sent(*row.event_key, by=[self.name])
        if older is None or older.message == message:
            return
        if update.follows_placement:
            await self.channels.delete(*older.location)
            return
        if older.revision >= update.events[0].event.revision or _machine_was_to_move(update):
            await self._remove_thinking_note(update.game, older)
        await self.channels.remove_buttons(*older.location)

    async def _remove_thinking_note(self, game: Game, older: delivery_rows.SentMessage) -> None:
        """Remove the line "the machine is thinking" from a board, once the game has continued."""
        update = await self.context.news(game.row.id, older.revision)
        if not update.game.waits_for_machine:
            return
        reader = await self.context.readers.for_game(game.row)
        post = board_post(reader, replace(update, is_answered=True), parts=self.context.board_parts)
        await self.channels.reword(*older.location, post.content)

    async def _delete_challenge(self, row: delivery_rows.Delivery, board: MessageId) -> None:
        """Delete the message before the first board: the challenge, or a board while thinking.

        A message with a thread is kept.
        """
        challenge = await self.store.challenges.by_game(row.event_key[0])
        if challenge is None or challenge.message is None or challenge.terms.channel != row.channel:
            return
        if challenge.message != board:
            await self.channels.delete(row.channel, challenge.message)


def _machine_was_to_move(update: GameUpdate) -> bool:
    """Return True if the board before an update may say that the machine is thinking."""
    game, turn = update.game, update.events[0].before.turn
    return turn is not None and game.player(turn) == game.row.machine


def _is_new(row: delivery_rows.Delivery, message: MessageId) -> bool:
    return row.tried_at - discord.utils.snowflake_time(message) < _EDITED_WITHIN
