"""Tournaments driven by use cases, with announcements that are not sent."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.base.ids import GameId, GuildId, MessageId, Revision, TournamentId, UserId
from bot.database.delivery_rows import Delivery
from bot.play.game_changes import GameUpdate
from club.tournaments.model.acts import EndsGames, OrganizerAct, OrganizerChoice
from club.tournaments.model.standings import standings
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentState,
)
from club.tournaments.refusals import AlreadyIn
from club.tournaments.use_cases.director import Director, Surroundings
from club.tournaments.use_cases.news import PAIRING
from club.tournaments.use_cases.pairings import Heard
from club.tournaments.use_cases.tournaments import Tournaments
from tests.bot.table import ALL, CHANNEL, GUILD, Table
from tests.club.tournaments import toured

ORGANISER = UserId(900)
MACHINE = UserId(999)
DAY, LIVE = toured.SLOW, toured.LIVE
PEOPLE = [UserId(201 + number) for number in range(16)]
TERMS = replace(
    toured.tournament(0).terms,
    guild=GUILD,
    channel=CHANNEL,
    organiser=ORGANISER,
    name="Spring Cup",
    rounds=None,
)
MESSAGES = 10_000
"""From here on the announcements of pairings are numbered."""


class Event:
    """A tournament on top of a table."""

    def __init__(self, table: Table, tournament: TournamentId) -> None:
        self.table = table
        self.id = tournament
        self.left_server: set[UserId] = set()
        self.lacking: tuple[str, ...] = ()
        """Permissions that the bot lacks in the channel."""
        self.asked_after: list[UserId] = []

    @classmethod
    async def create(cls, table: Table, players: Iterable[UserId] = (), **terms: Any) -> "Event":
        """A tournament that some people have joined."""
        made = await table.of(Tournaments).create(
            replace(TERMS, **terms), source=table.source(), is_organizer=True
        )
        event = cls(table, made.id)
        for player in players:
            await event.join(player)
        return event

    @classmethod
    async def begun(cls, table: Table, players: Iterable[UserId], **terms: Any) -> "Event":
        """A tournament that has begun, after a check-in by everyone if games are live."""
        event = await cls.create(table, players, **terms)
        if (await event.begin()).state is TournamentState.CHECK_IN:
            for entrant in (await event.now()).entrants:
                await event.check_in(entrant.player)
            await event.begin()
        return event

    async def now(self) -> Tournament:
        found = await self.table.of(Tournaments).get(self.id)
        assert found is not None
        return found

    async def join(self, player: UserId) -> Tournament:
        return await self.table.of(Tournaments).join(self.id, player, source=self.table.source())

    async def check_in(self, player: UserId) -> None:
        with suppress(AlreadyIn):
            await self.join(player)

    async def act(
        self, kind: str, by: UserId = ORGANISER, *, manages: bool = False, **details: Any
    ) -> Tournament:
        """Do something as an organizer."""
        act = OrganizerAct(kind=OrganizerChoice(kind), **details)
        return await self.table.of(Tournaments).perform(self.id, act, by, manages=manages)

    async def begin(self) -> Tournament:
        return await self.act("begin")

    async def heard_until(self) -> datetime:
        return self.table.clock()

    async def departed(self, guild: GuildId, players: Sequence[UserId]) -> frozenset[UserId]:
        """Members who have left the server. Lookups are recorded."""
        assert guild == GUILD
        self.asked_after += players
        return frozenset(self.left_server & set(players))

    def around(self, heard: Heard | None = None) -> Surroundings:
        """Return the surroundings that a check gets from Discord."""
        return Surroundings(heard or self.heard_until, self.departed, lambda _: self.lacking)

    async def tick(self) -> list[GameUpdate]:
        """Check what is due, as the shard's tick does."""
        updates: list[GameUpdate] = []
        for number in await self.table.of(Director).due(ALL):
            updates += await self.table.of(Director).check(number, self.around())
        return updates

    async def announce(self) -> list[Delivery]:
        """Send the announcements, without informing the director."""
        rows = [
            row for row in await self.table.store.deliveries.all_unsent() if row.kind == PAIRING
        ]
        for row in rows:
            message = MessageId(MESSAGES + row.id)
            await self.table.store.deliveries.mark_sent([row], message, at=self.table.clock())
        return rows

    async def play_round(self) -> list[Pairing]:
        """Check, announce and begin. Return the pairings with running games."""
        await self.tick()
        for row in await self.announce():
            data = row.data
            await self.table.of(Director).opened(
                self.id, data["round"], data["board"], MessageId(MESSAGES + row.id)
            )
        return await self.running()

    async def running(self) -> list[Pairing]:
        games = [
            pairing
            for pairing in (await self.now()).pairings
            if pairing.game and pairing.result is None
        ]
        return [game for game in games if not game.asks]

    async def move(self, pairing: Pairing, moves: int = 1) -> None:
        """Play some moves, each as the player to move."""
        for _ in range(moves):
            game = await self.table.game_cache.existing(game_of(pairing))
            assert game.to_move is not None
            first = str(game.position.legal_moves()[0])
            await self.table.play(game.to_move, first, game.row.channel)

    async def lose(self, pairing: Pairing, loser: UserId) -> None:
        """Resign as a player."""
        game, source = game_of(pairing), self.table.source()
        await self.table.leaving.resign(game, Revision(0), loser, source=source)

    async def correct(
        self, place: tuple[int, int], result: PairingResult, note: str = "They agreed."
    ) -> None:
        """Correct a result as the organizer, who confirms its consequences."""
        try:
            await self.act("correct", place=place, result=result, note=note)
        except EndsGames as error:
            agreed = frozenset(game.place for game in error.games)
            await self.act("correct", place=place, result=result, note=note, agreed=agreed)

    async def to_the_end(self, order: Sequence[UserId], *, pace_s: float = 2) -> Tournament:
        """Play all rounds: whoever stands earlier in the order wins.

        Args:
            order: Of the players.
            pace_s: How many seconds go by from one look to the next.
        """
        for _ in range(50):
            for pairing in await self.play_round():
                await self.lose(pairing, max(pairing.players, key=order.index))
            if (now := await self.now()).state is TournamentState.DONE:
                return now
            self.table.clock.advance(seconds=pace_s)
        raise AssertionError("it never ends")


def game_of(pairing: Pairing) -> GameId:
    assert pairing.game is not None
    return pairing.game


def black_of(pairing: Pairing) -> UserId:
    assert pairing.black is not None
    return pairing.black


def results(tournament: Tournament) -> list[PairingResult | None]:
    return [pairing.result for pairing in tournament.pairings]


def places(tournament: Tournament) -> list[UserId]:
    return [standing.player for standing in standings(tournament)]
