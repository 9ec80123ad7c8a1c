"""Retention times, chosen by the host."""

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

FOREVER: Final = "forever"
_DAYS: Final = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Retention times by kind of data. None keeps data forever."""

    players: timedelta | None = None
    """Time after which players are removed from an ended game or tournament.

    The game itself stays. For a rating, the time counts from the player's last rated game.
    """
    notices: timedelta | None = None
    """Time to keep challenges that never became games, and deliveries of ended games.

    For a challenge, the time counts from its answer.
    """
    learning: timedelta | None = None
    """Time to keep lesson progress, puzzle answers, puzzle ratings and studies.

    For studies and puzzle ratings, the time counts from the last change.
    """
    servers: timedelta | None = None
    """Time from the bot's removal from a server until the server's data is deleted."""


class DeletedKind(StrEnum):
    """Kinds of deleted data, as named in the log."""

    GAMES = "games_made_anonymous"
    TOURNAMENTS = "tournaments_made_anonymous"
    CHALLENGES = "challenges"
    DELIVERIES = "deliveries"
    LESSONS = "lessons"
    ANSWERS = "answers_to_puzzles"
    STUDIES = "own_boards"
    RATINGS = "ratings"
    STRENGTHS = "ratings_of_games"
    SERVERS = "servers"


def read_days(text: str) -> timedelta | None:
    """Parse a retention time.

    Return None for `forever`.

    >>> read_days("30")
    datetime.timedelta(days=30)
    >>> read_days("forever") is None
    True

    Raises:
        ValueError: if it is neither a number of days nor `forever`.
    """
    plain = text.strip().lower()
    if plain == FOREVER:
        return None
    if _DAYS.fullmatch(plain) is None:
        raise ValueError(f"write a number of days, such as 90, or {FOREVER}")
    return timedelta(days=int(plain))
