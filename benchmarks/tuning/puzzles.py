"""Find puzzles in games that the engine plays against itself.

    python -m benchmarks.tuning.puzzles --seed 10000 --games 9000 --found found.jsonl \
        --kept earlier.json --out dvonn_lessons/puzzles/puzzles.json

The players place well, search few positions for a move, and sometimes play a random one. The last
positions of a game are solved, from the last one back as far as the limit on nodes allows. If
exactly one first move keeps the win or the draw, this is proven for every move, and the position is
kept unless a greedy player would find the move. Games are searched one after the other and written
to `--found`, so that an interrupted run can continue. Then the puzzles are chosen from all of them.
The same seeds give the same bytes. Earlier puzzles stay as they are. With `--again` they are rated
and chosen again; those that are no longer chosen stay without themes, so that their ids remain
known.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.tuning.resumable import find_all, games
from dvonn import Color, Phase, Position
from dvonn.engine.placement import choose_placement
from dvonn.engine.searcher import Searcher
from dvonn.reviews.lines import positions
from dvonn_lessons.likeness import name_of
from dvonn_lessons.proving import Prover
from dvonn_lessons.puzzle_search import FoundPuzzle, is_lopsided, puzzles_of, recompute_puzzle
from dvonn_lessons.puzzles import Aim, Puzzle

_ASKED: Final = {
    Aim.WIN: "to win",
    Aim.DRAW: "not to lose",
    Aim.MARGIN: "a margin",
    Aim.FIGHT: "to stay ahead",
    Aim.PLACEMENT: "to place",
}
"""Labels of puzzle tasks in the report."""

_NAME: Final = "puzzles"
"""Key of a game's puzzles in its JSON line."""
_MEGABYTES: Final = 16
_SMALL: Final = 1
_PLAYERS: Final = (300, 1_000, 3_000)
"""Numbers of positions that a player searches for a move. Each player gets a random one of them."""
_SAMPLES: Final = (50, 400)
"""Numbers of full boards for judging a placement. Each player gets a random one of them."""
_RANDOM_MOVES: Final = 0.06

