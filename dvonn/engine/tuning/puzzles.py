"""Puzzles from games of the engine with itself.

    python -m dvonn.engine.tuning.puzzles --games 3850 --found found.jsonl \
        --out dvonn/puzzles/puzzles.json

Each game begins on a full board where the pieces lie at random; the players look at few positions,
and now and then play any move. Their last positions are solved, the last one first, as far back as
the limit of nodes allows; what has exactly one right first move is proven for every move, and kept
unless a player who only takes what they can would find it. Games are found one after the other and
written to `--found`, where a run that was broken off goes on; then the puzzles are chosen from all
of them. The same seeds give the same bytes.
"""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from dvonn import Color, Move, Phase, Position, position_from_text, position_to_text
from dvonn.engine.baseline import Baseline
from dvonn.engine.searcher import Searcher
from dvonn.engine.tuning.proving import Prover, TooHardError
from dvonn.motifs import positions
from dvonn.puzzles import Aim, Puzzle, PuzzleTheme
from dvonn.puzzles.likeness import name_of
from dvonn.puzzles.lines import DIGITS, RIGHT, UNTOLD, WRONG, LineReader, written
from dvonn.puzzles.puzzle import SETTLED_LIMIT
from dvonn.puzzles.solver import is_settled, lead
from dvonn.puzzles.themes import themes

_ASKED: Final = {Aim.WIN: "to win", Aim.DRAW: "not to lose", Aim.MARGIN: "a margin"}
"""What the report says."""

_MEGABYTES: Final = 16
_SMALL: Final = 1
_PLAYERS: Final = (300, 1_000, 3_000)
"""How many positions a player looks at for a move; chance picks one of them for each."""
_RANDOM_MOVES: Final = 0.06

_LEAST_CHOICES: Final = 5
"""With fewer first moves it is no puzzle."""
GAP: Final = 4
"""Where all moves win, or all lose, the best one must be better by so many pieces."""
NODES: Final = 150_000
"""How many positions one question may look at."""
_EASY_NODES: Final = 1_000
"""With so many `dvonn.puzzles.solver` is quick enough."""
_LONGEST_BOOK: Final = 800
"""Characters of what the data tell about one puzzle beyond this are too many."""
_GREEDY_SEED: Final = 0
_DEEPEST: Final = 7
"""So deep is looked to tell how hard a puzzle is,"""
_DEEP_FOR_MARGIN: Final = 5
"""and so deep, where a margin is asked for, it counts."""
_MOST_MARGIN: Final = 20
"""To win by more, or to lose by more, is nothing to care for: such puzzles are left out."""
_SOLVED_SHARE: Final = 0.45
"""No more of the puzzles than this may a player find who looks two plies ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPuzzle:
    """A puzzle as it was found; most fields are those of `dvonn.puzzles.Puzzle`.

    Attributes:
        themes: parted by spaces.
        choices: how many first moves there are.
        two_plies: whether a player finds it who looks two plies ahead (`dvonn.engine.baseline`).
        depth: how many moves the engine must look ahead to find it and stay with it.
    """

    seed: int
    ply: int
    text: str
    aim: str
    goal: int
    best: int
    line: str
    others: str
    book: str
    themes: str
    moves: int
    choices: int
    two_plies: bool
    depth: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Find puzzles and write the file; `arguments` are those of the command line."""
    parser = argparse.ArgumentParser(prog="python -m dvonn.engine.tuning.puzzles")
    parser.add_argument("--games", type=int, default=3850)
    parser.add_argument("--seed", type=int, default=0, help="of the first game; they count up")
    parser.add_argument("--nodes", type=int, default=NODES, help="for each question, at most")
    parser.add_argument("--found", type=Path, required=True, help="kept between runs")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)

    seeds = range(options.seed, options.seed + options.games)
    find_all(seeds, options.nodes, options.found)
    puzzles = choose(read(options.found, seeds))
    write([puzzle for puzzle, _ in puzzles], options.out)
    print(report(puzzles))


def find_all(seeds: Sequence[int], nodes: int, path: Path) -> None:
    """Find the puzzles of those games that are not in the file yet, and add them to it.

    A game is one line: its seed and its puzzles.
    """
    done = dict(_games(path)) if path.exists() else {}
    path.write_text("".join(map(_game_line, done.items())), encoding="utf-8")
    began = time.process_time()
    with path.open("a", encoding="utf-8") as file:
        for seed in seeds:
            if seed in done:
                continue
            done[seed] = [asdict(one) for one in find(seed, nodes)]
            file.write(_game_line((seed, done[seed])))
            file.flush()
            if seed % 50 == 0:
                count = sum(map(len, done.values()))
                took = time.process_time() - began
                print(f"{len(done)} games, {count} puzzles, {took:.0f} s here", flush=True)


