"""Tests for reminders as rows: one for each level of a turn, dropped if unnecessary."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision, Shards, UserId
from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval
from bot.connection import posts
from bot.database.connection import AsyncEngine
from bot.database.database import Conflict
from bot.database.delivery_rows import Delivery, DeliveryRoute, NewDelivery
from bot.features.reminders.use_cases import JOIN_WITHIN, REMINDER, Reminder, Reminders
from bot.features.reminders.words import channel_reminder, direct_reminder, reminder_button_id
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game, Offer
from bot.play.model.preferences import RemindAhead, RemindBy
from bot.play.store.store import Store
from bot.play.store.timers import TimerTable
from tests.bot.conftest import Clock
from tests.bot.features.reminders.example_texts import reminded
from tests.bot.features.reminders.reminded import due, due_reminders, sent
from tests.bot.looked import ALL, DAY, HOUR, MINUTE, THREE_DAYS, look, start
from tests.bot.play.test_visiting import begun
from tests.bot.table import ANN, BOB, CHANNEL, GUILD, Table

HALL, GARDEN = ChannelId(501), ChannelId(502)


async def test_the_player_to_move_is_reminded_a_day_and_an_hour_before(table: Table) -> None:
    game = await start(table)
    seen = []
    for _ in range(3 * 24):
        table.clock.advance(hours=1)
        seen += [(row.player, row.game, row.route) for row in await sent(table)]
    assert seen == [(ANN, game.row.id, DeliveryRoute.CHANNEL)] * 2


async def test_several_missed_levels_cause_one_reminder(table: Table) -> None:
    await start(table)
    table.clock.advance(days=2, hours=23, minutes=30)
    assert len(await sent(table)) == 1
    table.clock.advance(minutes=29)
    assert await sent(table) == []


async def test_an_offer_does_not_restart_a_turn(table: Table) -> None:
    game = await start(table)
    table.clock.advance(days=2, minutes=1)
    assert len(await sent(table)) == 1
    await table.ask(BOB, Offer.DRAW)
    table.clock.advance(minutes=1)
    assert await sent(table) == []
    assert (await table.game_cache.existing(game.row.id)).row.revision == 1


async def test_each_turn_has_its_own_reminders(table: Table) -> None:
    await start(table)
    table.clock.advance(days=2, minutes=1)
    assert [row.player for row in await sent(table)] == [ANN]
    await table.play(ANN, "d2")
    assert await sent(table) == []
    table.clock.advance(days=2, minutes=1)
    assert [row.player for row in await sent(table)] == [BOB]
    await table.play(BOB, "d3")
    # Ann's clock had less than a day left, and has gained one.
    table.clock.advance(days=1)
    assert [row.player for row in await sent(table)] == [ANN]


@pytest.mark.parametrize("control", [None, TimeControl(bank=59 * MINUTE)])
async def test_games_without_a_clock_and_live_games_send_no_reminders(
    table: Table, control: TimeControl | None
) -> None:
    await start(table, clock=control)
    await table.choices.set_reminders(ANN, at=frozenset(RemindAhead))
    for _ in range(58):
        table.clock.advance(minutes=1)
        assert await due(table) == []


async def test_the_machine_is_not_reminded(table: Table, clock: Clock) -> None:
    game = await start(table)
    clock.advance(days=2, minutes=1)
    against_machine = replace(game, row=replace(game.row, machine=ANN))
    await table.of(Reminders).remind(
        against_machine, clock() + 23 * HOUR, await next_check_time(table)
    )
    assert await due_reminders(table.store, clock()) == []
    assert await next_check_time(table) == clock() + 23 * HOUR


async def test_people_who_want_none_are_not_reminded(table: Table) -> None:
    await table.choices.set_reminders(ANN, by=RemindBy.NONE)
    await start(table)
    table.clock.advance(days=2, hours=23)
    assert await due(table) == []
    await table.choices.set_reminders(ANN, by=RemindBy.DM)
    assert [row.route for row in await due(table)] == [DeliveryRoute.DM]


async def next_check_time(table: Table) -> datetime:
    (moment,) = (await table.store.timers.due(ALL, table.clock() + 9 * DAY)).values()
    return moment


async def test_a_check_is_scheduled_for_the_next_deadline(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(hours=1)
    await table.play(ANN, "d2")
    began = clock()
    # Nothing can be due earlier, whatever Bob chooses. So fast players cause no checks.
    assert await next_check_time(table) == began + 3 * DAY / 2 - DAY
    clock.time = await next_check_time(table)
    await look(table)
    assert await next_check_time(table) == clock() + DAY  # games are checked at least once a day
    await look(table)
    clock.time = began + 2 * DAY
    assert len(await due(table)) == 1
    assert await next_check_time(table) == began + 3 * DAY - HOUR
    clock.time = await next_check_time(table)
    assert len(await due(table)) == 2
    assert await next_check_time(table) == began + 3 * DAY


async def test_a_check_is_scheduled_by_the_running_clock(table: Table, clock: Clock) -> None:
    await start(table, clock=TimeControl(bank=5 * DAY))
    clock.advance(days=2)
    await table.play(ANN, "d2")
    await table.play(BOB, "d3")  # five days are left to him, and three to Ann
    assert await next_check_time(table) == clock() + 3 * DAY / 2 - DAY


async def test_a_live_game_is_checked_when_its_time_is_up(table: Table, clock: Clock) -> None:
    await start(table, clock=TimeControl(bank=15 * MINUTE))
    clock.advance(minutes=1)
    await table.play(ANN, "d2")
    assert await next_check_time(table) == clock() + 15 * MINUTE


async def test_two_processes_that_check_at_once_write_one_reminder(
    table: Table, store: Store, clock: Clock
) -> None:
    await start(table)
    clock.advance(days=2, minutes=1)
    await asyncio.gather(*(look(Table(store, clock)) for _ in range(8)))
    assert len(await due_reminders(store, clock())) == 1


async def test_a_level_of_a_turn_is_written_once_whatever_the_timer_says(
    table: Table, store: Store, clock: Clock
) -> None:
    game = await start(table)
    clock.advance(days=2, minutes=1)
    (row,) = await due(table)
    seen = await next_check_time(table)
    assert row.data["left_ms"] == DAY // timedelta(milliseconds=1)
    again = NewDelivery(
        kind=REMINDER,
        key=row.key,
        guild=row.guild,
        channel=row.channel,
        game=game.row.id,
        player=ANN,
        data=row.data,
    )
    with pytest.raises(Conflict):
        await store.timers.postpone_with_delivery(
            again, due_time=seen, next_check=clock() + HOUR, at=clock()
        )
    # No partial change: the timer is unchanged.
    assert await next_check_time(table) == seen


async def test_a_reset_timer_is_not_changed(table: Table, store: Store, clock: Clock) -> None:
    game = await start(table)
    clock.advance(days=2, minutes=1)
    ((number, seen),) = (await store.timers.due(ALL, clock())).items()
    await table.play(ANN, "d2")
    set_again = await store.timers.due(ALL, clock() + 9 * DAY)
    await table.of(Reminders).remind(game, clock() + 23 * HOUR, seen)
    assert await store.timers.due(ALL, clock() + 9 * DAY) == set_again != {number: seen}
    assert await due_reminders(store, clock()) == []


async def claim(store: Store, clock: Clock, rows: list[Delivery]) -> list[Delivery]:
    return await store.deliveries.claim(rows, batch=77, now=clock())


async def test_sent_or_dropped_or_postponed_deliveries_are_not_due(
    table: Table, store: Store, clock: Clock
) -> None:
    for channel in (CHANNEL, HALL, GARDEN):
        await start(table, channel)
    clock.advance(days=2, minutes=1)
    delivery, two, three = await due(table)
    await store.deliveries.mark_sent([delivery], MessageId(70), at=clock())
    await store.deliveries.drop([two], at=clock())
    await store.deliveries.postpone([three], until=clock() + MINUTE)
    assert await due_reminders(store, clock()) == []
    clock.advance(minutes=1)
    assert await due_reminders(store, clock()) == [three]
    for done in ([delivery, two], []):
        await store.deliveries.postpone(done, until=clock())
        await store.deliveries.requeue(done, DeliveryRoute.DM, until=clock())
    assert await due_reminders(store, clock()) == [three]


async def test_failed_direct_messages_are_sent_in_the_channel(
    table: Table, store: Store, clock: Clock
) -> None:
    await table.choices.set_reminders(ANN, by=RemindBy.DM)
    await start(table)
    clock.advance(days=2, minutes=1)
    rows = await claim(store, clock, await due(table))
    assert [row.route for row in rows] == [DeliveryRoute.DM]
    await store.deliveries.requeue(rows, DeliveryRoute.INSTEAD, until=clock())
    assert await due_reminders(store, clock()) == [
        replace(rows[0], route=DeliveryRoute.INSTEAD, batch=None, tries=0)
    ]


async def test_a_valid_reminder_says_how_much_time_is_left_now(table: Table, clock: Clock) -> None:
    game = await start(table)
    clock.advance(days=2, minutes=1)
    rows = await due(table)
    (reminder,) = await table.of(Reminders).still_due(rows)
    began = clock() - 2 * DAY - MINUTE
    assert reminder == Reminder(rows[0], game, began + 3 * DAY, None)


async def test_a_reminder_names_the_newest_board(table: Table, clock: Clock) -> None:
    challenge = await table.challenge(clock=THREE_DAYS)
    (delivery,) = (await table.accept(challenge)).deliveries
    await table.store.deliveries.mark_sent([delivery], MessageId(77), at=clock())
    clock.advance(days=2, minutes=11)
    (reminder,) = await table.of(Reminders).still_due(await due(table))
    assert reminder.board == (CHANNEL, 77)


@pytest.mark.parametrize(("moves", "reminded", "after"), [(1, BOB, 4 * DAY), (2, ANN, 2 * DAY)])
async def test_half_of_the_time_is_of_the_clock_that_runs(
    table: Table, clock: Clock, moves: int, reminded: UserId, after: timedelta
) -> None:
    for player in (ANN, BOB):
        await table.choices.set_reminders(player, at=frozenset({RemindAhead.HALF}))
    await start(table, clock=TimeControl(bank=8 * DAY))
    clock.advance(days=4)  # four days are left to her, and eight to him
    for player, typed in ((ANN, "d2"), (BOB, "d3"))[:moves]:
        await table.play(player, typed)
    clock.time += after - MINUTE
    assert await sent(table) == []
    clock.advance(minutes=1)
    assert [row.player for row in await sent(table)] == [reminded]


async def test_the_next_check_after_a_reminder_is_at_the_next_level(
    table: Table, clock: Clock
) -> None:
    game = await start(table)
    clock.advance(days=2, minutes=1)
    await sent(table)
    next_level = await next_check_time(table)
    await table.choices.switch(ANN, mentions=False)  # which causes new checks of her games
    assert await next_check_time(table) < next_level
    assert await sent(table) == []
    assert await next_check_time(table) == next_level == deadline_of(game) - HOUR


def deadline_of(game: Game) -> datetime:
    assert game.clock is not None
    return game.clock.since + 3 * DAY


async def move(table: Table) -> None:
    await table.play(ANN, "d2")


async def move_and_move_again(table: Table) -> None:
    await table.play(ANN, "d2")
    table.clock.advance(seconds=1)
    await table.play(BOB, "d3")


async def resign(table: Table) -> None:
    game = await table.game_cache.running_in(CHANNEL)
    await table.leaving.resign(game.row.id, Revision(0), ANN, source=table.source())


async def choose_none(table: Table) -> None:
    await table.choices.set_reminders(ANN, by=RemindBy.NONE)


@pytest.mark.parametrize("happening", [move, move_and_move_again, resign, choose_none])
async def test_a_reminder_whose_turn_is_over_is_dropped(table: Table, happening: object) -> None:
    await start(table)
    table.clock.advance(days=2, minutes=1)
    rows = await due(table)
    assert callable(happening)
    await happening(table)
    assert await table.of(Reminders).still_due(rows) == []
    assert await due_reminders(table.store, table.clock()) == []


async def test_a_reminder_waits_while_it_is_unknown_whether_the_time_is_up(
    table: Table, store: Store, clock: Clock
) -> None:
    game = await start(table)
    clock.advance(days=2, minutes=1)
    rows = await due(table)
    clock.time = deadline_of(game)
    assert await table.of(Reminders).still_due(rows) == []
    clock.advance(minutes=1)
    assert await table.of(Reminders).still_due(rows) == []
    assert await due_reminders(store, clock()) == rows
    failure = Interval(begins=clock() - HOUR, ends=clock())  # its hour is given back
    await store.outages.add(0, 1, failure)
    assert [reminder.game for reminder in await table.of(Reminders).still_due(rows)] == [game]


async def test_the_shortest_time_comes_first(table: Table, clock: Clock) -> None:
    for channel in (CHANNEL, HALL):
        await start(table, channel)
        clock.advance(minutes=10)
    clock.advance(days=2)
    rows = await due(table)
    standing = await table.of(Reminders).still_due(rows[::-1])
    assert [reminder.game.row.channel for reminder in standing] == [CHANNEL, HALL]


async def test_a_game_that_cannot_be_read_holds_up_no_other_reminder(
    table: Table, store: Store, engine: AsyncEngine, clock: Clock
) -> None:
    for channel in (CHANNEL, HALL):
        await start(table, channel)
    clock.advance(days=2)
    rows = await due(table)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE games SET clock = 'broken' WHERE id = 1"))
    table.game_cache.forget(ANN)
    (reminder,) = await table.of(Reminders).still_due(rows)
    assert reminder.game.row.channel == HALL
    assert await due_reminders(store, clock()) == rows, "the other one waits"
    with pytest.raises(ValueError, match="broken"):
        await table.of(Reminders).still_due(rows[:1])


async def test_deliveries_due_soon_are_included(table: Table, store: Store, clock: Clock) -> None:
    await table.choices.set_reminders(ANN, by=RemindBy.DM)
    for channel, wait in ((CHANNEL, 29), (HALL, 2), (GARDEN, 0)):
        began = await start(table, channel)
        assert began.clock is not None
        if channel is CHANNEL:
            reminded_at = began.clock.since + 2 * DAY
        clock.advance(minutes=wait)
    clock.time = reminded_at
    (first,) = await due(table)
    others = Shards((0,), 2)  # the games' server belongs to the other shard
    assert await table.of(Reminders).due_soon(first, others) == []
    (second,) = await table.of(Reminders).due_soon(first, ALL)
    games = [
        (await table.game_cache.running_in(channel)).row.id for channel in (CHANNEL, HALL, GARDEN)
    ]
    assert [first.game, second.game] == games[:2]
    assert await due_reminders(store, clock()) == [first, second]
    assert await table.of(Reminders).due_soon(first, ALL) == []
    clock.advance(minutes=JOIN_WITHIN / MINUTE)
    assert [row.game for row in await due(table)] == games[:2]  # but not the second
    clock.advance(minutes=5)
    assert [row.game for row in await due(table)] == games


async def test_a_check_in_between_drops_no_game_from_the_message(
    table: Table, clock: Clock
) -> None:
    class Timers(TimerTable):
        async def due_before(self, *about: Any) -> dict[GameId, datetime]:
            found = await super().due_before(*about)
            await look(table)
            return found

    for channel in (CHANNEL, HALL):
        await start(table, channel)
    clock.advance(days=2, seconds=-5)
    (first,) = await due(table)
    assert first.game == 1
    table.store.timers = table.store.queries(Timers)
    await table.store.timers.wake_all(ALL, clock())
    assert [row.game for row in await table.of(Reminders).due_soon(first, ALL)] == [2]


async def reminded_at(table: Table, hours: int) -> list[datetime]:
    """Return the next hours at which someone is reminded."""
    seen = []
    for _ in range(hours):
        table.clock.advance(hours=1)
        seen += [table.clock() for _ in await sent(table)]
    return seen


async def test_people_on_vacation_are_reminded_after_it(table: Table, clock: Clock) -> None:
    await start(table, clock=TimeControl(bank=12 * HOUR, increment=12 * HOUR, cap=12 * HOUR))
    began = clock()
    await table.vacations.start(ANN, 7)
    ends = began + 7 * DAY
    assert await reminded_at(table, 8 * 24) == [ends, ends + 11 * HOUR]


async def test_a_vacation_that_starts_in_between_holds_back_a_reminder(
    table: Table, clock: Clock
) -> None:
    await start(table)
    clock.advance(days=2, minutes=1)
    rows = await due(table)
    await table.vacations.start(ANN, 2)
    assert await table.of(Reminders).still_due(rows) == []
    assert await due_reminders(table.store, clock()) == rows, "it waits"
    clock.advance(days=2)
    assert len(await table.of(Reminders).still_due(rows)) == 1


async def test_at_a_weekend_a_reminder_waits_for_monday(table: Table, clock: Clock) -> None:
    control = TimeControl(bank=DAY, increment=DAY, cap=DAY, weekends="UTC")
    clock.time = datetime(2026, 3, 6, 22, 59, 48, tzinfo=UTC)  # a Friday
    await start(table, clock=control)
    monday = datetime(2026, 3, 9, tzinfo=UTC)
    assert await reminded_at(table, 4 * 24) == [monday, monday + 22 * HOUR]


async def test_an_unsent_board_causes_no_reminder(store: Store, clock: Clock) -> None:
    table = Table(store, clock, boards_arrive=False)
    challenge = await table.challenge(clock=TimeControl(bank=12 * HOUR))
    (delivery,) = (await table.accept(challenge)).deliveries
    assert await reminded_at(table, 48) == []
    await table.store.deliveries.mark_sent([delivery], MessageId(77), at=clock())
    clock.advance(minutes=11)
    assert [row.player for row in await sent(table)] == [ANN], "it has waited for two days"
    assert await reminded_at(table, 12) == [clock() - HOUR]


def of_bob() -> Delivery:
    """A reminder in a channel of the games' server."""
    return replace(reminded(DeliveryRoute.CHANNEL).row, player=BOB, guild=GUILD)


