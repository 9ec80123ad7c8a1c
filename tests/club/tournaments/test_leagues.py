"""Tests for leagues with use cases: seasons that start and end automatically."""

import asyncio
from collections import Counter
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.base.ids import MessageId, UserId
from bot.play.model.engine_thoughts import Thought
from bot.play.store.store import Store
from club.tournaments.model.tournament import (
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
)
from club.tournaments.refusals import BadTerms, TournamentRefusal
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.news import NEWS, PAIRING
from club.tournaments.use_cases.pairings import ADJUDICATION, Adjudicator
from club.tournaments.use_cases.tournaments import Tournaments
from dvonn import Position
from tests.bot.conftest import Clock
from tests.bot.table import GUILD, Table
from tests.club.tournaments.directed import (
    LIVE,
    MESSAGES,
    PEOPLE,
    Event,
    game_of,
    places,
    results,
)

MONTH = timedelta(days=30)


class League(Event):
    """A league on top of a table."""

    @classmethod
    async def of(cls, table: Table, players: int, **terms: Any) -> "League":
        """A league in its first season."""
        chosen = {"format": TournamentFormat.LEAGUE, "lasts": MONTH, "division_size": 7, **terms}
        league = cls(table, (await Event.create(table, PEOPLE[:players], **chosen)).id)
        await league.begin()
        await league.tick()
        return league

    async def divisions(self, season: int | None = None) -> list[Tournament]:
        return await self.table.of(Tournaments).divisions(await self.now(), season)

    async def open_all(self) -> list[Event]:
        """Start all games of the season."""
        await self.tick()
        for row in await self.announce():
            data = row.data
            message = MessageId(MESSAGES + row.id)
            await self.table.of(Director).opened(
                data["tournament"], data["round"], data["board"], message
            )
        return [Event(self.table, division.id) for division in await self.divisions()]

    async def play_season(self) -> None:
        """Play all games. The player with the smaller number wins."""
        for event in await self.open_all():
            for pairing in await event.running():
                await event.lose(pairing, max(pairing.players))
        await self.later(hours=1)

    async def later(self, **by: float) -> None:
        """Let time pass, and check twice: the divisions, then the league."""
        self.table.clock.advance(**by)
        for _ in range(2):
            await self.tick()
            self.table.clock.advance(hours=1)
        await self.tick()

    async def ranks(self) -> list[UserId]:
        return [entrant.player for entrant in (await self.now()).entrants]


async def announced(table: Table, *kinds: str) -> list[str]:
    rows = sorted(await table.store.deliveries.all_unsent(), key=lambda row: row.id)
    return [row.key.partition("-")[2] for row in rows if row.kind in kinds]


async def test_a_league_plays_two_seasons_automatically(table: Table) -> None:
    league = await League.of(table, 14)
    upper, lower = await league.divisions()
    assert [tournament.terms.name for tournament in (upper, lower)] == [
        "Spring Cup 1A",
        "Spring Cup 1B",
    ]
    assert [len(tournament.entrants) for tournament in (upper, lower)] == [7, 7]
    await league.play_season()

    upper, lower = await league.divisions()
    assert {item.state for item in (upper, lower)} == {TournamentState.DONE}
    assert (places(upper), places(lower)) == (PEOPLE[:7], PEOPLE[7:14])
    assert await league.ranks() == [*PEOPLE[:5], *PEOPLE[7:9], *PEOPLE[5:7], *PEOPLE[9:14]]
    assert (await league.now()).round == 1
    await league.later(days=1)
    assert (await league.now()).round == 2
    assert {entrant.player for entrant in (await league.divisions())[0].entrants} == {
        *PEOPLE[:5],
        *PEOPLE[7:9],
    }
    await league.play_season()
    assert await announced(table, NEWS) == ["created-0", "season-1", "over-1", "season-2", "over-2"]
    assert places((await league.divisions(1))[0]) == PEOPLE[:7], "each season is kept"
    latest = await table.of(Tournaments).latest(GUILD)
    assert [item.id for item in latest] == [league.id], "divisions are not listed"
    past = await table.of(Tournaments).ended(GUILD)
    assert [season.terms.name for season in past] == ["Spring Cup 2A", "Spring Cup 1A"]


