"""Seasons that run by themselves: months go by, processes die, and nobody lends a hand."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.ids import NO_GUILD, ChannelId, GuildId, TournamentId, UserId
from bot.base.zones import UnknownZone
from bot.features.tournaments.model.seasons import (
    BadgeKind,
    EarnedBadge,
    Month,
    SeasonSetting,
    champion,
    earned,
)
from bot.features.tournaments.model.standings import standings
from bot.features.tournaments.model.tournament import (
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from bot.features.tournaments.store.seasons import BadgeTable, SeasonTable
from bot.features.tournaments.use_cases.news import NEWS
from bot.features.tournaments.use_cases.seasons import Seasons
from bot.features.tournaments.use_cases.tournaments import Tournaments
from bot.play.model.clock import TimeControl
from bot.play.model.terms import Start
from bot.play.store.store import Store
from tests.bot.conftest import Clock
from tests.bot.features.tournaments.directed import DAY, LIVE, MACHINE, PEOPLE, Event, game_of
from tests.bot.features.tournaments.test_directors import Died, Reaper
from tests.bot.features.tournaments.tournament_events import a_tournament
from tests.bot.features.tournaments.tournament_texts import played
from tests.bot.table import ALL, CHANNEL, GUILD, Table, long_enough

ROME = "Europe/Rome"
YEAR = [Month(2026 + (number > 12), (number - 1) % 12 + 1) for number in range(3, 15)]


def name(month: Month, format_: TournamentFormat) -> str:
    return f"{format_} {month.number}"


async def tick(table: Table) -> int:
    """As a shard's ticks: servers first, then tournaments; how many servers went on."""
    begun = 0
    for seen in await table.of(Seasons).due(ALL):
        begun += await table.of(Seasons).look(seen, name=name, machine=MACHINE)
    await Event(table, TournamentId(0)).tick()
    return begun


async def to_the_minute(table: Table, moment: datetime) -> None:
    """Let time pass, and the ticks after it: the director ends a ladder, the next one begins."""
    table.clock.time = max(moment, table.clock())
    for _ in range(3):
        await tick(table)
        table.clock.advance(seconds=10)


async def of_season(table: Table, month: Month, format_: TournamentFormat) -> Tournament | None:
    found = await table.of(Tournaments).latest(GUILD, most=100)
    mine = [one for one in found if (one.season, one.terms.format) == (month.number, format_)]
    assert len(mine) <= 1, "a month has one of each"
    return mine[0] if mine else None


async def ladder_of(table: Table, month: Month) -> Tournament:
    found = await of_season(table, month, TournamentFormat.LADDER)
    assert found is not None
    return found


async def playoff_of(table: Table, month: Month) -> Tournament:
    found = await of_season(table, month, TournamentFormat.KNOCKOUT)
    assert found is not None
    return found


async def join(table: Table, month: Month, players: Sequence[UserId]) -> None:
    for player in players:
        ladder = await ladder_of(table, month)
        await table.of(Tournaments).join(ladder.id, player, source=table.source())


async def beat(table: Table, winner: UserId, loser: UserId) -> None:
    challenge = await table.challenge(loser, challenger=winner, start=Start.BALANCED, rated=True)
    game = await long_enough(table, (await table.accept(challenge, loser)).game)
    row = game.row
    await table.leaving.resign(row.id, row.revision, loser, source=table.source())


async def begun(table: Table, level: int | None = None, zone: str = ROME) -> None:
    await table.of(Seasons).choose(GUILD, CHANNEL, zone, level, here=CHANNEL)
    await tick(table)


async def a_month(table: Table, count: int = 2, *, level: int | None = None) -> None:
    """Seasons begin, and the first of some people beats all others of them in the first month."""
    await begun(table, level)
    await join(table, YEAR[0], PEOPLE[:count])
    for loser in PEOPLE[1:count]:
        await beat(table, PEOPLE[0], loser)


async def told(table: Table) -> Counter[str]:
    rows = [row for row in await table.store.deliveries.all_unsent() if row.kind == NEWS]
    return Counter(row.key for row in rows)


# Twelve months


