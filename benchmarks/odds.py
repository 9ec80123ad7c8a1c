"""Do odds make up for a gap between two ratings, and do they leave honest ratings alone?

    python -m benchmarks.odds [--games 1000] [--gaps 0 100 200 300 400] [--fit 0]
        [--players 60] [--rounds 100]

Players of known strength play games on boards with odds for the weaker of the two, with either
colour. They are levels of the machine; for gaps that no two levels have, one plays each move now as
one level, now as another, and how strong that is, games with a level on even boards tell first.
Then ratings are simulated: people whose true strengths differ play half of their rated games with
odds, which the true strengths decide as measured, and the errors of their ratings are compared with
those of people who play without. With `--fit N`, N boards with any odds are played by many pairs of
levels instead, and what a step is worth to them is printed.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import fmean, stdev
from typing import Final

from benchmarks.matches.starts import STARTS
from benchmarks.matches.statistics import estimate
from benchmarks.result import result_line
from bot.base.ids import NO_GUILD, UserId
from bot.features.ratings.model.glicko import Pace
from bot.features.ratings.model.machine_rating import machine_rating
from bot.features.ratings.model.odds import advantage, steps_for
from bot.features.ratings.model.rated import PoolRating, RatedResult
from bot.features.ratings.store import changes_in
from bot.play.model.openings import opening, steps_of
from bot.play.model.terms import Start
from dvonn import Color, Move, Position
from dvonn.engine.player import player_at
from dvonn.machine import VERSION
from dvonn.odds import odds_seed

_SCALE: Final = 400
_NOON: Final = datetime(2026, 11, 28, 12, tzinfo=UTC)
_PAIRS: Final = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (2, 3), (3, 4), (4, 5), (4, 6))
_HOSTS: Final = 20
"""So many simulated servers."""
_WIDEST: Final = 42
"""The steps up to which boards are played to find what one is worth."""


class Mixed:
    """Plays each move as the second of two levels with a chance, else as the first."""

    def __init__(self, low: int, high: int, share: float, seed: int) -> None:
        """Play as a level, and as another for a share of the moves."""
        self._players = player_at(low, seed), player_at(high, seed)
        self._share, self._rng = share, Random(seed)

    def choose(self, position: Position) -> Move:
        """Return the move of the level whose turn it is by chance."""
        return self._players[self._rng.random() < self._share].choose(position)


Kind = tuple[int, int, float]
"""Two levels, and the share of the moves that are the second one's."""
GAPS: Final[dict[int, tuple[Kind, Kind]]] = {
    0: ((3, 3, 0.0), (3, 3, 0.0)),
    100: ((3, 3, 0.0), (4, 4, 0.0)),
    200: ((4, 4, 0.0), (5, 5, 0.0)),
    300: ((5, 5, 0.0), (7, 7, 0.0)),
    400: ((6, 6, 0.0), (9, 9, 0.0)),
}
"""For each gap about as large, a weaker player and a stronger one."""


def score(board: Position, white: Kind, black: Kind, seed: int) -> float:
    """Return White's score in a game: 1, 0.5 or 0."""
    players = {
        Color.WHITE: Mixed(*white, seed=2 * seed),
        Color.BLACK: Mixed(*black, seed=2 * seed + 1),
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


def scores(one: Kind, other: Kind, boards: Sequence[tuple[Position, Position]]) -> list[float]:
    """Return the first player's scores, once with each colour on boards for that."""
    found = []
    for number, (as_white, as_black) in enumerate(boards):
        found.append(score(as_white, one, other, 2 * number))
        found.append(1 - score(as_black, other, one, 2 * number + 1))
    return found


def strength_of(kind: Kind, base: Kind, games: int) -> float:
    """Return a player's rating: that of a level, or as games with a level on even boards tell."""
    low, high, _ = kind
    if low == high:
        return rating_of(low)
    boards = map(STARTS["even"], range(games))
    won = fmean(scores(kind, base, list(zip(boards, boards, strict=True))))
    return rating_of(base[0]) + _SCALE * math.log10(won / (1 - won))


def odds_boards(weak: float, strong: float, games: int) -> Iterator[tuple[Position, Position]]:
    """Yield boards with odds for the weaker player, as White and as Black."""
    for number in range(games // 2):
        yield (
            opening(Start.ODDS, odds_seed(steps_for(weak, strong), 2 * number)),
            opening(Start.ODDS, odds_seed(steps_for(strong, weak), 2 * number + 1)),
        )


def made_up(games: int, gaps: Sequence[int]) -> dict[str, float]:
    """Return the weaker player's score with odds, for each gap."""
    found: dict[str, float] = {}
    for gap in gaps:
        weak, strong = GAPS[gap]
        low, high = rating_of(weak[0]), strength_of(strong, weak, games)
        result = estimate(scores(weak, strong, list(odds_boards(low, high, games))))
        found |= {
            f"gap_{gap}_points": high - low,
            f"gap_{gap}_score": result.score,
            f"gap_{gap}_error": result.error,
        }
        print(gap, round(high - low), round(result.score, 3), round(result.error, 3), flush=True)
    return found


def worth(boards: int) -> None:
    """Print White's scores on boards of any odds, for pairs of levels."""
    rng = Random(1)
    for number in range(boards):
        seed = odds_seed(rng.randint(-_WIDEST, _WIDEST), number)
        for pair in _PAIRS:
            white, black = rng.sample(pair, 2)
            won = score(opening(Start.ODDS, seed), (white, white, 0), (black, black, 0), number)
            print(white, black, steps_of(Start.ODDS, seed), won)


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
