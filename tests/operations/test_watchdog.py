"""Tests for the signals to a service manager, and of restarts after silence."""

import re
import socket
from pathlib import Path

from bot.__main__ import EXIT_CANNOT_START
from tests.bot.operations.test_service_manager import Manager, manager
from tests.e2e.conftest import Club
from tests.games import random_game
from tests.operations.launch import VARIABLE

__all__ = ["manager"]  # a fixture


async def test_the_real_bot_notifies_ready_alive_and_stopping(
    quiet_club: Club, manager: Manager, tmp_path: Path
) -> None:
    club = quiet_club
    club.bot.settings |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "3000000"}
    await club.bot.start()
    await manager.until("READY=1")
    await manager.until("STATUS=alive: requests, shard 0")
    assert (await manager.receive())[0] == "WATCHDOG=1"
    assert await club.bot.stop() == 0
    await manager.until("STOPPING=1")


async def test_a_bot_whose_token_is_refused_never_says_that_it_is_ready(
    quiet_club: Club, manager: Manager, tmp_path: Path
) -> None:
    bot = quiet_club.bot
    bot.settings |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "DISCORD_TOKEN": "not-this-one"}
    await bot.launch()
    assert await bot.ended() == EXIT_CANNOT_START
    assert "Discord rejected DISCORD_TOKEN" in bot.log
    assert manager.has_nothing()


async def test_a_bot_that_waits_for_discord_has_started(
    quiet_club: Club, manager: Manager, tmp_path: Path
) -> None:
    bot = quiet_club.bot
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not accept connections
        away = f"http://127.0.0.1:{nobody.getsockname()[1]}/api/v10"
        bot.settings |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "DISCORD_API_URL": away}
        await bot.launch()
        assert await manager.receive() == ["READY=1"]
        await bot.wrote("connection lost")
        assert "Cannot connect to host" in bot.log
        assert "Traceback" not in bot.log
        assert await bot.stop() == 0


async def test_a_deaf_bot_reconnects_and_loses_nothing(quiet_club: Club, tmp_path: Path) -> None:
    club = quiet_club
    silence = tmp_path / "silence"
    silence.write_text("0")
    club.bot.module = "tests.operations.launch"
    club.bot.settings[VARIABLE] = str(silence)
    await club.bot.start()
    table = await club.start_game()
    moves = random_game(2)
    await table.play(moves[:1])
    # The socket is open, heartbeats are answered, and no events arrive.
    deaf = club.world.faults.deaf()
    await table.type(moves[1])
    await deaf.met()
    silence.write_text("300")
    await table.board(2)
    assert re.search("no sign of life from: .*shard 0", club.bot.log)
    deaf.end()
    await table.play(moves[2:4])
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(5)]
    assert await club.bot.stop() == 0
