"""Use cases for clocks and vacations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from bot.base import time_words
from bot.base.day_words import possible_days
from bot.base.ids import ChannelId, UserId
from bot.base.zones import Interval
from bot.play.model.game import Game
from bot.play.model.pauses import NewVacation, Pause, PauseReason
from bot.play.model.preferences import SAVED
from bot.play.model.refusals import BadVacation, NoVacation, VacationProblem
from bot.play.model.terms import ChallengeTerms
from bot.play.store.store import Store
from bot.play.use_cases.deadlines import pauses
from bot.play.use_cases.game_cache import GameCache
from dvonn import Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Both clocks at a given moment."""

    white: timedelta
    """Time that White has left."""
    black: timedelta
    turn: Color
    """The color whose clock is running, or would be running without a pause."""
    deadline: datetime
    """When that color's time runs out, given the pauses known so far."""
    pause: Pause | None
    """The current pause, if any."""
    outage: timedelta
    """Paused time in this turn because the bot was offline."""
    unsent: timedelta
    """Paused time in this turn because its board was not sent."""

    @property
    def pause_reason(self) -> PauseReason | None:
        """The reason for the current pause, if any."""
        return None if self.pause is None else self.pause.reason

    def time_left(self, color: Color) -> timedelta:
        return self.white if color is Color.WHITE else self.black