async def test_a_division_announces_only_its_games(table: Table) -> None:
    league = await League.of(table, 7)
    await league.tick()
    assert len(await announced(table, PAIRING)) == 21
    assert await announced(table, NEWS) == ["created-0", "season-1"]


async def test_the_standings_are_sent_once_a_week(table: Table) -> None:
    league = await League.of(table, 7, clock=None, round_time=None)
    await league.open_all()
    for _ in range(3):
        await league.later(days=7)
    assert await announced(table, NEWS) == [
        "created-0",
        "season-1",
        "week-1-1",
        "week-1-2",
        "week-1-3",
    ]


async def test_unfinished_games_are_drawn_and_unrated(table: Table) -> None:
    league = await League.of(table, 5, clock=None)
    (event,) = await league.open_all()
    first, *others = await event.running()
    for _ in range(2):  # both move, but don't finish
        await table.move(await table.game_cache.existing(game_of(first)))
    for pairing in others:
        await event.lose(pairing, max(pairing.players))
    await league.later(days=30)
    (division,) = await league.divisions()
    unfinished = division.pairing_at(first.place)
    assert unfinished is not None
    assert (unfinished.result, unfinished.adjudicated) == (PairingResult.DRAW, True)
    game = await table.game_cache.existing(game_of(first))
    assert not game.is_running
    assert game.outcome is not None
    assert not game.outcome.has_result
    assert division.state is TournamentState.DONE


class Engine:
    """An engine that always sees White ahead, or fails."""

    def __init__(self, chance: float | None = 0.97) -> None:
        self.chance, self.asked = chance, list[Position]()

    @property
    def thinker(self) -> "Engine":
        return self

    async def analyse(self, position: Position) -> tuple[Thought, ...]:
        self.asked.append(position)
        if self.chance is None:
            raise RuntimeError("the engine is broken")
        return (Thought(moves=(), white_wins=self.chance),)


@pytest.mark.parametrize(
    ("chance", "allowed", "result"),
    [
        (0.97, True, PairingResult.WHITE),
        (0.9, True, PairingResult.DRAW),
        (0.97, False, PairingResult.DRAW),
        (None, True, PairingResult.DRAW),
    ],
)
async def test_the_engine_decides_only_clear_games_with_both_players_consent(
    table: Table, chance: float | None, allowed: bool, result: PairingResult
) -> None:
    game, engine = await table.begin(), Engine(chance)
    await table.choices.switch(game.row.black, **{ADJUDICATION.key: allowed})
    cases: Any = SimpleNamespace(store=table.store, opponent=engine, has_reviews=True)
    assert await Adjudicator(cases).verdict(game) is result
    assert bool(engine.asked) is allowed


async def test_a_leaver_is_out_of_the_division_and_the_next_season(
    table: Table,
) -> None:
    league = await League.of(table, 7)
    await league.tick()
    await table.of(Tournaments).withdraw(league.id, PEOPLE[2])
    await league.tick()
    (division,) = await league.divisions()
    assert not division.has(PEOPLE[2])
    assert Counter(results(division))[None] == 15
    await league.play_season()
    await league.later(days=1)
    (division,) = await league.divisions()
    assert division.entrant_of(PEOPLE[2]) is None
    assert len(division.entrants) == 6


async def test_members_who_left_the_server_are_not_in_the_next_season(table: Table) -> None:
    league = await League.of(table, 7)
    await league.play_season()
    league.left_server = {PEOPLE[0]}
    await league.later(days=1)
    assert PEOPLE[0] not in await league.ranks()


