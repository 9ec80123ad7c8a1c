"""Announces accepted changes in Discord, with their pictures."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, TypeVar

from bot.base.ids import BEFORE_START, NO_GUILD, GuildId, MessageId, Revision, UserId
from bot.base.metrics import RENDERING_QUEUE, RENDERING_SECONDS
from bot.connection.bounded_cache import BoundedCache
from bot.connection.channel_requests import Channels
from bot.connection.delivery_handlers import DeliveryHandler, OutgoingMessage
from bot.connection.posts import File, NameOf, Post, Renderable
from bot.connection.sender import Sender
from bot.connection.tasks import InFlightWork
from bot.connection.triggers import count_change
from bot.database.delivery_rows import BOARD, NOTE, THREAD, Delivery
from bot.play.deleted_channels import DeletedChannels
from bot.play.delivery.boards import BoardHandler, DeliveryContext, ThreadHandler, try_once
from bot.play.delivery.notes import NoteHandler
from bot.play.delivery.undelivered import DeletedChannelHandler, UndeliveredHandler
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game, GameRow
from bot.play.model.limits import limit_of
from bot.play.readers import NameCache, Readers
from bot.play.use_cases.endings import Endings
from bot.play.use_cases.use_cases import UseCases
from bot.play.words.boards import board as board_post
from bot.play.words.pictures import Film, turn_of_picture
from bot.play.words.views import BoardPart
from renderer import warm_up

_Result = TypeVar("_Result")

_RECHECK_AFTER: Final = timedelta(hours=1)
"""Delay before a player who was still in the server is checked again."""


class Renderer:
    """Renders pictures in a separate thread."""

    def __init__(self, names: NameCache) -> None:
        self._names = names
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="rendering")
        self._thread.submit(warm_up)
        # An animation takes as long as about twenty boards, which must not wait for it.
        self._animation_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="animating")

    async def render(self, picture: Renderable) -> File:
        make = picture.rendering(self._names.name)
        with RENDERING_QUEUE.track_inprogress():
            png = await asyncio.get_running_loop().run_in_executor(self._thread, _run_timed, make)
        return File(picture.filename, png, picture.described(self._names.name))

    async def replay(self, prepare: Callable[[NameOf], Callable[[], _Result]]) -> _Result:
        make = prepare(self._names.name)
        return await asyncio.get_running_loop().run_in_executor(self._animation_thread, make)

    def close(self) -> None:
        for thread in (self._thread, self._animation_thread):
            thread.shutdown(wait=False, cancel_futures=True)


@RENDERING_SECONDS.time()
def _run_timed(make: Callable[[], bytes]) -> bytes:
    return make()


class Departures:
    """Checks whether players have left a server, which Discord doesn't announce to the bot."""

    def __init__(
        self, channels: Channels, endings: Endings, *, now: Callable[[], datetime]
    ) -> None:
        self._channels = channels
        self._endings = endings
        self._now = now
        self._seen: BoundedCache[tuple[GuildId, UserId], datetime] = BoundedCache()

    async def check(self, game: Game) -> GameUpdate | None:
        """Return an update if the player to move has left, or None if they have not."""
        row, player = game.row, game.to_move
        is_here = row.visiting or row.guild == NO_GUILD or game.is_voted or player == row.machine
        if player is None or is_here or game.is_member_gone:
            return None
        checked_at = self._seen.get((row.guild, player))
        if checked_at is not None and self._now() - checked_at < _RECHECK_AFTER:
            return None
        if player in await self._channels.departed(row.guild, [player]):
            return await self._endings.note_departure(row.id, player)
        self._seen.put((row.guild, player), self._now())
        return None


