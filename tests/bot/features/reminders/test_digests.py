"""Tests for digests: one message a day instead of pings and reminders."""

from datetime import datetime, time
from types import SimpleNamespace
from typing import Any

import pytest

from bot.base.ids import ChannelId, UserId
from bot.base.languages import IN_ENGLISH
from bot.connection.posts import Post, due, timestamp
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.features.reminders.delivery import DigestHandler, ReminderHandler
from bot.features.reminders.digests import DIGEST, Digests
from bot.features.reminders.words import digest, reminder_button_id
from bot.play.delivery.boards import DeliveryContext
from bot.play.model.clock import TimeControl
from bot.play.model.game import Offer
from bot.play.model.preferences import Preferences, QuietHours
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.features.reminders.reminded import sent
from tests.bot.looked import ALL, DAY, HOUR, MINUTE, start
from tests.bot.table import ANN, BOB, CHANNEL, Table

HALL = ChannelId(501)
NOON = datetime.fromisoformat("2026-03-02T12:00:00+00:00")
THREE_DAYS = TimeControl(bank=3 * DAY, increment=3 * DAY, cap=3 * DAY)
SHORT = TimeControl(bank=12 * HOUR, increment=12 * HOUR, cap=12 * HOUR)


async def at_nine(table: Table, player: UserId = ANN, begins: str = "", ends: str = "") -> None:
    await table.choices.set_times(player, begins, ends, "", "9:00")


async def due_digests(table: Table) -> list[Delivery]:
    """Return the digests that are due now."""
    digests = table.of(Digests)
    for item in await digests.due(ALL):
        await digests.write(item)
    return await table.store.deliveries.due([DIGEST], ALL, table.clock())


@pytest.mark.both_databases
async def test_a_digest_is_sent_daily_at_its_time(table: Table, clock: Clock) -> None:
    clock.time = NOON
    await at_nine(table)
    moments = []
    for _ in range(3 * 24 * 4):
        clock.advance(minutes=15)
        rows = await due_digests(table)
        moments += [clock() for _ in rows]
        await table.store.deliveries.drop(rows, at=clock())
    assert moments == [NOON + days * DAY - 3 * HOUR for days in (1, 2, 3)]


async def test_two_processes_queue_one_direct_message(
    table: Table, store: Store, clock: Clock
) -> None:
    await at_nine(table)
    clock.advance(days=1)
    digests = table.of(Digests)
    (one,) = await digests.due(ALL)
    for hand in (digests, Table(store, clock).of(Digests)):
        await hand.write(one)
    (row,) = await due_digests(table)
    assert (row.player, row.route, row.game) == (ANN, DeliveryRoute.DM, None)


async def test_a_revoked_request_gets_no_review(table: Table, clock: Clock) -> None:
    await start(table)
    await at_nine(table)
    await table.choices.set_times(ANN, "", "", "")
    clock.advance(days=2)
    assert await due_digests(table) == []
    assert await table.of(Digests).games(ANN) == []


async def test_a_digest_names_the_waiting_games_nearest_deadline_first(
    table: Table, clock: Clock
) -> None:
    await at_nine(table)
    await start(table, clock=THREE_DAYS)
    clock.advance(hours=1)
    await start(table, HALL, clock=SHORT)
    await start(table, ChannelId(502), clock=SHORT)
    await table.play(ANN, "d2", ChannelId(502))
    games = await table.of(Digests).games(ANN)
    assert [game.game.row.channel for game in games] == [HALL, CHANNEL]
    first, second = [game.deadline for game in games if game.deadline is not None]
    post = digest(IN_ENGLISH, games, ANN, 5)
    assert post.pings == ()
    assert post.content.splitlines() == [
        f"2 games wait for you. The first deadline is {due(first)}.",
        f"- {timestamp(first)} in <#{HALL}> vs <@{BOB}>.",
        f"- {timestamp(second)} in <#{CHANNEL}> vs <@{BOB}>.",
    ]


async def test_people_on_vacation_get_no_digest(table: Table, clock: Clock) -> None:
    await at_nine(table)
    await start(table, clock=THREE_DAYS)
    await start(table, HALL, clock=None)
    await table.vacations.start(ANN, 3)
    assert await table.of(Digests).games(ANN) == []
    clock.advance(days=3, minutes=1)
    assert len(await table.of(Digests).games(ANN)) == 2


