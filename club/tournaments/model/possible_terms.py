"""The possible terms of a tournament, and their defaults."""

import unicodedata
from datetime import datetime, timedelta
from importlib.util import find_spec
from typing import Final

from bot.play.model.clock import TimeControl
from club.tournaments.model.leagues import LARGEST
from club.tournaments.model.rules import FEWEST_IN_LEAGUE
from club.tournaments.model.tournament import TournamentFormat, TournamentTerms
from club.tournaments.refusals import BadTerms, TermsProblem

LONGEST_NAME: Final = 80
MOST_TOURNAMENTS: Final = 10
"""Maximum number of open or running tournaments per server."""
ROUNDS: Final = (1, 20)
FURTHEST: Final = timedelta(days=180)
"""Maximum time until a planned tournament starts."""
LONGEST_EXTENSION: Final = 60
"""Maximum length of one extension of a game, in days."""
ROUND_TIMES: Final = (timedelta(minutes=10), timedelta(days=60))
LENGTHS: Final = {
    TournamentFormat.LADDER: (timedelta(days=1), timedelta(days=366)),
    TournamentFormat.LEAGUE: (timedelta(days=7), timedelta(days=183)),
}
"""Durations of a ladder, and of a league's season."""
DIVISION_SIZES: Final = (FEWEST_IN_LEAGUE, LARGEST)
_LONGEST_LEAGUE: Final = LONGEST_NAME - len(" 9999Z")
"""Maximum length of a league's name, which is followed by the season and the division."""
_IN_ROUNDS: Final = {
    TournamentFormat.ROUND_ROBIN,
    TournamentFormat.SWISS,
    TournamentFormat.KNOCKOUT,
}
_USED: Final = {
    "rounds": {TournamentFormat.SWISS},
    "lasts": {TournamentFormat.LADDER, TournamentFormat.LEAGUE},
    "division_size": {TournamentFormat.LEAGUE},
    "twice": {TournamentFormat.LEAGUE},
    "round_time": _IN_ROUNDS,
    "clock": {*_IN_ROUNDS, TournamentFormat.LEAGUE},
}
SLOW_CLOCK: Final = TimeControl(
    bank=timedelta(days=1), increment=timedelta(days=1), cap=timedelta(days=1)
)
"""The default clock if a server's games usually have none: a day per move."""


def usual_clock(format_: TournamentFormat, default: TimeControl | None) -> TimeControl | None:
    """Return a tournament's default clock.

    Members of a ladder choose their own clocks. Other formats use the server's usual clock. If its
    games usually have none, they use another clock, because otherwise games might never end.
    """
    return default if format_ is TournamentFormat.LADDER else default or SLOW_CLOCK


def swiss_is_installed() -> bool:
    """Return True if the packages that pair Swiss rounds are installed, without loading them."""
    return all(find_spec(name) is not None for name in ("caissify_pairings", "networkx"))


def is_used(format_: TournamentFormat, option: str) -> bool:
    """Return True if one of the organizer's options has an effect in a format."""
    return format_ in _USED.get(option, {format_})


def check_terms(terms: TournamentTerms, now: datetime) -> None:
    """Check the terms of a tournament.

    Raises:
        BadTerms: if they are impossible.
    """
    # Spaces, combining marks and control characters are invisible on their own.
    is_seen = any(unicodedata.category(char)[0] not in "CMZ" for char in terms.name)
    is_league = terms.format is TournamentFormat.LEAGUE
    longest = _LONGEST_LEAGUE if is_league else LONGEST_NAME
    if len(terms.name.strip()) > longest or not is_seen:
        raise BadTerms(TermsProblem.NAME, most=longest)
    if terms.is_live and is_league:
        raise BadTerms(TermsProblem.LIVE)
    for problem, number, (minimum, maximum) in (
        (TermsProblem.DIVISION_SIZE, terms.division_size, DIVISION_SIZES),
        (TermsProblem.ROUNDS, terms.rounds, ROUNDS),
    ):
        if number is not None and not minimum <= number <= maximum:
            raise BadTerms(problem, minimum, maximum)
    if terms.format is TournamentFormat.SWISS and not swiss_is_installed():
        raise BadTerms(TermsProblem.SWISS)
    _check_times(terms, now)


def _check_times(terms: TournamentTerms, now: datetime) -> None:
    if terms.begins_at is not None and terms.begins_at <= now:
        raise BadTerms(TermsProblem.IN_THE_PAST)
    if terms.begins_at is not None and terms.begins_at > now + FURTHEST:
        raise BadTerms(TermsProblem.TOO_FAR, most=FURTHEST)
    if terms.clock is None and terms.round_time is None and terms.has_check_in:
        raise BadTerms(TermsProblem.NEEDS_TIME)
    for problem, time, limits in (
        (TermsProblem.ROUND_TIME, terms.round_time, ROUND_TIMES),
        (TermsProblem.LENGTH, terms.lasts, LENGTHS.get(terms.format)),
    ):
        if time is not None and limits is not None and not limits[0] <= time <= limits[1]:
            raise BadTerms(problem, *limits)
