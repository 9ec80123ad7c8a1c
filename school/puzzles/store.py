"""Queries for attempts at puzzles, their ratings, and servers' own puzzles."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, or_, select, update

from bot.base.glicko import Rating
from bot.base.ids import GameId, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Queries, lock, shielded
from bot.play.store.schema import players
from dvonn_lessons.puzzles import Puzzle
from school.puzzles import schema
from school.puzzles.dailies import add_answer, is_open
from school.puzzles.model import Attempt, RatedPuzzle, RatedSolver, ScoredAttempt, tried

_THIS_PLAYER = schema.solvers.c.player_id == bindparam("player")
_THIS_PUZZLE = schema.puzzle_ratings.c.puzzle_id == bindparam("puzzle")

_solver = select(schema.solvers).where(_THIS_PLAYER)
_change_solver = update(schema.solvers).where(_THIS_PLAYER)
_puzzle = select(schema.puzzle_ratings).where(_THIS_PUZZLE)
_change_puzzle = update(schema.puzzle_ratings).where(_THIS_PUZZLE)
_ratings = select(schema.puzzle_ratings.c.puzzle_id, schema.puzzle_ratings.c.rating)
_GIVEN_TO = schema.given_puzzles.c.player_id == bindparam("player")
_given = select(schema.given_puzzles.c.puzzle).where(_GIVEN_TO)
_give_another = update(schema.given_puzzles).where(_GIVEN_TO)
_OF_PLAYER = schema.puzzle_attempts.c.player_id == bindparam("player")
_seen = select(schema.puzzle_attempts.c.puzzle_id).where(_OF_PLAYER)
_attempt = select(schema.puzzle_attempts).where(
    _OF_PLAYER, schema.puzzle_attempts.c.puzzle_id == bindparam("puzzle")
)
_newest = (
    select(schema.puzzle_attempts)
    .where(_OF_PLAYER)
    .order_by(schema.puzzle_attempts.c.at.desc())
    .limit(bindparam("most"))
)
_answers = select(schema.daily_answers).where(
    schema.daily_answers.c.player_id == bindparam("player")
)


class PuzzleTable(Queries):
    """The tables of attempts, solvers and puzzle ratings."""

    async def solver(self, player: UserId) -> RatedSolver | None:
        """Return a player's puzzle record, or None if they have tried no puzzles."""
        row = await self._database.first(_solver, {"player": player})
        return None if row is None else _as_solver(row)

    async def seen_ids(self, player: UserId) -> frozenset[str]:
        rows = await self._database.all(_seen, {"player": player})
        return frozenset(row.puzzle_id for row in rows)

    async def ratings(self) -> dict[str, float]:
        """Return the ratings of puzzles that someone has tried, by id."""
        rows = await self._database.all(_ratings, {})
        return {row.puzzle_id: row.rating for row in rows}

    async def attempt(self, player: UserId, puzzle: str) -> Attempt | None:
        """Return a player's first answer to a puzzle, or None."""
        row = await self._database.first(_attempt, {"player": player, "puzzle": puzzle})
        return None if row is None else _as_attempt(row)

    async def newest(self, player: UserId, limit: int) -> list[Attempt]:
        """Return a player's latest attempts, oldest first."""
        rows = await self._database.all(_newest, {"player": player, "most": limit})
        return [_as_attempt(row) for row in reversed(rows)]

    async def given(self, player: UserId) -> str | None:
        """Return the key of the last puzzle that a player got, or None."""
        row = await self._database.first(_given, {"player": player})
        return None if row is None else str(row.puzzle)

    @shielded
    async def give(self, player: UserId, key: str, *, before: str | None, at: datetime) -> bool:
        """Record the puzzle that a player gets after the one with the key `before`.

        Return False if another call has given them a different puzzle first.
        """
        names, values = {"player": player}, {"puzzle": key, "at": at}
        async with self._database.transaction() as connection:
            await lock(connection, player)
            if (await connection.execute(_given, names)).scalar() != before:
                return False
            if before is not None:
                await connection.execute(_give_another.values(values), names)
            else:
                await connection.execute(
                    insert(schema.given_puzzles), {"player_id": player, **values}
                )
        return True

    @shielded
    async def record(
        self,
        player: UserId,
        puzzle: Puzzle,
        *,
        solved: bool,
        at: datetime,
        daily: tuple[GuildId, date] | None = None,
    ) -> ScoredAttempt | None:
        """Count a player's answer to a puzzle, unless they have already answered it.

        For a daily puzzle, `daily` is the server and the day. Return None if that day is over. Then
        the solution is public, so the answer does not count.
        """
        names = {"player": player, "puzzle": puzzle.id}
        async with self._database.transaction() as connection:
            # Locks are always acquired in this order, which prevents deadlocks.
            await lock(connection, player)
            await lock(connection, int(puzzle.id, 16))
            if daily is not None and not await is_open(connection, *daily):
                return None
            row = (await connection.execute(_attempt, names)).first()
            solver_row = (await connection.execute(_solver, names)).first()
            solver = RatedSolver.new(at) if solver_row is None else _as_solver(solver_row)
            if row is not None:
                scored = ScoredAttempt(attempt=_as_attempt(row), solver=solver, is_first=False)
            else:
                scored = await _score(connection, player, solver, puzzle, at, solved=solved)
            if daily is not None:
                await add_answer(connection, *daily, player, at, solved=scored.attempt.solved)
        return scored


