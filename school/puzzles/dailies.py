"""The puzzle of the day, which is posted at a place and time that moderators choose."""

from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Final

from sqlalchemy import Integer, Select, and_, bindparam, cast, delete, func, insert, select, update

from bot.base.ids import ChannelId, GuildId, Shards, UserId
from bot.base.zones import DailyTime, read_zone
from bot.database import database
from bot.database.connection import AsyncConnection
from bot.database.deliveries import insert_delivery, is_queued
from bot.database.delivery_rows import Delivery, DeliveryKind, NewDelivery
from bot.people.use_cases.choices import read_time
from bot.play.use_cases.use_cases import UseCases
from dvonn_lessons.puzzles import find
from school.puzzles import model
from school.puzzles.model import Daily, DailyAnswer, DailySetting, MonthRow
from school.puzzles.schema import daily_answers, daily_puzzles, daily_settings

_THIS_GUILD = daily_settings.c.guild_id == bindparam("guild")
_OF_GUILD = daily_puzzles.c.guild_id == bindparam("guild")
_ANSWERED_IN = daily_answers.c.guild_id == bindparam("guild")

_setting = select(daily_settings).where(_THIS_GUILD)
_stop = delete(daily_settings).where(_THIS_GUILD)
_stop_in = _stop.where(daily_settings.c.channel_id == bindparam("channel"))
_put_off = (
    update(daily_settings)
    .where(_THIS_GUILD, daily_settings.c.due_at == bindparam("seen"))
    .values(due_at=bindparam("until"))
)
_due = select(daily_settings).where(
    daily_settings.c.due_at <= bindparam("now"), database.guild_in_shards(daily_settings.c.guild_id)
)
_of_day = select(daily_puzzles).where(_OF_GUILD, daily_puzzles.c.day == bindparam("which"))
_before = (
    select(daily_puzzles)
    .where(_OF_GUILD, daily_puzzles.c.day < bindparam("which"))
    .order_by(daily_puzzles.c.day.desc())
    .limit(1)
)
_newest = select(func.max(daily_puzzles.c.day)).where(_OF_GUILD)
_answers = (
    select(daily_answers)
    .where(_ANSWERED_IN, daily_answers.c.day == bindparam("which"))
    .order_by(daily_answers.c.at, daily_answers.c.player_id)
)
_answer = select(daily_answers.c.solved).where(
    _ANSWERED_IN,
    daily_answers.c.day == bindparam("which"),
    daily_answers.c.player_id == bindparam("player"),
)
_month = (
    select(
        daily_answers.c.player_id,
        func.sum(cast(daily_answers.c.solved, Integer)).label("solved"),
        func.count().label("tries"),
    )
    .where(
        _ANSWERED_IN,
        and_(daily_answers.c.day >= bindparam("first"), daily_answers.c.day < bindparam("until")),
    )
    .group_by(daily_answers.c.player_id)
)


