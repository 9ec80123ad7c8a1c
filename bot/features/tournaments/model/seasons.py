"""Seasons, a ladder each month and a play-off of its first, and badges, which stay. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.ids import NOBODY, ChannelId, GuildId, TournamentId, UserId, is_nobody
from bot.base.zones import DailyTime
from bot.features.tournaments.model.arenas_and_ladders import qualified, regulars
from bot.features.tournaments.model.possible_terms import LENGTHS
from bot.features.tournaments.model.rules import FEWEST_PLAYERS, MOST_PLAYERS
from bot.features.tournaments.model.standings import PlayerStanding, standings
from bot.features.tournaments.model.tournament import (
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
        return cls(*divmod(number, _YEAR))

    @property
    def number(self) -> int:
        """The number by which its tournaments know it: 202611 is November 2026."""
        return self.year * _YEAR + self.month

    @property
    def first(self) -> date:
        return date(self.year, self.month, 1)

    @property
    def next(self) -> "Month":
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
    """Return the month whose ladder is to begin now, after the newest one; None: none is.

    Where less than a day of a month is left, it has none any more.
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
    """Return the ladder of a month, which runs from now to its end.

    Those who have played in the one before and have not left are in it, in the same order; others
    press *Join*.
    """
    usual = _terms(setting, defaults, TournamentFormat.LADDER, name)
    terms = replace(usual, lasts=month.next.begins(setting.zone) - now)
    stay = [] if before is None else [one for one in regulars(before) if not is_nobody(one)]
    return _begun(terms, month.number, stay[:MOST_PLAYERS], now)


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

    The ladder's order is the seeding. `machine` is the machine's own number; None: it does not
    play.
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


def _begun(
    terms: TournamentTerms, season: int, players: Sequence[UserId], now: datetime
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


FEWEST: Final = 4
"""The fewest players for a badge; with fewer, only a season's title is earned."""
PODIUM: Final = 3
"""So many of a month's ladder earn one."""


class BadgeKind(StrEnum):
    """The kinds of badges."""

    CHAMPION = "champion"
    LADDER = "ladder"
    WINNER = "winner"
    """They have won a tournament that is no part of a season."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A player's badge from a tournament: one at most in each."""

    player: UserId
    kind: BadgeKind
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EarnedBadge:
    """A badge as it is shown to others."""

    kind: BadgeKind
    place: int
    season: int | None
    """The number of its month; None: its tournament is no part of a season."""
    name: str
    earned_at: datetime


def earned(tournament: Tournament) -> tuple[Badge, ...]:
    """Return the badges of a tournament that is over; none while it runs, or if it was cancelled.

    A shared first place is nobody's, and a player who has won no game at the board earns nothing:
    forfeits and byes are not enough.
    """
    if tournament.state is not TournamentState.DONE:
        return ()
    table = [
        one for one in standings(tournament) if not one.withdrawn and not is_nobody(one.player)
    ]
    players = {who for game in tournament.pairings if game.was_played for who in game.players}
    if tournament.season is not None and tournament.terms.format is TournamentFormat.KNOCKOUT:
        return _first(table, BadgeKind.CHAMPION)
    if len(players) < FEWEST:
        return ()
    if tournament.season is None:
        return _first([one for one in table if one.player in players], BadgeKind.WINNER)
    return tuple(
        Badge(player=one.player, kind=BadgeKind.LADDER, place=one.place)
        for one in table
        if one.place <= PODIUM and one.won
    )


def champion(tournament: Tournament) -> UserId | None:
    """Return the winner of a season's play-off; None: nobody, or it is none."""
    found = earned(tournament)
    is_title = bool(found) and found[0].kind is BadgeKind.CHAMPION
    return found[0].player if is_title else None


def _first(table: list[PlayerStanding], kind: BadgeKind) -> tuple[Badge, ...]:
    first = [one for one in table if one.place == 1]
    if len(first) != 1 or not first[0].won:
        return ()
    return (Badge(player=first[0].player, kind=kind, place=1),)
