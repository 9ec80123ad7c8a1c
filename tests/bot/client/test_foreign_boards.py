"""Tests for boards in the bot's name: whether this database can have sent them."""

from datetime import timedelta
from typing import Any

import pytest

from bot.base.health import ActiveFaults, Fault
from bot.base.ids import MessageId
from bot.client.foreign_boards import ForeignBoards
from bot.connection.second_bot import SecondBot
from bot.play.game_changes import GameUpdate
from tests.bot.conftest import Clock
from tests.bot.connection.received import message
from tests.bot.table import BOB, Table

SETTLED = timedelta(seconds=15)
REPLY = {"message_reference": {"message_id": "5", "channel_id": "70"}}


class Watch:
    """The boards that the bot receives, and the signs of a second bot."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._clock = clock
        self._degraded = ActiveFaults()
        second_bot = SecondBot(self._degraded, table.store.other_processes, clock)
        self._second_bot = second_bot
        self._boards = ForeignBoards(table.store, second_bot, now=clock)

    async def is_foreign(self, game: int, revision: int, number: int = 1, **more: Any) -> bool:
        """Receive a board, and return True if it counts as a second bot's."""
        name = f"dvonn-{game}-{revision}.png"
        file = {"id": "9", "filename": name, "size": 1, "url": "", "proxy_url": ""}
        self._boards.record(message(None, number, attachments=[file], **more))
        for wait in (SETTLED, timedelta(microseconds=1)):
            assert not self._degraded.faults, "its process may yet record it"
            self._clock.time += wait
            await self._boards.check()
        return Fault.SECOND_BOT in self._degraded.faults


@pytest.fixture
def watch(table: Table, clock: Clock) -> Watch:
    return Watch(table, clock)


@pytest.fixture
async def update(table: Table) -> GameUpdate:
    """A game that has just begun."""
    return await table.accept(await table.challenge(), BOB)


async def deliver(table: Table, update: GameUpdate, number: int, *, attempts: int = 1) -> None:
    """Record that an update's board was sent as a message."""
    rows = list(update.deliveries)
    for _ in range(attempts - 1):
        table.clock.advance(seconds=10)
        (row,) = await table.store.deliveries.unsent(update.game.row.id)
        rows = await table.store.deliveries.claim([row], batch=1, now=table.clock())
    sent = MessageId(message(None, number).id)
    await table.store.deliveries.mark_sent(rows, sent, at=table.clock())


async def test_a_board_that_was_sent_is_the_bots_own(
    table: Table, watch: Watch, update: GameUpdate
) -> None:
    await deliver(table, update, 1)
    assert not await watch.is_foreign(update.game.row.id, 0)


async def test_a_board_of_an_unknown_game_is_foreign(watch: Watch, update: GameUpdate) -> None:
    assert await watch.is_foreign(update.game.row.id + 1, 0)


async def test_a_board_of_an_unknown_turn_is_foreign(watch: Watch, update: GameUpdate) -> None:
    assert await watch.is_foreign(update.game.row.id, 1)


@pytest.mark.parametrize("more", [REPLY, {"webhook_id": "7"}], ids=["reply", "answer"])
async def test_an_answer_is_recorded_nowhere(
    watch: Watch, update: GameUpdate, more: dict[str, Any]
) -> None:
    assert not await watch.is_foreign(update.game.row.id, 1, **more)


async def test_a_second_board_next_to_the_sent_one_is_foreign(
    table: Table, watch: Watch, update: GameUpdate
) -> None:
    await deliver(table, update, 2)
    assert await watch.is_foreign(update.game.row.id, 0)


async def test_a_board_that_was_tried_twice_may_be_there_twice(
    table: Table, watch: Watch, update: GameUpdate
) -> None:
    await deliver(table, update, 2, attempts=2)
    assert not await watch.is_foreign(update.game.row.id, 0)


async def test_a_board_that_is_still_being_sent_is_the_bots_own(
    watch: Watch, update: GameUpdate
) -> None:
    assert update.deliveries
    assert not await watch.is_foreign(update.game.row.id, 0)
