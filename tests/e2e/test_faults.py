"""Tests for Discord's faults: each board is posted exactly once."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from dvonn import Move, format_move
from sandbox.interactions import FIRST_RESPONSE_S
from sandbox.orders import Fault
from tests.e2e.conftest import Club, Table, is_gone, message_of
from tests.e2e.database import tried
from tests.games import random_game

POST = "POST /channels/{id}/messages"
HISTORY = "GET /channels/{id}/messages"
CALLBACK = "POST /interactions/{id}/{token}/callback"


@pytest.fixture
async def club(empty_club: Club) -> AsyncIterator[Club]:
    """A server with a running bot, which may log errors."""
    await empty_club.bot.start()
    try:
        yield empty_club
    finally:
        status = await empty_club.bot.stop()
    assert status == 0


def posted_once(table: Table) -> None:
    """Check that each board is there exactly once."""
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(table.position.plies + 1)]


async def goes_on(table: Table, moves: list[Move]) -> None:
    """Check that the game continues as if nothing had happened."""
    await table.play(moves)
    posted_once(table)


async def test_a_board_is_posted_once_whatever_happens_to_its_request(club: Club) -> None:
    faults, moves = club.world.faults, random_game(2)
    table = await club.start_game()
    goes_wrong: list[Callable[[], Fault]] = [
        lambda: faults.lose_answer(POST),
        lambda: faults.lose_answer(POST),
        lambda: faults.lose_request(POST),
        lambda: faults.answer(POST, status=500, times=2),
        lambda: faults.rate_limit(POST, retry_after_s=0.2, times=3),
        lambda: faults.rate_limit(POST, via=False),  # a ban by the proxy
    ]
    for number, order in enumerate(goes_wrong):
        fault = order()
        await goes_on(table, moves[number : number + 1])
        assert fault.is_over
    await goes_on(table, moves[6:9])


async def test_a_board_is_found_again_when_its_nonce_is_forgotten(club: Club) -> None:
    moves = random_game(3)
    table = await club.start_game()
    # the second process asks Discord if it was posted
    with club.world.faults.lose_answer(POST, times=2):
        await table.play(moves[:1])
        await club.bot.wrote("delivery failed, retrying")
    club.world.state.nonces.clear()  # as if a few minutes had passed
    # Only reading the channel keeps the bot from posting this board again.
    await club.bot.restart()
    await goes_on(table, moves[1:3])


@pytest.mark.parametrize("unclear", ["killed", "unreadable"])
async def test_a_board_is_found_although_the_first_search_failed(club: Club, unclear: str) -> None:
    """The first process died during its answer, a day before the next one started."""
    moves = random_game(3)
    clock = club.bot.take_clock()
    await club.bot.restart()
    table = await club.start_game()
    with club.world.faults.slow(POST, seconds=600):
        await table.play(moves[:1])
        await club.bot.kill()
    club.world.state.nonces.clear()
    clock.advance(days=1)
    if unclear == "killed":
        with club.world.faults.slow(HISTORY, seconds=600, times=None):
            await club.bot.start()
            await tried(club.bot, 2)
            await club.bot.kill()
        await club.bot.start()
    else:
        with club.world.faults.lose_request(HISTORY, times=None):
            await club.bot.start()
            await club.bot.wrote("delivery failed, retrying")
        clock.advance(minutes=1)
    await goes_on(table, moves[1:3])


async def test_a_lost_answer_to_a_command_plays_once(club: Club) -> None:
    moves = random_game(2)
    table = await club.start_game()
    fault = club.world.faults.lose_answer(CALLBACK)
    answer = await club.ann.slash(club.channel, "move", move=format_move(moves[0]))
    await is_gone(message_of(answer))
    assert fault.is_over
    table.position = table.position.play(moves[0])
    await table.board(1)
    await goes_on(table, moves[1:3])


async def test_a_command_whose_token_expired_is_played(club: Club) -> None:
    moves = random_game(2)
    table = await club.start_game()
    # no server answers, so nobody waits longer
    club.world.state.first_response_s = FIRST_RESPONSE_S
    fault = club.world.faults.lose_request(CALLBACK)
    using = asyncio.create_task(club.ann.slash(club.channel, "move", move=format_move(moves[0])))
    await fault.met()
    club.world.faults.expire_tokens()
    await asyncio.wait([using])
    assert using.exception() is not None
    table.position = table.position.play(moves[0])
    await table.board(1)
    await goes_on(table, moves[1:3])


async def test_sessions_break_in_the_middle_of_a_game(club: Club) -> None:
    world, moves = club.world, random_game(2)
    await club.bot.restart()  # from now on it may begin sessions as often as it wants
    table = await club.start_game()
    breaks: list[Callable[[], object]] = [
        world.faults.cut,
        world.faults.tear,
        world.ask_to_reconnect,
        lambda: world.invalidate_sessions(resumable=True),
        lambda: world.invalidate_sessions(resumable=False),
    ]
    for number, break_it in enumerate(breaks):
        break_it()
        await goes_on(table, moves[2 * number : 2 * number + 2])
    world.faults.refuse_resume()
    await world.disconnect()
    await goes_on(table, moves[10:12])


async def test_discord_is_away_for_a_while(club: Club) -> None:
    moves = random_game(2)
    table = await club.start_game()
    await table.play(moves[:2])
    async with club.world.faults.down():
        await table.type(moves[2])
        await club.bot.wrote("Attempting a reconnect")
        await club.bot.wrote(": ClientConnectorError: Cannot connect to host")
    assert "Traceback" not in club.bot.log
    await table.board(3)
    await goes_on(table, moves[3:5])


async def test_moves_missed_by_a_deaf_gateway_are_played_in_the_next_session(club: Club) -> None:
    moves = random_game(2)
    table = await club.start_game()
    await table.play(moves[:2])
    with club.world.faults.deaf() as deaf:
        await table.type(moves[2])
        await deaf.met()
    club.world.invalidate_sessions()
    await table.board(3)
    await goes_on(table, moves[3:5])
