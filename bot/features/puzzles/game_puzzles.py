"""Puzzles from a server's own games, made once a game has been reviewed."""

import structlog

from bot.base.errors import StoreError
from bot.connection.work import Work
from bot.features.machine.opponent.thinker import Thinker
from bot.features.puzzles.use_cases.puzzles import Puzzles
from bot.features.reviews.reviewer import AfterReview
from bot.features.reviews.use_cases import Job
from bot.play.use_cases.cases import UseCases

_log = structlog.get_logger()


class GamePuzzles(AfterReview):
    """Makes puzzles of games whose players allow it."""

    def __init__(self, cases: UseCases) -> None:
        self._puzzles = cases.of(Puzzles)

    async def make(self, job: Job, machine: Thinker, work: Work) -> None:
        """Find and keep the puzzles of a game."""
        try:
            if await self._puzzles.may_come_of(job.game):
                found = await machine.puzzles(job.row.game, job.moves)
                with work.piece():
                    await self._puzzles.keep(job.game, found)
        except StoreError:  # the store has told the host of it
            pass
        except Exception:
            _log.exception("a game's puzzles could not be made", game=job.row.game)
