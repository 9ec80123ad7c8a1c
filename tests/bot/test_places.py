"""Who gets a place at which the machine thinks: whoever plays, before whoever reviews."""

import asyncio

from bot.places import Places


async def test_the_impatient_come_first_each_in_order() -> None:
    places, came = Places(1), list[str]()
    held = await places.take()
    assert places.are_taken

    async def want(name: str, *, patient: bool) -> None:
        place = await places.take(patient=patient)
        came.append(name)
        places.give_back(place)

    async with asyncio.TaskGroup() as group:
        for name, patient in {
            "review": True,
            "first": False,
            "other": True,
            "second": False,
        }.items():
            group.create_task(want(name, patient=patient))
        await asyncio.sleep(0)
        assert places.are_wanted
        places.give_back(held)
    assert not places.are_wanted
    assert came == ["first", "second", "review", "other"]
    assert not places.are_taken


async def test_who_waits_no_more_gets_none_and_keeps_none() -> None:
    places = Places(1)
    held = await places.take()
    gone, handed, last = (asyncio.ensure_future(places.take()) for _ in range(3))
    await asyncio.sleep(0)
    gone.cancel()
    places.give_back(held)
    handed.cancel()  # it has just got the place, and does not know yet
    assert await last == held
    await asyncio.wait((gone, handed))
    assert gone.cancelled()
    assert handed.cancelled()
