"""Immediate advantages of a better move, found without a search.

A search then confirms whether an advantage is the reason. If it is, moves without it
(`Advantage.alike`) are bad.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from dvonn._rules.board import Point, steps_between
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Position
from dvonn.reviews.lines import moves_by_stack
from dvonn.reviews.review import Motif, ProvenReason

_MOST_SPACES: Final = 3
"""Maximum number of spaces that a reason names."""
_NEARER: Final = 2
"""Minimum number of steps nearer to a red piece that are an advantage."""


class Advantage(Value):
    """A possible reason why a move is better, and all moves that share it.

    Attributes:
        reason: The reason.
        alike: All moves with the advantage, including the better one.
    """

    reason: ProvenReason
    alike: frozenset[Move]


class _Room(Value):
    """Mobility after a move: the number of moves of each stack, by owner."""

    own: Counter[Point]
    other: Counter[Point]


def _lead_in_stacks(room: _Room) -> int:
    return len(room.own) - len(room.other)


def _lead_in_moves(room: _Room) -> int:
    return room.own.total() - room.other.total()


def advantages(position: Position, played: Move, better: Move) -> Iterator[Advantage]:
    """Yield the better move's advantages over the played one, the plainest first.

    Raises:
        IllegalMoveError: if one of the moves is illegal.
    """
    player = position.turn
    if player is None or played == better:
        return
    moves = position.legal_moves()
    if better.target != played.target:
        onto = frozenset(move for move in moves if move.target == better.target)
        if _takes_safely(position, played, better):
            yield Advantage(reason=_landing(Motif.SAFE_TAKE, position, better), alike=onto)
        yield Advantage(reason=_landing(Motif.SPOT, position, better), alike=onto)
    rooms = {move: _room(position, player, move) for move in moves}
    worse, good = rooms[played], rooms[better]
    if _takes(position, better) and not _takes(position, played):
        taking = frozenset(move for move in moves if _takes(position, move))
        yield Advantage(reason=_took_none(position, played, better), alike=taking)
    stacks = _stacks_that_move(position, player, played, better, worse, good)
    choices = _moves_to_choose(player, played, better, worse, good)
    if stacks.points:
        yield from _at_least(stacks, {move: _lead_in_stacks(room) for move, room in rooms.items()})
    yield from _frees(position, player, played, better, rooms)
    yield from _comes_near_red(position, player, played, better)
    if choices.points:
        yield from _at_least(choices, {move: _lead_in_moves(room) for move, room in rooms.items()})


def _at_least(reason: ProvenReason, amounts: Mapping[Move, int]) -> Iterator[Advantage]:
    """Yield the advantage for moves as good as the better one, then for all that beat `played`."""
    (played,), better = reason.line, reason.better
    if better is None or amounts[better] <= amounts[played]:
        return
    for least in dict.fromkeys((amounts[better], amounts[played] + 1)):
        alike = frozenset(move for move, amount in amounts.items() if amount >= least)
        yield Advantage(reason=reason, alike=alike)


def effect(position: Position, reason: ProvenReason) -> Advantage:
    """Return the reason with all moves that share it: same capture, or at least half the cut."""

    def does_so(move: Move) -> bool:
        if reason.point is not None:
            return move.target == reason.point
        return 2 * _cut_off(position, move, reason.sufferer) >= reason.count

    return Advantage(reason=reason, alike=frozenset(filter(does_so, position.legal_moves())))


def _cut_off(position: Position, move: Move, owner: Color) -> int:
    """Count the pieces in a player's stacks that a move cuts off."""
    removed = position.play(move).removed.values()
    return sum(len(stack) for stack in removed if stack[-1] == owner)


def _takes(position: Position, move: Move) -> bool:
    owner = position.owner(move.target)
    return owner is not None and owner is not position.turn


def _room(position: Position, player: Color, move: Move) -> _Room:
    after = position.play(move)
    return _Room(own=moves_by_stack(after, player), other=moves_by_stack(after, player.opponent))


