"""Proofs, in DVONN's own terms, that a line of play is bad for a player.

Each question takes a position, a line of moves from it, and the player concerned, and answers with
what the rules show: points, or pieces. Nothing is guessed: an empty answer means that the line does
not show it. Two lines are compared, the one that a player got into and the better one: `reasons`
names what only the first does to them, `missed` what only the better one does to the other player.

One fact is used throughout: after the placement no empty point is ever filled again, since a stack
may only land on another. So a stack that finds no stack at its distance never moves again as it is,
and one becomes surrounded only by landing in the middle of six.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dvonn.board import DIRECTIONS, Point, column_row, point_at
from dvonn.move import Move
from dvonn.pieces import Color
from dvonn.position import Phase, Position
from dvonn.review import Motif

_LEAST_CUT: Final = 3
"""The fewest pieces more than in the other line that must be cut off to be a reason."""
_LEAST_STACKS: Final = 2
"""The fewest stacks by which one line leaves a player less free than the other, if a stuck stack of
theirs is to be a reason.
"""
_LEAST_MOVES: Final = 7
"""The fewest moves that must be lacking, beside the other line, to be a reason."""
_LATEST: Final = 4
"""The number of the latest moves on whose boards moves must be lacking as well."""
_LEAST_LATELY: Final = 5
"""The fewest that must be lacking on these on average: not by the last move alone."""
_LEAST_STUCK: Final = 3
"""The fewest moves that must be lacking if a stuck stack is to be a reason."""


def positions(position: Position, line: Sequence[Move]) -> tuple[Position, ...]:
    """Return the position, and that after each move of a line.

    Raises:
        IllegalMoveError: if the rules refuse one of the moves.
    """
    found = [position]
    for move in line:
        found.append(found[-1].play(move))
    return tuple(found)


def cut_off(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count the pieces that leave the board in stacks of the player."""
    return sum(_owned_pieces(after.removed, player) for after in positions(position, line)[1:])


def red_carried_off(position: Position, line: Sequence[Move], player: Color) -> tuple[Point, ...]:
    """The points that a red piece left so that stacks of the player left the board at once."""
    return tuple(
        move.source
        for before, move, after in _steps(position, line)
        if move.source is not None
        and before.reds(move.source)
        and _owned_pieces(after.removed, player)
    )


