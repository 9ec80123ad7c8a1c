"""The puzzle of the day: moderators choose where and when, and it is posted once a day."""

from dataclasses import dataclass
from datetime import date, time
from typing import Final

from bot.base.ids import ChannelId, GuildId, Shards
from bot.base.zones import DailyTime, read_zone
from bot.database.delivery_rows import Delivery, DeliveryKind, NewDelivery
from bot.features.puzzles import model
from bot.features.puzzles.store.dailies import DailyTable
from bot.play.use_cases.preferences import read_time
from bot.play.use_cases.registry import UseCases
from dvonn.puzzles import find

DAILY: Final = DeliveryKind("daily")
_DAY: Final = "day"
_PUZZLE: Final = "puzzle"
_MORNING: Final = time(9)
_ZONE: Final = "UTC"
_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class DayResult:
    """A puzzle of the day that is over, and who has answered it."""

    key: model.PuzzleKey
    answers: tuple[model.DailyAnswer, ...]


@dataclass(frozen=True, slots=True)
class DailyNews:
    """The news that a server gets with the puzzle of a day."""

    key: model.PuzzleKey
    before: DayResult | None
    """The one before; None where there was none."""


class Dailies:
    """The daily puzzles: chosen, due, and told."""

    def __init__(self, cases: UseCases) -> None:
        self._table = cases.store.of(DailyTable)
        self._now = cases.now

    # Choosing

    async def choose(
        self, guild: GuildId, channel: ChannelId | None, hour: str | None, zone: str | None
    ) -> model.DailySetting:
        """Let a server have a puzzle a day; None leaves a choice as it is, at first 9:00 UTC.

        Raises:
            BadTime, UnknownZone: if there is no such time or zone.
            NoDailyPuzzle: if no channel was ever chosen.
        """
        known = await self._table.setting(guild)
        if channel is None and known is None:
            raise model.NoDailyPuzzle
        at = _MORNING if known is None else known.time.hour
        at = at if hour is None else read_time(hour)
        where = _ZONE if known is None else known.time.zone
        where = where if zone is None else read_zone(zone)
        when = DailyTime.of(at, where)
        chosen = model.DailySetting(
            guild=guild,
            channel=channel or (known.channel if known is not None else ChannelId(0)),
            time=when,
            due_at=when.next(self._now()),
        )
        await self._table.choose(chosen)
        return chosen

    # Posting

    async def due(self, shards: Shards) -> list[model.DailySetting]:
        return await self._table.due(shards, self._now())

    async def post(self, seen: model.DailySetting) -> bool:
        """Write down a server's puzzle that is due; whether it is posted by this.

        Of days that have passed meanwhile only the newest has its puzzle.
        """
        now = self._now()
        day = seen.time.newest(now)
        daily = model.Daily(seen.guild, day, model.puzzle_of(day).id)
        telling = NewDelivery(
            kind=DAILY,
            key=f"{seen.guild}-{day.isoformat()}",
            guild=seen.guild,
            channel=seen.channel,
            data={_DAY: day.isoformat(), _PUZZLE: daily.puzzle},
        )
        next_at = seen.time.next(now)
        return await self._table.post(seen, daily, telling, next_at=next_at, at=now)

    async def news(self, row: Delivery) -> DailyNews | None:
        """Return the news of a delivery; None where a newer day has its puzzle by now."""
        guild, day = row.guild, date.fromisoformat(row.data[_DAY])
        daily = await self._table.of_day(guild, day)
        if daily is None or await self._table.newest(guild) != day:
            return None
        before = await self._table.before(guild, day)
        return DailyNews(_key(daily), None if before is None else await self._result(before))

    @staticmethod
    def key_of(row: Delivery) -> model.PuzzleKey:
        day = date.fromisoformat(row.data[_DAY])
        return _key(model.Daily(row.guild, day, row.data[_PUZZLE]))

    async def month(self, guild: GuildId, day: date) -> list[model.MonthRow]:
        """Return people's results in the month of a day, the best first, less the open puzzle."""
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
    assert puzzle is not None  # none is taken out of the data  # noqa: S101
    return model.PuzzleKey(puzzle, day=daily.day)
