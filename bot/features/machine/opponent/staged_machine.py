"""The machine on this host: the interpreted engine at first, then the compiled one.

Loading the compiled engine takes a second, and the first time up to a minute. The interpreted
engine is ready within a few tenths of a second and plays the same moves, but only the lower levels.
"""

from concurrent.futures.process import BrokenProcessPool

from bot.features.machine.opponent.machine import Machine
from bot.play.model.engine_thoughts import Thought
from dvonn import GameRecord, Move, Position, Review
from dvonn.machine import INTERPRETED, LEVELS
from dvonn_lessons.puzzles import Puzzle


class StagedMachine:
    """Finds moves with whichever engine is ready.

    The interpreted engine's process starts when it is first needed. It takes about 40 MB, and is
    closed once the compiled engine is ready.

    Args:
        compiled: The compiled engine, or None if it is not installed.
    """

    def __init__(self, compiled: Machine | None) -> None:
        self._compiled = compiled
        self._interpreted: Machine | None = None

    @property
    def levels(self) -> range:
        return INTERPRETED if self._compiled is None else LEVELS

    @property
    def at_once(self) -> int:
        return 2 if self._compiled is None else self._compiled.at_once

    async def choose(self, position: Position, *, level: int, seed: int) -> Move:
        """Return the machine's move, as `Machine.choose` does.

        Raises:
            BrokenProcessPool: if the workers keep dying.
            ValueError: if this level can't be played here.
        """
        if level not in self.levels:
            raise ValueError(f"this machine does not play level {level}")
        if level not in INTERPRETED:
            return await self._compiled_machine.choose(position, level=level, seed=seed)
        machine = self._ready()
        try:
            return await machine.choose(position, level=level, seed=seed)
        except BrokenProcessPool:
            if machine is not self._compiled:
                raise
        # The compiled engine may have failed because it needs more memory than the host has.
        return await self._interpreted_machine().choose(position, level=level, seed=seed)

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        """Return the best continuations of an unfinished position, best first.

        The interpreted engine does not look as far ahead.
        """
        return await self._ready().analyse(position)

    async def review(
        self, game: int, record: GameRecord, *, placements: int, closer: bool = False
    ) -> Review:
        """Return the review of a whole game, like `Machine.review`."""
        return await self._compiled_machine.review(
            game, record, placements=placements, closer=closer
        )

    async def puzzles(self, game: int, record: GameRecord) -> tuple[Puzzle, ...]:
        """Return the puzzles of an ended game, like `Machine.puzzles`."""
        return await self._compiled_machine.puzzles(game, record)

    def close(self) -> None:
        for machine in (self._compiled, self._interpreted):
            if machine is not None:
                machine.close()

    @property
    def _compiled_machine(self) -> Machine:
        if self._compiled is None:
            raise ValueError("the compiled engine is not installed")
        return self._compiled

    def _ready(self) -> Machine:
        """Return the compiled engine if a worker has loaded it, or else the interpreted one."""
        if self._compiled is None or not self._compiled.is_warm:
            return self._interpreted_machine()
        if self._interpreted is not None and not self._interpreted.is_busy:
            self._interpreted.retire()
            self._interpreted = None
        return self._compiled

    def _interpreted_machine(self) -> Machine:
        if self._interpreted is None:
            self._interpreted = Machine(1, interpreted=True)
        return self._interpreted
