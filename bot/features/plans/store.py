"""Queries about stored plans."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from bot.base.ids import GameId, Revision, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Conflict, Queries, shielded
from bot.features.plans.model.tree import PlanState, from_json, to_json
from bot.features.plans.schema import plans
from bot.play.model.typed import PlacementList
from bot.play.store.schema import IS_RUNNING, games
from dvonn import parse_point

_of_game = select(plans).where(plans.c.game_id == bindparam("game"))
_remove = delete(plans).where(
    plans.c.game_id == bindparam("game"), plans.c.player_id == bindparam("player")
)
_insert_plan = insert(plans).values(
    game_id=bindparam("game"),
    player_id=bindparam("player"),
    spaces=bindparam("all_spaces"),
    else_next=bindparam("or_else"),
    tree=bindparam("kept_tree"),
)
# Changes nothing, but locks the game until the transaction ends.
_lock_game = (
    update(games)
    .where(games.c.id == bindparam("game"), IS_RUNNING)
    .values(revision=games.c.revision)
    .returning(games.c.revision)
)


class PlanTable(Queries):
    """The table of plans."""

    async def of_game(self, game: GameId) -> dict[UserId, PlanState]:
        return _plans(await self._database.all(_of_game, {"game": game}))

    @shielded
    async def put(
        self, game: GameId, player: UserId, plan: PlanState | None, *, revision: Revision
    ) -> Mapping[UserId, PlanState]:
        """Store a player's plan in place of their old one, or remove it.

        Return all plans of the game.

        Raises:
            Conflict: if the game is no longer at this revision.
        """
        async with self._database.transaction() as connection:
            current_revision = (await connection.execute(_lock_game, {"game": game})).scalar()
            if current_revision != revision:
                raise Conflict(f"game {game} is at revision {current_revision}")
            await _put_plan(connection, game, player, plan)
            return await _read_plans(connection, game)


async def change_plans(
    connection: AsyncConnection,
    game: GameId,
    known_plans: Mapping[UserId, PlanState],
    after: Mapping[UserId, PlanState],
) -> Mapping[UserId, PlanState]:
    """Replace a game's plans in the transaction that changes the game.

    Return the stored plans. If they differ from `known_plans`, nothing changes.
    """
    current_plans = await _read_plans(connection, game)
    if current_plans == known_plans:
        for player in current_plans.keys() | after.keys():
            if after.get(player) != current_plans.get(player):
                await _put_plan(connection, game, player, after.get(player))
    return current_plans


async def _read_plans(connection: AsyncConnection, game: GameId) -> dict[UserId, PlanState]:
    return _plans((await connection.execute(_of_game, {"game": game})).all())


async def _put_plan(
    connection: AsyncConnection, game: GameId, player: UserId, plan: PlanState | None
) -> None:
    key = {"game": game, "player": player}
    await connection.execute(_remove, key)
    if plan is not None:
        await connection.execute(_insert_plan, key | _values(plan))


def _values(plan: PlanState) -> dict[str, Any]:
    if isinstance(plan, PlacementList):
        spaces = " ".join(plan.spaces)
        return {"all_spaces": spaces, "or_else": plan.else_next, "kept_tree": None}
    return {"all_spaces": "", "or_else": False, "kept_tree": to_json(plan)}


def _plans(rows: Sequence[AnyRow]) -> dict[UserId, PlanState]:
    return {
        UserId(row.player_id): (
            PlacementList(tuple(map(parse_point, row.spaces.split())), row.else_next)
            if row.tree is None
            else from_json(row.tree)
        )
        for row in rows
    }
