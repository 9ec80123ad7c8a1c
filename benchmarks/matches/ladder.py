"""The ladder of levels: each against the one below, the lowest two against the baseline as well.

    python -m benchmarks.matches.ladder [--games 200] [--levels 1 2 3] [--jobs 1] [--out FILE]

Each board is played twice, with both colours: balanced ones, as games in Discord begin, or with
`--start own` whole games with each side's own placement. Levels are limited by nodes and not by
time, so that the result does not depend on the machine.

Each level should win 70 to 80% against the one below. Beginners should win against the lowest two;
for one of them the baseline stands in that looks one ply ahead, and takes what it can. Level 1
should lose 70 to 85% to it, level 2 45 to 60%.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context

from benchmarks.matches.settings import add_out, results
from benchmarks.matches.starts import STARTS
from benchmarks.matches.statistics import estimate
from benchmarks.result import result_line
from dvonn import Color
from dvonn.engine.baseline import Baseline
from dvonn.engine.protocol import Player

LEVELS = range(1, 11)
BASELINE = 0
"""The number that stands for the baseline."""
FOR_BEGINNERS = 2
"""Up to this level each is measured against the baseline, too."""
_FIRST_BOARD = 100_000
"""Other boards than those on which the levels were set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One game of a level against a lower one, or against the baseline."""

    level: int
    against: int
    number: int
    color: Color
    margin: int
    """The pieces of the level less the other's."""

    @property
    def points(self) -> float:
        """1 if the level won, 0.5 for a draw, 0 if the other did."""
        return 0.5 + 0.5 * ((self.margin > 0) - (self.margin < 0))


def player_of(level: int, seed: int) -> Player:
    """Return the player of a level, or the greedy baseline."""
    if level == BASELINE:
        return Baseline(depth=1, seed=seed)
    # Imported here: it loads numba, and only the workers need it.
    from dvonn.engine.player import player_at  # noqa: PLC0415

    return player_at(level, seed)


def play_players(one: Player, other: Player, color: Color, start: str, board: int) -> int:
    """Play a game; the pieces by which `one` wins with that colour, or loses."""
    players = {color: one, color.opponent: other}
    position = STARTS[start](board)
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position, None))
    return position.score(color) - position.score(color.opponent)


def play(level: int, against: int, start: str, number: int) -> Rung:
    """Play one game; odd ones with Black for the level, on the board of the one before."""
    color = Color.BLACK if number % 2 else Color.WHITE
    one, other = player_of(level, 2 * number + 1), player_of(against, 2 * number)
    margin = play_players(one, other, color, start, _FIRST_BOARD + number // 2)
    return Rung(level=level, against=against, number=number, color=color, margin=margin)


def rungs_of(level: int) -> tuple[int, ...]:
    """Against whom a level is measured."""
    return (BASELINE, level - 1) if 1 < level <= FOR_BEGINNERS else (level - 1,)


def pairs(rungs: Sequence[Rung]) -> list[float]:
    """Return the scores of pairs of games with both colours."""
    return [
        (one.points + other.points) / 2 for one, other in zip(rungs[::2], rungs[1::2], strict=True)
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches.ladder")
    parser.add_argument("--games", type=int, default=200, help="an even number, for each rung")
    parser.add_argument("--levels", type=int, nargs="+", choices=LEVELS, default=list(LEVELS))
    parser.add_argument("--start", choices=STARTS, default="balanced")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    add_out(parser, "ladder")
    options = parser.parse_args(arguments)

    figures: dict[str, float] = {"games": options.games}
    with (
        results(options) as write,
        ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool,
    ):
        measured = [(level, against) for level in options.levels for against in rungs_of(level)]
        for one, against in measured:
            game = partial(play, one, against, options.start)
            rungs = list(pool.map(game, range(options.games)))
            for rung in rungs:
                write(asdict(rung))
            score = estimate(pairs(rungs))
            print(
                f"level {one}: {100 * score.score:.1f} ± {100 * score.error:.1f}%"
                f" against {against or 'the baseline'}",
                flush=True,
            )
            rung_name = f"level_{one}_against_{against or 'baseline'}"
            figures[f"{rung_name}_ratio"] = score.score
            figures[f"{rung_name}_error_ratio"] = score.error
        write({"result": figures})
    print(result_line("ladder", figures))


if __name__ == "__main__":
    main()