def find(seed: int, nodes: int) -> list[FoundPuzzle]:
    """The puzzles of one game, the last one first."""
    game = play(seed)
    prover, found = Prover(Searcher(megabytes=_MEGABYTES), nodes), []
    for ply in range(len(game) - 1, -1, -1):
        if len(game[ply].legal_moves()) < _LEAST_CHOICES:
            continue
        try:
            puzzle = _puzzle(seed, ply, game[ply], prover)
        except TooHardError:
            break
        if puzzle is not None:
            found.append(puzzle)
    return found


def play(seed: int) -> list[Position]:
    """The positions of the movement phase of one game, all but the last."""
    rng = random.Random(seed)  # noqa: S311 - no secrets
    searcher, position = Searcher(megabytes=_SMALL), Position.initial()
    while position.phase is Phase.PLACEMENT:
        position = position.play(rng.choice(position.legal_moves()))
    nodes = {color: rng.choice(_PLAYERS) for color in Color}
    game = []
    while position.turn is not None:
        game.append(position)
        move = searcher.search(position, nodes=nodes[position.turn]).move
        if rng.random() < _RANDOM_MOVES:
            move = rng.choice(position.legal_moves())
        position = position.play(move)
    return game


def _puzzle(seed: int, ply: int, position: Position, prover: Prover) -> FoundPuzzle | None:
    """What a position is as a puzzle, if it is one."""
    color = _mover(position)
    best = prover.margin(position, color)
    asked = ((aim, goal, _only(position, color, goal, prover)) for aim, goal in _goals(best))
    aim, goal, move = next((one for one in asked if one[2] is not None), (None, 0, None))
    if aim is None or move is None:
        return None
    if Baseline(depth=1, seed=_GREEDY_SEED).choose(position) is move:
        return None
    line = (move, *prover.line(position.play(move), color, best))
    others = _others(position, line, color, goal, prover)
    book = _book(position.play(move), color, goal, prover)
    if len(others) + len(book) > _LONGEST_BOOK:
        return None
    wrong = _strongest_wrong(position, move, others, color)
    return FoundPuzzle(
        seed=seed,
        ply=ply,
        text=position_to_text(position),
        aim=aim,
        goal=goal,
        best=best,
        line=written(position, line),
        others=others,
        book=book,
        themes=" ".join(themes(position, line, wrong)),
        moves=_moves_to_find(position, line, color, goal),
        choices=len(position.legal_moves()),
        two_plies=Baseline(depth=2, seed=_GREEDY_SEED).choose(position) is move,
        depth=_depth(position, move),
    )


def _mover(position: Position) -> Color:
    if position.turn is None:
        raise ValueError(f"the game is over: {position!r}")
    return position.turn


def _goals(best: int) -> Iterator[tuple[Aim, int]]:
    """What could be asked for in a position with such a margin, the first thing first."""
    if best == 0:
        yield Aim.DRAW, 0
        return
    if best > 0:
        yield Aim.WIN, 1
    if best < 0 or best - GAP >= 1:
        yield Aim.MARGIN, best - GAP + 1


def _only(position: Position, color: Color, goal: int, prover: Prover) -> Move | None:
    """The only move that reaches a goal; None if there are several."""
    right = None
    after = {move: position.play(move) for move in position.legal_moves()}
    for move in sorted(after, key=lambda one: lead(after[one], color), reverse=True):
        if prover.reaches(after[move], color, goal):
            if right is not None:
                return None
            right = move
    return right


def _others(
    position: Position, line: Sequence[Move], color: Color, goal: int, prover: Prover
) -> str:
    """See `Puzzle.others`."""
    told = ""
    for number, best in enumerate(line):
        if position.turn is color:
            if number and prover.is_easy(position, color, goal, _EASY_NODES):
                break
            for move in position.legal_moves():
                if move is not best:
                    after = position.play(move)
                    margin = prover.margin(after, color)
                    told += RIGHT if margin >= goal else WRONG
                    told += written(after, prover.line(after, color, margin))
        position = position.play(best)
    return told


def _book(position: Position, color: Color, goal: int, prover: Prover) -> str:
    """See `Puzzle.book`."""
    if position.turn is None:
        return ""
    if position.turn is not color:
        return "".join(
            _book(position.play(move), color, goal, prover) for move in position.legal_moves()
        )
    if prover.is_easy(position, color, goal, _EASY_NODES):
        return UNTOLD
    legal = position.legal_moves()
    for move in sorted(legal, key=lambda one: lead(position.play(one), color), reverse=True):
        after = position.play(move)
        if prover.reaches(after, color, goal):
            return DIGITS[legal.index(move)] + _book(after, color, goal, prover)
    raise AssertionError(f"no move reaches {goal}: {position!r}")


def _strongest_wrong(
    position: Position, right: Move, others: str, color: Color
) -> tuple[Move, ...]:
    """The first move and its line, of those that do not reach the goal, that brings most."""
    reader, lines = LineReader(others), []
    for move in position.legal_moves():
        if move is not right:
            reader.sign()
            lines.append((move, *(step for _, step in reader.line(position.play(move)))))
    return max(lines, key=lambda line: lead(positions(position, line)[-1], color))


