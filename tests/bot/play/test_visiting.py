"""Tests for games in places where the bot is not a member."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import NoReturn, cast

import pytest
from aiohttp import ClientError

from bot.base.ids import NO_GUILD, ChannelId, GameId, GuildId, Revision, UserId
from bot.base.languages import IN_ENGLISH, theme_of
from bot.connection.channel_requests import Channels
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD
from bot.database.leases import LEASE
from bot.play.delivery.publisher import Departures
from bot.play.model.clock import TimeControl
from bot.play.model.conduct import Venue, check_place
from bot.play.model.game import Game
from bot.play.model.preferences import Style
from bot.play.model.refused_starts import OnlyPrivately
from bot.play.model.terms import GuildRules, Place, Start
from bot.play.readers import Readers
from bot.play.store.store import Store
from bot.play.words.boards import board
from bot.play.words.challenges import challenge as challenge_post
from bot.play.words.notices import while_visiting
from tests.bot.conftest import Clock
from tests.bot.looked import THREE_DAYS
from tests.bot.play.test_absent_servers import places_of
from tests.bot.play.test_machine_games import MACHINE
from tests.bot.rows import statements
from tests.bot.table import ALL, ANN, BOB, CHANNEL, GUILD, MESSAGE, Table, raises

HERE = Venue(channel=CHANNEL, home=CHANNEL, has_threads=False, visiting=True)


async def begun(table: Table, clock: TimeControl | None = None) -> Game:
    challenge = await table.challenge(clock=clock, where=HERE)
    return (await table.accept(challenge, where=HERE)).game


async def test_a_game_remembers_that_the_bot_is_not_there(table: Table) -> None:
    game = await begun(table)
    assert game.row.visiting
    assert (await table.game_cache.running_in(CHANNEL)).row.visiting
    assert await table.store.games.running_channels(ALL) == []  # the text can't be read anywhere
    await table.resign(game)
    assert not (await table.begin()).row.visiting
    assert len(await table.store.games.running_channels(ALL)) == 1


async def test_challengers_have_started_a_game(table: Table) -> None:
    game = await begun(table)
    assert game.row.black == BOB
    assert await table.store.games.beginner(game.row) == ANN
    over = await table.resign(game, BOB)
    _, asked = await table.rematch(over.game, BOB)
    assert asked is None
    _, again = await table.rematch(over.game, ANN)
    assert again is not None
    assert await table.store.games.beginner(again.game.row) == BOB


async def test_nobody_starts_a_game_that_only_they_could_see(table: Table) -> None:
    muffled = replace(HERE, is_muffled=True)
    with pytest.raises(OnlyPrivately):
        check_place(GuildRules(), muffled, Place.HERE)
    await raises(OnlyPrivately, table.challenge(where=muffled))
    challenge = await table.challenge(where=HERE)
    await raises(OnlyPrivately, table.accept(challenge, where=muffled))


async def test_abandoned_reviews_are_resumed_once(store: Store, clock: Clock) -> None:
    table = Table(store, clock)
    update = await table.accept(await table.challenge(where=HERE), where=HERE)
    game, revision = update.deliveries[0].event_key

    async def pick_up() -> list[str]:
        found = await store.deliveries.revive(game, revision, now=clock())
        return [row.kind for row in found]

    assert await pick_up() == []  # the board is being sent
    await store.deliveries.drop(update.deliveries, at=clock())
    assert await store.deliveries.unsent(game) == []
    assert await pick_up() == [BOARD]
    assert await pick_up() == []
    (row,) = await store.deliveries.unsent(game)
    assert (row.tries, row.tried_at) == (1, clock())
    assert await store.deliveries.due([BOARD], ALL, clock()) == []  # leased to the caller
    assert await store.deliveries.due([BOARD], ALL, clock() + LEASE) == [row]
    await store.deliveries.mark_sent([row], MESSAGE, at=clock())
    assert await pick_up() == []


async def test_the_newest_game_of_a_channel_is_found_also_when_it_is_over(table: Table) -> None:
    since = table.clock()

    async def newest() -> GameId | None:
        found = await table.store.games.newest_in(CHANNEL, since=since)
        return None if found is None else found.id

    assert await newest() is None
    game = (await begun(table)).row.id
    assert await newest() == game
    await table.leaving.resign(game, Revision(0), BOB, source=table.source())
    assert await newest() == game
    since = table.clock() + timedelta(seconds=1)
    assert await newest() is None


async def test_players_are_informed_before_the_start(table: Table) -> None:
    about_typing, about_time = while_visiting(IN_ENGLISH, THREE_DAYS)
    for clock in (None, THREE_DAYS):
        challenge = await table.challenge(clock=clock, start=Start.PLACEMENT, where=HERE)
        row = await table.store.challenges.get(challenge)
        assert row is not None
        posted = challenge_post(IN_ENGLISH, row, visiting=True).content
        update = await table.accept(challenge, where=HERE)
        first = board(IN_ENGLISH, update).content
        for said in (posted, first):
            assert about_typing in said
            assert (about_time in said) is (clock is not None)
        assert first.endswith("Place a red piece: press *Place*.")
        assert about_typing not in challenge_post(IN_ENGLISH, row).content
        await table.resign(update.game)


class LookedEnoughError(Exception):
    """Raised to end a check that would run forever."""


class OtherPlace:
    """The channels of a place where the bot is not a member.

    All requests fail as if they were deleted.
    """

    own_id = UserId(1)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def sees(self, _guild: GuildId) -> bool:
        return False

    def guild_of(self, _channel: ChannelId) -> GuildId:
        return NO_GUILD

    def home(self, channel: ChannelId) -> ChannelId:
        return channel

    async def is_out(self, _guild: GuildId) -> bool:
        return True

    async def direct(self, _user: UserId) -> NoReturn:
        raise ClientError

    async def departed(self, _guild: GuildId, players: Collection[UserId]) -> Collection[UserId]:
        self.asked.append("members")
        return players

    async def is_gone(self, _channel: ChannelId) -> bool:
        self.asked.append("channel")
        return True


async def test_nobody_is_looked_up_in_places_without_the_bot(table: Table, clock: Clock) -> None:
    there = OtherPlace()
    departures = Departures(cast("Channels", there), table.leaving, now=clock)
    assert await departures.check(await begun(table)) is None
    assert there.asked == []
    assert await departures.check(await table.begin(channel=ChannelId(501))) is not None
    assert there.asked == ["members"]


class FullPlace(OtherPlace):
    """The channels of a group that nobody leaves, where the bot is a guest."""

    async def departed(self, _guild: GuildId, players: Collection[UserId]) -> Collection[UserId]:
        self.asked += map(str, players)
        return ()


async def test_presence_is_checked_once_an_hour(table: Table, clock: Clock) -> None:
    there = FullPlace()
    departures = Departures(cast("Channels", there), table.leaving, now=clock)
    game = await table.begin()
    asked = list[int]()
    for minutes in (0, 0, 59, 1, 0):
        clock.advance(minutes=minutes)
        assert await departures.check(game) is None
        asked.append(len(there.asked))
    assert asked == [1, 1, 1, 2, 2]
    assert await departures.check((await table.play(ANN, "a1")).game) is None
    assert there.asked == [str(ANN), str(ANN), str(BOB)]


async def test_a_channel_where_the_bot_is_not_counts_as_there(table: Table, clock: Clock) -> None:
    there = OtherPlace()
    game = (await begun(table)).row.id
    await places_of(table, cast("Channels", there), clock).check(game)
    assert there.asked == []
    assert (await table.game_cache.existing(game)).is_running


async def test_a_server_that_the_bot_has_left_holds_up_no_game_where_it_was_a_guest(
    table: Table, clock: Clock
) -> None:
    as_guest = (await begun(table)).row.id
    as_member = (await table.begin(channel=ChannelId(501))).row.id
    places = places_of(table, cast("Channels", OtherPlace()), clock)
    places.on_guild_left(GUILD)
    assert [await places.is_waiting(game) for game in (as_guest, as_member)] == [False, True]
    clock.advance(hours=2)

    async def one_look() -> None:
        raise LookedEnoughError

    with pytest.raises(LookedEnoughError):
        await places.run(one_look)
    games = [await table.store.games.get(game) for game in (as_guest, as_member)]
    assert [game is not None and game.is_running for game in games] == [True, False]


async def test_a_groups_game_against_the_machine_uses_no_personal_settings(
    table: Table, clock: Clock
) -> None:
    """Others read it, too, so only the language of the user who started it counts."""
    await table.choices.set_theme(ANN, "slate")
    await table.choices.set_language(ANN, "de")
    readers = Readers(table.store, cast("Channels", OtherPlace()))
    for where, theme in (
        (HERE, theme_of(None)),
        (replace(HERE, visiting=False), theme_of("slate")),
    ):
        challenge = await table.challenge(MACHINE, level=3, guild=NO_GUILD, where=where)
        game = (await table.accept(challenge, ANN, where=where)).game
        reader = await readers.for_game(game.row)
        assert (reader.locale, reader.theme) == ("de", theme)
        assert game.row.is_solo is not where.visiting, "its board is nobody's own"
        await table.resign(game)


async def test_a_servers_board_and_its_one_ping_are_read_by_one_statement(
    table: Table, engine: AsyncEngine
) -> None:
    channels = cast("Channels", OtherPlace())
    readers = Readers(table.store, channels)
    await table.choices.set_language(BOB, "de")
    await table.store.styles.choose_for_server(GUILD, Style(language="fr", theme="slate"))
    game = (await table.begin()).row
    asked = statements(engine)

    reader, known = await readers.for_game_and(game, [BOB])

    assert len(asked) == 1
    assert reader == await readers.for_game(game)
    assert (reader.locale, reader.theme) == ("fr", theme_of("slate"))
    assert known == {BOB: await table.store.players.get(BOB)}
    assert known[BOB].language == "de"
    assert await readers.for_game_and(game, [ANN, BOB]) == (reader, {})
