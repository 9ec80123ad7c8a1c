"""Tests that forbidden requests are not repeated, which could get the host banned."""

import pytest

from sandbox import Permission
from tests.e2e.conftest import Club, Table
from tests.games import random_game
from tests.operations.watched import until

POST = "POST /channels/{id}/messages"
MOVES = random_game(1)


def statuses(club: Club, begun: int) -> list[int]:
    """Return Discord's responses since a point."""
    return [exchange.status for exchange in club.world.exchanges[begun:]]


async def typed_in_vain(table: Table, count: int) -> None:
    """Type moves whose boards can't be posted."""
    for move in MOVES[:count]:
        await table.type(move)


async def saved(club: Club, count: int) -> None:
    """Wait until a number of moves are stored."""

    async def are_saved() -> bool:
        return club.bot.log.count("door=typed") >= count

    await until(are_saved)


@pytest.mark.later("the same in five channels at once")
async def test_without_permission_to_write_nothing_is_posted(club: Club) -> None:
    rooms = [club.guild.create_channel(f"room-{number}") for number in range(5)]
    tables = [await club.start_game(room) for room in rooms]
    begun = len(club.world.exchanges)
    for table in tables:
        role = club.guild.bot_role
        club.guild.set_permissions(table.channel, role, deny=Permission.SEND_MESSAGES)
        await typed_in_vain(table, 4)
    await saved(club, 20)
    assert set(statuses(club, begun)) <= {200, 204}
    for table in tables:
        club.guild.set_permissions(table.channel, club.guild.bot_role)
        await table.board(4)


AS_IN_THE_CHANNEL = pytest.mark.later("another event that mends it")


@pytest.mark.parametrize(
    "mended", ["in the channel", pytest.param("by a role", marks=AS_IN_THE_CHANNEL)]
)
async def test_an_unexpectedly_forbidden_request_is_sent_once(club: Club, mended: str) -> None:
    """A server's AutoMod can block a message that its permissions allow."""
    table = await club.start_game()
    begun = len(club.world.exchanges)
    forbidden = {"code": 50013, "message": "Missing Permissions"}
    fault = club.world.faults.answer(POST, status=403, body=forbidden, times=None)
    await typed_in_vain(table, 4)
    await saved(club, 4)
    assert fault.hits == 1
    assert 403 not in statuses(club, begun)
    fault.end()
    if mended == "by a role":
        bot = club.world.person(club.world.bot_user)
        club.guild.give_role(bot, club.guild.create_role("Speakers"))
    else:
        club.guild.set_permissions(club.channel, club.guild.bot_role)
    await table.board(4)
