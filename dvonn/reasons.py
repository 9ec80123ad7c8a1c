"""The reason why a move is worse than another, read off two lines of play.

Both lines are followed equally far, piece by piece. What becomes of a piece is owed to the move
that took it or cut it off last, and the moves to choose from are counted. So each move of a line
has a price, and the dearest is the reason. If the first moves show none that lasts, all do. A
review keeps the motif alone: where it is told, it is found again from the lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dvonn.board import Point, distance
from dvonn.compared_lines import ComparedLine, compared, hanging_on, lacking
from dvonn.frozen import Value
from dvonn.motifs import is_too_high
from dvonn.move import Move
from dvonn.pieces import Color
from dvonn.position import Phase, Position
from dvonn.review import Motif

_NEAR: Final = 12
"""So many moves of each line are compared first."""
_MELEE: Final = 30
"""With more stacks than this it is stacks that can move which count, with fewer it is pieces."""
_EARLY: Final = 36
"""With more stacks than this a move onto an own stack is a reason."""
_PIECE: Final = (0.5, 1.0)
"""The price of a piece in the melee, and later."""
_STACK: Final = 2.0
"""The price of a stack that could move."""
_FEW: Final = 15
"""With more stacks than this a single piece is no reason: nearly each move takes one."""
_JOINED: Final = 3.5
"""The price of a move onto an own stack, early."""
_FOLLOW: Final = 0.4
"""The part of the price of fewer moves for which a cut of some is the reason: they follow."""
_CUTS: Final = (Motif.CUT_OFF, Motif.LAST_LINK, Motif.RED_CARRIED_OFF)
_MOVE: Final = 0.3
"""The price of a move to choose from, in the melee alone."""
_LEAST_MOVES: Final = 6
"""The fewest moves that must be lacking, beside the other line, to be a reason."""
_EARLIER: Final = (10, 8, 6)
"""They must be lacking after so many moves, if the end of the line does not show it."""
_FARTHER: Final = (16, 14)
"""Or after so many, if nothing else does."""
_PLAINLY: Final = 1.1
"""So many times the share of moves must be with the better play: else nobody sees a difference."""
_LATEST: Final = 2
"""The number of the latest moves on whose boards they must be lacking as well."""
_LEAST_STUCK: Final = 3
"""The fewest moves that must be lacking if a stuck stack is to be a reason."""
_AT_ONCE: Final = 1
"""The number of the last move at which a single piece is a reason: later it is one of many."""
_SOON: Final = 3
"""The number of the last move before which a guard is missed."""
_PASS: Final = 2.0
"""The price of a move that the other plays alone."""
_BORNE_OUT: Final = 0.5
"""The part of what a later move takes by which the player must be worse off at the line's end."""
_NOW: Final = 1.6
"""The weight of a stack that is lost at once: nobody need look further."""
_SMALL: Final = 0.5
_SMALL_COUNT: Final = (2, 5)
_FAR: Final = 4
"""The weight of so few pieces, late, and farther on: they are some of many."""
_EARNED: Final = 0.5
"""The part of what one's own cut costs, later on, that it must gain to be no reason."""
_SUM: Final = 0.3
"""The part of the price of all pieces together for which one move is the reason."""
_MOST_SUM: Final = 4.5
"""The highest price of all pieces together: one great loss says more."""
_LEAST_PIECES: Final = (5, 3)
"""The fewest pieces that are a reason together, in the melee, and later."""
_LEAST_FAR: Final = 6
"""The fewest pieces if more than the first moves are compared."""
_CLOSE: Final = 5
"""The most by which the player may then be behind after the better ones."""
_MOST_GAP: Final = 6
"""So many times the pieces that are taken or cut off the end may show, if they are the reason."""
_LATER: Final = 0.07
"""The part of a price that each move before it takes off: what comes late is less sure."""
_LEAST: Final = 1.2
"""The least price of a reason."""


class ProvenReason(Value, kw_only=True):
    """One thing that makes a move worse than the better one.

    Attributes:
        motif: the kind.
        sufferer: whom it costs something: who played the move, or, by the better play, the other.
        line: the moves that lead there, from the played or the better one to the one that does it.
        point: the place of the stack that is taken, or too tall.
        count: the pieces that are taken or cut off, the height of a stack that is too tall, the
            moves that the other plays alone, or the moves or pieces that the sufferer still has.
        points: the stacks that are cut off, in row order; of a removed guard, where that stood.
        better: the move that should have been played, if the reason compares the two.
        others: for `Motif.MOBILITY` and `PIECES`: the other player's moves or pieces then, and the
            sufferer's and the other's after as many moves of the better play.
    """

    motif: Motif
    sufferer: Color
    line: tuple[Move, ...]
    point: Point | None = None
    count: int
    points: tuple[Point, ...] = ()
    better: Move | None = None
    others: tuple[int, int, int] = (0, 0, 0)