async def _score(
    connection: AsyncConnection,
    player: UserId,
    solver: RatedSolver,
    puzzle: Puzzle,
    at: datetime,
    *,
    solved: bool,
) -> ScoredAttempt:
    """Record a player's first answer to a puzzle, and its effect on both ratings."""
    names = {"player": player, "puzzle": puzzle.id}
    row = (await connection.execute(_puzzle, names)).first()
    before = RatedPuzzle.estimated(puzzle, at) if row is None else _as_puzzle(row)
    after, rated = tried(solver, before, at, solved=solved)
    streaks = {"streak": after.streak, "best_streak": after.best_streak}
    of_solver = _values(after) | streaks
    if solver.tries:
        await connection.execute(_change_solver.values(of_solver), names)
    else:
        await connection.execute(insert(schema.solvers), {"player_id": player, **of_solver})
    if row is None:
        await connection.execute(
            insert(schema.puzzle_ratings), {"puzzle_id": puzzle.id, **_values(rated)}
        )
    else:
        await connection.execute(_change_puzzle.values(_values(rated)), names)
    attempt = Attempt(
        puzzle=puzzle.id,
        at=at,
        solved=solved,
        before=solver.rating.rating,
        after=after.rating.rating,
    )
    values = {
        "player_id": player,
        "puzzle_id": puzzle.id,
        "at": at,
        "solved": solved,
        "rating_before": attempt.before,
        "rating_after": attempt.after,
    }
    await connection.execute(insert(schema.puzzle_attempts), values)
    return ScoredAttempt(attempt=attempt, solver=after, is_first=True)


def _values(rated: RatedSolver | RatedPuzzle) -> dict[str, Any]:
    return {
        "rating": rated.rating.rating,
        "deviation": rated.rating.deviation,
        "volatility": rated.rating.volatility,
        "rated_at": rated.rating.at,
        "tries": rated.tries,
        "solved": rated.solved,
    }


def _rating(row: AnyRow) -> Rating:
    return Rating(
        rating=row.rating, deviation=row.deviation, volatility=row.volatility, at=row.rated_at
    )


def _as_solver(row: AnyRow) -> RatedSolver:
    return RatedSolver(
        rating=_rating(row),
        tries=row.tries,
        solved=row.solved,
        streak=row.streak,
        best_streak=row.best_streak,
    )


def _as_puzzle(row: AnyRow) -> RatedPuzzle:
    return RatedPuzzle(rating=_rating(row), tries=row.tries, solved=row.solved)


def _as_attempt(row: AnyRow) -> Attempt:
    return Attempt(
        puzzle=row.puzzle_id,
        at=row.at,
        solved=row.solved,
        before=row.rating_before,
        after=row.rating_after,
    )


_OF_SERVER = schema.server_puzzles.c.guild_id == bindparam("guild")
_OF_PERSON = or_(
    schema.server_puzzles.c.white_id == bindparam("player"),
    schema.server_puzzles.c.black_id == bindparam("player"),
)

_one = select(schema.server_puzzles.c.puzzle).where(
    _OF_SERVER, schema.server_puzzles.c.puzzle_id == bindparam("puzzle")
)
_newest_of_server = (
    select(schema.server_puzzles.c.puzzle)
    .where(_OF_SERVER)
    .order_by(schema.server_puzzles.c.made_at.desc(), schema.server_puzzles.c.puzzle_id)
    .limit(bindparam("most"))
)
_ids = select(schema.server_puzzles.c.puzzle_id).where(_OF_SERVER)
# Rows are locked, so that no player can withdraw consent before the transaction ends. SQLite needs
# no locks, because it has a single writer.
_allowing = (
    select(players.c.player_id)
    .where(
        players.c.player_id.in_((bindparam("white"), bindparam("black"))),
        players.c.puzzles.is_(True),
    )
    .order_by(players.c.player_id)
    .with_for_update()
)
_erase_person = delete(schema.server_puzzles).where(_OF_PERSON)


class ServerPuzzleTable(Queries):
    """The table of servers' own puzzles."""

    @shielded
    async def add(
        self,
        guild: GuildId,
        game: GameId,
        between: tuple[UserId, UserId],
        puzzles: Iterable[Puzzle],
        *,
        at: datetime,
    ) -> int:
        """Store a game's puzzles if both players currently allow it.

        Return the number of new puzzles.
        """
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            white, black = between
            players = {"white": white, "black": black}
            if len((await connection.execute(_allowing, players)).all()) < len(players):
                return 0
            known_ids = {row.puzzle_id for row in await connection.execute(_ids, {"guild": guild})}
            rows = [
                {
                    "guild_id": guild,
                    "puzzle_id": puzzle.id,
                    "game_id": game,
                    "white_id": white,
                    "black_id": black,
                    "puzzle": puzzle.to_json(),
                    "made_at": at,
                }
                for puzzle in puzzles
                if puzzle.id not in known_ids
            ]
            if rows:
                await connection.execute(insert(schema.server_puzzles), rows)
        return len(rows)

    async def get(self, guild: GuildId, puzzle: str) -> Puzzle | None:
        """Return one of a server's own puzzles by id, or None."""
        row = await self._database.first(_one, {"guild": guild, "puzzle": puzzle})
        return None if row is None else Puzzle.from_json(row.puzzle)

    async def newest(self, guild: GuildId, limit: int) -> list[Puzzle]:
        rows = await self._database.all(_newest_of_server, {"guild": guild, "most": limit})
        return [Puzzle.from_json(row.puzzle) for row in rows]


async def take_back(connection: AsyncConnection, player: UserId) -> None:
    """Delete the puzzles from a player's games.

    Call this in the transaction that withdraws their consent.
    """
    await connection.execute(_erase_person, {"player": player})