@pytest.mark.parametrize(
    "players",
    [2, pytest.param(4, marks=pytest.mark.thorough("the same road, with more games on it"))],
)
@pytest.mark.both_databases(thorough="months begin at once in the tests below")
async def test_a_year_of_seasons_without_a_hand(
    database_url: str, table: Table, players: int
) -> None:
    """Before each step all objects are thrown away; two processes look at the same time."""
    first, clock, processes = table, table.clock, 0
    people = PEOPLE[:players]

    def process() -> Table:
        nonlocal processes
        processes += 1
        table = Table(first.store, clock)
        table.last_source = 1_000_000 * processes
        return table

    def best(number: int) -> list[UserId]:
        return sorted(people, key=lambda one: (one != people[number % players], one))

    await process().of(Seasons).choose(GUILD, CHANNEL, ROME, None, here=CHANNEL)
    for number, month in enumerate(YEAR):
        await asyncio.gather(tick(process()), tick(process()))
        if number == 0:
            await join(process(), month, people)
        winner, *others = best(number)
        for loser in others:
            await beat(process(), winner, loser)
        end = month.next.begins(ROME)
        clock.time = end - timedelta(seconds=1)
        assert await tick(process()) == 0
        clock.time = end
        for _ in range(3):
            await asyncio.gather(tick(process()), tick(process()))
            clock.advance(seconds=10)
        playoff = await playoff_of(process(), month)
        assert len(playoff.entrants) == players
        await Event(process(), playoff.id).to_the_end(best(number))

    now, *past = await table.of(Tournaments).latest(GUILD, most=100)
    if now.terms.format is TournamentFormat.KNOCKOUT:  # made together
        past[0], now = now, past[0]
    assert (now.state, now.season) == (TournamentState.RUNNING, YEAR[-1].next.number)
    assert {one.state for one in past} == {TournamentState.DONE}
    assert Counter((one.season, one.terms.format) for one in past) == Counter(
        (month.number, format_)
        for month in YEAR
        for format_ in (TournamentFormat.LADDER, TournamentFormat.KNOCKOUT)
    )
    champions = {one.season: champion(one) for one in past if champion(one)}
    assert champions == {
        month.number: people[number % players] for number, month in enumerate(YEAR)
    }
    news = await told(table)
    assert set(news.values()) == {1}
    whats = Counter(one.split("-")[1] for one in news)
    assert (whats["created"], whats["ended"]) == (25, 24)


async def test_killed_at_each_transaction_a_month_ends_and_the_next_begins(
    engine: AsyncEngine, clock: Clock
) -> None:
    table = Table(Store(engine), clock)
    await a_month(table)
    clock.time = YEAR[0].next.begins(ROME)
    reaper = Reaper(engine)
    for number in range(1, 40):
        reaper.lives = number % 3  # every third one dies before it has written anything
        process = Table(Store(engine), clock)
        with suppress(Died):
            await tick(process)
        clock.advance(seconds=10)
    reaper.lives = 1_000
    assert reaper.killed >= 5
    table = Table(Store(engine), clock)
    await tick(table)
    assert (await ladder_of(table, YEAR[0])).state is TournamentState.DONE
    assert (await ladder_of(table, YEAR[1])).state is TournamentState.RUNNING
    playoff = await playoff_of(table, YEAR[0])
    assert len(playoff.pairings) == 1
    assert set((await told(table)).values()) == {1}


async def test_four_processes_that_look_at_once_begin_a_month_once(
    engine: AsyncEngine, clock: Clock
) -> None:
    tables = [Table(Store(engine), clock) for _ in range(4)]
    await a_month(tables[0])
    clock.time = YEAR[0].next.begins(ROME)
    began = 0
    for _ in range(3):
        began += sum(await asyncio.gather(*map(tick, tables)))
        clock.advance(seconds=10)
    assert began == 1
    assert len(await tables[0].of(Tournaments).latest(GUILD)) == 3
    assert set((await told(tables[0])).values()) == {1}


async def test_who_has_seen_an_older_choice_begins_nothing(store: Store, clock: Clock) -> None:
    table = Table(store, clock)
    await table.of(Seasons).choose(GUILD, CHANNEL, ROME, None, here=CHANNEL)
    (seen,) = await table.of(Seasons).due(ALL)
    assert await table.of(Seasons).look(seen, name=name)
    assert not await table.of(Seasons).look(seen, name=name)
    assert len(await table.of(Tournaments).find(GUILD)) == 1


