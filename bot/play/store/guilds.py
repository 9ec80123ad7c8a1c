"""Servers: their moderators' settings, and the limits for two people who want to play."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, TypedDict, TypeVar, Unpack

import sqlalchemy as sa

from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Queries, lock, shielded
from bot.play.model import terms
from bot.play.model.clock import TimeControl, clock_text
from bot.play.store import schema
from bot.play.store.server_blocks import as_blocks
from dvonn import Coordinates

_CORE: Final = {
    *("guild_id", "games_per_person", "placement_boards", "language", "theme"),
    *("start", "clock", "coordinates", "place", "rated"),
}
_FEATURE_COLUMNS: Final = [column for column in schema.guild_settings.c if column.name not in _CORE]
# A row that the others are joined to, because most servers have no settings.
_guild = sa.select(sa.bindparam("guild", type_=sa.BigInteger).label("id")).subquery("guild")
_chosen = (
    schema.guild_settings.c.games_per_person,
    schema.guild_settings.c.placement_boards,
    schema.guild_settings.c.start,
    schema.guild_settings.c.clock,
    schema.guild_settings.c.coordinates,
    schema.guild_settings.c.place,
    schema.guild_settings.c.rated,
    *_FEATURE_COLUMNS,
    schema.game_channels.c.channel_id.label("game_channel"),
)
_with_chosen = _guild.outerjoin(
    schema.guild_settings, schema.guild_settings.c.guild_id == _guild.c.id
).outerjoin(schema.game_channels, schema.game_channels.c.guild_id == _guild.c.id)
_rules = sa.select(*_chosen).select_from(_with_chosen)


def _running(player: str) -> sa.ColumnElement[int]:
    player_id = sa.bindparam(player, type_=sa.BigInteger)
    return (
        sa.select(sa.func.count())
        .where(
            schema.IS_RUNNING,
            schema.games.c.guild_id == _guild.c.id,
            sa.or_(schema.games.c.white_id == player_id, schema.games.c.black_id == player_id),
        )
        .scalar_subquery()
    )


_challenger = sa.bindparam("challenger", type_=sa.BigInteger)
_made = schema.challenges.alias("made")
_start_limits = (
    sa.select(
        *_chosen,
        _running("challenger").label("challenger_games"),
        _running("opponent").label("opponent_games"),
        sa.select(_made.c.created_at)
        .where(
            _made.c.guild_id == _guild.c.id,
            _made.c.challenger_id == _challenger,
        )
        .order_by(_made.c.created_at.desc())
        .offset(terms.IN_A_ROW - 1)
        .limit(1)
        .scalar_subquery()
        .label("row_began"),
        schema.challenges.c.id,
        schema.challenges.c.channel_id,
        schema.challenges.c.message_id,
        schema.challenges.c.created_at,
        schema.server_blocks.c.player_id,
        schema.server_blocks.c.until_at,
        schema.server_blocks.c.reason,
    )
    .select_from(
        _with_chosen.outerjoin(
            schema.challenges,
            sa.and_(
                schema.challenges.c.guild_id == _guild.c.id,
                schema.challenges.c.challenger_id == _challenger,
                schema.IS_OPEN,
            ),
        ).outerjoin(
            schema.server_blocks,
            sa.and_(
                schema.server_blocks.c.guild_id == _guild.c.id,
                schema.server_blocks.c.player_id.in_(sa.bindparam("people", expanding=True)),
                schema.server_blocks.c.until_at > sa.bindparam("now"),
            ),
        )
    )
    .order_by(schema.challenges.c.id)
)
_remove_channel = sa.delete(schema.game_channels).where(
    schema.game_channels.c.guild_id == sa.bindparam("guild"),
    schema.game_channels.c.channel_id == sa.bindparam("place"),
)
_remove_channels = sa.delete(schema.game_channels).where(
    schema.game_channels.c.guild_id == sa.bindparam("guild")
)
_add_channel = sa.insert(schema.game_channels).values(
    guild_id=sa.bindparam("guild"), channel_id=sa.bindparam("place")
)
_add_guild = sa.insert(schema.guild_settings).values(guild_id=sa.bindparam("guild"))
_choose = sa.update(schema.guild_settings).where(
    schema.guild_settings.c.guild_id == sa.bindparam("guild")
)


T = TypeVar("T")


class GuildChoices(TypedDict, total=False):
    """Columns of a server's settings."""

    games_per_person: int
    placement_boards: terms.PlacementBoards
    start: terms.Start
    clock: str | None
    coordinates: str
    place: terms.Place
    rated: bool


