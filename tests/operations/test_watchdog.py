"""A service manager is told the truth, and a bot that has gone silent begins anew."""

import asyncio
import re
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.__main__ import EXIT_CANNOT_START
from bot.connection.liveness import Liveness
from bot.operations.systemd import ServiceManager
from tests.bot.connection.test_requests import Seconds
from tests.e2e.conftest import Club
from tests.games import random_game
from tests.operations.launch import VARIABLE


class Manager:
    """The socket of a service manager, and what it was told there."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(address)

    async def hears(self) -> list[str]:
        """The lines of the next datagram."""
        datagram = await asyncio.get_running_loop().sock_recv(self.socket, 4096)
        return datagram.decode().splitlines()

    async def until(self, line: str) -> None:
        """Wait for a line."""
        while line not in await self.hears():
            pass

    def has_nothing(self) -> bool:
        """Whether nothing was told that was not heard yet."""
        try:
            self.socket.recv(4096, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        return False


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    one = Manager(str(tmp_path / "notify"))
    with closing(one.socket):
        yield one


async def test_the_real_bot_tells_that_it_is_ready_lives_and_stops(
    quiet_club: Club, manager: Manager, tmp_path: Path
) -> None:
    club = quiet_club
    club.bot.settings |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "3000000"}
    await club.bot.start()
    await manager.until("READY=1")
    await manager.until("STATUS=alive: requests, shard 0")
    assert (await manager.hears())[0] == "WATCHDOG=1"
    assert await club.bot.stop() == 0
    await manager.until("STOPPING=1")


async def test_a_bot_whose_token_is_refused_never_says_that_it_is_ready(
    quiet_club: Club, manager: Manager, tmp_path: Path
) -> None:
    bot = quiet_club.bot
    bot.settings |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "DISCORD_TOKEN": "not-this-one"}
    await bot.launch()
    assert await bot.ended() == EXIT_CANNOT_START
    assert "DISCORD_TOKEN is refused" in bot.log
    assert manager.has_nothing()


async def test_a_bot_that_waits_for_discord_has_started(
    quiet_club: Club, manager: Manager, tmp_path: Path
) -> None:
    bot = quiet_club.bot
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        away = f"http://127.0.0.1:{nobody.getsockname()[1]}/api/v10"
        bot.settings |= {"NOTIFY_SOCKET": str(tmp_path / "notify"), "DISCORD_API_URL": away}
        await bot.launch()
        assert await manager.hears() == ["READY=1"]
        await bot.wrote("the session with Discord ended")
        assert "Cannot connect to host" in bot.log
        assert "Traceback" not in bot.log
        assert await bot.stop() == 0


async def test_a_bot_that_hears_nothing_any_more_begins_anew_and_loses_nothing(
    quiet_club: Club, tmp_path: Path
) -> None:
    club = quiet_club
    silence = tmp_path / "silence"
    silence.write_text("0")
    club.bot.module = "tests.operations.launch"
    club.bot.settings[VARIABLE] = str(silence)
    await club.bot.start()
    table = await club.start_game()
    moves = random_game(2)
    await table.play(moves[:1])
    deaf = club.world.faults.deaf()  # its socket stands, its heart beats, and nothing comes
    await table.type(moves[1])
    await deaf.met()
    silence.write_text("300")
    await table.board(2)
    assert re.search("no sign of life from: .*shard 0", club.bot.log)
    deaf.end()
    await table.play(moves[2:4])
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(5)]
    assert await club.bot.stop() == 0


async def test_whoever_gives_no_sign_is_not_fed(manager: Manager, tmp_path: Path) -> None:
    clock = Seconds()
    liveness = Liveness(clock)
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000"}
    feeding = asyncio.create_task(ServiceManager(environment).feed(liveness))
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    assert await manager.hears() == ["WATCHDOG=1", "STATUS=alive: shard 0"]
    clock.now = 121
    hungry = "STATUS=no sign of life from: shard 0"
    await manager.until(hungry)
    assert [await manager.hears() for _ in range(3)] == [[hungry]] * 3
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    await manager.until("WATCHDOG=1")
    feeding.cancel()


async def test_an_abstract_socket_is_found_too() -> None:
    name = f"dvonn-{id(object())}"
    manager = Manager(f"\0{name}")
    with closing(manager.socket):
        ServiceManager({"NOTIFY_SOCKET": f"@{name}"}).tell("READY=1", "STATUS=here")
        assert await manager.hears() == ["READY=1", "STATUS=here"]


async def test_nobody_is_told_where_nobody_asked(manager: Manager, tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    for environment in (
        {"WATCHDOG_USEC": "30000"},
        {"NOTIFY_SOCKET": address},
        {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000", "WATCHDOG_PID": "1"},
    ):
        one = ServiceManager(environment)
        assert one.patience is None
        await one.feed(Liveness(Seconds()))  # at once over
    ServiceManager({}).tell("READY=1")
    assert manager.has_nothing()


async def test_a_socket_that_is_gone_does_no_harm(tmp_path: Path) -> None:
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell("WATCHDOG=1")
