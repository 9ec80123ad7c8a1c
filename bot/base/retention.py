"""The times that a host keeps data of people."""

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

FOREVER: Final = "forever"
_DAYS: Final = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Times after which data is gone; None: it is kept."""

    players: timedelta | None = None
    """Time until players are forgotten after the end of a game or tournament: it stays, as
    nobody's. A rating, after its last game."""
    notices: timedelta | None = None
    """Challenges that led to no game, after their answer; what was sent of games that are over."""
    learning: timedelta | None = None
    """Steps of lessons and answers to puzzles, after they were given; own boards and ratings, after
    the last change."""
    servers: timedelta | None = None
    """Time until a server's data go after it was seen that the bot is not in it any more."""


class Gone(StrEnum):
    """Deleted things, by their names in the log."""

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
    """Return how long something is kept; None for ever.

    Raises:
        ValueError: if it is neither a number of days nor `forever`.
    """
    plain = text.strip().lower()
    if plain == FOREVER:
        return None
    if _DAYS.fullmatch(plain) is None:
        raise ValueError(f"write a number of days, such as 90, or {FOREVER}")
    return timedelta(days=int(plain))
