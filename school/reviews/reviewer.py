"""The loop that reviews ended games, one at a time, while the machine has no move to make.

While no review is queued, it makes puzzles from reviewed games whose players both allow it. After
that, it takes a closer look at reviews.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

import structlog

from bot.base.errors import StoreError
from bot.base.ids import GameId, Shards
from bot.connection.tasks import InFlightWork, end
from bot.play.extension_points import ExtensionPoint
from bot.play.handlers.interactions import Services
from bot.play.model.game import Game
from bot.play.opponent import MachineBackend, Opponent
from bot.play.seams import ClientService
from bot.play.use_cases.use_cases import UseCases
from school.reviews.use_cases import CLAIMED_FOR, Job, Reviews

_log = structlog.get_logger()

_CHECK_INTERVAL_S: Final = 2.0
"""Interval in seconds between checks for reviews that another process left unfinished."""
_RENEWAL_INTERVAL_S: Final = CLAIMED_FOR.total_seconds() / 3
_MOST_WAITING: Final = 50
"""Maximum number of reviewed games that wait for more work. A restart drops them."""


AFTER_REVIEW: Final = ExtensionPoint[
    Callable[[UseCases, Job, MachineBackend, InFlightWork], Awaitable[None]]
]()
"""Extension point for further work on a reviewed game, canceled when a game awaits review."""


def reviewer(services: Services) -> "Reviewer | None":
    """Return a new reviewer, or None if this process makes no reviews."""
    opponent = services.opponent
    return Reviewer(services, opponent) if opponent is not None and services.has_reviews else None


class Reviewer(ClientService):
    """Makes the queued reviews, oldest request first."""

    def __init__(self, services: Services, opponent: Opponent) -> None:
        self._machine = opponent.thinker
        self._reviews = services.require(Reviews)
        self._services = services
        self._sender = services.publisher.sender
        self._work = services.work
        self._ended = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._reviewed: deque[Job] = deque(maxlen=_MOST_WAITING)

    def on_game(self, game: Game) -> None:
        """Wake the loop if the game has ended."""
        if not game.is_running:
            self._ended.set()

    async def run(self, shards: Shards) -> None:
        """Make the reviews for some shards. This never returns."""
        while True:
            self._ended.clear()
            try:
                while (
                    await self._make_one(shards)
                    or await self._until_one_ends(self._make_more())
                    or await self._until_one_ends(self._make_one(shards, closer=True))
                ):
                    pass
            except StoreError:  # the store has reported it to the host
                pass
            except Exception:
                _log.exception("review sweep failed")
            with suppress(TimeoutError):
                async with asyncio.timeout(_CHECK_INTERVAL_S):
                    await self._ended.wait()

    async def _until_one_ends(self, making: Coroutine[Any, Any, bool]) -> bool:
        """Run low-priority work, but cancel it if a game ends. Return True if there was any."""
        self._ended.clear()  # games that have ended before are noticed below
        work = asyncio.ensure_future(making)
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait((work, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end((work, ended))
        return work.cancelled() or work.result()

    async def _make_one(self, shards: Shards, *, closer: bool = False) -> bool:
        """Make the review that has been queued longest.

        Return True if there was one. If `closer`, improve the newest review instead, unless another
        one is queued.
        """
        async with self._one_at_a_time:
            with self._work.track():
                job = await self._reviews.take(shards, closer=closer)
            if job is not None:
                await self._make(job, shards)
        return job is not None

    async def _make(self, job: Job, shards: Shards) -> None:
        number, closer = job.row.game, job.row.is_closer_review_pending
        reviewing = self._machine.review(
            number, job.record, placements=job.placements, closer=closer
        )
        thinking = asyncio.ensure_future(reviewing)
        every_s = _CHECK_INTERVAL_S if closer else _RENEWAL_INTERVAL_S
        try:
            while not (await asyncio.wait((thinking,), timeout=every_s))[0]:
                if closer and await self._reviews.is_waiting(shards):
                    await self._reviews.give_back(job)
                    return
                still = await self._reviews.extend_claim(job)
                if still is None:  # another process has claimed it
                    return
                job = still
            review = await thinking
        except asyncio.CancelledError:
            with suppress(StoreError):  # if this fails, the review becomes due again anyway
                await self._reviews.give_back(job)
            raise
        except StoreError:
            raise
        except Exception:
            _log.exception("review failed", game=number, attempts=job.row.tries)
            await self._reviews.failed(job)
            self._show_to_waiting(number)
            return
        finally:
            await end((thinking,))
        with self._work.track():
            if await self._reviews.finish(job, review):
                await self._sender.catch_up(number)
        self._show_to_waiting(number)
        if not closer:
            self._reviewed.append(job)

    def _show_to_waiting(self, game: GameId) -> None:
        """Show a review to users who asked for it before it was ready."""
        for show in self._reviews.take_waiting(game):
            self._work.start(show())

    async def _make_more(self) -> bool:
        """Do further work on the game that was reviewed first. Return True if there was one."""
        async with self._one_at_a_time:
            makers = self._services.extensions.all_of(AFTER_REVIEW)
            if not self._reviewed or not makers:
                return False
            job = self._reviewed.popleft()
            for make in makers:
                await make(self._services, job, self._machine, self._work)
        return True
