"""Tests for players' own settings: read, stored, shown."""

import asyncio
from datetime import UTC, datetime, time, timedelta

import pytest
from sqlalchemy import text

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.base.zones import Interval, UnknownZone
from bot.composition import FEATURE_SET
from bot.database.connection import AsyncEngine
from bot.people.handlers.own_settings import choose
from bot.people.model import MOST_BLOCKS, BadTime, SameTime
from bot.people.use_cases.choices import PersonalSettings, read_time
from bot.people.words.own_settings import looks as looks_post
from bot.people.words.own_settings import preferences
from bot.play.model.preferences import (
    MENTIONS,
    OwnSwitch,
    Preferences,
    QuietHours,
    RemindAhead,
    RemindBy,
)
from bot.play.store.store import Store
from bot.play.switches import OWN_SWITCHES, Switch
from dvonn import Coordinates
from renderer import THEMES
from tests.bot.conftest import Clock
from tests.bot.looked import ALL, look, start
from tests.bot.play.test_vacations import PLANNED, absence
from tests.bot.table import ANN, BOB, CID, Table


async def test_people_without_settings_have_the_defaults(table: Table) -> None:
    assert await table.store.players.get(ANN) == Preferences() == await table.store.players.get(BOB)


async def test_each_setting_is_stored_without_changing_others(
    table: Table, engine: AsyncEngine
) -> None:
    choices = table.choices
    await choices.switch(ANN, mentions=False)
    await choices.switch(ANN, automatic=True)
    await choices.set_language(ANN, "de")
    await choices.set_theme(ANN, "slate")
    await choices.set_coordinates(ANN, Coordinates.PERGIOCO)
    await choices.switch(ANN, side=True)
    await choices.switch(ANN, preview=True)
    await choices.set_times(ANN, "22:30", "7", "europe/rome")
    await choices.set_reminders(ANN, by=RemindBy.DM)
    chosen = await choices.set_reminders(ANN, at=frozenset({RemindAhead.HALF, RemindAhead.HOUR}))
    assert chosen == Preferences(
        zone="Europe/Rome",
        quiet=QuietHours(time(22, 30), time(7)),
        remind_by=RemindBy.DM,
        remind_at=frozenset({RemindAhead.HALF, RemindAhead.HOUR}),
        language="de",
        theme="slate",
        coordinates=Coordinates.PERGIOCO,
        switched={"mentions": False, "automatic": True, "side": True, "preview": True},
    )
    assert await table.store.players.get(ANN) == chosen
    assert await table.store.players.get(BOB) == Preferences()
    looks = ("de", "slate", "pergioco", True, True)
    async with engine.connect() as connection:
        kept = await connection.execute(text("SELECT * FROM players"))
        assert [tuple(row)[:15] for row in kept] == [
            (ANN, False, True, "Europe/Rome", 1350, 420, "dm", "half hour", None, None, *looks)
        ]


async def test_withdrawn_settings_return_to_their_defaults(
    table: Table, engine: AsyncEngine
) -> None:
    await table.choices.set_times(ANN, "0:00", "23:59", "Asia/Tokyo")
    await table.choices.set_times(ANN, "", "", "")
    for on in (False, True):
        await table.choices.switch(ANN, side=not on)
        await table.choices.switch(ANN, preview=not on)
    for language, theme, coordinates in (("it", "slate", Coordinates.STANDARD), (None, None, None)):
        await table.choices.set_language(ANN, language)
        await table.choices.set_theme(ANN, theme)
        await table.choices.set_coordinates(ANN, coordinates)
    await table.choices.set_reminders(ANN, by=RemindBy.NONE, at=frozenset({RemindAhead.HALF}))
    default = Preferences()
    await table.choices.set_reminders(ANN, by=default.remind_by, at=default.remind_at)
    assert await table.store.players.get(ANN) == default
    async with engine.connect() as connection:
        (row,) = await connection.execute(text("SELECT * FROM players"))
        assert set(tuple(row)[3:]) == {None}


@pytest.mark.both_databases
async def test_choices_made_at_once_are_all_kept(table: Table) -> None:
    await asyncio.gather(
        table.choices.switch(ANN, mentions=False),
        table.choices.switch(ANN, automatic=True),
        table.choices.set_times(ANN, "1", "2", "Asia/Tokyo"),
        table.choices.set_reminders(ANN, by=RemindBy.NONE),
    )
    assert await table.store.players.get(ANN) == Preferences(
        switched={"mentions": False, "automatic": True},
        zone="Asia/Tokyo",
        quiet=QuietHours(time(1), time(2)),
        remind_by=RemindBy.NONE,
    )


