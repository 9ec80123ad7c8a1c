"""Do odds make up for a gap between two ratings, and do they leave honest ratings alone?

    python -m benchmarks.odds [--games 1000] [--gaps 0 100 200 300 400] [--fit 0]
        [--players 60] [--rounds 100]

Levels of the machine play on boards with odds for the weaker of the two, with either colour; three
pairs of levels for each gap. Then ratings are simulated: people whose true strengths differ play
half of their rated games with odds, which the true strengths decide as measured, and the errors of
their ratings are compared with those of people who play without. With `--fit N`, N boards with any
odds are played by many pairs of levels instead: what a step is worth is fitted to these games.
"""

import argparse
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import fmean, stdev
from typing import Final

from benchmarks.matches.statistics import estimate
from benchmarks.result import result_line
from bot.base.ids import NO_GUILD, UserId
from bot.features.ratings.model import PoolRating, RatedResult, advantage, machine_rating, steps_for
from bot.features.ratings.store import changes_in
from bot.play.model.clock import Pace
from bot.play.model.openings import opening, steps_of
from bot.play.model.terms import Start
from dvonn import Color, Position
from dvonn.engine.player import player_at
from dvonn.machine import VERSION
from dvonn.odds import odds_seed

_SCALE: Final = 400
_NOON: Final = datetime(2026, 11, 28, 12, tzinfo=UTC)
_PAIRS: Final = (
    *((1, 1), (3, 3), (5, 5), (7, 7), (9, 9), (2, 2), (4, 4), (6, 6), (8, 8), (10, 10), (1, 2)),
    *((3, 4), (5, 7), (6, 9), (4, 5), (1, 3), (3, 5), (2, 4), (4, 6), (7, 9), (11, 11), (10, 11)),
)
_UNPLAYED: Final = 10_000
"""The first number of the boards by which it is found."""
_HOSTS: Final = 20
"""So many simulated servers."""
_LEADS: Final = (-40, 46)
"""Between these steps boards are played to find what one is worth."""
GAPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    0: ((3, 3), (6, 6), (9, 9)),
    100: ((3, 4), (5, 6), (8, 9)),
    200: ((4, 5), (9, 10), (10, 11)),
    300: ((1, 3), (3, 5), (5, 7)),
    400: ((5, 8), (6, 9), (7, 10)),
}
"""For each gap about as large, pairs of levels: the weaker and the stronger one."""


def score(board: Position, white: int, black: int, seed: int) -> float:
    """Return White's score in a game of two levels: 1, 0.5 or 0."""
    players = {
        Color.WHITE: player_at(white, 2 * seed),
        Color.BLACK: player_at(black, 2 * seed + 1),
    }
    position = board
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position))
    margin = position.score(Color.WHITE) - position.score(Color.BLACK)
    return 0.5 + 0.5 * ((margin > 0) - (margin < 0))


def rating_of(level: int) -> float:
    """Return the rating of a level of the present machine."""
    found = machine_rating(VERSION, level)
    assert found is not None  # every level was measured
    return found.rating


def scores(weak: int, strong: int, games: int) -> list[float]:
    """Return the weaker level's scores with odds, with either colour on boards for that."""
    low, high = rating_of(weak), rating_of(strong)
    found = []
    for number in range(games // 2):
        seeds = (
            odds_seed(steps_for(low, high), 2 * number),
            odds_seed(steps_for(high, low), 2 * number + 1),
        )
        as_white, as_black = (opening(Start.ODDS, seed) for seed in seeds)
        found.append(score(as_white, weak, strong, 2 * number))
        found.append(1 - score(as_black, strong, weak, 2 * number + 1))
    return found


def made_up(games: int, gaps: Sequence[int]) -> dict[str, float]:
    """Return the weaker player's score with odds, for each gap."""
    found: dict[str, float] = {}
    for gap in gaps:
        together: list[float] = []
        for weak, strong in GAPS[gap]:
            played = scores(weak, strong, games // len(GAPS[gap]))
            together += played
            apart, one = rating_of(strong) - rating_of(weak), estimate(played)
            print(weak, strong, round(apart), round(one.score, 3), round(one.error, 3), flush=True)
        result = estimate(together)
        found |= {f"gap_{gap}_score": result.score, f"gap_{gap}_error": result.error}
    return found


def worth(boards: int) -> None:
    """Print White's scores on boards of any odds, for pairs of levels."""
    rng = Random(1)
    for number in range(boards):
        seed = odds_seed(rng.randint(*_LEADS), _UNPLAYED + number)
        for pair in _PAIRS:
            white, black = rng.sample(pair, 2)
            won = score(opening(Start.ODDS, seed), white, black, number)
            print(white, black, steps_of(Start.ODDS, seed), won, flush=True)


def honest(players: int, rounds: int, seed: int, *, odds: bool) -> float:
    """Return the mean error of ratings after rounds of games, half of them with odds or none."""
    rng = Random(seed)
    true = {UserId(1_000 + number): rng.gauss(1500, 250) for number in range(players)}
    known: dict[UserId, PoolRating] = {}
    for number in range(rounds):
        people, at = list(true), _NOON + timedelta(days=number)
        rng.shuffle(people)
        for white, black in zip(people[::2], people[1::2], strict=True):
            steps, gained = None, 0.0
            if odds and rng.random() < 0.5:
                own, other = (
                    known[one].rating.rating if one in known else 1500.0 for one in (white, black)
                )
                steps = steps_for(own, other)
                gained = advantage(steps, (true[white] + true[black]) / 2)
            ahead = true[white] + gained - true[black]
            won = float(rng.random() < 1 / (1 + 10 ** (-ahead / _SCALE)))
            result = RatedResult(pace=Pace.SLOW, white=white, black=black, score=won, steps=steps)
            for change in list(changes_in(NO_GUILD, result, known, at)):
                known[change.player] = change.after
    off = fmean(true.values()) - fmean(one.rating.rating for one in known.values())
    return fmean(abs(known[one].rating.rating + off - true[one]) for one in true)


def main() -> None:
    """Measure, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.odds")
    parser.add_argument("--games", type=int, default=1_000, help="for each gap")
    parser.add_argument("--gaps", type=int, nargs="*", choices=GAPS, default=[*GAPS])
    parser.add_argument("--fit", type=int, default=0, help="so many boards, and nothing else")
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    if options.fit:
        worth(options.fit)
        return
    found = made_up(options.games, options.gaps)
    for name, odds in (("with", True), ("without", False)):
        errors = [honest(options.players, options.rounds, one, odds=odds) for one in range(_HOSTS)]
        found[f"rating_error_{name}_odds"] = fmean(errors)
        found[f"rating_error_{name}_odds_spread"] = stdev(errors) / math.sqrt(_HOSTS)
    print(result_line("odds", found))


if __name__ == "__main__":
    main()
