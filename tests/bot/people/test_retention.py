"""Tests for retention: expired data is deleted in small steps, and running games stay."""

import asyncio
from collections import Counter
from datetime import timedelta
from unittest.mock import ANY

import pytest
from sqlalchemy import ColumnElement, func, insert, select
from sqlalchemy import Table as SchemaTable

from bot.base.ids import DELETED_USER, ChannelId, GuildId, UserId, team_of
from bot.base.retention import DeletedKind, Retention, read_days
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import deliveries
from bot.database.schema import has_retention_rule, metadata, retention_rule
from bot.people.store.privacy import PEOPLE, PrivacyTable
from bot.people.use_cases.retention_sweeper import RetentionSweeper
from bot.play.store.schema import challenges, events, games, guild_settings
from bot.play.store.store import Store
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.released import fill
from tests.bot.table import ALL, ANN, BOB, CID, GUILD, Table, how

DAY = timedelta(days=1)
MACHINE = UserId(900)
HERE, THERE = team_of(ChannelId(700)), team_of(ChannelId(701))


async def rest() -> None:
    """A player who appears in no other test."""


def housekeeping(table: Table, **kept: timedelta) -> RetentionSweeper:
    return RetentionSweeper(table.store, table.game_cache, Retention(**kept), now=table.clock)


async def count(engine: AsyncEngine, table: SchemaTable, *conditions: ColumnElement[bool]) -> int:
    async with engine.connect() as connection:
        question = select(func.count()).select_from(table).where(*conditions)
        return int((await connection.execute(question)).scalar_one())


async def going(engine: AsyncEngine, *what: DeletedKind) -> dict[DeletedKind, int]:
    """Return the number of rows that expire automatically, in tables of the existing features."""
    found = Counter[DeletedKind]()
    for table in metadata.sorted_tables:
        if (goes := retention_rule(table).expires) is not None and goes[0] in what:
            found[goes[0]] += await count(engine, table)
    return found


async def traces_in_games(engine: AsyncEngine, player: UserId) -> set[str]:
    """Return the columns with players' ids, in games and in tables of data about games."""
    found = set()
    async with engine.connect() as connection:
        for table in metadata.sorted_tables:
            if "game_id" in table.c or table is games:
                for row in await connection.execute(select(table)):
                    for name, value in row._asdict().items():
                        if value == player and name.endswith("_id"):
                            found.add(f"{table.name}.{name}")
    return found


@pytest.mark.parametrize(
    ("written", "kept"),
    [("forever", None), (" Forever ", None), ("1", DAY), ("90", 90 * DAY), ("99999", 99_999 * DAY)],
)
def test_days_are_read(written: str, kept: timedelta | None) -> None:
    assert read_days(written) == kept


@pytest.mark.parametrize("written", ["0", "-1", "1.5", "1 day", "100000", "٣", "", "never"])
def test_invalid_numbers_of_days_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match="write a number of days, such as 90, or forever"):
        read_days(written)


def test_rows_of_a_game_or_tournament_have_its_key() -> None:
    """These are the keys of rows that are deleted with their game or tournament."""
    without_key = {
        str(column)
        for table in metadata.sorted_tables
        for column in table.c
        if column.name in ("game_id", "tournament_id") and not column.foreign_keys
    }
    # Stops and acts are deleted with their server. A tournament stays without names.
    assert without_key == {
        "acts.tournament_id",
        "clock_stops.tournament_id",
        "games.tournament_id",
    }


async def end_all(table: Table, engine: AsyncEngine) -> None:
    """End all games that `fill` has left running."""
    async with engine.connect() as connection:
        rows = (await connection.execute(select(games).where(games.c.outcome.is_(None)))).all()
    for row in rows:
        await table.leaving.resign(row.id, row.revision, row.white_id, source=table.source())