def _takes_safely(position: Position, played: Move, better: Move) -> bool:
    """Return True if the better move captures a taller stack, and no reply lands on it."""
    player, after = position.turn, position.play(better)
    heights = [
        position.height(move.target) if _takes(position, move) else 0 for move in (played, better)
    ]
    is_safe = after.turn is player or all(
        reply.target != better.target for reply in after.legal_moves()
    )
    return 1 < heights[1] > heights[0] and is_safe


def _landing(motif: Motif, position: Position, better: Move) -> ProvenReason:
    """Return the reason that the player should have landed on a certain stack."""
    return ProvenReason(
        motif=motif,
        sufferer=position.turn or Color.WHITE,
        line=(better,),
        point=better.target,
        count=position.height(better.target),
        better=better,
    )


def _stacks_that_move(
    position: Position, player: Color, played: Move, better: Move, worse: _Room, good: _Room
) -> ProvenReason:
    """Return the reason that the better move leaves more movable stacks, and name these stacks."""
    freed = good.own.keys() - worse.own.keys() - {played.source, better.target}
    stopped = worse.other.keys() - good.other.keys()
    is_lost = played.target not in worse.own or position.owner(played.target) is player
    spaces = freed | stopped | ({played.target} if is_lost else set[Point]())
    return ProvenReason(
        motif=Motif.MOVERS,
        sufferer=player,
        line=(played,),
        count=len(worse.own),
        points=tuple(sorted(spaces)[:_MOST_SPACES]),
        better=better,
        others=(len(worse.other), len(good.own), len(good.other)),
    )


def _moves_to_choose(
    player: Color, played: Move, better: Move, worse: _Room, good: _Room
) -> ProvenReason:
    """Return the reason that the better move leaves more moves, and name the stacks with them."""
    gains = good.own - worse.own
    # These stacks moved, so they can't be named.
    for point in {played.source, better.target} & gains.keys():
        del gains[point]
    spaces = [point for point, _ in (gains + (worse.other - good.other)).most_common(_MOST_SPACES)]
    return ProvenReason(
        motif=Motif.MOBILITY,
        sufferer=player,
        line=(played,),
        count=worse.own.total(),
        points=tuple(sorted(spaces)),
        better=better,
        others=(worse.other.total(), good.own.total(), good.other.total()),
    )


def _frees(
    position: Position, player: Color, played: Move, better: Move, rooms: Mapping[Move, _Room]
) -> Iterator[Advantage]:
    """Yield the advantage that a move frees fewer surrounded stacks of the opponent's."""
    surrounded = {at for at in position.stacks if position.is_surrounded(at)}
    freed = {move: surrounded & room.other.keys() for move, room in rooms.items()}
    points = tuple(sorted(freed[played] - freed[better])[:_MOST_SPACES])
    reason = ProvenReason(
        motif=Motif.FREED,
        sufferer=player,
        line=(played,),
        count=len(points),
        points=points,
        better=better,
    )
    yield from _at_least(reason, {move: -len(stacks) for move, stacks in freed.items()})


def _comes_near_red(
    position: Position, player: Color, played: Move, better: Move
) -> Iterator[Advantage]:
    """Yield the advantage that the moved stack is nearer to a red piece, or has come nearer."""
    moves = position.legal_moves()
    steps = {move: _steps_to_red(position.play(move), move.target) for move in moves}
    before = {move: _steps_to_red(position, move.source) for move in moves if move.source}
    reason = ProvenReason(
        motif=Motif.NEAR_RED,
        sufferer=player,
        line=(played,),
        point=better.target,
        count=steps[played],
        better=better,
        others=(0, steps[better], 0),
    )
    if steps[played] - steps[better] >= _NEARER:
        yield from _at_least(reason, {move: -steps[move] for move in moves})
        yield from _at_least(reason, {move: before[move] - steps[move] for move in moves})


def _steps_to_red(position: Position, point: Point) -> int:
    """Return the steps from a stack to the nearest red piece, 0 if it holds one."""
    return min(steps_between(point, at) for at in position.stacks if position.reds(at))


def _took_none(position: Position, played: Move, better: Move) -> ProvenReason:
    """Return the reason that the better move captures a stack and the played one doesn't."""
    return ProvenReason(
        motif=Motif.TOOK_NONE,
        sufferer=position.turn or Color.WHITE,
        line=(played,),
        point=better.target,
        count=position.height(better.target),
        better=better,
    )
