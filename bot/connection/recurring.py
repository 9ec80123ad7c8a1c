"""Runs work again and again, and goes on after failures."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

import structlog

from bot.base.errors import StoreError
from bot.connection.unfinished_work import Work

_log = structlog.get_logger()

Due = TypeVar("Due", bound=Hashable)

LATER: Final = timedelta(minutes=1)
"""Time after which a failure is tried again."""


async def for_ever(every: timedelta, do: Callable[[], Awaitable[object]], what: str) -> None:
    """Do something again and again, whatever comes of it; what is logged says what it was."""
    while True:
        try:
            await do()
        except Exception:  # of a database that cannot be used the store has told the host
            _log.exception("a regular task failed", what=what)
        await asyncio.sleep(every.total_seconds())


class EachDue(Generic[Due]):
    """Does what is due, one after the other: what fails is left for a while.

    Args:
        what: What is logged of it.
        due: Tells what is due by now, each in a form that is the same as long as it is.
        do: Does one of these.
    """

    def __init__(
        self,
        what: str,
        due: Callable[[], Awaitable[Iterable[Due]]],
        do: Callable[[Due], Awaitable[object]],
        work: Work,
        now: Callable[[], datetime],
    ) -> None:
        self._what = what
        self._due = due
        self._do = do
        self._work = work
        self._now = now
        self._later: dict[Due, datetime] = {}

    async def look(self) -> None:
        """Do all that is due by now.

        Raises:
            StoreError: if the database cannot be used; then all of it waits.
        """
        for one in await self._due():
            now = self._now()
            if now < self._later.get(one, now):
                continue
            try:
                with self._work.piece():
                    await self._do(one)
            except StoreError:  # no fault of this one
                raise
            except Exception:
                # One server or tournament must not keep the others waiting.
                _log.exception("a regular task failed", what=self._what, which=str(one))
                self._later[one] = now + LATER
            else:
                self._later.pop(one, None)
