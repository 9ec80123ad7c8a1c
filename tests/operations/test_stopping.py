"""Tests that a stop finishes work in progress, in limited time."""

import os
import signal

from tests.e2e.conftest import Club, is_gone, message_of
from tests.e2e.database import writes_blocked
from tests.games import random_game
from tests.operations.watched import until

POST = "POST /channels/{id}/messages"


async def test_a_turn_under_way_is_written_down_and_posted(quiet_club: Club) -> None:
    club = quiet_club
    await club.bot.start()
    table = await club.start_game()
    moves = random_game(2)
    slow = club.world.faults.slow(POST, seconds=2)
    await table.type(moves[0])
    await slow.met()  # the board is being sent, and the response is missing
    assert await club.bot.stop() == 0
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-1.png"]
    await club.bot.start()
    await table.play(moves[1:2])
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-1.png", "dvonn-1-2.png"]
    assert await club.bot.stop() == 0


async def test_an_interaction_under_way_is_answered(quiet_club: Club) -> None:
    club = quiet_club
    await club.bot.start()
    table = await club.start_game()
    move = random_game(2)[0]
    club.ann.patience = None
    with writes_blocked(club.bot):  # it waits for the disk
        answer = await club.ann.slash(club.channel, "move", move=str(move))
        assert answer.deferred
        os.kill(club.bot.pid, signal.SIGTERM)
        await club.bot.wrote("bot stopping")
    await is_gone(message_of(answer))
    assert await club.bot.stop() == 0
    assert table.boards()[-1] == "dvonn-1-1.png"


async def test_a_stop_does_not_wait_for_endless_work(quiet_club: Club) -> None:
    club = quiet_club
    await club.bot.start()
    table = await club.start_game()
    moves = random_game(2)
    endless = club.world.faults.slow(POST, seconds=10_000, times=None)
    await table.type(moves[0])
    await endless.met()
    assert await club.bot.stop() == 0
    endless.end()
    assert "bot stopped" in club.bot.log
    await club.bot.start()
    await table.play(moves[1:2])
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(3)]  # each once
    assert await club.bot.stop() == 0


async def test_a_second_signal_does_not_tear_the_first_stop_apart(quiet_club: Club) -> None:
    club = quiet_club
    await club.bot.start()
    table = await club.start_game()
    slow = club.world.faults.slow(POST, seconds=2)
    await table.type(random_game(2)[0])
    await slow.met()
    os.kill(club.bot.pid, signal.SIGTERM)
    await club.bot.wrote("bot stopping")
    os.kill(club.bot.pid, signal.SIGINT)
    assert await club.bot.stop() == 0

    async def posted() -> bool:
        return table.boards()[-1] == "dvonn-1-1.png"

    await until(posted)
    assert club.bot.log.count("bot stopping") == 1
    assert "Traceback" not in club.bot.log
