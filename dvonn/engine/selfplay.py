"""Self-play of the engine, which produces training data.

    python -m dvonn.engine.selfplay --games 1000 --level 6 --workers 2 --out games.jsonl

Each line of JSON is one game. Games in the file are kept, so an interrupted run can be continued. A
seed gives the same game on every machine.

    seed     seed of its random choices
    made     the versions and settings, the same in all lines
    moves    all placements and movements, as `parse_move` reads them
    values   for each movement, the value to White of the position before it, in points, by a
             separate search; 100 points are odds of about e to 1, and 20,000 more is a proven win
    margin   the result: White's pieces minus Black's

With `--start mixed`, each piece is placed either at random, with a probability drawn for each game,
or by the player. With `placed`, the player places all pieces, and with `balanced`, boards come from
`dvonn.starts`. In the first part of the movement phase, whose length is drawn for each game, moves
are random with the probability `--random`.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from dvonn import Color, Move, Phase, Position, __version__, balanced_start, parse_moves
from dvonn._rules.frozen import Value
from dvonn.engine.results import EngineMissingError
from dvonn.engine.seed_files import add_lines, read_lines
from dvonn.machine import MEASURED, VERSION

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from pathlib import Path

STARTS: Final = ("mixed", "placed", "balanced")

_CHANCES: Final = (1.0, 0.5, 0.2, 0.1)
"""Probabilities of a random placement. Each mixed game uses one of them."""
_EARLY: Final = 30
"""Number of movements at the beginning of a game among which some are random."""
_TABLE_MB: Final = 4


class SelfPlaySettings(Value, kw_only=True):
    """The settings of self-play. The same settings and seed give the same game.

    Attributes:
        level: Level of the player, one of `MEASURED`, or None to play the best move of the value
            search.
        nodes: Number of positions searched for a value.
        samples: Number of full boards to sample for a placement, if there is no level.
        start: One of `STARTS`.
        random: Share of random moves in the first part of the movements.
        engine: Version of the engine.
        dvonn: Version of the package.
    """

    level: int | None = None
    nodes: int = 2000
    samples: int = 200
    start: str = "mixed"
    random: float = 0.08
    engine: int = VERSION
    dvonn: str = __version__


class SelfPlayGame(Value):
    """A game that the engine played against itself.

    Attributes:
        seed: Seed of its random choices.
        moves: All placements and movements.
        values: Value to White of the position before each movement, in points.
        margin: White's pieces minus Black's at the end.
    """

    seed: int
    moves: tuple[Move, ...]
    values: tuple[int, ...]
    margin: int


def play_game(seed: int, settings: SelfPlaySettings) -> SelfPlayGame:
    """Play a game, and value its positions.

    Raises:
        ValueError: if there is no such level.
        ModuleNotFoundError: if numba is not installed.
    """
    from dvonn.engine.backend import require_compiled  # noqa: PLC0415 - it loads numba
    from dvonn.engine.searcher import Searcher  # noqa: PLC0415 - as above

    require_compiled()
    rng = random.Random(seed)  # noqa: S311 - no secrets
    choose = chooser(settings, rng)
    moves = start_line(rng, settings, choose)
    position, values = Position.initial().after(*moves), []
    searcher, early = Searcher(megabytes=_TABLE_MB), rng.randrange(_EARLY)
    while position.phase is not Phase.OVER:
        result = searcher.search(position, nodes=settings.nodes)
        values.append(result.value if position.turn is Color.WHITE else -result.value)
        if len(values) <= early and rng.random() < settings.random:
            move = rng.choice(position.legal_moves())
        else:
            move = result.move if settings.level is None else choose(position)
        moves.append(move)
        position = position.play(move)
    margin = position.score(Color.WHITE) - position.score(Color.BLACK)
    return SelfPlayGame(seed, tuple(moves), tuple(values), margin)


def start_line(
    rng: random.Random, settings: SelfPlaySettings, choose: Callable[[Position], Move]
) -> list[Move]:
    """Return the 49 placements of a game.

    Args:
        rng: Random number generator of the game.
        settings: Settings. Only `start` is used.
        choose: Function that chooses each placement that is not random.
    """
    if settings.start == "balanced":
        return list(balanced_start(rng.getrandbits(32)))
    chance = rng.choice(_CHANCES) if settings.start == "mixed" else 0.0
    position, line = Position.initial(), []
    while position.phase is Phase.PLACEMENT:
        at_random = rng.random() < chance
        line.append(rng.choice(position.legal_moves()) if at_random else choose(position))
        position = position.play(line[-1])
    return line


def chooser(settings: SelfPlaySettings, rng: random.Random) -> Callable[[Position], Move]:
    """Return the function that chooses moves: a level's player, or one for placements only."""
    from dvonn.engine.placement import choose_placement  # noqa: PLC0415 - it loads numba
    from dvonn.engine.player import player_at  # noqa: PLC0415 - as above

    if settings.level is not None:
        return player_at(settings.level, rng.getrandbits(32)).choose
    return partial(choose_placement, rng=rng, samples=settings.samples)


