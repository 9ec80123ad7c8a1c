"""Detection of puzzle themes by comparing two lines of play."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final

from dvonn._rules.board import Point
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.reviews.lines import is_within_reach, moves_left, positions
from dvonn_lessons.motifs import (
    cut_off,
    immobilised,
    out_of_tempo,
    overloaded,
    red_carried_off,
    surrounded,
)
from dvonn_lessons.puzzles import PuzzleTheme

_LEAST_CUT: Final = 3
"""Minimum number of pieces that one line cuts off in excess of the other, for a theme."""
_LEAST_AT_ONCE: Final = 2
"""Minimum number of pieces that the first move cuts off, minus its own loss, for a theme."""
_LEAST_STACKS: Final = 2
"""Minimum difference in free stacks between the lines for a theme about stuck stacks."""
_LEAST_STUCK: Final = 3
"""Minimum difference in available moves for a theme about stuck stacks."""


class _Fate(Enum):
    """Possible first events in a line that affect a given stack."""

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
        position: The puzzle's position.
        solution: Best play to the end of the game.
        wrong: The strongest wrong move, and best play after it to the end.

    Raises:
        IllegalMoveError: if the rules refuse one of the moves.
    """
    names = {
        *_suffered_themes(position, wrong, solution),
        *_inflicted_themes(position, solution, wrong),
    }
    names.update(_task_themes(position, solution, wrong))
    if names <= {PuzzleTheme.SAVE}:
        names.add(PuzzleTheme.COUNTING)
    if _is_quiet(position, solution[0]):
        names.add(PuzzleTheme.QUIET)
    return tuple(theme for theme in PuzzleTheme if theme in names)


def _suffered_themes(
    position: Position, wrong: Sequence[Move], solution: Sequence[Move]
) -> Iterator[PuzzleTheme]:
    """Yield themes about damage to the solver that only the wrong move causes."""
    solver = position.turn
    if solver is None:
        return
    cuts = _cut_more(position, wrong, solution, solver)
    if cuts:
        yield PuzzleTheme.CUT_OFF
        if red_carried_off(position, wrong, solver) and not red_carried_off(
            position, solution, solver
        ):
            yield PuzzleTheme.RED_CARRIED_OFF
    shows = [(PuzzleTheme.IMMOBILISED, immobilised), (PuzzleTheme.TEMPO, out_of_tempo)]
    if not cuts and _less_free(position, wrong, solution, solver):
        shows += [(PuzzleTheme.OVERLOADED, overloaded), (PuzzleTheme.SURROUNDED, surrounded)]
    for theme, is_shown in shows:
        if is_shown(position, wrong, solver) and not is_shown(position, solution, solver):
            yield theme


def _cut_more(
    position: Position, line: Sequence[Move], other: Sequence[Move], player: Color
) -> bool:
    """Return True if a line cuts off more of the player's pieces, both gross and net.

    Net means minus what it cuts off from the opponent in excess of the other line.
    """
    own_cut, gained = (
        cut_off(position, line, color) - cut_off(position, other, color)
        for color in (player, player.opponent)
    )
    return own_cut >= _LEAST_CUT and own_cut - gained >= _LEAST_CUT


def _less_free(
    position: Position, line: Sequence[Move], other: Sequence[Move], player: Color
) -> bool:
    """Return True if a line leaves the player with fewer free stacks and moves than the other."""
    freer = _freedom(position, other, player) - _freedom(position, line, player)
    own_moves, opponents = (
        moves_left(position, other, color) - moves_left(position, line, color)
        for color in (player, player.opponent)
    )
    return freer >= _LEAST_STACKS and min(own_moves, own_moves - opponents) >= _LEAST_STUCK


def _freedom(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count the player's stacks that are within reach of another after a line.

    The opponent's stacks within reach are subtracted.
    """
    end = positions(position, line)[-1]
    return sum(
        1 if end.owner(point) is player else -1
        for point in end.stacks
        if end.owner(point) is not None and is_within_reach(end, point)
    )


def _inflicted_themes(
    position: Position, solution: Sequence[Move], wrong: Sequence[Move]
) -> Iterator[PuzzleTheme]:
    """Yield themes about damage to the opponent that only the solution causes."""
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
    for motif, is_shown in (
        (PuzzleTheme.TEMPO, out_of_tempo),
        (PuzzleTheme.OVERLOADED, overloaded),
        (PuzzleTheme.SURROUNDED, surrounded),
    ):
        if is_shown(position, solution, other) and not is_shown(position, wrong, other):
            yield motif
    if any(
        _fate(position, solution, point) is not _fate(position, wrong, point)
        for point in position.stacks
        if position.owner(point) is not None and position.is_surrounded(point)
    ):
        yield PuzzleTheme.SURROUNDED


def _task_themes(
    position: Position, solution: Sequence[Move], wrong: Sequence[Move]
) -> Iterator[PuzzleTheme]:
    """Yield themes that describe the solver's task."""
    color = position.turn
    if color is None:
        return
    other = color.opponent
    if _cuts_at_once(position, solution[0]):
        yield PuzzleTheme.FIRST_CUT
    movers = [reached.turn for reached in positions(position, solution)[:-1]]
    if movers[-2:] == [color, color] and positions(position, wrong)[-2].turn is other:
        yield PuzzleTheme.LAST_MOVE
    if _is_guard_or_take(position, solution[0], wrong[0]):
        yield PuzzleTheme.GUARD
    end = positions(position, solution)[-1]
    if end.score(color) < end.score(other):
        yield PuzzleTheme.SAVE


def first_move_themes(position: Position, right: Move, wrong: Move) -> tuple[PuzzleTheme, ...]:
    """Return the themes that the first moves alone determine."""
    names = {
        PuzzleTheme.QUIET: _is_quiet(position, right),
        PuzzleTheme.FIRST_CUT: _cuts_at_once(position, right),
        PuzzleTheme.GUARD: _is_guard_or_take(position, right, wrong),
    }
    return tuple(theme for theme, is_shown in names.items() if is_shown)


def _cuts_at_once(position: Position, move: Move) -> bool:
    color = position.turn or Color.WHITE
    gain = cut_off(position, (move,), color.opponent) - cut_off(position, (move,), color)
    return gain >= _LEAST_AT_ONCE


def _is_guard_or_take(position: Position, right: Move, wrong: Move) -> bool:
    """Return True if one of the moves takes a stack, and only the other one guards a stack."""
    if _takes(position, right) is _takes(position, wrong):
        return False
    take, guard = (right, wrong) if _takes(position, right) else (wrong, right)
    return bool(_hit(position, guard, back=True) & _hit(position, take, back=False))


def _takes(position: Position, move: Move) -> bool:
    return position.owner(move.target) not in {None, position.turn}


def _hit(position: Position, move: Move, *, back: bool) -> frozenset[Point]:
    """Return the mover's stacks that can be taken after a move.

    With `back`, return those that the mover can retake, otherwise the others.
    """
    color, after = position.turn, position.play(move)
    points: set[Point] = set()
    if after.turn is color:
        return frozenset()
    for reply in after.legal_moves():
        if after.owner(reply.target) is color:
            last = after.play(reply)
            can = last.turn is color and any(
                retake.target == reply.target for retake in last.legal_moves()
            )
            if can is back:
                points.add(reply.target)
    return frozenset(points)


def _fate(position: Position, line: Sequence[Move], point: Point) -> _Fate:
    """Return the first event in a line that affects the stack on a point."""
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
