"""Tests for session starts: which shard waits and how, and what connects it later."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from bot.connection.shard_sessions import SessionDelayedError, ShardSessions, _Backoff

SECOND = timedelta(seconds=1)
NOW = datetime(2026, 11, 29, tzinfo=UTC)
ADDRESS = "wss://gateway.example"
LIMIT = {"total": 1_000, "remaining": 990, "reset_after": 1_000, "max_concurrency": 1}


class Discord:
    """The parts that a shard's start needs: Discord's responses, permits, a clock and shards."""

    def __init__(self, *waits: timedelta) -> None:
        self.waits = list(waits)
        """Delays of a shard's starts, in order. Later starts have none."""
        self.steady = 0.0
        self.slept = list[float]()
        self.is_behind = False
        self.is_down = False
        self.asked = 0
        self.learned = list[tuple[int, float]]()
        self.done = list[str]()
        self.began_elsewhere = False
        self.began_by_others: datetime | None = None
        self.shards = dict[int, Any]()
        self.tasks = dict[str, Coroutine[Any, Any, None]]()
        http = SimpleNamespace(get_bot_gateway=self._gateway)
        client: Any = SimpleNamespace(shard_count=4, http=http, get_shard=self.shards.get)
        limiter: Any = self
        time: Any = self
        self.sessions = ShardSessions(client, limiter, time, self.tasks.__setitem__)

    def connect(self, number: int) -> None:
        """Record that a shard had a session."""
        self.shards[number] = SimpleNamespace(reconnect=self._reconnect)

    async def _reconnect(self) -> None:
        self.done.append("reconnected")

    async def _gateway(self) -> tuple[int, str, dict[str, int]]:
        self.asked += 1
        self.steady += 2
        if self.is_down:
            raise ConnectionError
        return 4, ADDRESS, LIMIT

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.steady += seconds

    def learn(self, limit: dict[str, int], *, took_s: float) -> None:
        self.learned.append((limit["remaining"], took_s))

    async def begin(self, shard: int, count: int) -> timedelta:
        assert (shard, count) == (3, 4)
        return self.waits.pop(0) if self.waits else timedelta(0)

    async def wait(self, shard: int, count: int, name: str) -> None:
        assert (shard, count) == (3, 4)
        self.done.append(f"{name} waits")

    async def last_start_elsewhere(self) -> datetime | None:
        return self.began_by_others

    async def has_foreign_starts(self) -> bool:
        return self.began_elsewhere


async def test_a_shard_that_may_begin_begins_at_once() -> None:
    discord_ = Discord()
    await discord_.sessions.before_identify(3)
    assert (discord_.slept, discord_.asked) == ([], 0)


async def test_a_short_wait_is_waited_for_in_place() -> None:
    discord_ = Discord(6 * SECOND, 20 * SECOND, 14 * SECOND)
    await discord_.sessions.before_identify(3)
    assert discord_.slept == [6, 20, 14], "40 seconds in all"


@pytest.mark.parametrize(
    ("waits", "slept"),
    [([21 * SECOND], []), ([20 * SECOND, 15 * SECOND, 6 * SECOND], [20, 15])],
    ids=["a long one", "several, together"],
)
async def test_the_first_session_is_delayed_if_the_wait_is_long(
    waits: list[timedelta], slept: list[float]
) -> None:
    discord_ = Discord(*waits)
    with pytest.raises(SessionDelayedError):
        await discord_.sessions.before_identify(3)
    assert discord_.slept == slept
    assert discord_.tasks == {}, "whoever connects the shard tries again"


async def test_a_shard_that_was_connected_is_connected_again_once_it_may() -> None:
    discord_ = Discord(timedelta(hours=1), timedelta(hours=1))
    discord_.connect(3)
    for _ in range(2):
        with pytest.raises(asyncio.CancelledError):
            await discord_.sessions.before_identify(3)
    await discord_.tasks.pop("identify 3")
    assert discord_.done == ["shard 3 waits", "reconnected"]
    assert discord_.tasks == {}, "one at a time"
    discord_.waits = [timedelta(hours=1)]
    with pytest.raises(asyncio.CancelledError):
        await discord_.sessions.before_identify(3)
    await discord_.tasks.pop("identify 3")
    assert discord_.done == ["shard 3 waits", "reconnected"] * 2


async def test_a_shard_that_is_refused_while_it_connects_waits_again() -> None:
    discord_ = Discord(timedelta(hours=1))

    async def reconnect() -> None:
        discord_.done.append("reconnected")
        if len(discord_.done) < 4:
            discord_.waits = [timedelta(hours=1)]
            with pytest.raises(asyncio.CancelledError):
                await discord_.sessions.before_identify(3)

    discord_.shards[3] = SimpleNamespace(reconnect=reconnect)
    with pytest.raises(asyncio.CancelledError):
        await discord_.sessions.before_identify(3)
    await discord_.tasks.pop("identify 3")
    assert discord_.done == ["shard 3 waits", "reconnected"] * 2
    assert discord_.tasks == {}


async def test_the_first_connection_waits_for_its_permit() -> None:
    discord_ = Discord()
    await discord_.sessions.before_launch(3)
    assert discord_.done == ["connecting waits"]


async def test_discord_is_asked_if_cached_data_is_old() -> None:
    discord_ = Discord()
    discord_.is_behind = True
    await discord_.sessions.before_identify(3)
    assert (discord_.asked, discord_.learned) == (1, [(990, 2.0)])
    discord_.is_down = True
    await discord_.sessions.before_identify(3)
    assert (discord_.asked, discord_.learned) == (2, [(990, 2.0)]), "what was known holds"


async def test_later_sessions_use_the_address_that_discord_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL("wss://elsewhere.example"))
    await Discord().sessions.use_address()
    assert yarl.URL(ADDRESS) == DiscordWebSocket.DEFAULT_GATEWAY


@pytest.mark.parametrize("is_elsewhere", [True, False])
async def test_sessions_started_elsewhere_are_a_sign_of_a_second_bot(*, is_elsewhere: bool) -> None:
    discord_, noted = Discord(), list[object]()
    second_bot: Any = SimpleNamespace(on_own_session=noted.append, note=noted.append)
    discord_.began_elsewhere, discord_.began_by_others = is_elsewhere, NOW
    await discord_.sessions.check_for_others(second_bot)
    assert noted == [NOW, *(["session"] if is_elsewhere else [])]
    assert discord_.asked == 1, "for Discord's count of now"
    discord_.began_by_others = None
    await discord_.sessions.check_for_others(second_bot)
    assert noted.count(NOW) == 1


def test_a_shard_has_one_connection() -> None:
    sessions = Discord().sessions
    assert sessions.connection(3) is sessions.connection(3)
    assert sessions.connection(2) is not sessions.connection(3)


def test_reconnecting_takes_no_minutes() -> None:
    Discord()
    backoff = _Backoff()
    assert max(backoff.delay() for _ in range(30)) <= 4
    assert discord.shard.ExponentialBackoff is _Backoff  # type: ignore[attr-defined]
