"""Practice of misplayed positions, which come back 1, 4 and 10 days after they were solved."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import bindparam, func, insert, select, update

from bot.base.errors import PlayError
from bot.base.ids import GameId, UserId
from bot.database.database import AnyRow, Queries, lock, shielded
from bot.database.schema import Instant
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.model.refusals import NoEngineHelp, NotAPlayer
from bot.play.use_cases.use_cases import UseCases
from bot.replay.model.refusals import NoSuchPly
from bot.replay.model.replays import sequence_of
from dvonn import Color, Move, PlyReview, Position
from dvonn.reviews.review import INACCURACY
from school.practice.schema import practice
from school.reviews.model import worth_practising
from school.reviews.use_cases import Reviews


class NothingDue(PlayError):  # noqa: N818
    """The player wants to practice, but no position is due."""


INTERVALS: Final = (timedelta(days=1), timedelta(days=4), timedelta(days=10))
"""Time until a solved position comes back, indexed by the number of solutions in a row."""


NEW: Final = -1
"""The step of a position that the player has not tried yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeRow:
    """A misplayed position that a player practices."""

    player: UserId
    game: GameId
    ply: int
    """Number of the misplayed ply, counted from 1."""
    step: int = 0
    """Number of solutions in a row since the last miss."""
    due_at: datetime | None
    """When the position comes back, or None if it no longer does."""

    def is_due(self, at: datetime) -> bool:
        return self.due_at is not None and self.due_at <= at

    def answered(self, at: datetime, *, right: bool) -> "PracticeRow":
        """Return the updated row after an answer to a due position.

        >>> from datetime import UTC
        >>> noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
        >>> row = PracticeRow(player=UserId(1), game=GameId(2), ply=60, due_at=noon)
        >>> solved = row.answered(noon, right=True)
        >>> solved.step, str(solved.due_at)
        (1, '2026-12-03 12:00:00+00:00')
        """
        step = self.step + 1 if right else 0
        due_at = at + INTERVALS[step] if step < len(INTERVALS) else None
        return replace(self, step=step, due_at=due_at)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A misplayed position, with its game and review."""

    row: PracticeRow
    game: Game
    made: PlyReview
    positions: tuple[Position, ...]
    """The game's positions up to and including the misplayed one."""

    @property
    def position(self) -> Position:
        return self.positions[-1]


def is_as_good(move: Move, thoughts: Iterable[Thought], color: Color) -> bool:
    """Return True if, according to the engine, a move loses less chance than an inaccuracy."""
    chances = {
        thought.moves[0]: thought.white_wins if color is Color.WHITE else 1 - thought.white_wins
        for thought in thoughts
        if thought.white_wins is not None
    }
    return move in chances and max(chances.values()) - chances[move] < INACCURACY


_OWN = practice.c.player_id == bindparam("player")
_THIS = (_OWN, practice.c.game_id == bindparam("game"), practice.c.ply == bindparam("number"))
_DUE = (_OWN, practice.c.due_at <= bindparam("now"))

_one = select(practice).where(*_THIS)
_of_game = select(practice.c.ply).where(_OWN, practice.c.game_id == bindparam("game"))
_due = (
    select(practice)
    .where(*_DUE)
    .order_by(practice.c.due_at, practice.c.game_id, practice.c.ply)
    .limit(20)
)
_count = select(func.count()).select_from(practice).where(*_DUE)
_answer = (
    update(practice)
    .where(*_THIS, practice.c.due_at == bindparam("seen", type_=Instant))
    .values(step=bindparam("new_step"), due_at=bindparam("new_due_at", type_=Instant))
)
_stop = update(practice).where(*_THIS).values(due_at=None)


