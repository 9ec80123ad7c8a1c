"""The seam between the game and what players decide ahead: which moves are played by themselves.

The ledger asks it in each change: what is known of the decisions is followed through the events,
and compared in the transaction with what is kept. If that is something else, the ledger begins
again. Without a feature nobody decides anything ahead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.base.ids import GameId, UserId
from bot.play.game_changes import PlanNote, TransactionStep
from bot.play.model.events import AppliedEvent, Event
from bot.play.model.game import Game
from bot.play.model.typed import KeptPlan, TypedTurn, read_typed
from dvonn import Coordinates, Move, NotationError, NotationProblem, Position


class PlansInChange:
    """The decisions of a game's players on the way through one change: none here."""

    def take_next_move(self, game: Game) -> Move | None:
        """Take out the move that the player to move has decided on for this board, if any."""
        return None

    def follow(self, event: Event) -> None:
        """Follow an event of the change."""

    def transaction_step(self, after: Game) -> TransactionStep | None:
        """Return the work that keeps what still stands after the change.

        It raises `PlansChanged` if anything else is kept by then than was known.
        """
        return None

    def note_of(self, player: UserId, after: Game) -> PlanNote | None:
        """Return the note for a player on what stands of their decisions after the change."""
        return None


class GamePlans:
    """The decisions of a game's players as far as they are known: none here."""

    def in_change(
        self, game: Game, told: Sequence[AppliedEvent], new: KeptPlan | None, cleared: UserId | None
    ) -> PlansInChange:
        """Return what stands after the first events of a change.

        Args:
            game: The game before the change.
            told: The events of its actor's action, at least one.
            new: The actor's new decisions, in place of their old ones.
            cleared: The player whose decisions lapse by it.
        """
        return PlansInChange()


class PlansChanged(Exception):  # noqa: N818 - no error: somebody decided something meanwhile
    """The decisions of a game's players are other than was known."""

    def __init__(self, known: GamePlans) -> None:
        super().__init__("other decisions are kept")
        self.known = known


class Foresight:
    """Reads and keeps what players decide ahead. This one plays each move when it is typed."""

    def read(self, text: str, coordinates: Coordinates, position: Position) -> TypedTurn:
        """Read the text of the player to move.

        Raises:
            NotationError, IllegalMoveError, NotKept: if it cannot be played, or not be kept.
        """
        entry = read_typed(text, coordinates, position)
        if entry.plan is not None:
            raise NotationError(text, 0, NotationProblem.SEVERAL_MOVES)
        return TypedTurn(entry.moves)

    def known_plans(self, game: GameId) -> GamePlans:
        """Return the decisions that this process knows of. The transaction looks them up."""
        return GamePlans()

    def learn(self, game: GameId, kept: Mapping[UserId, Any]) -> None:
        """Note the decisions that are kept, so that a change takes equally long with and without.

        Otherwise its time would tell the other player of them.
        """
