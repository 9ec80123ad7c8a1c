"""The ladder of odds against the machine: each win makes the next board harder, each loss easier.

A rung is a level of the machine and a board that helps one side. Three rungs make a level: the
board helps by 8 steps, by 4, by none; then comes the next level. Below the first level the board
helps more and more, above the last one it helps the machine.

Where two people are far apart, odds are offered to them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.base.ids import NO_GUILD, UserId
from bot.features.ratings.model import PoolRating
from bot.features.ratings.store import RatingTable
from bot.play.model.clock import pace_of
from bot.play.model.game import GameRow
from bot.play.model.openings import EVEN_STEPS
from bot.play.model.terms import ChallengeTerms, Start
from bot.play.use_cases.use_cases import UseCases
from dvonn import Color
from dvonn.machine import LEVELS
from dvonn.odds import odds_steps

_STEP: Final = 4
_FIRST: Final = 8
"""Steps by which the board helps on the first rung of a level."""
_MOST: Final = 40
"""The most steps for which there are many boards."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of the ladder."""

    level: int
    help: int = _FIRST
    """Steps by which the board helps the player; below 0 it helps the machine."""

    @property
    def harder(self) -> "Rung":
        if self.help <= 0 and self.level < LEVELS[-1]:
            return Rung(self.level + 1)
        return Rung(self.level, max(self.help - _STEP, -_MOST))

    @property
    def easier(self) -> "Rung":
        if self.help == _FIRST and self.level > LEVELS[0]:
            return Rung(self.level - 1, 0)
        return Rung(self.level, min(self.help + _STEP, _MOST))

    def steps(self, color: Color) -> int:
        """Return by how many steps White is to stand farther, where the player has a colour."""
        return EVEN_STEPS - self.help if color is Color.WHITE else EVEN_STEPS + self.help


def next_rung(row: GameRow, player: UserId) -> Rung | None:
    """Return the rung after somebody's game; None where it was none of the ladder's.

    The ladder goes on from games with odds, and where there is no other level to go to: from an
    even game that was won at the last level, or lost at the first.
    """
    level, outcome = row.level_now, row.outcome
    plain = row.is_solo and row.continues is None and player in (row.white, row.black)
    if level is None or outcome is None or not outcome.has_result or not plain:
        return None
    color = Color.WHITE if player == row.white else Color.BLACK
    has_won = outcome.winner is color
    if row.start is Start.BALANCED:
        is_end = level == (LEVELS[-1] if has_won else LEVELS[0])
        here = Rung(level, 0) if is_end and not outcome.is_draw else None
    else:
        here = _rung_of(row, level, color) if row.start is Start.ODDS else None
    if here is None or outcome.is_draw:
        return here
    return here.harder if has_won else here.easier


def _rung_of(row: GameRow, level: int, color: Color) -> Rung:
    nearer = EVEN_STEPS - odds_steps(row.seed)
    return Rung(level, nearer if color is Color.WHITE else -nearer)


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
