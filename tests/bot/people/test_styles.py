"""Tests for languages and looks, for people, servers and channels together."""

import pytest

from bot.base.ids import NO_GUILD, ChannelId, GuildId
from bot.base.languages import theme_of
from bot.database.connection import AsyncEngine
from bot.people.store.privacy import PrivacyTable
from bot.play.model.preferences import Preferences, Style
from bot.play.model.terms import Defaults, Start
from dvonn import Coordinates
from renderer import THEMES, WOOD
from tests.bot.rows import all_rows, statements
from tests.bot.table import ANN, BOB, CHANNEL, GUILD, Table, venue

PERGIOCO, STANDARD = Coordinates.PERGIOCO, Coordinates.STANDARD
THREAD, ELSEWHERE = ChannelId(501), GuildId(77 << 22)


async def in_thread(table: Table) -> Style:
    return await table.styles.of_place(GUILD, THREAD, CHANNEL)


@pytest.mark.both_databases
async def test_a_thread_is_as_its_channel_and_that_as_its_server(table: Table) -> None:
    assert await in_thread(table) == await table.styles.of_server(GUILD) == Style()
    await table.styles.choose_for_server(GUILD, Style(language="it", theme="slate"))
    await table.servers.set_defaults(GUILD, coordinates=PERGIOCO)
    server = Style(language="it", theme="slate", coordinates=PERGIOCO)
    assert await in_thread(table) == await table.styles.of_server(GUILD) == server
    await table.styles.choose_for_channel(
        GUILD, CHANNEL, Style(language="de", coordinates=STANDARD)
    )
    assert await in_thread(table) == Style(language="de", theme="slate", coordinates=STANDARD)
    await table.styles.choose_for_channel(GUILD, THREAD, Style(theme="other"))
    assert await in_thread(table) == Style(language="de", theme="other", coordinates=STANDARD)
    assert await table.styles.of_place(GUILD, CHANNEL, CHANNEL) == Style(
        language="de", theme="slate", coordinates=STANDARD
    )
    assert await table.styles.of_place(ELSEWHERE, CHANNEL, CHANNEL) == Style()


@pytest.mark.both_databases
async def test_a_servers_choices_leave_each_other(table: Table) -> None:
    await table.styles.choose_for_server(GUILD, Style(language="it"))
    await table.servers.choose(GUILD, games_per_person=3)
    await table.servers.set_defaults(GUILD, start=Start.PLACEMENT, coordinates=PERGIOCO)
    await table.styles.choose_for_server(GUILD, Style(theme="slate"))
    rules = await table.store.guilds.rules(GUILD)
    assert rules.games_per_person == 3
    assert rules.defaults == Defaults(start=Start.PLACEMENT, coordinates=PERGIOCO)
    assert await table.styles.of_server(GUILD) == Style(theme="slate", coordinates=PERGIOCO)


@pytest.mark.both_databases
async def test_a_reader_takes_one_small_query(table: Table, engine: AsyncEngine) -> None:
    await table.choices.set_language(ANN, "de")
    await table.choices.set_coordinates(ANN, PERGIOCO)
    await table.choices.switch(ANN, side=True)
    await table.styles.choose_for_channel(GUILD, CHANNEL, Style(theme="slate"))
    asked = statements(engine)
    found = await table.styles.of_person(ANN, GUILD, CHANNEL, CHANNEL)
    assert len(asked) == 1
    assert found == (
        Preferences(language="de", coordinates=PERGIOCO, switched={"side": True}),
        Style(theme="slate"),
    )
    assert await table.styles.of_person(BOB, NO_GUILD, CHANNEL, CHANNEL) == (Preferences(), Style())


@pytest.mark.both_databases
async def test_caches_of_channels_and_people(table: Table, engine: AsyncEngine) -> None:
    style = Style(language="it", theme="slate", coordinates=PERGIOCO)
    await table.styles.choose_for_channel(GUILD, CHANNEL, style)
    await table.choices.set_language(ANN, "it")
    await table.choices.set_theme(ANN, "slate")
    await table.choices.set_coordinates(ANN, PERGIOCO)
    await table.choices.switch(ANN, side=True)
    await table.choices.switch(ANN, preview=True)
    await table.choices.switch(BOB, preview=True)
    assert (await all_rows(engine))["channel_settings"] == [
        (GUILD, CHANNEL, "it", "slate", "pergioco")
    ]
    (kept,) = (await table.store.queries(PrivacyTable).export(ANN))["players"]
    assert {name: value for name, value in kept.items() if value is not None} == {
        "player_id": ANN,
        "mentions": True,
        "automatic": False,
        "language": "it",
        "theme": "slate",
        "coordinates": "pergioco",
        "side": True,
        "preview": True,
    }
    await table.store.queries(PrivacyTable).erase(ANN, at=table.clock())
    assert (await table.store.queries(PrivacyTable).export(ANN))["players"] == []
    assert await table.store.players.get(ANN) == Preferences()
    assert await table.store.players.get(BOB) == Preferences(switched={"preview": True})


async def test_a_channel_without_settings_has_no_row(table: Table, engine: AsyncEngine) -> None:
    await table.styles.choose_for_channel(GUILD, CHANNEL, Style(language="it"))
    await table.styles.choose_for_channel(GUILD, CHANNEL, Style())
    assert await table.styles.of_channel(GUILD, CHANNEL) == Style()
    assert (await all_rows(engine))["channel_settings"] == []


async def test_a_channels_games_have_its_coordinates(table: Table) -> None:
    await table.styles.choose_for_channel(GUILD, CHANNEL, Style(coordinates=PERGIOCO))
    assert (await table.lobby.defaults_for(GUILD, venue())).coordinates is PERGIOCO
    assert (await table.lobby.defaults_for(GUILD, venue(THREAD))).coordinates is STANDARD


def test_a_removed_theme_becomes_the_default() -> None:
    assert next(iter(THEMES.items())) == ("wood", WOOD)
    assert theme_of(None) is theme_of("no such theme") is WOOD
    assert all(theme_of(name) is theme for name, theme in THEMES.items())
