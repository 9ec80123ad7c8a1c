"""Seasons: a ladder each month, and a play-off of its first, without anybody's hand. Pure."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.daily_time import DailyTime
from bot.base.ids import NOBODY, ChannelId, GuildId, TournamentId, UserId, is_nobody
from bot.features.tournaments.model.allowed import LENGTHS
from bot.features.tournaments.model.ladder import ladder_order, qualified
from bot.features.tournaments.model.rules import FEWEST_PLAYERS, MOST_PLAYERS
from bot.features.tournaments.model.terms import (
    Entrant,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from bot.play.model.clock import TimeControl
from bot.play.model.terms import Defaults

ROUND_TIME: Final = timedelta(days=7)
"""The longest time of a round of a play-off: eight players are done before the next one."""
_DAY: Final = timedelta(days=1)
_SLOW: Final = TimeControl(bank=_DAY, increment=_DAY, cap=_DAY)
"""The clock of a play-off where the server's usual one is none, or asks to be there at once."""
_SHORTEST: Final = LENGTHS[TournamentFormat.LADDER][0]
_YEAR: Final = 100
_MONTHS: Final = 12
_UNNUMBERED: Final = TournamentId(0)


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A month of a year, in which a season's ladder is played."""

    year: int
    month: int

    @classmethod
    def of(cls, moment: datetime, zone: str) -> "Month":
        """Return the month that a zone's calendars show at a moment."""
        day = moment.astimezone(ZoneInfo(zone)).date()
        return cls(day.year, day.month)

    @classmethod
    def from_number(cls, number: int) -> "Month":
        """Back from `number`."""
        return cls(*divmod(number, _YEAR))

    @property
    def number(self) -> int:
        """The number by which its tournaments know it: 202611 is November 2026."""
        return self.year * _YEAR + self.month

    @property
    def first(self) -> date:
        """Its first day."""
        return date(self.year, self.month, 1)

    @property
    def next(self) -> "Month":
        """The one after it."""
        years, month = divmod(self.month, _MONTHS)
        return Month(self.year + years, month + 1)

    def begins(self, zone: str) -> datetime:
        """Return its first midnight in a zone, in UTC; where clocks skip that, when they do."""
        return DailyTime(0, zone).moment(self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSetting:
    """A server's choices for its seasons, with the next look at them."""

    guild: GuildId
    channel: ChannelId
    zone: str
    """Months begin and end at its midnight."""
    level: int | None
    """The machine's level in an odd seat of a play-off; None: there is a bye."""
    due_at: datetime


def month_to_open(setting: SeasonSetting, ladder: Tournament | None, now: datetime) -> Month | None:
    """Return the month whose ladder is to begin now; None: none is.

    Where less than a day of a month is left, it has none any more.

    Args:
        setting: What the server has chosen.
        ladder: Its newest season's ladder; None: it has had none.
        now: The moment.
    """
    month = Month.of(now, setting.zone)
    if month.next.begins(setting.zone) - now < _SHORTEST:
        return None
    known = None if ladder is None else ladder.season
    return month if known is None or known < month.number else None


def new_ladder(
    setting: SeasonSetting,
    month: Month,
    before: Tournament | None,
    defaults: Defaults,
    *,
    name: str,
    now: datetime,
) -> Tournament:
    """Return the ladder of a month, which runs at once.

    Those who have played in the one before and have not left are in it, in the same order; others
    press *Join*.

    Args:
        setting: What the server has chosen.
        month: Which month.
        before: The newest ladder before it; None: there was none.
        defaults: How games in the server are.
        name: What it is called.
        now: The moment; it lasts from now to the end of the month.
    """
    usual = _terms(setting, defaults, TournamentFormat.LADDER, name)
    terms = replace(usual, lasts=month.next.begins(setting.zone) - now)
    return _begun(terms, month.number, () if before is None else _regulars(before), now)


def new_playoff(
    setting: SeasonSetting,
    ladder: Tournament,
    defaults: Defaults,
    *,
    name: str,
    machine: UserId | None,
    now: datetime,
) -> Tournament | None:
    """Return the play-off of a ladder that is over, which runs at once; None: too few have played.

    Args:
        setting: What the server has chosen.
        ladder: The ladder; its order is the seeding.
        defaults: How games in the server are.
        name: What it is called.
        machine: The machine's own number; None: it does not play.
        now: The moment.
    """
    players = tuple(one for one in qualified(ladder) if not is_nobody(one))
    if ladder.state is not TournamentState.DONE or len(players) < FEWEST_PLAYERS:
        return None
    clock = defaults.clock
    terms = replace(
        _terms(setting, defaults, TournamentFormat.KNOCKOUT, name),
        clock=_SLOW if clock is None or clock.is_live else clock,
        round_time=ROUND_TIME,
        level=setting.level if machine is not None else None,
        machine=machine if setting.level is not None else None,
    )
    assert ladder.season is not None  # it is a season's  # noqa: S101
    return _begun(terms, ladder.season, players, now)


def _terms(
    setting: SeasonSetting, defaults: Defaults, format_: TournamentFormat, name: str
) -> TournamentTerms:
    """Return the common terms of a ladder and a play-off; nobody has planned them."""
    return TournamentTerms(
        guild=setting.guild,
        channel=setting.channel,
        organiser=NOBODY[None],
        name=name,
        format=format_,
        start=defaults.start,
        clock=None,
        coordinates=defaults.coordinates,
        rated=True,
    )


def _regulars(ladder: Tournament) -> tuple[UserId, ...]:
    """Return the players of a ladder who have not left, from the top down."""
    played = {player for game in ladder.pairings for player in game.players if game.was_played}
    gone = {entrant.player for entrant in ladder.entrants if entrant.withdrawn}
    stay = [p for p in ladder_order(ladder) if p in played - gone and not is_nobody(p)]
    return tuple(stay[:MOST_PLAYERS])


def _begun(
    terms: TournamentTerms, season: int, players: tuple[UserId, ...], now: datetime
) -> Tournament:
    return Tournament(
        id=_UNNUMBERED,
        terms=terms,
        state=TournamentState.RUNNING,
        version=1,
        entrants=tuple(
            Entrant(player=player, seed=seed) for seed, player in enumerate(players, start=1)
        ),
        pairings=(),
        created_at=now,
        began_at=now,
        season=season,
    )
