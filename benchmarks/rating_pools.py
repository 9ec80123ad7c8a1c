"""The agreement of the ratings of three hosts, whose players never meet.

    python -m benchmarks.rating_pools [--middles 1500 1500 1500] [--players 20] [--games 15]
        [--machine 8] [--times 400]

Each host has players of its own; how strong they are is known here, and to nobody else: drawn from
a normal distribution around a middle. They play the machine first, at the level nearest to what
they are rated, and then each other, and they win by Elo's curve. What is rated is rated by the
bot's own code. `apart` is by how many points the hosts disagree about players who are equally
strong: the difference of the mean errors of the two hosts that disagree most; `two_apart` that of
any two. An error is a rating less the true strength, and `host_1` is by how many points the first
host rates its people too high in the mean of all times. `apart_median_error` is the standard error
of the median, by drawing the times again (the bootstrap). The ratio is to the same without a game
against the machine.
"""

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random
from typing import Final

from benchmarks.result import result_line
from bot.base.glicko import Rating
from bot.base.ids import GuildId, UserId
from bot.features.ratings.model import LEVELS, PoolRating, RatedResult, machine_rating
from bot.features.ratings.store import changes_in
from bot.play.model.clock import Pace

_NOON: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
_SPREAD: Final = 300.0
"""The deviation of the strengths at one host: 95 in 100 are within twice as much."""
AGREE: Final = 60.0
"""Hosts that are no farther apart agree."""
_GUILD: Final = GuildId(1)
_MACHINE: Final = UserId(900)
_VERSION: Final = max(LEVELS)
_DRAWN: Final = 200
"""The number of times that the times are drawn again."""
_HOURS: Final = 8
"""Hours between two games of a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The parameters of a simulation."""

    middles: tuple[float, ...] = (1500.0, 1500.0, 1500.0)
    """The average strength of the people at each host."""
    players: int = 20
    games: int = 15
    machine: int = 8
    """The number of these that are against the machine: the first ones."""


def chance(own: float, other: float) -> float:
    """Return a player's chance to win, by Elo's curve."""
    return 1 / (1 + 10 ** ((other - own) / 400))


def mean_error(plan: Plan, middle: float, random: Random) -> float:
    """Return the points by which a host rates its players too high, on average, after all games."""
    true = {UserId(n): random.gauss(middle, _SPREAD) for n in range(1_001, 1_001 + plan.players)}
    known: dict[UserId, PoolRating] = {}
    for round_number in range(plan.games):
        at = _NOON + timedelta(hours=_HOURS * round_number)
        people = list(true)
        random.shuffle(people)
        is_placed = round_number >= plan.machine
        pairs = _pairs(people) if is_placed else [(one, _MACHINE) for one in people]
        for one, other in pairs:
            _play(one, other, true, known, at, random)
    return statistics.mean(known[one].rating.rating - true[one] for one in true)


def mean_errors(plan: Plan, times: int) -> list[list[float]]:
    """Return the mean errors of all hosts, many times."""
    return [
        [mean_error(plan, middle, random) for middle in plan.middles]
        for random in map(Random, range(times))
    ]


def apart(errors: Sequence[Sequence[float]]) -> list[float]:
    """Return each time's difference between the two hosts that disagree most, the least first."""
    return sorted(max(one) - min(one) for one in errors)


def median_error(values: Sequence[float]) -> float:
    """Return the standard error of a median, by the bootstrap."""
    random = Random(1)
    drawn = (random.choices(values, k=len(values)) for _ in range(_DRAWN))
    return statistics.pstdev(map(statistics.median, drawn))


def _pairs(people: Sequence[UserId]) -> list[tuple[UserId, UserId]]:
    return list(zip(people[::2], people[1::2], strict=False))


def _play(
    one: UserId,
    other: UserId,
    true: dict[UserId, float],
    known: dict[UserId, PoolRating],
    at: datetime,
    random: Random,
) -> None:
    fixed: Rating | None = None
    if other == _MACHINE:
        rating = known.get(one, PoolRating.new(at)).rating.rating
        levels = [machine_rating(_VERSION, n + 1) for n in range(len(LEVELS[_VERSION]))]
        fixed = min(filter(None, levels), key=lambda level: abs(level.rating - rating))
    strength = true[other] if fixed is None else fixed.rating
    result = RatedResult(
        pace=Pace.SLOW,
        white=one,
        black=other,
        score=float(random.random() < chance(true[one], strength)),
        fixed=None if fixed is None else other,
        fixed_rating=fixed,
    )
    for change in list(changes_in(_GUILD, result, known, at)):
        known[change.player] = change.after


def main() -> None:
    """Simulate, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rating_pools")
    usual = Plan()
    parser.add_argument("--middles", type=float, nargs="+", default=list(usual.middles))
    parser.add_argument("--players", type=int, default=usual.players)
    parser.add_argument("--games", type=int, default=usual.games)
    parser.add_argument("--machine", type=int, default=usual.machine)
    parser.add_argument("--times", type=int, default=400)
    options = parser.parse_args()
    plan = Plan(
        middles=tuple(options.middles),
        players=options.players,
        games=options.games,
        machine=options.machine,
    )
    times = options.times
    errors = mean_errors(plan, times)
    found, alone = apart(errors), apart(mean_errors(replace(plan, machine=0), times))
    two = sorted(abs(one - other) for all_ in errors for one, other in combinations(all_, 2))
    hosts = [statistics.mean(one) for one in zip(*errors, strict=True)]
    figures = {
        "times": times,
        "apart_median_points": statistics.median(found),
        "apart_median_error_points": median_error(found),
        "apart_p95_points": found[int(0.95 * len(found))],
        "within_60_share": sum(one <= AGREE for one in found) / len(found),
        "two_apart_median_points": statistics.median(two),
        "two_within_60_share": sum(one <= AGREE for one in two) / len(two),
        "without_machine_median_points": statistics.median(alone),
        "ratio": statistics.median(found) / statistics.median(alone),
    }
    figures |= {f"host_{number}_points": error for number, error in enumerate(hosts, 1)}
    print(result_line("rating_pools", figures))


if __name__ == "__main__":
    main()
