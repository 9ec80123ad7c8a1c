"""What moderators choose: kept, and told in words."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot import messages
from bot.locales import IN_ENGLISH
from bot.model.ids import ChannelId, GuildId
from bot.model.terms import GuildRules, PlacementBoards
from bot.store import Store

GUILD, OTHER = GuildId(1 << 22), GuildId(2 << 22)
HALL, GARDEN = ChannelId(7_000_000_000_000_000_001), ChannelId(7_000_000_000_000_000_002)


async def test_a_server_that_has_chosen_nothing_has_the_defaults(store: Store) -> None:
    rules = await store.guilds.rules(GUILD)
    assert rules == GuildRules()
    assert (rules.channels, rules.games_per_person) == (frozenset(), 5)
    assert rules.placement_boards is PlacementBoards.NEW
    assert rules.allow(HALL)


async def test_each_choice_is_kept_for_its_server(store: Store) -> None:
    await store.guilds.set_games_per_person(GUILD, 2)
    await store.guilds.set_placement_boards(GUILD, PlacementBoards.EDIT)
    await store.guilds.set_games_per_person(GUILD, 25)
    await store.guilds.set_placement_boards(OTHER, PlacementBoards.EDIT)
    await store.guilds.allow_channel(OTHER, HALL)
    assert await store.guilds.rules(GUILD) == GuildRules(
        games_per_person=25, placement_boards=PlacementBoards.EDIT
    )
    assert await store.guilds.rules(OTHER) == GuildRules(
        channels=frozenset({HALL}), placement_boards=PlacementBoards.EDIT
    )


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
        *(store.guilds.set_games_per_person(GUILD, 3) for _ in range(3)),
        *(store.guilds.set_placement_boards(GUILD, PlacementBoards.EDIT) for _ in range(3)),
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
    assert messages.settings(IN_ENGLISH, GuildRules()).content.splitlines() == [
        "Each person may be playing 5 games at once.",
        "Each turn posts a new board.",
        "Games may be started in any channel.",
    ]
    chosen = GuildRules(
        channels=frozenset({GARDEN, HALL}),
        games_per_person=1,
        placement_boards=PlacementBoards.EDIT,
    )
    assert messages.settings(IN_ENGLISH, chosen).content.splitlines() == [
        "Each person may be playing 1 game at once.",
        "While pieces are placed, the last board is edited if nobody has written since.",
        "Games may be started only in these channels and their threads:",
        f"- <#{HALL}>",
        f"- <#{GARDEN}>",
    ]


def test_settings_of_any_length_fit_into_a_message() -> None:
    many = frozenset(ChannelId(HALL + number) for number in range(500))
    content = messages.settings(IN_ENGLISH, GuildRules(channels=many)).content
    assert len(content) <= 2_000
    assert content.startswith("Each person")
    assert content.endswith("more.")


def test_forbidding_the_last_channel_says_that_nothing_is_forbidden() -> None:
    words = messages.forbidden(IN_ENGLISH, GuildRules(), HALL).content
    assert words.startswith(f"To keep games out of <#{HALL}>, name the channels where")
    assert words.endswith("Games may be started in any channel.")
    rules = GuildRules(channels=frozenset({GARDEN}))
    assert messages.forbidden(IN_ENGLISH, rules, HALL) == messages.settings(IN_ENGLISH, rules)
