"""Adds remarks by the machine's character to boards."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.base.ids import Revision
from bot.base.languages import Reader
from bot.connection.posts import Button
from bot.database.connection import AsyncConnection
from bot.play.game_changes import BoardAddition, GameChange, GameHook, GameScope, TransactionStep
from bot.play.model.events import AppliedEvent, Moved
from bot.play.model.game import Game, GameRow
from bot.play.use_cases.use_cases import UseCases
from dvonn_lessons.remarks import DecisiveCut
from school.companion.model import (
    COMPANION,
    PlacedRemark,
    decisive_cut,
    newest_remark,
    speaks,
)
from school.companion.words import difference_line, remark_line, why_button


@dataclass(frozen=True, slots=True)
class Comment(BoardAddition):
    """The character's addition to a board: a remark, or at the end of a game, the decisive cut."""

    remark: PlacedRemark | None = None
    difference: DecisiveCut | None = None

    @property
    def explains_result(self) -> bool:
        return self.difference is not None

    def turn_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        return () if self.remark is None else (remark_line(reader, game, self.remark.remark),)

    def turn_buttons(self, reader: Reader, game: Game) -> Sequence[Button]:
        return () if self.remark is None else (why_button(reader, game, self.remark),)

    def end_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        if self.difference is None:
            return ()
        return (difference_line(reader, game, self.difference),)


class CompanionHook(GameHook):
    """Adds a remark when a move is played. Remarks are derived from the moves alone."""

    scope = GameScope.AGAINST_MACHINE

    def __init__(self, cases: UseCases) -> None:
        self._players = cases.store.players

    async def on_change(self, change: GameChange) -> TransactionStep | None:
        comment = await self._comment(change.after, change.events)
        if comment is None:
            return None

        async def add(_connection: AsyncConnection, _row: GameRow) -> BoardAddition:
            return comment

        return add

    async def reload(
        self, game: Game, events: Sequence[AppliedEvent], after: Revision, until: Revision
    ) -> BoardAddition | None:
        return await self._comment(game, events)

    async def _comment(self, game: Game, events: Sequence[AppliedEvent]) -> Comment | None:
        if not speaks(game) or not events or not isinstance(events[-1].event.data, Moved):
            return None
        # This takes a few hundredths of a second, so it runs outside the event loop.
        if game.is_running:
            remark = await asyncio.to_thread(newest_remark, game)
            comment = None if remark is None else Comment(remark=remark)
        else:
            difference = await asyncio.to_thread(decisive_cut, game)
            comment = None if difference is None else Comment(difference=difference)
        if comment is None:
            return None
        row = game.row
        person = row.white if row.machine == row.black else row.black
        return comment if (await self._players.get(person)).is_on(COMPANION) else None
