"""Servers: what their moderators have chosen, and how things stand for two who want to play."""

from collections.abc import Sequence
from typing import Any, Final, TypedDict, TypeVar, Unpack

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Update,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.database.database import AnyRow, Database, lock, whole
from bot.play.model.clock import TimeControl, clock_text
from bot.play.model.terms import (
    IN_A_ROW,
    Defaults,
    GuildChoice,
    GuildRules,
    OpenChallenge,
    Place,
    PlacementBoards,
    Standing,
    Start,
)
from bot.play.store.schema import (
    IS_OPEN,
    IS_RUNNING,
    challenges,
    game_channels,
    games,
    guild_settings,
)
from dvonn import Coordinates

_OWN: Final = {
    *("guild_id", "games_per_person", "placement_boards", "language", "theme"),
    *("start", "clock", "coordinates", "place", "rated"),
}
_OF_FEATURES: Final = [column for column in guild_settings.c if column.name not in _OWN]
# A row to hang the rest on: most servers have chosen nothing.
_guild = select(bindparam("guild", type_=BigInteger).label("id")).subquery("guild")
_chosen = (
    guild_settings.c.games_per_person,
    guild_settings.c.placement_boards,
    guild_settings.c.start,
    guild_settings.c.clock,
    guild_settings.c.coordinates,
    guild_settings.c.place,
    guild_settings.c.rated,
    *_OF_FEATURES,
    game_channels.c.channel_id.label("game_channel"),
)
_with_chosen = _guild.outerjoin(guild_settings, guild_settings.c.guild_id == _guild.c.id).outerjoin(
    game_channels, game_channels.c.guild_id == _guild.c.id
)
_rules = select(*_chosen).select_from(_with_chosen)


def _running(player: str) -> ColumnElement[int]:
    who = bindparam(player, type_=BigInteger)
    return (
        select(func.count())
        .where(
            IS_RUNNING,
            games.c.guild_id == _guild.c.id,
            or_(games.c.white_id == who, games.c.black_id == who),
        )
        .scalar_subquery()
    )


_challenger = bindparam("challenger", type_=BigInteger)
_made = challenges.alias("made")
_standing = (
    select(
        *_chosen,
        _running("challenger").label("challenger_games"),
        _running("opponent").label("opponent_games"),
        select(_made.c.created_at)
        .where(
            _made.c.guild_id == _guild.c.id,
            _made.c.challenger_id == _challenger,
        )
        .order_by(_made.c.created_at.desc())
        .offset(IN_A_ROW - 1)
        .limit(1)
        .scalar_subquery()
        .label("row_began"),
        challenges.c.id,
        challenges.c.channel_id,
        challenges.c.message_id,
        challenges.c.created_at,
    )
    .select_from(
        _with_chosen.outerjoin(
            challenges,
            and_(
                challenges.c.guild_id == _guild.c.id,
                challenges.c.challenger_id == _challenger,
                IS_OPEN,
            ),
        )
    )
    .order_by(challenges.c.id)
)
_remove_channel = delete(game_channels).where(
    game_channels.c.guild_id == bindparam("guild"), game_channels.c.channel_id == bindparam("place")
)
_remove_channels = delete(game_channels).where(game_channels.c.guild_id == bindparam("guild"))
_add_channel = insert(game_channels).values(
    guild_id=bindparam("guild"), channel_id=bindparam("place")
)
_add_guild = insert(guild_settings).values(guild_id=bindparam("guild"))
_choose = update(guild_settings).where(guild_settings.c.guild_id == bindparam("guild"))


T = TypeVar("T")


class GuildChoices(TypedDict, total=False):
    """Columns of a server's choices."""

    games_per_person: int
    placement_boards: PlacementBoards
    start: Start
    clock: str | None
    coordinates: str
    place: Place
    rated: bool


class GuildTable:
    """The tables of what moderators have chosen."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rules(self, guild: GuildId) -> GuildRules:
        """Return the choices for a server, with the defaults for the rest."""
        return _as_rules(await self._database.all(_rules, {"guild": guild}))

    @whole
    async def allow_channel(self, guild: GuildId, channel: ChannelId) -> None:
        """Let games be started in a channel, and from now on only in those so named."""
        parameters = {"guild": guild, "place": channel}
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            await connection.execute(_remove_channel, parameters)
            await connection.execute(_add_channel, parameters)

    async def forbid_channel(self, guild: GuildId, channel: ChannelId) -> None:
        """Name a channel no more. Where none is named any more, games may be started anywhere."""
        await self._database.change(_remove_channel, {"guild": guild, "place": channel})

    async def allow_every_channel(self, guild: GuildId) -> None:
        """Let games be started anywhere."""
        await self._database.change(_remove_channels, {"guild": guild})

    async def choose(self, guild: GuildId, **chosen: Unpack[GuildChoices]) -> None:
        """Set choices of a server; the others stay."""
        await self._change(guild, _choose.values(**chosen))

    async def choose_for(self, guild: GuildId, choice: GuildChoice[T], value: T) -> None:
        """Set a choice for a feature."""
        await self._change(guild, _choose.values({choice.column: value}))

    @whole
    async def _change(self, guild: GuildId, change: Update) -> None:
        parameters = {"guild": guild}
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            if (await connection.execute(change, parameters)).rowcount == 0:
                await connection.execute(_add_guild, parameters)
                await connection.execute(change, parameters)

    async def set_defaults(self, guild: GuildId, defaults: Defaults) -> None:
        """Choose how a game is where nobody says otherwise."""
        await self.choose(
            guild,
            start=defaults.start,
            clock=clock_text(defaults.clock),
            coordinates=defaults.coordinates.value,
            place=defaults.place,
            rated=defaults.rated,
        )


async def standing(
    connection: AsyncConnection, guild: GuildId, challenger: UserId, opponent: UserId | None
) -> Standing:
    """Count the games and challenges of two people, locked until the transaction's end."""
    await lock(connection, guild)
    result = await connection.execute(
        _standing, {"guild": guild, "challenger": challenger, "opponent": opponent}
    )
    rows = result.all()
    running = {challenger: rows[0].challenger_games}
    if opponent is not None:
        running[opponent] = rows[0].opponent_games
    return Standing(
        rules=_as_rules(rows),
        running=running,
        open_challenges=tuple(
            OpenChallenge(
                ChannelId(row.channel_id),
                None if row.message_id is None else MessageId(row.message_id),
                row.created_at,
            )
            for row in {row.id: row for row in rows if row.id is not None}.values()
        ),
        row_began=rows[0].row_began,
    )


def _as_rules(rows: Sequence[AnyRow]) -> GuildRules:
    """Read rows, one for each channel; one row without a channel where none is named."""
    channels = frozenset(
        ChannelId(row.game_channel) for row in rows if row.game_channel is not None
    )
    chosen: dict[str, Any] = {}
    if rows[0].games_per_person is not None:
        chosen["games_per_person"] = rows[0].games_per_person
    if rows[0].placement_boards is not None:
        chosen["placement_boards"] = PlacementBoards(rows[0].placement_boards)
    if rows[0].start is not None:
        chosen["defaults"] = Defaults(
            start=Start(rows[0].start).today,
            clock=TimeControl.from_text(rows[0].clock),
            coordinates=Coordinates(rows[0].coordinates),
            place=Place(rows[0].place),
            rated=rows[0].rated is not False,
        )
    others = {column.name: getattr(rows[0], column.name) for column in _OF_FEATURES}
    chosen["chosen"] = {name: value for name, value in others.items() if value is not None}
    return GuildRules(channels=channels, **chosen)
