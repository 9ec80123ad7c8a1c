"""What a worker does: it answers what bots ask the machine through the database."""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from bot.base.errors import StoreError
from bot.features.machine.model import MachineJob
from bot.features.machine.opponent import questions
from bot.features.machine.opponent.elsewhere import WANTED
from bot.features.machine.opponent.thinker import Thinker
from bot.features.machine.store import MachineJobTable
from bot.play.store.tables import Store

_log = structlog.get_logger()

LEASE: Final = timedelta(seconds=15)
"""How long a question belongs to a worker, unless that says that it goes on."""
_GO_ON_EVERY_S: Final = LEASE.total_seconds() / 5
_LOOK_EVERY_S: Final = 0.2
_TIDY_EVERY: Final = timedelta(minutes=1)
_URGENT, _PATIENT = range(1), range(1, 2)


class Station:
    """Answers questions: some urgent ones at a time, and one beside them that gives way.

    Args:
        store: the database.
        thinker: what answers.
        searches: how many urgent questions it answers at the same time.
        version: of this worker; it answers bots of the same one only.
    """

    def __init__(self, store: Store, thinker: Thinker, *, searches: int, version: str) -> None:
        self._jobs = store.of(MachineJobTable)
        self._thinker = thinker
        self._searches = searches
        self._version = version
        self._urgent: set[asyncio.Task[None]] = set()
        self._patient: set[asyncio.Task[None]] = set()
        self._has_room = asyncio.Event()
        self._tidied: datetime | None = None

    async def run(self) -> None:
        """Answer, for ever; whoever cancels this leaves what is begun to others."""
        try:
            while True:
                self._has_room.clear()
                try:
                    while await self.take_one():
                        pass
                    await self._tidy()
                except StoreError:  # the store has told the host of it
                    pass
                except Exception:
                    _log.exception("questions could not be looked for")
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY_S):
                        await self._has_room.wait()
        finally:
            tasks = self._urgent | self._patient
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def take_one(self) -> bool:
        """Begin to answer one more question, if there is room; whether there was one."""
        for tasks, room, urgencies in (
            (self._urgent, self._searches, _URGENT),
            (self._patient, 1, _PATIENT),
        ):
            if len(tasks) < room:
                now = await self._jobs.now()
                job = await self._jobs.take(self._version, urgencies, now=now, until=now + LEASE)
                if job is not None:
                    task = asyncio.create_task(self._work(job), name=f"{job.kind} {job.id}")
                    tasks.add(task)
                    task.add_done_callback(partial(self._done, tasks))
                    return True
        return False

    def _done(self, tasks: set[asyncio.Task[None]], task: asyncio.Task[None]) -> None:
        tasks.discard(task)
        self._has_room.set()

    async def _work(self, job: MachineJob) -> None:
        thinking = asyncio.ensure_future(questions.answer(self._thinker, job.kind, job.question))
        try:
            while not (await asyncio.wait((thinking,), timeout=_GO_ON_EVERY_S))[0]:
                still = await self._jobs.go_on(job, until=await self._jobs.now() + LEASE)
                if still is None:
                    return  # nobody wants it any more, or another worker has it
                job = still
            await self._jobs.finish(job, await thinking)
        except asyncio.CancelledError:
            with suppress(StoreError):  # then its lease runs out
                await self._jobs.give_back(job, now=await self._jobs.now())
            raise
        except StoreError:
            pass  # the store has told the host of it, and its lease runs out
        except Exception:
            _log.exception("a question could not be answered", kind=job.kind, job=job.id)
            with suppress(StoreError):
                await self._jobs.put_back(job, now=await self._jobs.now())
        finally:
            thinking.cancel()

    async def _tidy(self) -> None:
        now = await self._jobs.now()
        if self._tidied is None or now - self._tidied > _TIDY_EVERY:
            self._tidied = now
            await self._jobs.forget(before=now - WANTED)
