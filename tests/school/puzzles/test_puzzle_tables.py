"""Tests for the tables of puzzles, in both databases."""

import asyncio
from datetime import date, timedelta

from bot.base.ids import ChannelId, GuildId, Shards, UserId
from bot.base.zones import DailyTime
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import DeliveryKind, NewDelivery
from bot.people.store.privacy import PrivacyTable
from bot.play.store.store import Store
from dvonn.puzzles import Puzzle, load
from school.puzzles.dailies import DailyTable
from school.puzzles.model import NEWCOMER, Daily, DailyAnswer, DailySetting, MonthRow
from school.puzzles.store import PuzzleTable
from tests.bot.conftest import Clock
from tests.bot.rows import all_rows
from tests.bot.table import ALL, ANN, BOB, CHANNEL, CID, GUILD, Table

FIRST, SECOND, *OTHERS = load()[:50]
DAY = date(2026, 3, 1)
NINE = DailyTime(540, "Europe/Vienna")


def setting(clock: Clock, guild: GuildId = GUILD, channel: ChannelId = CHANNEL) -> DailySetting:
    return DailySetting(guild=guild, channel=channel, time=NINE, due_at=clock())


def telling(guild: GuildId = GUILD, day: date = DAY) -> NewDelivery:
    key = f"{guild}-{day}"
    return NewDelivery(kind=DeliveryKind("daily"), key=key, guild=guild, channel=CHANNEL)


async def post(
    store: Store, seen: DailySetting, clock: Clock, day: date = DAY, puzzle: Puzzle = FIRST
) -> bool:
    return await store.queries(DailyTable).post(
        seen,
        Daily(seen.guild, day, puzzle.id),
        telling(seen.guild, day),
        next_at=clock() + timedelta(days=1),
        at=clock(),
    )


async def posted(store: Store, clock: Clock, *days: date) -> None:
    """Store a server's puzzles on some days."""
    for day in days:
        await store.queries(DailyTable).choose(setting(clock))
        assert await post(store, setting(clock), clock, day)


# Answers and ratings


async def test_a_first_answer_moves_both_ratings(store: Store, clock: Clock) -> None:
    assert await store.queries(PuzzleTable).solver(ANN) is None
    scored = await store.queries(PuzzleTable).record(ANN, FIRST, solved=True, at=clock())
    assert scored is not None
    assert scored.is_first
    assert scored.attempt.before == NEWCOMER
    solver = await store.queries(PuzzleTable).solver(ANN)
    assert solver == scored.solver
    assert solver.rating.rating == scored.attempt.after > NEWCOMER
    assert (solver.tries, solver.solved, solver.streak, solver.best_streak) == (1, 1, 1, 1)
    assert (await store.queries(PuzzleTable).ratings())[FIRST.id] < FIRST.rating
    assert await store.queries(PuzzleTable).attempt(ANN, FIRST.id) == scored.attempt
    assert await store.queries(PuzzleTable).attempt(ANN, SECOND.id) is None


async def test_only_the_first_answer_counts(store: Store, clock: Clock) -> None:
    first = await store.queries(PuzzleTable).record(ANN, FIRST, solved=False, at=clock())
    rated = await store.queries(PuzzleTable).ratings()
    clock.advance(days=3)
    again = await store.queries(PuzzleTable).record(ANN, FIRST, solved=True, at=clock())
    assert first is not None
    assert again is not None
    assert not again.is_first
    assert (again.attempt, again.solver) == (first.attempt, first.solver)
    assert await store.queries(PuzzleTable).ratings() == rated
    assert await store.queries(PuzzleTable).seen_ids(ANN) == {FIRST.id}
    assert await store.queries(PuzzleTable).seen_ids(BOB) == frozenset()


async def test_a_streak_ends_with_a_mistake_and_the_best_one_stays(
    store: Store, clock: Clock
) -> None:
    for puzzle, solved in zip(load(), (True, True, False, True), strict=False):
        clock.advance(minutes=1)
        await store.queries(PuzzleTable).record(ANN, puzzle, solved=solved, at=clock())
    solver = await store.queries(PuzzleTable).solver(ANN)
    assert solver is not None
    assert (solver.tries, solver.solved, solver.streak, solver.best_streak) == (4, 3, 1, 2)
    newest = await store.queries(PuzzleTable).newest(ANN, 3)
    assert [attempt.solved for attempt in newest] == [True, False, True]
    assert newest[0].after == newest[1].before


