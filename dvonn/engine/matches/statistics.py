"""Scores of matches with margins of error, and a sequential test that ends a match early.

Games come in pairs: the same start with colors swapped. The two results in a pair are not
independent, so the unit is a pair instead of a game, with a score from 0 to 1.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import log, log10, sqrt
from statistics import correlation, fmean

from dvonn._rules.frozen import Value

_Z_95 = 1.96

_LEAST_SCORE = 0.001
"""Minimum distance of scores from 0 and 1, where rating differences would be infinite."""

_FEWEST = 2
"""Minimum number of scores for an estimate."""

_DOUBT = 2
"""Number of imaginary pairs, with a variance of 1/4, that are added. They keep a few pairs with
equal scores from deciding a test.
"""


class MatchScore(Value):
    """A score from 0 to 1, and its margin of error: half the width of the 95% interval."""

    score: float
    error: float

    @property
    def elo(self) -> float:
        """The rating difference on the Elo scale that corresponds to this score."""
        return _elo(self.score)

    @property
    def elo_error(self) -> float:
        """Half the width of the 95% interval of `elo`, in rating points."""
        return (_elo(self.score + self.error) - _elo(self.score - self.error)) / 2


def _elo(score: float) -> float:
    score = min(max(score, _LEAST_SCORE), 1 - _LEAST_SCORE)
    return 400 * log10(score / (1 - score))


def estimate(scores: Sequence[float]) -> MatchScore:
    """Return the mean of independent scores and its margin of error (95%, normal approximation)."""
    if len(scores) < _FEWEST:
        return MatchScore(fmean(scores) if scores else 0.5, 0.5)
    return MatchScore(fmean(scores), _Z_95 * sqrt(_variance(scores) / len(scores)))


def _variance(scores: Sequence[float]) -> float:
    mean = fmean(scores)
    squares = sum((score - mean) ** 2 for score in scores)
    return (squares + _DOUBT / 4) / (len(scores) + _DOUBT - 1)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's coefficient, -1 to 1. Equal values share the mean of their ranks."""
    return correlation(_ranks(first), _ranks(second))


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [bisect_left(ordered, value) + bisect_right(ordered, value) for value in values]


class Sprt(Value):
    """A sequential probability ratio test between two hypotheses about the score, `low` and `high`.

    Attributes:
        low: The score of the first hypothesis.
        high: The score of the second hypothesis.
        risk: Probability of accepting one hypothesis although the other is true.
    """

    low: float
    high: float
    risk: float = 0.05

    def log_ratio(self, scores: Sequence[float]) -> float:
        """Return the log likelihood ratio of the pairs' scores: positive if they favor `high`."""
        if len(scores) < _FEWEST:
            return 0.0
        middle = (self.low + self.high) / 2
        gain = len(scores) * (self.high - self.low) * (fmean(scores) - middle)
        return gain / _variance(scores)

    def verdict(self, scores: Sequence[float]) -> str | None:
        """Return "low" or "high" if one is accepted, or None while the test goes on."""
        bound = log((1 - self.risk) / self.risk)
        ratio = self.log_ratio(scores)
        if abs(ratio) < bound:
            return None
        return "high" if ratio > 0 else "low"
