"""Applies players' plans when games change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.base.ids import GameId, Revision, UserId
from bot.base.languages import Reader
from bot.connection.bounded_cache import BoundedCache
from bot.database.connection import AsyncConnection
from bot.features.plans.model import tree
from bot.features.plans.model.parsing import read_turn
from bot.features.plans.store import change_plans
from bot.features.plans.words.told import plan_kept as told_kept
from bot.play.foresight import Foresight, GamePlans, PlansChanged, PlansInChange
from bot.play.game_changes import PlanNote, TransactionStep
from bot.play.model.events import AppliedEvent, Event
from bot.play.model.game import Game, GameRow
from bot.play.model.typed import KeptPlan, TypedTurn
from dvonn import Coordinates, Move, Position

Plans = Mapping[UserId, tree.PlanState]
_MOST_KNOWN: Final = 1_000


@dataclass(frozen=True, slots=True)
class KeptPlanNote(PlanNote):
    """The note on a stored plan."""

    plan: tree.Plan

    def text(self, reader: Reader, game: Game, player: UserId) -> str:
        return told_kept(reader, game, self.plan, player)


class PlansForesight(Foresight):
    """Plays planned moves."""

    def __init__(self) -> None:
        # Most games have no plans, so nothing is read for them. For the others, the transaction
        # reads them.
        self._known: BoundedCache[GameId, Plans] = BoundedCache(_MOST_KNOWN)

    def read(self, text: str, coordinates: Coordinates, position: Position) -> TypedTurn:
        return read_turn(text, coordinates, position)

    def known_plans(self, game: GameId) -> GamePlans:
        return KnownPlans(self._known.get(game) or {}, self._known)

    def learn(self, game: GameId, kept: Plans) -> None:
        learn_plans(self._known, game, kept)


def learn_plans(cache: BoundedCache[GameId, Plans], game: GameId, kept: Plans) -> None:
    """Cache a game's stored plans, if there are any."""
    if kept:
        cache.put(game, kept)
    else:
        cache.pop(game)


class KnownPlans(GamePlans):
    """A game's stored plans, as far as this process knows them."""

    def __init__(self, plans: Plans, cache: BoundedCache[GameId, Plans]) -> None:
        self.plans = plans
        self._cache = cache

    def in_change(
        self, game: Game, told: Sequence[AppliedEvent], new: KeptPlan | None, cleared: UserId | None
    ) -> PlansInChange:
        stand = tree.that_go_on(game, self.plans)
        if cleared is not None:
            stand.pop(cleared, None)
        for event in told:
            tree.stand_after(stand, event.event)
        newest = told[-1].event.revision
        if new is not None and (decided := tree.decided(tree.ahead_in(new), newest)) is not None:
            stand[told[0].event.actor] = decided
        return PlansStand(self.plans, stand, self._cache)


class PlansStand(PlansInChange):
    """The plans during a single change."""

    def __init__(
        self,
        known: Plans,
        stand: dict[UserId, tree.PlanState],
        cache: BoundedCache[GameId, Plans],
    ) -> None:
        self._known, self._stand, self._cache = known, stand, cache
        self._rest: tuple[UserId, tree.PlanState] | None = None
        """The rest of a plan once its due move is played."""

    def take_next_move(self, game: Game) -> Move | None:
        player = game.to_move
        if player is None or player not in self._stand:
            return None
        board = Revision(game.row.revision + 1)
        move, rest = tree.next_planned_move(self._stand.pop(player), game.position, board)
        if rest is not None and move is None:
            self._stand[player] = rest
        elif rest is not None:
            self._rest = player, rest
        return move

    def follow(self, event: Event) -> None:
        tree.stand_after(self._stand, event)
        if self._rest is not None:
            player, rest = self._rest
            self._stand[player], self._rest = rest, None

    def transaction_step(self, after: Game) -> TransactionStep | None:
        known, cache = self._known, self._cache
        stand = tree.that_can_stand(after, self._stand)

        async def keep(connection: AsyncConnection, row: GameRow) -> None:
            found = await change_plans(connection, row.id, known, stand)
            if found != known:
                raise PlansChanged(KnownPlans(found, cache))
            learn_plans(cache, row.id, stand)

        return keep

    def note_of(self, player: UserId, after: Game) -> KeptPlanNote | None:
        kept = tree.ahead_of(tree.that_can_stand(after, self._stand).get(player))
        return None if kept is None else KeptPlanNote(kept)
