"""Tests for a bot whose commands Discord rejects: it plays, logs the reason, and tries again."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from dvonn import format_move
from sandbox.commands import enable_activities
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, press
from tests.games import random_game
from tests.operations.watched import until

PUT = "PUT /applications/{application_id}/commands"
REFUSED = "command registration failed"
MOVES = random_game(1)
TOO_LONG = {
    "code": 50035,
    "message": "Invalid Form Body",
    "errors": {"2": {"name": {"_errors": [{"code": "X", "message": "Must be shorter."}]}}},
}
CREATES = {"code": 30034, "message": "Max number of daily creates (200)", "retry_after": 3600.0}


@dataclass
class Upgraded:
    """A bot that restarts as a version with other commands during a game."""

    club: Club
    table: Table
    clock: BotClock

    async def comes_back(self) -> None:
        await self.club.bot.start()
        await self.table.play(MOVES[:1])


@pytest.fixture
async def upgraded(empty_club: Club) -> AsyncIterator[Upgraded]:
    club = empty_club
    clock = club.bot.take_clock()
    await club.bot.start()
    table = await club.start_game()
    assert await club.bot.stop() == 0
    clock.advance(seconds=6)
    commands = club.world.application.commands
    del commands[next(number for number, one in commands.items() if one["name"] == "plan")]
    yield Upgraded(club, table, clock)
    assert await club.bot.stop() == 0
    assert "Traceback" not in club.bot.log


def told_twice(club: Club) -> Callable[[], Awaitable[bool]]:
    """The commands are registered at the first start, and again."""

    async def has_registered_twice() -> bool:
        return club.bot.log.count("commands registered") == 2

    return has_registered_twice


@pytest.mark.parametrize(
    ("status", "body", "headers", "said"),
    [
        (400, TOO_LONG, {}, "400 Bad Request: Invalid Form Body In /{third}.name: Must be shorter"),
        (
            429,
            CREATES,
            {"Via": "1.1 google", "Retry-After": "3600"},
            "429 Too Many Requests: Max number of daily creates (200) (code 30034)",
        ),
        (200, {"odd": "body"}, {}, "TypeError"),
    ],
)
async def test_games_continue_while_discord_refuses_the_commands(
    upgraded: Upgraded, status: int, body: Any, headers: dict[str, str], said: str
) -> None:
    club, table = upgraded.club, upgraded.table
    fault = club.world.faults.answer(PUT, status=status, body=body, headers=headers, times=None)
    await upgraded.comes_back()
    await table.to_move.slash(club.channel, "move", move=format_move(MOVES[1]))
    board = await table.board(2)
    assert (await press(club.cid, board, "Board as text")).ephemeral
    await fault.met()
    await club.bot.wrote(REFUSED)
    third = list(club.world.application.commands.values())[2]["name"]
    assert said.format(third=third) in club.bot.log
    fault.end()
    upgraded.clock.advance(hours=1)
    await until(told_twice(club))
    names = {command["name"] for command in club.world.application.commands.values()}
    assert "plan" in names


async def test_the_command_that_discord_has_made_for_activities_stays(upgraded: Upgraded) -> None:
    world = upgraded.club.world
    made = enable_activities(world.state)
    await upgraded.comes_back()
    await until(told_twice(upgraded.club))
    kept = [
        command
        for command in world.application.commands.values()
        if command["type"] == made["type"]
    ]
    assert [{**item, "version": 0} for item in kept] == [
        {**made, "id": kept[0]["id"], "application_id": kept[0]["application_id"], "version": 0}
    ]
    puts = len([exchange for exchange in world.exchanges if exchange.method == "PUT"])
    assert await upgraded.club.bot.stop() == 0
    upgraded.clock.advance(seconds=6)
    await upgraded.club.bot.start()
    await upgraded.table.play(MOVES[1:2])
    assert len([exchange for exchange in world.exchanges if exchange.method == "PUT"]) == puts
