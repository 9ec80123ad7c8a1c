"""Tests for the sender with a new kind of delivery, which is a single class.

A real client sends it to the sandbox, from both databases.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import NoReturn

import discord
import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.base.errors import StoreError
from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision, Shards, UserId
from bot.base.priority_semaphore import Priority
from bot.connection.channel_requests import Channels
from bot.connection.delivery_handlers import DeliveryHandler, OutgoingMessage
from bot.connection.posts import File, Post
from bot.connection.request_demands import IN_TIME, priority_of
from bot.connection.request_errors import ForbiddenError
from bot.connection.sender import Sender
from bot.connection.tasks import InFlightWork
from bot.database.database import Conflict
from bot.database.delivery_rows import (
    BOARD,
    Delivery,
    DeliveryKind,
    DeliveryRoute,
    NewDelivery,
    deliveries,
)
from bot.database.leases import LEASE
from bot.play.delivery.boards import try_once
from bot.play.store.store import Store
from sandbox import Channel, GuildAdmin, Sandbox
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, Table

POST = "POST /channels/{id}/messages"
ANNOUNCEMENT = DeliveryKind("announcement")
WORDS = "DVONN for everybody, on Saturday."


class AnnouncementHandler(DeliveryHandler):
    """Sends a text to a channel, unless the channel accepts no more texts."""

    name = ANNOUNCEMENT

    def __init__(self, channels: Channels, store: Store, now: Clock) -> None:
        super().__init__(channels)
        self._store = store
        self._now = now
        self.on_the_way: Callable[[], Awaitable[None]] | None = None
        """Called between taking a row and sending it."""
        self.having_looked: Callable[[], Awaitable[None]] | None = None
        """Called between the search for an earlier message and the next attempt."""
        self.line: tuple[str, int] | None = None
        self.file: File | None = None
        self.at_once = self.most_at_once = 0
        self.delayed_count = self.found_count = self.refused_count = 0

    def queue(self, row: Delivery) -> tuple[str, int] | None:  # noqa: ARG002
        return self.line

    async def prepare(self, rows: Sequence[Delivery]) -> OutgoingMessage:
        (row,) = rows
        if self.on_the_way is not None:
            await self.on_the_way()
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        parcel = self.outgoing_message(
            rows, Post(content=row.data.get("words", WORDS), file=self.file)
        )
        return replace(parcel, after_send=self._sent)

    async def find(self, row: Delivery) -> MessageId | None:
        found = await super().find(row)
        if self.having_looked is not None:
            await self.having_looked()
        return found

    def _sent(self, _message: MessageId) -> None:
        self.at_once -= 1

    def matches(self, message: discord.Message, row: Delivery) -> bool:
        return bool(message.content == row.data["words"])

    async def delayed(self, _row: Delivery) -> None:
        self.delayed_count += 1

    async def on_found(self, _row: Delivery) -> None:
        self.found_count += 1

    async def on_refused(self, row: Delivery) -> None:
        self.refused_count += 1
        if await self.channels.is_gone(row.channel):
            await self._store.deliveries.drop([row], at=self._now())


class Process:
    """One of several processes that send to a channel."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        clock: Clock,
        guild: GuildAdmin,
        channel: Channel,
    ) -> None:
        self.clock, self.guild, self.channel = clock, guild, channel
        self._with = (client, store, clock, guild, channel)
        self.store, self.deliveries = store, store.deliveries
        self.kind = AnnouncementHandler(Channels(client, now=clock), store, clock)
        self.sender = Sender(store.deliveries, [self.kind], InFlightWork(), now=clock)

    def other(self) -> "Process":
        """Start another process that sends the same deliveries."""
        return Process(*self._with)

    async def announce(
        self,
        words: str = WORDS,
        *,
        key: str = "saturday",
        player: UserId | None = None,
        revision: int | None = None,
    ) -> None:
        """Store an announcement."""
        new = NewDelivery(
            kind=ANNOUNCEMENT,
            key=key,
            guild=GuildId(self.guild.id),
            channel=ChannelId(self.channel.id),
            player=player,
            game=None if revision is None else GameId(1),
            revision=None if revision is None else Revision(revision),
            route=DeliveryRoute.CHANNEL if player is None else DeliveryRoute.DM,
            data={"words": words},
        )
        await self.deliveries.add(new, at=self.clock())

    async def sweep(self) -> None:
        await self.sender.sweep(ALL, after_catch_up=False)

    async def unsent(self) -> list[Delivery]:
        return await self.deliveries.all_unsent()

    @property
    def posted(self) -> list[str]:
        return texts_in(self.channel)