def read_games(path: "Path") -> Iterator[SelfPlayGame]:
    """Yield the games of a file. This does not need numba."""
    for line in read_lines(path):
        yield SelfPlayGame(
            line["seed"],
            parse_moves(line["moves"]),
            tuple(line["values"]),
            line["margin"],
        )


def _line(seed: int, settings: SelfPlaySettings) -> dict[str, Any]:
    game = play_game(seed, settings)
    moves = " ".join(map(str, game.moves))
    return game.as_dict() | {"made": settings.as_dict(), "moves": moves}


def _make(
    seeds: Sequence[int], settings: SelfPlaySettings, workers: int
) -> Iterator[dict[str, Any]]:
    """Yield the JSON lines of games in the order of their seeds, for any number of workers."""
    if workers == 1:
        yield from (_line(seed, settings) for seed in seeds)
        return
    from multiprocessing import get_context  # noqa: PLC0415 - one process needs none

    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(partial(_line, settings=settings), seeds)


def _is_made_otherwise(path: "Path", settings: SelfPlaySettings) -> bool:
    header = next((line["made"] for line in read_lines(path)), None) if path.exists() else None
    return header not in (None, settings.as_dict())


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and write the file. Return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    settings = SelfPlaySettings(
        level=options.level,
        nodes=options.nodes,
        samples=options.samples,
        start=options.start,
        random=options.random,
    )
    if _is_made_otherwise(options.out, settings):
        parser.error(f"{options.out} holds games of other settings, or of another version")
    seeds = range(options.seed, options.seed + options.games)
    make = partial(_make, settings=settings, workers=options.workers)
    try:
        for line in add_lines(seeds, make, options.out):
            sys.stdout.write(f"game {line['seed']}: {line['margin']:+}\n")
    except ModuleNotFoundError as error:
        sys.stderr.write(f"{EngineMissingError(error.name or 'numba')}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("The same command continues from here.\n")
        return 130
    return 0


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)  # argparse reports it
    return number


def _parser() -> "ArgumentParser":
    from argparse import ArgumentParser, RawDescriptionHelpFormatter  # noqa: PLC0415 - the command
    from pathlib import Path  # noqa: PLC0415 - as above

    parser = ArgumentParser(
        prog="python -m dvonn.engine.selfplay",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    settings = SelfPlaySettings()
    parser.add_argument("--games", type=_count, default=1000)
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first game; the others count up"
    )
    parser.add_argument("--level", type=int, choices=MEASURED, help="level of both players")
    parser.add_argument(
        "--nodes", type=_count, default=settings.nodes, help="positions searched for a value"
    )
    parser.add_argument(
        "--samples",
        type=_count,
        default=settings.samples,
        help="full boards sampled for a placement without --level",
    )
    parser.add_argument("--start", choices=STARTS, default=settings.start)
    parser.add_argument("--random", type=float, default=settings.random, metavar="SHARE")
    parser.add_argument("--workers", type=_count, default=1, help="number of processes")
    parser.add_argument("--out", type=Path, required=True)
    return parser


if __name__ == "__main__":
    sys.exit(main())
