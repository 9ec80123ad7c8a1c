"""What the machine is asked in other processes: a queue of few rows, each leased to a worker."""

import time
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import bindparam, delete, insert, select, text, update

from bot.database.database import Database, whole
from bot.database.leases import claim, held, renew
from bot.features.machine.model import JobKind, JobState, MachineJob
from bot.features.machine.schema import IS_ASKED, machine_jobs

TRIES: Final = 2
"""How often a question is begun: a worker may have died over it once."""

_THIS = machine_jobs.c.id == bindparam("job")
_HELD = held(machine_jobs, _THIS & IS_ASKED)
_OF_ASKER = machine_jobs.c.asker == bindparam("by")

_insert = insert(machine_jobs)
_next = (
    select(machine_jobs)
    .where(
        IS_ASKED,
        machine_jobs.c.version == bindparam("of_version"),
        machine_jobs.c.urgency <= bindparam("most"),
        machine_jobs.c.urgency >= bindparam("least"),
        machine_jobs.c.due_at <= bindparam("now"),
        machine_jobs.c.wanted_until > bindparam("now"),
    )
    # Moves before what somebody asks about a position, as in one process.
    .order_by(
        machine_jobs.c.urgency,
        machine_jobs.c.kind == JobKind.ANALYSE,
        machine_jobs.c.asked_at,
    )
    .limit(1)
)
_claim = claim(machine_jobs, _THIS & IS_ASKED)
_renew = renew(machine_jobs, _THIS & IS_ASKED)
_put_back = update(machine_jobs).where(_HELD).values(due_at=bindparam("now"))
_give_back = _put_back.values(tries=machine_jobs.c.tries - 1)
_finish = update(machine_jobs).where(_HELD).values(state=JobState.DONE, answer=bindparam("found"))
_give_up = update(machine_jobs).where(_HELD).values(state=JobState.FAILED)
_answered = select(machine_jobs.c.id, machine_jobs.c.answer).where(
    _OF_ASKER, machine_jobs.c.state.in_((JobState.DONE, JobState.FAILED))
)
_known = select(machine_jobs.c.id).where(_OF_ASKER)
_remove = delete(machine_jobs).where(
    _OF_ASKER, machine_jobs.c.id.in_(bindparam("jobs", expanding=True))
)
_want = update(machine_jobs).where(_OF_ASKER).values(wanted_until=bindparam("until"))
_forget = delete(machine_jobs).where(machine_jobs.c.wanted_until < bindparam("before"))


_hour = text("SELECT clock_timestamp()")
_HOUR_HOLDS_S: Final = 60.0


class MachineJobTable:
    """The table of what the machine is asked.

    A worker does not speak with Discord, so it has not the bots' hour; and hosts' clocks differ. So
    whoever works with this table goes by the database's clock.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hour: tuple[datetime, float] | None = None

    async def now(self) -> datetime:
        """The hour by the database's clock, which is asked once a minute."""
        if self._hour is None or time.monotonic() - self._hour[1] > _HOUR_HOLDS_S:
            told = datetime.now(UTC)
            if self._database.url.get_backend_name() != "sqlite":
                row = await self._database.first(_hour, {})
                told = told if row is None else row[0]
            self._hour = (told, time.monotonic())
        told, at = self._hour
        return told + timedelta(seconds=time.monotonic() - at)

    # Those who ask

    @whole
    async def ask(
        self,
        number: int,
        kind: JobKind,
        question: dict[str, Any],
        *,
        asker: int,
        version: str,
        now: datetime,
        until: datetime,
    ) -> None:
        """Ask something, by a number that no other question has."""
        values = {
            "id": number,
            "asker": asker,
            "kind": kind,
            "urgency": int(kind.is_patient),
            "asked_at": now,
            "version": version,
            "question": question,
            "state": JobState.WAITING,
            "wanted_until": until,
            "due_at": now,
            "tries": 0,
        }
        async with self._database.transaction() as connection:
            await connection.execute(_insert, values)

    @whole
    async def answered(self, asker: int) -> dict[int, Any]:
        """What is answered of one's questions, by their numbers: None where nobody could."""
        rows = await self._database.all(_answered, {"by": asker})
        return {row.id: row.answer for row in rows}

    async def known(self, asker: int) -> set[int]:
        """Which of one's questions are there, answered or not."""
        return {row.id for row in await self._database.all(_known, {"by": asker})}

    async def remove(self, asker: int, jobs: Collection[int]) -> None:
        """Take questions away."""
        await self._database.change(_remove, {"by": asker, "jobs": list(jobs)})

    async def want(self, asker: int, *, until: datetime) -> None:
        """Say that one lives, and wants one's answers."""
        await self._database.change(_want, {"by": asker, "until": until})

    # Those who answer

    @whole
    async def take(
        self, version: str, urgencies: range, *, now: datetime, until: datetime
    ) -> MachineJob | None:
        """Lease the question of some urgency that is the next to answer; None where none waits.

        What was begun as often as it may be is given up.
        """
        which = {
            "of_version": version,
            "least": urgencies.start,
            "most": urgencies.stop - 1,
            "now": now,
        }
        while (row := await self._database.first(_next, which)) is not None:
            job = MachineJob(row.id, JobKind(row.kind), row.question, row.due_at)
            lease = {"job": job.id, "now": now, "until": until}
            if await self._database.change(_claim, lease) != 1:
                continue
            job = replace(job, due_at=until)
            if row.tries < TRIES:
                return job
            await self._database.change(_give_up, _lease(job))
        return None

    async def go_on(self, job: MachineJob, *, until: datetime) -> MachineJob | None:
        """Lease a question for longer; None where it is ours no more, or not asked any more."""
        changed = await self._database.change(_renew, {**_lease(job), "until": until})
        return replace(job, due_at=until) if changed == 1 else None

    async def finish(self, job: MachineJob, answer: Any) -> None:
        """Answer a question, if it is ours still."""
        await self._database.change(_finish, {**_lease(job), "found": answer})

    async def put_back(self, job: MachineJob, *, now: datetime) -> None:
        """Let a question that could not be answered be tried again."""
        await self._database.change(_put_back, {**_lease(job), "now": now})

    async def give_back(self, job: MachineJob, *, now: datetime) -> None:
        """Leave a question to others, as if it had not been begun."""
        await self._database.change(_give_back, {**_lease(job), "now": now})

    async def forget(self, *, before: datetime) -> None:
        """Take away what nobody has wanted since a moment: whoever asked is no more."""
        await self._database.change(_forget, {"before": before})


def _lease(job: MachineJob) -> dict[str, object]:
    return {"job": job.id, "held": job.due_at}
