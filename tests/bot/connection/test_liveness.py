"""Tests for signs of life and their deadlines."""

import asyncio
from datetime import UTC, datetime, timedelta

from bot.connection.liveness import CONNECTING, Liveness
from tests.bot.connection.test_requests import Seconds

MINUTE = timedelta(minutes=1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def test_parts_without_signs_of_life_are_lost() -> None:
    clock = Seconds()
    liveness = Liveness(clock)
    liveness.sign("shard 0", next_within=MINUTE)
    liveness.sign("shard 1", next_within=2 * MINUTE)
    waiting = asyncio.create_task(liveness.lost())
    for _ in range(3):
        clock.now += 59
        assert liveness.late == []
        liveness.sign("shard 0", next_within=MINUTE)
        liveness.sign("shard 1", next_within=2 * MINUTE)
    assert not waiting.done()
    clock.now += 61
    assert liveness.late == ["shard 0"]
    waiting.cancel()
    assert await liveness.lost() == ["shard 0"]


def test_a_new_attempt_discards_the_old_state() -> None:
    clock = Seconds()
    liveness = Liveness(clock)
    liveness.sign("shard 7", next_within=MINUTE)
    liveness.pause("shard 8", until=NOON, next_within=MINUTE)
    liveness.note_reconnect(next_within=2 * MINUTE)
    clock.now = 100
    assert (liveness.late, liveness.expected, liveness.waiting) == ([], [CONNECTING], {})
    clock.now = 121
    assert liveness.late == [CONNECTING]
    liveness.forget(CONNECTING)
    liveness.forget("nobody")
    assert liveness.late == liveness.expected == []


async def test_an_attempt_to_connect_has_come_to_something_once_a_shard_is_expected() -> None:
    liveness = Liveness(Seconds())
    waiting = asyncio.create_task(liveness.connected())
    await asyncio.sleep(0)
    assert not waiting.done(), "nothing was tried yet"
    waiting.cancel()
    liveness.note_reconnect(next_within=MINUTE)
    waiting = asyncio.create_task(liveness.connected())
    await asyncio.sleep(0)
    assert not waiting.done()
    waiting.cancel()
    liveness.forget(CONNECTING)
    liveness.sign("shard 0", next_within=MINUTE)
    await liveness.connected()


def test_expecting_a_part_again_does_not_extend_its_deadline() -> None:
    clock = Seconds()
    liveness = Liveness(clock)
    for _ in range(3):
        liveness.note_reconnect(next_within=2 * MINUTE)
        for name in ("shard 0", "shard 1"):
            liveness.expect(name, next_within=2 * MINUTE)
        clock.now += 50
        liveness.record("shard 0", next_within=2 * MINUTE)
    liveness.forget(CONNECTING)
    assert (liveness.late, liveness.silent) == ([], ["shard 1"])


def test_a_part_that_was_recorded_stays_ready_when_it_is_expected_again() -> None:
    liveness = Liveness(Seconds())
    liveness.expect("shard 0", next_within=MINUTE)
    assert (liveness.is_ready, liveness.unheard) == (False, ["shard 0"])
    liveness.record("shard 0", next_within=MINUTE)
    liveness.expect("shard 0", next_within=MINUTE)
    assert (liveness.is_ready, liveness.unheard) == (True, [])