class DailyTable(database.Queries):
    """The tables of daily puzzles."""

    # Moderators' settings

    async def setting(self, guild: GuildId) -> DailySetting | None:
        """Return a server's settings, or None if it has no daily puzzles."""
        row = await self._database.first(_setting, {"guild": guild})
        return None if row is None else _as_setting(row)

    @database.shielded
    async def choose(self, setting: DailySetting) -> None:
        """Store a server's settings."""
        values = {
            "channel_id": setting.channel,
            "minute": setting.time.minute,
            "zone": setting.time.zone,
            "due_at": setting.due_at,
        }
        async with self._database.transaction() as connection:
            await database.upsert_for_guild(connection, daily_settings, setting.guild, values)

    async def stop(self, guild: GuildId, channel: ChannelId | None = None) -> None:
        stop, values = (_stop, {}) if channel is None else (_stop_in, {"channel": channel})
        await self._database.change(stop, {"guild": guild, **values})

    # Scheduling

    async def due(self, shards: Shards, now: datetime) -> list[DailySetting]:
        """Return the settings of the shards' servers whose next puzzle is due."""
        parameters = {"now": now, **database.shard_parameters(shards)}
        return [_as_setting(row) for row in await self._database.all(_due, parameters)]

    @database.shielded
    async def post(
        self,
        setting: DailySetting,
        daily: Daily,
        telling: NewDelivery,
        *,
        next_at: datetime,
        at: datetime,
    ) -> bool:
        """Store a day's puzzle and queue its delivery, in one transaction.

        Return False if the settings have changed since they were read, or if the day already has a
        puzzle.
        """
        of_day = {"guild": setting.guild, "which": daily.day.isoformat()}
        moved = {"guild": setting.guild, "seen": setting.due_at, "until": next_at}
        async with self._database.transaction() as connection:
            await database.lock(connection, setting.guild)
            if (await connection.execute(_put_off, moved)).rowcount != 1:
                return False
            row = (await connection.execute(_of_day, of_day)).first()
            if row is not None or await is_queued(connection, telling):
                return False
            values = {
                "guild_id": setting.guild,
                "day": daily.day.isoformat(),
                "puzzle_id": daily.puzzle,
                "posted_at": at,
            }
            await connection.execute(insert(daily_puzzles), values)
            await insert_delivery(connection, telling, at=at)
        return True

    # Posted puzzles

    async def of_day(self, guild: GuildId, day: date) -> Daily | None:
        return await self._first(_of_day, guild, day)

    async def previous(self, guild: GuildId, day: date) -> Daily | None:
        """Return a server's last puzzle before a given day."""
        return await self._first(_before, guild, day)

    async def newest(self, guild: GuildId) -> date | None:
        row = await self._database.first(_newest, {"guild": guild})
        return None if row is None or row[0] is None else date.fromisoformat(row[0])

    async def answers(self, guild: GuildId, day: date) -> list[DailyAnswer]:
        """Return the answers to a day's puzzle, in order."""
        rows = await self._database.all(_answers, {"guild": guild, "which": day.isoformat()})
        return [DailyAnswer(UserId(row.player_id), row.solved) for row in rows]

    async def month(self, guild: GuildId, first: date, until: date) -> list[MonthRow]:
        """Return players' results from `first` up to but not including `until`, best first."""
        days = {"first": first.isoformat(), "until": until.isoformat()}
        rows = await self._database.all(_month, {"guild": guild, **days})
        months = [MonthRow(UserId(row.player_id), row.solved, row.tries) for row in rows]
        return sorted(months, key=lambda row: (-row.solved, row.tries, row.player))

    async def _first(self, statement: Select[Any], guild: GuildId, day: date) -> Daily | None:
        parameters = {"guild": guild, "which": day.isoformat()}
        row = await self._database.first(statement, parameters)
        if row is None:
            return None
        return Daily(GuildId(row.guild_id), date.fromisoformat(row.day), row.puzzle_id)


async def is_open(connection: AsyncConnection, guild: GuildId, day: date) -> bool:
    """Return True if a day's puzzle is the server's newest. Call this in a transaction."""
    newest = (await connection.execute(_newest, {"guild": guild})).scalar()
    return bool(newest == day.isoformat())


async def add_answer(
    connection: AsyncConnection,
    guild: GuildId,
    day: date,
    player: UserId,
    at: datetime,
    *,
    solved: bool,
) -> None:
    """Record a player's first answer to a day's puzzle. Call this in a transaction."""
    of_answer = {"guild": guild, "which": day.isoformat(), "player": player}
    if (await connection.execute(_answer, of_answer)).first() is None:
        values = {
            "guild_id": guild,
            "day": day.isoformat(),
            "player_id": player,
            "solved": solved,
            "at": at,
        }
        await connection.execute(insert(daily_answers), values)


def _as_setting(row: database.AnyRow) -> DailySetting:
    return DailySetting(
        guild=GuildId(row.guild_id),
        channel=ChannelId(row.channel_id),
        time=DailyTime(row.minute, row.zone),
        due_at=row.due_at,
    )


