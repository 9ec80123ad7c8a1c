"""Tests that a game's deliveries are sent in order, whatever fails."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NoReturn

import pytest

from bot.base.errors import StoreError
from bot.base.ids import GameId
from bot.connection.delivery_handlers import OutgoingMessage
from bot.connection.discord_messages import NoFollowUpError
from bot.connection.posts import Post
from bot.connection.sender import _new_batch_number
from bot.database.delivery_rows import Delivery
from bot.database.leases import LEASE
from sandbox import Sandbox
from tests.bot.connection.test_delivery import (
    ANNOUNCEMENT,
    POST,
    AnnouncementHandler,
    Process,
    process,
)
from tests.bot.table import ANN, BOB, Table

__all__ = ["process"]  # a fixture


async def announced_in_order(process: Process, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Store a game's announcements, each for one of its moves. They are sent in order."""
    monkeypatch.setattr(AnnouncementHandler, "in_order", True)
    table = Table(process.store, process.clock)
    await table.begin()
    for space in ("a1", "b1", "c1", "d1"):
        await table.play(ANN if space in {"a1", "c1"} else BOB, space)
    for number in range(count):
        await process.announce(str(number), key=str(number), revision=2 * number)


async def unsent(process: Process) -> list[Delivery]:
    """Return the announcements that are still unsent. Nothing sends the game's boards here."""
    return [row for row in await process.unsent() if row.kind == ANNOUNCEMENT]


async def claimed(process: Process, row: Delivery) -> OutgoingMessage:
    """A message that this process has leased, and the event that it announces."""
    rows = await process.deliveries.claim([row], batch=row.id, now=process.clock())
    return process.kind.outgoing_message(rows, Post(content=row.data["words"]))


@pytest.mark.parametrize(
    "knows", ["since its start", "as it failed to send", "as it failed to note"]
)
async def test_a_games_newest_delivery_waits_for_unsent_ones(
    world: Sandbox, process: Process, monkeypatch: pytest.MonkeyPatch, knows: str
) -> None:
    await announced_in_order(process, monkeypatch, 3)
    *_, newest = await unsent(process)
    if knows == "since its start":
        await process.sender.load_backlog()
    elif knows == "as it failed to send":
        first, *_ = await unsent(process)
        with world.faults.answer(POST, status=503, times=None):
            assert not await process.sender.send_now(GameId(1), [await claimed(process, first)])
        process.clock.advance(seconds=LEASE.total_seconds())
    else:
        first, *_ = await unsent(process)
        with monkeypatch.context() as broken:
            broken.setattr(process.deliveries, "mark_sent", out_of_reach)
            await process.sender.send_now(GameId(1), [await claimed(process, first)])
        process.clock.advance(seconds=LEASE.total_seconds())
    assert await process.sender.send_now(GameId(1), [await claimed(process, newest)])
    assert process.posted == ["0", "1", "2"]
    assert await unsent(process) == []


async def out_of_reach(*_: object, **_about: object) -> None:
    raise StoreError("no answer", writing=True)


async def test_a_board_that_cannot_be_found_counts_as_unsent(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player is then told that the board waits."""
    await announced_in_order(process, monkeypatch, 2)
    *_, newest = await unsent(process)
    await process.sender.load_backlog()
    parcel = await claimed(process, newest)
    monkeypatch.setattr(process.deliveries, "unsent", out_of_reach)
    assert not await process.sender.send_now(GameId(1), [parcel])


async def test_deliveries_made_unnecessary_by_newer_ones_are_dropped(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def all_but_the_last(_handler: object, rows: Sequence[Delivery]) -> Sequence[Delivery]:
        return rows[:-1]

    monkeypatch.setattr(AnnouncementHandler, "superseded", all_but_the_last)
    await announced_in_order(process, monkeypatch, 3)
    assert await process.sender.catch_up(GameId(1))
    assert process.posted == ["2"]
    assert await unsent(process) == [], "what is needless is not tried later either"


async def test_after_a_message_that_had_arrived_the_games_next_is_sent_at_once(
    world: Sandbox, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    await announced_in_order(process, monkeypatch, 2)
    with world.faults.lose_answer(POST, times=2):
        assert not await process.sender.catch_up(GameId(1))
    world.state.nonces.clear()
    process.clock.advance(seconds=5)
    assert await process.sender.catch_up(GameId(1))
    assert process.posted == ["0", "1"]


async def test_nothing_is_sent_after_a_message_that_another_process_claimed(
    world: Sandbox, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def is_lost(*_: object, **_about: object) -> bool:
        return False

    await announced_in_order(process, monkeypatch, 2)
    with world.faults.answer(POST, status=503, times=None):
        assert not await process.sender.catch_up(GameId(1))
    process.clock.advance(minutes=1)
    monkeypatch.setattr(process.deliveries, "begin", is_lost)
    assert not await process.sender.catch_up(GameId(1))
    assert process.posted == []


async def test_nothing_is_sent_after_a_message_that_waits_for_an_interaction(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> NoReturn:
        raise NoFollowUpError

    await announced_in_order(process, monkeypatch, 2)
    monkeypatch.setattr(AnnouncementHandler, "_send", refuse)
    assert not await process.sender.catch_up(GameId(1))
    assert len(await unsent(process)) == 1, "the first one is given up, until somebody presses"


async def test_a_delivery_sent_by_another_process_blocks_nothing(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    await announced_in_order(process, monkeypatch, 2)
    first, _ = await unsent(process)

    async def sent_elsewhere() -> None:
        process.kind.on_the_way = None
        await process.deliveries.mark_sent([first], None, at=process.clock())
        raise ConnectionError

    process.kind.on_the_way = sent_elsewhere
    assert await process.sender.catch_up(GameId(1))
    assert process.posted == ["1"]


async def test_numbers_of_messages_grow_with_each_millisecond(process: Process) -> None:
    await process.announce()
    (row,) = await process.unsent()
    begins = datetime(2026, 11, 29, tzinfo=UTC)
    moments = [begins + timedelta(milliseconds=number) for number in range(3)]
    ids = (0, 1, 2**22 - 1)
    numbers = [_new_batch_number(replace(row, id=item), at) for at in moments for item in ids]
    assert numbers == sorted(set(numbers))
