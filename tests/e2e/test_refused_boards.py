"""Tests for a board that Discord refuses: it is sent in a simpler form, and only once."""

from collections.abc import AsyncIterator
from functools import partial

import pytest

from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club
from tests.e2e.database import nothing_unsent
from tests.games import random_game
from tests.operations.watched import until

POST = "POST /channels/{id}/messages"
EDIT = "PATCH /channels/{id}/messages/{message}"
REFUSAL = {"code": 50035, "message": "Invalid Form Body", "errors": {}}
MOVES = random_game(1)


@pytest.fixture
async def clock(empty_club: Club) -> AsyncIterator[BotClock]:
    clock = empty_club.bot.take_clock()
    await empty_club.bot.start()
    yield clock
    assert await empty_club.bot.stop() == 0
    assert "Traceback" not in empty_club.bot.log


@pytest.mark.parametrize(
    ("refusals", "has_picture", "has_buttons"),
    [(2, True, True), (3, False, True), (4, False, False)],
)
async def test_a_board_that_is_refused_comes_in_a_simpler_form(
    club: Club, clock: BotClock, *, refusals: int, has_picture: bool, has_buttons: bool
) -> None:
    table = await club.start_game()
    begun = len(club.channel.messages)
    # The message to the players about the missing board is refused as well.
    with club.world.faults.answer(POST, status=400, body=REFUSAL, times=None):
        await table.white.slash(club.channel, "move", move=str(MOVES[0]))
        for number in range(1, refusals):
            await until(partial(has_refused, club, number))
            clock.advance(seconds=41)  # the longest delay before the fifth attempt
        await until(partial(has_refused, club, refusals))
    clock.advance(seconds=41)
    board = await club.channel.wait_for(
        lambda one: one in club.channel.messages[begun:] and "your turn" in one.content
    )
    assert [file.filename for file in board.attachments] == ["dvonn-1-1.png"] * has_picture
    assert [file.description for file in board.attachments] == [None] * has_picture
    assert ("On the board" in board.content) is not has_picture
    assert bool(board.buttons) is has_buttons
    await table.black.slash(club.channel, "move", move=str(MOVES[1]))
    await table.board(2)


async def has_refused(club: Club, times: int) -> bool:
    """Return a check that the log has a number of refused boards, with their reason."""
    reason = "error='400 Bad Request: Invalid Form Body (code 50035)'"
    refusals = [line for line in club.bot.log.splitlines() if reason in line]
    return sum("kind=board" in line for line in refusals) == times


async def test_a_board_is_posted_once_even_if_the_response_is_unreadable(
    club: Club, clock: BotClock
) -> None:
    table = await club.start_game()
    club.world.faults.empty_answer(POST, times=None)
    await table.play(MOVES[:3])
    clock.advance(minutes=5)
    await club.bot.wrote("delivery sent, response unreadable")
    await nothing_unsent(club.bot)
    await table.play(MOVES[3:4])  # posted after everything that would have been sent again
    assert table.boards() == [f"dvonn-1-{number}.png" for number in range(5)]


async def test_a_board_is_edited_once_even_if_the_response_is_unreadable(
    club: Club, clock: BotClock
) -> None:
    moderator = club.guild.owner
    await moderator.slash(club.channel, "setup boards", placement="edit")
    table = await club.start_game()
    await table.white.slash(club.channel, "move", move=str(MOVES[0]))
    await table.board(1)
    fault = club.world.faults.empty_answer(EDIT, times=None)
    await table.black.slash(club.channel, "move", move=str(MOVES[1]))
    await fault.met()
    await club.bot.wrote("delivery sent, response unreadable")
    fault.end()
    clock.advance(minutes=30)
    await nothing_unsent(club.bot)
    await table.white.slash(club.channel, "move", move=str(MOVES[2]))
    await table.board(3)  # posted after everything that would have been edited again
    edits = [exchange.path for exchange in club.world.exchanges if exchange.method == "PATCH"]
    here = f"/channels/{club.channel.id}/messages/"
    assert sum(here in path for path in edits) == 3, "once for each move"