class PracticeTable(Queries):
    """The table of mistakes that users practice."""

    @shielded
    async def add(
        self, player: UserId, game: GameId, plies: Iterable[int], *, due_at: datetime
    ) -> None:
        """Add a game's positions for a player, except for those already in the table."""
        async with self._database.transaction() as connection:
            await lock(connection, player)
            of_game = {"player": player, "game": game}
            known_plies = {row.ply for row in (await connection.execute(_of_game, of_game)).all()}
            rows = [
                {"player_id": player, "game_id": game, "ply": ply, "step": NEW, "due_at": due_at}
                for ply in plies
                if ply not in known_plies
            ]
            if rows:
                await connection.execute(insert(practice), rows)

    async def get(self, player: UserId, game: GameId, ply: int) -> PracticeRow | None:
        row = await self._database.first(_one, _key(player, game, ply))
        return None if row is None else _row(row)

    async def due(self, player: UserId, *, now: datetime) -> list[PracticeRow]:
        """Return the due positions, longest overdue first."""
        return [_row(row) for row in await self._database.all(_due, {"player": player, "now": now})]

    async def count(self, player: UserId, *, now: datetime) -> int:
        row = await self._database.first(_count, {"player": player, "now": now})
        return 0 if row is None else int(row[0])

    async def answered(self, before: PracticeRow, after: PracticeRow) -> bool:
        """Record an answer. Return False if another answer was recorded first."""
        values = {"seen": before.due_at, "new_step": after.step, "new_due_at": after.due_at}
        key = _key(before.player, before.game, before.ply)
        return await self._database.change(_answer, {**key, **values}) == 1

    async def stop(self, player: UserId, game: GameId, ply: int) -> None:
        await self._database.change(_stop, _key(player, game, ply))


def _key(player: UserId, game: GameId, ply: int) -> dict[str, object]:
    return {"player": player, "game": game, "number": ply}


def _row(row: AnyRow) -> PracticeRow:
    return PracticeRow(
        player=UserId(row.player_id),
        game=GameId(row.game_id),
        ply=row.ply,
        step=row.step,
        due_at=row.due_at,
    )


class Practicing:
    """Use cases for practicing misplayed positions."""

    def __init__(self, cases: UseCases) -> None:
        self._table = cases.store.queries(PracticeTable)
        self._game_cache = cases.game_cache
        self._reviews = cases.require(Reviews)
        self._fair_play = cases.fair_play
        self._now = cases.now

    async def start(self, game: GameId, user: UserId) -> Mistake:
        """Store a user's mistakes in a game for practice, and return the first one.

        All of them are due at once, except for those that the user has already tried.

        Raises:
            GameNotRunning, NoReview: if no review is available.
            NoEngineHelp: if people are currently playing all of these boards.
            NotAPlayer: if the user did not play in the game.
            NothingDue: if the user made no mistakes.
        """
        ended_game, review = await self._reviews.whole(game)
        color = ended_game.seat(user)
        if color is None:
            raise NotAPlayer
        table, now = self._table, self._now()
        plies = worth_practising(review, color)
        await table.add(user, game, plies, due_at=now)
        rows = [row for ply in plies if (row := await table.get(user, game, ply)) is not None]
        return await self._first(sorted(rows, key=lambda row: not row.is_due(now)))

    async def due(self, user: UserId) -> int:
        return await self._table.count(user, now=self._now())

    async def next(self, user: UserId) -> Mistake:
        """Return the user's position that is longest overdue.

        Positions that people are currently playing are skipped.

        Raises:
            NothingDue: if none is due.
            NoEngineHelp: if people are currently playing all due positions.
        """
        due = await self._table.due(user, now=self._now())
        return await self._first(due)

    async def find(self, user: UserId, game: GameId, ply: int) -> Mistake:
        """Return a position that a user practices, whether or not it is due.

        Raises:
            NoSuchPly: if the user doesn't practice that position.
            NoEngineHelp: if people are currently playing it.
        """
        row = await self._table.get(user, game, ply)
        if row is None:
            raise NoSuchPly
        return await self._mistake(row)

    async def answer(self, mistake: Mistake, *, right: bool) -> PracticeRow | None:
        """Count an answer if the position is due.

        Return its new row.

        Return None if it was not due, or another answer came first.
        """
        now, row = self._now(), mistake.row
        if not row.is_due(now):
            return None
        after = row.answered(now, right=right)
        return after if await self._table.answered(row, after) else None

    async def stop(self, mistake: Mistake) -> None:
        row = mistake.row
        await self._table.stop(row.player, row.game, row.ply)

    async def _first(self, rows: Iterable[PracticeRow]) -> Mistake:
        refusal: NoEngineHelp | None = None
        for row in rows:
            try:
                return await self._mistake(row)
            except NoEngineHelp as error:
                refusal = error
        raise refusal or NothingDue

    async def _mistake(self, row: PracticeRow) -> Mistake:
        game, review = await self._game_cache.existing(row.game), await self._reviews.done(row.game)
        marked = () if review is None else review.marked
        for mistake in marked:
            if mistake.ply == row.ply:
                positions = sequence_of(game).cut(row.ply - 1).positions()
                await self._fair_play.check(positions[-1], user=row.player)
                return Mistake(row, game, mistake, tuple(positions))
        raise NoSuchPly
