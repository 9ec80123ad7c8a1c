"""Badges, which are stored when a tournament ends."""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Queries
from club.tournaments.model.badges import EarnedBadge, winner
from club.tournaments.model.tournament import Tournament
from club.tournaments.schema import badges, tournaments

_of_player = (
    select(badges.c.earned_at, tournaments.c.name)
    .join_from(badges, tournaments, tournaments.c.id == badges.c.tournament_id)
    .where(badges.c.player_id == bindparam("player"))
    .order_by(badges.c.earned_at.desc(), badges.c.tournament_id.desc())
    .limit(bindparam("most"))
)
_of_player_here = _of_player.where(tournaments.c.guild_id == bindparam("guild"))
_forget = delete(badges).where(badges.c.tournament_id == bindparam("tournament"))


class BadgeTable(Queries):
    """The table of badges."""

    async def badges_of(self, player: UserId, guild: GuildId, *, most: int) -> list[EarnedBadge]:
        """Return a player's badges in a server, newest first, or in all servers with `NO_GUILD`."""
        statement = _of_player if guild == NO_GUILD else _of_player_here
        who = {"player": player, "most": most}
        if guild != NO_GUILD:
            who["guild"] = guild
        rows = await self._database.all(statement, who)
        return [EarnedBadge(name=row.name, earned_at=row.earned_at) for row in rows]


async def write_badge(connection: AsyncConnection, tournament: Tournament, at: datetime) -> None:
    """Store the winner of an ended tournament, in its transaction."""
    await connection.execute(_forget, {"tournament": tournament.id})
    if (player := winner(tournament)) is not None:
        values = {
            "tournament_id": tournament.id,
            "player_id": player,
            "earned_at": at,
        }
        await connection.execute(insert(badges), values)
