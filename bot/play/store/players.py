"""Users' own settings, and the languages and styles of places."""

from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, time
from typing import Any

from sqlalchemy import BigInteger, Boolean, String, and_, bindparam, delete, insert, select, update

from bot.base.ids import ChannelId, GuildId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow, Queries, lock, shielded
from bot.database.deliveries import insert_delivery
from bot.database.delivery_rows import NewDelivery
from bot.play.model import preferences
from bot.play.model.terms import ChallengeRow, ChallengeState
from bot.play.store.challenges import as_challenge
from bot.play.store.schema import (
    IS_OPEN,
    blocks,
    challenges,
    channel_settings,
    guild_settings,
    players,
)
from dvonn import Coordinates

_HOUR_MINUTES = 60

_of_player = select(players).where(players.c.player_id == bindparam("player"))
_locked = _of_player.with_for_update()  # SQLite allows only one writer at a time anyway
_insert = insert(players)
_update = update(players).where(players.c.player_id == bindparam("player"))
_digests_due = (
    select(players.c.player_id, players.c.digest_due)
    .where(players.c.digest_due <= bindparam("now"))
    .order_by(players.c.digest_due)
    .limit(100)
)
_reschedule_digest = (
    update(players)
    .where(players.c.player_id == bindparam("player"), players.c.digest_due == bindparam("seen"))
    .values(digest_due=bindparam("until"))
)
_set_digest = (
    update(players)
    .where(players.c.player_id == bindparam("player"))
    .values(digest_due=bindparam("until"))
)
_TEXT_COLUMNS = ("language", "theme")
"""Columns that store the name of a choice. They are empty for the default."""
_NOT_NULL = {switch.key: switch.default for switch in (preferences.MENTIONS, preferences.AUTOMATIC)}
"""Switches whose columns have a value even for the default."""
ChangeStep = Callable[
    [AsyncConnection, preferences.Preferences, preferences.Preferences], Awaitable[None]
]
"""Work in the transaction of a change. It receives the settings before and after."""


class PlayerTable(Queries):
    """The table of users' settings."""

    async def get(self, player: UserId) -> preferences.Preferences:
        return preferences_of(await self._database.first(_of_player, {"player": player}))

    async def digests_due(self, now: datetime) -> list[tuple[UserId, datetime]]:
        """Return the players whose digests are due, with the due times."""
        rows = await self._database.all(_digests_due, {"now": now})
        return [(UserId(row.player_id), row.digest_due) for row in rows]

    @shielded
    async def reschedule_digest(
        self,
        player: UserId,
        due_time: datetime,
        until: datetime | None,
        new: NewDelivery,
        at: datetime,
    ) -> bool:
        """Queue a digest and schedule the next one. Return False if another writer was faster."""
        values = {"player": player, "seen": due_time, "until": until}
        async with self._database.transaction() as connection:
            if (await connection.execute(_reschedule_digest, values)).rowcount != 1:
                return False
            await insert_delivery(connection, new, at=at)
        return True

    @shielded
    async def change(
        self,
        player: UserId,
        edit: Callable[[preferences.Preferences], preferences.Preferences],
        step: ChangeStep | None = None,
    ) -> preferences.Preferences:
        """Change a player's settings, starting from the stored ones.

        Raises:
            Conflict: if another process stored the player's first setting at the same moment.
        """
        async with self._database.transaction() as connection:
            row = (await connection.execute(_locked, {"player": player})).first()
            before = preferences_of(row)
            new_settings = edit(before)
            values = _values(new_settings)
            if row is None:
                await connection.execute(_insert, {"player_id": player, **values})
            else:
                await connection.execute(_update.values(values), {"player": player})
            if step is not None:
                await step(connection, before, new_settings)
        return new_settings


async def set_digest(connection: AsyncConnection, player: UserId, until: datetime | None) -> None:
    """Set a player's next digest time in the transaction that saves the setting."""
    await connection.execute(_set_digest, {"player": player, "until": until})


