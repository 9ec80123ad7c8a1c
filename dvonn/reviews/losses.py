"""Losses of a player in a line: stacks captured or cut off, and the last move.

Losses are compared by their prices.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from dvonn._rules.position import Phase
from dvonn.reviews.compared_lines import ComparedLine, hanging_on
from dvonn.reviews.lines import is_too_high
from dvonn.reviews.review import Motif, ProvenReason

MELEE: Final = 30
"""Number of stacks above which a position belongs to the melee.

In the melee, the number of movable stacks counts most; later, the number of pieces.
"""
PIECE: Final = (0.5, 1.0)
"""Price of a piece in the melee, and later."""
_STACK: Final = 2.0
"""Price of a movable stack."""
_FEW: Final = 15
"""Maximum number of stacks at which a single piece is a reason.

With more stacks, most moves take a piece.
"""
AT_ONCE: Final = 1
"""Index of the last move whose capture of a single piece can be a reason."""
SOON: Final = 3
"""Index of the last early move. Later losses must be confirmed by the ends of the lines."""
_LAST_MOVER: Final = 2.9
"""Price of running out of moves while the opponent finishes the game alone."""
LATE: Final = 11
"""Index of the last move that can be a reason. People do not look farther ahead."""
_BORNE_OUT: Final = 0.5
"""Minimum part of a later loss that must remain at the end of the line."""
_NOW: Final = 1.6
"""Weight of a stack that is lost at once."""
_SMALL: Final = 0.5
SMALL_COUNT: Final = (2, 5)
_FAR: Final = 4
"""A loss of at most `SMALL_COUNT` pieces has the weight `_SMALL`.

The first of the counts applies to losses within `_FAR` moves after the first move, and the second
to later losses.
"""
_EARNED: Final = 0.5
"""Minimum ratio of gain to cost at which cutting off own stacks is justified and no loss."""
_LATER: Final = 0.07
"""Discount of a price for each earlier move in the line, because later events are less certain."""


def suffered(line: ComparedLine, other: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield the player's losses in a line, with their prices.

    A price is capped at the total of these losses minus the total of those in the other line.
    """
    _, events, pays = losses(line, other)
    beside = sum(price for price, _ in losses(other, line)[1])
    rest = sum(price for price, _ in events) - beside
    yield from ((min(price, rest), reason) for price, reason in events if reason not in pays)


def losses(
    line: ComparedLine, other: ComparedLine
) -> tuple[dict[int, int], list[tuple[float, ProvenReason]], list[ProvenReason]]:
    """Return each move's cost to the player, the losses with prices, and justified cuts."""
    pieces, cut, gained = line.losses_against(other)
    is_late, is_usual = len(line.start.stacks) <= MELEE, len(line.start.stacks) > _FEW
    events, pays = list[tuple[float, ProvenReason]](), list[ProvenReason]()
    for number, lost in pieces.items():
        pair = (_cut(line, number) if cut[number] else None, _taken(line, number)) if lost else ()
        loss = max(filter(None, pair), key=lambda reason: reason.count, default=None)
        if loss is None or (loss.count == 1 and (number > AT_ONCE or is_usual)):
            continue
        by_choice = line.boards[number].turn is line.player
        if by_choice and gained[number] >= (lost * _EARNED if number else loss.count):
            pays.append(loss)
        is_made_up_for = number > SOON and other.lead - line.lead < lost * _BORNE_OUT
        if is_made_up_for or _comes_anyway(loss, other):
            continue
        whole = lost * PIECE[is_late] + could_move(line, loss) * _STACK
        events.append((whole * _weight(loss) * (1 - _LATER * number), loss))
    return pieces, events, pays


def _comes_anyway(reason: ProvenReason, other: ComparedLine) -> bool:
    """Return True if the loss also happens in the other line, or if that line begins there."""
    if reason.point == other.moves[0].target:
        return True
    for before, move, after in zip(other.boards, other.moves, other.boards[1:], strict=False):
        if move == reason.line[-1]:
            height, removed = before.height(move.target), sum(map(len, after.removed.values()))
            return (removed if reason.point is None else height) >= reason.count
    return False


def _weight(reason: ProvenReason) -> float:
    """Return a loss's price factor, which depends on its size and on how soon it happens."""
    if reason.count == 1 or AT_ONCE < len(reason.line) - 1 <= SOON:
        return 1.0
    if len(reason.line) - 1 <= AT_ONCE:
        return _NOW
    return _SMALL if reason.count <= SMALL_COUNT[len(reason.line) - 1 > _FAR] else 1.0


def _cut(line: ComparedLine, number: int) -> ProvenReason | None:
    """Return the reason that a move cuts off stacks of the player, or None if it doesn't."""
    before, move, after = line.boards[number], line.moves[number], line.boards[number + 1]
    cut = {at: s for at, s in after.removed.items() if s[-1] == line.player}
    assert move.source is not None  # a movement  # noqa: S101
    if not cut:
        return None
    if before.reds(move.source):
        motif = Motif.RED_CARRIED_OFF
    elif cut.keys() & hanging_on(line.start, move.source):
        motif = Motif.CUT_OFF
    else:
        motif = Motif.LAST_LINK
    return ProvenReason(
        motif=motif,
        sufferer=line.player,
        line=line.moves[: number + 1],
        count=sum(map(len, cut.values())),
        points=tuple(cut),
    )


def _taken(line: ComparedLine, number: int) -> ProvenReason | None:
    """Return the reason that a move captures the player's stack for good, or None if it doesn't."""
    before, move = line.boards[number], line.moves[number]
    point, count = move.target, before.height(move.target)
    takes_none = before.owner(point) is not line.player or before.turn is line.player
    if takes_none or line.is_retaken(number):
        return None
    if number == 1 and line.moves[0].target == point and count > 1:
        back = line.start.owner(point) is line.player.opponent
        motif = Motif.RETAKEN if back else Motif.TAKEN
    elif count > 1 and any(
        move_before.target == move.source for move_before in line.moves[number % 2 : number : 2]
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
    )


def could_move(line: ComparedLine, reason: ProvenReason) -> int:
    """Count the lost stacks that still had a stack to land on."""
    before = line.boards[len(reason.line) - 1]
    lost = (reason.point,) if reason.point is not None else reason.points
    return sum(before.owner(at) is line.player and not is_too_high(before, at) for at in lost)


def passed(
    line: ComparedLine, other: ComparedLine, pieces: Mapping[int, int], least: float
) -> Iterator[tuple[float, ProvenReason]]:
    """Yield the reason that the player must pass while the opponent finishes the game alone."""
    turns = line.moves_after_passes
    if len(turns) <= len(other.moves_after_passes) or line.boards[-1].phase is not Phase.OVER:
        return
    is_last = all(board.turn is not line.player for board in line.boards[turns[0] :])
    if is_last and turns[0] <= LATE and sum(pieces.get(number, 0) for number in turns) >= least:
        yield (
            _LAST_MOVER,
            ProvenReason(
                motif=Motif.LAST_MOVER,
                sufferer=line.player,
                line=line.moves[: turns[0]],
                count=len(turns),
            ),
        )
