"""Tests for the priority semaphore: moves before reviews."""

import asyncio

import pytest

from bot.base.priority_semaphore import Priority, PrioritySemaphore, QueueFullError


async def test_urgent_callers_are_served_first_and_in_order() -> None:
    places, came = PrioritySemaphore(1, optional=1), list[str]()
    held = await places.acquire()
    assert places.locked

    async def want(name: str, haste: Priority) -> None:
        place = await places.acquire(haste)
        came.append(name)
        places.release(place)

    async with asyncio.TaskGroup() as group:
        for name, haste in {
            "tidies": Priority.OPTIONAL,
            "review": Priority.PATIENT,
            "hint": Priority.SOON,
            "first": Priority.NOW,
            "other": Priority.PATIENT,
            "second": Priority.NOW,
        }.items():
            group.create_task(want(name, haste))
        await asyncio.sleep(0)
        assert places.has_waiters_before(Priority.PATIENT)
        places.release(held)
    assert not places.has_waiters_before(Priority.OPTIONAL)
    assert came == ["first", "second", "hint", "review", "other", "tidies"]
    assert not places.locked


async def test_a_cancelled_waiter_gets_and_holds_no_slot() -> None:
    places = PrioritySemaphore(1)
    held = await places.acquire()
    gone, handed, last = (asyncio.ensure_future(places.acquire()) for _ in range(3))
    await asyncio.sleep(0)
    gone.cancel()
    places.release(held)
    handed.cancel()  # it has just got the slot, and doesn't know yet
    assert await last == held
    await asyncio.wait((gone, handed))
    assert gone.cancelled()
    assert handed.cancelled()


@pytest.mark.parametrize(
    ("haste", "wanted"),
    [
        (Priority.NOW, True),
        (Priority.SOON, True),
        (Priority.PATIENT, False),
        (Priority.OPTIONAL, False),
    ],
)
async def test_urgent_waiters_go_first(haste: Priority, wanted: bool) -> None:
    places = PrioritySemaphore(1, optional=1)
    held = await places.acquire()
    waits = asyncio.ensure_future(places.acquire(haste))
    await asyncio.sleep(0)
    assert places.has_waiters_before(Priority.PATIENT) is wanted
    places.release(held)
    assert await waits == held
    assert not places.has_waiters_before(Priority.OPTIONAL)


@pytest.mark.parametrize("haste", [Priority.PATIENT, Priority.OPTIONAL])
async def test_some_slots_are_reserved_for_urgent_waiters(haste: Priority) -> None:
    places = PrioritySemaphore(3, reserves={haste: 1}, optional=1)
    held = [await places.acquire(haste), await places.acquire(haste)]
    waits = asyncio.ensure_future(places.acquire(haste))
    held.append(await places.acquire())  # at once, although someone is waiting
    await asyncio.sleep(0)
    places.release(held.pop())
    await asyncio.sleep(0)
    assert not waits.done()
    places.release(held.pop())
    assert await waits in range(3)


async def test_the_oldest_optional_waiters_are_dropped() -> None:
    places = PrioritySemaphore(1, optional=2)
    held = await places.acquire()
    patient = asyncio.ensure_future(places.acquire(Priority.PATIENT))
    first, second, third, fourth = (
        asyncio.ensure_future(places.acquire(Priority.OPTIONAL)) for _ in range(4)
    )
    for gone in (first, second):
        with pytest.raises(QueueFullError):
            await gone
    assert not patient.done()
    for waiting in (patient, third, fourth):
        places.release(held)
        held = await waiting


async def test_a_cancelled_optional_waiter_is_not_dropped_and_uses_no_slot() -> None:
    places = PrioritySemaphore(1, optional=1)
    held = await places.acquire()
    gone = asyncio.ensure_future(places.acquire(Priority.OPTIONAL))
    await asyncio.sleep(0)
    gone.cancel()  # it doesn't know yet
    waits = places.acquire(Priority.OPTIONAL)
    asyncio.get_running_loop().call_soon(places.release, held)
    assert await waits == held
    assert gone.cancelled()


async def test_a_waiter_dropped_while_cancelled_passes_nothing_on() -> None:
    places = PrioritySemaphore(1, optional=1)
    held = await places.acquire()
    crowded_out = asyncio.ensure_future(places.acquire(Priority.OPTIONAL))
    await asyncio.sleep(0)
    waits = asyncio.ensure_future(places.acquire(Priority.OPTIONAL))
    asyncio.get_running_loop().call_soon(crowded_out.cancel)  # it doesn't know yet
    with pytest.raises(asyncio.CancelledError):
        await crowded_out
    places.release(held)
    assert await waits == held
    assert places.locked


async def test_without_optional_packages_nothing_waits_for_them() -> None:
    places = PrioritySemaphore(1)
    await places.acquire()
    with pytest.raises(QueueFullError):
        await places.acquire(Priority.OPTIONAL)


async def test_a_cancelled_waiter_delays_nobody() -> None:
    places = PrioritySemaphore(3, reserves={Priority.PATIENT: 2, Priority.OPTIONAL: 1}, optional=1)
    await places.acquire()
    patient = asyncio.ensure_future(places.acquire(Priority.PATIENT))
    await asyncio.sleep(0)
    optional = asyncio.ensure_future(places.acquire(Priority.OPTIONAL))
    await asyncio.sleep(0)
    assert not optional.done()  # although two are free, and only one must stay free
    patient.cancel()
    assert await optional in range(3)


async def test_less_urgent_requests_wait_for_all_others() -> None:
    places = PrioritySemaphore(4, reserves={Priority.PATIENT: 2, Priority.OPTIONAL: 1}, optional=1)
    held = [await places.acquire(), await places.acquire()]
    patient = asyncio.ensure_future(places.acquire(Priority.PATIENT))
    await asyncio.sleep(0)
    optional = asyncio.ensure_future(places.acquire(Priority.OPTIONAL))
    await asyncio.sleep(0)
    assert not optional.done()  # although two are free, and only one must stay free
    places.release(held.pop())
    await asyncio.sleep(0)
    assert patient.done()
    assert optional.done()  # nobody else is waiting by now
    second = asyncio.ensure_future(places.acquire(Priority.PATIENT))
    waits = asyncio.ensure_future(places.acquire(Priority.OPTIONAL))
    await asyncio.sleep(0)
    places.release(held.pop())
    await asyncio.sleep(0)
    assert not second.done()
    assert not waits.done()  # two are free again
    places.release(await optional)
    assert await second in range(4)
    assert await waits in range(4)
