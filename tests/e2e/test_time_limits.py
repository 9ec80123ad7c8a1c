"""Tests that the time limit on a board stays correct."""

from datetime import timedelta

import pytest

from demo.commands import use
from sandbox import Message
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, message_of, take_vacation
from tests.e2e.database import nothing_unsent, received_until
from tests.e2e.test_clocks import deadline
from tests.e2e.test_time_between_players import behind_more
from tests.games import random_game

DAY = timedelta(days=1)
POST = "POST /channels/{id}/messages"


async def wait_for_time_left(
    table: Table, board: Message, left: timedelta, clock: BotClock
) -> None:
    """Wait until a board shows a certain time left."""

    def is_told(message: Message) -> bool:
        return message.id == board.id and abs(deadline(message) - clock.now - left) < DAY / 1_000

    await table.channel.wait_for(is_told)


async def begun(club: Club, clock: str) -> tuple[Table, Message]:
    table = await club.start_game(clock=clock)
    return table, await table.play(random_game(4)[:2])


async def test_a_vacation_is_shown_on_the_board_while_it_lasts(clock: BotClock, club: Club) -> None:
    table, board = await begun(club, "1 day per move")
    picture, buttons = board.attachments, board.buttons
    await wait_for_time_left(table, board, DAY, clock)
    await take_vacation(table.white, club.channel, 5)
    await wait_for_time_left(table, board, 6 * DAY, clock)
    assert f"{table.white.mention} is on vacation until <t:" in board.content
    assert (board.attachments, board.buttons) == (picture, buttons)
    clock.advance(days=5, minutes=1)
    await table.channel.wait_for(
        lambda message: message is board and "vacation" not in message.content
    )
    await wait_for_time_left(table, board, DAY - timedelta(minutes=1), clock)


async def test_a_board_mentions_a_vacation(clock: BotClock, club: Club) -> None:
    table, _ = await begun(club, "1 day per move")
    await take_vacation(table.black, club.channel, 5)
    board = await table.play(random_game(4)[2:3])
    assert f"{table.black.mention} is on vacation until <t:" in board.content
    await wait_for_time_left(table, board, 6 * DAY, clock)
    other = club.guild.create_channel("other")
    asked = await use(club.cid, other, "challenge", opponent=table.black, clock="1 day per move")
    assert f"{table.black.mention} is on vacation until <t:" in message_of(asked).content


async def test_after_an_outage_boards_show_the_time_left(clock: BotClock, club: Club) -> None:
    table, board = await begun(club, "1 day per move")
    await nothing_unsent(club.bot)
    clock.advance(hours=1)
    received_until(club.bot, clock.now)
    await club.bot.kill()
    clock.advance(hours=10)
    await club.bot.start()
    await wait_for_time_left(table, board, 23 * timedelta(hours=1), clock)


async def test_a_gift_of_time_is_announced(clock: BotClock, club: Club) -> None:
    table, board = await begun(club, "1 day per move")
    await behind_more(club, board, table.black, "Give 1 day")
    await wait_for_time_left(table, board, 2 * DAY, clock)


async def test_a_late_board_shows_the_time_left(clock: BotClock, club: Club) -> None:
    table, _ = await begun(club, "1 day per move")
    with club.world.faults.rate_limit(POST, retry_after_s=0.5) as late:
        await table.type(random_game(4)[2])
        await late.met(1)
        clock.advance(hours=3)
    board = await table.board(3)
    await wait_for_time_left(table, board, DAY, clock)


@pytest.mark.thorough("the same as in a game over days")
async def test_a_live_board_shows_the_time_left_in_seconds(clock: BotClock, club: Club) -> None:
    table, board = await begun(club, "15 minutes")
    await nothing_unsent(club.bot)
    received_until(club.bot, clock.now)
    await club.bot.kill()
    clock.advance(minutes=10)
    await club.bot.start()
    await wait_for_time_left(table, board, timedelta(minutes=15), clock)