@pytest.mark.parametrize(
    ("guild", "way"), [(GUILD + 1, DeliveryRoute.CHANNEL), (GUILD, DeliveryRoute.DM)]
)
async def test_deliveries_announced_elsewhere_are_not_included(
    table: Table, clock: Clock, guild: int, way: DeliveryRoute
) -> None:
    await start(table)
    await table.play(ANN, "d2")
    clock.advance(days=2)
    first = replace(of_bob(), guild=GuildId(guild), route=way)
    assert await table.of(Reminders).due_soon(first, ALL) == []
    assert len(await table.of(Reminders).due_soon(of_bob(), ALL)) == 1


async def test_only_turns_of_the_player_are_included(table: Table, clock: Clock) -> None:
    await start(table)
    await start(table, HALL)
    await table.play(ANN, "d2", HALL)
    clock.advance(days=2)
    assert await table.of(Reminders).due_soon(of_bob(), Shards((1,), 1)) == []
    assert [row.player for row in await table.of(Reminders).due_soon(of_bob(), ALL)] == [BOB]


async def test_games_without_news_block_no_others(table: Table, clock: Clock) -> None:
    await start(table)  # it is Ann's turn
    await start(table, HALL)
    await table.play(ANN, "d2", HALL)
    await start(table, GARDEN)
    await table.play(ANN, "d2", GARDEN)
    clock.advance(hours=11, minutes=45)  # the next check comes soon, and it is too early
    assert await table.of(Reminders).due_soon(of_bob(), ALL) == []
    clock.advance(days=1, hours=12)
    deliveries = await table.of(Reminders).due_soon(of_bob(), ALL)
    assert [row.game for row in deliveries] == [2, 3]
    assert await table.of(Reminders).due_soon(of_bob(), ALL) == []


