"""What players will place as soon as it is their turn."""

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.ids import GameId, Revision, UserId
from bot.model.lists import Plan
from bot.store.database import AnyRow, Conflict, Database, whole
from bot.store.schema import IS_RUNNING, games, plans
from dvonn import parse_point

_of_game = select(plans).where(plans.c.game_id == bindparam("game"))
_remove = delete(plans).where(
    plans.c.game_id == bindparam("game"), plans.c.player_id == bindparam("player")
)
_insert = insert(plans).values(
    game_id=bindparam("game"),
    player_id=bindparam("player"),
    spaces=bindparam("all_spaces"),
    else_next=bindparam("or_else"),
)
# Changes nothing; but until the transaction's end nobody else changes the game.
_lock_game = (
    update(games)
    .where(games.c.id == bindparam("game"), IS_RUNNING)
    .values(revision=games.c.revision)
    .returning(games.c.revision)
)


class PlansChanged(Exception):  # noqa: N818 - no error: somebody made a list meanwhile
    """The plans of a game are others than was thought."""

    def __init__(self, plans: Mapping[UserId, Plan]) -> None:
        super().__init__("the plans have changed")
        self.plans = plans


class PlanTable:
    """The table of plans."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, game: GameId) -> dict[UserId, Plan]:
        """The plans that stand for a game, by player."""
        return _plans(await self._database.all(_of_game, {"game": game}))

    @whole
    async def put(
        self, game: GameId, player: UserId, plan: Plan | None, *, revision: Revision
    ) -> None:
        """Write a player's plan down, in place of the one before, or remove it.

        Raises:
            Conflict: if the game is not running at this revision any more.
        """
        async with self._database.transaction() as connection:
            found = (await connection.execute(_lock_game, {"game": game})).scalar()
            if found != revision:
                raise Conflict(f"game {game} is at revision {found}")
            await _put(connection, game, player, plan)


async def change_plans(
    connection: AsyncConnection,
    game: GameId,
    thought: Mapping[UserId, Plan],
    after: Mapping[UserId, Plan],
) -> None:
    """Replace a game's plans within a transaction that has changed the game.

    Raises:
        PlansChanged: if they are not those that were thought to stand.
    """
    stand = _plans((await connection.execute(_of_game, {"game": game})).all())
    if stand != thought:
        raise PlansChanged(stand)
    for player in stand.keys() | after.keys():
        if after.get(player) != stand.get(player):
            await _put(connection, game, player, after.get(player))


async def _put(
    connection: AsyncConnection, game: GameId, player: UserId, plan: Plan | None
) -> None:
    whose = {"game": game, "player": player}
    await connection.execute(_remove, whose)
    if plan is not None:
        what = {"all_spaces": " ".join(plan.spaces), "or_else": plan.else_next}
        await connection.execute(_insert, whose | what)


def _plans(rows: Sequence[AnyRow]) -> dict[UserId, Plan]:
    return {
        UserId(row.player_id): Plan(tuple(map(parse_point, row.spaces.split())), row.else_next)
        for row in rows
    }