@pytest.mark.both_databases
async def test_games_are_anonymized_after_the_retention_time_and_otherwise_unchanged(
    engine: AsyncEngine, clock: Clock
) -> None:
    await fill(engine)
    table = Table(Store(engine), clock)
    table.last_source = 500_000
    clock.advance(days=10)
    running = await table.game_cache.running_in(ChannelId(500))
    numbers = [row["id"] for row in (await table.store.queries(PrivacyTable).export(ANN))["games"]]
    boards = {number: (await table.game_cache.existing(number)).position for number in numbers}
    keeper = housekeeping(table, players=5 * DAY)
    ended = await count(engine, games, games.c.ended_at.is_not(None))

    strengths = await going(engine, DeletedKind.STRENGTHS)
    assert await keeper.sweep(pause=rest) == Counter({DeletedKind.GAMES: ended} | strengths)
    assert await keeper.sweep(pause=rest) == {}
    # The moves stay, and can be continued.
    assert (
        await Table(Store(engine), clock).game_cache.running_in(ChannelId(500))
    ).row == running.row
    assert await count(engine, events, events.c.actor_id == ANN) > 0

    await table.end(CID, ChannelId(500))  # as a moderator
    await end_all(table, engine)
    clock.advance(days=4)
    assert await keeper.sweep(pause=rest) == {}
    clock.advance(days=1)
    strengths = await going(engine, DeletedKind.STRENGTHS)
    assert await keeper.sweep(pause=rest) == Counter(
        {DeletedKind.GAMES: len(numbers) - ended} | strengths
    )
    for player in (ANN, BOB):
        assert await traces_in_games(engine, player) <= {
            "challenges.challenger_id",
            "pairings.by_id",
        }, "open"
    assert await count(engine, challenges, challenges.c.game_id.is_not(None)) > 0
    for game_table in (table, Table(Store(engine), clock)):
        for number, board in boards.items():
            game = await game_table.game_cache.existing(number)
            assert game.position == board
            assert {game.row.white, game.row.black} == {
                DELETED_USER[Color.WHITE],
                DELETED_USER[Color.BLACK],
            }
            assert how(game) is not None
    async with engine.connect() as connection:
        sources = await connection.execute(select(events.c.source_id).distinct())
        assert [row.source_id for row in sources] == [None]
        people = await connection.execute(select(events.c.actor_id).distinct())
        assert DELETED_USER[None] in {row.actor_id for row in people}, "a moderator's act"


async def test_the_machine_and_teams_are_not_people_and_stay(
    table: Table, engine: AsyncEngine
) -> None:
    update = await table.accept(await table.challenge(MACHINE, level=1), MACHINE)
    row = update.game.row
    await table.leaving.resign(row.id, row.revision, ANN, source=table.source())
    async with engine.begin() as connection:
        await connection.execute(games.update().values(machine_id=MACHINE))
        (one,) = await connection.execute(select(games))
        teams = {"white_id": HERE, "black_id": THERE, "machine_id": None}
        await connection.execute(insert(games), one._asdict() | teams | {"id": row.id + 1})
    table.clock.advance(days=2)
    await housekeeping(table, players=DAY).sweep(pause=rest)
    async with engine.connect() as connection:
        left = await connection.execute(select(games).order_by(games.c.id))
    seats = [(item.white_id, item.black_id) for item in left]
    assert seats == [(DELETED_USER[Color.WHITE], MACHINE), (HERE, THERE)]


async def test_many_games_go_in_small_steps(table: Table, engine: AsyncEngine) -> None:
    row = (await table.ended()).row
    async with engine.begin() as connection:
        (one,) = await connection.execute(select(games))
        more = [one._asdict() | {"id": row.id + number} for number in range(1, 121)]
        await connection.execute(insert(games), more)
    table.clock.advance(days=2)
    steps = []

    async def look() -> None:
        steps.append(await count(engine, games, games.c.anonymous_at.is_(None)))

    gone = await housekeeping(table, players=DAY).sweep(pause=look)
    assert gone[DeletedKind.GAMES] == 121
    assert steps[:3] == [71, 21, 0]


