"""A year of a league with nobody's hand in it, played by two processes that are killed at times.

People resign, run out of time, stay away, leave, come back, leave the server, and have all that is
known about them deleted.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

from bot.base.ids import MessageId, UserId, is_deleted_user
from bot.database.delivery_rows import Delivery, DeliveryRoute
from bot.play.model.terms import Start
from bot.play.store.store import Store
from club.tournaments.model.leagues import WEEK
from club.tournaments.model.tournament import Tournament, TournamentFormat, TournamentState
from club.tournaments.use_cases.director import Director
from club.tournaments.use_cases.news import NEWS, PAIRING
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.conftest import Clock
from tests.bot.table import Table
from tests.club.tournaments.directed import MESSAGES, Event, game_of

BEGINS = datetime(2027, 1, 1, tzinfo=UTC)
_KILLED = 0.1
"""Probability that a process is killed during a check."""


@dataclass
class Year:
    """A monthly league during a year.

    Args:
        stores: Of two processes, each with connections of its own.
        clock: The time of both.
        people: So many begin.
        seed: Chance of all that happens.
    """

    stores: tuple[Store, Store]
    clock: Clock
    people: int = 60
    seed: int = 0
    told: Counter[str] = field(default_factory=Counter)
    """Posts in the channel, by kind."""
    figures: Counter[str] = field(default_factory=Counter)
    news: list[str] = field(default_factory=list)
    """News of the league in its channel."""
    sent: set[int] = field(default_factory=set)
    """Ids of all sent deliveries, because both processes may try the same one."""

    tables: list[Table] = field(default_factory=list)
    """The two processes."""

    async def play(self, months: int) -> dict[str, float]:
        """Play a number of seasons, check all of them, and return the figures."""
        self.random, self.new = Random(self.seed), count(10_000)
        self.clock.time = BEGINS
        self.tables = [self._started(which) for which in (0, 1)]
        table = self.tables[0]
        members = [UserId(next(self.new)) for _ in range(self.people)]
        terms = {"format": TournamentFormat.LEAGUE, "division_size": 8, "start": Start.PLACEMENT}
        made = await Event.create(table, members, **terms)
        await made.begin()
        self.league, self.left = made.id, set[UserId]()
        await self._look(0)
        while (league := await self._now()).round <= months:
            await self._day(league)
            assert self.clock() < BEGINS + timedelta(days=31 * months + 31), "it stands still"
        await self._check(months)
        weeks = (self.clock() - BEGINS) / WEEK
        played = self.figures["member_weeks"] / 7
        return {
            **self.figures,
            **{f"posts_{what}": number for what, number in self.told.items()},
            "news_a_week": len(self.news) / weeks,
            "games_begun_a_person_and_week": self.told["game"] * 2 / played,
            "letters_a_person_and_week": self.figures["letters"] / played,
        }

    def _started(self, which: int) -> Table:
        """Start a process, without any memory."""
        table = Table(self.stores[which], self.clock)
        table.last_source = self.random.randrange(1 << 50)
        return table

    async def _now(self) -> Tournament:
        return await Event(self.tables[0], self.league).now()

    async def _day(self, league: Tournament) -> None:
        """Let a day pass in both processes, with people's actions on it."""
        self.figures["member_weeks"] += len(league.active(1))
        await self._people(self.tables[0], league)
        for _ in range(2):
            await asyncio.gather(self._look(0), self._look(1))
        self.clock.advance(hours=12)
        for division in await self.tables[0].of(Tournaments).divisions(league):
            await self._play(self.tables[self.random.randrange(2)], division)
        await asyncio.gather(self._look(0), self._look(1))
        self.clock.advance(hours=12)

    async def _people(self, table: Table, league: Tournament) -> None:
        """Let people join, leave, come back or be deleted, on some days."""
        here = [row.player for row in league.active(1) if not is_deleted_user(row.player)]
        chance, who = self.random.random(), self.random.choice(here)
        tournaments = table.of(Tournaments)
        if chance < 0.15:
            self.figures["joined"] += 1
            await tournaments.join(self.league, UserId(next(self.new)), source=table.source())
        elif chance < 0.20 and len(here) > self.people // 2:
            self.figures["withdrew"] += 1
            await tournaments.withdraw(self.league, who)
            if self.random.random() < 0.3:
                await tournaments.join(self.league, who, source=table.source())
                self.figures["came_back"] += 1
        elif chance < 0.23:
            self.figures["left_the_server"] += 1
            self.left.add(who)
        elif chance < 0.26:
            self.figures["deleted"] += 1
            await table.privacy.delete(who)

    async def _look(self, which: int) -> None:
        """Run a process's work. It may be killed during it, and is started again."""
        table = self.tables[which]
        event = Event(table, self.league)
        event.left_server = self.left
        looks = asyncio.create_task(event.tick())
        if self.random.random() < _KILLED:
            self.figures["kills"] += 1
            await asyncio.wait([looks], timeout=self.random.random() / 50)
            looks.cancel()
            with suppress(asyncio.CancelledError):
                await looks
            self.tables[which] = self._started(which)
            return
        await looks
        await self._send(table)

    async def _send(self, table: Table) -> None:
        """Send all due deliveries. Games begin in the threads of their posts."""
        for row in await table.store.deliveries.all_unsent():
            message = MessageId(MESSAGES + row.id)
            self._note(row)
            await table.store.deliveries.mark_sent([row], message, at=self.clock())
            if row.kind == PAIRING:
                place = row.data["round"], row.data["board"]
                await table.of(Director).opened(row.data["tournament"], *place, message)

    def _note(self, row: Delivery) -> None:
        if row.id in self.sent:
            return
        self.sent.add(row.id)
        if row.kind == NEWS:
            self.news.append(row.key.partition("-")[2])
            self.told[row.data["what"]] += 1
        elif row.kind == PAIRING:
            self.told["game"] += 1
        elif row.route is DeliveryRoute.DM:
            self.figures["letters"] += 1

    async def _play(self, table: Table, division: Tournament) -> None:
        """End some of the running games. Some people never move, and run out of time."""
        event = Event(table, division.id)
        for pairing in await event.running():
            away = [who for who in pairing.players if who % 17 == 0]
            if away or self.random.random() > 0.12:
                continue
            game = await table.game_cache.current(game_of(pairing))
            if game is not None and game.is_running:
                self.figures["resigned"] += 1
                await event.lose(pairing, max(pairing.players, key=self._weakness))

    def _weakness(self, who: UserId) -> float:
        return float(who % 7) + 4 * self.random.random()

    async def _check(self, months: int) -> None:
        """Check the invariants of each season."""
        league = await self._now()
        table = self._started(1)
        for season in range(1, months + 1):
            divisions = await table.of(Tournaments).divisions(league, season)
            numbers = [division.terms.division for division in divisions]
            assert numbers == list(range(1, len(divisions) + 1))
            assert {division.state for division in divisions} == {TournamentState.DONE}
            people = Counter(
                entrant.player
                for division in divisions
                for entrant in division.entrants
                if not is_deleted_user(entrant.player)
            )
            assert set(people.values()) == {1}, "nobody is in two divisions"
            for division in divisions:
                self._check_division(division)
        assert len(set(self.news)) == len(self.news), "each is told once"
        for season in range(1, months + 1):
            assert {f"season-{season}", f"over-{season}"} <= set(self.news)

    def _check_division(self, one: Tournament) -> None:
        pairs = Counter(frozenset(game.players) for game in one.pairings if game.black is not None)
        count_ = len(one.entrants)
        assert 5 <= count_ <= 11
        assert len(pairs) == count_ * (count_ - 1) // 2
        assert set(pairs.values()) == {1}, "each pair meets once"
        assert not one.undecided
        self.figures["games"] += len(pairs)
        self.figures["forfeits"] += sum(game.forfeit for game in one.pairings)
        self.figures["adjudicated"] += sum(game.adjudicated for game in one.pairings)
        self.figures["seats"] += count_