async def test_the_words_in_the_channel(table: Table, clock: Clock) -> None:
    await start(table)
    clock.advance(days=2, minutes=1)
    (reminder,) = await table.of(Reminders).still_due(await due(table))
    when = posts.due(reminder.deadline)
    reminder = replace(reminder, board=(CHANNEL, MessageId(9)))
    post = channel_reminder(IN_ENGLISH, [reminder], 5)
    assert post.content.splitlines() == [
        f"<@{ANN}>, your turn. Your time runs out {when}.",
        f"[Go to board](https://discord.com/channels/{1 << 22}/{CHANNEL}/9)",
    ]
    assert post.pings == (ANN,)
    assert [(button.label, button.custom_id) for button in post.buttons] == [
        ("My settings", reminder_button_id(5))
    ]
    instead = replace(reminder, row=replace(reminder.row, route=DeliveryRoute.INSTEAD), board=None)
    assert channel_reminder(IN_ENGLISH, [instead], 5).content.splitlines()[1:] == [
        "I couldn't DM you, so here it is."
    ]


async def test_the_words_of_direct_messages(table: Table, clock: Clock) -> None:
    for channel in (CHANNEL, HALL):
        await start(table, channel)
    clock.advance(days=2, minutes=1)
    reminder, two = await table.of(Reminders).still_due(await due(table))
    times = [posts.due(each.deadline) for each in (reminder, two)]
    assert direct_reminder(IN_ENGLISH, [reminder], 5).content == (
        f"Your turn in <#{CHANNEL}> vs <@{BOB}>. Your time runs out {times[0]}."
    )
    two = replace(two, board=(HALL, MessageId(9)))
    post = direct_reminder(IN_ENGLISH, [reminder, two], 5)
    assert post.content.splitlines() == [
        "Your turn in 2 games. Your time runs out:",
        f"- {times[0]} in <#{CHANNEL}> vs <@{BOB}>.",
        (
            f"- {times[1]} in <#{HALL}> vs <@{BOB}>. "
            f"[Go to board](https://discord.com/channels/{1 << 22}/{HALL}/9)"
        ),
    ]
    assert post.pings == ()
    many = direct_reminder(IN_ENGLISH, [reminder] * 25, 5).content
    assert len(many) <= 2_000
    assert many.startswith("Your turn in 25 games")


async def test_reminders_come_directly_whatever_was_chosen(table: Table) -> None:
    await begun(table, THREE_DAYS)
    table.clock.advance(days=2, minutes=1)
    assert [(row.player, row.route) for row in await sent(table)] == [(ANN, DeliveryRoute.DM)]