async def test_the_database_lets_a_month_have_one_ladder(store: Store, clock: Clock) -> None:
    """Whatever a process has seen, or thinks that it has."""
    table = Table(store, clock)
    await begun(table)
    setting = await table.store.of(SeasonTable).setting(GUILD)
    assert setting is not None
    again = replace(await ladder_of(table, YEAR[0]), entrants=())
    done = await store.of(SeasonTable).go_on(
        setting, [again], lambda _: pytest.fail("told"), next_at=clock(), at=clock()
    )
    assert not done
    assert await table.store.of(SeasonTable).setting(GUILD) == setting, "it is looked at anew"


# Months


def test_a_month_is_known_by_a_number() -> None:
    month = Month(2026, 12)
    assert (month.number, month.next) == (202612, Month(2027, 1))
    assert Month.from_number(202612) == month
    assert [str(one.first)[:7] for one in YEAR[-3:]] == ["2026-12", "2027-01", "2027-02"]


@pytest.mark.parametrize(
    ("zone", "begins"),
    [
        ("UTC", datetime(2026, 4, 1, tzinfo=UTC)),
        ("Europe/Rome", datetime(2026, 3, 31, 22, tzinfo=UTC)),  # since March 29th in summer time
        ("Asia/Kolkata", datetime(2026, 3, 31, 18, 30, tzinfo=UTC)),
        ("America/Los_Angeles", datetime(2026, 4, 1, 7, tzinfo=UTC)),
    ],
)
async def test_a_month_begins_at_the_midnight_of_the_servers_zone(
    table: Table, zone: str, begins: datetime
) -> None:
    """It has begun in winter time, and ends in summer time."""
    await begun(table, zone=zone)
    ladder = await ladder_of(table, Month(2026, 3))
    assert ladder.began_at is not None
    assert ladder.terms.lasts is not None
    assert ladder.began_at + ladder.terms.lasts == begins
    await to_the_minute(table, begins - timedelta(minutes=1))
    assert await of_season(table, Month(2026, 4), TournamentFormat.LADDER) is None
    await to_the_minute(table, begins)
    assert (await ladder_of(table, Month(2026, 4))).state is TournamentState.RUNNING


def test_where_midnight_is_skipped_a_month_begins_when_clocks_change() -> None:
    """Paraguay put its clocks forward at the first midnight of October 2023."""
    assert Month(2023, 10).begins("America/Asuncion") == datetime(2023, 10, 1, 4, tzinfo=UTC)


async def test_with_hardly_anything_left_of_a_month_it_waits_for_the_next(
    table: Table, clock: Clock
) -> None:
    clock.time = datetime(2026, 3, 31, 12, tzinfo=UTC)
    await begun(table)
    assert await table.of(Tournaments).find(GUILD) == []
    await to_the_minute(table, Month(2026, 4).begins(ROME))
    assert (await ladder_of(table, Month(2026, 4))).season == 202604


async def test_the_bot_was_away_over_the_end_of_a_month(table: Table, clock: Clock) -> None:
    await a_month(table)
    await to_the_minute(table, YEAR[2].begins(ROME) + timedelta(days=3))
    assert await of_season(table, YEAR[0], TournamentFormat.KNOCKOUT) is not None
    assert await of_season(table, YEAR[1], TournamentFormat.LADDER) is None
    assert (await ladder_of(table, YEAR[2])).state is TournamentState.RUNNING


async def test_where_months_begin_later_all_at_once_the_play_off_is_made_once(table: Table) -> None:
    """The ladder is over, and the next month is still to come."""
    later, far = Month(2026, 4).begins("Pacific/Honolulu"), "Pacific/Honolulu"
    await a_month(table)
    table.clock.time = Month(2026, 4).begins(ROME)
    for _ in range(2):
        await table.of(Seasons).choose(GUILD, None, far, None, here=CHANNEL)
        await to_the_minute(table, table.clock())
    assert await of_season(table, YEAR[0], TournamentFormat.KNOCKOUT) is not None
    assert await of_season(table, YEAR[1], TournamentFormat.LADDER) is None
    setting = await table.store.of(SeasonTable).setting(GUILD)
    assert setting is not None
    assert setting.due_at == later, "nothing is tried again and again"
    await to_the_minute(table, later)
    assert (await ladder_of(table, YEAR[1])).state is TournamentState.RUNNING


