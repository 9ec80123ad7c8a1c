"""Tests for finding a move's board in the channel after a restored backup."""

import pytest

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision
from bot.database.delivery_rows import BOARD, Delivery
from bot.play.delivery.publisher import _posted_board
from tests.bot.conftest import Clock


@pytest.mark.parametrize(
    ("posted", "standing"),
    [
        ({"dvonn-7-4.png": 1, "dvonn-7-5.png": 2, "dvonn-7-6.png": 3}, 2),
        ({"dvonn-7-9.png": 3, "dvonn-7-8.png": 2, "dvonn-7-4.png": 1}, 2),  # deleted since
        ({"dvonn-7-4.png": 1, "dvonn-8-5.png": 2, "look-dvonn-7-5.png": 3, "a.png": 4}, None),
        ({}, None),
    ],
)
def test_the_board_belongs_to_the_turn_or_is_the_next_one(
    clock: Clock, posted: dict[str, int], standing: int | None
) -> None:
    row = Delivery(
        kind=BOARD,
        guild=GuildId(1),
        channel=ChannelId(2),
        game=GameId(7),
        revision=Revision(5),
        id=1,
        tries=0,
        tried_at=clock(),
    )
    assert (
        _posted_board(row, {name: MessageId(number) for name, number in posted.items()}) == standing
    )