def preferences_of(row: AnyRow | None) -> preferences.Preferences:
    """Read settings from a row, with defaults for missing ones. None means all defaults."""
    if row is None:
        return preferences.Preferences()
    columns = {name: getattr(row, name) for name in _columns()}
    switched = {
        name: is_on
        for name, is_on in {**(row.switched or {}), **columns}.items()
        if is_on is not None and is_on != _NOT_NULL.get(name)
    }
    values: dict[str, Any] = {"switched": switched}
    if row.zone is not None:
        values["zone"] = row.zone
    if row.quiet_from is not None:
        values["quiet"] = preferences.QuietHours(_time(row.quiet_from), _time(row.quiet_until))
    if row.digest_at is not None:
        values["digest"] = _time(row.digest_at)
    if row.remind_by is not None:
        values["remind_by"] = preferences.RemindBy(row.remind_by)
    if row.remind_at is not None:
        values["remind_at"] = frozenset(map(preferences.RemindAhead, row.remind_at.split()))
    if row.coordinates is not None:
        values["coordinates"] = Coordinates(row.coordinates)
    texts = {name: getattr(row, name) for name in _TEXT_COLUMNS}
    values |= {name: value for name, value in texts.items() if value is not None}
    return preferences.Preferences(**values)


def _columns() -> Iterator[str]:
    """Yield the switches that have their own columns, which are empty for the default."""
    return (column.name for column in players.c if isinstance(column.type, Boolean))


def _values(settings: preferences.Preferences) -> dict[str, Any]:
    """Return the column values.

    Defaults are left empty, so that a later release can change them.
    """
    default = preferences.Preferences()
    columns = {name: settings.switched.get(name, _NOT_NULL.get(name)) for name in _columns()}
    return {
        **columns,
        "switched": {key: settings.switched[key] for key in settings.switched.keys() - columns}
        or None,
        "zone": None if settings.zone == default.zone else settings.zone,
        "quiet_from": None if settings.quiet is None else _minutes(settings.quiet.begins),
        "quiet_until": None if settings.quiet is None else _minutes(settings.quiet.ends),
        "digest_at": None if settings.digest is None else _minutes(settings.digest),
        "remind_by": None if settings.remind_by is default.remind_by else settings.remind_by,
        "remind_at": (
            None
            if settings.remind_at == default.remind_at
            else " ".join(
                setting for setting in preferences.RemindAhead if setting in settings.remind_at
            )
        ),
        "coordinates": None if settings.coordinates is None else settings.coordinates.value,
        **{
            name: None if (value := getattr(settings, name)) == getattr(default, name) else value
            for name in _TEXT_COLUMNS
        },
    }


def _minutes(of_day: time) -> int:
    return of_day.hour * _HOUR_MINUTES + of_day.minute


def _time(minutes: int) -> time:
    return time(*divmod(minutes, _HOUR_MINUTES))


_COLUMNS = ("language", "theme", "coordinates")
_GUILD = bindparam("guild", type_=BigInteger)
_CHANNEL = bindparam("channel", type_=BigInteger)
_here, _home = channel_settings.alias("here"), channel_settings.alias("home")
# A row that the others are joined to, because most places and people have no settings.
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
_of_channels = (
    select(channel_settings)
    .where(channel_settings.c.guild_id == _GUILD)
    .order_by(channel_settings.c.channel_id)
)
_delete_channel = delete(channel_settings).where(*_IN_CHANNEL)
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


