"""Do ratings foresee results less well, as games against the machine place people?

    python -m benchmarks.rating_predictions [--spread-of-hosts 150] [--hosts 60] [--machine 0.2]

Servers are simulated over sixty days, in which 30 people join one after another, some of whom play
more than others. Who they play is chance; some games are against the level nearest to their rating.
What is expected of each game is Glicko-2's (with the deviations of both), and how wrong that is, is
the log loss, in thousandths of a nat, beyond that of somebody who knows how strong all are. It is
told as it is (`placed`) and as it would be were the machine an opponent as any other (`plain`);
`worse` is the mean difference, and its standard error that of the mean over hosts.
"""

import argparse
import math
import statistics
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Final

from benchmarks.rating_pools import chance
from benchmarks.result import result_line
from bot.base.glicko import Rating
from bot.features.ratings.model import LEVELS, PoolRating, machine_rating

_NOON: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
_ROUND: Final = timedelta(hours=8)
_ROUNDS: Final = 180
_PEOPLE: Final = 30
_MIDDLE: Final = 1500.0
_SPREAD: Final = 300.0
_MEASURED: Final = [
    found for n in range(len(LEVELS[max(LEVELS)])) if (found := machine_rating(max(LEVELS), n + 1))
]
_WEIGHT: Final = 3 * (math.log(10) / 400 / math.pi) ** 2
"""The weight of the variance of a difference of ratings, in g of the paper."""


@dataclass(slots=True)
class _Person:
    true: float
    joined: int
    eager: float
    """The chance that they play in a round."""
    rated: PoolRating = field(default_factory=lambda: PoolRating.new(_NOON))


def losses(random: Random, middle: float, machine: float, *, placed: bool) -> list[float]:
    """Return, for each game of a host, the nats by which it was foreseen worse than possible."""
    people = [
        _Person(
            true=random.gauss(middle, _SPREAD),
            joined=random.randrange(_ROUNDS // 2),
            eager=random.betavariate(1.5, 3),
        )
        for _ in range(_PEOPLE)
    ]
    found = []
    for number in range(_ROUNDS):
        at = _NOON + number * _ROUND
        drawn = [(one, random.random(), random.random(), random.random()) for one in people]
        active = [one for one in drawn if one[0].joined <= number and one[1] < one[0].eager]
        for one, _, kind, luck in active:
            if kind < machine:
                found.append(_against_machine(one, luck, at, placed=placed))
        free = [(one, luck) for one, _, kind, luck in active if kind >= machine]
        random.shuffle(free)
        found += [
            _between(one, other, luck, at) for (one, luck), (other, _) in list(pairwise(free))[::2]
        ]
    return found


def _against_machine(one: _Person, luck: float, at: datetime, *, placed: bool) -> float:
    own = one.rated.rating.rating
    level = min(_MEASURED, key=lambda measured: abs(measured.rating - own))
    truth = chance(one.true, level.rating)
    score = float(luck < truth)
    loss = _loss(one.rated.rating.by(at), level, truth, score)
    one.rated = one.rated.after(score, level, at, places=placed)
    return loss


def _between(one: _Person, other: _Person, luck: float, at: datetime) -> float:
    truth = chance(one.true, other.true)
    score = float(luck < truth)
    before, of_other = one.rated.rating.by(at), other.rated.rating.by(at)
    one.rated = one.rated.after(score, of_other, at)
    other.rated = other.rated.after(1 - score, before, at)
    return _loss(before, of_other, truth, score)


def _loss(one: Rating, other: Rating, truth: float, score: float) -> float:
    unsure = one.deviation**2 + other.deviation**2
    expected = chance((one.rating - other.rating) / math.sqrt(1 + _WEIGHT * unsure), 0)
    return math.log(truth if score else 1 - truth) - math.log(expected if score else 1 - expected)


def main() -> None:
    """Simulate, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rating_predictions")
    parser.add_argument("--spread-of-hosts", type=float, default=150.0)
    parser.add_argument("--hosts", type=int, default=60)
    parser.add_argument("--machine", type=float, default=0.2)
    options = parser.parse_args()
    plain, placed, games = [], [], 0
    for seed in range(options.hosts):
        middle = Random(f"host {seed}").gauss(_MIDDLE, options.spread_of_hosts)
        as_any = losses(Random(seed), middle, options.machine, placed=False)
        plain.append(1_000 * statistics.mean(as_any))
        as_is = losses(Random(seed), middle, options.machine, placed=True)
        placed.append(1_000 * statistics.mean(as_is))
        games += len(as_is)
    worse = [one - other for one, other in zip(placed, plain, strict=True)]
    figures = {
        "games": games,
        "plain_millinats": statistics.mean(plain),
        "placed_millinats": statistics.mean(placed),
        "worse_millinats": statistics.mean(worse),
        "worse_error_millinats": statistics.stdev(worse) / math.sqrt(len(worse)),
    }
    print(result_line("rating_predictions", figures))


if __name__ == "__main__":
    main()
