"""Strategic facts about a line of play that follow from the rules.

Each function takes a position, a line of moves from it, and a player, and returns what the rules
show: points or numbers of pieces. Nothing is guessed. An empty result means that the line does not
show the fact. The themes of puzzles use these functions to compare two lines.

All functions rely on one fact: after the placement, an empty point is never filled again, because a
stack may only land on another. So a stack that has no stack at its distance never moves again
unless another lands on it, and a stack becomes surrounded only by landing among six others.
"""

from collections.abc import Iterator, Mapping, Sequence

from dvonn._rules.board import Point
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.reviews.lines import is_too_high, is_within_reach, positions


def cut_off(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count the pieces that a line cuts off from a player's stacks."""
    return sum(_owned_pieces(after.removed, player) for after in positions(position, line)[1:])


def red_carried_off(position: Position, line: Sequence[Move], player: Color) -> tuple[Point, ...]:
    """Return the points where a departing red piece cut off the player's stacks at once."""
    return tuple(
        move.source
        for before, move, after in _steps(position, line)
        if move.source is not None
        and before.reds(move.source)
        and _owned_pieces(after.removed, player)
    )


def immobilised(position: Position, line: Sequence[Move], player: Color) -> int:
    """Count how often a player has to pass in a line."""
    return sum(after.passed.count(player) for after in positions(position, line)[1:])


def overloaded(position: Position, line: Sequence[Move], player: Color) -> tuple[Point, ...]:
    """Return the points of the player's stacks that grew too high to land anywhere.

    A stack landed on each of them during the line. Before that, both the stack on the point and the
    arriving one could still reach another stack, so the landing is the only cause.
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
    """Return the points where the player's stacks landed among six others and remain surrounded.

    Each of them would have a stack to land on if it weren't surrounded.
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
        if end.owner(point) is player and end.is_surrounded(point) and is_within_reach(end, point)
    )


def out_of_tempo(position: Position, line: Sequence[Move], player: Color) -> tuple[int, ...]:
    """Return the indices in the line at which the player must move but would rather pass.

    At these indices, every move of the player, followed by the opponent's best take or cut, costs
    more pieces than the opponent could take or cut off if the player could pass.
    """
    return tuple(
        number
        for number, before in enumerate(positions(position, line)[:-1])
        if before.turn is player and before.phase is Phase.MOVEMENT and _would_pass(before)
    )


def _steps(position: Position, line: Sequence[Move]) -> Iterator[tuple[Position, Move, Position]]:
    every = positions(position, line)
    return zip(every[:-1], line, every[1:], strict=True)


def _owned_pieces(stacks: Mapping[Point, str], player: Color) -> int:
    return sum(len(pieces) for pieces in stacks.values() if pieces[-1] == player)


def _lead(position: Position, player: Color) -> int:
    return position.score(player) - position.score(player.opponent)


def _would_pass(position: Position) -> bool:
    player = position.turn
    if player is None:
        return False
    staying = Position.from_stacks(position.stacks, turn=player.opponent)
    if staying.turn is player:  # the opponent cannot move anyway, so there is no threat
        return all(
            _worst(position.play(move), player) < _lead(position, player)
            for move in position.legal_moves()
        )
    stay = _worst(staying, player)
    return all(_worst(position.play(move), player) < stay for move in position.legal_moves())


def _worst(position: Position, player: Color) -> int:
    """Return the player's lead after the costliest move of the opponent, who must be to move."""
    if position.turn is not player.opponent:
        return _lead(position, player)
    return min(_lead(position.play(move), player) for move in position.legal_moves())
