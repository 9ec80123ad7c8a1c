"""The door to the one way out: what came of an accepted change is sent at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from bot.base.ids import MessageId
from bot.connection.channel_requests import Channels
from bot.connection.delivery_kinds import Kind, Parcel
from bot.connection.display_names import Names
from bot.connection.posts import Post, Renderable
from bot.connection.rendering import Renderer
from bot.connection.sender import Sender
from bot.connection.unfinished_work import Work, played
from bot.database.delivery_rows import AWAY, NOTE, THREAD, Delivery
from bot.play.deleted_channels import DeletedChannels
from bot.play.delivery.boards import AwayKind, BoardKind, DeliveryContext, ThreadKind
from bot.play.delivery.notes import AgainKind, NoteKind, StandingKind
from bot.play.model.game import Game, GameRow
from bot.play.readers import Readers
from bot.play.use_cases.registry import UseCases
from bot.play.use_cases.update import Update
from bot.play.words.pictures import Film, turn_of_picture
from bot.play.words.views import BoardPart


class Publisher:
    """Sends all that one client's shards have to send."""

    def __init__(
        self,
        cases: UseCases,
        channels: Channels,
        deleted_channels: DeletedChannels,
        names: Names,
        readers: Readers,
        work: Work,
        *,
        deliveries: Iterable[Callable[[DeliveryContext], Kind]],
        board_parts: Sequence[BoardPart],
        now: Callable[[], datetime],
    ) -> None:
        self.channels = channels
        self._renderer = Renderer(names)
        made = self._made = DeliveryContext(
            cases=cases,
            channels=channels,
            names=names,
            readers=readers,
            deleted_channels=deleted_channels,
            work=work,
            board_parts=board_parts,
            render=self.render,
            publish=self.publish,
            now=now,
        )
        self._threads, self._away = ThreadKind(made), AwayKind(made)
        self._boards, self._notes = BoardKind(made), NoteKind(made)
        kinds = (
            self._threads,
            self._boards,
            self._notes,
            StandingKind(made),
            AgainKind(made),
            self._away,
            *(make(made) for make in deliveries),
        )
        self.sender = Sender(cases.store.deliveries, kinds, work, now=now)
        self._watchers: list[Callable[[Update], None]] = []

    def begin_as(self, row: GameRow, message: MessageId) -> None:
        """Let a new game's first board take the place of a message, if that stays the newest."""
        self._boards.begin_as(row, message)

    async def board(self, game: Game) -> Post:
        """Return a game's board as it stands, for its message in the channel."""
        return await self._made.board(game)

    def watch(self, watcher: Callable[[Update], None]) -> None:
        """Let somebody know of every change of a game, before it is sent."""
        self._watchers.append(watcher)

    async def render(self, post: Post) -> bytes | None:
        return None if post.picture is None else await self.render_picture(post.picture)

    async def render_picture(self, picture: Renderable) -> bytes:
        return await self._renderer.render(picture)

    async def animate(self, film: Film) -> bytes:
        return await self._renderer.replay(film.animation)

    async def page(self, film: Film) -> bytes:
        return (await self._renderer.replay(film.page)).encode()

    async def publish(
        self, update: Update, posted: Mapping[str, MessageId] = MappingProxyType({})
    ) -> bool:
        """Send what an update brings; whether it went out.

        What fails stays in the table and is tried again.

        Args:
            update: What came of it.
            posted: The boards that are known to stand in the channel already, by their pictures'
                names: a move made before a backup was restored, and played again from there.
        """
        for watcher in self._watchers:
            watcher(update)
        row = update.game.row
        parcels = [self._parcel(one, update, posted) for one in update.deliveries]
        shown = await self.sender.at_once(row.id, parcels)
        played(row.id, row.revision, shown=shown)
        return shown

    def close(self) -> None:
        self._renderer.close()

    def _parcel(self, row: Delivery, update: Update, posted: Mapping[str, MessageId]) -> Parcel:
        if row.kind == THREAD:
            return self._threads.opening(row, update.game.row)
        if row.kind == AWAY:
            return self._away.news(row, update)
        if row.kind == NOTE:
            return self._notes.news(row, update)
        there = _standing(row, posted)
        return (
            self._boards.news(row, update) if there is None else self._boards.standing(row, there)
        )


def _standing(row: Delivery, posted: Mapping[str, MessageId]) -> MessageId | None:
    """Return the board of a turn; or of a later one, for those of the placement are deleted."""
    turns = {turn: name for name in posted if (turn := turn_of_picture(name)) is not None}
    later = [turn for turn in turns if turn[0] == row.turn[0] and turn >= row.turn]
    return posted[turns[min(later)]] if later else None
