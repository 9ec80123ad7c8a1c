"""Reviews games that are over, one after the other, while the machine has nothing to play.

While none waits, it makes puzzles from those that were reviewed, where both players allow it.
"""

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final

import structlog

from bot.base.errors import StoreError
from bot.base.ids import Shards
from bot.connection.unfinished_work import Work, end
from bot.features.machine.opponent.analyst import Analyst, Thinker
from bot.features.reviews.use_cases import LEASE, Job, Reviews
from bot.play.doors.interactions import Services
from bot.play.seams import ClientPart
from bot.play.use_cases.update import Update

_log = structlog.get_logger()

_LOOK_EVERY_S: Final = 2.0
"""The seconds between looks for what another process, or a failure, has left."""
_GO_ON_EVERY_S: Final = LEASE.total_seconds() / 3
_KEPT_IN_MIND: Final = 50
"""So many reviewed games, the newest, wait for what is made of them; after a restart none does."""


class AfterReview:
    """The work of another feature on a game that has been reviewed."""

    async def make(self, job: Job, machine: Thinker, work: Work) -> None:
        """Make it; it is cut off where another game waits for its review."""


class Reviewer(ClientPart):
    """Makes the reviews that wait, in the order in which games have ended."""

    def __init__(self, services: Services) -> None:
        self._machine = services.of(Analyst).thinker
        self._reviews = services.of(Reviews)
        self._after = services.get(AfterReview)
        self._sender = services.publisher.sender
        self._work = services.work
        self._ended = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._reviewed: deque[Job] = deque(maxlen=_KEPT_IN_MIND)

    def hear(self, update: Update) -> None:
        """Look at once where a game has ended."""
        if not update.game.is_running:
            self._ended.set()

    async def run(self, shards: Shards) -> None:
        """Make the reviews of these shards, for ever."""
        while True:
            self._ended.clear()
            try:
                while await self._make_one(shards) or await self._make_more():
                    pass
            except StoreError:  # the store has told the host of it
                pass
            except Exception:
                _log.exception("reviews could not be looked through")
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_EVERY_S):
                    await self._ended.wait()

    async def _make_one(self, shards: Shards) -> bool:
        """Make the review that has waited longest; whether there was one."""
        async with self._one_at_a_time:
            return await self._make(shards)

    async def _make(self, shards: Shards) -> bool:
        with self._work.piece():
            job = await self._reviews.take(shards)
        if job is None:
            return False
        asked = self._machine.review(job.row.game, job.record, placements=job.placements)
        thinking = asyncio.ensure_future(asked)
        try:
            while not (await asyncio.wait((thinking,), timeout=_GO_ON_EVERY_S))[0]:
                still = await self._reviews.go_on(job)
                if still is None:  # it is another process's by now
                    await end((thinking,))
                    return True
                job = still
            found = await thinking
        except asyncio.CancelledError:
            await end((thinking,))
            with suppress(StoreError):  # then its lease runs out
                await self._reviews.give_back(job)
            raise
        except StoreError:
            await end((thinking,))
            raise
        except Exception:
            _log.exception("a game could not be reviewed", game=job.row.game, tries=job.row.tries)
            await self._reviews.failed(job)
            return True
        with self._work.piece():
            if await self._reviews.finish(job, found):
                await self._sender.catch_up(job.row.game)
        self._reviewed.append(job)
        return True

    async def _make_more(self) -> bool:
        """Make more of the game that was reviewed first; whether there was one.

        Where a game ends meanwhile, its review comes first, and nothing more is made.
        """
        async with self._one_at_a_time:
            if not self._reviewed or self._after is None:
                return False
            self._ended.clear()  # whatever ended before is looked for after this
            making = asyncio.ensure_future(
                self._after.make(self._reviewed.popleft(), self._machine, self._work)
            )
            ended = asyncio.ensure_future(self._ended.wait())
            try:
                await asyncio.wait((making, ended), return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end((making, ended))
        return True
