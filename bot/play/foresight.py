"""The seam between the game and players' plans.

The ledger asks it in each change which moves are played next. The known plans follow the events,
and are compared with the stored ones in the transaction. If they differ, the ledger decides again.
Without a feature there are no plans.
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
    """The plans of a game's players during one change. This default has none."""

    def take_next_move(self, game: Game) -> Move | None:
        """Take out the move that the player to move has decided on for this board, if any."""
        return None

    def follow(self, event: Event) -> None:
        """Follow an event of the change."""

    def transaction_step(self, after: Game) -> TransactionStep | None:
        """Return the work that stores the rest of the plans after the change.

        It raises `PlansChanged` if the stored plans are not the known ones.
        """
        return None

    def note_of(self, player: UserId, after: Game) -> PlanNote | None:
        """Return the note for a player about the rest of their plan after the change."""
        return None


class GamePlans:
    """The known plans of a game's players. Here there are none."""

    def in_change(
        self, game: Game, told: Sequence[AppliedEvent], new: KeptPlan | None, cleared: UserId | None
    ) -> PlansInChange:
        """Return the rest of the plans after the first events of a change.

        Args:
            game: The game before the change.
            told: The events of its actor's action, at least one.
            new: The actor's new decisions, in place of their old ones.
            cleared: The player whose plans this change discards.
        """
        return PlansInChange()


class PlansChanged(Exception):  # noqa: N818 - no error: somebody decided something meanwhile
    """The stored plans of a game's players are not the known ones."""

    def __init__(self, known: GamePlans) -> None:
        super().__init__("other decisions are kept")
        self.known = known


class Foresight:
    """Reads and stores plans. This one plays each move when it is typed."""

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
        """Return the plans that this process knows. The transaction checks them."""
        return GamePlans()

    def learn(self, game: GameId, kept: Mapping[UserId, Any]) -> None:
        """Note the stored plans, so that a change takes equally long with and without a plan.

        Otherwise its duration would reveal the plan to the other player.
        """
