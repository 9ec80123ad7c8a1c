"""Tests for the signals to a service manager."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest

from bot.connection.liveness import Liveness
from bot.operations.systemd import ServiceManager
from tests.bot.connection.test_requests import Seconds


class EnoughError(Exception):
    """Ends the feeding of a watchdog."""


class Manager:
    """The socket of a service manager, and the messages that it received."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(address)

    async def receive(self) -> list[str]:
        """Return the lines of the next datagram."""
        datagram = await asyncio.get_running_loop().sock_recv(self.socket, 4096)
        return datagram.decode().splitlines()

    async def until(self, line: str) -> None:
        """Wait for a line."""
        while line not in await self.receive():
            pass

    def has_nothing(self) -> bool:
        """Return True if all messages have been read."""
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


async def test_without_signs_of_life_the_watchdog_is_not_fed(
    manager: Manager, tmp_path: Path
) -> None:
    clock = Seconds()
    liveness = Liveness(clock)
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000"}
    feeding = asyncio.create_task(ServiceManager(environment).feed(liveness))
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    assert await manager.receive() == ["WATCHDOG=1", "STATUS=alive: shard 0"]
    clock.now = 121
    hungry = "STATUS=no sign of life from: shard 0"
    await manager.until(hungry)
    assert [await manager.receive() for _ in range(3)] == [[hungry]] * 3
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    await manager.until("WATCHDOG=1")
    feeding.cancel()


async def test_a_bot_that_waits_on_purpose_is_not_restarted(
    manager: Manager, tmp_path: Path
) -> None:
    liveness = Liveness(Seconds())
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000"}
    until = datetime(2026, 3, 1, 12, tzinfo=UTC)
    liveness.pause("shard 0", until=until, next_within=timedelta(minutes=2))
    feeding = asyncio.create_task(ServiceManager(environment).feed(liveness))
    status = "STATUS=waits on purpose until 2026-03-01 12:00:00 UTC"
    assert await manager.receive() == ["WATCHDOG=1", status]
    feeding.cancel()


async def test_a_silent_bot_is_restarted_even_if_a_part_of_it_waits(
    manager: Manager, tmp_path: Path
) -> None:
    clock = Seconds()
    liveness = Liveness(clock)
    liveness.sign("shard 0", next_within=timedelta(minutes=2))
    clock.now = 121
    until = datetime(2026, 3, 1, 12, tzinfo=UTC)
    liveness.pause("shard 1", until=until, next_within=timedelta(minutes=2))
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000"}
    feeding = asyncio.create_task(ServiceManager(environment).feed(liveness))
    assert await manager.receive() == ["STATUS=no sign of life from: shard 0"]
    feeding.cancel()


async def test_the_watchdog_is_fed_three_times_before_it_would_bite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = list[float]()

    async def note(seconds: float) -> NoReturn:
        pauses.append(seconds)
        raise EnoughError

    monkeypatch.setattr(asyncio, "sleep", note)
    environment = {"NOTIFY_SOCKET": str(tmp_path / "none"), "WATCHDOG_USEC": "30000000"}
    with pytest.raises(EnoughError):
        await ServiceManager(environment).feed(Liveness(Seconds()))
    assert pauses == [10]


async def test_a_bot_is_ready_once(manager: Manager, tmp_path: Path) -> None:
    one = ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    for _ in range(2):
        one.ready()
    assert await manager.receive() == ["READY=1"]
    assert manager.has_nothing()


async def test_an_abstract_socket_is_found_too() -> None:
    name = f"dvonn-{id(object())}"
    manager = Manager(f"\0{name}")
    with closing(manager.socket):
        ServiceManager({"NOTIFY_SOCKET": f"@{name}"}).notify("READY=1", "STATUS=here")
        assert await manager.receive() == ["READY=1", "STATUS=here"]


async def test_unasked_people_get_no_message(manager: Manager, tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    for environment in (
        {"WATCHDOG_USEC": "30000"},
        {"NOTIFY_SOCKET": address},
        {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000", "WATCHDOG_PID": "1"},
    ):
        one = ServiceManager(environment)
        assert one.watchdog_timeout is None
        await one.feed(Liveness(Seconds()))  # over at once
    ServiceManager({}).notify("READY=1")
    assert manager.has_nothing()


async def test_a_missing_socket_does_no_harm(tmp_path: Path) -> None:
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).notify("WATCHDOG=1")


async def test_a_manager_that_reads_nothing_delays_nobody(manager: Manager, tmp_path: Path) -> None:
    one = ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    for _ in range(600):  # a socket keeps ten messages, or as many as 512
        one.notify("WATCHDOG=1")
    assert await manager.receive() == ["WATCHDOG=1"]