def texts_in(channel: Channel) -> list[str]:
    return [message.content for message in channel.messages]


@pytest.fixture
def process(
    client: discord.Client, store: Store, clock: Clock, guild: GuildAdmin, channel: Channel
) -> Process:
    clock.time = datetime.now(UTC)  # the sandbox's id
    return Process(client, store, clock, guild, channel)


async def test_the_event_is_written_and_announced_once(process: Process) -> None:
    statistics = process.store.statistics
    await process.announce()
    with pytest.raises(Conflict):
        await process.announce()
    assert (await statistics.counts()).oldest_unsent is not None
    for _ in range(2):
        await process.sweep()
    assert process.posted == [WORDS]
    assert await process.unsent() == []
    assert (await statistics.counts()).oldest_unsent is None


@pytest.mark.parametrize(("line", "at_once"), [(("cup", 1), False), (None, True)])
async def test_deliveries_of_one_queue_are_sent_in_order(
    process: Process, line: tuple[str, int] | None, *, at_once: bool
) -> None:
    process.kind.line = line
    for number in range(4):
        await process.announce(str(number), key=str(number))
    await process.sweep()
    assert (process.kind.most_at_once > 1) is at_once
    if not at_once:
        assert process.posted == ["0", "1", "2", "3"]
    assert sorted(process.posted) == ["0", "1", "2", "3"]


async def test_a_long_queue_leaves_room_for_others(process: Process) -> None:
    process.kind.line = ("cup", 1)
    for number in range(7):
        await process.announce(str(number), key=str(number))
    await process.sweep()
    assert process.posted == ["0", "1", "2", "3", "4"]
    await process.sweep()
    assert process.posted[5:] == ["5", "6"]


async def test_a_games_unsent_deliveries_are_not_overtaken(
    world: Sandbox, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnnouncementHandler, "in_order", True)
    table = Table(process.store, process.clock)
    await table.begin()
    await table.play(ANN, "a1")
    await table.play(BOB, "b1")
    for number in range(3):
        await process.announce(str(number), key=str(number), revision=number)
    with world.faults.answer(POST, status=400, body={}, times=None):
        assert not await process.sender.catch_up(GameId(1))
    tries = {row.data["words"]: row.tries for row in await process.unsent() if row.data}
    assert tries == {"0": 1, "1": 0, "2": 0}
    assert not await process.sender.catch_up(GameId(1)), "it waits for its next try"
    assert process.posted == []
    process.clock.advance(seconds=60)
    assert await process.sender.catch_up(GameId(1))
    assert process.posted == ["0", "1", "2"]


async def test_resumed_jobs_are_left_to_the_worker_that_resumed_them(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnnouncementHandler, "in_order", True)
    monkeypatch.setattr(AnnouncementHandler, "name", BOARD)
    process = process.other()
    await Table(process.store, process.clock).begin(channel=ChannelId(process.channel.id))
    await process.deliveries.drop(await process.unsent(), at=process.clock())
    looked = list[list[Delivery]]()

    async def look() -> None:
        looked.append(await process.deliveries.due([BOARD], ALL, process.clock()))

    process.kind.on_the_way = look
    await process.sender.resume_game(GameId(1), Revision(0))
    assert looked == [[]]
    assert process.posted == [WORDS]