class Publisher:
    """Sends all messages of one client's shards."""

    def __init__(
        self,
        cases: UseCases,
        channels: Channels,
        deleted_channels: DeletedChannels,
        names: NameCache,
        readers: Readers,
        work: InFlightWork,
        *,
        deliveries: Iterable[Callable[[DeliveryContext], DeliveryHandler]],
        board_parts: Sequence[BoardPart],
        now: Callable[[], datetime],
    ) -> None:
        self.channels = channels
        self._renderer = Renderer(names)
        self.render_picture = self._renderer.render
        self.context = context = DeliveryContext(
            cases=cases,
            channels=channels,
            names=names,
            readers=readers,
            deleted_channels=deleted_channels,
            work=work,
            board_parts=board_parts,
            render=self.render,
            publish=self.publish,
            check_departure=self.check_departure,
            correct_limit=self.correct_limit,
            now=now,
        )
        self._threads, self._boards = ThreadHandler(context), BoardHandler(context)
        self._notes = NoteHandler(context)
        kinds = (
            self._threads,
            self._boards,
            self._notes,
            UndeliveredHandler(context),
            DeletedChannelHandler(context),
            *(make(context) for make in deliveries),
        )
        self.sender = Sender(cases.store.deliveries, kinds, work, now=now)
        self._departures = Departures(channels, cases.leaving, now=now)
        self._watchers: list[Callable[[GameUpdate], None]] = []

    def replace_with_board(
        self, row: GameRow, message: MessageId, revision: Revision = BEFORE_START
    ) -> None:
        """Let a game's next board replace a message, if that is still the newest message.

        `revision` is the revision that the message shows after a button press, without a delivery.
        """
        self._boards.replace_with_next_board(row, message, revision)

    async def board(self, game: Game) -> Post:
        return await self.context.board(game)

    def watch(self, watcher: Callable[[GameUpdate], None]) -> None:
        """Call `watcher` for each change of a game, before the change is sent."""
        self._watchers.append(watcher)

    async def render(self, post: Post) -> File | None:
        return None if post.picture is None else await self.render_picture(post.picture)

    async def animate(self, film: Film) -> bytes:
        return await self._renderer.replay(film.animation)

    async def page(self, film: Film) -> bytes:
        return (await self._renderer.replay(film.page)).encode()

    async def publish(
        self, update: GameUpdate, posted_boards: Mapping[str, MessageId] = MappingProxyType({})
    ) -> bool:
        """Send an update's deliveries and return True if all were sent.

        Failed deliveries stay queued and are retried.

        Args:
            update: The accepted change.
            posted_boards: Boards that are already in the channel, by their pictures' names. After a
                backup is restored, moves made since the backup are played again.
        """
        for watcher in self._watchers:
            watcher(update)
        row = update.game.row
        outgoing = [
            self._outgoing(delivery, update, posted_boards) for delivery in update.deliveries
        ]
        is_sent = await self.sender.send_now(row.id, outgoing)
        count_change(row.id, row.revision, is_sent=is_sent)
        if BOARD not in [delivery.kind for delivery in update.deliveries]:
            self.context.work.start(try_once(row.id, self.correct_limit(update.game)))
        return is_sent

    async def check_departure(self, game: Game) -> None:
        """Check whether the player to move has left the server. If so, notify the other player."""
        update = await self._departures.check(game)
        if update is not None:
            await self.publish(update)

    async def correct_limit(self, game: Game) -> None:
        """Correct the time limit on a game's newest board if it is outdated.

        Vacations, outages, gifts of time, pauses and late boards change it.

        Raises:
            One of `DISCORD_ERRORS`: if Discord refuses.
        """
        row, context, now = game.row, self.context, self.context.now()
        deliveries = context.cases.store.deliveries
        pauses = await context.cases.games.pauses(game)
        limit = limit_of(game, game.deadline(pauses, now), game.displayed_pause(pauses, now))
        if limit is None or row.visiting:
            return
        board = await deliveries.newest_of(row.id, BOARD)
        # Boards without a stored limit or a known message are left alone.
        if board is None or board.message is None or "until_ms" not in board.data:
            return
        is_live = row.clock is not None and row.clock.is_live
        if limit.is_shown_by(board.data, live=is_live):
            return
        old_update, pause = await context.news(*board.event_key), game.pause
        is_paused = pause is not None and pause.as_pause(now).covers(now)
        update = replace(
            old_update,
            game=replace(old_update.game, pause=pause if is_paused else None),
            deadline=limit.until,
            pause=limit.pause,
        )
        reader = await context.readers.for_game(row)
        content = board_post(reader, update, parts=context.board_parts).content
        await context.channels.reword(board.channel, board.message, content)
        await deliveries.note(board, {**board.data, **limit.data})

    async def check_game(self, game: Game) -> None:
        """Check whether the player to move has left, and correct the time limit on the board."""
        await self.check_departure(game)
        self.context.work.start(try_once(game.row.id, self.correct_limit(game)))

    def close(self) -> None:
        self._renderer.close()

    def _outgoing(
        self, row: Delivery, update: GameUpdate, posted_boards: Mapping[str, MessageId]
    ) -> OutgoingMessage:
        if row.kind == THREAD:
            return self._threads.opening(row, update.game.row)
        if row.kind == NOTE:
            return self._notes.news(row, update)
        message = _posted_board(row, posted_boards)
        return (
            self._boards.news(row, update)
            if message is None
            else self._boards.standing(row, message)
        )


def _posted_board(row: Delivery, posted_boards: Mapping[str, MessageId]) -> MessageId | None:
    """Return the message that shows this revision's board, or a later one.

    Boards of the placement phase are deleted, so that exact board may be missing.
    """
    turns = {turn: name for name in posted_boards if (turn := turn_of_picture(name)) is not None}
    later_keys = [turn for turn in turns if turn[0] == row.event_key[0] and turn >= row.event_key]
    return posted_boards[turns[min(later_keys)]] if later_keys else None