class GameClocks:
    """Calculates the time left in games."""

    def __init__(self, store: Store, game_cache: GameCache, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._game_cache = game_cache
        self._now = now

    async def in_channel(self, channel: ChannelId) -> tuple[Game, Clocks | None]:
        """Return a channel's game and its clocks, or None if it has none.

        Raises:
            NoGameHere: if no game is running here.
        """
        game = await self._game_cache.running_in(channel)
        return game, await self.of_game(game)

    async def of_game(self, game: Game) -> Clocks | None:
        clock, turn = game.clock, game.turn
        if clock is None or turn is None:
            return None
        now = self._now()
        game_pauses = await pauses(self._store, game, now)
        used = game_pauses.elapsed(clock.since, now)
        with_unsent = game_pauses.excluding(PauseReason.UNSENT).elapsed(clock.since, now)
        with_outages = game_pauses.excluding(PauseReason.UNSENT, PauseReason.OUTAGE).elapsed(
            clock.since, now
        )
        times = {color: clock.time_left(color) for color in Color}
        times[turn] = max(times[turn] - used, timedelta())
        return Clocks(
            white=times[Color.WHITE],
            black=times[Color.BLACK],
            turn=turn,
            deadline=game_pauses.runs_out(clock.since, clock.time_left(turn)),
            pause=game_pauses.pause_at(now),
            outage=with_outages - with_unsent,
            unsent=with_unsent - used,
        )


ALLOWANCE = timedelta(days=30)
"""Vacation per player and calendar year (in UTC)."""
SAVED_DAYS = 3
"""Maximum length of an automatic vacation, in days."""
LEFT_AFTER = timedelta(hours=1)
"""Time left for a move after an automatic vacation, and also its minimum length."""
MOST_AHEAD = timedelta(days=365)
"""Maximum time until an announced vacation starts."""
_LONGEST_DATE = 60
"""Maximum number of characters in a date."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The rest of a year's vacation."""

    year: int
    left: timedelta


@dataclass(frozen=True, slots=True)
class VacationSummary:
    """A player's vacations and allowances."""

    now: datetime
    vacations: tuple[Interval, ...]
    """Vacations that have not ended, in order."""
    allowances: tuple[Allowance, ...]
    """Allowances for this year, and for later years with vacations."""

    @property
    def running(self) -> Interval | None:
        """The current vacation, if any."""
        return next((vacation for vacation in self.vacations if vacation.begins <= self.now), None)


class Vacations:
    """Starts, ends and summarizes players' vacations."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def start(
        self, player: UserId, days: int, first_day: str | None = None, language: str = "en"
    ) -> VacationSummary:
        """Start or schedule a vacation.

        It lasts `days` days of 24 hours, from now or from the day that the player typed in their
        language and time zone.

        Raises:
            BadVacation: with the problem and the limit.
        """
        now = self._now()
        if not 1 <= days <= ALLOWANCE.days:
            raise BadVacation(VacationProblem.LENGTH, limit=ALLOWANCE)
        begins = now
        if first_day is not None:
            begins = await self._beginning(player, first_day, now, language)
        vacation = Interval(begins=begins, ends=begins + timedelta(days=days))
        new = _new_vacation(player, vacation, since=_new_year(now.year))
        return _summary(await self._store.vacations.add(new, at=now), now)

    async def vacation_before_loss(self, player: UserId, deadline: datetime) -> NewVacation | None:
        """Return a vacation that prevents a player's loss on time.

        Return None if the player doesn't want that or has too little vacation left.
        """
        if not (await self._store.players.get(player)).is_on(SAVED):
            return None
        since = _new_year((deadline - LEFT_AFTER).year)
        vacations = await self._store.vacations.of_player(player, since)
        vacation = saving_vacation(vacations, deadline)
        return None if vacation is None else _new_vacation(player, vacation, since=since)

    async def end(self, player: UserId) -> tuple[Interval, VacationSummary]:
        """End the player's current vacation, or cancel the next one.

        Return that vacation, and a summary of the remaining allowance.

        Raises:
            NoVacation: if there is no current or planned vacation.
        """
        ended = await self._store.vacations.end(player, self._now())
        if ended is None:
            raise NoVacation
        return ended, await self.summary(player)

    async def summary(self, player: UserId) -> VacationSummary:
        """Return a player's vacations and remaining allowances."""
        now = self._now()
        return _summary(await self._store.vacations.of_player(player, _new_year(now.year)), now)

    async def away(self, terms: ChallengeTerms) -> dict[UserId, datetime]:
        """Return the ends of the current vacations of a challenge's players.

        Empty for live games.
        """
        if terms.clock is not None and terms.clock.is_live:
            return {}
        people = [user for user in (terms.challenger, terms.opponent) if user is not None]
        running = {person: (await self.summary(person)).running for person in people}
        return {user: vacation.ends for user, vacation in running.items() if vacation is not None}

    async def _beginning(self, player: UserId, text: str, now: datetime, language: str) -> datetime:
        zone = ZoneInfo((await self._store.players.get(player)).zone)
        today = now.astimezone(zone).date()
        day = _read_day(text, today, language)
        if day < today:
            raise BadVacation(VacationProblem.PAST)
        if day - today > MOST_AHEAD:
            raise BadVacation(VacationProblem.TOO_FAR, limit=MOST_AHEAD)
        return max(now, datetime.combine(day, time(), zone).astimezone(UTC))


def _read_day(text: str, today: date, language: str) -> date:
    plain = time_words.plain(text[: _LONGEST_DATE + 1]).replace(",", " ")
    days = possible_days(plain, today, language) if len(plain) <= _LONGEST_DATE else []
    if not days:
        raise BadVacation(VacationProblem.UNREADABLE)
    return days[0]


def saving_vacation(vacations: Sequence[Interval], deadline: datetime) -> Interval | None:
    """Return the vacation that starts shortly before a deadline, or None if too little is left.

    It lasts at most `SAVED_DAYS`, and ends where the next vacation starts.
    """
    begins = deadline - LEFT_AFTER
    begins = max([begins, *(interval.ends for interval in vacations if interval.ends < deadline)])
    later_starts = [interval.begins for interval in vacations if interval.begins >= begins]
    ends = min([begins + timedelta(days=SAVED_DAYS), *later_starts])
    for year in range(begins.year, ends.year + 1):
        starts = max(begins, _new_year(year))
        ends = min(ends, starts + ALLOWANCE - _used_days(vacations, year))
        if ends < _new_year(year + 1):
            break
    return Interval(begins=begins, ends=ends) if ends - begins >= LEFT_AFTER else None


def _new_vacation(player: UserId, vacation: Interval, *, since: datetime) -> NewVacation:
    check = partial(_check, vacation)
    return NewVacation(player=player, interval=vacation, since=since, check=check)


def _check(vacation: Interval, vacations: Sequence[Interval]) -> None:
    for other in vacations:
        if other.begins < vacation.ends and vacation.begins < other.ends:
            raise BadVacation(VacationProblem.OVERLAP, other=other)
    for year in range(vacation.begins.year, vacation.ends.year + 1):
        allowance = ALLOWANCE - _used_days(vacations, year)
        if _used_days([vacation], year) > allowance:
            raise BadVacation(VacationProblem.ALLOWANCE, limit=allowance, year=year)


def _summary(vacations: Sequence[Interval], now: datetime) -> VacationSummary:
    last_year = max((interval.ends.year for interval in vacations), default=now.year)
    return VacationSummary(
        now=now,
        vacations=tuple(interval for interval in vacations if interval.ends > now),
        allowances=tuple(
            Allowance(year, ALLOWANCE - _used_days(vacations, year))
            for year in range(now.year, max(now.year, last_year) + 1)
        ),
    )


def _used_days(vacations: Sequence[Interval], year: int) -> timedelta:
    """Return how much of a year is taken up by vacations."""
    begins, ends = _new_year(year), _new_year(year + 1)
    return sum(
        (
            max(min(vacation.ends, ends) - max(vacation.begins, begins), timedelta())
            for vacation in vacations
        ),
        timedelta(),
    )


def _new_year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)
