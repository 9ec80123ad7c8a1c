"""Tests for users' progress in the lessons, as stored in the database."""

from datetime import timedelta

from sqlalchemy import insert, select

from bot.base.retention import DeletedKind
from bot.database.connection import AsyncEngine
from bot.people.store.privacy import PrivacyTable
from bot.play.store.store import Store
from dvonn_lessons.primer import STEPS, find
from school.lessons.schema import lessons
from school.lessons.use_cases import LessonTable, next_step
from tests.bot.conftest import Clock
from tests.bot.people.test_retention import DAY, count, housekeeping
from tests.bot.released import fill
from tests.bot.replayed import ANN, BOB
from tests.bot.table import Table


async def test_progress_is_stored_and_shown_to_its_owner_and_deleted(
    store: Store, clock: Clock
) -> None:
    began = clock()
    lessons = store.queries(LessonTable)
    await lessons.add(ANN, "pair", at=began)
    await lessons.add(ANN, "place", at=began + timedelta(minutes=1))
    await lessons.add(
        ANN, "pair", at=began + timedelta(minutes=2)
    )  # solving it again changes nothing
    await lessons.add(BOB, "end", at=began)
    assert await lessons.solved_by(ANN) == {"pair": began, "place": began + timedelta(minutes=1)}
    assert (await store.queries(PrivacyTable).export(ANN))["lessons"] == [
        {"player_id": ANN, "step": "pair", "solved_at": began},
        {"player_id": ANN, "step": "place", "solved_at": began + timedelta(minutes=1)},
    ]
    await store.queries(PrivacyTable).erase(ANN, at=began)
    assert (await store.queries(PrivacyTable).export(ANN))["lessons"] == []
    assert await lessons.solved_by(BOB) == {"end": began}


def test_the_course_continues_after_solved_steps_and_returns_to_skipped_ones() -> None:
    names = [step.name for step in STEPS]
    assert next_step(frozenset()) == STEPS[0]
    assert next_step(frozenset({"surrounded", "single"})) == find("pair")
    assert next_step(frozenset({"jump"})) == find("take")
    assert next_step(frozenset(names[1:])) == STEPS[0]
    assert next_step(frozenset({*names, "of an older bot"})) is None


async def test_many_lessons_go_in_small_steps(engine: AsyncEngine, clock: Clock) -> None:
    await fill(engine)
    async with engine.begin() as connection:
        (one,) = (await connection.execute(select(lessons).limit(1))).all()
        more = [one._asdict() | {"player_id": 10_000 + number} for number in range(1_200)]
        await connection.execute(insert(lessons), more)
    left = []

    async def look() -> None:
        left.append(await count(engine, lessons))

    clock.advance(days=32)
    deleted = await housekeeping(Table(Store(engine), clock), learning=30 * DAY).sweep(pause=look)
    assert deleted[DeletedKind.LESSONS] == 1_201
    assert left[:3] == [701, 201, 0]
