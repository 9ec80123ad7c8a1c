"""Tests for the game cache: the games it keeps, and that they equal replayed ones."""

import pytest

from bot.base.ids import ChannelId, GameId, Revision
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, Table

HALL, GARDEN, POND = ChannelId(501), ChannelId(502), ChannelId(503)


async def begin(table: Table, channel: ChannelId) -> GameId:
    return (await table.begin(channel=channel)).row.id


async def test_the_least_recently_used_entry_is_dropped(table: Table, store: Store) -> None:
    game_cache = GameCache(store, size=2)
    numbers = [await begin(table, channel) for channel in (HALL, GARDEN, POND)]
    for channel in (HALL, GARDEN, HALL):
        await game_cache.running_in(channel)
    kept = [game_cache.by_id(number) is not None for number in numbers]
    assert kept == [True, True, False]
    await game_cache.running_in(POND)
    kept = [game_cache.by_id(number) is not None for number in numbers]
    assert kept == [True, False, True]
    assert game_cache.in_channel(GARDEN) is None


async def test_an_ended_game_leaves_the_cache(table: Table, store: Store) -> None:
    game_cache = GameCache(store)
    number = await begin(table, CHANNEL)
    game_cache.put(await table.game_cache.running_in(CHANNEL))
    update = await table.leaving.resign(number, Revision(0), ANN, source=table.source())
    game_cache.put(update.game)
    assert game_cache.by_id(number) is None
    assert game_cache.in_channel(CHANNEL) is None
    game_cache.put(update.game)


async def test_of_two_games_of_a_channel_either_may_go_first(table: Table, store: Store) -> None:
    game_cache = GameCache(store)
    games = []
    for _ in range(2):
        number = await begin(table, CHANNEL)
        games.append(await table.game_cache.running_in(CHANNEL))
        game_cache.put(games[-1])
        await table.leaving.resign(number, Revision(0), ANN, source=table.source())
    first, second = games
    game_cache.put(await table.game_cache.existing(first.row.id))
    assert game_cache.by_id(first.row.id) is None
    assert game_cache.in_channel(CHANNEL) is second
    game_cache.put(await table.game_cache.existing(second.row.id))
    assert game_cache.by_id(second.row.id) is None
    assert game_cache.in_channel(CHANNEL) is None


async def test_another_processes_moves_are_added_to_the_cache(
    table: Table, store: Store, clock: Clock
) -> None:
    other = Table(store, clock)
    other.last_source = 5_000
    await begin(table, CHANNEL)
    await table.play(ANN, "a1")
    await other.play(BOB, "b1")
    game = await table.game_cache.running_in(CHANNEL)
    assert [str(ply.move) for ply in game.line] == ["a1", "b1"]
    assert game == await other.game_cache.running_in(CHANNEL)


async def test_a_moment_is_the_same_when_it_is_read_again(
    table: Table, store: Store, clock: Clock
) -> None:
    clock.time = clock.time.replace(microsecond=123_456)
    await begin(table, CHANNEL)
    update = await table.play(ANN, "a1")
    assert update.events[0].event.at.microsecond == 123_000
    assert update.game == await Table(store, clock).game_cache.running_in(CHANNEL)


async def test_an_ended_game_was_running_before(table: Table) -> None:
    number = await begin(table, CHANNEL)
    await table.play(ANN, "a1")
    await table.leaving.resign(number, Revision(1), ANN, source=table.source())
    game, is_newest = await table.games.at_revision(number, Revision(1))
    assert game.is_running
    assert not is_newest


async def test_a_cached_game_is_read_without_its_events(
    table: Table, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_cache = GameCache(store)
    await begin(table, CHANNEL)
    game = await game_cache.running_in(CHANNEL)

    async def refuse(*_: object, **_about: object) -> None:
        raise AssertionError

    monkeypatch.setattr(store.games, "events", refuse)
    assert await game_cache.running_in(CHANNEL) is game
