import asyncio
from datetime import timedelta

from bot.connection.liveness import CONNECTING, Life

MINUTE = timedelta(minutes=1)


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def test_whoever_gives_no_sign_in_time_is_lost() -> None:
    clock = Clock()
    life = Life(clock)
    life.sign("shard 0", next_within=MINUTE)
    life.sign("shard 1", next_within=2 * MINUTE)
    waiting = asyncio.create_task(life.lost())
    for _ in range(3):
        clock.seconds += 59
        assert life.late == []
        life.sign("shard 0", next_within=MINUTE)
        life.sign("shard 1", next_within=2 * MINUTE)
    assert not waiting.done()
    clock.seconds += 61
    assert life.late == ["shard 0"]
    waiting.cancel()
    assert await life.lost() == ["shard 0"]


def test_a_new_attempt_forgets_what_the_old_one_had() -> None:
    clock = Clock()
    life = Life(clock)
    life.sign("shard 7", next_within=MINUTE)
    life.begin_anew(next_within=2 * MINUTE)
    clock.seconds = 100
    assert (life.late, life.expected) == ([], [CONNECTING])
    clock.seconds = 121
    assert life.late == [CONNECTING]
    life.forget(CONNECTING)
    life.forget("nobody")
    assert life.late == life.expected == []
