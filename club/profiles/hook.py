"""Adds a player's collection of beaten characters to the last board."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.base.ids import Revision
from bot.base.languages import Reader
from bot.database.connection import AsyncConnection
from bot.play.game_changes import BoardAddition, GameChange, GameHook, TransactionStep
from bot.play.model.events import AppliedEvent
from bot.play.model.game import Game, GameRow
from bot.play.model.terms import Start
from bot.play.use_cases.use_cases import UseCases
from club.profiles.model import ALL_SERVERS
from club.profiles.store.profiles import ProfileTable
from club.profiles.words.beaten_characters import who_is_next


@dataclass(frozen=True, slots=True)
class Collection(BoardAddition):
    """The machine's levels that the winner of a game has beaten, including this game's level."""

    beaten: frozenset[int]

    def end_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        line = who_is_next(reader, self.beaten)
        return (line,) if line else ()


class CollectionHook(GameHook):
    """Shows players who beat the machine their progress."""

    def __init__(self, cases: UseCases) -> None:
        self._profiles = cases.store.queries(ProfileTable)

    async def on_end(self, change: GameChange) -> TransactionStep | None:
        collection = await self._collection(change.after)
        if collection is None:
            return None

        async def add_line(_connection: AsyncConnection, _row: GameRow) -> BoardAddition:
            return collection

        return add_line

    async def reload(
        self, game: Game, events: Sequence[AppliedEvent], after: Revision, until: Revision
    ) -> BoardAddition | None:
        return await self._collection(game)

    async def _collection(self, game: Game) -> Collection | None:
        row, outcome, level = game.row, game.outcome, game.row.level
        if not row.is_solo or level is None or outcome is None or outcome.winner is None:
            return None
        winner = game.player(outcome.winner)
        if winner == row.machine or row.start is Start.POSITION or row.continues is not None:
            return None
        return Collection(frozenset({*await self._profiles.beaten(winner, ALL_SERVERS), level}))