async def test_bad_input_is_refused_and_changes_nothing(table: Table) -> None:
    for begins, ends, zone, refusal in (
        ("", "", "Europe/Romulus", UnknownZone),
        ("22:00", "25:00", "", BadTime),
        ("late", "8:00", "", BadTime),
        ("8:00", "8 am", "", SameTime),
    ):
        with pytest.raises(refusal):
            await table.choices.set_times(ANN, begins, ends, zone)
    with pytest.raises(ValueError, match="no time for reminders"):
        await table.choices.set_reminders(ANN, at=frozenset())
    assert await table.store.players.get(ANN) == Preferences()


async def test_a_setting_causes_new_checks_of_games(table: Table) -> None:
    await start(table)
    for player, looked_at in ((BOB, True), (ANN, True), (CID, False)):
        table.clock.advance(hours=13)
        await look(table)
        assert await table.store.timers.due(ALL, table.clock()) == {}
        await table.choices.set_reminders(player, by=RemindBy.DM)
        assert (await table.store.timers.due(ALL, table.clock()) != {}) is looked_at


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("22:00", time(22)),
        (" 22:05 ", time(22, 5)),
        ("7", time(7)),
        ("07.30", time(7, 30)),
        ("7h30", time(7, 30)),
        ("22h", time(22)),
        ("10 pm", time(22)),
        ("10:30PM", time(22, 30)),
        ("10 p.m.", time(22)),
        ("1 am", time(1)),
        ("12 am", time(0)),
        ("12 pm", time(12)),
        ("0:00", time(0)),
        ("24:00", time(0)),
        ("22 Uhr", time(22)),
        ("22 Uhr 30", time(22, 30)),
        ("22:30 Uhr", time(22, 30)),
        ("ore 22", time(22)),
        ("alle 7.30", time(7, 30)),
        ("22u30", time(22, 30)),
        ("22 uur", time(22)),
    ],
)
def test_times_of_day_are_read_as_people_write_them(typed: str, read: time) -> None:
    assert read_time(typed) == read


@pytest.mark.parametrize(
    "typed", ["", "noon", "24:01", "25", "7:60", "7:5", "13 pm", "0 am", "-1", "22:00:00", "\u0667"]
)
def test_invalid_times_of_day_are_refused(typed: str) -> None:
    with pytest.raises(BadTime) as caught:
        read_time(typed)
    assert caught.value.text == typed


def test_quiet_hours_hold_from_their_beginning_until_before_their_end() -> None:
    quiet = QuietHours(time(22), time(7))
    begins = datetime(2026, 3, 1, 22, tzinfo=UTC)
    ends = datetime(2026, 3, 2, 7, tzinfo=UTC)
    night = Interval(begins=begins, ends=ends)
    assert quiet.interval_around(begins, "UTC") == night
    assert quiet.interval_around(ends - timedelta(microseconds=1), "UTC") == night
    assert quiet.interval_around(ends, "UTC") is None
    assert quiet.interval_around(begins - timedelta(microseconds=1), "UTC") is None


def test_the_defaults_in_words() -> None:
    post = preferences(IN_ENGLISH, Preferences(), OWN_SWITCHES, [])
    assert post.content.splitlines() == [
        "**Reminders**: in the game's channel, 1 day before, 1 hour before.",
        "**Quiet hours**: none. Your time zone: UTC.",
        "**Digest**: none. Choose its time with *Quiet hours*.",
        "**Blocked**: nobody.",
    ]
    on, by, at = post.selects
    chosen = [option.value for option in on.options if option.chosen]
    assert chosen == ["mentions", "auto_vacation"]
    assert (on.least, on.most) == (0, len(on.options))
    assert [option.value for option in by.options if option.chosen] == ["channel"]
    assert [option.value for option in at.options if option.chosen] == ["day hour"]


def test_the_maximum_of_blocked_people_fits_with_the_longest_choices() -> None:
    chosen = Preferences(
        switched={"mentions": False},
        zone="America/Argentina/ComodRivadavia",
        quiet=QuietHours(time(22), time(7, 30)),
        remind_by=RemindBy.DM,
        remind_at=frozenset(RemindAhead),
    )
    all_of_them = [UserId(2**62 + number) for number in range(MOST_BLOCKS)]
    content = preferences(IN_ENGLISH, chosen, FEATURE_SET.switches, all_of_them).content
    assert all(str(item) in content for item in all_of_them)
    assert len(content) < 2_000