@pytest.mark.both_databases
async def test_two_processes_delete_nothing_twice(
    table: Table, other: Table, engine: AsyncEngine, clock: Clock
) -> None:
    row = (await table.ended()).row
    async with engine.begin() as connection:
        (one,) = await connection.execute(select(games))
        more = [one._asdict() | {"id": row.id + number} for number in range(1, 121)]
        await connection.execute(insert(games), more)
    clock.advance(days=2)
    both = await asyncio.gather(
        *(housekeeping(game_table, players=DAY).sweep(pause=rest) for game_table in (table, other))
    )
    assert sum(row[DeletedKind.GAMES] for row in both) == 121


@pytest.mark.both_databases
async def test_unaccepted_challenges_and_deliveries_have_their_own_retention_time(
    table: Table, engine: AsyncEngine
) -> None:
    declined = await table.challenge(BOB)
    await table.lobby.decline(declined, BOB)
    await table.ended()
    await table.begin(BOB, channel=ChannelId(501))
    await table.challenge(None, channel=ChannelId(502))
    async with engine.begin() as connection:
        marked = deliveries.update().values(sent_at=table.clock(), message_id=7)
        await connection.execute(marked)
    keeper = housekeeping(table, notices=3 * DAY)
    table.clock.advance(days=2)
    assert await keeper.sweep(pause=rest) == {}
    sent = await count(engine, deliveries)
    table.clock.advance(days=1, minutes=1)
    gone = await keeper.sweep(pause=rest)
    assert gone == {DeletedKind.CHALLENGES: 1, DeletedKind.DELIVERIES: ANY}
    # The running game's board stays, and so do the challenges of both games.
    assert 0 < gone[DeletedKind.DELIVERIES] == sent - await count(engine, deliveries) < sent
    running = await table.game_cache.running_in(ChannelId(501))
    assert await table.store.deliveries.newest_board(running.row.id) is not None
    assert await count(engine, challenges) == 3


@pytest.mark.both_databases
async def test_unsent_deliveries_stay(table: Table, engine: AsyncEngine) -> None:
    await table.ended()
    unsent = await count(engine, deliveries)
    table.clock.advance(days=5)
    assert await housekeeping(table, notices=DAY).sweep(pause=rest) == {}
    assert await count(engine, deliveries) == unsent > 0


async def test_many_deliveries_are_read_in_pages(table: Table, engine: AsyncEngine) -> None:
    await table.begin()  # its board is older than all others, and stays
    async with engine.begin() as connection:
        await connection.execute(deliveries.update().values(sent_at=table.clock()))
        (one,) = (await connection.execute(select(deliveries).limit(1))).all()
        more = [
            one._asdict() | {"id": one.id + number, "key": f"x{number}", "game_id": None}
            for number in range(1, 1_101)
        ]
        await connection.execute(insert(deliveries), more)
    table.clock.advance(days=2)
    gone = await housekeeping(table, notices=DAY).sweep(pause=rest)
    assert gone == {DeletedKind.DELIVERIES: 1_100}
    assert await count(engine, deliveries) == 1


@pytest.mark.both_databases
async def test_learning_progress_has_its_own_retention_time(
    engine: AsyncEngine, clock: Clock
) -> None:
    await fill(engine)  # everything on March 1st, 21:20 UTC
    table = Table(Store(engine), clock)
    keeper = housekeeping(table, learning=30 * DAY)
    clock.advance(days=30, hours=9)
    assert await keeper.sweep(pause=rest) == {}
    clock.advance(hours=1)
    learnt = await going(
        engine, DeletedKind.LESSONS, DeletedKind.ANSWERS, DeletedKind.RATINGS, DeletedKind.STUDIES
    )
    assert await keeper.sweep(pause=rest) == Counter(learnt)


class World:
    """Return the bot's servers: those that it knows, and those that Discord reports."""

    def __init__(self, *guilds: int) -> None:
        self.seen = set(guilds)
        self.there = set(guilds)

    def sees(self, guild: GuildId) -> bool:
        return guild in self.seen

    async def is_out(self, guild: GuildId) -> bool:
        return guild not in self.there

    async def sweep(self, keeper: RetentionSweeper) -> dict[DeletedKind, int]:
        return await keeper.sweep_servers(ALL, sees=self.sees, is_out=self.is_out, pause=rest)


