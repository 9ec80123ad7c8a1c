"""Adds vote results to boards when games change, and deletes old votes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.base.ids import Revision
from bot.base.languages import Reader
from bot.database.connection import AsyncConnection
from bot.features.teams.model import RETENTION_TIME, VoteResult
from bot.features.teams.store import VoteTable, close_votes
from bot.features.teams.use_cases import OpenVote, results_of
from bot.features.teams.words import result_lines, vote_line
from bot.play.game_changes import BoardAddition, GameChange, GameHook, GameScope, TransactionStep
from bot.play.model.events import AppliedEvent
from bot.play.model.game import Game, GameRow
from bot.play.use_cases.use_cases import UseCases


@dataclass(frozen=True)
class VoteResults(BoardAddition):
    """The results of votes, in the order of the moves."""

    results: tuple[VoteResult, ...]

    def turn_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        return result_lines(reader, game, self.results)


@dataclass(frozen=True)
class VoteProgress(BoardAddition):
    """The current votes on the next move."""

    open_vote: OpenVote

    def turn_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        return [vote_line(reader, game, self.open_vote)]


class TeamsHook(GameHook):
    """Adds the results of votes to boards, and deletes votes some time after their game."""

    scope = GameScope.OF_TEAMS

    def __init__(self, cases: UseCases) -> None:
        self._votes = cases.store.queries(VoteTable)

    async def on_change(self, change: GameChange) -> TransactionStep | None:
        results = await self._results(change.events)
        if results is None:
            return None

        async def add_results(_connection: AsyncConnection, _row: GameRow) -> BoardAddition:
            return results

        return add_results

    async def on_end(self, change: GameChange) -> TransactionStep | None:
        async def close(connection: AsyncConnection, row: GameRow) -> None:
            await close_votes(connection, row.id, change.events[-1].event.at)

        return close

    async def reload(
        self, game: Game, events: Sequence[AppliedEvent], after: Revision, until: Revision
    ) -> BoardAddition | None:
        return await self._results(events)

    async def purge(self, now: datetime) -> None:
        await self._votes.delete_old(closed_until=now - RETENTION_TIME)

    async def _results(self, events: Sequence[AppliedEvent]) -> VoteResults | None:
        results = await results_of(self._votes, events)
        return VoteResults(results) if results else None