class StyleTable(Queries):
    """The style columns of servers, and the table of channels."""

    async def of_place(
        self, guild: GuildId, channel: ChannelId, home: ChannelId
    ) -> preferences.Style:
        """Return the style of a channel or thread, with one small query.

        `home` is a thread's parent channel. For other channels it is the channel itself.
        """
        parameters = {"guild": guild, "channel": channel, "home": home}
        row = await self._database.first(_of_place, parameters, quick=True)
        assert row is not None  # the query always returns a row # noqa: S101
        return _in_place(row)

    async def of_person(
        self, player: UserId, guild: GuildId, channel: ChannelId, home: ChannelId
    ) -> tuple[preferences.Preferences, preferences.Style]:
        """Return a user's settings and the place's style, with one small query."""
        parameters = {"player": player, "guild": guild, "channel": channel, "home": home}
        row = await self._database.first(_of_person_there, parameters, quick=True)
        assert row is not None  # the query always returns a row # noqa: S101
        return preferences_of(None if row.player_id is None else row), _in_place(row)

    async def of_channel(self, guild: GuildId, channel: ChannelId) -> preferences.Style:
        row = await self._database.first(_of_channel, {"guild": guild, "channel": channel})
        return preferences.Style() if row is None else _style(row, "")

    async def of_channels(self, guild: GuildId) -> list[tuple[ChannelId, preferences.Style]]:
        """Return a server's channels that have their own settings."""
        rows = await self._database.all(_of_channels, {"guild": guild})
        return [(ChannelId(row.channel_id), _style(row, "")) for row in rows]

    async def of_server(self, guild: GuildId) -> preferences.Style:
        row = await self._database.first(_of_server, {"guild": guild})
        return preferences.Style() if row is None else _style(row, "")

    @shielded
    async def choose_for_channel(
        self, guild: GuildId, channel: ChannelId, style: preferences.Style
    ) -> None:
        """Store a channel's settings. A channel without settings has no row."""
        parameters = {"guild": guild, "channel": channel}
        async with self._database.transaction() as connection:
            await lock(connection, channel)
            await connection.execute(_delete_channel, parameters)
            if style != preferences.Style():
                row = {"guild_id": guild, "channel_id": channel, **_style_values(style)}
                await connection.execute(_add_channel, row)

    @shielded
    async def choose_for_server(self, guild: GuildId, style: preferences.Style) -> None:
        """Set a server's language and theme."""
        parameters = {"guild": guild, "new_language": style.language, "new_theme": style.theme}
        async with self._database.transaction() as connection:
            await lock(connection, guild)
            if (await connection.execute(_choose, parameters)).rowcount == 0:
                await connection.execute(_add_server, parameters)
                await connection.execute(_choose, parameters)


def _in_place(row: AnyRow) -> preferences.Style:
    return (
        _style(row, "here_").merged_into(_style(row, "home_")).merged_into(_style(row, "server_"))
    )


def _style(row: AnyRow, prefix: str) -> preferences.Style:
    language, theme, coordinates = (getattr(row, f"{prefix}{name}") for name in _COLUMNS)
    return preferences.Style(
        language=language,
        theme=theme,
        coordinates=None if coordinates is None else Coordinates(coordinates),
    )


def _style_values(style: preferences.Style) -> dict[str, str | None]:
    return {
        "language": style.language,
        "theme": style.theme,
        "coordinates": None if style.coordinates is None else style.coordinates.value,
    }


_blocked_by = (
    select(blocks.c.blocked_id)
    .where(blocks.c.player_id == bindparam("player"))
    .order_by(blocks.c.blocked_id)
)
_insert_block = insert(blocks)
_remove_block = delete(blocks).where(
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


class BlockTable(Queries):
    """The table of blocks."""

    async def blocked_by(self, player: UserId) -> list[UserId]:
        rows = await self._database.all(_blocked_by, {"player": player})
        return [UserId(row.blocked_id) for row in rows]

    @shielded
    async def add(
        self, player: UserId, other: UserId, *, at: datetime, check: Callable[[int], None]
    ) -> list[ChallengeRow]:
        """Block a user, and withdraw the player's challenges to them.

        `check` gets the number of existing blocks, and raises an error if another one is not
        allowed. Blocking someone twice makes no difference.
        """
        async with self._database.transaction() as connection:
            # Accepting a challenge locks rows in the same order, which prevents a deadlock.
            parameters = {"player": player, "other": other, "at": at}
            cancelled = (await connection.execute(_cancel, parameters)).all()
            await lock(connection, player)
            rows = (await connection.execute(_blocked_by, {"player": player})).all()
            if other not in (row.blocked_id for row in rows):
                check(len(rows))
                await connection.execute(_insert_block, {"player_id": player, "blocked_id": other})
        return [as_challenge(row) for row in cancelled]

    async def remove(self, player: UserId, other: UserId) -> None:
        await self._database.change(_remove_block, {"player": player, "other": other})
