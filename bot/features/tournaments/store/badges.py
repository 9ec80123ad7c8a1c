"""Badges: written with the end of a tournament, and again where a result is corrected later."""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import NO_GUILD, GuildId, UserId
from bot.database.database import Database
from bot.features.tournaments.model.badges import BadgeKind, EarnedBadge, earned
from bot.features.tournaments.model.terms import Tournament
from bot.features.tournaments.schema import badges, tournaments

_of_player = (
    select(
        badges.c.kind,
        badges.c.place,
        badges.c.earned_at,
        tournaments.c.season_id,
        tournaments.c.name,
    )
    .join_from(badges, tournaments, tournaments.c.id == badges.c.tournament_id)
    .where(badges.c.player_id == bindparam("player"))
    .order_by(badges.c.earned_at.desc(), badges.c.tournament_id.desc())
    .limit(bindparam("most"))
)
_of_player_here = _of_player.where(tournaments.c.guild_id == bindparam("guild"))
_forget = delete(badges).where(badges.c.tournament_id == bindparam("tournament"))
_insert = insert(badges)


class BadgeTable:
    """The table of badges."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, player: UserId, guild: GuildId, *, most: int) -> list[EarnedBadge]:
        """Return a player's newest badges in a server, newest first; `NO_GUILD`: in all of them."""
        statement = _of_player if guild == NO_GUILD else _of_player_here
        who = {"player": player, "most": most}
        if guild != NO_GUILD:
            who["guild"] = guild
        return [
            EarnedBadge(
                kind=BadgeKind(row.kind),
                place=row.place,
                season=row.season_id,
                name=row.name,
                earned_at=row.earned_at,
            )
            for row in await self._database.all(statement, who)
        ]


async def write_badges(connection: AsyncConnection, tournament: Tournament, at: datetime) -> None:
    """Write down who has earned what in a tournament that is over, within a transaction."""
    which = {"tournament": tournament.id}
    await connection.execute(_forget, which)
    for badge in earned(tournament):
        values = {
            "tournament_id": tournament.id,
            "player_id": badge.player,
            "kind": badge.kind,
            "place": badge.place,
            "earned_at": at,
        }
        await connection.execute(_insert, values)
