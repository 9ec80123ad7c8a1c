"""Tournaments as they run: how one is made and entered, and the director who brings it to its end.

tournaments.py what people and organisers do · director.py what comes by itself · opening.py how a
pairing becomes a game · presence.py who has not come · seasons.py those that come each month ·
telling.py what is told of it. What may be, and what becomes of it, says
`bot.model.tournaments.rules`.
"""

from bot.games.tournaments.director import Director
from bot.games.tournaments.opening import is_left, waits
from bot.games.tournaments.seasons import Seasons
from bot.games.tournaments.telling import (
    BLOCKED,
    CALLED,
    EVENT,
    NEWS,
    PAIRING,
    WITHDRAWN,
    News,
    called,
    pairing_key,
)
from bot.games.tournaments.tournaments import Tournaments

__all__ = [
    "BLOCKED",
    "CALLED",
    "EVENT",
    "NEWS",
    "PAIRING",
    "WITHDRAWN",
    "Director",
    "News",
    "Seasons",
    "Tournaments",
    "called",
    "is_left",
    "pairing_key",
    "waits",
]
