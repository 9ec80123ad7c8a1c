"""Misplayed positions come back to their player, and to nobody else."""

from collections.abc import Iterable

from bot.base.ids import GameId, GuildId, UserId
from bot.features.practice.model import Mistake, NothingDue, PracticeRow
from bot.features.practice.store import PracticeTable
from bot.features.reviews.model import worth_practising
from bot.features.reviews.use_cases import Reviews
from bot.play.model.courses import course_of
from bot.play.model.refusals import NoEngineHelp, NoSuchPly, NotAPlayer
from bot.play.use_cases.registry import UseCases


class Practising:
    """Positions that people want to see again."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._archive = cases.archive
        self._reviews = cases.of(Reviews)
        self._fair_play = cases.fair_play
        self._now = cases.now

    async def start(self, game: GameId, user: UserId, *, guild: GuildId) -> Mistake:
        """Keep one's mistakes in a game, and return the first that is to be tried.

        All of them are due at once, but for those that were tried before.

        Raises:
            GameGone, NoReview, NoEngineHelp: if there is no review to read there.
            NotAPlayer: if they have not played in the game.
            NothingDue: if they made no mistake.
        """
        found, review = await self._reviews.of(game, user=user, guild=guild)
        color = found.seat(user)
        if color is None:
            raise NotAPlayer
        table, now = self._store.of(PracticeTable), self._now()
        plies = worth_practising(review, color)
        await table.add(user, game, plies, due_at=now)
        rows = [row for ply in plies if (row := await table.get(user, game, ply)) is not None]
        return await self._first(sorted(rows, key=lambda row: not row.is_due(now)), guild)

    async def due(self, user: UserId) -> int:
        return await self._store.of(PracticeTable).count(user, now=self._now())

    async def next(self, user: UserId, *, guild: GuildId) -> Mistake:
        """Return the position that has waited longest of those that have come back.

        One that would help in a game that goes on waits, and the next comes before it.

        Raises:
            NothingDue: if none has.
            NoEngineHelp: if all that have would help there.
        """
        due = await self._store.of(PracticeTable).due(user, now=self._now())
        return await self._first(due, guild)

    async def find(self, user: UserId, game: GameId, ply: int, *, guild: GuildId) -> Mistake:
        """Return one position that a user practises, whether it has come back or not.

        Raises:
            NoSuchPly: if they do not.
            NoEngineHelp: if it would help in a game that goes on.
        """
        row = await self._store.of(PracticeTable).get(user, game, ply)
        if row is None:
            raise NoSuchPly
        return await self._mistake(row, guild)

    async def answer(self, mistake: Mistake, *, right: bool) -> PracticeRow | None:
        """Count an answer, if the position is due.

        Returns:
            When it comes back now; None where it was not due, or another answer was quicker.
        """
        now, row = self._now(), mistake.row
        if not row.is_due(now):
            return None
        after = row.answered(now, right=right)
        return after if await self._store.of(PracticeTable).answered(row, after) else None

    async def stop(self, mistake: Mistake) -> None:
        row = mistake.row
        await self._store.of(PracticeTable).stop(row.player, row.game, row.ply)

    async def _first(self, rows: Iterable[PracticeRow], guild: GuildId) -> Mistake:
        held: NoEngineHelp | None = None
        for row in rows:
            try:
                return await self._mistake(row, guild)
            except NoEngineHelp as error:
                held = error
        raise held or NothingDue

    async def _mistake(self, row: PracticeRow, guild: GuildId) -> Mistake:
        game, review = await self._archive.existing(row.game), await self._reviews.done(row.game)
        marked = () if review is None else review.marked
        for one in marked:
            if one.ply == row.ply:
                positions = course_of(game).cut(row.ply - 1, one.best).positions()
                told = positions[row.ply - 1 :]
                await self._fair_play.check_told(told, user=row.player, guild=guild)
                return Mistake(row, game, one, tuple(positions[: row.ply]))
        raise NoSuchPly