# Who is in it


async def test_a_server_with_nobody_has_an_empty_ladder_and_no_play_off(table: Table) -> None:
    await begun(table)
    await to_the_minute(table, YEAR[1].begins(ROME))
    assert (await ladder_of(table, YEAR[0])).state is TournamentState.DONE
    assert await of_season(table, YEAR[0], TournamentFormat.KNOCKOUT) is None
    assert (await ladder_of(table, YEAR[1])).entrants == ()


async def test_one_person_alone_plays_no_play_off(table: Table) -> None:
    await begun(table)
    await join(table, YEAR[0], PEOPLE[:1])
    await to_the_minute(table, YEAR[1].begins(ROME))
    assert await of_season(table, YEAR[0], TournamentFormat.KNOCKOUT) is None
    assert (await ladder_of(table, YEAR[1])).entrants == (), "who has not played joins again"


async def test_of_nine_people_eight_qualify_in_the_order_of_the_ladder(table: Table) -> None:
    await begun(table)
    await join(table, YEAR[0], PEOPLE[:9])
    for winner, loser in zip(PEOPLE[8:0:-1], PEOPLE[7::-1], strict=True):
        await beat(table, winner, loser)
    ladder = await ladder_of(table, YEAR[0])
    await table.of(Tournaments).withdraw(ladder.id, PEOPLE[8])
    await table.of(Tournaments).join(ladder.id, PEOPLE[8], source=table.source())
    await table.of(Tournaments).withdraw(ladder.id, PEOPLE[0])
    await to_the_minute(table, YEAR[1].begins(ROME))
    playoff = await playoff_of(table, YEAR[0])
    seeded = [one.player for one in sorted(playoff.entrants, key=lambda one: one.seed)]
    assert len(seeded) == 8
    assert PEOPLE[0] not in seeded
    assert seeded == [one.player for one in (await ladder_of(table, YEAR[1])).entrants]
    assert {frozenset(one.players) for one in playoff.pairings} >= {
        frozenset({seeded[0], seeded[7]})
    }


async def test_the_machine_fills_an_odd_seat_where_the_server_wants_it(table: Table) -> None:
    await a_month(table, 3, level=3)
    await to_the_minute(table, YEAR[1].begins(ROME))
    playoff = await playoff_of(table, YEAR[0])
    event = Event(table, playoff.id)
    await event.play_round()
    (alone,) = [one for one in (await event.now()).pairings if one.black is None]
    assert (alone.white, alone.result) == (PEOPLE[0], None)
    row = (await table.game_cache.existing(game_of(alone))).row
    assert (row.machine, row.level, row.rated) == (MACHINE, 3, False)
    await event.lose(alone, PEOPLE[0])
    done = await event.to_the_end(PEOPLE)
    assert champion(done) in PEOPLE[1:3], "who loses to the machine is out"


async def test_without_the_machine_the_first_seed_has_a_bye(table: Table) -> None:
    await a_month(table, 3)
    await to_the_minute(table, YEAR[1].begins(ROME))
    playoff = await playoff_of(table, YEAR[0])
    assert (playoff.pairings[0].white, playoff.pairings[0].result) == (PEOPLE[0], PairingResult.BYE)


async def test_in_a_play_off_whoever_never_comes_costs_nobody_a_hand(table: Table) -> None:
    await a_month(table)
    await to_the_minute(table, YEAR[1].begins(ROME))
    playoff = await playoff_of(table, YEAR[0])
    event = Event(table, playoff.id)
    await event.play_round()
    for days in (7, 1):  # White's time, and Black's to say that they are there
        table.clock.advance(days=days)
        await event.tick()
    now = await event.now()
    assert (now.state, now.pairings[0].result) == (TournamentState.DONE, PairingResult.NEITHER)
    assert champion(now) is None
    assert await badges(table, PEOPLE[0]) == ()


@pytest.mark.parametrize(("usual", "played"), [("10+5", DAY), ("none", DAY), ("3d/move", None)])
async def test_a_play_off_has_a_clock_for_which_nobody_has_to_be_there(
    table: Table, usual: str, played: TimeControl | None
) -> None:
    assert LIVE.is_live
    await table.servers.play_by_default(GUILD, clock=usual)
    await a_month(table)
    await to_the_minute(table, YEAR[1].begins(ROME))
    playoff = await playoff_of(table, YEAR[0])
    clock = (await table.store.guilds.rules(GUILD)).defaults.clock
    assert playoff.terms.clock == (played or clock)
    assert playoff.terms.rated