async def test_it_waits_for_its_own_turn_and_shard(process: Process) -> None:
    await process.announce()
    here = (process.guild.id >> 22) % 2
    await process.sender.sweep(ALL, after_catch_up=True)
    await process.sender.sweep(Shards((1 - here,), 2), after_catch_up=False)
    assert process.posted == []
    await process.sender.sweep(Shards((here,), 2), after_catch_up=False)
    assert process.posted == [WORDS]


async def test_jobs_of_another_version_are_left_to_it(process: Process) -> None:
    stranger = NewDelivery(
        kind=DeliveryKind("puzzle"),
        key="1",
        guild=GuildId(process.guild.id),
        channel=ChannelId(process.channel.id),
    )
    written = await process.deliveries.add(stranger, at=process.clock())
    await process.sender.load_backlog()
    await process.sweep()
    assert await process.unsent() == [written]


async def test_a_delivery_with_a_lost_response_is_found_and_not_repeated(
    world: Sandbox, process: Process
) -> None:
    await process.announce()
    # the second process asks Discord if it was posted
    with world.faults.lose_answer(POST, times=2):
        await process.sweep()
    (unsent,) = await process.unsent()
    assert unsent.tries == 1
    world.state.nonces.clear()  # as if a few minutes had passed
    await process.sweep()
    assert await process.unsent() == [unsent]  # its retry is not due yet
    process.clock.advance(seconds=5)
    await process.sweep()
    assert process.posted == [WORDS]
    assert await process.unsent() == []


