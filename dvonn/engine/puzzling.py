"""The search for puzzles: positions with one right first move, proven to the end."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dvonn import Color, Move, Position, position_to_text
from dvonn.engine.baseline import Baseline
from dvonn.engine.proving import Prover, TooHardError
from dvonn.engine.searcher import Searcher
from dvonn.motifs import positions
from dvonn.puzzles import Aim, Puzzle
from dvonn.puzzles.likeness import name_of
from dvonn.puzzles.lines import DIGITS, RIGHT, UNTOLD, WRONG, LineReader, written
from dvonn.puzzles.puzzle import SETTLED_LIMIT
from dvonn.puzzles.solver import is_settled, lead
from dvonn.puzzles.themes import themes

_MEGABYTES: Final = 8
_NODES: Final = 50_000
"""The most positions for one question about a game of people."""
_SMALL: Final = 1
"""Megabytes of a table for searches of a few plies."""
_LEAST_CHOICES: Final = 5
"""With fewer first moves it is no puzzle."""
GAP: Final = 4
"""If all moves win, or all lose, the best one must be better by so many pieces."""
_EASY_NODES: Final = 1_000
"""With so many `dvonn.puzzles.solver` is quick enough."""
_LONGEST_BOOK: Final = 800
"""Characters of what the data tell about one puzzle beyond this are too many."""
_GREEDY_SEED: Final = 0
_DEEPEST: Final = 7
"""The greatest depth of the searches that tell how hard a puzzle is."""
_DEEP_FOR_MARGIN: Final = 5
"""The greatest depth that counts if a margin is asked for."""
_MOST_MARGIN: Final = 20
"""To win by more, or to lose by more, is nothing to care for: such puzzles are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPuzzle:
    """A found puzzle, and its difficulty.

    Attributes:
        choices: how many first moves there are.
        two_plies: whether a player finds it who looks two plies ahead (`dvonn.engine.baseline`).
        depth: how many moves the engine must look ahead to find it and stay with it.
    """

    puzzle: Puzzle
    choices: int
    two_plies: bool
    depth: int


def puzzles_of(
    game: Sequence[Position],
    prover: Prover,
    *,
    seed: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[FoundPuzzle]:
    """Yield the puzzles of a game, the last one first, as far back as the prover can prove.

    Args:
        game: the positions of its movement phase in order, none of them over.
        prover: proves.
        seed: of the game, as it is told with its puzzles.
        stopped: whether no more are wanted, asked before each position.
    """
    for ply in range(len(game) - 1, -1, -1):
        if stopped():
            return
        if len(game[ply].legal_moves()) < _LEAST_CHOICES:
            continue
        try:
            puzzle = _puzzle(seed, ply, game[ply], prover)
        except TooHardError:
            return
        if puzzle is not None:
            yield puzzle


def hardest_of(
    game: Sequence[Position], *, seed: int, stopped: Callable[[], bool]
) -> tuple[Puzzle, ...]:
    """The hardest puzzle of a game for each player, of those that are proven soon: two at most.

    Args: as of `puzzles_of`.
    """
    prover = Prover(Searcher(megabytes=_MEGABYTES), _NODES)
    hardest: dict[Color, Puzzle] = {}
    for found in puzzles_of(game, prover, seed=seed, stopped=stopped):
        puzzle = found.puzzle
        known = hardest.get(puzzle.solver)
        if not is_lopsided(puzzle) and (known is None or puzzle.rating > known.rating):
            hardest[puzzle.solver] = puzzle
    return tuple(hardest.values())


def is_lopsided(puzzle: Puzzle) -> bool:
    """Tell if it asks for more of a win or loss that is large anyway."""
    return puzzle.aim is Aim.MARGIN and abs(puzzle.best) > _MOST_MARGIN


def _puzzle(seed: int, ply: int, position: Position, prover: Prover) -> FoundPuzzle | None:
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
    moves = _moves_to_find(position, line, color, goal)
    choices, depth = len(position.legal_moves()), _depth(position, move)
    two_plies = Baseline(depth=2, seed=_GREEDY_SEED).choose(position) is move
    # The engine looks for wins, not for margins: how deep it looks says little of these.
    counted = min(depth, _DEEP_FOR_MARGIN) if aim is Aim.MARGIN else depth
    rating = 700 + 100 * counted + 15 * choices + 40 * moves + (0 if two_plies else 150)
    puzzle = Puzzle(
        id=name_of(position),
        text=position_to_text(position),
        aim=aim,
        goal=goal,
        best=best,
        rating=rating,
        themes=themes(position, line, wrong),
        moves=moves,
        seed=seed,
        ply=ply,
        line=written(position, line),
        others=others,
        book=book,
    )
    return FoundPuzzle(puzzle=puzzle, choices=choices, two_plies=two_plies, depth=depth)


def _mover(position: Position) -> Color:
    if position.turn is None:
        raise ValueError(f"the game is over: {position!r}")
    return position.turn


def _goals(best: int) -> Iterator[tuple[Aim, int]]:
    """Yield the goals that a position with such a margin may have, the best first."""
    if best == 0:
        yield Aim.DRAW, 0
        return
    if best > 0:
        yield Aim.WIN, 1
    if best < 0 or best - GAP >= 1:
        yield Aim.MARGIN, best - GAP + 1


def _only(position: Position, color: Color, goal: int, prover: Prover) -> Move | None:
    """Return the only move that reaches a goal; None if there are several."""
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
    """Return the first move and its line, of those that do not reach the goal, that brings most."""
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
