"""Resolves guesses when games change: a move decides which guesses were right."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.base.ids import Revision
from bot.base.languages import Reader
from bot.database.connection import AsyncConnection
from bot.play.game_changes import BoardAddition, GameChange, GameHook, TransactionStep
from bot.play.model.events import AppliedEvent, Moved
from bot.play.model.game import Game, GameRow
from bot.play.use_cases.use_cases import UseCases
from club.guesses.model import KEPT, Reveal, reveals
from club.guesses.store import AnsweringEvent, GuessTable, answer_guesses
from club.guesses.words import reveal_lines
from dvonn import Phase


@dataclass(frozen=True, slots=True)
class GuessAddition(BoardAddition):
    """The spectators' guesses of the moves on a board."""

    reveals: tuple[Reveal, ...]

    def turn_lines(self, reader: Reader, game: Game) -> Sequence[str]:
        return reveal_lines(reader, game, self.reveals)


class GuessHook(GameHook):
    """Resolves the guesses of a move, in the move's transaction."""

    def __init__(self, cases: UseCases) -> None:
        self._guesses = cases.store.queries(GuessTable)

    async def on_change(self, change: GameChange) -> TransactionStep | None:
        event = _answering_event(change.before, change.events)
        if event is None:
            return None

        async def answer(connection: AsyncConnection, row: GameRow) -> BoardAddition | None:
            guesses = await answer_guesses(connection, row.id, row.guild, event, change.at)
            return GuessAddition(reveals(guesses)) if guesses else None

        return answer

    async def reload(
        self, game: Game, events: Sequence[AppliedEvent], after: Revision, until: Revision
    ) -> BoardAddition | None:
        guesses = await self._guesses.answered(game.row.id, after=after, until=until)
        return GuessAddition(reveals(guesses)) if guesses else None

    async def purge(self, now: datetime) -> None:
        await self._guesses.forget(moves_until=now - KEPT)


def _answering_event(game: Game, events: Sequence[AppliedEvent]) -> AnsweringEvent | None:
    """Return the event that resolves guesses, or None if no guesses are possible."""
    if game.position.phase is not Phase.MOVEMENT:
        return None
    event = next((applied.event for applied in events if not applied.event.data.keeps_board), None)
    if event is None:
        return None
    move = event.data.move if isinstance(event.data, Moved) else None
    return AnsweringEvent(board=game.board_since, move=move, revision=event.revision)
