"""Connects games with tournaments. A game may belong to a ladder or decide a pairing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.base.ids import NO_GUILD, Revision
from bot.base.languages import Reader
from bot.connection.posts import Button
from bot.database.connection import AsyncConnection
from bot.play.game_changes import BoardAddition, GameChange, GameEvent, GameHook, TransactionStep
from bot.play.model.conduct import Venue
from bot.play.model.events import AppliedEvent, Started
from bot.play.model.game import Game, GameRow
from bot.play.model.terms import ChallengeTerms
from bot.play.use_cases.use_cases import UseCases
from club.ratings.model import UnratedReason, is_rated, result_of
from club.ratings.store import why_not
from club.tournaments.model.results import PairingEnd, decided_by
from club.tournaments.model.tournament import Pairing, Tournament
from club.tournaments.store.paired_games import end_pairing
from club.tournaments.store.tournaments import TournamentTable
from club.tournaments.words.games import (
    answer_button,
    in_tournament,
    place_in_event,
    starts_in,
)


@dataclass(frozen=True, slots=True)
class TournamentAddition(BoardAddition):
    """The effect of an ended game on its tournament."""

    tournament: Tournament
    """The tournament after the game."""
    end: PairingEnd

    def end_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        """Return lines about the effect, if the result itself does not show it."""
        return in_tournament(reader, game, self.tournament, self.end)

    def buttons(self, reader: Reader, game: Game) -> Sequence[Button]:
        return answer_button(reader, game, self.tournament, self.end)


@dataclass(frozen=True, slots=True)
class PlaceInTournament(BoardAddition):
    """The line about a new game's tournament and its place there."""

    tournament: Tournament
    pairing: Pairing | None
    """None in a ladder, because its games are added when they end."""

    def turn_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        return [starts_in(reader, self.tournament, self.pairing)]


class TournamentHook(GameHook):
    """Connects games with tournaments."""

    def __init__(self, cases: UseCases) -> None:
        self._tournaments = cases.store.queries(TournamentTable)

    async def on_new_game(self, row: GameRow) -> GameRow:
        """Assign a game between two members of a ladder to the ladder."""
        plain = row.tournament is None and row.machine is None and row.vote is None
        if not plain or row.visiting or row.guild == NO_GUILD:
            return row
        ladder = await self._tournaments.ladder_of(row.guild, row.white, row.black, rated=row.rated)
        return replace(row, tournament=ladder)

    async def event_of(self, row: GameRow) -> GameEvent | None:
        """Return a game's tournament, unless it is a ladder, where nobody waits for a game."""
        if row.tournament is None:
            return None
        tournament = await self._tournaments.get(row.tournament)
        if tournament is None:
            return None
        pairing, terms = tournament.pairing_of(row.id), tournament.terms
        title = None if pairing is None else partial(place_in_event, terms.name, pairing)
        return GameEvent(terms.organiser, terms.format.has_rounds, title)

    async def is_rated(self, terms: ChallengeTerms, venue: Venue, *, default: bool) -> bool:
        """Rate games between members of a rated ladder, even their first ones."""
        if terms.opponent is None or not is_rated(terms, venue, default=default):
            return False
        players = terms.challenger, terms.opponent
        return await self._tournaments.ladder_of(terms.guild, *players, rated=True) is not None

    async def on_end(self, change: GameChange) -> TransactionStep | None:
        if change.after.row.tournament is None:
            return None
        end, result = decided_by(change.after, change.events[-1].event), result_of(change.after)

        async def decide(connection: AsyncConnection, row: GameRow) -> BoardAddition | None:
            counts = not isinstance(result, UnratedReason) and (
                result is None or await why_not(connection, result, change.at) is None
            )
            after = await end_pairing(connection, row, end, change.at, counts=counts)
            return None if after is None else TournamentAddition(after, end)

        return decide

    async def reload(
        self, game: Game, events: Sequence[AppliedEvent], after: Revision, until: Revision
    ) -> BoardAddition | None:
        """Return a starting game's place in its tournament, or an ended game's effect on it."""
        begins = game.is_running and any(applied.event.kind is Started for applied in events)
        if game.row.tournament is None or not events or not (begins or not game.is_running):
            return None
        tournament = await self._tournaments.get(game.row.tournament)
        if tournament is None:
            return None
        if begins:
            return PlaceInTournament(tournament, tournament.pairing_of(game.row.id))
        return TournamentAddition(tournament, decided_by(game, events[-1].event))
