"""Use cases for puzzles: choosing one for a user, and judging answers."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import structlog

from bot.base.errors import StoreError
from bot.base.ids import GuildId, UserId
from bot.connection.tasks import InFlightWork
from bot.play.model.game import Game
from bot.play.model.terms import Start
from bot.play.opponent import MachineBackend
from bot.play.use_cases.use_cases import UseCases
from bot.replay.model.refusals import NoSuchPly
from dvonn import Move, Position
from dvonn.reviews.lines import positions
from dvonn.reviews.review import ProvenReason
from dvonn_lessons.puzzles import Puzzle, PuzzleAnswer, PuzzleTheme, find, load
from school.puzzles import model
from school.puzzles.store import PuzzleTable, ServerPuzzleTable
from school.reviews.use_cases import Job

_CHOICE: Final = 10
"""Number of puzzles nearest to a user's rating. One of them is drawn at random, so that users get
different ones.
"""
_EASIEST_UNTIL: Final = 3
"""Number of solved puzzles after which a user no longer gets the easiest ones."""
HISTORY: Final = 50
_OF_SERVER: Final = 200
"""Maximum number of a server's newest puzzles to choose from."""


@dataclass(frozen=True, slots=True)
class GivenPuzzle:
    """A puzzle that was chosen for a player."""

    key: model.PuzzleKey
    is_again: bool
    """True if the player was given the puzzle before and has not answered it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResult:
    """The result of an answer to a puzzle.

    Attributes:
        follows: Moves after the answer: the replies, or the rest of the game if the answer was a
            mistake or the last move of the solution.
        why: The consequence of a mistake, or None.
        scored: The change of ratings, or None if the puzzle continues or the answer no longer
            counts.
    """

    key: model.PuzzleKey
    so_far: tuple[Move, ...]
    move: Move
    answer: PuzzleAnswer
    follows: tuple[Move, ...]
    why: ProvenReason | None
    scored: model.ScoredAttempt | None

    @property
    def end(self) -> Position:
        """The position after all moves of the result."""
        line = (*self.so_far, self.move, *self.follows)
        return positions(self.key.puzzle.position, line)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedSolution:
    """A puzzle's solution from a given state on: the best play to the end of the game."""

    key: model.PuzzleKey
    so_far: tuple[Move, ...]
    line: tuple[Move, ...]
    scored: model.ScoredAttempt | None


