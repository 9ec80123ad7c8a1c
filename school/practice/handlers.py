"""The exercise about a user's mistakes, and the button below a review that starts it."""

import re
from typing import Final

from bot.base.ids import GameId
from bot.play.handlers.interactions import Answer, Component
from bot.play.model.refusals import NoEngineHelp
from bot.replay.model.refusals import NoSuchPly
from bot.replay.model.replays import ReplayCursor, sequence_of, view_at
from dvonn import Move
from school.exercises.handlers import Exercise, ExerciseRequest, begin
from school.exercises.words import ExerciseView
from school.explore.handlers.engine import evaluate_position
from school.practice import words
from school.practice.use_cases import Mistake, Practicing, is_as_good


class PracticeButton(Component, template=r"dvonn:practise:(?P<game>[0-9]{1,18})"):
    """The button *Practice my mistakes*, below a review."""

    async def respond(self, answer: Answer) -> None:
        practicing = answer.services.require(Practicing)
        first = await practicing.start(self.game, answer.user)
        await begin(answer, words.mistake(answer.reader, first))


_KEY: Final = re.compile(r"(?P<game>[0-9]{1,18})_(?P<ply>[0-9]{1,3})")


class MistakeExercise(Exercise):
    """A user's misplayed positions as exercises."""

    name = words.PRACTICE

    async def show(self, request: ExerciseRequest) -> ExerciseView:
        return words.mistake(request.reader, await self._find(request))

    async def answer(self, request: ExerciseRequest, move: Move) -> ExerciseView:
        mistake, practicing = await self._find(request), self.services.require(Practicing)
        if not await self._is_right(request, mistake, move):
            await practicing.answer(mistake, right=False)
            return words.mistake_missed(request.reader, mistake, move)
        return await self._solved(request, mistake, move)

    async def press(self, request: ExerciseRequest, action: str) -> ExerciseView:
        mistake, practicing = await self._find(request), self.services.require(Practicing)
        match action:
            case words.SHOW:
                return await self._solved(request, mistake, None)
            case words.STOP:
                await practicing.stop(mistake)
                return words.mistake_stopped(
                    request.reader, mistake, await practicing.due(request.user)
                )
            case _:
                raise NoSuchPly

    async def _solved(
        self, request: ExerciseRequest, mistake: Mistake, move: Move | None
    ) -> ExerciseView:
        """Return the view with the better move.

        If `move` is None, the user has given up. Then the position counts as missed and comes back
        soon.
        """
        practicing = self.services.require(Practicing)
        after = await practicing.answer(mistake, right=move is not None)
        due = await practicing.due(request.user)
        return words.mistake_solved(request.reader, mistake, move, after=after, due=due)

    async def _find(self, request: ExerciseRequest) -> Mistake:
        if request.state.key == words.NEXT:
            return await self.services.require(Practicing).next(request.user)
        match = _KEY.fullmatch(request.state.key)
        if match is None:
            raise NoSuchPly
        game, ply = GameId(int(match["game"])), int(match["ply"])
        return await self.services.require(Practicing).find(request.user, game, ply)

    async def _is_right(self, request: ExerciseRequest, mistake: Mistake, move: Move) -> bool:
        """Return True if a move is the review's better move, or about as good."""
        if move in (mistake.made.best[0], mistake.made.played):
            return move == mistake.made.best[0]
        cursor = ReplayCursor(mistake.game.row.id, mistake.made.ply - 1)
        view = view_at(cursor, sequence_of(mistake.game), mistake.game)
        try:
            thoughts = await evaluate_position(self.services, view, user=request.user)
        except NoEngineHelp:
            return False
        return is_as_good(move, thoughts, mistake.made.color)
