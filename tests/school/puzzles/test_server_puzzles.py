"""Tests for a server's own puzzles, which need the permission of both players."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert

from bot.base.ids import NO_GUILD, ChannelId, GuildId
from bot.base.languages import IN_ENGLISH
from bot.base.retention import DeletedKind
from bot.database.connection import AsyncEngine
from bot.people.store.privacy import PrivacyTable
from bot.play.model.game import Game
from bot.play.store.schema import games
from bot.play.store.store import Store
from bot.replay.model.refusals import NoSuchPly
from dvonn import Move
from dvonn.puzzles import Puzzle, load
from school.puzzles.model import NoPuzzleLeft, NoServerPuzzle, PuzzleKey
from school.puzzles.schema import daily_settings, server_puzzles
from school.puzzles.store import ServerPuzzleTable
from school.puzzles.use_cases import Puzzles
from school.puzzles.words.puzzles import puzzle_answered
from tests.bot.conftest import Clock
from tests.bot.people.test_retention import World, housekeeping
from tests.bot.released import fill
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CID, GUILD, Table

ELSEWHERE = GuildId(2 << 22)
FIRST, SECOND, THIRD = [puzzle for puzzle in load() if not puzzle.is_rescue][:3]
RESCUE = next(puzzle for puzzle in load() if puzzle.is_rescue)


async def allow(table: Table, *players: int) -> None:
    for player in (ANN, BOB, CID):
        await table.choices.switch(player, puzzles=player in players)


async def add(store: Store, clock: Clock, game: Game, *puzzles: Puzzle) -> int:
    row = game.row
    between = (row.white, row.black)
    return await store.queries(ServerPuzzleTable).add(
        row.guild, row.id, between, puzzles, at=clock()
    )


# Stored puzzles


@pytest.mark.both_databases
async def test_both_players_must_allow_it_at_that_moment(table: Table, clock: Clock) -> None:
    game = await table.ended()
    for allowing in ((), (ANN,), (BOB,), (ANN, CID)):
        await allow(table, *allowing)
        assert not await table.of(Puzzles).may_become_puzzles(game)
        assert await add(table.store, clock, game, FIRST) == 0
    await allow(table, ANN, BOB)
    assert await table.of(Puzzles).may_become_puzzles(game)
    assert await add(table.store, clock, game, FIRST, SECOND) == 2
    assert await add(table.store, clock, game, SECOND, THIRD) == 1


async def test_running_games_and_machine_games_yield_no_puzzles(table: Table) -> None:
    await allow(table, ANN, BOB)
    running = (await table.accept(await table.challenge())).game
    assert not await table.of(Puzzles).may_become_puzzles(running)
    against = await table.challenge(level=3, channel=ChannelId(501))
    row = (await table.accept(against, BOB)).game.row
    over = (await table.leaving.resign(row.id, row.revision, ANN, source=table.source())).game
    assert row.machine is not None
    assert not await table.of(Puzzles).may_become_puzzles(over)


async def test_a_withdrawn_permission_deletes_a_players_puzzles(
    table: Table, clock: Clock, engine: AsyncEngine
) -> None:
    game, others = await table.ended(), await other_game(table)
    await allow(table, ANN, BOB, CID)
    await add(table.store, clock, game, FIRST)
    await add(table.store, clock, others, SECOND)
    await table.choices.switch(BOB, automatic=True)
    assert len((await all_rows(engine))["server_puzzles"]) == 2
    await table.choices.switch(BOB, puzzles=False)
    assert await table.store.queries(ServerPuzzleTable).newest(GUILD, 9) == [SECOND]


async def other_game(table: Table) -> Game:
    """Return a game between Ann and Cid."""
    where = ChannelId(502)
    update = await table.accept(await table.challenge(CID, channel=where), CID)
    row = update.game.row
    return (await table.leaving.resign(row.id, row.revision, CID, source=table.source())).game


async def test_exports_and_deletions_of_users_and_servers_include_puzzles(
    table: Table, clock: Clock, engine: AsyncEngine
) -> None:
    store = table.store
    game, others = await table.ended(), await other_game(table)
    await allow(table, ANN, BOB, CID)
    await add(store, clock, game, FIRST)
    await add(store, clock, others, SECOND)
    of_first = {
        "guild_id": GUILD,
        "puzzle_id": FIRST.id,
        "game_id": game.row.id,
        "white_id": ANN,
        "black_id": BOB,
        "puzzle": FIRST.to_json(),
        "made_at": clock(),
    }
    assert (await store.queries(PrivacyTable).export(BOB))["server_puzzles"] == [of_first]
    for player, count in ((ANN, 2), (CID, 1)):
        assert len((await store.queries(PrivacyTable).export(player))["server_puzzles"]) == count
    await store.queries(PrivacyTable).erase(BOB, at=clock())
    assert await store.queries(ServerPuzzleTable).newest(GUILD, 9) == [SECOND]


# The choice of puzzles


@pytest.mark.both_databases
async def test_they_are_given_once_and_only_in_their_server(table: Table, clock: Clock) -> None:
    with pytest.raises(NoServerPuzzle):
        await table.of(Puzzles).pick_here(CID, GUILD)
    await allow(table, ANN, BOB)
    await add(table.store, clock, await table.ended(), FIRST)
    key = await table.of(Puzzles).pick_here(CID, GUILD)
    assert key == PuzzleKey(FIRST, here=True)
    assert await table.of(Puzzles).find(GUILD, key.text) == key
    for elsewhere in (ELSEWHERE, NO_GUILD):
        with pytest.raises(NoServerPuzzle):
            await table.of(Puzzles).pick_here(CID, elsewhere)
        with pytest.raises(NoSuchPly):
            await table.of(Puzzles).find(elsewhere, key.text)
    assert await table.of(Puzzles).find(NO_GUILD, SECOND.id) == PuzzleKey(SECOND)
    answered = await table.of(Puzzles).answer(CID, GUILD, key, (), wrong_move(FIRST))
    assert answered.scored is not None
    assert answered.scored.is_first
    buttons = puzzle_answered(IN_ENGLISH, answered).buttons
    assert all(key.text in button.custom_id for button in buttons if button.label != "My puzzles")
    with pytest.raises(NoPuzzleLeft):
        await table.of(Puzzles).pick_here(CID, GUILD)
    await allow(table)
    with pytest.raises(NoSuchPly):
        await table.of(Puzzles).find(GUILD, key.text)


async def test_puzzles_of_the_library_are_not_stored_again(table: Table) -> None:
    await allow(table, ANN, BOB)
    game, new = await table.ended(), replace(FIRST, id="00000000")
    assert await table.of(Puzzles).keep(game, [FIRST, new]) == 1
    assert await table.store.queries(ServerPuzzleTable).newest(GUILD, 9) == [new]


def wrong_move(puzzle: Puzzle) -> Move:
    return next(move for move in puzzle.position.legal_moves() if move != puzzle.solution[0])


async def test_of_games_that_are_lost_none_is_given(table: Table, clock: Clock) -> None:
    game = await table.ended()
    await allow(table, ANN, BOB)
    assert await add(table.store, clock, game, RESCUE) == 1
    with pytest.raises(NoPuzzleLeft):
        await table.of(Puzzles).pick_here(CID, GUILD)
    await add(table.store, clock, game, FIRST)
    assert (await table.of(Puzzles).pick_here(CID, GUILD)).puzzle.id == FIRST.id


async def test_all_of_a_server_that_has_removed_the_bot_goes(
    engine: AsyncEngine, clock: Clock
) -> None:
    """A puzzle is deleted even if its game was played where the bot is a guest. The daily puzzle
    stays.
    """
    await fill(engine)
    async with engine.begin() as connection:
        await connection.execute(games.update().values(visiting=True))
        daily = {"channel_id": 1, "minute": 0, "zone": "UTC", "due_at": clock()}
        await connection.execute(insert(daily_settings), daily | {"guild_id": ELSEWHERE})
    keeper = housekeeping(Table(Store(engine), clock), servers=timedelta(days=1))
    assert await World().sweep(keeper) == {}
    clock.advance(days=1)
    assert await World().sweep(keeper) == {DeletedKind.SERVERS: 2}
    rows = await all_rows(engine)
    assert rows[server_puzzles.name] == rows[daily_settings.name] == []
