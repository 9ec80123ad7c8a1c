"""Fairness of the starts: White's score when the engine plays itself.

    python -m benchmarks.matches.fairness [--games 1000] [--nodes 20000] [--jobs 1] [--out FILE]

Each kind of start has as many boards as games, with one game on each board. The engine plays both
sides with the same number of nodes per move, so that the result is the same on every machine.
`standard` is a whole game, in which the engine also places the pieces. The others begin on full
boards. `even` ones come in the order of `dvonn.even_boards.even_seeds`, from which the bot draws.

The file gets one JSON object per line: first the settings, then each game with the figures that the
rules of a balanced start limit, and last the result.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from statistics import fmean

from benchmarks.matches.settings import add_out, results
from benchmarks.result import result_line
from dvonn import Color, Phase, fairness
from dvonn.engine.matches.starts import STARTS
from dvonn.engine.matches.statistics import estimate

KINDS = {
    "standard": "empty",
    "balanced": "balanced",
    "even": "even",
    "random": "random",
}
"""Maps kinds of starts to names in `STARTS`: those in Discord, and unrestricted boards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlayed:
    """One game of the engine with itself.

    Attributes:
        board: The full board, by `fairness`.
    """

    kind: str
    seed: int
    white_margin: int
    plies: int
    board: dict[str, object]

    @property
    def white_points(self) -> float:
        """1 if White won, 0.5 for a draw, 0 if Black won."""
        return 0.5 + 0.5 * ((self.white_margin > 0) - (self.white_margin < 0))


def play(kind: str, nodes: int, seed: int) -> SelfPlayed:
    """Play the self-play game with a given seed."""
    # Imported here: it loads numba, and only the workers need it.
    from dvonn.engine.player import EnginePlayer  # noqa: PLC0415

    player = EnginePlayer(seed=seed, nodes=nodes)
    position = STARTS[KINDS[kind]](seed)
    while position.phase is Phase.PLACEMENT:
        position = position.play(player.choose(position))
    board = asdict(fairness(position))
    plies = 0
    while position.turn is not None:
        position = position.play(player.choose(position))
        plies += 1
    margin = position.score(Color.WHITE) - position.score(Color.BLACK)
    return SelfPlayed(kind=kind, seed=seed, white_margin=margin, plies=plies, board=board)


def figures(played: Sequence[SelfPlayed]) -> dict[str, float]:
    """Return White's score and the share of draws with errors, the mean margin and length."""
    white = estimate([game.white_points for game in played])
    draws = estimate([float(game.white_margin == 0) for game in played])
    return {
        "games": len(played),
        "white_ratio": white.score,
        "white_error_ratio": white.error,
        "draw_ratio": draws.score,
        "draw_error_ratio": draws.error,
        "white_margin_pieces": fmean(game.white_margin for game in played),
        "plies": fmean(game.plies for game in played),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches.fairness")
    parser.add_argument("--games", type=int, default=1000, help="of each kind")
    parser.add_argument("--nodes", type=int, default=20000, help="a move")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--seed", type=int, default=1, help="of the first game of each kind")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    add_out(parser, "fairness")
    options = parser.parse_args(arguments)

    summary: dict[str, float] = {}
    with (
        results(options) as write,
        ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool,
    ):
        for kind in options.kinds:
            seeds = range(options.seed, options.seed + options.games)
            played = list(pool.map(partial(play, kind, options.nodes), seeds, chunksize=10))
            for game in played:
                write(asdict(game))
            measured = figures(played)
            print(kind, {name: round(value, 3) for name, value in measured.items()}, flush=True)
            summary |= {f"{kind}_{name}": value for name, value in measured.items()}
        write({"result": summary})
    print(result_line("fairness", summary))


if __name__ == "__main__":
    main()
