"""The language and the look of boards of servers and their channels."""

from sqlalchemy import BigInteger, String, and_, bindparam, delete, insert, select, update

from bot.base.ids import ChannelId, GuildId, UserId
from bot.database.database import AnyRow, Database, lock, whole
from bot.play.model.preferences import Preferences, Style
from bot.play.store.players import preferences_of
from bot.play.store.schema.people import players
from bot.play.store.schema.servers import channel_settings, guild_settings
from dvonn import Coordinates

_COLUMNS = ("language", "theme", "coordinates")
_GUILD = bindparam("guild", type_=BigInteger)
_CHANNEL = bindparam("channel", type_=BigInteger)
_here, _home = channel_settings.alias("here"), channel_settings.alias("home")
# A row to hang the rest on: most places and people have chosen nothing.
_asked = select(_GUILD.label("id")).subquery("asked")
_places = (
    _asked.outerjoin(guild_settings, guild_settings.c.guild_id == _asked.c.id)
    .outerjoin(_here, and_(_here.c.guild_id == _asked.c.id, _here.c.channel_id == _CHANNEL))
    .outerjoin(
        _home,
        and_(
            _home.c.guild_id == _asked.c.id,
            _home.c.channel_id == bindparam("home", type_=BigInteger),
        ),
    )
)
_of_places = tuple(
    table.c[column].label(f"{name}_{column}")
    for name, table in (("here", _here), ("home", _home), ("server", guild_settings))
    for column in _COLUMNS
)
_of_place = select(*_of_places).select_from(_places)
_of_person_there = select(players, *_of_places).select_from(
    _places.outerjoin(players, players.c.player_id == bindparam("player", type_=BigInteger))
)
_IN_CHANNEL = (channel_settings.c.guild_id == _GUILD, channel_settings.c.channel_id == _CHANNEL)
_of_channel = select(*(channel_settings.c[column] for column in _COLUMNS)).where(*_IN_CHANNEL)
_forget_channel = delete(channel_settings).where(*_IN_CHANNEL)
_add_channel = insert(channel_settings)
_of_server = select(*(guild_settings.c[column] for column in _COLUMNS)).where(
    guild_settings.c.guild_id == _GUILD
)
_add_server = insert(guild_settings).values(guild_id=_GUILD)
_choose = (
    update(guild_settings)
    .where(guild_settings.c.guild_id == _GUILD)
    .values(
        language=bindparam("new_language", type_=String),
        theme=bindparam("new_theme", type_=String),
    )
)


class StyleTable:
    """The columns of servers and the table of channels."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_place(self, guild: GuildId, channel: ChannelId, home: ChannelId) -> Style:
        """Return the style of a channel or thread, by one small query.

        Args:
            guild: The server.
            channel: The channel or thread.
            home: The channel that a thread is in; for a channel, itself.
        """
        where = {"guild": guild, "channel": channel, "home": home}
        row = await self._database.first(_of_place, where)
        assert row is not None  # it hangs on what was asked for  # noqa: S101
        return _in_place(row)

    async def of_person(
        self, player: UserId, guild: GuildId, channel: ChannelId, home: ChannelId
    ) -> tuple[Preferences, Style]:
        """Return somebody's choices, and the style of the place, by one small query."""
        where = {"player": player, "guild": guild, "channel": channel, "home": home}
        row = await self._database.first(_of_person_there, where)
        assert row is not None  # it hangs on what was asked for  # noqa: S101
        return preferences_of(None if row.player_id is None else row), _in_place(row)

    async def of_channel(self, guild: GuildId, channel: ChannelId) -> Style:
        """Return the choices for a channel itself."""
        row = await self._database.first(_of_channel, {"guild": guild, "channel": channel})
        return Style() if row is None else _style(row, "")

    async def of_server(self, guild: GuildId) -> Style:
        """Return the choices for a server itself; its coordinates are those of its usual game."""
        row = await self._database.first(_of_server, {"guild": guild})
        return Style() if row is None else _style(row, "")

    @whole
    async def choose_for_channel(self, guild: GuildId, channel: ChannelId, style: Style) -> None:
        """Choose anew for a channel; nothing is kept of one that has chosen nothing."""
        where = {"guild": guild, "channel": channel}
        async with self._database.transaction() as connection:
            await lock(connection, channel)
            await connection.execute(_forget_channel, where)
            if style != Style():
                row = {"guild_id": guild, "channel_id": channel, **_values(style)}
                await connection.execute(_add_channel, row)

    @whole
    async def choose_for_server(self, guild: GuildId, style: Style) -> None:
        """Choose language and theme anew for a server."""
        chosen = {"guild": guild, "new_language": style.language, "new_theme": style.theme}
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            if (await connection.execute(_choose, chosen)).rowcount == 0:
                await connection.execute(_add_server, chosen)
                await connection.execute(_choose, chosen)


def _in_place(row: AnyRow) -> Style:
    return _style(row, "here_").within(_style(row, "home_")).within(_style(row, "server_"))


def _style(row: AnyRow, prefix: str) -> Style:
    language, theme, coordinates = (getattr(row, f"{prefix}{name}") for name in _COLUMNS)
    return Style(
        language=language,
        theme=theme,
        coordinates=None if coordinates is None else Coordinates(coordinates),
    )


def _values(style: Style) -> dict[str, str | None]:
    return {
        "language": style.language,
        "theme": style.theme,
        "coordinates": None if style.coordinates is None else style.coordinates.value,
    }
