"""What moderators choose: kept, and told in words."""

import asyncio
from datetime import UTC, datetime, time
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.ids import ChannelId, GuildId
from bot.base.locales import IN_ENGLISH
from bot.base.zones import DailyTime
from bot.composition import JOINED
from bot.connection.posts import Post
from bot.features.puzzles.model import DailySetting
from bot.features.tournaments.model.seasons import SeasonSetting
from bot.play.model.clock import TimeControl
from bot.play.model.refusals import BadClock
from bot.play.model.terms import Defaults, GuildRules, Place, PlacementBoards, Start
from bot.play.store.tables import Store
from bot.play.use_cases.preferences import Servers
from bot.play.words.settings import settings
from dvonn import Coordinates
from tests.bot.composition.place_lines import feature_lines
from tests.bot.table import Table

GUILD, OTHER = GuildId(1 << 22), GuildId(2 << 22)
HALL, GARDEN = ChannelId(7_000_000_000_000_000_001), ChannelId(7_000_000_000_000_000_002)

DEFAULTS = Defaults(
    start=Start.PIE,
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


async def test_each_choice_is_kept_for_its_server(store: Store) -> None:
    await store.guilds.choose(GUILD, games_per_person=2)
    await store.guilds.choose(GUILD, placement_boards=PlacementBoards.EDIT)
    await store.guilds.choose(GUILD, games_per_person=25)
    await store.guilds.choose(OTHER, placement_boards=PlacementBoards.EDIT)
    await store.guilds.allow_channel(OTHER, HALL)
    for on in (False, True):
        await store.guilds.choose(GUILD, reviews=on)
    await store.guilds.choose(OTHER, reviews=False)
    assert await store.guilds.rules(GUILD) == GuildRules(
        games_per_person=25, placement_boards=PlacementBoards.EDIT
    )
    assert await store.guilds.rules(OTHER) == GuildRules(
        channels=frozenset({HALL}), placement_boards=PlacementBoards.EDIT, reviews=False
    )


async def test_a_servers_defaults_are_kept(store: Store) -> None:
    await store.guilds.set_defaults(GUILD, DEFAULTS)
    await store.guilds.choose(GUILD, games_per_person=2)
    assert await store.guilds.rules(GUILD) == GuildRules(games_per_person=2, defaults=DEFAULTS)
    assert await store.guilds.rules(OTHER) == GuildRules()
    await store.guilds.set_defaults(GUILD, Defaults())
    assert (await store.guilds.rules(GUILD)).defaults == Defaults()


async def test_what_is_not_chosen_stays_as_it_is(store: Store) -> None:
    servers = Servers(store)
    assert (await servers.play_by_default(GUILD)).defaults == Defaults()
    await servers.play_by_default(GUILD, clock="1 day per move", place=Place.THREAD)
    rules = await servers.play_by_default(GUILD, start=Start.PIE, coordinates=Coordinates.PERGIOCO)
    assert rules.defaults == DEFAULTS
    with pytest.raises(BadClock):
        await servers.play_by_default(GUILD, start=Start.PLACEMENT, clock="fast")
    assert (await store.guilds.rules(GUILD)).defaults == DEFAULTS
    resting = (await servers.play_by_default(GUILD, weekends="UTC")).defaults.clock
    assert resting == TimeControl.from_text("1d+1d/1d~UTC")
    assert (await servers.play_by_default(GUILD, clock="none")).defaults.clock is None


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


@pytest.mark.parametrize("rules", [GuildRules(), GuildRules(reviews=False)])
async def test_features_tell_what_is_chosen_for_them(table: Table, rules: GuildRules) -> None:
    lines = [
        (line, setting.command.name)
        for setting in JOINED.place_settings
        if (line := await setting.line(table.does, IN_ENGLISH, GUILD, rules)) is not None
    ]
    assert lines == feature_lines(IN_ENGLISH, rules, None, None)


def test_subcommands_stand_by_their_ranks() -> None:
    names = "show style allow forbid anywhere limit boards reviews tournaments defaults puzzle"
    setup: Any = next(one for one in JOINED.commands if one.name == "setup")
    assert [one.name for one in setup.commands] == [*names.split(), "season", "abort"]


def told(
    rules: GuildRules, daily: DailySetting | None = None, season: SeasonSetting | None = None
) -> Post:
    """The list, with what is chosen for features as they tell it, in their order."""
    return settings(IN_ENGLISH, rules, feature_lines(IN_ENGLISH, rules, daily, season))


def test_the_settings_in_words() -> None:
    assert told(GuildRules()).content.splitlines() == [
        "Usual game: balanced board, no clock. (/setup defaults)",
        "Up to 5 games per person at once. (/setup limit)",
        "While pieces are placed, each new board replaces the one before. (/setup boards)",
        "No puzzle of the day here. (/setup puzzle)",
        "No seasons here. (/setup season)",
        "Moderators make tournaments. (/setup tournaments)",
        "Games are allowed in every channel. (/setup allow)",
    ]
    chosen = GuildRules(
        channels=frozenset({GARDEN, HALL}),
        games_per_person=1,
        placement_boards=PlacementBoards.EDIT,
        defaults=DEFAULTS,
        reviews=False,
        organisers=7,
    )
    daily = DailySetting(
        guild=GUILD,
        channel=HALL,
        time=DailyTime.of(time(9), "Europe/Rome"),
        due_at=datetime(2026, 3, 1, 8, tzinfo=UTC),
    )
    season = SeasonSetting(
        guild=GUILD, channel=HALL, zone="Europe/Rome", level=3, due_at=daily.due_at
    )
    assert told(chosen, daily, season).content.splitlines() == [
        (
            "Usual game: pie, 1 day per move, pergioco coordinates, in its own thread. "
            "(/setup defaults)"
        ),
        "Up to 1 game per person at once. (/setup limit)",
        "Placement boards are edited in place (no ping) while nobody else writes. (/setup boards)",
        "Games aren't reviewed. (/setup reviews)",
        (
            f"I post a puzzle of the day in <#{HALL}> at 09:00 (Europe/Rome). The next one: "
            "<t:1772352000:f>. (/setup puzzle)"
        ),
        (
            f"Seasons run by themselves in <#{HALL}>: a ladder each month (Europe/Rome), then a "
            "play-off. With an odd number in the play-off, I play too: level 3 (relaxed). "
            "(/setup season)"
        ),
        "Moderators and <@&7> make tournaments. (/setup tournaments)",
        "Games are allowed only in these channels and their threads:",
        f"- <#{HALL}>",
        f"- <#{GARDEN}>",
    ]


def test_settings_of_any_length_fit_into_a_message() -> None:
    many = frozenset(ChannelId(HALL + number) for number in range(500))
    content = settings(IN_ENGLISH, GuildRules(channels=many)).content
    assert len(content) <= 2_000
    assert content.startswith("Usual game")
    assert content.endswith("more.")


def test_forbidding_the_last_channel_says_that_nothing_is_forbidden() -> None:
    words = settings(IN_ENGLISH, GuildRules(), forbidden=HALL).content
    assert words.startswith(f"To block <#{HALL}>, list the channels where")
    assert words.endswith("Games are allowed in every channel. (/setup allow)")
    rules = GuildRules(channels=frozenset({GARDEN}))
    told = settings(IN_ENGLISH, rules, forbidden=HALL)
    assert told == settings(IN_ENGLISH, rules)
