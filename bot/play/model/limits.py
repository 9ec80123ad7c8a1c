"""Time limits on boards. Nothing here reads the current time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.play.model.game import Game
from bot.play.model.pauses import Pause

_TOLERANCE: Final = timedelta(minutes=1)
_LIVE_TOLERANCE: Final = timedelta(seconds=2)
"""Minimum difference that makes a live game's limit wrong. Live players watch the seconds."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


UNKNOWN_LIMIT: Final[Mapping[str, Any]] = {"until_ms": 0}
"""Data of a board with an unknown limit, which differs from any actual limit."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The time limit on a board for the player to move."""

    until: datetime | None
    """When time runs out, given the pauses known so far. None during an agreed pause."""
    pause: Pause | None = None
    """The pause to show on the board, if the player's clock is paused."""

    @property
    def data(self) -> dict[str, Any]:
        """The limit in the form that its delivery stores."""
        return {
            "until_ms": None if self.until is None else _ms(self.until),
            "rest": None if self.pause is None else self.pause.reason.name.lower(),
            "rests_until_ms": None if self.pause is None else _ms(self.pause.ends),
        }

    def is_shown_by(self, data: Mapping[str, Any], *, live: bool) -> bool:
        """Return True if a board with this data shows this limit closely enough."""
        expected = self.data
        if expected["rest"] != data.get("rest"):
            return False
        tolerance = (_LIVE_TOLERANCE if live else _TOLERANCE) / _MILLISECOND
        for key in ("until_ms", "rests_until_ms"):
            new, old = expected[key], data.get(key)
            if new != old and (new is None or old is None or abs(new - old) >= tolerance):
                return False
        return True


def limit_of(game: Game, deadline: datetime | None, pause: Pause | None) -> Limit | None:
    """Return the limit for a game's current turn, or None if its boards have none."""
    has_one = game.clock is not None and game.is_running and not game.is_voted
    return Limit(deadline, pause) if has_one else None


def _ms(moment: datetime) -> int:
    return (moment - _EPOCH) // _MILLISECOND
