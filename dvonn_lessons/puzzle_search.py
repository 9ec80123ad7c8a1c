"""The search for puzzles: positions with one right first move, proven to the end."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from dvonn import Color, Move, Position, position_to_text
from dvonn._rules.errors import DvonnError
from dvonn._rules.packed_moves import PackedMoves, packed
from dvonn.engine.baseline import Baseline
from dvonn.engine.searcher import Searcher
from dvonn.reviews.lines import positions
from dvonn_lessons.likeness import name_of
from dvonn_lessons.proving import Prover, TooHardError
from dvonn_lessons.puzzles import Aim, Puzzle
from dvonn_lessons.puzzles.puzzle import NOT_STORED, RIGHT, WRONG
from dvonn_lessons.shallow import ShallowPlayer
from dvonn_lessons.solver import lead
from dvonn_lessons.themes import themes

_MEGABYTES: Final = 8
_NODES: Final = 50_000
"""Maximum number of positions to search for one proof, for a game between people."""
_LEAST_CHOICES: Final = 5
"""Minimum number of legal first moves in a puzzle's position."""
GAP: Final = 4
"""Minimum lead of the best move in pieces, if all moves win or all lose."""
_EASY_NODES: Final = 1_000
"""Maximum number of positions that `dvonn_lessons.solver` searches quickly."""
_LONGEST_BOOK: Final = 800
"""Maximum length of the data that is stored for one puzzle, in characters."""
_GREEDY_SEED: Final = 0
_DEEPEST: Final = 6
"""Maximum depth of the searches that measure the difficulty of a puzzle."""
_MOST_MARGIN: Final = 20
"""Maximum margin of a puzzle. Larger wins are too easy to find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPuzzle:
    """A found puzzle, and its difficulty.

    Attributes:
        choices: Number of first moves.
        two_plies: True if a player who looks two plies ahead finds the right move
            (`dvonn.engine.baseline`).
        depth: Minimum depth, in moves, at which a simple search finds the right move. Deeper
            searches find it, too. See `dvonn_lessons.shallow`.
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
    margins: bool,
    stacks: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[FoundPuzzle]:
    """Yield a game's puzzles, last position first, until a position is too hard to prove.

    Args:
        game: Positions of the movement phase in order. The game is not over in any of them.
        prover: Proves the positions.
        seed: The game's seed, which is stored in its puzzles.
        margins: True to include puzzles that ask for a larger win.
        stacks: Minimum number of stacks of a puzzle.
        stopped: Called before each position. No more puzzles are yielded once it returns True.
    """
    for ply in range(len(game) - 1, -1, -1):
        if stopped():
            return
        if len(game[ply].legal_moves()) < _LEAST_CHOICES:
            continue
        try:
            task = _task(game[ply], prover, margins=margins)
        except TooHardError:
            return
        if task is None or len(game[ply].stacks) < stacks:
            continue
        with suppress(TooHardError):  # wrong moves can be harder to judge than the right one
            puzzle = _puzzle(seed, ply, game[ply], task, prover)
            if puzzle is not None:
                yield puzzle


def hardest_of(
    game: Sequence[Position], *, seed: int, stopped: Callable[[], bool]
) -> tuple[Puzzle, ...]:
    """Return each player's hardest puzzle from a game, among those that are quick to prove.

    Args: See `puzzles_of`.
    """
    prover = Prover(Searcher(megabytes=_MEGABYTES), _NODES)
    hardest: dict[Color, Puzzle] = {}
    for judged in puzzles_of(game, prover, seed=seed, margins=True, stopped=stopped):
        puzzle = judged.puzzle
        current = hardest.get(puzzle.solver)
        if not is_lopsided(puzzle) and (current is None or puzzle.rating > current.rating):
            hardest[puzzle.solver] = puzzle
    return tuple(hardest.values())


def is_lopsided(puzzle: Puzzle) -> bool:
    """Return True if a puzzle asks for a larger margin in a game that is won easily."""
    return puzzle.aim is Aim.MARGIN and puzzle.best > _MOST_MARGIN


def _puzzle(
    seed: int, ply: int, position: Position, task: tuple[Aim, int, Move], prover: Prover
) -> FoundPuzzle | None:
    color = _mover(position)
    aim, goal, move = task
    if Baseline(depth=1, seed=_GREEDY_SEED).choose(position) is move:
        return None
    best = prover.margin(position, color)
    line = (move, *prover.line(position.play(move), color, best))
    moves = _moves_to_find(position, line, color, goal, prover)
    wrong_moves = _others(position, line, color, goal, moves, prover)
    book = _book(position.play(move), color, goal, prover)
    if len(wrong_moves) + len(book) > _LONGEST_BOOK:
        return None
    wrong = _strongest_wrong(position, move, wrong_moves, color)
    choices = len(position.legal_moves())
    depth = ShallowPlayer().depth_needed(position, move, _DEEPEST)
    puzzle = Puzzle(
        id=name_of(position),
        text=position_to_text(position),
        aim=aim,
        goal=goal,
        best=best,
        rating=rating_of(position, move, moves, depth),
        themes=themes(position, line, wrong),
        moves=moves,
        seed=seed,
        ply=ply,
        line=packed(position, line),
        others=wrong_moves,
        book=book,
    )
    two_plies = Baseline(depth=2, seed=_GREEDY_SEED).choose(position) is move
    return FoundPuzzle(puzzle=puzzle, choices=choices, two_plies=two_plies, depth=depth)