async def test_a_puzzles_rating_continues_from_the_last_solver(store: Store, clock: Clock) -> None:
    ratings = [float(FIRST.rating)]
    for player in (ANN, BOB, CID):
        await store.queries(PuzzleTable).record(player, FIRST, solved=False, at=clock())
        ratings.append((await store.queries(PuzzleTable).ratings())[FIRST.id])
    assert ratings == sorted(ratings)
    assert len(set(ratings)) == 4


async def test_many_answers_at_once_are_all_counted_once(
    store: Store, other: Table, clock: Clock
) -> None:
    """A user presses twice, several users try a puzzle, and two processes handle an answer."""
    people = [UserId(number) for number in range(1, 5)]
    asked = [
        item.queries(PuzzleTable).record(person, puzzle, solved=True, at=clock())
        for item in (store, other.store)
        for person in people
        for puzzle in (FIRST, SECOND)
    ]
    told = await asyncio.gather(*asked)
    assert sum(item.is_first for item in told if item is not None) == len(people) * 2
    for person in people:
        solver = await store.queries(PuzzleTable).solver(person)
        assert solver is not None
        assert (solver.tries, solver.streak) == (2, 2)


# A server's days


async def test_moderators_choose_and_stop(store: Store, clock: Clock) -> None:
    assert await store.queries(DailyTable).setting(GUILD) is None
    await store.queries(DailyTable).choose(setting(clock))
    assert await store.queries(DailyTable).setting(GUILD) == setting(clock)
    elsewhere = setting(clock, channel=ChannelId(777))
    await store.queries(DailyTable).choose(elsewhere)
    assert await store.queries(DailyTable).setting(GUILD) == elsewhere
    await store.queries(DailyTable).stop(GUILD)
    assert await store.queries(DailyTable).setting(GUILD) is None


async def test_each_process_posts_in_the_servers_of_its_shards(store: Store, clock: Clock) -> None:
    far = GuildId(3 << 22)
    await store.queries(DailyTable).choose(setting(clock, far))
    assert await store.queries(DailyTable).due(Shards((0,), 2), clock()) == []
    assert await store.queries(DailyTable).due(Shards((1,), 2), clock()) == [setting(clock, far)]
    before = clock() - timedelta(seconds=1)
    assert await store.queries(DailyTable).due(Shards((1,), 2), before) == []


async def test_two_processes_post_a_days_puzzle_once(
    store: Store, other: Table, clock: Clock
) -> None:
    await store.queries(DailyTable).choose(setting(clock))
    seen = [(await item.queries(DailyTable).due(ALL, clock()))[0] for item in (store, other.store)]
    done = await asyncio.gather(
        *(post(one, due, clock) for one, due in zip((store, other.store), seen, strict=True))
    )
    assert sorted(done) == [False, True]
    assert [row.key for row in await store.deliveries.all_unsent()] == [telling().key]
    assert await store.queries(DailyTable).due(ALL, clock()) == []
    assert await store.queries(DailyTable).of_day(GUILD, DAY) == Daily(GUILD, DAY, FIRST.id)


async def test_a_day_has_one_puzzle_also_when_its_hour_is_moved(store: Store, clock: Clock) -> None:
    await posted(store, clock, DAY)
    await store.queries(DailyTable).choose(setting(clock))
    assert not await post(store, setting(clock), clock, puzzle=SECOND)
    assert await store.queries(DailyTable).of_day(GUILD, DAY) == Daily(GUILD, DAY, FIRST.id)
    assert await store.queries(DailyTable).due(ALL, clock()) == []
    # That server has no setting.
    assert await post(store, setting(clock, GuildId(8 << 22)), clock) is False


async def test_outdated_daily_puzzles_are_not_posted(store: Store, clock: Clock) -> None:
    seen = setting(clock)
    await store.queries(DailyTable).choose(seen)
    clock.advance(hours=1)
    await store.queries(DailyTable).choose(setting(clock))
    assert not await post(store, seen, clock)
    assert await store.deliveries.all_unsent() == []


