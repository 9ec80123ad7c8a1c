"""Puzzles: one that fits whoever asks for it, and what comes of their answers."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from random import Random
from typing import Final

from bot.model.daily import is_daily
from bot.model.ids import GuildId, UserId
from bot.model.puzzle_keys import PuzzleKey
from bot.model.refusals import NoPuzzleLeft
from bot.model.solving import Attempt, RatedSolver, Scored
from bot.store import Store
from dvonn import Motif, Move, Position
from dvonn.motifs import positions
from dvonn.puzzles import Puzzle, PuzzleAnswer, PuzzleTheme, load

_CHOICE: Final = 10
"""One of so many is given, those whose ratings are nearest: two who begin get not the same."""
HISTORY: Final = 50
"""So many of somebody's attempts are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came of one answer.

    Attributes:
        key: of the puzzle.
        so_far: what was played before.
        move: the answer.
        answer: what is said to it.
        follows: what is played after it: the replies; after a mistake or the last move to the end
            of the game.
        why: what a mistake brings about.
        scored: what it counts; None where the puzzle goes on, or where nothing counts any more.
    """

    key: PuzzleKey
    so_far: tuple[Move, ...]
    move: Move
    answer: PuzzleAnswer
    follows: tuple[Move, ...]
    why: tuple[Motif, ...]
    scored: Scored | None

    @property
    def is_over(self) -> bool:
        """Whether the puzzle is solved or missed."""
        return self.answer.solved or not self.answer.right

    @property
    def end(self) -> Position:
        """What is on the board behind all that follows."""
        line = (*self.so_far, self.move, *self.follows)
        return positions(self.key.puzzle.position, line)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """How a puzzle is solved from a spot on.

    Attributes:
        line: best play to the end of the game.
        scored: what asking for it counts.
    """

    key: PuzzleKey
    so_far: tuple[Move, ...]
    line: tuple[Move, ...]
    scored: Scored | None


class Puzzles:
    """What can be done with puzzles. Time and chance come in as arguments."""

    def __init__(self, store: Store, *, now: Callable[[], datetime], rng: Random) -> None:
        self._store = store
        self._now = now
        self._rng = rng

    async def pick(self, player: UserId, theme: PuzzleTheme | None = None) -> PuzzleKey:
        """A puzzle near somebody's rating that they have not tried; none that a day is to have.

        Raises:
            NoPuzzleLeft: if they have tried all.
        """
        solver = await self.standing(player)
        seen = await self._store.puzzles.seen(player)
        ratings = await self._store.puzzles.ratings()
        return await asyncio.to_thread(self._nearest, solver, theme, seen, ratings)

    async def standing(self, player: UserId) -> RatedSolver:
        """How somebody stands."""
        return await self._store.puzzles.solver(player) or RatedSolver.new(self._now())

    async def history(self, player: UserId) -> tuple[RatedSolver, list[Attempt]]:
        """How somebody stands, and their newest attempts, the oldest of them first."""
        return await self.standing(player), await self._store.puzzles.newest(player, HISTORY)

    async def answer(
        self, player: UserId, guild: GuildId, key: PuzzleKey, so_far: Sequence[Move], move: Move
    ) -> Answered:
        """What comes of an answer. A mistake counts, and the last right move does.

        Args:
            player: Who answers.
            guild: Where, if it is the puzzle of a day.
            key: Which puzzle.
            so_far: What was played before.
            move: A legal move of whoever solves it.
        """
        before = tuple(so_far)
        answer, follows, why = await asyncio.to_thread(_judge, key.puzzle, before, move)
        scored = None
        if answer.solved or not answer.right:
            scored = await self._count(player, guild, key, solved=answer.right)
        return Answered(
            key=key,
            so_far=before,
            move=move,
            answer=answer,
            follows=follows,
            why=why,
            scored=scored,
        )

    async def give_up(
        self, player: UserId, guild: GuildId, key: PuzzleKey, so_far: Sequence[Move]
    ) -> GivenUp:
        """How it is solved; whoever has not answered before has missed it."""
        before = tuple(so_far)
        line = await asyncio.to_thread(key.puzzle.play_on, before)
        scored = await self._count(player, guild, key, solved=False)
        return GivenUp(key=key, so_far=before, line=line, scored=scored)

    async def _count(
        self, player: UserId, guild: GuildId, key: PuzzleKey, *, solved: bool
    ) -> Scored | None:
        daily: tuple[GuildId, date] | None = None if key.day is None else (guild, key.day)
        return await self._store.puzzles.record(
            player, key.puzzle, solved=solved, at=self._now(), daily=daily
        )

    def _nearest(
        self,
        solver: RatedSolver,
        theme: PuzzleTheme | None,
        seen: frozenset[str],
        ratings: dict[str, float],
    ) -> PuzzleKey:
        wanted = solver.rating.rating
        fitting = [
            one
            for one in load()
            if one.id not in seen and (theme is None or theme in one.themes) and not is_daily(one)
        ]
        if not fitting:
            raise NoPuzzleLeft
        fitting.sort(key=lambda one: abs(ratings.get(one.id, one.rating) - wanted))
        return PuzzleKey(self._rng.choice(fitting[:_CHOICE]), theme)


def _judge(
    puzzle: Puzzle, so_far: tuple[Move, ...], move: Move
) -> tuple[PuzzleAnswer, tuple[Move, ...], tuple[Motif, ...]]:
    """What is said to an answer, what follows it, and why it is wrong. It may take a second."""
    answer = puzzle.answer(so_far, move)
    line = (*so_far, move)
    if not answer.right:
        return answer, puzzle.play_on(line), puzzle.reasons(so_far, move)
    if answer.solved:
        return answer, puzzle.play_on(line), ()
    return answer, answer.replies, ()