async def test_a_found_message_counts_as_sent_when_it_was_posted(
    world: Sandbox, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on, the player's clock runs."""
    monkeypatch.setattr(AnnouncementHandler, "found_data", {"is_found": True})
    await process.announce()
    with world.faults.lose_answer(POST, times=2):
        await process.sweep()
    assert (process.kind.delayed_count, process.kind.found_count) == (1, 0)
    process.clock.advance(minutes=5)
    await process.sweep()
    (message,) = process.channel.messages
    posted_at = discord.utils.snowflake_time(message.id)
    assert await sent_rows(process) == [(posted_at, {"is_found": True})]
    assert (process.kind.delayed_count, process.kind.found_count) == (1, 1)


async def test_an_edit_of_an_older_message_counts_as_sent_now(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    await process.announce()
    await process.sweep()
    (message,) = process.channel.messages

    async def edit(*_: object) -> MessageId:
        return MessageId(message.id)

    process.clock.advance(seconds=6)
    monkeypatch.setattr(AnnouncementHandler, "_send", edit)
    await process.announce(key="sunday")
    await process.sweep()
    (first, _), (at, _) = await sent_rows(process)
    assert timedelta(0) <= process.clock() - at < timedelta(milliseconds=1)
    assert first <= process.clock() - timedelta(seconds=6), "not later than it was noted"


async def sent_rows(process: Process) -> list[tuple[datetime, object]]:
    """Return when the deliveries count as sent, and their data."""
    columns = select(deliveries.c.sent_at, deliveries.c.data).order_by(deliveries.c.id)
    async with process.store._database._engine.connect() as connection:
        return [(row.sent_at, row.data) for row in await connection.execute(columns)]


@pytest.mark.parametrize(
    ("status", "forgets", "is_retried"), [(503, True, False), (403, False, True)]
)
async def test_nothing_is_sent_again_while_it_is_unknown_whether_it_arrived(
    world: Sandbox, process: Process, *, status: int, forgets: bool, is_retried: bool
) -> None:
    """The nonce is the only protection if the bot may not read the history."""
    await process.announce()
    with world.faults.lose_answer(POST, times=2):
        await process.sweep()
    if forgets:
        world.state.nonces.clear()
    process.clock.advance(seconds=5)
    with world.faults.answer("GET /channels/{id}/messages", status=status, times=None):
        await process.sweep()
    assert process.posted == [WORDS]
    assert (await process.unsent() == []) is is_retried
    process.clock.advance(minutes=10)
    await process.sweep()
    assert process.posted == [WORDS]
    assert await process.unsent() == []


async def test_the_same_text_by_another_user_is_not_the_message(
    world: Sandbox, process: Process
) -> None:
    await process.announce()
    with world.faults.lose_request(POST, times=2):
        await process.sweep()
    await process.guild.add_person("Ann").say(process.channel, WORDS)
    process.clock.advance(seconds=5)
    await process.sweep()
    assert process.posted == [WORDS, WORDS]


async def test_a_clock_that_is_ahead_hides_no_sent_message(
    world: Sandbox, process: Process
) -> None:
    process.clock.advance(minutes=9)
    await process.announce()
    with world.faults.lose_answer(POST, times=2):
        await process.sweep()
    world.state.nonces.clear()
    process.clock.advance(seconds=5)
    await process.sweep()
    assert process.posted == [WORDS]


async def test_the_wait_doubles_with_each_failure_up_to_ten_minutes(
    world: Sandbox, process: Process
) -> None:
    await process.announce()
    refusal = {"code": 50035, "message": "Invalid Form Body", "errors": {}}
    with (
        world.faults.answer(POST, status=400, body=refusal, times=None),
        capture_logs() as logged,
    ):
        for _ in range(10):
            await process.sweep()
            process.clock.advance(minutes=10)
    failures = [line for line in logged if line["event"] == "delivery failed, retrying"]
    expected = [5, 5, 10, 20, 40, 80, 160, 320, 600, 600]
    assert [line["retry_s"] for line in failures] == expected


@pytest.mark.parametrize("is_predicted", [False, True])
async def test_whether_a_place_is_gone_is_asked_after_an_unexpected_refusal(
    world: Sandbox, process: Process, monkeypatch: pytest.MonkeyPatch, *, is_predicted: bool
) -> None:
    async def refuse(*_: object) -> NoReturn:
        raise ForbiddenError("lacks send_messages")

    if is_predicted:
        monkeypatch.setattr(AnnouncementHandler, "_send", refuse)
    await process.announce()
    with world.faults.answer(POST, status=403, body={"code": 50013, "message": "no"}):
        await process.sweep()
    assert process.kind.refused_count == int(not is_predicted)
    assert len(await process.unsent()) == 1


async def test_an_accepted_message_is_not_resent_if_its_response_is_unreadable(
    world: Sandbox, process: Process
) -> None:
    await process.announce()
    with world.faults.empty_answer(POST):
        await process.sweep()
    assert await process.unsent() == []
    process.clock.advance(minutes=10)
    await process.sweep()
    assert process.posted == [WORDS]
    assert [exchange.status for exchange in world.exchanges if exchange.method == "POST"] == [200]


@pytest.mark.parametrize(
    ("refusals", "has_file", "describes"), [(1, True, True), (2, True, False), (3, False, False)]
)
async def test_a_message_that_is_refused_again_is_sent_in_a_simpler_format(
    world: Sandbox, process: Process, *, refusals: int, has_file: bool, describes: bool
) -> None:
    process.kind.file = File(filename="board.png", data=b"\x89PNG", alt_text="c3 is White's.")
    await process.announce()
    refusal = {"code": 50035, "message": "Invalid Form Body", "errors": {}}
    with world.faults.answer(POST, status=400, body=refusal, times=refusals):
        for _ in range(refusals + 1):
            await process.sweep()
            process.clock.advance(minutes=10)
    (message,) = process.channel.messages
    assert bool(message.attachments) is has_file
    assert [
        attachment.description for attachment in message.attachments if attachment.description
    ] == (["c3 is White's."] if describes else [])
    assert ("c3 is White's." in message.content) is not has_file


async def test_the_board_is_sent_at_once_when_permissions_return(
    world: Sandbox, process: Process
) -> None:
    await process.announce()
    with world.faults.answer(POST, status=403, body={"code": 50013, "message": "no"}):
        await process.sweep()
    await process.sender.retry_guild(GuildId(process.guild.id + 1))
    await process.sweep()
    assert process.posted == []
    await process.sender.retry_guild(GuildId(process.guild.id))
    await process.sweep()
    assert process.posted == [WORDS]


async def test_it_is_dropped_with_its_channel(process: Process) -> None:
    await process.announce()
    process.guild.delete_channel(process.channel)
    await process.sweep()
    assert await process.unsent() == []


async def test_people_without_direct_messages_are_informed_in_the_channel(process: Process) -> None:
    ann = process.guild.add_person("Ann")
    ann.user.accepts_dms = False
    await process.announce(player=UserId(ann.id))
    for _ in range(2):
        await process.sweep()
    assert (texts_in(ann.dm), process.posted) == ([], [WORDS])


@pytest.mark.parametrize("is_limited", [False, True])
async def test_a_direct_message_remains_one_while_discord_fails(
    world: Sandbox, process: Process, *, is_limited: bool
) -> None:
    ann = process.guild.add_person("Ann")
    await process.announce(player=UserId(ann.id))
    fails = world.faults.rate_limit(POST, via=False) if is_limited else None
    with fails or world.faults.answer(POST, status=503):
        await process.sweep()
    process.clock.advance(minutes=10)
    await process.sweep()
    assert (texts_in(ann.dm), process.posted) == ([WORDS], [])


async def test_after_three_failed_direct_messages_the_channel_is_informed(
    world: Sandbox, process: Process
) -> None:
    ann = process.guild.add_person("Ann")
    await process.announce(player=UserId(ann.id))
    with world.faults.lose_request(POST, times=None):
        for _ in range(3):
            await process.sweep()
            process.clock.advance(minutes=10)
    for _ in range(2):
        await process.sweep()
    assert (texts_in(ann.dm), process.posted) == ([], [WORDS])


async def test_the_least_tried_deliveries_are_sent_first(world: Sandbox, process: Process) -> None:
    process.kind.line = ("cup", 1)
    await process.announce("tried", key="1")
    with world.faults.lose_request(POST, times=2):
        await process.sweep()
    process.clock.advance(minutes=1)
    await process.announce("new", key="2")
    await process.sweep()
    assert process.posted == ["new", "tried"]


@pytest.mark.both_databases
async def test_a_delivery_found_by_two_processes_is_sent_once(
    world: Sandbox, process: Process
) -> None:
    """On PostgreSQL both wait for the same rows. SQLite lets them write one after the other."""
    other = process.other()
    words = [str(number) for number in range(8)]
    for word in words:
        await process.announce(word, key=word)
    await asyncio.gather(process.sweep(), other.sweep())
    assert sorted(process.posted) == words
    asked = [exchange for exchange in world.exchanges if exchange.method == "POST"]
    assert len(asked) == len(words), "Discord drops what it has just had, and hides the second"
    assert await process.unsent() == []


@pytest.mark.both_databases
async def test_everything_that_an_event_queued_is_sent_at_once(process: Process) -> None:
    parcels, now = [], process.clock()
    for number in range(2):
        await process.announce(str(number), key=str(number))
    for row in await process.unsent():
        rows = await process.deliveries.claim([row], batch=row.id, now=now)
        parcels.append(process.kind.outgoing_message(rows, Post(content=row.data["words"])))
    assert await process.sender.send_now(GameId(1), parcels)
    assert process.posted == ["0", "1"]


class EnoughError(Exception):
    """Ends a sender."""


async def test_leases_of_ended_processes_are_released_at_the_start(process: Process) -> None:
    async def take(words: str) -> None:
        """Lease a delivery, as a process does before it sends it."""
        await process.announce(words, key=words)
        (row,) = await process.unsent()
        now = process.clock()
        await process.deliveries.claim([row], batch=row.id, now=now)

    pauses = count()

    async def pause() -> None:
        if next(pauses):
            raise EnoughError
        await take("taken by another meanwhile")

    await take("left by an ended one")
    with pytest.raises(EnoughError):
        await process.sender.run(ALL, after_catch_up=False, pause=pause)
    assert process.posted == ["left by an ended one"]
    assert len(await process.unsent()) == 1


async def test_a_process_that_froze_leaves_the_work_to_the_other(
    world: Sandbox, process: Process
) -> None:
    async def stand_still() -> None:
        process.clock.time += LEASE + timedelta(milliseconds=1)
        await process.other().sweep()
        world.state.nonces.clear()

    process.kind.on_the_way = stand_still
    await process.announce()
    await process.sweep()
    assert process.posted == [WORDS]
    assert await process.unsent() == []


async def test_a_delivery_tried_by_another_process_is_searched_first(
    world: Sandbox, process: Process
) -> None:
    """A sender that works through a list may reach a row long after reading it."""
    other = process.other()
    process.kind.line = other.kind.line = ("cup", 1)
    for number in range(2):
        await process.announce(str(number), key=str(number))

    async def try_the_second() -> None:
        process.kind.on_the_way = None
        with world.faults.lose_answer(POST, times=2):
            await other.sweep()
        process.clock.advance(seconds=6)

    process.kind.on_the_way = try_the_second
    await process.sweep()
    assert process.posted == ["1", "0"]
    await process.sweep()
    assert process.posted == ["1", "0"]
    assert await process.unsent() == []


async def test_a_frozen_process_hides_no_sent_message(world: Sandbox, process: Process) -> None:
    """The search for an earlier message starts at the time of the last attempt."""

    async def stand_still_for_a_day() -> None:
        process.kind.having_looked = None
        process.clock.time += LEASE + timedelta(milliseconds=1)
        with world.faults.lose_answer(POST, times=2):
            await process.other().sweep()
        world.state.nonces.clear()
        process.clock.advance(days=1)

    await process.announce()
    with world.faults.lose_request(POST, times=2):
        await process.sweep()
    process.clock.advance(seconds=5)
    process.kind.having_looked = stand_still_for_a_day
    await process.sweep()
    process.clock.advance(minutes=10)
    await process.sweep()
    assert process.posted == [WORDS]
    assert await process.unsent() == []


async def test_nothing_goes_out_late(process: Process) -> None:
    async def stand_still() -> None:
        process.clock.time += IN_TIME + timedelta(milliseconds=1)

    process.kind.on_the_way = stand_still
    await process.announce()
    await process.sweep()
    assert process.posted == []
    process.kind.on_the_way = None
    process.clock.advance(seconds=5)
    await process.sweep()
    assert process.posted == [WORDS]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (None, []),
        (TimeoutError("too slow"), [("info", "cleanup refused")]),
        (StoreError("it is away", writing=False), []),  # the store has reported it to the host
        (ValueError("a slip"), [("error", "cleanup failed")]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_nothing_that_goes_wrong_with_a_courtesy_gets_any_further(
    error: Exception | None, said: list[tuple[str, str]]
) -> None:
    at = datetime.now(UTC)
    row = Delivery(
        kind=ANNOUNCEMENT, guild=GuildId(1), channel=ChannelId(2), id=1, tries=0, tried_at=at
    )
    haste = []

    async def courtesy() -> None:
        haste.append(priority_of("PATCH", ""))
        if error is not None:
            raise error

    with capture_logs() as logged:
        await try_once(row.game, courtesy())

    assert [(line["log_level"], line["event"]) for line in logged] == said
    assert (haste, priority_of("PATCH", "")) == ([Priority.OPTIONAL], Priority.PATIENT)