def immobilised(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count the passes of the player while the other goes on."""
    return sum(after.passed.count(player) for after in positions(position, line)[1:])


def is_too_high(position: Position, point: Point) -> bool:
    """Tell if a stack has an owner and finds no stack at its distance, in any direction.

    It stays so as long as nothing lands on it.
    """
    return position.owner(point) is not None and not _within_reach(position, point)


def overloaded(position: Position, line: Sequence[Move], player: Color) -> tuple[Point, ...]:
    """Return the points of the player's stacks that grew too high to land anywhere.

    Each was landed on during the line, and both what lay there and what came could still land
    somewhere when it came, so that the landing alone is to blame.
    """
    grown: dict[Point, None] = {}
    for before, move, after in _steps(position, line):
        if move.source is None or not after.height(move.target):
            continue
        grown.pop(move.target, None)
        if is_too_high(after, move.target) and not is_too_high(before, move.target):
            grown[move.target] = None
    end = positions(position, line)[-1]
    return tuple(point for point in grown if end.owner(point) is player)


def surrounded(position: Position, line: Sequence[Move], player: Color) -> tuple[Point, ...]:
    """Return the points where stacks of the player landed amid six others and stay so.

    Each would find a stack to land on, were it not surrounded.
    """
    end = positions(position, line)[-1]
    landed = dict.fromkeys(
        move.target
        for before, move, _ in _steps(position, line)
        if before.turn is player and move.source is not None
    )
    return tuple(
        point
        for point in landed
        if end.owner(point) is player and end.is_surrounded(point) and _within_reach(end, point)
    )


def out_of_tempo(position: Position, line: Sequence[Move], player: Color) -> tuple[int, ...]:
    """Return the places in the line, from 0, at which the player must move and would rather pass.

    There every move of theirs, with what the other can take or cut off next, costs more pieces than
    the other could take or cut off if the player might stay put.
    """
    return tuple(
        number
        for number, before in enumerate(positions(position, line)[:-1])
        if before.turn is player and before.phase is Phase.MOVEMENT and _would_pass(before)
    )


def moves_left(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count the moves that the player has to choose from after a line, if it is their turn then."""
    end = positions(position, line)[-1]
    theirs = Position.from_stacks(end.stacks, turn=player)
    return len(theirs.legal_moves()) if theirs.turn is player else 0


def reasons(
    position: Position, played: Move, answer: Sequence[Move], best: Sequence[Move]
) -> tuple[Motif, ...]:
    """Return the effects of a move on its player that the better play does not have.

    Both lines are looked at equally far.

    Args:
        position: before the move.
        played: the move.
        answer: how it is answered best, beginning with the reply.
        best: the better play, beginning with the move that should have been played.

    Returns:
        What is proven, the most important reason first; empty where nothing is.

    Raises:
        IllegalMoveError: if the rules refuse one of the moves.
    """
    if position.turn is None or not best:
        return ()
    bad, good = _equally_long((played, *answer), tuple(best), position)
    return _only_in(position, bad, good, position.turn)


def missed(
    position: Position, played: Move, answer: Sequence[Move], best: Sequence[Move]
) -> tuple[Motif, ...]:
    """Return the effects of the better play on the other player that the move does not have.

    Both lines are looked at equally far. The arguments, and what is returned and raised, are those
    of `reasons`.
    """
    if position.turn is None or not best:
        return ()
    bad, good = _equally_long((played, *answer), tuple(best), position)
    return _only_in(position, good, bad, position.turn.opponent)


def _only_in(
    position: Position, line: tuple[Move, ...], other: tuple[Move, ...], player: Color
) -> tuple[Motif, ...]:
    """Return the effects of one line on a player that another lacks, the most important first."""
    found = []
    if _cut_more(position, line, other, player):
        if red_carried_off(position, line, player) and not red_carried_off(position, other, player):
            found.append(Motif.RED_CARRIED_OFF)
        found.append(Motif.CUT_OFF)
    if immobilised(position, line, player) and not immobilised(position, other, player):
        found.append(Motif.IMMOBILISED)
    if out_of_tempo(position, line, player) and not out_of_tempo(position, other, player):
        found.append(Motif.TEMPO)
    worse = Motif.CUT_OFF not in found and _less_free(position, line, other, player)
    if worse and overloaded(position, line, player) and not overloaded(position, other, player):
        found.append(Motif.OVERLOADED)
    if worse and surrounded(position, line, player) and not surrounded(position, other, player):
        found.append(Motif.SURROUNDED)
    if Motif.IMMOBILISED not in found and _fewer_moves(position, line, other, player):
        found.append(Motif.MOBILITY)
    return tuple(found)


def _equally_long(
    bad: tuple[Move, ...], good: tuple[Move, ...], position: Position
) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Both lines cut to the shorter one's length, unless that goes to the end of the game."""
    length = max(
        min(len(bad), len(good)),
        *(
            len(other)
            for one, other in ((bad, good), (good, bad))
            if positions(position, one)[-1].phase is Phase.OVER
        ),
        0,
    )
    return bad[:length], good[:length]


def _cut_more(
    position: Position, line: tuple[Move, ...], other: tuple[Move, ...], player: Color
) -> bool:
    """Tell if the player loses more pieces by cuts, also less the opponent's losses by cuts."""
    own = cut_off(position, line, player) - cut_off(position, other, player)
    opponent = player.opponent
    gained = cut_off(position, line, opponent) - cut_off(position, other, opponent)
    return own >= _LEAST_CUT and own - gained >= _LEAST_CUT


def _less_free(
    position: Position, line: tuple[Move, ...], other: tuple[Move, ...], player: Color
) -> bool:
    """Tell if the player has fewer stacks that can land, and fewer moves, beside the opponent."""
    freer = _freedom(position, other, player) - _freedom(position, line, player)
    own, beside = _moves_fewer(position, line, other, player)
    return freer >= _LEAST_STACKS and min(own, beside) >= _LEAST_STUCK


def _fewer_moves(
    position: Position, line: tuple[Move, ...], other: tuple[Move, ...], player: Color
) -> bool:
    """Tell if the player has fewer moves left, also less the opponent's fewer moves.

    Whoever has just moved is better off by that alone: it must be the same player after both.
    """
    ends = [positions(position, one)[-1] for one in (line, other)]
    if ends[0].turn is None or ends[0].turn is not ends[1].turn:
        return False
    latest = range(max(len(line) - _LATEST, 0) + 1, len(line) + 1)
    fewer = [_moves_fewer(position, line[:length], other[:length], player) for length in latest]
    lately = sum(own for own, _ in fewer)
    return min(fewer[-1]) >= _LEAST_MOVES and lately >= _LEAST_LATELY * len(fewer)


def _moves_fewer(
    position: Position, line: tuple[Move, ...], other: tuple[Move, ...], player: Color
) -> tuple[int, int]:
    """Count the moves that the player lacks, also less those that the opponent lacks."""
    own, opponents = (
        moves_left(position, other, color) - moves_left(position, line, color)
        for color in (player, player.opponent)
    )
    return own, own - opponents


def _steps(position: Position, line: Sequence[Move]) -> Iterator[tuple[Position, Move, Position]]:
    every = positions(position, line)
    return zip(every[:-1], line, every[1:], strict=True)


def _owned_pieces(stacks: Mapping[Point, str], player: Color) -> int:
    return sum(len(pieces) for pieces in stacks.values() if pieces[-1] == player)


def _within_reach(position: Position, point: Point) -> bool:
    """Tell if a stack stands on a landing of this one, surrounded or not."""
    height = position.height(point)
    column, row = column_row(point)
    ends = (point_at(column + across * height, row + up * height) for across, up in DIRECTIONS)
    return any(end is not None and position.height(end) for end in ends)


def _freedom(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count the stacks that find another at their distance after a line, less the opponent's."""
    end = positions(position, line)[-1]
    return sum(
        1 if end.owner(point) is player else -1
        for point in end.stacks
        if end.owner(point) is not None and _within_reach(end, point)
    )


def _lead(position: Position, player: Color) -> int:
    return position.score(player) - position.score(player.opponent)


def _would_pass(position: Position) -> bool:
    player = position.turn
    if player is None:
        return False
    staying = Position.from_stacks(position.stacks, turn=player.opponent)
    if staying.turn is player:  # the other cannot move anyway: nothing is to be feared
        return all(
            _worst(position.play(move), player) < _lead(position, player)
            for move in position.legal_moves()
        )
    stay = _worst(staying, player)
    return all(_worst(position.play(move), player) < stay for move in position.legal_moves())


def _worst(position: Position, player: Color) -> int:
    """Return the player's lead after the other's most costly next move, if the other is to move."""
    if position.turn is not player.opponent:
        return _lead(position, player)
    return min(_lead(position.play(move), player) for move in position.legal_moves())
