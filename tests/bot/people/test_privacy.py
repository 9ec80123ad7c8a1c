"""Tests for the export and deletion of all data about a person."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.base.ids import DELETED_USER, ChannelId, GameId, UserId
from bot.database.backups import back_up, restore
from bot.database.connection import AsyncEngine
from bot.database.schema import metadata
from bot.people.store.privacy import PEOPLE, PrivacyTable, personal, repeat_deletions
from bot.people.use_cases.personal_data import Privacy, compress_large
from bot.play.foresight import Foresight
from bot.play.game_changes import GameUpdate
from bot.play.model.game import Game
from bot.play.model.preferences import Preferences
from bot.play.model.refusals import NoGameHere
from bot.play.model.refused_starts import BadOpponent, OpponentProblem
from bot.play.model.terms import ChallengeState, EndReason
from bot.play.store.schema import deletions, events, games, pings, server_blocks
from bot.play.store.store import Store
from bot.play.use_cases.endings import Endings
from bot.play.use_cases.ledger import Ledger
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.released import fill
from tests.bot.table import ANN, BOB, CID, Table, how, raises

NOT_PEOPLE = {
    "batch_id",
    "channel_id",
    "continues_id",
    "event_id",
    "game_id",
    "guild_id",
    "league_id",
    "log_channel_id",
    "machine_id",
    "message_id",
    "puzzle_id",
    "role_id",
    "shard_id",
    "source_id",
    "tournament_id",
    "winner_role_id",
}
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_every_stored_number_is_known_to_be_a_person_or_not() -> None:
    numbers = {part.name for table in metadata.sorted_tables for part in table.c}
    assert {name for name in numbers if name.endswith("_id")} - NOT_PEOPLE == PEOPLE


async def traces(engine: AsyncEngine, player: UserId) -> set[str]:
    """The columns that contain a person's id."""
    found = set()
    async with engine.connect() as connection:
        for table in metadata.sorted_tables:
            for row in await connection.execute(select(table)):
                for name, value in row._asdict().items():
                    if value == player and name.endswith("_id"):
                        found.add(f"{table.name}.{name}")
    return found


def test_no_database_numbers_the_people() -> None:
    """Without `autoincrement=False`, PostgreSQL would generate ids for a key that is a person."""
    assert [
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.primary_key
        if len(table.primary_key) == 1
        and column.name in PEOPLE
        and column.autoincrement is not False
    ] == []


@pytest.mark.both_databases
async def test_an_export_has_all_of_a_persons_data_and_nobody_elses(
    engine: AsyncEngine, table: Table
) -> None:
    await fill(engine)
    for player in (ANN, BOB, CID):
        given = await table.store.queries(PrivacyTable).export(player)
        mine = {f"{name}.{at}" for name, rows in given.items() for row in rows for at in row}
        assert await traces(engine, player) <= mine | {"blocks.blocked_id"}
        for name, columns in ((one.name, columns) for one, columns in personal()):
            for row in given[name]:
                assert player in [row[column.name] for column in columns], name
    assert given["blocks"] == [], "Bob has blocked Cid, who is never to know"
    assert (await table.store.queries(PrivacyTable).export(ANN))["players"][0][
        "zone"
    ] == "Europe/Vienna"


@pytest.mark.both_databases
async def test_a_deleted_person_leaves_games_and_no_trace(
    engine: AsyncEngine, table: Table
) -> None:
    await fill(engine)
    before = await table.store.queries(PrivacyTable).export(BOB)
    numbers = [row["id"] for row in before["games"]]
    boards = [(await table.game_cache.existing(number)).position for number in numbers]

    goodbye = await table.privacy.delete(ANN)
    assert [how(update.game) for update in goodbye.updates] == [EndReason.RESIGNATION] * 2
    assert [row.state for row in goodbye.closed] == [ChallengeState.CANCELLED]
    assert {trace.rpartition(".")[0] for trace in await traces(engine, ANN)} == {
        pings.name,
        server_blocks.name,
    }
    assert await table.store.players.get(ANN) == Preferences()

    async with engine.connect() as connection:
        actors = await connection.execute(select(events.c.actor_id).distinct())
        assert {row.actor_id for row in actors} == {DELETED_USER[Color.WHITE], BOB, CID}
    after = await table.store.queries(PrivacyTable).export(BOB)
    assert [row["white_id"] for row in after["games"]] == [DELETED_USER[Color.WHITE]] * len(numbers)
    kept = {name: rows for name, rows in before.items() if name not in TOUCHED}
    assert {name: after[name] for name in kept} == kept
    again = Table(Store(engine), Clock())  # like a bot that starts with an empty cache
    for game_table in (table, again):
        found = [await game_table.game_cache.existing(number) for number in numbers]
        assert [game.position for game in found] == boards
        assert all(game.seat(ANN) is None for game in found)
    caught = await raises(BadOpponent, table.rematch(found[0], BOB))
    assert caught.problem is OpponentProblem.DELETED

    await table.choices.switch(ANN, mentions=False)  # they have returned, and start over
    assert (await table.store.queries(PrivacyTable).export(ANN))["games"] == []


