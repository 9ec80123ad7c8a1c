"""The door to the one way out: what came of an accepted change is sent at once."""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from bot.base.ids import MessageId
from bot.connection.channels import Channels
from bot.connection.delivery_kinds import Parcel
from bot.connection.names import Names
from bot.connection.posts import Post
from bot.connection.rendering import Renderer
from bot.connection.sender import Sender
from bot.connection.work import Work, played
from bot.database.rows import AWAY, NOTE, THREAD, Delivery
from bot.features.puzzles.delivery import DailyKind
from bot.features.puzzles.use_cases.dailies import Dailies
from bot.features.reminders.delivery import ReminderKind
from bot.features.reminders.use_cases import Reminders
from bot.features.reviews.delivery import ReviewKind
from bot.features.reviews.use_cases import Reviews
from bot.features.tournaments.delivery.scheduled_events import ScheduledEventKind
from bot.features.tournaments.delivery.to_one import BlockedKind, WithdrawnKind
from bot.features.tournaments.delivery.tournaments import (
    PairingKind,
    Storyteller,
    TournamentNewsKind,
)
from bot.features.tournaments.use_cases.director import Director
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.play.deleted_channels import Vanished
from bot.play.delivery.boards import BoardKind, ThreadKind
from bot.play.delivery.news import Newsroom
from bot.play.delivery.notes import NoteKind
from bot.play.delivery.votes import AgainKind, AwayKind, StandingKind
from bot.play.readers import Readers
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.games import Games
from bot.play.use_cases.preferences import Choices
from bot.play.use_cases.update import Update
from bot.play.use_cases.votes import Votes
from bot.play.words.pictures import Film, turn_of_picture
from bot.store import Store


class Publisher:
    """Sends all that one client's shards have to send."""

    def __init__(
        self,
        channels: Channels,
        store: Store,
        games: Games,
        reminders: Reminders,
        reviews: Reviews,
        dailies: Dailies,
        votes: Votes,
        work: Work,
        choices: Choices,
        fair_play: FairPlay,
        tournaments: Tournaments,
        director: Director,
        seasons: Seasons,
        vanished: Vanished,
        names: Names,
        readers: Readers,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self.channels = channels
        self._renderer = Renderer(names)
        self._threads = ThreadKind(channels, store, readers, vanished)
        room = Newsroom(channels, store, games, choices, fair_play, readers, vanished, work)
        self._boards, self._notes = BoardKind(room, render=self.render), NoteKind(room)
        self._away = AwayKind(room, render=self.render)
        self.teller = Storyteller(channels, store.deliveries, room, names)
        kinds = (
            self._threads,
            self._boards,
            self._notes,
            ReviewKind(room, reviews, now=now),
            ReminderKind(channels, reminders, readers),
            DailyKind(channels, dailies, readers, render=self.render),
            StandingKind(room, votes, now=now),
            AgainKind(room, votes, now=now),
            self._away,
            TournamentNewsKind(
                channels, room, tournaments, seasons, self.teller, render=self.render, now=now
            ),
            PairingKind(
                channels, room, tournaments, director, self.teller, publish=self.publish, now=now
            ),
            WithdrawnKind(channels, room, tournaments, now=now),
            BlockedKind(channels, room, tournaments, now=now),
            ScheduledEventKind(channels, store.deliveries, tournaments, self.teller, now=now),
        )
        self.sender = Sender(store.deliveries, kinds, work, now=now)
        self._watchers: list[Callable[[Update], None]] = []

    def watch(self, watcher: Callable[[Update], None]) -> None:
        """Let somebody know of every change of a game, before it is sent."""
        self._watchers.append(watcher)

    async def render(self, post: Post) -> bytes | None:
        """The picture of a post, if it has one."""
        return None if post.picture is None else await self._renderer.render(post.picture)

    async def animate(self, film: Film) -> bytes:
        """A whole game as a file that moves."""
        return await self._renderer.replay(film.animation)

    async def page(self, film: Film) -> bytes:
        """A whole game as a page for a browser."""
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
        """Let go of what was taken."""
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
    """The board that tells of a turn; or of a later one, for those of the placement are deleted."""
    turns = {turn: name for name in posted if (turn := turn_of_picture(name)) is not None}
    later = [turn for turn in turns if turn[0] == row.turn[0] and turn >= row.turn]
    return posted[turns[min(later)]] if later else None
