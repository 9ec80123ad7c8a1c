"""People from whom somebody wants no challenges."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from bot.base.ids import UserId
from bot.database.database import Database, lock, whole
from bot.play.model.terms import ChallengeRow, ChallengeState
from bot.play.store.challenges import as_challenge
from bot.play.store.schema import IS_OPEN, blocks, challenges

_of_player = (
    select(blocks.c.blocked_id)
    .where(blocks.c.player_id == bindparam("player"))
    .order_by(blocks.c.blocked_id)
)
_insert = insert(blocks)
_remove = delete(blocks).where(
    blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("other")
)
_cancel = (
    update(challenges)
    .where(
        IS_OPEN,
        challenges.c.challenger_id == bindparam("player"),
        challenges.c.opponent_id == bindparam("other"),
    )
    .values(state=ChallengeState.CANCELLED, answered_at=bindparam("at"))
    .returning(challenges)
)


class BlockTable:
    """The table of blocks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, player: UserId) -> list[UserId]:
        """Return the people whom a player has blocked."""
        rows = await self._database.all(_of_player, {"player": player})
        return [UserId(row.blocked_id) for row in rows]

    @whole
    async def add(
        self, player: UserId, other: UserId, *, at: datetime, check: Callable[[int], None]
    ) -> list[ChallengeRow]:
        """Block somebody, and take back what the player has challenged them to.

        `check` raises what forbids it, by how many others the player has blocked. To block somebody
        once more makes no difference.

        Returns:
            The challenges that are taken back.
        """
        async with self._database.transaction() as connection:
            # In this order accepting a challenge takes them, too: neither waits for the other.
            parameters = {"player": player, "other": other, "at": at}
            cancelled = (await connection.execute(_cancel, parameters)).all()
            await lock(connection, player)
            rows = (await connection.execute(_of_player, {"player": player})).all()
            if other not in (row.blocked_id for row in rows):
                check(len(rows))
                await connection.execute(_insert, {"player_id": player, "blocked_id": other})
        return [as_challenge(row) for row in cancelled]

    async def remove(self, player: UserId, other: UserId) -> None:
        """Block somebody no more."""
        await self._database.change(_remove, {"player": player, "other": other})
