"""Puzzles from a server's own games: there as long as both players of the game allow it."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import GameId, GuildId, UserId
from bot.database.database import Database, lock, whole
from bot.features.puzzles.schema import server_puzzles
from bot.play.store.schema import players
from dvonn.puzzles import Puzzle

_OF_SERVER = server_puzzles.c.guild_id == bindparam("guild")
_OF_PERSON = or_(
    server_puzzles.c.white_id == bindparam("player"),
    server_puzzles.c.black_id == bindparam("player"),
)

_one = select(server_puzzles.c.puzzle).where(
    _OF_SERVER, server_puzzles.c.puzzle_id == bindparam("puzzle")
)
_newest = (
    select(server_puzzles.c.puzzle)
    .where(_OF_SERVER)
    .order_by(server_puzzles.c.made_at.desc(), server_puzzles.c.puzzle_id)
    .limit(bindparam("most"))
)
_ids = select(server_puzzles.c.puzzle_id).where(_OF_SERVER)
_insert = insert(server_puzzles)
# Nobody takes back what they allow until the transaction's end; SQLite has one writer anyway.
_allowing = (
    select(players.c.player_id)
    .where(
        players.c.player_id.in_((bindparam("white"), bindparam("black"))),
        players.c.puzzles.is_(True),
    )
    .order_by(players.c.player_id)
    .with_for_update()
)
_erase_person = delete(server_puzzles).where(_OF_PERSON)


class ServerPuzzleTable:
    """The table of servers' own puzzles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @whole
    async def add(
        self,
        guild: GuildId,
        game: GameId,
        between: tuple[UserId, UserId],
        found: Iterable[Puzzle],
        *,
        at: datetime,
    ) -> int:
        """Keep the puzzles of a game, if both players allow it at this moment.

        Returns:
            How many are new to the server.
        """
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            white, black = between
            both = {"white": white, "black": black}
            if len((await connection.execute(_allowing, both)).all()) < len(both):
                return 0
            known = {row.puzzle_id for row in await connection.execute(_ids, {"guild": guild})}
            rows = [
                {
                    "guild_id": guild,
                    "puzzle_id": one.id,
                    "game_id": game,
                    "white_id": white,
                    "black_id": black,
                    "puzzle": one.to_json(),
                    "made_at": at,
                }
                for one in found
                if one.id not in known
            ]
            if rows:
                await connection.execute(_insert, rows)
        return len(rows)

    async def get(self, guild: GuildId, puzzle: str) -> Puzzle | None:
        """Return one of a server's own puzzles by its id; None where it is not there."""
        row = await self._database.first(_one, {"guild": guild, "puzzle": puzzle})
        return None if row is None else Puzzle.from_json(row.puzzle)

    async def newest(self, guild: GuildId, most: int) -> list[Puzzle]:
        """Return a server's newest puzzles of its own."""
        rows = await self._database.all(_newest, {"guild": guild, "most": most})
        return [Puzzle.from_json(row.puzzle) for row in rows]


async def take_back(connection: AsyncConnection, player: UserId) -> None:
    """Delete the puzzles from a player's games, within the transaction that forbids them."""
    await connection.execute(_erase_person, {"player": player})
