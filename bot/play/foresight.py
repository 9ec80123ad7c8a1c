"""The interface between the game and players' plans.

In each change, the ledger asks it which moves to play next. The known plans are updated with each
event, and compared with the stored ones in the transaction. If they differ, the ledger decides
again. Without the feature `plans`, there are no plans.
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
    """The plans of a game's players during a change. This default has none."""

    def take_next_move(self, game: Game) -> Move | None:
        """Remove and return the move that the player to move has planned for this board, if any."""
        return None

    def follow(self, event: Event) -> None:
        """Update the plans after an event of the change."""

    def transaction_step(self, after: Game) -> TransactionStep | None:
        """Return the work that stores what is left of the plans after the change.

        It raises `PlansChanged` if the stored plans differ from the known ones.
        """
        return None

    def note_of(self, player: UserId, after: Game) -> PlanNote | None:
        """Return a note for a player about the rest of their plan after the change."""
        return None


class GamePlans:
    """The known plans of a game's players. This default has none."""

    def in_change(
        self,
        game: Game,
        events: Sequence[AppliedEvent],
        new: KeptPlan | None,
        cleared: UserId | None,
    ) -> PlansInChange:
        """Return the plans after the first events of a change.

        Args:
            game: The game before the change.
            events: The events of the actor's action, at least one.
            new: The actor's new plan, which replaces their old one.
            cleared: The player whose plan this change discards.
        """
        return PlansInChange()


class PlansChanged(Exception):  # noqa: N818 - not an error: a plan changed concurrently
    """The stored plans of a game's players differ from the known ones."""

    def __init__(self, plans: GamePlans) -> None:
        super().__init__("the stored plans are different")
        self.plans = plans


class Foresight:
    """Reads and stores plans. This default has none, and plays moves when they are typed."""

    def read(self, text: str, coordinates: Coordinates, position: Position) -> TypedTurn:
        """Parse text from the player to move.

        Raises:
            NotationError, IllegalMoveError, NotKept: if it can't be parsed, played or stored.
        """
        turn = read_typed(text, coordinates, position)
        if turn.plan is not None:
            raise NotationError(text, 0, NotationProblem.SEVERAL_MOVES)
        return turn

    def known_plans(self, game: GameId) -> GamePlans:
        """Return the plans that this process knows. The transaction verifies them."""
        return GamePlans()

    def learn(self, game: GameId, stored_plans: Mapping[UserId, Any]) -> None:
        """Record the stored plans, so that a change takes the same time with and without a plan.

        Otherwise, its duration would reveal the plan to the opponent.
        """