async def test_a_paused_game_has_no_reminders(table: Table) -> None:
    await at_nine(table)
    await start(table, clock=THREE_DAYS)
    await table.ask(ANN, Offer.PAUSE)
    await table.agree(await table.game_cache.running_in(CHANNEL), BOB)
    assert await table.of(Digests).games(ANN) == []


async def test_a_digest_in_time_replaces_a_reminder(table: Table, clock: Clock) -> None:
    clock.time = NOON
    await at_nine(table)
    await start(table, clock=TimeControl(bank=2 * DAY))  # the time is up at noon in two days
    clock.time, reminded = NOON, []
    for _ in range(47 * 4 + 2):
        clock.advance(minutes=15)
        reminded += [clock() for _ in await sent(table)]
    # The second day's digest listed it at nine, and the time is up at noon.
    assert reminded == [NOON + 47 * HOUR + 15 * MINUTE]


@pytest.mark.parametrize(
    ("clock_of_game", "is_heard"),
    [(THREE_DAYS, False), (None, False), (SHORT, True), (TimeControl(bank=15 * MINUTE), True)],
    ids=["can wait", "without a clock", "over before the digest", "live"],
)
async def test_a_board_pings_only_where_the_digest_comes_too_late(
    table: Table, clock: Clock, clock_of_game: TimeControl | None, is_heard: bool
) -> None:
    clock.time = NOON
    await at_nine(table)
    update = await table.accept(await table.challenge(clock=clock_of_game))
    assert ANN in update.pings
    made: Any = SimpleNamespace(cases=table.does, now=clock)
    heard = await DeliveryContext.with_notification_modes(
        made, Post(content="", pings=(ANN,)), update
    )
    assert heard.pings == ((ANN,) if is_heard else ())
    note = await DeliveryContext.with_notification_modes(made, Post(content="", pings=(ANN,)))
    assert note.pings == (ANN,), "an offer is not of a turn"


DIGEST_AT = time(9)
NIGHT = QuietHours(time(22), time(9, 30))


@pytest.mark.parametrize(
    ("chosen", "now", "then"),
    [
        (Preferences(), NOON, None),
        (Preferences(digest=DIGEST_AT), NOON, NOON + 21 * HOUR),
        (Preferences(digest=DIGEST_AT), NOON - 3 * HOUR, NOON + 21 * HOUR),
        (Preferences(digest=DIGEST_AT), NOON - 3 * HOUR - MINUTE, NOON - 3 * HOUR),
        (Preferences(digest=DIGEST_AT, zone="Asia/Tokyo"), NOON, NOON + 12 * HOUR),
        (Preferences(digest=DIGEST_AT, quiet=NIGHT), NOON, NOON + DAY - 150 * MINUTE),
        (Preferences(digest=DIGEST_AT, quiet=NIGHT), NOON - 3 * HOUR, NOON - 150 * MINUTE),
    ],
)
def test_the_next_digest_is_never_in_quiet_hours(
    chosen: Preferences, now: datetime, then: datetime | None
) -> None:
    assert chosen.next_digest(now) == then


def test_a_turn_is_left_to_the_digest_only_if_that_comes_in_time() -> None:
    chosen = Preferences(digest=DIGEST_AT)
    at = NOON + 21 * HOUR
    assert chosen.leaves_to_digest(NOON, None)
    assert chosen.leaves_to_digest(NOON, at + MINUTE)
    assert not chosen.leaves_to_digest(NOON, at)
    assert not Preferences().leaves_to_digest(NOON, None)


@pytest.mark.parametrize("handler", [DigestHandler, ReminderHandler])
def test_one_that_arrived_is_known_by_the_number_of_its_button(
    handler: type[DigestHandler] | type[ReminderHandler],
) -> None:
    """So the answer is not sent again if Discord's response was lost."""
    button = SimpleNamespace(custom_id=reminder_button_id(7))
    message: Any = SimpleNamespace(components=[SimpleNamespace(children=[button])])
    rows: list[Any] = [SimpleNamespace(batch=number) for number in (7, 8, None)]
    anybody: Any = None
    assert [handler.matches(anybody, message, row) for row in rows] == [True, False, False]
