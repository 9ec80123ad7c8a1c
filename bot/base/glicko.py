"""Glicko-2 ratings, updated after each result.

The formulas are from Mark Glickman, "Example of the Glicko-2 system", 2022. Each result is rated
immediately, as on lichess. A rating's uncertainty grows with the time since the last result. Both
people and puzzles have ratings.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

PERIOD: Final = timedelta(days=5)
"""Length of a rating period. In a year without games, a deviation of 60 grows to 106."""
UNKNOWN: Final = 350.0
"""Deviation of an unknown player. No deviation is larger."""
SETTLED: Final = 110.0
"""Deviation below which a rating is settled. Other ratings are shown as approximate."""
START: Final = 1500.0
"""Rating of an unknown player."""
_FIRST_DEVIATION: Final = 475.0
"""Deviation after a single game against an opponent of measured strength.

In theory it is 347 if both are equally strong. We use a greater value because nobody is exactly as
strong as a level, and because the expected score for such an uncertain rating is itself uncertain
(docs/ratings.md).
"""
_VOLATILITY: Final = 0.06
_SCALE: Final = 173.7178
_MIDDLE: Final = 1500.0
_TAU: Final = 0.5
"""The system constant, which limits changes of volatility. Glickman suggests 0.3 to 1.2."""
_TAU_SQUARED: Final = _TAU**2
_PRECISION: Final = 1e-6
_PI_SQUARED: Final = math.pi**2
_MINUS: Final = "−"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A player's strength and its uncertainty.

    Attributes:
        rating: Strength on the Elo scale.
        deviation: Standard deviation of the rating. In 95% of cases the error is at most twice
            that.
        volatility: Expected fluctuation of the rating.
        at: Time of the last result, or of the deviation.
    """

    rating: float
    deviation: float = UNKNOWN
    volatility: float = _VOLATILITY
    at: datetime

    @property
    def is_settled(self) -> bool:
        """True if the deviation is below `SETTLED`."""
        return self.deviation < SETTLED

    @classmethod
    def new(cls, at: datetime) -> "Rating":
        return cls(rating=START, at=at)

    def as_of(self, at: datetime) -> "Rating":
        """Return the rating at a later time, with a larger deviation.

        An earlier time changes nothing.
        """
        periods = max((at - self.at) / PERIOD, 0.0)
        faded = math.sqrt(self.deviation**2 + periods * (_SCALE * self.volatility) ** 2)
        return Rating(
            rating=self.rating,
            deviation=min(faded, UNKNOWN),
            volatility=self.volatility,
            at=max(at, self.at),
        )

    def updated(
        self, results: Sequence[tuple[float, "Rating"]], at: datetime, *, least: float = 0.0
    ) -> "Rating":
        """Return the rating after the results of one period.

        Args:
            results: At least one score (1 for a win, 0 for a loss, 0.5 for a draw), with the
                opponent's rating before the game.
            at: Time of the results. An earlier time than the rating's counts as the same time.
            least: Minimum deviation assumed before the results.
        """
        mu, phi = _to_internal(self.rating), self.deviation / _SCALE
        certainty = surprise = 0.0
        for score, other in results:
            weight = _weight(other.deviation / _SCALE)
            expected = 1 / (1 + math.exp(-weight * (mu - _to_internal(other.rating))))
            certainty += weight**2 * expected * (1 - expected)
            surprise += weight * (score - expected)
        variance = 1 / certainty
        volatility = self._volatility(phi, variance, variance * surprise)
        periods = max((at - self.at) / PERIOD, 0.0)
        faded = min(math.sqrt(phi**2 + periods * volatility**2), UNKNOWN / _SCALE)
        faded = max(faded, least / _SCALE)
        new_deviation = 1 / math.sqrt(1 / faded**2 + 1 / variance)
        return Rating(
            rating=_MIDDLE + _SCALE * (mu + new_deviation**2 * surprise),
            deviation=_SCALE * new_deviation,
            volatility=volatility,
            at=at,
        )

    def _volatility(self, phi: float, variance: float, delta: float) -> float:
        start = math.log(self.volatility**2)
        spread = phi**2 + variance
        above = delta**2 - spread

        def slope(x: float) -> float:
            grown = math.exp(x)
            pull = grown * (above - grown) / (2 * (spread + grown) ** 2)
            return pull - (x - start) / _TAU_SQUARED

        low = start
        if delta**2 > spread:
            high = math.log(above)
        else:
            steps = 1
            while slope(start - steps * _TAU) < 0:
                steps += 1
            high = start - steps * _TAU
        at_low, at_high = slope(low), slope(high)
        while abs(high - low) > _PRECISION:
            new = low + (low - high) * at_low / (at_high - at_low)
            at_new = slope(new)
            if at_new * at_high <= 0:
                low, at_low = high, at_high
            else:
                at_low /= 2
            high, at_high = new, at_new
        return math.exp(low / 2)


def rate_pair(first: Rating, score: float, second: Rating, at: datetime) -> tuple[Rating, Rating]:
    """Return both players' ratings after a result. `score` is the first player's.

    >>> from datetime import UTC
    >>> new_year = datetime(2026, 1, 1, tzinfo=UTC)
    >>> new = Rating(rating=1500, deviation=350, volatility=0.06, at=new_year)
    >>> winner, loser = rate_pair(new, 1.0, new, new_year)
    >>> rounded_rating(winner.rating), rounded_rating(loser.rating), round(winner.deviation)
    (1662, 1338, 290)
    """
    return first.updated([(score, second)], at), second.updated([(1 - score, first)], at)


def placing_deviation(games: int) -> float:
    """Return the minimum deviation after a number of games against a measured opponent.

    With this minimum, a newcomer's initial 1500 weighs as much as one game. Without it, the initial
    1500 would weigh more than two games, and pull the ratings of whole servers toward 1500.
    """
    return _FIRST_DEVIATION / math.sqrt(games + 1)


def _to_internal(rating: float) -> float:
    return (rating - _MIDDLE) / _SCALE


def _weight(deviation: float) -> float:
    return 1 / math.sqrt(1 + 3 * deviation**2 / _PI_SQUARED)


_HALF: Final = 0.5


def rounded_rating(rating: float) -> int:
    """Return a rating rounded to a whole number, halves up."""
    return int((rating + _HALF) // 1)


def next_rounded_from(rating: float) -> float:
    """Return the lowest rating that rounds to the next higher number."""
    return rounded_rating(rating) + _HALF


def gain_text(before: float, after: float) -> str:
    """Return the change from one rounded rating to another: "+8", "−12"."""
    gain = rounded_rating(after) - rounded_rating(before)
    return f"{_MINUS}{-gain}" if gain < 0 else f"+{gain}"
