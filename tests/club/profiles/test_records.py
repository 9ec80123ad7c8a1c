"""Tests for counted results: counted when games end, and the same when recounted."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, insert, select, update

from bot.base.ids import ChannelId, GuildId, UserId
from bot.database.connection import AsyncEngine
from bot.database.opening import migrate
from bot.play.model.game import Game, Offer
from bot.play.model.terms import Start
from bot.play.store.schema import games
from club.profiles.model import ALL_SERVERS, Results, Score
from club.profiles.schema import records
from club.profiles.store.records import RecordTable, count, recount
from dvonn import Color
from tests.bot.composition.test_released import RELEASED, read_release
from tests.bot.conftest import Clock
from tests.bot.looked import begun
from tests.bot.released import load
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table
from tests.club.ratings.rated import resigned

MACHINE = UserId(900)
ELSEWHERE = GuildId(2 << 22)


async def lost(table: Table, white: UserId = ANN, loser: UserId = ANN, **how: object) -> Game:
    """A game that one player resigns at once."""
    game = await begun(table, white, turns=0, rated=False, **how)  # type: ignore[arg-type]
    return (await resigned(table, game, loser)).game


async def drawn(table: Table) -> None:
    await begun(table, turns=1, rated=False)
    offered = await table.offers.ask(CHANNEL, ANN, Offer.DRAW, source=table.source())
    row = offered.game.row
    await table.offers.accept(row.id, row.revision, BOB, source=table.source())


def one(colour: Color, score: Score, *, machine: bool = False) -> Results:
    return Results(machine=machine, colour=colour, start=Start.BALANCED, score=score)


async def rows(engine: AsyncEngine) -> list[str]:
    return sorted(map(str, (await all_rows(engine))[records.name]))


async def wrong(engine: AsyncEngine, *, repair: bool = False) -> int:
    async with engine.begin() as connection:
        return await recount(connection, repair=repair)


async def some_games(table: Table) -> None:
    await lost(table)
    await lost(table, loser=BOB)
    await drawn(table)
    await lost(table, BOB, BOB, black=CID, channel=ChannelId(800), guild=ELSEWHERE)
    await lost(table, ANN, ANN, black=MACHINE, level=2)
    await begun(table, turns=0, rated=False)
    await table.abort(ANN)


@pytest.mark.both_databases
async def test_each_end_is_counted_for_both_players(table: Table, engine: AsyncEngine) -> None:
    await some_games(table)
    of = table.store.queries(RecordTable).results_of
    people = one(Color.WHITE, Score(won=1, drawn=1, lost=1))
    assert await of(ANN, GUILD) == [people, one(Color.WHITE, Score(lost=1), machine=True)]
    assert await of(ANN, ALL_SERVERS) == await of(ANN, GUILD)
    assert await of(BOB, GUILD) == [one(Color.BLACK, Score(won=1, drawn=1, lost=1))]
    assert await of(BOB, ELSEWHERE) == [one(Color.WHITE, Score(lost=1))]
    everywhere = await of(BOB, ALL_SERVERS)
    assert {result.colour: result.score for result in everywhere} == {
        Color.WHITE: Score(lost=1),
        Color.BLACK: Score(won=1, drawn=1, lost=1),
    }
    assert await of(MACHINE, GUILD) == [], "it keeps no record of its own"
    assert await table.store.queries(RecordTable).known_players([ANN, CID, MACHINE], GUILD) == {ANN}


@pytest.mark.both_databases
async def test_counted_again_all_is_as_it_was(table: Table, engine: AsyncEngine) -> None:
    await some_games(table)
    before = await rows(engine)
    assert await wrong(engine, repair=True) == 0
    async with engine.begin() as connection:
        ann = records.c.player_id == ANN
        await connection.execute(update(records).where(ann).values(won=records.c.won + 5))
        await connection.execute(delete(records).where(records.c.player_id == CID))
        stranger = {"player_id": 7_000, "guild_id": GUILD, "machine": False, "colour": "W"}
        counts = {"start": "pie", "won": 1, "drawn": 0, "lost": 0, "last_at": Clock().time}
        await connection.execute(insert(records), {**stranger, **counts})
    (old,) = await table.store.queries(RecordTable).results_of(UserId(7_000), GUILD)
    assert old.start is Start.BALANCED, "as it is told with today's"
    found = await wrong(engine)
    assert found == 4 + 2 + 1
    assert await rows(engine) != before, "to look changes nothing"
    assert await wrong(engine, repair=True) == found
    assert await rows(engine) == before
    assert await wrong(engine) == 0


async def test_a_count_has_the_end_of_its_last_game(table: Table, engine: AsyncEngine) -> None:
    await lost(table)
    table.clock.advance(hours=5)
    await lost(table)
    async with engine.begin() as connection:
        last = (await connection.execute(select(records.c.last_at).distinct())).scalars().all()
        assert last == [table.clock()]
        await connection.execute(delete(records))
    before = await wrong(engine, repair=True)
    assert before == 4, "of two people in their server and in all"
    async with engine.begin() as connection:
        assert (
            await connection.execute(select(records.c.last_at).distinct())
        ).scalars().all() == last


async def test_games_outside_servers_count_once(table: Table, engine: AsyncEngine) -> None:
    await lost(table, guild=GuildId(ALL_SERVERS))
    assert await table.store.queries(RecordTable).results_of(ANN, ALL_SERVERS) == [
        one(Color.WHITE, Score(lost=1))
    ]
    assert await wrong(engine) == 0


@pytest.mark.both_databases
async def test_anonymized_games_have_counted(table: Table, engine: AsyncEngine) -> None:
    await some_games(table)
    before = await rows(engine)
    async with engine.begin() as connection:
        (first,) = (await connection.execute(select(games.c.id).limit(1))).all()
        gone = {"white_id": 1, "black_id": 2, "anonymous_at": Clock().time}
        await connection.execute(update(games).where(games.c.id == first.id).values(gone))
    assert await wrong(engine, repair=True) == 0
    async with engine.begin() as connection:
        await connection.execute(update(records).values(lost=0))
    assert await wrong(engine, repair=True) > 0
    after = await rows(engine)
    assert len(after) == len(before)
    assert await wrong(engine) == 0


@pytest.mark.both_databases
async def test_games_that_end_at_once_are_all_counted(table: Table) -> None:
    channels = [ChannelId(CHANNEL + number) for number in range(4)]
    begun_games = [
        await begun(table, *pair, turns=0, rated=False, channel=channel)
        for pair, channel in zip([(ANN, BOB), (BOB, ANN)] * 2, channels, strict=True)
    ]
    await asyncio.gather(*(resigned(table, game, ANN) for game in begun_games))
    found = await table.store.queries(RecordTable).results_of(ANN, GUILD)
    assert sum(result.score.lost for result in found) == 4
    # The rows come in any order.
    assert set(found) == set(await table.store.queries(RecordTable).results_of(ANN, ALL_SERVERS))


async def test_practice_and_team_games_do_not_count(table: Table, engine: AsyncEngine) -> None:
    game = await lost(table)
    assert game.outcome is not None
    before, at = await rows(engine), table.clock()
    for row in (
        replace(game.row, continues=game.row.id),
        replace(game.row, vote=timedelta(hours=1)),
        replace(game.row, white=UserId(1), black=UserId(-5)),
    ):
        async with engine.begin() as connection:
            await count(connection, row, game.outcome, at)
    assert await rows(engine) == before
    more = await lost(table), await lost(table)
    before = await rows(engine)
    for other, column, value in zip(
        more, ("continues_id", "vote_s"), (game.row.id, 60), strict=True
    ):
        async with engine.begin() as connection:
            which = games.c.id == other.row.id
            await connection.execute(update(games).where(which).values({column: value}))
    assert await wrong(engine, repair=True) == 4, "of two people, here and in all servers"
    assert await rows(engine) != before
    assert {
        result.score for result in await table.store.queries(RecordTable).results_of(ANN, GUILD)
    } == {Score(lost=1)}


async def test_a_deleted_persons_counts_go_and_others_stay(
    table: Table, engine: AsyncEngine
) -> None:
    await some_games(table)
    bob = await table.store.queries(RecordTable).results_of(BOB, GUILD)
    await table.privacy.delete(ANN)
    assert await table.store.queries(RecordTable).results_of(ANN, ALL_SERVERS) == []
    assert await table.store.queries(RecordTable).results_of(BOB, GUILD) == bob
    assert await wrong(engine) == 0


@pytest.mark.parametrize("file", RELEASED[-1:], ids=[file.stem for file in RELEASED[-1:]])
async def test_the_migration_counts_existing_games(file: object, empty_engine: AsyncEngine) -> None:
    await load(read_release(file), empty_engine)  # type: ignore[arg-type]
    await migrate(empty_engine)
    assert len(await rows(empty_engine)) > 0
    assert await wrong(empty_engine) == 0
