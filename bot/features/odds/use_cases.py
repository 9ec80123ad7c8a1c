"""The gap between two players for which odds are offered."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.base.ids import NO_GUILD, UserId
from bot.features.ratings.model.rated import PoolRating
from bot.features.ratings.store import RatingTable
from bot.play.model.clock import pace_of
from bot.play.model.terms import ChallengeTerms, Start
from bot.play.use_cases.registry import UseCases

_FAR: Final = 150
"""Points of rating from which on two are far apart."""
_ROUNDED: Final = 10


@dataclass(frozen=True, slots=True)
class Gap:
    """Two players who are far apart."""

    points: int
    weaker: UserId


class Odds:
    """Tells where odds would be good."""

    def __init__(self, cases: UseCases) -> None:
        self._ratings = cases.store.of(RatingTable)
        self._now = cases.now

    async def gap(self, terms: ChallengeTerms) -> Gap | None:
        """Return the gap between the two of a challenge; None where odds need not be offered.

        It is wide, and not only by chance: their ratings are so sure.
        """
        between_two = terms.opponent is not None and terms.level is None and terms.vote is None
        if not between_two or terms.opponent is None or terms.start is not Start.BALANCED:
            return None
        people = terms.challenger, terms.opponent
        known = await self._ratings.of(NO_GUILD, pace_of(terms.clock), people)
        return _gap(known, self._now()) if len(known) == len(people) else None


def _gap(known: Mapping[UserId, PoolRating], now: datetime) -> Gap | None:
    ratings = {who: one.rating.by(now) for who, one in known.items()}
    weak, strong = sorted(ratings, key=lambda who: ratings[who].rating)
    apart = ratings[strong].rating - ratings[weak].rating
    doubt = math.hypot(ratings[weak].deviation, ratings[strong].deviation)
    if apart < max(_FAR, doubt):
        return None
    return Gap(_ROUNDED * round(apart / _ROUNDED), weak)