class GuildTable(Queries):
    """Tables of moderators' settings."""

    async def rules(self, guild: GuildId) -> terms.GuildRules:
        """Return a server's settings, with defaults for missing ones."""
        return _as_rules(await self._database.all(_rules, {"guild": guild}))

    @shielded
    async def allow_channel(self, guild: GuildId, channel: ChannelId) -> None:
        """Allow games in a channel. From now on, games need a channel that is allowed this way."""
        parameters = {"guild": guild, "place": channel}
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            await connection.execute(_remove_channel, parameters)
            await connection.execute(_add_channel, parameters)

    async def forbid_channel(self, guild: GuildId, channel: ChannelId) -> None:
        """Remove a channel from those in which games are allowed.

        If the list becomes empty, games can be started anywhere.
        """
        await self._database.change(_remove_channel, {"guild": guild, "place": channel})

    async def allow_every_channel(self, guild: GuildId) -> None:
        await self._database.change(_remove_channels, {"guild": guild})

    async def choose(self, guild: GuildId, **choices: Unpack[GuildChoices]) -> None:
        await self._change(guild, _choose.values(**choices))

    async def choose_for(self, guild: GuildId, choice: terms.GuildChoice[T], value: T) -> None:
        await self._change(guild, _choose.values({choice.column: value}))

    @shielded
    async def _change(self, guild: GuildId, change: sa.Update) -> None:
        parameters = {"guild": guild}
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            if (await connection.execute(change, parameters)).rowcount == 0:
                await connection.execute(_add_guild, parameters)
                await connection.execute(change, parameters)

    async def set_defaults(self, guild: GuildId, defaults: terms.Defaults) -> None:
        """Set a server's defaults for new games."""
        await self.choose(
            guild,
            start=defaults.start,
            clock=clock_text(defaults.clock),
            coordinates=defaults.coordinates.value,
            place=defaults.place,
            rated=defaults.rated,
        )


async def start_limits(
    connection: AsyncConnection,
    guild: GuildId,
    challenger: UserId,
    opponent: UserId | None,
    *,
    at: datetime,
    invited: UserId | None = None,
) -> terms.StartLimits:
    """Count two people's games and challenges, locking them until the end of the transaction.

    `invited` is a person who hasn't accepted yet, so only a block of them matters.
    """
    await lock(connection, guild)
    parameters = {"guild": guild, "challenger": challenger, "opponent": opponent}
    people = [user for user in (challenger, opponent, invited) if user is not None]
    result = await connection.execute(_start_limits, {**parameters, "people": people, "now": at})
    rows = result.all()
    running = {challenger: rows[0].challenger_games}
    if opponent is not None:
        running[opponent] = rows[0].opponent_games
    return terms.StartLimits(
        rules=_as_rules(rows),
        running=running,
        open_challenges=tuple(
            terms.OpenChallenge(
                ChannelId(row.channel_id),
                None if row.message_id is None else MessageId(row.message_id),
                row.created_at,
            )
            for row in {row.id: row for row in rows if row.id is not None}.values()
        ),
        row_began=rows[0].row_began,
        blocked=tuple(as_blocks(row for row in rows if row.player_id is not None)),
    )


def _as_rules(rows: Sequence[AnyRow]) -> terms.GuildRules:
    """Read the settings from rows: one per channel, or a single one without a channel."""
    channels = frozenset(
        ChannelId(row.game_channel) for row in rows if row.game_channel is not None
    )
    values: dict[str, Any] = {}
    if rows[0].games_per_person is not None:
        values["games_per_person"] = rows[0].games_per_person
    if rows[0].placement_boards is not None:
        values["placement_boards"] = terms.PlacementBoards(rows[0].placement_boards)
    if rows[0].start is not None:
        values["defaults"] = terms.Defaults(
            start=terms.Start(rows[0].start),
            clock=TimeControl.from_text(rows[0].clock),
            coordinates=Coordinates(rows[0].coordinates),
            place=terms.Place(rows[0].place),
            rated=rows[0].rated is not False,
        )
    feature_values = {column.name: getattr(rows[0], column.name) for column in _FEATURE_COLUMNS}
    values["chosen"] = {name: value for name, value in feature_values.items() if value is not None}
    return terms.GuildRules(channels=channels, **values)