def _moves_to_find(position: Position, line: Sequence[Move], color: Color, goal: int) -> int:
    """See `Puzzle.moves`."""
    moves = 0
    for move in line:
        if position.turn is color:
            if moves and is_settled(position, color, goal, limit=SETTLED_LIMIT):
                break
            moves += len(position.legal_moves()) > 1
        position = position.play(move)
    return moves


def _depth(position: Position, move: Move) -> int:
    """See `FoundPuzzle.depth`."""
    searcher, needed = Searcher(megabytes=_SMALL), 1
    for depth in range(1, _DEEPEST + 1):
        if searcher.search(position, depth=depth).move is not move:
            needed = depth + 1
    return needed


def choose(found: Sequence[FoundPuzzle]) -> list[tuple[Puzzle, FoundPuzzle]]:
    """The puzzles to keep, by id: no two alike, and not too many that are easily found."""
    unlike: dict[str, FoundPuzzle] = {}
    for one in found:
        if one.aim == Aim.MARGIN and abs(one.best) > _MOST_MARGIN:
            continue
        unlike.setdefault(name_of(position_from_text(one.text)), one)
    hard = sum(not one.two_plies for one in unlike.values())
    easy = int(hard * _SOLVED_SHARE / (1 - _SOLVED_SHARE))
    kept = []
    for name, one in sorted(unlike.items()):
        easy -= one.two_plies
        if not one.two_plies or easy >= 0:
            kept.append((_made(name, one), one))
    return kept


def _made(name: str, found: FoundPuzzle) -> Puzzle:
    return Puzzle(
        id=name,
        text=found.text,
        aim=Aim(found.aim),
        goal=found.goal,
        best=found.best,
        rating=_rating(found),
        themes=tuple(map(PuzzleTheme, found.themes.split())),
        moves=found.moves,
        seed=found.seed,
        ply=found.ply,
        line=found.line,
        others=found.others,
        book=found.book,
    )


def _rating(found: FoundPuzzle) -> int:
    """An estimate; solvers will tell."""
    # The engine looks for wins, not for margins: how deep it looks says little of these.
    depth = min(found.depth, _DEEP_FOR_MARGIN) if found.aim == Aim.MARGIN else found.depth
    rating = 700 + 100 * depth + 15 * found.choices + 40 * found.moves
    return rating + (0 if found.two_plies else 150)


def read(path: Path, seeds: Sequence[int]) -> list[FoundPuzzle]:
    """What was found in some games, in the order of the seeds."""
    games = dict(_games(path))
    return [FoundPuzzle(**one) for seed in seeds for one in games.get(seed, [])]


def write(puzzles: Iterable[Puzzle], path: Path) -> None:
    """The file that `dvonn.puzzles.load` reads, a puzzle a line."""
    lines = (json.dumps(one.to_json(), separators=(",", ":")) for one in puzzles)
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _games(path: Path) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The games of a file; a last line that was broken off does not count."""
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            game = json.loads(line)
            yield game["seed"], game["puzzles"]


def _game_line(game: tuple[int, list[dict[str, Any]]]) -> str:
    seed, puzzles = game
    return json.dumps({"seed": seed, "puzzles": puzzles}, separators=(",", ":")) + "\n"


def report(kept: Sequence[tuple[Puzzle, FoundPuzzle]]) -> str:
    """What is in the file, as tables in Markdown."""
    puzzles = [puzzle for puzzle, _ in kept]
    two_plies = sum(found.two_plies for _, found in kept)
    tables = {
        "asked for": Counter(_ASKED[one.aim] for one in puzzles),
        "theme": Counter(theme.value for one in puzzles for theme in one.themes),
        "plies to the end": _grouped([len(one.line) for one in puzzles], 3),
        "moves to find": Counter(f"{one.moves:>2}" for one in puzzles),
        "first moves": _grouped([found.choices for _, found in kept], 5),
        "rating": _grouped([one.rating for one in puzzles], 200),
        "engine's depth": Counter(str(found.depth) for _, found in kept),
    }
    share = 100 * two_plies / max(len(kept), 1)
    text = f"{len(kept)} puzzles; two plies ahead find {two_plies} ({share:.1f}%)\n"
    for title, counts in tables.items():
        text += f"\n| {title} | puzzles |\n|---|---|\n"
        text += "".join(f"| {name} | {count:,} |\n" for name, count in sorted(counts.items()))
    return text


def _grouped(numbers: Iterable[int], width: int) -> Counter[str]:
    """How many numbers there are in each range."""
    starts = (number - number % width for number in numbers)
    return Counter(f"{start:>4}–{start + width - 1}" for start in starts)


if __name__ == "__main__":
    main()