NODES: Final = 150_000
"""Maximum number of positions to search for one proof."""
_SOLVED_SHARE: Final = 0.45
"""Maximum share of puzzles that a player who looks two plies ahead may find."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Find puzzles and write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning.puzzles")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=10_000, help="of the first game")
    parser.add_argument("--nodes", type=int, default=NODES, help="for each question, at most")
    parser.add_argument("--stacks", type=int, default=0, help="of each puzzle, at least")
    parser.add_argument("--found", type=Path, required=True, help="kept between runs")
    parser.add_argument("--kept", type=Path, help="a file of earlier puzzles to begin with")
    parser.add_argument("--again", action="store_true", help="rate these again, and choose again")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    seeds = range(options.seed, options.seed + options.games)
    found_in = partial(_found_in, nodes=options.nodes, stacks=options.stacks)
    find_all(seeds, found_in, options.found, name=_NAME)
    earlier = [] if options.kept is None else read_earlier_puzzles(options.kept)
    if options.again:
        earlier = recompute_puzzles(earlier, options.nodes)
    earlier_puzzles = [puzzle for puzzle in earlier if puzzle.puzzle.themes]
    chosen = choose(earlier_puzzles, read_puzzles(options.found, seeds))
    named = {puzzle.puzzle.id: puzzle.puzzle for puzzle in chosen}
    without_themes = {puzzle.puzzle.id: replace(puzzle.puzzle, themes=()) for puzzle in earlier}
    write([puzzle for _, puzzle in sorted((without_themes | named).items())], options.out)
    print(report(chosen))


def _found_in(seed: int, nodes: int, stacks: int) -> list[dict[str, Any]]:
    return [
        asdict(puzzle) | {"puzzle": puzzle.puzzle.to_json()} for puzzle in find(seed, nodes, stacks)
    ]


def find(seed: int, nodes: int, stacks: int = 0) -> list[FoundPuzzle]:
    """Return the puzzles of one game with at least `stacks` stacks, the last one first."""
    prover = Prover(Searcher(megabytes=_MEGABYTES), nodes)
    return list(puzzles_of(play(seed), prover, seed=seed, margins=False, stacks=stacks))


def play(seed: int) -> list[Position]:
    """Return the positions of the movement phase of one game, all but the last."""
    rng = random.Random(seed)
    searcher, position = Searcher(megabytes=_SMALL), Position.initial()
    samples = rng.choice(_SAMPLES)
    while position.phase is Phase.PLACEMENT:
        position = position.play(choose_placement(position, rng, samples=samples))
    nodes = {color: rng.choice(_PLAYERS) for color in Color}
    game = []
    while position.turn is not None:
        game.append(position)
        move = searcher.search(position, nodes=nodes[position.turn]).move
        if rng.random() < _RANDOM_MOVES:
            move = rng.choice(position.legal_moves())
        position = position.play(move)
    return game


def read_earlier_puzzles(path: Path) -> list[FoundPuzzle]:
    """Read already published puzzles. None was too easy then."""
    data = json.loads(path.read_text(encoding="utf-8"))
    puzzles = map(Puzzle.from_json, data)
    return [FoundPuzzle(puzzle=puzzle, choices=0, two_plies=False, depth=0) for puzzle in puzzles]


def recompute_puzzles(earlier: Iterable[FoundPuzzle], nodes: int) -> list[FoundPuzzle]:
    """Return earlier puzzles with ratings and themes as computed now, if they are proven."""
    prover = Prover(Searcher(megabytes=_MEGABYTES), nodes)
    return [
        puzzle if puzzle.puzzle.judged else recompute_puzzle(puzzle.puzzle, prover)
        for puzzle in earlier
    ]


def choose(earlier: Sequence[FoundPuzzle], candidates: Sequence[FoundPuzzle]) -> list[FoundPuzzle]:
    """Select the puzzles to publish. None is on another's solution line, and not too many are easy.

    Earlier puzzles come first, then the ones with the longest lines. Rescues come last.
    """
    looks = {_look(item.puzzle.position) for item in (*earlier, *candidates)}
    chosen: dict[str, FoundPuzzle] = {}
    line_ids: set[str] = set()
    for group in (earlier, [item for item in candidates if not is_lopsided(item.puzzle)]):
        easy = _SOLVED_SHARE * len(group)
        for item in sorted(group, key=lambda item: (item.puzzle.is_rescue, -len(item.puzzle.line))):
            puzzle = item.puzzle
            line = {
                name_of(position)
                for position in positions(puzzle.position, puzzle.solution)[1:]
                if position.turn is not None and _look(position) in looks
            }
            easy -= item.two_plies
            if puzzle.id in line_ids or puzzle.id in chosen or line & chosen.keys() or easy < 0:
                continue
            chosen[puzzle.id] = item
            line_ids |= line
    return [item for _, item in sorted(chosen.items())]


def _look(position: Position) -> tuple[str, ...]:
    """Return a key that similar positions share, to find candidates quickly."""
    letters = str.maketrans("WB", "BW") if position.turn is Color.BLACK else {}
    return tuple(sorted(pieces.translate(letters) for pieces in position.stacks.values()))


def read_puzzles(path: Path, seeds: Sequence[int]) -> list[FoundPuzzle]:
    """Read the puzzles of some games, in the order of the seeds."""
    rows = dict(games(path, _NAME))
    return [
        FoundPuzzle(**row | {"puzzle": Puzzle.from_json(row["puzzle"])})
        for seed in seeds
        for row in rows.get(seed, [])
    ]


def write(puzzles: Iterable[Puzzle], path: Path) -> None:
    """Write the file for `dvonn.puzzles.load`, with one puzzle per line."""
    lines = (json.dumps(puzzle.to_json(), separators=(",", ":")) for puzzle in puzzles)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def report(chosen: Sequence[FoundPuzzle]) -> str:
    """Describe the file's puzzles, and the difficulty of new ones, as tables in Markdown."""
    puzzles = [puzzle.puzzle for puzzle in chosen]
    new = [puzzle for puzzle in chosen if puzzle.depth]
    two_plies = sum(puzzle.two_plies for puzzle in new)
    tables = {
        "asked for": Counter(_ASKED[puzzle.aim] for puzzle in puzzles),
        "theme": Counter(theme.value for puzzle in puzzles for theme in puzzle.themes),
        "plies to the end": _grouped([len(puzzle.line) for puzzle in puzzles], 3),
        "moves to find": Counter(f"{puzzle.moves:>2}" for puzzle in puzzles),
        "first moves": _grouped([puzzle.choices for puzzle in new], 5),
        "rating": _grouped([puzzle.rating for puzzle in puzzles], 200),
        "depth": Counter(str(puzzle.depth) for puzzle in new),
    }
    share = 100 * two_plies / max(len(new), 1)
    text = f"{len(chosen)} puzzles; of {len(new)} two plies ahead find {two_plies} ({share:.1f}%)\n"
    for title, counts in tables.items():
        text += f"\n| {title} | puzzles |\n|---|---|\n"
        text += "".join(f"| {name} | {count:,} |\n" for name, count in sorted(counts.items()))
    return text


def _grouped(numbers: Iterable[int], width: int) -> Counter[str]:
    """Count the numbers in each range."""
    starts = (number - number % width for number in numbers)
    return Counter(f"{start:>4}–{start + width - 1}" for start in starts)


if __name__ == "__main__":
    main()
