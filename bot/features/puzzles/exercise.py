"""Puzzles as exercises: those of /puzzle, also from a server's games, and those of the day."""

from bot.features.exercises.base import Asked, Exercise
from bot.features.exercises.words import ExerciseView
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.puzzles.words.puzzles import (
    PUZZLE,
    puzzle_answered,
    puzzle_asked,
    puzzle_solution,
)
from bot.play.model.refusals import NoSuchPly
from dvonn import IllegalMoveError, Move


class PuzzleExercise(Exercise):
    """Its key is a puzzle's id, and how one came to it."""

    name = PUZZLE

    async def show(self, asked: Asked) -> ExerciseView:
        """Return the puzzle after what was played so far."""
        key = await self.services.of(Puzzles).find(asked.user, asked.guild, asked.spot.key)
        try:
            return puzzle_asked(asked.reader, key, asked.spot.line)
        except IllegalMoveError as error:
            raise NoSuchPly from error

    async def answer(self, asked: Asked, move: Move) -> ExerciseView:
        key = await self.services.of(Puzzles).find(asked.user, asked.guild, asked.spot.key)
        answered = await self.services.of(Puzzles).answer(
            asked.user, asked.guild, key, asked.spot.line, move
        )
        return puzzle_answered(asked.reader, answered)

    async def press(self, asked: Asked, action: str) -> ExerciseView:
        """Show the solution, or another puzzle of the same theme."""
        key = await self.services.of(Puzzles).find(asked.user, asked.guild, asked.spot.key)
        match action:
            case "solve" if key.day is None:
                solution = await self.services.of(Puzzles).give_up(
                    asked.user, asked.guild, key, asked.spot.line
                )
                return puzzle_solution(asked.reader, solution)
            case "next":
                puzzles = self.services.of(Puzzles)
                if key.here:
                    picked = await puzzles.pick_here(asked.user, asked.guild)
                else:
                    picked = await puzzles.pick(asked.user, key.theme)
                return puzzle_asked(asked.reader, picked, ())
            case _:
                raise NoSuchPly
