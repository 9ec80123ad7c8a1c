"""Finds the reason why one move is worse than another by comparing two lines of play.

Both lines are followed to the same length, piece by piece. The fate of a piece is attributed to the
last move that captured it or cut it off. So each move of a line has a price, and the costliest one
is the reason, if the ends of both lines confirm it. A reply that captures or saves the stack of the
better move takes precedence over the loss of a few pieces. A review stores only the motif of a
reason, and the rest is recomputed when it is shown.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from dvonn._rules.move import Move
from dvonn._rules.pieces import Color
from dvonn._rules.position import Phase, Position
from dvonn.reviews.at_once import advantages
from dvonn.reviews.compared_lines import ComparedLine, compared
from dvonn.reviews.losses import (
    AT_ONCE,
    LATE,
    MELEE,
    PIECE,
    SMALL_COUNT,
    SOON,
    losses,
    passed,
    suffered,
)
from dvonn.reviews.review import Motif, PlyReview, ProvenReason

_NEAR: Final = 12
"""Number of moves at the beginning of each line that are compared first."""
_URGENT: Final = (4.0, 3.0)
"""Prices of a capture or an escape by the reply: in the melee, and later."""
_PASSING: Final = 2.0
"""Price of such a capture or escape if it is undone a few moves later."""
_URGENT_ONES: Final = (Motif.HANGING, Motif.ESCAPED)
_MOST_VAGUE: Final = 2.5
"""Price of ending up with fewer pieces. It is low, because the effect of a single move is more
specific.
"""
_WORSE: Final = 4
"""Minimum loss in pieces between the ends of the lines that confirms a reason."""
_LATEST_LOSS: Final = 2.8
"""Price of a loss later in a line."""
_SHARE: Final = 0.5
"""Minimum share of the total loss at the end that a later loss must explain."""
_LEAST_SHARE: Final = 4
"""Minimum number of pieces of a later loss."""
_LEAST_FAR: Final = 6
"""Minimum difference in pieces between the ends of the lines that is a reason by itself."""
_MANY: Final = 10
"""Minimum difference in pieces for that reason if the lines do not end the game."""
_MOST_GAP: Final = 4
"""Maximum ratio of the total loss at the end to the size of a loss that explains it."""
_CLOSE: Final = 5
"""Maximum deficit of the player at the end of the better line, in pieces."""
_LEAST: Final = 1.2
"""Minimum price of a reason."""


def reasons(
    position: Position, played: Move, answer: Sequence[Move], best: Sequence[Move]
) -> tuple[ProvenReason, ...]:
    """Return the reasons why a move is worse than the better one, costliest first.

    Args:
        position: The position before the move.
        played: The move.
        answer: The best play after the move, beginning with the reply.
        best: The best play, beginning with the move that should have been played.

    Raises:
        IllegalMoveError: if one of the moves is illegal.
    """
    player = position.turn
    if player is None or not best:
        return ()
    line, better = (played, *answer), tuple(best)
    far = compared(position, player, line, better)
    near = compared(position, player, line[:_NEAR], better[:_NEAR])
    gap = far[1].lead - far[0].lead
    ranked = [
        (min(price, _LEAST) if _is_little(reason, gap) else price, reason)
        for price, reason in _early_reasons(*near)
        if _lasts(reason, *far)
    ]
    ranked += _later(*far)
    ranked.sort(key=lambda item: -item[0])
    return tuple(reason for _, reason in ranked)


def landings(
    position: Position, line: Sequence[Move], best: Sequence[Move]
) -> tuple[ProvenReason, ...]:
    """Return the second moves of both lines as reasons: the player's better one is a capture.

    Raises:
        IllegalMoveError: if one of the moves is illegal.
    """
    second_moves = list[ProvenReason]()
    for moves, number in ((best, 2), (line, 3)):
        if position.turn is None or len(moves) <= number:
            continue
        board = position.after(*moves[:number])
        is_player = number % 2 == 0
        mover = position.turn if is_player else position.turn.opponent
        reason = _landing(board, tuple(moves[: number + 1]), mover.opponent)
        if board.turn is mover and (reason.motif is Motif.LET_TAKE or not is_player):
            second_moves.append(reason)
    return tuple(second_moves)


def double_threat(position: Position, played: Move, reply: Move, other: Move) -> ProvenReason:
    """Return the reason that the opponent can land on two spaces, given both replies."""
    assert position.turn is not None  # the game is running  # noqa: S101
    return ProvenReason(
        motif=Motif.DOUBLE_THREAT,
        sufferer=position.turn,
        line=(played, reply),
        count=2,
        points=(reply.target, other.target),
        both=(reply, other),
    )


def _landing(board: Position, line: tuple[Move, ...], sufferer: Color) -> ProvenReason:
    point = line[-1].target
    return ProvenReason(
        motif=Motif.LET_TAKE if board.owner(point) is sufferer else Motif.LET_LAND,
        sufferer=sufferer,
        line=line,
        point=point,
        count=board.height(point),
    )


def first_of_each_kind(ranked: Sequence[ProvenReason]) -> tuple[ProvenReason, ...]:
    """Return the first reason of each motif.

    A review stores only motifs, so a second one could not be recomputed.
    """
    by_motif = {reason.motif: reason for reason in reversed(ranked)}
    return tuple(reason for reason in ranked if by_motif[reason.motif] is reason)


def reasons_of(position: Position, review: PlyReview) -> tuple[ProvenReason, ...]:
    """Return the confirmed reasons for the loss of a reviewed move.

    The reason that the player ends up with fewer pieces is dropped if it contradicts the review's
    estimates. Then the lines were not searched far enough.
    """
    if not review.best:
        return ()
    compared_lines = [*reasons(position, review.played, review.answer, review.best)]
    compared_lines += landings(position, (review.played, *review.answer), review.best)
    if review.both:
        return (double_threat(position, review.played, *review.both),)
    at_once = advantages(position, review.played, review.best[0])
    return tuple(
        reason
        for reason in (*compared_lines, *(advantage.reason for advantage in at_once))
        if reason.motif in (review.motifs if reason.sufferer is review.color else review.missed)
        and (reason.motif is not Motif.PIECES or _agrees(reason, review))
    )


def _agrees(loss: ProvenReason, review: PlyReview) -> bool:
    """Return True if the leader at the end of each line also has the higher winning chance."""
    ends = (
        (loss.others[1] - loss.others[2], review.before),
        (loss.count - loss.others[0], review.after),
    )
    return all(
        lead == 0 or (lead > 0) == (estimate.for_color(loss.sufferer) > 1 / 2)
        for lead, estimate in ends
    )


def costs(
    position: Position, played: Move, answer: Sequence[Move], best: Sequence[Move]
) -> tuple[ProvenReason, ...]:
    """Return a player's losses in a proven line, costliest first.

    The arguments are the same as for `reasons`.
    """
    player = position.turn
    if player is None or not best:
        return ()
    bad, good = compared(position, player, (played, *answer), tuple(best))
    ranked = [loss for loss in suffered(bad, good) if loss[0] >= _LEAST]
    ranked += passed(bad, good, losses(bad, good)[0], 0)
    ranked.sort(key=lambda item: -item[0])
    return tuple(reason for _, reason in ranked)


def _is_little(loss: ProvenReason, gap: int) -> bool:
    """Return True if a loss is small compared with `gap` pieces at the end."""
    if loss.motif in _URGENT_ONES or (len(loss.line) - 1 <= AT_ONCE < loss.count):
        return False
    return loss.count * _MOST_GAP < gap


def _is_borne_out(bad: ComparedLine, good: ComparedLine) -> bool:
    """Return True if the ends of the lines confirm that the player loses pieces."""
    is_worse = good.lead - bad.lead >= _WORSE
    return is_worse and (bad.boards[-1].turn is not None or _is_close(bad, good))


def _is_close(bad: ComparedLine, good: ComparedLine) -> bool:
    """Return True if the bad line leaves the player not ahead, and the good one not far behind."""
    return bad.lead <= 0 <= good.lead + _CLOSE


def _lasts(loss: ProvenReason, bad: ComparedLine, good: ComparedLine) -> bool:
    """Return True if a reason in the first moves still holds later in the lines."""
    number, line = len(loss.line) - 1, bad if loss.sufferer is bad.player else good
    if number > SOON or (number > AT_ONCE and good.lead <= bad.lead):
        return False
    return loss.motif is not Motif.TAKEN or not line.replace(player=loss.sufferer).is_retaken(
        number
    )


def _early_reasons(bad: ComparedLine, good: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield reasons, with prices, why the first moves of the bad line are worse."""
    candidates = (
        *_urgent(bad, good),
        *suffered(bad, good),
        *suffered(*_of_the_other(bad, good)),
        *_let_land(bad, good),
    )
    yield from (loss for loss in candidates if loss[0] >= _LEAST)


