"""Tests that a recount gives the same ratings to the last bit."""

from argparse import Namespace
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from bot.base.config import StoreSettings
from bot.base.database_address import database_address
from bot.base.errors import DatabaseError, InUseError
from bot.base.ids import NO_GUILD, ChannelId, GuildId, UserId
from bot.base.retention import Retention
from bot.database.connection import AsyncEngine
from bot.database.database import AnyRow
from bot.database.opening import create_engine, will_be_created
from bot.people.store.retention import RetentionTable
from bot.people.use_cases.retention_sweeper import RetentionSweeper
from bot.play.model.clock import Pace
from club.profiles.store import recounting
from club.profiles.store.recounting import Recount, recount, recount_ratings
from club.ratings.schema import rating_changes, ratings
from club.ratings.store import RatingTable
from tests.bot.looked import begun
from tests.bot.table import ANN, BOB, CID, GUILD, Table
from tests.club.ratings.rated import resigned, stored, strength, won

MACHINE = UserId(900)
ELSEWHERE = GuildId(2 << 22)


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count games and ratings in several pages."""
    monkeypatch.setattr(recounting, "PAGE", 3)


async def some_games(table: Table) -> int:
    """Games of three people in two servers and against the machine, over some weeks."""
    pairs = [(ANN, BOB), (BOB, CID), (CID, ANN), (ANN, CID), (ANN, BOB)]
    for number, (winner, loser) in enumerate(pairs):
        await won(table, winner, loser)
        table.clock.advance(days=number)
    await resigned(table, await begun(table, ANN, MACHINE, level=4), ANN)
    await won_elsewhere(table, BOB, ANN)
    return len(pairs) + 2


async def won_elsewhere(table: Table, winner: UserId, loser: UserId) -> None:
    game = await begun(table, winner, loser, channel=ChannelId(800), guild=ELSEWHERE)
    await resigned(table, game, loser)


async def corrections(engine: AsyncEngine) -> Recount:
    """Damages that a recount repairs."""
    found = await recount(engine, repair=False)
    assert await recount(engine, repair=True) == found
    assert (await recount(engine, repair=False)).is_right
    return found


@pytest.mark.later("what is right stays so, as in the test of what is wrong")
@pytest.mark.both_databases
async def test_counted_again_all_is_as_it_was(table: Table, engine: AsyncEngine) -> None:
    count = await some_games(table)
    before = await stored(engine)
    told: list[int] = []
    assert await recount(engine, repair=True, progress=told.append) == Recount(count, 0, 0)
    assert told == [3, 6, 7]
    assert await stored(engine) == before


@pytest.mark.later("what is missing, beside what is wrong")
@pytest.mark.both_databases
async def test_lost_ratings_are_restored_exactly(table: Table, engine: AsyncEngine) -> None:
    await some_games(table)
    before = await stored(engine)
    async with engine.begin() as connection:
        await connection.execute(delete(ratings))
        await connection.execute(delete(rating_changes))
    assert (await corrections(engine)).wrong_ratings == len(before["ratings"])
    assert await stored(engine) == before


async def test_only_wrong_values_are_corrected(table: Table, engine: AsyncEngine) -> None:
    await some_games(table)
    before = await stored(engine)
    ann = ratings.c.player_id == ANN, ratings.c.guild_id == GUILD
    first = rating_changes.c.game_id == 1, rating_changes.c.player_id == BOB
    async with engine.begin() as connection:
        await connection.execute(update(ratings).where(*ann).values(rating=2400.0, won=9))
        await connection.execute(update(rating_changes).where(*first).values(rating_after=1.0))
    assert await recount(engine, repair=False) == Recount(7, 2, 1)
    assert await corrections(engine) == Recount(7, 2, 1)
    assert await stored(engine) == before


@pytest.mark.later("one more way to become nobody, 0.5 s")
@pytest.mark.both_databases
async def test_a_deletion_leaves_other_ratings_unchanged(table: Table, engine: AsyncEngine) -> None:
    await some_games(table)
    before = await stored(engine)
    await table.privacy.delete(BOB)
    left = await stored(engine)
    assert left["ratings"] == [row for row in before["ratings"] if BOB not in row]
    assert not [row for row in left["rating_changes"] if BOB in row]
    assert await recount(engine, repair=True) == Recount(7, 0, 0)
    assert await stored(engine) == left

    table.clock.advance(days=2)
    await won(table, ANN, BOB)  # they have returned as new players
    bob = await strength(table.store, BOB)
    assert bob is not None
    assert bob.games == 1
    assert (await corrections(engine)).is_right


@pytest.mark.later("one more way to become nobody, 0.5 s")
async def test_two_who_are_deleted_leave_nothing_to_count(
    table: Table, engine: AsyncEngine
) -> None:
    await won(table)
    await table.privacy.delete(ANN)
    await table.privacy.delete(BOB)
    assert await stored(engine) == {"ratings": [], "rating_changes": []}
    assert (await corrections(engine)).is_right
    assert await stored(engine) == {"ratings": [], "rating_changes": []}


@pytest.mark.both_databases
async def test_games_anonymized_later_have_counted(table: Table, engine: AsyncEngine) -> None:
    await some_games(table)
    keeper = RetentionSweeper(
        table.store, table.game_cache, Retention(players=timedelta(days=5)), now=table.clock
    )
    before = await strength(table.store, ANN)
    await keeper.sweep(pause=_rest)
    assert await strength(table.store, ANN) == before
    left = await stored(engine)
    numbers = {row.number for row in await changes_of(engine, ANN) if row.guild_id != ELSEWHERE}
    assert 1 not in numbers, "the first games are nobody's"
    assert numbers
    assert (await corrections(engine)).is_right
    assert await stored(engine) == left
    async with engine.begin() as connection:
        await connection.execute(update(ratings).values(rating=1.0))
    await corrections(engine)
    assert await stored(engine) == left

    table.clock.advance(days=30)
    await keeper.sweep(pause=_rest)
    assert await stored(engine) == {"ratings": [], "rating_changes": []}


@pytest.mark.later("a server without its games, 0.5 s")
async def test_a_deleted_server_keeps_the_ratings_of_all_servers(
    table: Table, engine: AsyncEngine
) -> None:
    await won(table)
    await won_elsewhere(table, BOB, ANN)
    await won(table)
    overall = await table.store.queries(RatingTable).pool_ratings(NO_GUILD, Pace.SLOW, [ANN, BOB])
    more = True
    while more:
        _, more = await table.store.queries(RetentionTable).drop_server(ELSEWHERE, at=table.clock())
    assert (
        await table.store.queries(RatingTable).pool_ratings(ELSEWHERE, Pace.SLOW, [ANN, BOB]) == {}
    )
    assert (
        await table.store.queries(RatingTable).pool_ratings(NO_GUILD, Pace.SLOW, [ANN, BOB])
        == overall
    )
    left = await stored(engine)
    assert {row.number for row in await changes_of(engine, ANN) if row.guild_id == 0} == {1, 3}
    assert (await corrections(engine)).is_right
    assert await stored(engine) == left


async def test_while_a_bot_uses_the_database_nothing_is_counted(
    table: Table, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def in_use(_engine: AsyncEngine) -> bool:
        return True

    await won(table)
    monkeypatch.setattr(recounting, "is_in_use", in_use)
    with pytest.raises(InUseError, match="stop it first"):
        await recount(engine, repair=True)


async def test_a_missing_database_is_not_created(tmp_path: Path) -> None:
    """As after a forgotten setting, it must not report that the ratings of no games are right."""
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'none.sqlite3'}"))
    with pytest.raises(DatabaseError, match=r"none\.sqlite3\) cannot be used: it doesn't exist"):
        await recount(engine, repair=False)
    await engine.dispose()
    assert will_be_created(engine.url)


async def test_the_command_reports_the_error(
    table: Table, engine: AsyncEngine, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await won(table)
    ann = ratings.c.player_id == ANN, ratings.c.guild_id == GUILD
    async with engine.begin() as connection:
        await connection.execute(update(ratings).where(*ann).values(rating=2400.0))
    await engine.dispose()  # unused
    settings = StoreSettings(database_url=database_url)
    for repair, status, said in (
        (False, 1, "differences: 1 rating, 0 changes by games and 0 counts of results; run"),
        (True, 0, "corrected 1 rating, 0 changes by games and 0 counts of results"),
        (False, 0, "all stored ratings are correct"),
    ):
        assert await recount_ratings(settings, Namespace(check=not repair)) == status
        assert f"counted 1 rated game: {said}" in capsys.readouterr().out


async def changes_of(engine: AsyncEngine, player: UserId) -> Sequence[AnyRow]:
    async with engine.connect() as connection:
        question = select(rating_changes).where(rating_changes.c.player_id == player)
        return (await connection.execute(question)).all()


async def _rest() -> None:
    """Players who appear in no other test."""
