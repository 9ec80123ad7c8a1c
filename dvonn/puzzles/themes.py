"""Themes of puzzles, proven by the rules from their lines."""

from collections.abc import Iterator, Sequence
from enum import Enum, StrEnum, auto
from typing import Final

from dvonn.board import Point
from dvonn.motifs import (
    cut_off,
    immobilised,
    out_of_tempo,
    overloaded,
    positions,
    reasons,
    red_carried_off,
    surrounded,
)
from dvonn.move import Move
from dvonn.position import Position
from dvonn.review import Motif

_LEAST_CUT: Final = 3
"""The fewest pieces more than in the other line that must be cut off to be a theme."""
_LEAST_AT_ONCE: Final = 2
"""The fewest pieces that the first move must cut off, more than it costs, to be a theme."""


class PuzzleTheme(StrEnum):
    """A difference between the solution and the strongest wrong move."""

    CUT_OFF = Motif.CUT_OFF.value
    """Only one of the lines cuts these stacks off."""
    OVERLOADED = Motif.OVERLOADED.value
    """Only in one of them a stack becomes too high to land anywhere."""
    IMMOBILISED = Motif.IMMOBILISED.value
    """One line passes a player over more often."""
    TEMPO = Motif.TEMPO.value
    """Only in one of them a player must move and would rather pass."""
    RED_CARRIED_OFF = Motif.RED_CARRIED_OFF.value
    """Only in one of them a red piece is carried away from what it linked."""
    SURROUNDED = Motif.SURROUNDED.value
    """The fate of a surrounded stack differs, or a stack becomes surrounded in one line alone."""
    QUIET = "quiet"
    """The solution takes no stack of the other's and cuts nothing off."""
    COUNTING = "counting"
    """None of the motifs: who takes what, and in which order, decides."""
    FIRST_CUT = "first_cut"
    """The first move itself cuts off pieces of the other's."""
    LAST_MOVE = "last_move"
    """The solver moves last, twice or more in a row; after the wrong move the other moves last."""
    GUARD = "guard"
    """One of both first moves takes a stack; only the other one guards a stack that is attacked."""
    SAVE = "save"
    """The game is lost, and the solver keeps what they can."""


class _Fate(Enum):
    """The end of a stack."""

    MOVES = auto()
    GROWS = auto()
    TAKEN = auto()
    LOST = auto()
    STAYS = auto()


def themes(
    position: Position, solution: Sequence[Move], wrong: Sequence[Move]
) -> tuple[PuzzleTheme, ...]:
    """Return the themes of a puzzle.

    Args:
        position: the puzzle's.
        solution: best play to the end of the game.
        wrong: the strongest wrong move, and best play after it to the end.

    Raises:
        IllegalMoveError: if the rules refuse one of the moves.
    """
    suffered = reasons(position, wrong[0], wrong[1:], solution)
    # Of lines to the end only what happens on the way tells: who had more to choose from does not.
    told = {PuzzleTheme(motif.value) for motif in suffered if motif is not Motif.MOBILITY}
    told.update(_inflicted(position, solution, wrong))
    if not told:
        told.add(PuzzleTheme.COUNTING)
    if _is_quiet(position, solution[0]):
        told.add(PuzzleTheme.QUIET)
    told.update(_tasks(position, solution, wrong))
    return tuple(theme for theme in PuzzleTheme if theme in told)


def _inflicted(
    position: Position, solution: Sequence[Move], wrong: Sequence[Move]
) -> Iterator[PuzzleTheme]:
    """Yield the effects of the solution on the opponent that the wrong move does not have."""
    if position.turn is None:
        return
    other = position.turn.opponent
    if cut_off(position, solution, other) - cut_off(position, wrong, other) >= _LEAST_CUT:
        yield PuzzleTheme.CUT_OFF
        if red_carried_off(position, solution, other) and not red_carried_off(
            position, wrong, other
        ):
            yield PuzzleTheme.RED_CARRIED_OFF
    if immobilised(position, solution, other) > immobilised(position, wrong, other):
        yield PuzzleTheme.IMMOBILISED
    for motif, shown in (
        (PuzzleTheme.TEMPO, out_of_tempo),
        (PuzzleTheme.OVERLOADED, overloaded),
        (PuzzleTheme.SURROUNDED, surrounded),
    ):
        if shown(position, solution, other) and not shown(position, wrong, other):
            yield motif
    if any(
        _fate(position, solution, point) is not _fate(position, wrong, point)
        for point in position.stacks
        if position.owner(point) is not None and position.is_surrounded(point)
    ):
        yield PuzzleTheme.SURROUNDED


def _tasks(
    position: Position, solution: Sequence[Move], wrong: Sequence[Move]
) -> Iterator[PuzzleTheme]:
    """Yield what the solver has to see, beside the motifs."""
    own = position.turn
    if own is None:
        return
    other, right = own.opponent, solution[:1]
    if cut_off(position, right, other) - cut_off(position, right, own) >= _LEAST_AT_ONCE:
        yield PuzzleTheme.FIRST_CUT
    movers = [one.turn for one in positions(position, solution)[:-1]]
    if movers[-2:] == [own, own] and positions(position, wrong)[-2].turn is other:
        yield PuzzleTheme.LAST_MOVE
    first, second = solution[0], wrong[0]
    if _takes(position, first) is not _takes(position, second):
        take, guard = (first, second) if _takes(position, first) else (second, first)
        if _hit(position, guard, back=True) & _hit(position, take, back=False):
            yield PuzzleTheme.GUARD
    end = positions(position, solution)[-1]
    if end.score(own) < end.score(other):
        yield PuzzleTheme.SAVE


def _takes(position: Position, move: Move) -> bool:
    return position.owner(move.target) not in {None, position.turn}


def _hit(position: Position, move: Move, *, back: bool) -> frozenset[Point]:
    """Return the own stacks that can be taken after a move, and be taken back at once, or not."""
    own, after, found = position.turn, position.play(move), set()
    if after.turn is own:
        return frozenset()
    for taken in after.legal_moves():
        if after.owner(taken.target) is own:
            then = after.play(taken)
            can = then.turn is own and any(one.target == taken.target for one in then.legal_moves())
            if can is back:
                found.add(taken.target)
    return frozenset(found)


def _fate(position: Position, line: Sequence[Move], point: Point) -> _Fate:
    """Return the first thing in a line that happens to the stack on a point."""
    owner = position.owner(point)
    for move in line:
        if move.source == point:
            return _Fate.MOVES
        if move.target == point:
            return _Fate.GROWS if position.turn is owner else _Fate.TAKEN
        position = position.play(move)
        if point in position.removed:
            return _Fate.LOST
    return _Fate.STAYS


def _is_quiet(position: Position, move: Move) -> bool:
    if position.turn is None:
        return False
    return (
        position.owner(move.target) is not position.turn.opponent
        and not position.play(move).removed
    )