async def test_answers_count_until_the_next_puzzle(store: Store, clock: Clock) -> None:
    tomorrow = DAY + timedelta(days=1)
    await posted(store, clock, DAY)
    for player, solved in ((BOB, True), (ANN, False), (ANN, True)):
        clock.advance(minutes=1)
        await store.queries(PuzzleTable).record(
            player, FIRST, solved=solved, at=clock(), daily=(GUILD, DAY)
        )
    answers = [DailyAnswer(BOB, solved=True), DailyAnswer(ANN, solved=False)]
    assert await store.queries(DailyTable).answers(GUILD, DAY) == answers
    await posted(store, clock, tomorrow)
    late = await store.queries(PuzzleTable).record(
        CID, FIRST, solved=True, at=clock(), daily=(GUILD, DAY)
    )
    assert late is None
    assert await store.queries(DailyTable).answers(GUILD, DAY) == answers
    assert await store.queries(PuzzleTable).solver(CID) is None
    assert await store.queries(DailyTable).newest(GUILD) == tomorrow
    assert await store.queries(DailyTable).previous(GUILD, tomorrow) == Daily(GUILD, DAY, FIRST.id)
    assert await store.queries(DailyTable).previous(GUILD, DAY) is None


async def test_a_known_puzzle_shows_the_earlier_answer(store: Store, clock: Clock) -> None:
    await store.queries(PuzzleTable).record(ANN, FIRST, solved=False, at=clock())
    await posted(store, clock, DAY)
    await store.queries(PuzzleTable).record(ANN, FIRST, solved=True, at=clock(), daily=(GUILD, DAY))
    assert await store.queries(DailyTable).answers(GUILD, DAY) == [DailyAnswer(ANN, solved=False)]


async def test_a_months_table_counts_its_days(store: Store, clock: Clock) -> None:
    days = [date(2026, 2, 28), date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 3)]
    solved_by = {days[0]: (ANN,), days[1]: (ANN, BOB), days[2]: (BOB,), days[3]: (CID,)}
    for day, puzzle in zip(days, load(), strict=False):
        await store.queries(DailyTable).choose(setting(clock))
        assert await post(store, setting(clock), clock, day, puzzle)
        for player in (ANN, BOB, CID):
            solved = player in solved_by[day]
            await store.queries(PuzzleTable).record(
                player, puzzle, solved=solved, at=clock(), daily=(GUILD, day)
            )
    assert await store.queries(DailyTable).month(GUILD, days[1], days[3]) == [
        MonthRow(BOB, 2, 2),
        MonthRow(ANN, 1, 2),
        MonthRow(CID, 0, 2),
    ]
    assert await store.queries(DailyTable).month(GuildId(9 << 22), days[0], days[3]) == []


# Export and deletion


async def test_a_persons_rows_are_given_out_and_deleted(
    store: Store, engine: AsyncEngine, clock: Clock
) -> None:
    await posted(store, clock, DAY)
    before = await all_rows(engine)
    await store.queries(PuzzleTable).record(BOB, FIRST, solved=True, at=clock())
    await store.queries(PuzzleTable).give(BOB, FIRST.id, before=None, at=clock())
    only_bob = await all_rows(engine)
    await store.queries(PuzzleTable).record(ANN, FIRST, solved=True, at=clock(), daily=(GUILD, DAY))
    await store.queries(PuzzleTable).give(ANN, FIRST.id, before=None, at=clock())
    personal = ("solvers", "puzzle_attempts", "given_puzzles", "daily_answers")
    given = {
        name: rows for name, rows in (await store.queries(PrivacyTable).export(ANN)).items() if rows
    }
    assert {name: len(rows) for name, rows in given.items()} == {
        "solvers": 1,
        "puzzle_attempts": 1,
        "given_puzzles": 1,
        "daily_answers": 1,
    }
    assert all(row["player_id"] == ANN for rows in given.values() for row in rows)
    assert given["puzzle_attempts"][0]["puzzle_id"] == FIRST.id
    await store.queries(PrivacyTable).erase(ANN, at=clock())
    after = await all_rows(engine)
    assert {name: after[name] for name in personal} == {name: only_bob[name] for name in personal}
    assert not any((await store.queries(PrivacyTable).export(ANN)).values())
    await store.queries(PrivacyTable).erase(BOB, at=clock())
    after = await all_rows(engine)
    assert {**after, "puzzle_ratings": [], "deletions": []} == before