def reasons(
    position: Position, played: Move, answer: Sequence[Move], best: Sequence[Move]
) -> tuple[ProvenReason, ...]:
    """Return what makes a move worse than the better play, the dearest first.

    Args:
        position: before the move.
        played: the move.
        answer: how it is answered best, beginning with the reply.
        best: the better play, beginning with the move that should have been played.

    Raises:
        IllegalMoveError: if the rules refuse one of the moves.
    """
    player = position.turn
    if player is None or not best:
        return ()
    line, better = (played, *answer), tuple(best)
    far = compared(position, player, line, better)
    near = _found(*compared(position, player, line[:_NEAR], better[:_NEAR]))
    lasting = tuple(why for why in near if _lasts(why, *far))
    least = 0 if not lasting or lasting[0].motif is Motif.PIECES else _MOST_SUM
    is_far = len(position.stacks) > _EARLY and any(line.boards[-1].turn for line in far)
    if least and (is_far or not _is_vague(lasting[0], far[1].lead - far[0].lead)):
        return lasting
    pieces = (why for price, why in _fewer_pieces(*far) if price >= least)
    return *pieces, *(lasting or (why for _, why in _fewer_moves(*far, _FARTHER)))


def _is_vague(why: ProvenReason, gap: int) -> bool:
    """Tell if a reason says little beside so many pieces at the end."""
    is_loss = bool(why.point or why.points)
    return why.motif is Motif.MOBILITY or (is_loss and why.count * _MOST_GAP < gap)


def _lasts(why: ProvenReason, bad: ComparedLine, good: ComparedLine) -> bool:
    """Tell if what the first moves show still holds where both lines go on."""
    number, line = len(why.line) - 1, bad if why.sufferer is bad.player else good
    is_few = why.motif in (Motif.TAKEN, *_CUTS) and why.count <= _SMALL_COUNT[0]
    is_late = number > (_AT_ONCE if is_few else _SOON) and why.motif is not Motif.MOBILITY
    if (is_late and good.lead <= bad.lead) or (why.motif is Motif.PIECES and good.lead < -_CLOSE):
        return False
    return why.motif is not Motif.TAKEN or not line.replace(player=why.sufferer).is_retaken(number)


def _found(bad: ComparedLine, good: ComparedLine) -> tuple[ProvenReason, ...]:
    """Return what makes a line worse than another, the dearest first."""
    found = [
        *_suffered(bad, good),
        *_suffered(*(line.replace(player=line.player.opponent) for line in (good, bad))),
        *_fewer_moves(bad, good, (len(bad.moves), *_EARLIER)),
        *_fewer_pieces(bad, good),
        *_took_none(bad, good),
    ]
    found.sort(key=lambda one: -one[0])
    if found and found[0][1].motif is Motif.MOBILITY:
        least = found[0][0] * _FOLLOW
        found.sort(key=lambda one: one[0] < least or one[1].count == 1 or one[1].motif not in _CUTS)
    return tuple(why for price, why in found if price >= _LEAST)


