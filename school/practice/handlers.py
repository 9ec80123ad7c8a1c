"""Mistakes as exercises, and the button below a review that starts them."""

import re
from typing import Final

from bot.base.ids import GameId
from bot.play.handlers.interactions import Answer, Component
from bot.play.model.refusals import NoEngineHelp
from bot.replay.model.refusals import NoSuchPly
from bot.replay.model.replays import ReplayCursor, course_of, see
from dvonn import Move
from school.exercises.handlers import Exercise, ExerciseRequest, begin
from school.exercises.words import ExerciseView
from school.explore.handlers.engine import thoughts_for
from school.practice import words
from school.practice.use_cases import Mistake, Practising, is_as_good


class PractiseButton(Component, template=r"dvonn:practise:(?P<game>[0-9]{1,18})"):
    """Practice my mistakes, below a review."""

    async def respond(self, answer: Answer) -> None:
        practising = answer.services.require(Practising)
        first = await practising.start(self.game, answer.user)
        await begin(answer, words.mistake(answer.reader, first))


_KEY: Final = re.compile(r"(?P<game>[0-9]{1,18})_(?P<ply>[0-9]{1,3})")


class MistakeExercise(Exercise):
    """A user's misplayed positions that are due, as exercises."""

    name = words.PRACTICE

    async def show(self, asked: ExerciseRequest) -> ExerciseView:
        return words.mistake(asked.reader, await self._find(asked))

    async def answer(self, asked: ExerciseRequest, move: Move) -> ExerciseView:
        found, practising = await self._find(asked), self.services.require(Practising)
        if not await self._is_right(asked, found, move):
            await practising.answer(found, right=False)
            return words.mistake_missed(asked.reader, found, move)
        return await self._solved(asked, found, move)

    async def press(self, asked: ExerciseRequest, action: str) -> ExerciseView:
        found, practising = await self._find(asked), self.services.require(Practising)
        match action:
            case words.SHOW:
                return await self._solved(asked, found, None)
            case words.STOP:
                await practising.stop(found)
                return words.mistake_stopped(asked.reader, found, await practising.due(asked.user))
            case _:
                raise NoSuchPly

    async def _solved(
        self, asked: ExerciseRequest, found: Mistake, move: Move | None
    ) -> ExerciseView:
        """Return the view with the better move.

        Without `move`, it counts as a miss and comes back soon.
        """
        practising = self.services.require(Practising)
        after = await practising.answer(found, right=move is not None)
        due = await practising.due(asked.user)
        return words.mistake_solved(asked.reader, found, move, after=after, due=due)

    async def _find(self, asked: ExerciseRequest) -> Mistake:
        if asked.state.key == words.NEXT:
            return await self.services.require(Practising).next(asked.user)
        match = _KEY.fullmatch(asked.state.key)
        if match is None:
            raise NoSuchPly
        game, ply = GameId(int(match["game"])), int(match["ply"])
        return await self.services.require(Practising).find(asked.user, game, ply)

    async def _is_right(self, asked: ExerciseRequest, found: Mistake, move: Move) -> bool:
        """Return True if a move is the review's, or about as good according to the engine."""
        if move in (found.made.best[0], found.made.played):
            return move == found.made.best[0]
        spot = ReplayCursor(found.game.row.id, found.made.ply - 1)
        seen = see(spot, course_of(found.game), found.game)
        try:
            thoughts = await thoughts_for(self.services, seen, user=asked.user)
        except NoEngineHelp:
            return False
        return is_as_good(move, thoughts, found.made.color)
