"""Tests for the puzzle of the day: set up by moderators, posted once, solved in the next post."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import delete

from bot.base.database_address import database_address
from bot.base.ids import ChannelId, GuildId, UserId
from bot.base.languages import IN_ENGLISH
from bot.base.zones import UnknownZone
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import Delivery
from bot.database.opening import create_engine
from bot.people.model import BadTime
from bot.play.store.store import Store
from dvonn import Move
from school.puzzles.dailies import DAILY, Dailies, DailyTable
from school.puzzles.model import DailyAnswer, NoDailyPuzzle, PuzzleKey, puzzle_of
from school.puzzles.schema import daily_puzzles
from school.puzzles.use_cases import Puzzles
from school.puzzles.words.dailies import daily_chosen, daily_post, daily_table
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, GUILD, Table
from tests.school.puzzles.example_texts import DAILY_SETTING

TODAY = date(2026, 3, 1)  # 12:00 UTC: see Clock


async def chosen(table: Table, hour: str = "13:00", zone: str = "UTC") -> None:
    await table.of(Dailies).choose(GUILD, CHANNEL, hour, zone)


async def post_due(table: Table) -> int:
    """Post the due puzzles of all servers. Return the number of servers."""
    return sum([await table.of(Dailies).post(seen) for seen in await table.of(Dailies).due(ALL)])


async def posted(table: Table) -> list[Delivery]:
    return [row for row in await table.store.deliveries.all_unsent() if row.kind == DAILY]


async def days(table: Table) -> list[str]:
    return [row.data["day"] for row in await posted(table)]


# Choosing


async def test_a_channel_is_chosen_first_and_the_rest_in_any_order(table: Table) -> None:
    with pytest.raises(NoDailyPuzzle):
        await table.of(Dailies).choose(GUILD, None, "9:00", None)
    setting = await table.of(Dailies).choose(GUILD, CHANNEL, None, None)
    assert (setting.time.minute, setting.time.zone) == (540, "UTC")
    assert setting.due_at == datetime(2026, 3, 2, 9, tzinfo=UTC)
    setting = await table.of(Dailies).choose(GUILD, None, "6:30 pm", "europe/berlin")
    assert (setting.channel, setting.time.zone) == (CHANNEL, "Europe/Berlin")
    assert setting.due_at == datetime(2026, 3, 1, 17, 30, tzinfo=UTC)
    setting = await table.of(Dailies).choose(GUILD, ChannelId(9), None, None)
    assert (setting.channel, setting.time.minute) == (9, 1_110)
    for hour, zone, refused in (("25:00", None, BadTime), (None, "Mars", UnknownZone)):
        with pytest.raises(refused):
            await table.of(Dailies).choose(GUILD, None, hour, zone)
    assert await table.store.queries(DailyTable).setting(GUILD) == setting


async def test_a_deleted_channel_drops_only_its_own_deliveries(
    table: Table,
) -> None:
    await chosen(table)
    await table.of(Dailies).choose(
        GUILD, ChannelId(9), None, None
    )  # another channel, before the puzzle is due
    await table.store.queries(DailyTable).stop(GUILD, CHANNEL)
    setting = await table.store.queries(DailyTable).setting(GUILD)
    assert setting is not None
    assert setting.channel == 9
    await table.store.queries(DailyTable).stop(GUILD, ChannelId(9))
    assert await table.store.queries(DailyTable).setting(GUILD) is None


# Posting


async def test_a_puzzle_is_posted_at_its_time_each_day(table: Table, clock: Clock) -> None:
    await chosen(table)
    assert await post_due(table) == 0
    clock.advance(minutes=60)
    assert await post_due(table) == 1
    assert await post_due(table) == 0
    clock.advance(hours=23, minutes=59)
    assert await post_due(table) == 0
    clock.advance(minutes=1)
    assert await post_due(table) == 1
    assert await days(table) == ["2026-03-01", "2026-03-02"]


async def test_of_days_that_the_bot_was_away_only_the_newest_is_posted(
    table: Table, clock: Clock
) -> None:
    await chosen(table)
    clock.advance(days=4, hours=5)
    assert await post_due(table) == 1
    assert await days(table) == ["2026-03-05"]
    setting = await table.store.queries(DailyTable).setting(GUILD)
    assert setting is not None
    assert setting.due_at == datetime(2026, 3, 6, 13, tzinfo=UTC)


async def test_an_hour_that_goes_back_posts_nothing_again(table: Table, clock: Clock) -> None:
    await chosen(table)
    clock.advance(hours=2)
    assert await post_due(table) == 1
    clock.advance(days=-3)
    await table.of(Dailies).choose(GUILD, None, None, None)
    clock.advance(days=3)
    assert await post_due(table) == 0
    assert await days(table) == ["2026-03-01"]


async def test_a_server_that_was_swept_out_and_is_back_has_no_second_puzzle_of_a_day(
    table: Table, engine: AsyncEngine, clock: Clock
) -> None:
    await chosen(table)
    clock.advance(hours=2)
    assert await post_due(table) == 1
    async with engine.begin() as connection:
        await connection.execute(delete(daily_puzzles))  # its delivery is postponed for a while
    await chosen(table, "15:00")
    clock.advance(hours=2)
    assert await post_due(table) == 0
    clock.advance(hours=24)
    assert await post_due(table) == 1
    assert await days(table) == ["2026-03-01", "2026-03-02"]


async def test_another_time_zone_causes_no_second_puzzle_on_a_day(
    table: Table, clock: Clock
) -> None:
    await chosen(table, "13:00", "Asia/Tokyo")
    clock.advance(hours=17)  # it is the second of March, 14:00 in Tokyo
    assert await post_due(table) == 1
    await table.of(Dailies).choose(GUILD, None, None, "America/Los_Angeles")
    clock.advance(hours=23)
    assert await post_due(table) == 0
    clock.advance(hours=24)
    assert await post_due(table) == 1
    assert await days(table) == ["2026-03-02", "2026-03-03"]


@pytest.mark.parametrize(
    ("begins", "zone", "shown"),
    [
        (datetime(2026, 3, 27, 12, tzinfo=UTC), "Europe/Berlin", ["02:30", "03:00", "02:30"]),
        (datetime(2026, 10, 23, 12, tzinfo=UTC), "Europe/Berlin", ["02:30", "02:30", "02:30"]),
    ],
)
async def test_a_change_of_the_clocks_posts_once(
    table: Table, clock: Clock, begins: datetime, zone: str, shown: list[str]
) -> None:
    """Check every minute of three nights. The middle day has 23 or 25 hours."""
    clock.time = begins
    await chosen(table, "2:30", zone)
    due = await table.store.queries(DailyTable).setting(GUILD)
    assert due is not None
    where, moments = due.time, list[str]()
    while len(moments) < 3:
        setting = await table.store.queries(DailyTable).setting(GUILD)
        assert setting is not None
        clock.time = setting.due_at - timedelta(seconds=1)
        assert await post_due(table) == 0
        clock.advance(seconds=1)
        assert await post_due(table) == 1
        for _ in range(13):
            clock.advance(minutes=10)
            assert await post_due(table) == 0
        local = setting.due_at.astimezone(ZoneInfo(where.zone))
        moments.append(f"{local:%H:%M}")
    assert moments == shown
    assert len(set(await days(table))) == 3


@pytest.fixture
async def other(database_url: str, table: Table, clock: Clock) -> AsyncIterator[Table]:
    """Return another process."""
    store = Store(create_engine(database_address(database_url)))
    yield Table(store, clock)
    await store.close()


@pytest.mark.both_databases
async def test_two_processes_post_it_once(table: Table, other: Table, clock: Clock) -> None:
    await chosen(table)
    clock.advance(hours=2)
    assert sum([await post_due(game_table) for game_table in (table, other, table)]) == 1
    assert len(await posted(table)) == 1


async def test_deliveries_unsent_for_a_day_are_dropped(table: Table, clock: Clock) -> None:
    await chosen(table)
    clock.advance(hours=2)
    await post_due(table)
    (old,) = await posted(table)
    assert await table.of(Dailies).news(old) is not None
    clock.advance(days=1)
    await post_due(table)
    assert await table.of(Dailies).news(old) is None


# Texts


async def solve(table: Table, player: UserId, key: PuzzleKey, move: Move | None = None) -> None:
    """Play the best moves to the end, or another move first."""
    line: tuple[Move, ...] = ()
    while True:
        best = move or key.puzzle.play_on(line)[0]
        done = await table.of(Puzzles).answer(player, GUILD, key, line, best)
        if done.answer.solved or not done.answer.right:
            return
        line = (*line, best, *done.answer.replies)


async def test_the_next_puzzle_shows_the_solution_and_who_found_it(
    table: Table, clock: Clock
) -> None:
    await chosen(table)
    clock.advance(hours=2)
    await post_due(table)
    (first,) = await posted(table)
    news = await table.of(Dailies).news(first)
    assert news is not None
    assert news.before is None
    key = news.key
    assert key == PuzzleKey(puzzle_of(TODAY), day=TODAY)
    wrong = next(
        move for move in key.puzzle.position.legal_moves() if move != key.puzzle.solution[0]
    )
    await solve(table, BOB, key)
    clock.advance(minutes=1)
    await solve(table, ANN, key, wrong)
    await solve(table, ANN, key)
    post = daily_post(IN_ENGLISH, news)
    assert post.pings == ()
    assert [button.label for button in post.buttons] == ["Solve", "Standings"]
    assert str(key.puzzle.solution[0]) not in post.content
    assert await table.of(Dailies).month(GUILD, TODAY) == []  # the puzzle is still open

    clock.advance(days=1)
    await post_due(table)
    second = (await posted(table))[-1]
    news = await table.of(Dailies).news(second)
    assert news is not None
    assert news.before is not None
    assert news.before.answers == (DailyAnswer(BOB, solved=True), DailyAnswer(ANN, solved=False))
    said = daily_post(IN_ENGLISH, news).content
    assert f"The last puzzle, Mar 1, 2026: **{key.puzzle.solution[0]}**" in said
    assert f"Solved by <@{BOB}> (1 of 2)." in said
    await solve(table, CID, key)  # a late player can play, but nothing counts
    assert (await table.of(Puzzles).solver(CID)).tries == 0

    last_of_month = TODAY.replace(day=31)
    rows = await table.of(Dailies).month(GUILD, last_of_month)
    table_of_month = daily_table(IN_ENGLISH, last_of_month, rows)
    assert table_of_month.content.splitlines() == [
        "**Puzzles of the day** in March 2026",
        f"1. <@{BOB}>: 1 of 1 solved",
        f"2. <@{ANN}>: 0 of 1 solved",
    ]
    assert await table.of(Dailies).month(GUILD, date(2026, 2, 3)) == []
    assert await table.of(Dailies).month(GuildId(1), TODAY) == []


async def test_a_december_has_a_table_too(table: Table) -> None:
    assert await table.of(Dailies).month(GUILD, date(2026, 12, 24)) == []


def test_moderators_read_when_the_puzzle_of_the_day_comes() -> None:
    assert daily_chosen(IN_ENGLISH, None).content == "No puzzle of the day here."
    assert daily_chosen(IN_ENGLISH, DAILY_SETTING).content == (
        "I post a puzzle of the day in <#2> at 09:00 (Europe/Berlin). The next one: "
        "<t:1772323200:f>."
    )