def test_without_reminders_no_times_are_asked() -> None:
    post = preferences(IN_ENGLISH, Preferences(remind_by=RemindBy.NONE), FEATURE_SET.switches, [])
    assert "**Reminders**: none. Your time still runs." in post.content
    _, by = post.selects
    assert [option.chosen for option in by.options] == [False, False, True]


def test_a_vacation_can_be_ended_where_there_is_one() -> None:
    for vacations in ((), (PLANNED,)):
        away = absence(*vacations)
        post = preferences(IN_ENGLISH, Preferences(), FEATURE_SET.switches, [], away)
        assert ("End vacation" in [button.label for button in post.buttons]) is bool(vacations)
        assert "23 days left of 30 in 2026." in post.content


def test_language_and_boards_in_words() -> None:
    post = looks_post(IN_ENGLISH, Preferences(), FEATURE_SET.switches)
    assert post.content.splitlines() == [
        "**Language**: as in your Discord.",
        "**Theme of boards**: as in the channel.",
        "**Coordinates**: as in each game.",
    ]
    chosen = [
        [option.value for option in select.options if option.chosen] for select in post.selects
    ]
    assert chosen == [["usual"]] * 4
    assert [option.value for option in post.selects[1].options] == ["usual", *THEMES]
    assert post.picture is not None
    assert len(post.selects) == 4, "and a line of buttons: Discord shows five"
    gone = looks_post(IN_ENGLISH, Preferences(theme="no such theme"), FEATURE_SET.switches)
    assert "**Theme of boards**: as in the channel." in gone.content


async def test_switches_are_turned_together_and_leave_the_others(table: Table) -> None:
    await table.choices.switch(ANN, side=True)
    chosen = await table.choices.switch(ANN, mentions=False, automatic=True)
    assert chosen == Preferences(switched={"mentions": False, "automatic": True, "side": True})
    with pytest.raises(ValueError, match="no switches"):
        await table.choices.switch(ANN, mentions=True, zone=True)
    for value in ("side", "zone"):  # an option of another select, and an unknown one
        with pytest.raises(ValueError, match="not switches of this select"):
            await choose(table.choices, ANN, "on", [value])
    assert await table.store.players.get(ANN) == chosen


async def test_times_are_chosen_together_or_not_at_all(table: Table) -> None:
    chosen = await table.choices.set_times(ANN, "10 pm", "7", " europe/rome ")
    assert chosen == Preferences(zone="Europe/Rome", quiet=QuietHours(time(22), time(7)))
    for begins, ends, zone, refusal in (
        ("late", "7", "UTC", BadTime),
        ("7", "", "UTC", BadTime),
        ("7", "7:00", "UTC", SameTime),
        ("", "", "Europe/Romulus", UnknownZone),
    ):
        with pytest.raises(refusal):
            await table.choices.set_times(ANN, begins, ends, zone)
    assert await table.store.players.get(ANN) == chosen
    assert await table.choices.set_times(ANN, " ", "", "") == Preferences()


def test_every_choice_can_be_made_and_none_of_no_levels() -> None:
    _, ways, moments = preferences(IN_ENGLISH, Preferences(), FEATURE_SET.switches, []).selects
    times = [frozenset(map(RemindAhead, option.value.split())) for option in moments.options]
    assert len(set(times)) == len(times) == 2 ** len(RemindAhead) - 1
    assert frozenset() not in times
    assert {option.value for option in ways.options} == set(RemindBy)


async def test_a_new_switch_needs_no_column(store: Store, clock: Clock) -> None:
    """Its declaration alone stores, exports and deletes it with the others."""
    waves = OwnSwitch("waves", default=True)
    switch = Switch(of=waves, label=lambda _: "Waves", hint=lambda _: "They wave")
    choices = PersonalSettings(store, now=clock, switches=(*FEATURE_SET.switches, switch))
    await choices.switch(ANN, waves=False, mentions=False)
    kept = await store.players.get(ANN)
    assert (kept.is_on(waves), kept.is_on(MENTIONS)) == (False, False)
    await choices.switch(ANN, waves=True)
    assert (await store.players.get(ANN)).switched == {"mentions": False}