@pytest.mark.both_databases
async def test_a_servers_data_is_deleted_long_after_it_removed_the_bot(
    engine: AsyncEngine, clock: Clock
) -> None:
    await fill(engine)
    table, other = Table(Store(engine), clock), GuildId(2 << 22)
    async with engine.begin() as connection:
        await connection.execute(insert(guild_settings), {"guild_id": other})
        brought = games.update().where(games.c.id == 4).values(visiting=True)
        await connection.execute(brought)
    world, keeper = World(GUILD, other), housekeeping(table, servers=30 * DAY)
    assert await world.sweep(keeper) == {}
    world.seen.remove(GUILD)
    assert await world.sweep(keeper) == {}
    clock.advance(days=20)
    world.seen.add(GUILD)  # it was invited again,
    assert await world.sweep(keeper) == {}
    world.seen.remove(GUILD)  # and removed again
    assert await world.sweep(keeper) == {}
    world.there.remove(GUILD)
    clock.advance(days=29)
    assert await world.sweep(keeper) == {}
    world.there.add(GUILD)
    clock.advance(days=1)
    assert await world.sweep(keeper) == {}, "Discord says that it is there"
    world.there.remove(GUILD)
    gone = await world.sweep(keeper)
    assert gone == {DeletedKind.GAMES: 1, DeletedKind.SERVERS: 1}
    assert await world.sweep(keeper) == {}

    for kept in metadata.sorted_tables:
        if "guild_id" in kept.c:
            theirs = await count(engine, kept, kept.c.guild_id == GUILD)
            assert (theirs > 0) == (kept.name in OF_GAMES), kept.name
    assert await count(engine, guild_settings, guild_settings.c.guild_id == other) == 1
    theirs = await count(engine, games, games.c.white_id == ANN)
    running = await count(engine, games, games.c.outcome.is_(None))
    assert (theirs, running) == (3, 2), "the third was played where people brought the bot along"
    assert (await table.store.queries(PrivacyTable).export(ANN))["players"] != [], "their own"


async def test_every_server_that_has_removed_the_bot_is_forgotten(
    engine: AsyncEngine, clock: Clock
) -> None:
    removed = [{"guild_id": number << 22} for number in (2, 3, 5)]
    async with engine.begin() as connection:
        await connection.execute(insert(guild_settings), removed)
    keeper = housekeeping(Table(Store(engine), clock), servers=DAY)
    still = World(3 << 22)
    assert await still.sweep(keeper) == {}
    clock.advance(days=1)
    assert await still.sweep(keeper) == {DeletedKind.SERVERS: 2}
    assert await count(engine, guild_settings) == 1


OF_GAMES = {"games", "challenges", "deliveries", "reviews", "timers"}


async def test_a_user_installed_bot_was_never_removed(table: Table, engine: AsyncEngine) -> None:
    await table.ended()
    async with engine.begin() as connection:
        await connection.execute(games.update().values(visiting=True))
    keeper = housekeeping(table, servers=DAY)
    await World().sweep(keeper)
    table.clock.advance(days=9)
    assert await World().sweep(keeper) == {}
    assert await count(engine, games, games.c.white_id == ANN) == 1


async def test_without_a_setting_all_is_kept(table: Table, engine: AsyncEngine) -> None:
    await fill(engine)
    table.clock.advance(days=9_999)
    keeper = housekeeping(table)
    assert await keeper.sweep(pause=rest) == {}
    assert await World().sweep(keeper) == {}
    left = guild_settings.c.left_at.is_not(None)
    assert await count(engine, guild_settings, left) == 0, "nobody looks for servers"


def test_each_table_of_people_says_how_long_its_rows_are_kept() -> None:
    """`Keeping()` is a valid setting, too: keep data until its person is deleted."""
    silent = [
        table.name
        for table in metadata.sorted_tables
        if {column.name for column in table.columns} & PEOPLE and not has_retention_rule(table)
    ]
    assert silent == []