def _suffered(line: ComparedLine, other: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield what a line costs the player, each with its price, at most that of all together."""
    pieces, events, pays = _losses(line, other)
    beside = sum(price for price, _ in _losses(other, line)[1])
    more = sum(price for price, _ in events) - beside
    yield from ((min(price, more), found) for price, found in events if found not in pays)
    yield from _stuck(line, other)
    yield from _passed(line, other, pieces)


def _losses(
    line: ComparedLine, other: ComparedLine
) -> tuple[dict[int, int], list[tuple[float, ProvenReason]], list[ProvenReason]]:
    """Return what each move costs the player, the reasons in it with prices, and cuts that pay."""
    pieces, cut, gained = line.beside(other)
    is_late, is_usual = len(line.start.stacks) <= _MELEE, len(line.start.stacks) > _FEW
    events, pays = list[tuple[float, ProvenReason]](), list[ProvenReason]()
    for number, lost in pieces.items():
        both = (_cut(line, number) if cut[number] else None, _taken(line, number)) if lost else ()
        found = max(filter(None, both), key=lambda one: one.count, default=None)
        if found is None or (found.count == 1 and (number > _AT_ONCE or is_usual)):
            continue
        by_choice = line.boards[number].turn is line.player
        if by_choice and gained[number] >= (lost * _EARNED if number else found.count):
            pays.append(found)
        is_made_up_for = number > _SOON and other.lead - line.lead < lost * _BORNE_OUT
        if is_made_up_for or found.point == other.moves[0].target:
            continue  # in the other line the first move lands there, too
        whole = lost * _PIECE[is_late] + _could_move(line, found) * _STACK
        events.append((whole * _weight(found) * (1 - _LATER * number), found))
    return pieces, events, pays


def _weight(found: ProvenReason) -> float:
    """Return the part of a price that a loss has by its size, and by how soon it comes."""
    if found.count == 1 or _AT_ONCE < len(found.line) - 1 <= _SOON:
        return 1.0
    if len(found.line) - 1 <= _AT_ONCE:
        return _NOW
    return _SMALL if found.count <= _SMALL_COUNT[len(found.line) - 1 > _FAR] else 1.0


def _cut(line: ComparedLine, number: int) -> ProvenReason | None:
    """Return that a move cuts off stacks of the player, if it does."""
    before, move, after = line.boards[number], line.moves[number], line.boards[number + 1]
    gone = {at: s for at, s in after.removed.items() if s[-1] == line.player}
    assert move.source is not None  # as above  # noqa: S101
    if not gone:
        return None
    if before.reds(move.source):
        motif = Motif.RED_CARRIED_OFF
    elif gone.keys() & hanging_on(line.start, move.source):
        motif = Motif.CUT_OFF
    else:
        motif = Motif.LAST_LINK
    return ProvenReason(
        motif=motif,
        sufferer=line.player,
        line=line.moves[: number + 1],
        count=sum(map(len, gone.values())),
        points=tuple(gone),
    )


def _taken(line: ComparedLine, number: int) -> ProvenReason | None:
    """Return that a move takes a stack of the player for good, if it does."""
    before, move = line.boards[number], line.moves[number]
    point, count = move.target, before.height(move.target)
    takes_none = before.owner(point) is not line.player or before.turn is line.player
    if takes_none or line.is_retaken(number):
        return None
    guard = line.moves[0].source
    if number == 1 and line.moves[0].target == point and count > 1:
        back = line.start.owner(point) is line.player.opponent
        motif = Motif.RETAKEN if back else Motif.TAKEN
    elif number and guard is not None and _has_left(line, number, guard):
        motif = Motif.GUARD_REMOVED
    elif count > 1 and any(
        one.target == move.source for one in line.moves[number % 2 : number : 2]
    ):
        motif = Motif.SHARPSHOT
    else:
        motif = Motif.TAKEN
    return ProvenReason(
        motif=motif,
        sufferer=line.player,
        line=line.moves[: number + 1],
        point=point,
        count=count,
        points=(guard,) if motif is Motif.GUARD_REMOVED and guard is not None else (),
    )


def _has_left(line: ComparedLine, number: int, guard: Point) -> bool:
    """Tell if the first move took away the only stack that could take back what a move takes."""
    if line.start.turn is not line.player or number > _SOON:
        return False
    point, after = line.moves[number].target, line.boards[number + 1]
    stood = all(move.target != point for move in line.moves[:number])
    guarded = distance(guard, point) == line.start.height(guard)
    retaken = any(move.target == point for move in after.legal_moves())
    return stood and guarded and after.turn is line.player and not retaken


def _could_move(line: ComparedLine, found: ProvenReason) -> int:
    """Count the stacks among the taken or cut off ones that could land somewhere."""
    before = line.boards[len(found.line) - 1]
    lost = (found.point,) if found.point is not None else found.points
    return sum(before.owner(at) is line.player and not is_too_high(before, at) for at in lost)


def _stuck(line: ComparedLine, other: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield the player's stacks that have grown too tall to land anywhere."""
    end, theirs = line.boards[-1], other.boards[-1]
    if lacking(line, other, len(line.moves)) < _LEAST_STUCK:
        return
    for point, number in {move.target: number for number, move in enumerate(line.moves)}.items():
        before, after = line.boards[number], line.boards[number + 1]
        if (
            number <= _SOON
            and end.owner(point) is line.player
            and is_too_high(after, point)
            and is_too_high(end, point)
            and not is_too_high(before, point)
            and not is_too_high(theirs, point)
        ):
            found = ProvenReason(
                motif=Motif.OVERLOADED,
                sufferer=line.player,
                line=line.moves[: number + 1],
                point=point,
                count=end.height(point),
            )
            yield _STACK * (1 - _LATER * number), found


def _passed(
    line: ComparedLine, other: ComparedLine, prices: Mapping[int, int]
) -> Iterator[tuple[float, ProvenReason]]:
    """Yield that the player has no move while the other goes on, if only this line shows it."""
    alone = line.alone
    if (more := len(alone) - len(other.alone)) < 1:
        return
    last = line.boards[-1].phase is Phase.OVER and all(
        board.turn is not line.player for board in line.boards[alone[0] :]
    )
    found = ProvenReason(
        motif=Motif.LAST_MOVER if last else Motif.IMMOBILISED,
        sufferer=line.player,
        line=line.moves[: alone[0]],
        count=sum(number - alone[0] == in_a_row for in_a_row, number in enumerate(alone)),
    )
    price = more * _PASS + sum(prices.get(number, 0) for number in alone)
    yield price * (1 - _LATER * alone[0]), found


def _fewer_moves(
    line: ComparedLine, other: ComparedLine, lengths: Sequence[int]
) -> Iterator[tuple[float, ProvenReason]]:
    """Yield that the player has fewer moves to choose from than after as many of the other line.

    Whoever has just moved is better off by that alone: it must be the same player after both.
    """
    for length in lengths:
        if length > min(len(line.moves), len(other.moves)):
            continue
        turn = line.boards[length].turn
        if turn is None or turn is not other.boards[length].turn:
            continue
        short = [lacking(line, other, n) for n in range(max(length - _LATEST, 0) + 1, length + 1)]
        own, opponents = line.chosen(length)
        spared, others = other.chosen(length)
        is_plain = own * others * _PLAINLY <= spared * opponents and own <= spared * _PLAINLY
        if min(short[-1], sum(short) / len(short)) >= _LEAST_MOVES and is_plain:
            found = ProvenReason(
                motif=Motif.MOBILITY,
                sufferer=line.player,
                line=line.moves[:length],
                count=own,
                better=other.moves[0],
                others=(opponents, spared, others),
            )
            price = _MOVE * sum(short) / len(short)
            yield (price if length == len(line.moves) else _LEAST), found
            return


def _fewer_pieces(line: ComparedLine, other: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield that the player is further behind at the end of this line, if by enough pieces."""
    end, theirs = line.boards[-1], other.boards[-1]
    is_late, is_near = len(end.stacks) <= _MELEE, len(line.moves) <= _NEAR
    least = _LEAST_PIECES[is_late] if is_near else _LEAST_FAR
    decides = end.phase is theirs.phase is Phase.OVER and line.lead <= 0 <= other.lead
    is_told = (is_near and end.phase is not Phase.OVER) or line.lead <= 0 <= other.lead + _CLOSE
    if not is_told or (fewer := other.lead - line.lead) < (1 if decides else least):
        return
    player, opponent = line.player, line.player.opponent
    found = ProvenReason(
        motif=Motif.PIECES,
        sufferer=player,
        line=line.moves,
        count=end.score(player),
        better=other.moves[0],
        others=(end.score(opponent), theirs.score(player), theirs.score(opponent)),
    )
    price = min(max(fewer * _PIECE[is_late] * _SUM, _LEAST), _MOST_SUM)
    yield (_MOST_SUM if decides else price), found


def _took_none(line: ComparedLine, other: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield that the better move takes a stack, and the played one joins two own, or takes red."""
    start, played, better = line.start, line.moves[0], other.moves[0]
    onto, its = start.owner(played.target), line.player.opponent
    cuts = line.boards[1].removed
    if onto is its or start.owner(better.target) is not its or played in other.moves or cuts:
        return
    found = ProvenReason(
        motif=Motif.RED_TAX if onto is None else Motif.SELF_STACKING,
        sufferer=line.player,
        line=line.moves[:1],
        point=played.target,
        count=start.height(played.target),
        better=better,
    )
    if len(start.stacks) > _EARLY and (onto is None or _could_move(line, found)):
        yield (_LEAST if onto is None else _JOINED), found
