"""Matches of each level against the one below, and of the lowest against simple players.

    python -m benchmarks.matches.ladder [--games 200] [--levels 1 2 3] [--jobs 1] [--out FILE]

Each board is played twice, with both colors. Games start on balanced boards, as they do in Discord.
With `--start empty` they are whole games, in which both sides also place the pieces. Levels are
limited by nodes and not by time, so that the result does not depend on the machine. The strongest
one gets `--nodes`, a tenth of the nodes that it searches in its time on two idle cores.

Each level should win 65 to 75% against the one below. Beginners should win against the lowest one.
They are represented by a tapper, who plays random moves, a child, who takes the tallest stack, and
the baseline, which looks one ply ahead. A tapper should win 30 to 50% against level 1. The scores
of all three should fall from level to level, with no step twice as large as another.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context

from benchmarks.matches.settings import add_out, results
from benchmarks.matches.simple import Child, Tapper
from benchmarks.result import result_line
from dvonn import Color
from dvonn.engine.baseline import Baseline
from dvonn.engine.matches.starts import STARTS
from dvonn.engine.matches.statistics import estimate
from dvonn.engine.protocol import Player
from dvonn.machine import LEVELS, MEASURED, STRONGEST

BASELINE = 0
"""The number that represents the baseline."""
TAPPER, CHILD = -1, -2
"""The numbers of simple players. See `benchmarks.matches.simple`."""
NAMES = {BASELINE: "baseline", TAPPER: "tapper", CHILD: "child"}
FOR_BEGINNERS = {BASELINE: 6, TAPPER: 4, CHILD: 6}
"""The highest level that is measured against each simple player."""
_NODES = 2_000_000
_FIRST_BOARD = 100_000
"""Number of the first board. These boards were not used to set the levels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderGame:
    """One game of a level against a lower one, or against a simple player."""

    level: int
    against: int
    number: int
    color: Color
    margin: int
    """Lead of the level in pieces."""

    @property
    def points(self) -> float:
        """1 if the level won, 0.5 for a draw, 0 if the other did."""
        return 0.5 + 0.5 * ((self.margin > 0) - (self.margin < 0))


def player_of(level: int, seed: int, nodes: int = _NODES) -> Player:
    """Return a player with a given level, or a simple player.

    The strongest searches `nodes` nodes.
    """
    if level == BASELINE:
        return Baseline(depth=1, seed=seed)
    if level in (TAPPER, CHILD):
        return (Tapper if level == TAPPER else Child)(seed)
    # Imported here: it loads numba, and only the workers need it.
    from dvonn.engine.player import EnginePlayer  # noqa: PLC0415

    return EnginePlayer(level=level, seed=seed, nodes=nodes if level == STRONGEST else None)


def play_players(player: Player, opponent: Player, color: Color, start: str, board: int) -> int:
    """Play a game. Return the margin of `player` with that color in pieces, negative for a loss."""
    players = {color: player, color.opponent: opponent}
    position = STARTS[start](board)
    while position.turn is not None:
        position = position.play(players[position.turn].choose(position, None))
    return position.score(color) - position.score(color.opponent)


def play(level: int, against: int, start: str, nodes: int, number: int) -> LadderGame:
    """Play one game of the ladder.

    Odd games give Black to the level, on the board of the game before.
    """
    color = Color.BLACK if number % 2 else Color.WHITE
    player, other = player_of(level, 2 * number + 1, nodes), player_of(against, 2 * number)
    margin = play_players(player, other, color, start, _FIRST_BOARD + number // 2)
    return LadderGame(level=level, against=against, number=number, color=color, margin=margin)


def rungs_of(level: int) -> tuple[int, ...]:
    """Return the opponents that a level is measured against."""
    simple = (player for player, until in FOR_BEGINNERS.items() if level <= until)
    return (*simple, *((level - 1,) if level > 1 else ()))


def pairs(rungs: Sequence[LadderGame]) -> list[float]:
    """Return the scores of pairs of games with both colors."""
    return [
        (game.points + other.points) / 2
        for game, other in zip(rungs[::2], rungs[1::2], strict=True)
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the RESULT line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches.ladder")
    parser.add_argument("--games", type=int, default=200, help="an even number, for each rung")
    parser.add_argument("--levels", type=int, nargs="+", choices=LEVELS, default=list(MEASURED))
    parser.add_argument("--start", choices=STARTS, default="balanced")
    parser.add_argument("--nodes", type=int, default=_NODES, help="of the strongest level")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    add_out(parser, "ladder")
    options = parser.parse_args(arguments)

    figures: dict[str, float] = {"games": options.games}
    with (
        results(options) as write,
        ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool,
    ):
        measured = [(level, against) for level in options.levels for against in rungs_of(level)]
        for level, against in measured:
            game = partial(play, level, against, options.start, options.nodes)
            rungs: list[LadderGame] = []
            for rung in pool.map(game, range(options.games)):
                write(asdict(rung))
                rungs.append(rung)
            score = estimate(pairs(rungs))
            print(
                f"level {level}: {100 * score.score:.1f} ± {100 * score.error:.1f}%"
                f" against {against if against > 0 else f'the {NAMES[against]}'}",
                flush=True,
            )
            rung_name = f"level_{level}_against_{NAMES.get(against, against)}"
            figures[f"{rung_name}_ratio"] = score.score
            figures[f"{rung_name}_error_ratio"] = score.error
        write({"result": figures})
    print(result_line("ladder", figures))


if __name__ == "__main__":
    main()
