"""The retention times that a host chooses."""

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

FOREVER: Final = "forever"
_DAYS: Final = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Retention times of data. None keeps data forever."""

    players: timedelta | None = None
    """Time until players are removed from an ended game or tournament, which itself stays. For a
    rating, it counts from the last game."""
    notices: timedelta | None = None
    """For challenges without a game, from their answer, and for deliveries of ended games."""
    learning: timedelta | None = None
    """For steps of lessons and answers to puzzles. For own boards and puzzle ratings, it counts
    from the last change."""
    servers: timedelta | None = None
    """Time until a server's data is deleted after the bot's absence was first recorded."""


class DeletedKind(StrEnum):
    """Kinds of deleted data, by their names in the log."""

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
    """Return a retention time, or None for `forever`.

    Raises:
        ValueError: if it is neither a number of days nor `forever`.
    """
    plain = text.strip().lower()
    if plain == FOREVER:
        return None
    if _DAYS.fullmatch(plain) is None:
        raise ValueError(f"write a number of days, such as 90, or {FOREVER}")
    return timedelta(days=int(plain))