# What moderators choose


async def test_what_is_chosen_stays_until_it_is_chosen_anew(table: Table) -> None:
    assert await table.store.of(SeasonTable).setting(GUILD) is None
    first = await table.of(Seasons).choose(GUILD, None, None, None, here=CHANNEL)
    assert (first.channel, first.zone, first.level) == (CHANNEL, "UTC", None)
    other = ChannelId(501)
    await table.of(Seasons).choose(GUILD, other, "europe/rome", 4, here=CHANNEL)
    await table.of(Seasons).choose(GUILD, None, None, None, here=CHANNEL)
    assert await table.store.of(SeasonTable).setting(GUILD) == SeasonSetting(
        guild=GUILD, channel=other, zone=ROME, level=4, due_at=table.clock()
    )
    assert (await table.of(Seasons).choose(GUILD, None, None, 0, here=CHANNEL)).level is None
    with pytest.raises(UnknownZone):
        await table.of(Seasons).choose(GUILD, None, "Mars", None, here=CHANNEL)


async def test_a_server_that_has_had_enough_keeps_what_runs(table: Table) -> None:
    await a_month(table)
    await table.store.of(SeasonTable).stop(GUILD)
    await to_the_minute(table, YEAR[1].begins(ROME))
    assert (await ladder_of(table, YEAR[0])).state is TournamentState.DONE
    assert await table.of(Tournaments).find(GUILD) == []
    await to_the_minute(table, YEAR[3].begins(ROME))
    await begun(table)
    assert await of_season(table, YEAR[0], TournamentFormat.KNOCKOUT) is None, (
        "nobody waits for it now"
    )
    assert (await ladder_of(table, YEAR[3])).state is TournamentState.RUNNING


async def test_off_and_on_in_a_month_goes_on_with_its_ladder(table: Table) -> None:
    await begun(table)
    await table.store.of(SeasonTable).stop(GUILD)
    await begun(table)
    assert len(await table.of(Tournaments).latest(GUILD)) == 1


async def test_a_ladder_that_is_cancelled_has_no_play_off_and_the_next_begins(table: Table) -> None:
    await a_month(table)
    await table.of(Tournaments).cancel(
        (await ladder_of(table, YEAR[0])).id, PEOPLE[0], manages=True
    )
    await to_the_minute(table, table.clock() + timedelta(days=1))
    assert await table.of(Tournaments).find(GUILD) == []
    await to_the_minute(table, YEAR[1].begins(ROME))
    assert await of_season(table, YEAR[0], TournamentFormat.KNOCKOUT) is None
    assert (await ladder_of(table, YEAR[1])).state is TournamentState.RUNNING


async def test_it_moves_to_another_channel_with_the_next_month(table: Table) -> None:
    await begun(table)
    other = ChannelId(501)
    await table.of(Seasons).choose(GUILD, other, None, None, here=CHANNEL)
    await to_the_minute(table, YEAR[1].begins(ROME))
    channels = [one.terms.channel for one in await table.of(Tournaments).latest(GUILD)]
    assert channels == [other, CHANNEL]


async def test_seasons_stop_in_a_channel_that_is_no_more(table: Table) -> None:
    await begun(table)
    await table.store.of(SeasonTable).stop_in(GUILD, ChannelId(501))
    assert await table.store.of(SeasonTable).setting(GUILD) is not None, "another channel"
    await table.store.of(SeasonTable).stop_in(GUILD, CHANNEL)
    assert await table.store.of(SeasonTable).setting(GUILD) is None


async def test_peoples_own_tournaments_never_keep_a_season_from_beginning(table: Table) -> None:
    for _ in range(10):
        await Event.made(table)
    await begun(table)
    assert (await ladder_of(table, YEAR[0])).state is TournamentState.RUNNING


# Badges


async def badges(table: Table, who: UserId, guild: GuildId = GUILD) -> tuple[EarnedBadge, ...]:
    return tuple(await table.store.of(BadgeTable).of(who, guild, most=6))