class Puzzles:
    """Use cases for puzzles."""

    def __init__(self, cases: UseCases) -> None:
        self._store, self._table = cases.store, cases.store.queries(PuzzleTable)
        self._of_servers = cases.store.queries(ServerPuzzleTable)
        self._now = cases.now
        self._rng = cases.rng

    async def give(
        self,
        player: UserId,
        guild: GuildId,
        theme: PuzzleTheme | None = None,
        *,
        is_here: bool = False,
    ) -> GivenPuzzle:
        """Return the last puzzle that a player got if it is unanswered, or else an untried one.

        So players can't skip a puzzle after seeing it.

        Raises:
            NoPuzzleLeft, NoServerPuzzle: as in `pick`, or in `pick_here` if `is_here`.
        """
        while True:
            before = await self._table.given(player)
            if (key := await self._unanswered(player, guild, before)) is not None:
                return GivenPuzzle(key, is_again=True)
            key = await (self.pick_here(player, guild) if is_here else self.pick(player, theme))
            if await self._table.give(player, key.text, before=before, at=self._now()):
                return GivenPuzzle(key, is_again=False)

    async def pick(self, player: UserId, theme: PuzzleTheme | None = None) -> model.PuzzleKey:
        """Return an untried puzzle near a player's rating that is not a daily puzzle.

        If the player missed their last puzzle and asks for no theme, the new one has the same theme
        if possible.

        Raises:
            NoPuzzleLeft: if they have tried all of them.
        """
        solver = await self.solver(player)
        seen_ids = await self._table.seen_ids(player)
        ratings = await self._table.ratings()
        missed = await self._missed_theme(player) if theme is None else None
        return await asyncio.to_thread(self._nearest, solver, theme, missed, seen_ids, ratings)

    async def pick_here(self, player: UserId, guild: GuildId) -> model.PuzzleKey:
        """Return an untried puzzle from a server's own games near a player's rating.

        Raises:
            NoServerPuzzle: if none of the server's games has become a puzzle, or in direct
                messages.
            NoPuzzleLeft: if they have tried all of them.
        """
        newest = await self._of_servers.newest(guild, _OF_SERVER)
        if not newest:
            raise model.NoServerPuzzle
        solver = await self.solver(player)
        seen_ids = await self._table.seen_ids(player)
        ratings = await self._table.ratings()
        fitting = [puzzle for puzzle in newest if puzzle.id not in seen_ids and puzzle.fits(None)]
        return model.PuzzleKey(self._one_near(solver, fitting, ratings), here=True)

    async def find(self, guild: GuildId, text: str) -> model.PuzzleKey:
        """Parse the key of a puzzle in a server or in direct messages.

        Raises:
            NoSuchPly: if there is no such puzzle there, or it was deleted.
        """
        name = model.PuzzleKey.server_puzzle_id(text)
        if name is None:
            return model.PuzzleKey.found(text)
        puzzle = await self._of_servers.get(guild, name)
        if puzzle is None:
            raise NoSuchPly
        return model.PuzzleKey(puzzle, here=True)

    async def may_become_puzzles(self, game: Game) -> bool:
        """Return True if a game may become puzzles.

        Two users must have played it, and both must allow it.

        A game from a chosen position may not, because players may know the position from elsewhere.
        """
        row = game.row
        if game.is_running or row.machine is not None or row.start is Start.POSITION:
            return False
        chosen = [await self._store.players.get(player) for player in (row.white, row.black)]
        return all(switches.is_on(model.PUZZLES) for switches in chosen)

    async def keep(self, game: Game, puzzles: Iterable[Puzzle]) -> int:
        """Store a game's puzzles for its server if its players still allow it.

        Return the number of new ones.
        """
        row, new = game.row, [puzzle for puzzle in puzzles if find(puzzle.id) is None]
        between = (row.white, row.black)
        return await self._of_servers.add(row.guild, row.id, between, new, at=self._now())

    async def solver(self, player: UserId) -> model.RatedSolver:
        return await self._table.solver(player) or model.RatedSolver.new(self._now())

    async def history(self, player: UserId) -> tuple[model.RatedSolver, list[model.Attempt]]:
        """Return a player's puzzle record, and their latest attempts, oldest first."""
        return await self.solver(player), await self._table.newest(player, HISTORY)

    async def is_new(self, player: UserId, key: model.PuzzleKey) -> bool:
        """Return True if a player's next answer to a puzzle counts."""
        return await self._table.attempt(player, key.puzzle.id) is None

    async def answer(
        self,
        player: UserId,
        guild: GuildId,
        key: model.PuzzleKey,
        so_far: Sequence[Move],
        move: Move,
    ) -> AnswerResult:
        """Return the result of a legal move.

        A mistake, or the last move of the solution, ends the attempt.
        """
        before = tuple(so_far)
        answer, follows, reason = await asyncio.to_thread(_judge, key.puzzle, before, move)
        scored = None
        if answer.solved or not answer.right:
            scored = await self._count(player, guild, key, solved=answer.right)
        return AnswerResult(
            key=key,
            so_far=before,
            move=move,
            answer=answer,
            follows=follows,
            why=reason,
            scored=scored,
        )

    async def give_up(
        self, player: UserId, guild: GuildId, key: model.PuzzleKey, so_far: Sequence[Move]
    ) -> RevealedSolution:
        """Give up a puzzle, and return its solution.

        If the player has not answered yet, this counts as a miss.
        """
        before = tuple(so_far)
        line = await asyncio.to_thread(key.puzzle.play_on, before)
        scored = await self._count(player, guild, key, solved=False)
        return RevealedSolution(key=key, so_far=before, line=line, scored=scored)

    async def _missed_theme(self, player: UserId) -> PuzzleTheme | None:
        """Return the most specific theme of a player's last puzzle if they missed it, or None."""
        last = next(iter(await self._table.newest(player, 1)), None)
        puzzle = None if last is None or last.solved else find(last.puzzle)
        return puzzle.themes[-1] if puzzle is not None and puzzle.themes else None

    async def _unanswered(
        self, player: UserId, guild: GuildId, text: str | None
    ) -> model.PuzzleKey | None:
        """Return the key of a user's last puzzle if it is unanswered and still exists."""
        if text is None:
            return None
        try:
            key = await self.find(guild, text)
        except NoSuchPly:
            return None
        return key if await self.is_new(player, key) else None

    async def _count(
        self, player: UserId, guild: GuildId, key: model.PuzzleKey, *, solved: bool
    ) -> model.ScoredAttempt | None:
        daily: tuple[GuildId, date] | None = None if key.day is None else (guild, key.day)
        return await self._table.record(
            player, key.puzzle, solved=solved, at=self._now(), daily=daily
        )

    def _nearest(
        self,
        solver: model.RatedSolver,
        theme: PuzzleTheme | None,
        missed: PuzzleTheme | None,
        seen_ids: frozenset[str],
        ratings: dict[str, float],
    ) -> model.PuzzleKey:
        fitting = [
            puzzle
            for puzzle in load()
            if puzzle.id not in seen_ids and puzzle.fits(theme) and not model.is_daily(puzzle)
        ]
        alike = [puzzle for puzzle in fitting if missed in puzzle.themes]
        return model.PuzzleKey(self._one_near(solver, alike or fitting, ratings), theme)

    def _one_near(
        self, solver: model.RatedSolver, fitting: Sequence[Puzzle], ratings: dict[str, float]
    ) -> Puzzle:
        if not fitting:
            raise model.NoPuzzleLeft
        rating = solver.rating.rating if solver.solved >= _EASIEST_UNTIL else 0.0
        near = sorted(
            fitting, key=lambda puzzle: abs(ratings.get(puzzle.id, puzzle.rating) - rating)
        )
        return self._rng.choice(near[:_CHOICE])


def _judge(
    puzzle: Puzzle, so_far: tuple[Move, ...], move: Move
) -> tuple[PuzzleAnswer, tuple[Move, ...], ProvenReason | None]:
    """Judge a solver's move.

    Return the judgment, the moves after the answer, and the reason if it is wrong.

    This may take a second, so call it outside the event loop.
    """
    answer = puzzle.answer(so_far, move)
    line = (*so_far, move)
    if not answer.right:
        return answer, puzzle.play_on(line), puzzle.reason(so_far, move)
    if answer.solved:
        return answer, puzzle.play_on(line), None
    return answer, answer.replies, None


_log = structlog.get_logger()


async def make_puzzles(
    cases: UseCases, job: Job, machine: MachineBackend, work: InFlightWork
) -> None:
    """Make puzzles from a reviewed game, if its players allow it."""
    puzzles = cases.require(Puzzles)
    try:
        if await puzzles.may_become_puzzles(job.game):
            new_puzzles = await machine.puzzles(job.row.game, job.record)
            with work.track():
                await puzzles.keep(job.game, new_puzzles)
    except StoreError:  # the store has already logged it
        pass
    except Exception:
        _log.exception("puzzle search failed", game=job.row.game)
