"""Plays and updates players' plans when games change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.base.ids import GameId, Revision, UserId
from bot.base.languages import Reader
from bot.connection.bounded_cache import BoundedCache
from bot.database.connection import AsyncConnection
from bot.features.plans.model import tree
from bot.features.plans.model.parsing import parse_turn
from bot.features.plans.store import change_plans
from bot.features.plans.words.plan_texts import plan_kept as plan_kept_text
from bot.play.foresight import Foresight, GamePlans, PlansChanged, PlansInChange
from bot.play.game_changes import PlanNote, TransactionStep
from bot.play.model.events import AppliedEvent, Event
from bot.play.model.game import Game, GameRow
from bot.play.model.typed import KeptPlan, TypedTurn
from dvonn import Coordinates, Move, Position

Plans = Mapping[UserId, tree.PlanState]
_MAX_CACHED: Final = 1_000


@dataclass(frozen=True, slots=True)
class KeptPlanNote(PlanNote):
    """Tells a player that their plan is stored."""

    plan: tree.Plan

    def text(self, reader: Reader, game: Game, player: UserId) -> str:
        return plan_kept_text(reader, game, self.plan, player)


class PlansForesight(Foresight):
    """Plays planned moves."""

    def __init__(self) -> None:
        # Most games have no plans, so nothing is read for them. For the others, the transaction
        # reads them.
        self._known: BoundedCache[GameId, Plans] = BoundedCache(_MAX_CACHED)

    def read(self, text: str, coordinates: Coordinates, position: Position) -> TypedTurn:
        return parse_turn(text, coordinates, position)

    def known_plans(self, game: GameId) -> GamePlans:
        return _CachedPlans(self._known.get(game) or {}, self._known)

    def learn(self, game: GameId, stored_plans: Plans) -> None:
        learn_plans(self._known, game, stored_plans)


def learn_plans(cache: BoundedCache[GameId, Plans], game: GameId, stored_plans: Plans) -> None:
    """Cache a game's stored plans, if there are any."""
    if stored_plans:
        cache.put(game, stored_plans)
    else:
        cache.pop(game)


class _CachedPlans(GamePlans):
    """A game's stored plans, as this process last read them."""

    def __init__(self, plans: Plans, cache: BoundedCache[GameId, Plans]) -> None:
        self.plans = plans
        self._cache = cache

    def in_change(
        self,
        game: Game,
        events: Sequence[AppliedEvent],
        new: KeptPlan | None,
        cleared: UserId | None,
    ) -> PlansInChange:
        states = tree.plans_for_board(game, self.plans)
        if cleared is not None:
            states.pop(cleared, None)
        for event in events:
            tree.update_plans(states, event.event)
        newest = events[-1].event.revision
        if new is not None and (decided := tree.plan_state(tree.as_plan(new), newest)) is not None:
            states[events[0].event.actor] = decided
        return _ChangingPlans(self.plans, states, self._cache)


class _ChangingPlans(PlansInChange):
    """The plans of a game's players during a single change."""

    def __init__(
        self,
        known_plans: Plans,
        states: dict[UserId, tree.PlanState],
        cache: BoundedCache[GameId, Plans],
    ) -> None:
        self._known, self._states, self._cache = known_plans, states, cache
        self._rest: tuple[UserId, tree.PlanState] | None = None
        """The player whose planned move is being played, and the rest of their plan."""

    def take_next_move(self, game: Game) -> Move | None:
        player = game.to_move
        if player is None or player not in self._states:
            return None
        board = Revision(game.row.revision + 1)
        move, rest = tree.next_planned_move(self._states.pop(player), game.position, board)
        if rest is not None and move is None:
            self._states[player] = rest
        elif rest is not None:
            self._rest = player, rest
        return move

    def follow(self, event: Event) -> None:
        tree.update_plans(self._states, event)
        if self._rest is not None:
            player, rest = self._rest
            self._states[player], self._rest = rest, None

    def transaction_step(self, after: Game) -> TransactionStep | None:
        known_plans, cache = self._known, self._cache
        states = tree.lasting_plans(after, self._states)

        async def keep(connection: AsyncConnection, row: GameRow) -> None:
            stored_plans = await change_plans(connection, row.id, known_plans, states)
            if stored_plans != known_plans:
                raise PlansChanged(_CachedPlans(stored_plans, cache))
            learn_plans(cache, row.id, states)

        return keep

    def note_of(self, player: UserId, after: Game) -> KeptPlanNote | None:
        plan = tree.plan_in(tree.lasting_plans(after, self._states).get(player))
        return None if plan is None else KeptPlanNote(plan)
