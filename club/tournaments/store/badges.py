"""The badges of players, which are stored when a tournament ends."""

from datetime import datetime

from sqlalchemy import bindparam, select, update

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Queries
from club.tournaments.model.badges import EarnedBadge, winner
from club.tournaments.model.tournament import Tournament
from club.tournaments.schema import entrants, tournaments

_of_player = (
    select(entrants.c.earned_at, tournaments.c.name)
    .join_from(entrants, tournaments, tournaments.c.id == entrants.c.tournament_id)
    .where(entrants.c.player_id == bindparam("player"), entrants.c.earned_at.is_not(None))
    .order_by(entrants.c.earned_at.desc(), entrants.c.tournament_id.desc())
    .limit(bindparam("limit"))
)
_of_player_here = _of_player.where(tournaments.c.guild_id == bindparam("guild"))
_of_tournament = update(entrants).where(entrants.c.tournament_id == bindparam("tournament"))
_forget = _of_tournament.where(entrants.c.earned_at.is_not(None)).values(earned_at=None)
_earn = _of_tournament.where(entrants.c.player_id == bindparam("player")).values(
    earned_at=bindparam("at")
)


class BadgeTable(Queries):
    """Queries about badges."""

    async def badges_of(self, player: UserId, guild: GuildId, *, limit: int) -> list[EarnedBadge]:
        """Return a player's badges in a server, newest first, or in all servers with `NO_GUILD`."""
        statement = _of_player if guild == NO_GUILD else _of_player_here
        parameters = {"player": player, "limit": limit}
        if guild != NO_GUILD:
            parameters["guild"] = guild
        rows = await self._database.all(statement, parameters)
        return [EarnedBadge(name=row.name, earned_at=row.earned_at) for row in rows]


async def write_badge(connection: AsyncConnection, tournament: Tournament, at: datetime) -> None:
    """Store the winner of an ended tournament, in its transaction."""
    await connection.execute(_forget, {"tournament": tournament.id})
    if (player := winner(tournament)) is not None:
        earned = {"tournament": tournament.id, "player": player, "at": at}
        await connection.execute(_earn, earned)