async def test_a_deleted_member_is_not_named_and_the_season_continues(table: Table) -> None:
    league = await League.of(table, 7)
    await league.open_all()
    await table.privacy.delete(PEOPLE[0])
    await league.play_season()
    await league.later(days=1)
    assert (await league.now()).round == 2
    assert await league.ranks() == PEOPLE[1:7]


async def test_without_permission_for_threads_a_season_waits_and_says_so_once(
    table: Table,
) -> None:
    league = await League.of(table, 7)
    await league.play_season()
    league.lacking = ("Create Public Threads",)
    await league.later(days=1)
    await league.later(days=1)
    assert (await league.now()).round == 1
    assert (await announced(table, NEWS))[-1] == "held_up-2"
    league.lacking = ()
    await league.later(hours=1)
    assert (await league.now()).round == 2


async def test_a_league_called_off_takes_its_divisions_with_it(table: Table) -> None:
    league = await League.of(table, 14)
    await league.act("off")
    await league.tick()
    assert {division.state for division in await league.divisions()} == {TournamentState.CANCELLED}
    assert await announced(table, NEWS) == ["created-0", "season-1", "cancelled-0"]


async def test_stopped_clocks_stop_all_divisions_and_move_their_deadline(table: Table) -> None:
    league = await League.of(table, 14)
    events = await league.open_all()
    deadlines = [division.newest_round_ends for division in await league.divisions()]
    await league.act("stop", days=7)
    table.clock.advance(days=5)
    assert await table.look() == []
    await league.tick()
    for event, deadline in zip(events, deadlines, strict=True):
        division = await event.now()
        assert deadline is not None
        assert division.newest_round_ends == deadline + timedelta(days=7)
    games = {game_of(pairing) for event in events for pairing in await event.running()}
    assert len(games) == 2 * 21
    await league.act("resume")
    table.clock.advance(days=3)
    assert {update.game.row.id for update in await table.look()} == games, "all clocks run again"


@pytest.mark.parametrize("resumes", [True, False])
async def test_no_season_begins_while_the_clocks_are_stopped(table: Table, resumes: bool) -> None:
    league = await League.of(table, 7)
    await league.play_season()
    await league.act("stop", days=4)
    await league.later(days=3)
    assert (await league.now()).round == 1, "it would have begun after a day"
    if resumes:
        await league.act("resume")
        await league.tick()
    else:
        await league.later(days=1)
    assert (await league.now()).round == 2


async def test_the_log_of_a_league_names_the_division(table: Table) -> None:
    league = await League.of(table, 14)
    _, lower = await league.open_all()
    game, *_ = await lower.running()
    await lower.correct(game.place, PairingResult.WHITE)
    logged, *_ = await table.of(Tournaments).acts(league.id)
    assert (logged.act.place, logged.division) == (game.place, 2)


async def test_two_processes_begin_and_end_each_season_once(
    table: Table, store: Store, clock: Clock
) -> None:
    league = await League.of(table, 10, division_size=5)
    other = League(Table(store, clock), league.id)
    for season in (1, 2):
        await league.open_all()
        for event in await league.open_all():
            for pairing in await event.running():
                await event.lose(pairing, max(pairing.players))
        for _ in range(3):
            clock.advance(hours=1)
            await asyncio.gather(league.tick(), other.tick())
        clock.advance(days=1)
        await asyncio.gather(league.tick(), other.tick())
        assert (await league.now()).round == season + 1
        assert len(await league.divisions()) == 2


async def test_impossible_terms_of_a_league(table: Table) -> None:
    for terms in ({"clock": LIVE}, {"division_size": 4}, {"lasts": timedelta(days=2)}):
        with pytest.raises(BadTerms):
            await Event.create(table, format=TournamentFormat.LEAGUE, **terms)
    event = await Event.create(table, PEOPLE[:4], format=TournamentFormat.LEAGUE)
    with pytest.raises(TournamentRefusal, match="TOO_FEW"):
        await event.begin()
