"""Tests for moderators' settings: stored and shown."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot.base.ids import ChannelId, GuildId
from bot.base.languages import IN_ENGLISH
from bot.database.connection import AsyncEngine
from bot.people.use_cases.servers import ServerSettings
from bot.people.words.setup import settings
from bot.play.model.clock import TimeControl
from bot.play.model.refusals import BadClock
from bot.play.model.terms import Defaults, GuildChoice, GuildRules, Place, PlacementBoards, Start
from bot.play.store.store import Store
from dvonn import Coordinates

CHOICE = GuildChoice("reviews", default=True)
GUILD, OTHER = GuildId(1 << 22), GuildId(2 << 22)
HALL, GARDEN = ChannelId(7_000_000_000_000_000_001), ChannelId(7_000_000_000_000_000_002)

DEFAULTS = Defaults(
    start=Start.PLACEMENT,
    clock=TimeControl.from_text("1d+1d/1d"),
    coordinates=Coordinates.PERGIOCO,
    place=Place.THREAD,
)


async def test_a_server_that_has_chosen_nothing_has_the_defaults(store: Store) -> None:
    rules = await store.guilds.rules(GUILD)
    assert rules == GuildRules()
    assert (rules.channels, rules.games_per_person) == (frozenset(), 5)
    assert rules.placement_boards is PlacementBoards.NEW
    assert rules.allow(HALL)


async def test_each_setting_is_stored_for_its_server(store: Store) -> None:
    await store.guilds.choose(GUILD, games_per_person=2)
    await store.guilds.choose(GUILD, placement_boards=PlacementBoards.EDIT)
    await store.guilds.choose(GUILD, games_per_person=25)
    await store.guilds.choose(OTHER, placement_boards=PlacementBoards.EDIT)
    await store.guilds.allow_channel(OTHER, HALL)
    for on in (False, True):
        await store.guilds.choose_for(GUILD, CHOICE, on)
    await store.guilds.choose_for(OTHER, CHOICE, False)
    rules = await store.guilds.rules(GUILD)
    assert rules == GuildRules(
        games_per_person=25, placement_boards=PlacementBoards.EDIT, chosen={"reviews": True}
    )
    assert rules.choice(CHOICE)
    assert GuildRules().choice(CHOICE)
    assert await store.guilds.rules(OTHER) == GuildRules(
        channels=frozenset({HALL}), placement_boards=PlacementBoards.EDIT, chosen={"reviews": False}
    )


async def test_a_servers_defaults_are_kept(store: Store) -> None:
    await store.guilds.set_defaults(GUILD, DEFAULTS)
    await store.guilds.choose(GUILD, games_per_person=2)
    assert await store.guilds.rules(GUILD) == GuildRules(games_per_person=2, defaults=DEFAULTS)
    assert await store.guilds.rules(OTHER) == GuildRules()
    await store.guilds.set_defaults(GUILD, Defaults())
    assert (await store.guilds.rules(GUILD)).defaults == Defaults()


async def test_unselected_settings_are_unchanged(store: Store) -> None:
    servers = ServerSettings(store)
    assert (await servers.set_defaults(GUILD)).defaults == Defaults()
    await servers.set_defaults(GUILD, clock="1 day per move", place=Place.THREAD)
    rules = await servers.set_defaults(
        GUILD, start=Start.PLACEMENT, coordinates=Coordinates.PERGIOCO
    )
    assert rules.defaults == DEFAULTS
    with pytest.raises(BadClock):
        await servers.set_defaults(GUILD, start=Start.BALANCED, clock="fast")
    assert (await store.guilds.rules(GUILD)).defaults == DEFAULTS
    resting = (await servers.set_defaults(GUILD, weekends="UTC")).defaults.clock
    assert resting == TimeControl.from_text("1d+1d/1d~UTC")
    assert (await servers.set_defaults(GUILD, clock="none")).defaults.clock is None


async def test_channels_are_named_and_taken_off(store: Store) -> None:
    for where in (HALL, GARDEN, HALL):
        await store.guilds.allow_channel(GUILD, where)
    await store.guilds.allow_channel(OTHER, HALL)
    rules = await store.guilds.rules(GUILD)
    assert rules.channels == {HALL, GARDEN}
    assert rules.allow(GARDEN)
    assert not rules.allow(ChannelId(1))
    await store.guilds.forbid_channel(GUILD, HALL)
    assert (await store.guilds.rules(GUILD)).channels == {GARDEN}
    await store.guilds.allow_channel(GUILD, HALL)
    await store.guilds.allow_every_channel(GUILD)
    assert (await store.guilds.rules(GUILD)).channels == frozenset()
    assert (await store.guilds.rules(OTHER)).channels == {HALL}


async def test_moderators_may_choose_at_once(store: Store) -> None:
    await asyncio.gather(
        *(store.guilds.choose(GUILD, games_per_person=3) for _ in range(3)),
        *(store.guilds.choose(GUILD, placement_boards=PlacementBoards.EDIT) for _ in range(3)),
        *(store.guilds.allow_channel(GUILD, HALL) for _ in range(3)),
    )
    assert await store.guilds.rules(GUILD) == GuildRules(
        channels=frozenset({HALL}), games_per_person=3, placement_boards=PlacementBoards.EDIT
    )


@pytest.mark.parametrize("values", ["0, NULL", "26, NULL", "NULL, 'old'"], ids=str)
async def test_the_database_holds_no_other_choices(engine: AsyncEngine, values: str) -> None:
    columns = "guild_id, games_per_person, placement_boards"
    row = f"INSERT INTO guild_settings ({columns}) VALUES (1, {values})"  # noqa: S608 - the values above
    with pytest.raises(IntegrityError):
        async with engine.begin() as connection:
            await connection.execute(text(row))


def test_the_settings_in_words() -> None:
    of_features = [("Of a feature.", "puzzle"), ("Of another.", "tournaments")]
    assert settings(IN_ENGLISH, GuildRules(), of_features).content.splitlines() == [
        "- **/setup defaults**: Usual game: even board, no clock, rated.",
        "- **/setup limit**: Up to 5 games per person at once.",
        "- **/setup boards**: While pieces are placed, each new board replaces the one before.",
        "- **/setup puzzle**: Of a feature.",
        "- **/setup tournaments**: Of another.",
        "- **/setup allow**: Games are allowed in every channel.",
    ]
    chosen = GuildRules(
        channels=frozenset({GARDEN, HALL}),
        games_per_person=1,
        placement_boards=PlacementBoards.EDIT,
        defaults=DEFAULTS,
    )
    assert settings(IN_ENGLISH, chosen, []).content.splitlines() == [
        (
            "- **/setup defaults**: Usual game: empty board, 1 day per move, pergioco coordinates, "
            "in its own thread, rated."
        ),
        "- **/setup limit**: Up to 1 game per person at once.",
        ("- **/setup boards**: During placement I keep editing one board, so nobody is pinged."),
        "- **/setup allow**: Games are allowed only in these channels and their threads:",
        f"  - <#{HALL}>",
        f"  - <#{GARDEN}>",
    ]


def test_settings_of_any_length_fit_into_a_message() -> None:
    many = frozenset(ChannelId(HALL + number) for number in range(500))
    content = settings(IN_ENGLISH, GuildRules(channels=many)).content
    assert len(content) <= 2_000
    assert content.startswith("- **/setup defaults**: Usual game")
    assert content.endswith("more.")


def test_forbidding_the_last_channel_says_that_nothing_is_forbidden() -> None:
    words = settings(IN_ENGLISH, GuildRules(), forbidden=HALL).content
    assert words.startswith(f"To keep games out of <#{HALL}>, list the channels")
    assert words.endswith("- **/setup allow**: Games are allowed in every channel.")
    rules = GuildRules(channels=frozenset({GARDEN}))
    told = settings(IN_ENGLISH, rules, forbidden=HALL)
    assert told == settings(IN_ENGLISH, rules)