DAILY: Final = DeliveryKind("daily")
_DAY: Final = "day"
_PUZZLE: Final = "puzzle"
_MORNING: Final = time(9)
_ZONE: Final = "UTC"
_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class DayResult:
    """A past puzzle of the day, with players' answers."""

    key: model.PuzzleKey
    answers: tuple[model.DailyAnswer, ...]


@dataclass(frozen=True, slots=True)
class DailyNews:
    """The content of the message that posts a puzzle of the day."""

    key: model.PuzzleKey
    before: DayResult | None
    """The previous puzzle and its answers, or None if there was none."""


class Dailies:
    """Use cases for daily puzzles: settings, due times and messages."""

    def __init__(self, cases: UseCases) -> None:
        self._table = cases.store.queries(DailyTable)
        self._now = cases.now

    # Settings

    async def choose(
        self, guild: GuildId, channel: ChannelId | None, hour: str | None, zone: str | None
    ) -> model.DailySetting:
        """Set up a server's daily puzzle.

        An argument of None keeps that setting. The default time is 9:00 UTC.

        Raises:
            BadTime, UnknownZone: if the time or zone is invalid.
            NoDailyPuzzle: if neither this call nor an earlier one chooses a channel.
        """
        setting = await self._table.setting(guild)
        if channel is None and setting is None:
            raise model.NoDailyPuzzle
        at = _MORNING if setting is None else setting.time.hour
        at = at if hour is None else read_time(hour)
        chosen_zone = _ZONE if setting is None else setting.time.zone
        chosen_zone = chosen_zone if zone is None else read_zone(zone)
        when = DailyTime.from_time(at, chosen_zone)
        chosen = model.DailySetting(
            guild=guild,
            channel=channel or (setting.channel if setting is not None else ChannelId(0)),
            time=when,
            due_at=when.next(self._now()),
        )
        await self._table.choose(chosen)
        return chosen

    # Posting

    async def due(self, shards: Shards) -> list[model.DailySetting]:
        return await self._table.due(shards, self._now())

    async def post(self, setting: model.DailySetting) -> bool:
        """Queue the message with a server's due puzzle. Return True if this call queued it.

        If several days were missed, only the latest day gets a puzzle.
        """
        now = self._now()
        day = setting.time.newest(now)
        daily = model.Daily(setting.guild, day, model.puzzle_of(day).id)
        telling = NewDelivery(
            kind=DAILY,
            key=f"{setting.guild}-{day.isoformat()}",
            guild=setting.guild,
            channel=setting.channel,
            data={_DAY: day.isoformat(), _PUZZLE: daily.puzzle},
        )
        next_at = setting.time.next(now)
        return await self._table.post(setting, daily, telling, next_at=next_at, at=now)

    async def news(self, row: Delivery) -> DailyNews | None:
        """Return the content of a delivery, or None if a later day already has a puzzle."""
        guild, day = row.guild, date.fromisoformat(row.data[_DAY])
        daily = await self._table.of_day(guild, day)
        if daily is None or await self._table.newest(guild) != day:
            return None
        before = await self._table.previous(guild, day)
        return DailyNews(_key(daily), None if before is None else await self._result(before))

    @staticmethod
    def key_of(row: Delivery) -> model.PuzzleKey:
        day = date.fromisoformat(row.data[_DAY])
        return _key(model.Daily(row.guild, day, row.data[_PUZZLE]))

    async def month(self, guild: GuildId, day: date) -> list[model.MonthRow]:
        """Return players' results in the month of a day, best first, without the open puzzle."""
        first = day.replace(day=1)
        years, month = divmod(first.month, _MONTHS)
        until = date(first.year + years, month + 1, 1)
        newest = await self._table.newest(guild)
        return await self._table.month(guild, first, min(until, newest or until))

    async def _result(self, daily: model.Daily) -> DayResult:
        answers = await self._table.answers(daily.guild, daily.day)
        return DayResult(_key(daily), tuple(answers))


def _key(daily: model.Daily) -> model.PuzzleKey:
    puzzle = find(daily.puzzle)
    assert puzzle is not None  # puzzles are never removed from the data # noqa: S101
    return model.PuzzleKey(puzzle, day=daily.day)