def _later(bad: ComparedLine, good: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield reasons, with prices, that explain much of the loss at the ends of the lines."""
    gap = good.lead - bad.lead
    pairs = ((bad, good), _of_the_other(bad, good)) if gap >= _WORSE else ()
    for line, other in pairs if _is_borne_out(bad, good) else ():
        least, (pieces, events, pays) = _SHARE * gap, losses(line, other)
        for _, reason in events:
            number = len(reason.line) - 1
            is_much = pieces[number] >= max(_LEAST_SHARE, least) and reason.count > SMALL_COUNT[0]
            if is_much and number <= LATE and reason not in pays:
                yield _LATEST_LOSS * (1 - number / 100), reason
        yield from passed(line, other, pieces, least)
    if gap >= _MANY or bad.boards[-1].phase is good.boards[-1].phase is Phase.OVER:
        yield from _fewer_pieces(bad, good)


def _of_the_other(bad: ComparedLine, good: ComparedLine) -> tuple[ComparedLine, ComparedLine]:
    """Return the worse and the better line from the opponent's point of view."""
    other = bad.player.opponent
    return good.replace(player=other), bad.replace(player=other)


def _urgent(bad: ComparedLine, good: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield a reason if the reply captures a stack that should have moved, or saves one."""
    played, reply, better = bad.moves[0], bad.moves[1:2], good.moves[0]
    if not reply or bad.boards[1].turn is bad.player:
        return
    if reply[0].target == better.source:
        motif, point = Motif.HANGING, reply[0].target
    elif reply[0].source == better.target:
        motif, point = Motif.ESCAPED, better.target
    else:
        return
    height = bad.start.height(point)
    if played.target == point:
        return
    is_kept = good.fates[point, height - 1][0] > bad.fates[point, height - 1][0]
    is_late = len(bad.start.stacks) <= MELEE
    reason = ProvenReason(
        motif=motif,
        sufferer=bad.player,
        line=bad.moves[:2],
        point=point,
        count=height,
        better=better,
    )
    price = _URGENT[is_late] + (height - 1) * PIECE[is_late]
    yield price if is_kept else _PASSING, reason


def _fewer_pieces(line: ComparedLine, other: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield a reason if the player has clearly fewer pieces at the end of this line."""
    end, other_end = line.boards[-1], other.boards[-1]
    decides = end.phase is other_end.phase is Phase.OVER and line.lead <= 0 <= other.lead
    fewer = other.lead - line.lead
    if fewer < (1 if decides else _LEAST_FAR) or not _is_close(line, other):
        return
    player, opponent = line.player, line.player.opponent
    reason = ProvenReason(
        motif=Motif.PIECES,
        sufferer=player,
        line=line.moves,
        count=end.score(player),
        better=other.moves[0],
        others=(end.score(opponent), other_end.score(player), other_end.score(opponent)),
    )
    yield _MOST_VAGUE if decides else _MOST_VAGUE - 0.1, reason


def _let_land(bad: ComparedLine, good: ComparedLine) -> Iterator[tuple[float, ProvenReason]]:
    """Yield a reason if the reply lands on a stack, even if it is retaken later."""
    is_same = bad.moves[0] == good.moves[0]
    if is_same or len(bad.moves) <= 1 or bad.boards[1].turn is bad.player:
        return
    yield _LEAST, _landing(bad.boards[1], bad.moves[:2], bad.player)
