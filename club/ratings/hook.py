"""Rates a game in the transaction that ends it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.base.ids import NO_GUILD, Revision, UserId
from bot.base.languages import Reader
from bot.database.connection import AsyncConnection
from bot.play.game_changes import BoardAddition, GameChange, GameHook, TransactionStep
from bot.play.model.clock import pace_of
from bot.play.model.conduct import Venue
from bot.play.model.events import AppliedEvent
from bot.play.model.game import Game, GameRow
from bot.play.model.terms import ChallengeTerms
from bot.play.use_cases.use_cases import UseCases
from club.ratings.model import RatedResult, Verdict, is_rated, result_of
from club.ratings.store import RatingTable, rate
from club.ratings.words import verdict_lines

_SEARCHED_GAMES: Final = 10
"""Number of a user's latest games to search for one against a person."""


@dataclass(frozen=True, slots=True)
class RatingAddition(BoardAddition):
    """The rating changes caused by a game."""

    verdict: Verdict

    def end_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        """Return the changes caused by the game, or why there are none."""
        return verdict_lines(reader, game, self.verdict)


class RatingHook(GameHook):
    """Rates a game in the transaction that ends it."""

    locks_people = True

    def __init__(self, cases: UseCases) -> None:
        self._ratings = cases.store.queries(RatingTable)
        self._games = cases.store.games

    async def is_rated(self, terms: ChallengeTerms, venue: Venue, *, default: bool) -> bool:
        """Return True if a proposed game is rated.

        A user's first game is rated only on request.

        Raises:
            CannotRate: if a rating was requested but is not possible.
        """
        if default and terms.opponent is not None and terms.level is None and terms.vote is None:
            people = (terms.challenger, terms.opponent)
            rated = await self._ratings.pool_ratings(NO_GUILD, pace_of(terms.clock), people)
            default = all(
                [person in rated or await self._has_played(terms, person) for person in people]
            )
        return is_rated(terms, venue, default=default)

    async def _has_played(self, terms: ChallengeTerms, player: UserId) -> bool:
        """Return True if a user recently finished a game against a person in that server."""
        games = await self._games.ended_of(terms.guild, player, limit=_SEARCHED_GAMES)
        outcomes = (game.row.outcome for game in games if game.row.machine is None)
        return any(outcome is not None and outcome.has_result for outcome in outcomes)

    async def on_end(self, change: GameChange) -> TransactionStep | None:
        result = result_of(change.after)
        if result is None:
            return None

        async def count(connection: AsyncConnection, row: GameRow) -> BoardAddition | None:
            if not isinstance(result, RatedResult):
                return RatingAddition(result)
            return RatingAddition(await rate(connection, row, result, change.at))

        return count

    async def reload(
        self, game: Game, events: Sequence[AppliedEvent], after: Revision, until: Revision
    ) -> BoardAddition | None:
        """Return a game's rating changes, or None if it is not rated or has no result yet."""
        outcome = game.outcome
        if not game.row.rated or outcome is None or not outcome.has_result:
            return None
        if changes := await self._ratings.changes(game.row.id):
            return RatingAddition(changes)
        result = result_of(game)
        if result is None:
            return None
        if isinstance(result, RatedResult):
            reason = await self._ratings.why_uncounted(result, events[-1].event.at)
            return RatingAddition(reason)
        return RatingAddition(result)
