"""What somebody has misplayed comes back to them, and to nobody else."""

from collections.abc import Callable
from datetime import datetime

from bot.games.archive import Archive
from bot.games.reviews import Reviews
from bot.model.courses import course_of
from bot.model.ids import GameId, UserId
from bot.model.practice import INTERVALS, Mistake, PracticeRow, worth_practising
from bot.model.refusals import NoSuchPly, NotAPlayer, NothingDue
from bot.store import Store


class Practising:
    """Positions that people want to see again. The time comes in as an argument."""

    def __init__(
        self, store: Store, archive: Archive, reviews: Reviews, *, now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._archive = archive
        self._reviews = reviews
        self._now = now

    async def keep(self, game: GameId, user: UserId) -> tuple[int, int]:
        """Let one's mistakes in a game come back.

        Returns:
            How many are new, and how many there are in the game.

        Raises:
            GameGone, NoReview: if there is no review to read.
            NotAPlayer: if they have not played in the game.
        """
        found, review = await self._reviews.of(game)
        color = found.seat(user)
        if color is None:
            raise NotAPlayer
        plies = worth_practising(review, color)
        due_at = self._now() + INTERVALS[0]
        return await self._store.practice.add(user, game, plies, due_at=due_at), len(plies)

    async def due(self, user: UserId) -> int:
        """How many positions have come back."""
        return await self._store.practice.count(user, now=self._now())

    async def next(self, user: UserId) -> Mistake:
        """The position that has waited longest of those that have come back.

        Raises:
            NothingDue: if none has.
        """
        row = await self._store.practice.next(user, now=self._now())
        if row is None:
            raise NothingDue
        return await self._mistake(row)

    async def find(self, user: UserId, game: GameId, ply: int) -> Mistake:
        """One position that somebody practises, whether it has come back or not.

        Raises:
            NoSuchPly: if they do not.
        """
        row = await self._store.practice.get(user, game, ply)
        if row is None:
            raise NoSuchPly
        return await self._mistake(row)

    async def answer(self, mistake: Mistake, *, right: bool) -> PracticeRow | None:
        """Count an answer, if the position is due.

        Returns:
            When it comes back now; None where it was not due, or another answer was quicker.
        """
        now, row = self._now(), mistake.row
        if not row.is_due(now):
            return None
        after = row.answered(now, right=right)
        return after if await self._store.practice.answered(row, after) else None

    async def stop(self, mistake: Mistake) -> None:
        """Let a position come back no more."""
        row = mistake.row
        await self._store.practice.stop(row.player, row.game, row.ply)

    async def _mistake(self, row: PracticeRow) -> Mistake:
        game, review = await self._archive.existing(row.game), await self._reviews.done(row.game)
        marked = () if review is None else review.marked
        for number, one in enumerate(marked, start=1):
            if one.ply == row.ply:
                positions = course_of(game).cut(row.ply - 1).positions()
                return Mistake(row, game, one, number, tuple(positions))
        raise NoSuchPly