TOUCHED = {
    "games",
    "events",
    "challenges",
    "server_puzzles",
    "deliveries",
    "rating_changes",
    "tournaments",
    "records",
}


async def test_open_challenges_to_a_deleted_person_are_declined(table: Table) -> None:
    await table.challenge(BOB)
    (row,) = (await table.privacy.delete(BOB)).closed
    assert row.state is ChallengeState.DECLINED
    assert (await table.store.queries(PrivacyTable).export(ANN))["challenges"] == []


class Interrupted(Endings):
    """Starts another game while someone's games are being ended, like a tournament's round."""

    def __init__(self, table: Table) -> None:
        ledger = Ledger(table.store, table.game_cache, now=table.clock, foresight=Foresight())
        super().__init__(table.store, table.game_cache, ledger, now=table.clock)
        self._table, self._next = table, iter([CID])

    async def leave(self, game: GameId, user: UserId) -> GameUpdate | None:
        update = await super().leave(game, user)
        for other in self._next:
            await self._table.accept(await self._table.challenge(other), other)
        return update


async def test_nobody_is_deleted_from_a_running_game(table: Table) -> None:
    await table.begin()
    privacy = Privacy(table.store, table.game_cache, Interrupted(table), now=table.clock)
    left = (await privacy.delete(ANN)).updates
    assert [how(update.game) for update in left] == [EndReason.RESIGNATION] * 2
    for other in (BOB, CID):
        assert await table.store.queries(PrivacyTable).running(other) == []


async def deleted_at(engine: AsyncEngine, *moments: datetime) -> None:
    async with engine.connect() as connection:
        rows = await connection.execute(select(deletions.c.at).order_by(deletions.c.at))
        assert [row.at for row in rows] == list(moments)


@pytest.mark.both_databases
async def test_no_backup_restores_a_deleted_person(
    engine: AsyncEngine, table: Table, tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    game = await playing(table, ChannelId(500))
    await table.choices.switch(ANN, mentions=False)
    await table.choices.switch(BOB, mentions=False)
    await table.store.queries(PrivacyTable).erase(CID, at=NOON - timedelta(days=2))
    await table.choices.switch(CID, mentions=False)  # Cid was back when the backup was made
    await back_up(engine, file, now=NOON)
    later = NOON + timedelta(days=1)
    assert not await table.store.queries(PrivacyTable).erase(
        ANN, at=later
    )  # someone must move there
    await table.leaving.leave(game.row.id, ANN)
    assert await table.store.queries(PrivacyTable).erase(ANN, at=later)
    await restore(engine, file, replace=True, now=later, keeping=repeat_deletions)

    assert await traces(engine, ANN) == set()
    assert (await table.store.queries(PrivacyTable).export(BOB))["players"] != []
    assert (await table.store.queries(PrivacyTable).export(CID))["players"] != []
    await deleted_at(engine, NOON - timedelta(days=2), later)
    async with engine.connect() as connection:
        (row,) = await connection.execute(select(games))
    assert {row.white_id, row.black_id} == {DELETED_USER[Color.WHITE], BOB}
    await restore(
        engine, file, replace=True, now=later, keeping=repeat_deletions
    )  # the list was restored, too
    assert await traces(engine, ANN) == set()


async def playing(table: Table, channel: ChannelId) -> Game:
    await table.begin(channel=channel)
    await table.play(ANN, "d2", channel)
    return (await table.play(BOB, "d3", channel)).game


async def test_a_database_that_knows_of_deletions_alone_takes_a_backup(
    engine: AsyncEngine, table: Table, tmp_path: Path
) -> None:
    await back_up(engine, tmp_path / "backup", now=NOON)
    await table.privacy.delete(ANN)
    await restore(engine, tmp_path / "backup", replace=False, now=NOON, keeping=repeat_deletions)
    await raises(NoGameHere, table.game_cache.running_in(ChannelId(500)))


async def test_the_file_is_json_and_packed_when_it_is_large(table: Table) -> None:
    await playing(table, ChannelId(500))
    ending, data = await table.privacy.export(ANN)
    told = json.loads(data)
    assert (ending, told["person"]) == ("json", ANN)
    moves = [row["data"] for row in told["tables"]["events"] if row["kind"] == "move"]
    assert moves == [{"move": "d2"}], "her own"
    assert compress_large(data, limit=len(data)) == ("json", data)
    ending, small = compress_large(data, limit=len(data) - 1)
    assert (ending, gzip.decompress(small)) == ("json.gz", data)
