"""Seasons, each month once; and badges, written with the end of a tournament."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import NO_GUILD, ChannelId, GuildId, Shards, UserId
from bot.database import database
from bot.database.deliveries import put
from bot.database.delivery_rows import NewDelivery
from bot.features.tournaments.model.seasons import BadgeKind, EarnedBadge, SeasonSetting, earned
from bot.features.tournaments.model.tournament import Tournament
from bot.features.tournaments.schema import badges, seasons, tournaments
from bot.features.tournaments.store.rows import put_tournament

_MOST = 100
"""So many servers are looked at in one go."""
_THIS_GUILD = seasons.c.guild_id == bindparam("guild")
_setting = select(seasons).where(_THIS_GUILD)
_stop = delete(seasons).where(_THIS_GUILD)
_stop_in = _stop.where(seasons.c.channel_id == bindparam("channel"))
_put_off = (
    update(seasons)
    .where(_THIS_GUILD, seasons.c.due_at == bindparam("seen"))
    .values(due_at=bindparam("until"))
)
_due = (
    select(seasons)
    .where(seasons.c.due_at <= bindparam("now"), database.guild_in_shards(seasons.c.guild_id))
    .order_by(seasons.c.due_at)
    .limit(_MOST)
)
Tell = Callable[[Tournament], NewDelivery]


class SeasonTable(database.Queries):
    """The table of seasons."""

    async def setting(self, guild: GuildId) -> SeasonSetting | None:
        row = await self._database.first(_setting, {"guild": guild})
        return None if row is None else _as_setting(row)

    @database.whole
    async def choose(self, setting: SeasonSetting) -> None:
        """Let a server have its seasons so from now on."""
        values = {
            "channel_id": setting.channel,
            "zone": setting.zone,
            "level": setting.level,
            "due_at": setting.due_at,
        }
        async with self._database.transaction() as connection:
            await database.choose_for_guild(connection, seasons, setting.guild, values)

    async def stop(self, guild: GuildId) -> None:
        await self._database.change(_stop, {"guild": guild})

    async def stop_in(self, guild: GuildId, channel: ChannelId) -> None:
        await self._database.change(_stop_in, {"guild": guild, "channel": channel})

    async def due(self, shards: Shards, now: datetime) -> list[SeasonSetting]:
        parameters = {"now": now, **database.shard_parameters(shards)}
        return [_as_setting(row) for row in await self._database.all(_due, parameters)]

    @database.whole
    async def go_on(
        self,
        seen: SeasonSetting,
        new: Sequence[Tournament],
        tell: Tell,
        *,
        next_at: datetime,
        at: datetime,
    ) -> bool:
        """Write down the tournaments that begin now, with what tells of them: all or nothing.

        Returns False where another process was quicker, or the choice has changed since it was
        seen.
        """
        moved = {"guild": seen.guild, "seen": seen.due_at, "until": next_at}
        try:
            async with self._database.transaction() as connection:
                await database.lock(connection, seen.guild)
                if (await connection.execute(_put_off, moved)).rowcount != 1:
                    return False
                for one in new:
                    made = await put_tournament(connection, one, source=None, at=at)
                    await put(connection, tell(made), at=at)
        except database.Conflict:  # the month has had one of them: it is looked at anew
            return False
        return True


def _as_setting(row: database.AnyRow) -> SeasonSetting:
    return SeasonSetting(
        guild=GuildId(row.guild_id),
        channel=ChannelId(row.channel_id),
        zone=row.zone,
        level=row.level,
        due_at=row.due_at,
    )


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


class BadgeTable(database.Queries):
    """The table of badges."""

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
        await connection.execute(insert(badges), values)