async def test_the_first_of_a_ladder_and_of_a_play_off_earn_badges(table: Table) -> None:
    await begun(table)
    await join(table, YEAR[0], PEOPLE[:5])
    for loser in PEOPLE[1:4]:
        await beat(table, PEOPLE[0], loser)
    await beat(table, PEOPLE[1], PEOPLE[3])
    await to_the_minute(table, YEAR[1].begins(ROME))
    playoff = await playoff_of(table, YEAR[0])
    await Event(table, playoff.id).to_the_end(PEOPLE)

    async def shown(who: UserId, guild: GuildId = GUILD) -> list[tuple[BadgeKind, int]]:
        return [(one.kind, one.place) for one in await badges(table, who, guild)]

    assert await shown(PEOPLE[0]) == [(BadgeKind.CHAMPION, 1), (BadgeKind.LADDER, 1)]
    assert await shown(PEOPLE[0], NO_GUILD) == await shown(PEOPLE[0])
    assert await shown(PEOPLE[0], GuildId(2 << 22)) == []
    assert await shown(PEOPLE[1]) == [(BadgeKind.LADDER, 2)]
    ladder = await of_season(table, YEAR[0], TournamentFormat.LADDER)
    assert ladder is not None
    assert [(one.player, one.won) for one in standings(ladder)[2:]] == [
        (one, 0) for one in PEOPLE[2:5]
    ]
    for without_a_win in PEOPLE[2:5]:
        assert await shown(without_a_win) == [], "also who is third"
    newest = (await badges(table, PEOPLE[0]))[0]
    assert (newest.season, newest.name) == (202603, "knockout 202603")


async def test_who_wins_a_tournament_of_four_earns_a_badge_until_it_is_corrected(
    table: Table,
) -> None:
    small = await Event.made(table, PEOPLE[:3], format=TournamentFormat.ROUND_ROBIN)
    await small.begin()
    await small.to_the_end(PEOPLE)
    assert await badges(table, PEOPLE[0]) == (), "too few people"
    event = await Event.made(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
    await event.begin()
    done = await event.to_the_end(PEOPLE)
    (badge,) = await badges(table, PEOPLE[0])
    assert (badge.kind, badge.season, badge.name) == (BadgeKind.WINNER, None, "Spring Cup")
    for game in [one for one in done.pairings if PEOPLE[0] in one.players]:
        lost = PairingResult.BLACK if game.white == PEOPLE[0] else PairingResult.WHITE
        await table.of(Tournaments).correct(
            event.id, game.round, game.board, lost, "They agreed on it", PEOPLE[9], manages=True
        )
    assert await badges(table, PEOPLE[0]) == ()
    assert len(await badges(table, PEOPLE[1])) == 1


@pytest.mark.parametrize(("last", "badges"), [("1 1-0 5", 1), ("1 +- 5", 0)])
def test_whoever_has_won_nothing_at_the_board_earns_nothing(last: str, badges: int) -> None:
    """Also where they are alone first, by a draw and a forfeit."""
    cup = played(a_tournament(TournamentFormat.SWISS, 5), "1 = 2, 3 = 4", f"{last}, 2 = 3")
    (first,) = (one for one in standings(cup) if one.place == 1)
    assert (first.player, first.won) == (101, badges)
    assert len(earned(replace(cup, state=TournamentState.DONE))) == badges
    title = played(a_tournament(TournamentFormat.KNOCKOUT, 5), last)
    title = replace(title, season=202603, state=TournamentState.DONE)
    assert champion(title) == (first.player if badges else None)


async def test_badges_go_with_a_person_and_with_the_names_of_a_tournament(table: Table) -> None:
    for winner in (PEOPLE[0], PEOPLE[1]):
        order = [winner, *[one for one in PEOPLE if one != winner]]
        event = await Event.made(table, PEOPLE[:4], format=TournamentFormat.ROUND_ROBIN)
        await event.begin()
        await event.to_the_end(order)
    given = await table.store.privacy.export(PEOPLE[0])
    assert len(given["badges"]) == 1
    await table.store.privacy.erase(PEOPLE[0], at=table.clock())
    assert await badges(table, PEOPLE[0]) == ()
    assert len(await badges(table, PEOPLE[1])) == 1
    await table.store.retention.leave_as_nobodys(ended_until=table.clock(), at=table.clock())
    assert await badges(table, PEOPLE[1]) == ()