def recompute_puzzle(puzzle: Puzzle, prover: Prover) -> FoundPuzzle:
    """Return an existing puzzle with its rating, themes and moves recomputed."""
    position, line, color = puzzle.position, puzzle.solution, puzzle.solver
    try:
        moves = _moves_to_find(position, line, color, puzzle.goal, prover)
    except TooHardError:
        moves = 1  # the proven part
    choices = len(position.legal_moves())
    depth = ShallowPlayer().depth_needed(position, line[0], _DEEPEST)
    wrong = _strongest_wrong(position, line[0], puzzle.others, color)
    return FoundPuzzle(
        puzzle=replace(
            puzzle,
            rating=rating_of(position, line[0], moves, depth),
            themes=themes(position, line, wrong),
            moves=moves,
        ),
        choices=choices,
        two_plies=Baseline(depth=2, seed=_GREEDY_SEED).choose(position) is line[0],
        depth=depth,
    )


def rating_of(position: Position, move: Move, moves: int, depth: int) -> int:
    """Return an initial rating, based on the search depth and the numbers of moves."""
    choices = len(position.legal_moves())
    return 600 + 75 * depth + 65 * _engine_depth(position, move) + 15 * choices + 65 * moves


def _engine_depth(position: Position, move: Move) -> int:
    """Return the depth, in moves, from which the engine finds a move and keeps it."""
    searcher, needed = Searcher(megabytes=1), 1
    for depth in range(1, _DEEPEST + 1):
        if searcher.search(position, depth=depth).move is not move:
            needed = depth + 1
    return needed


def _mover(position: Position) -> Color:
    if position.turn is None:
        raise DvonnError(f"the game is over: {position!r}")
    return position.turn


def _task(position: Position, prover: Prover, *, margins: bool) -> tuple[Aim, int, Move] | None:
    """Return the aim, the goal and the one right move, or None if the position is not a puzzle."""
    color = _mover(position)
    aim, goal = Aim.WIN, 1
    if not prover.reaches(position, color, goal):
        aim, goal = Aim.DRAW, 0
        if not prover.reaches(position, color, goal):
            return None
    move = _only_move(position, color, goal, prover)
    if move is None and margins and aim is Aim.WIN:
        aim, goal = Aim.MARGIN, prover.margin(position, color) - GAP + 1
        move = _only_move(position, color, goal, prover) if goal > 1 else None
    return None if move is None else (aim, goal, move)


def _only_move(position: Position, color: Color, goal: int, prover: Prover) -> Move | None:
    """Return the only move that reaches a goal, or None if several do or none does."""
    right = None
    after = {move: position.play(move) for move in position.legal_moves()}
    for move in sorted(after, key=lambda candidate: lead(after[candidate], color), reverse=True):
        if prover.reaches(after[move], color, goal):
            if right is not None:
                return None
            right = move
    return right


def _others(
    position: Position, line: Sequence[Move], color: Color, goal: int, moves: int, prover: Prover
) -> str:
    """Return the text for `Puzzle.others`."""
    text = ""
    for number, best in enumerate(line):
        if position.turn is color:
            if moves == 0 or (number and prover.is_easy(position, color, goal, _EASY_NODES)):
                break
            moves -= len(position.legal_moves()) > 1
            for move in position.legal_moves():
                if move is not best:
                    after = position.play(move)
                    margin = prover.margin(after, color)
                    text += RIGHT if margin >= goal else WRONG
                    text += packed(after, prover.line(after, color, margin))
        position = position.play(best)
    return text


def _book(position: Position, color: Color, goal: int, prover: Prover) -> str:
    """Return the text for `Puzzle.book`."""
    if position.turn is None:
        return ""
    if position.turn is not color:
        return "".join(
            _book(position.play(move), color, goal, prover) for move in position.legal_moves()
        )
    if prover.is_easy(position, color, goal, _EASY_NODES):
        return NOT_STORED
    legal = position.legal_moves()
    for move in sorted(
        legal, key=lambda candidate: lead(position.play(candidate), color), reverse=True
    ):
        after = position.play(move)
        if prover.reaches(after, color, goal):
            return packed(position, [move]) + _book(after, color, goal, prover)
    raise AssertionError(f"no move reaches {goal}: {position!r}")


def _strongest_wrong(
    position: Position, right: Move, wrong_moves: str, color: Color
) -> tuple[Move, ...]:
    """Return the line of the best move that misses the goal."""
    reader, lines = PackedMoves(wrong_moves), []
    for move in position.legal_moves():
        if move is not right:
            reader.take(RIGHT)
            reader.take(WRONG)
            lines.append((move, *(step for _, step in reader.line(position.play(move)))))
    return max(lines, key=lambda line: lead(positions(position, line)[-1], color))


def _moves_to_find(
    position: Position, line: Sequence[Move], color: Color, goal: int, prover: Prover
) -> int:
    """Return the number of turns, counted from the first, at which only one move reaches the goal.

    Raises:
        TooHardError: if that takes too many nodes.
    """
    moves = 0
    for move in line:
        if position.turn is color and len(position.legal_moves()) > 1:
            if _only_move(position, color, goal, prover) is not move:
                break
            moves += 1
        position = position.play(move)
    return moves
