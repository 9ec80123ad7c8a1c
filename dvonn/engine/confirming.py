"""Confirmation of reasons by experiments: what if a player had to choose another kind of move?

A reason that names the opponent's reply, or a later move, must be what decides: without moves of
this kind, most of the loss must come back. A reason that names an advantage of the better move must
be what all good moves have in common.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Final

from dvonn import Motif, Move, Position
from dvonn.reviews.at_once import Advantage, advantages, effect
from dvonn.reviews.reasons import double_threat, first_of_each_kind, landings, reasons
from dvonn.reviews.review import ProvenReason

Chances = Callable[[Position, Sequence[Move]], Mapping[Move, float]]
"""A function that returns the chance of the player to move with each move.

It searches some moves more closely: the given ones, and those that seem best.
"""

_GIVEN_BACK: Final = 0.5
"""Minimum part of a loss that a good move avoids."""
_GIVEN_BACK_BY_OTHERS: Final = 0.6
"""Minimum part of a loss that would be avoided if a player had to choose another kind of move.

It is more than a half, because short searches tend to find reasons that they overrate.
"""
_NOT_BAD: Final = 0.45
"""Minimum part of a loss avoided by a move without an advantage that refutes the advantage."""
_MOST_OF_THEM: Final = 0.55
"""Minimum share of good moves among captures, if a few other moves are good as well."""
_FEW_OF_THEM: Final = 0.2
"""Maximum share of good moves among these others."""
_ENOUGH: Final = 3
"""Minimum number of moves without an advantage, and of captures."""
_BY_CHANCE: Final = 0.1
"""Maximum probability that at least as many of the good moves have an advantage by chance."""
_BY_ONE_MOVE: Final = (
    Motif.SAFE_TAKE,
    Motif.TAKEN,
    Motif.CUT_OFF,
    Motif.LAST_LINK,
    Motif.RED_CARRIED_OFF,
)
"""Advantages that count as confirmed if only the better move has them."""
_CLEARLY: Final = 0.1
"""Minimum part of a loss by which a reply must be better to replace one that is good."""
_AT_THE_END: Final = (Motif.LAST_MOVER, Motif.PIECES)
"""Reasons that proven lines show at their end."""
_MOST_LATER: Final = 3
"""Maximum number of later moves that are tested."""
_FAR: Final = 6
"""Maximum length of a line that shows a reason before the outcome is proven."""


class Confirmation:
    """Experiments with the reasons for the loss of a marked move.

    Args:
        position: The position before the move.
        played: The move.
        best: The best play, beginning with the better move.
        loss: The player's loss of winning chance, 0 to 1.
        after: The player's winning chance after the move.
        chances: Searches all moves of a position.
    """

    def __init__(
        self,
        position: Position,
        played: Move,
        best: Sequence[Move],
        *,
        loss: float,
        after: float,
        chances: Chances,
    ) -> None:
        self._position = position
        self._played = played
        self._best = tuple(best)
        self._loss = loss
        self._after = after
        self._chances = chances
        self._known: dict[tuple[Move, ...], Mapping[Move, float]] = {}

    def best_reply(self, reply: Move) -> Move:
        """Return the best reply: the given one, unless another is clearly better."""
        chances = self._known_after((self._played,), reply)
        best = max(chances, key=chances.__getitem__)
        return best if chances[best] >= chances[reply] + _CLEARLY * self._loss else reply

    def first_reason(self, answer: Sequence[Move], *, is_proven: bool) -> ProvenReason | None:
        """Return the plainest reason that an experiment confirms, or None.

        Args:
            answer: The best play after the played move.
            is_proven: True if the outcome is proven, so that the lines can be trusted to their end.
        """
        return next(self.reasons(answer, is_proven=is_proven), None)

    def reasons(self, answer: Sequence[Move], *, is_proven: bool) -> Iterator[ProvenReason]:
        """Yield all reasons that an experiment confirms. See `first_reason`."""
        position, played = self._position, self._played
        by_lines = first_of_each_kind(reasons(position, played, answer, self._best))
        early = (reason for reason in by_lines if reason.is_early)
        yield from filter(self._is_confirmed, early)
        yield from self._double_threats(answer)
        for advantage in advantages(position, played, self._best[0]):
            if self._is_shared(advantage):
                yield advantage.reason
        kinds = {(reason.motif, reason.sufferer) for reason in by_lines}
        candidates = [reason for reason in by_lines if not reason.is_early]
        candidates += (
            reason
            for reason in landings(position, (played, *answer), self._best)
            if (reason.motif, reason.sufferer) not in kinds
        )
        later = (
            reason
            for reason in candidates
            if reason.motif not in _AT_THE_END and (is_proven or len(reason.line) <= _FAR)
        )
        yield from filter(self._is_decisive, islice(later, _MOST_LATER))
        if is_proven:
            yield from (reason for reason in by_lines if reason.motif in _AT_THE_END)

    def _is_confirmed(self, reason: ProvenReason) -> bool:
        """Return True if other moves confirm a reason that shows in the first moves of a line."""
        if reason.line[0] == self._played:
            # If the move itself does the damage, the rules show it.
            return len(reason.line) == 1 or self._is_decisive(reason)
        if len(reason.line) > 1:
            return False  # the opponent might have a different reply
        return self._is_shared(effect(self._position, reason))

    def _is_decisive(self, reason: ProvenReason) -> bool:
        """Return True if moves other than the last one of a reason would avoid most of the loss."""
        *before, move = reason.line
        board = self._position.after(*before)
        if board.turn is reason.sufferer:
            return False  # the opponent passed
        chances = self._known_after(tuple(before), move)
        alike = reason.replies_alike(chances)
        is_player = board.turn is self._position.turn
        expected = self._after + self._loss if is_player else 1 - self._after
        least = min(expected, max(chances[reply] for reply in alike))
        rest = [chance for reply, chance in chances.items() if reply not in alike]
        return max(rest, default=0.0) <= least - self._loss * _GIVEN_BACK_BY_OTHERS

    def _double_threats(self, answer: Sequence[Move]) -> Iterator[ProvenReason]:
        """Yield the reason that the opponent needs only one of two spaces."""
        board = self._position.play(self._played)
        if board.turn in (None, self._position.turn):
            return
        chances = self._known_after((self._played,), *answer[:1])
        best = sorted(chances, key=lambda move: -chances[move])
        second = next((move for move in best if move.target != best[0].target), None)
        if second is not None:
            reason = double_threat(self._position, self._played, best[0], second)
            if self._is_decisive(reason):
                yield reason

    def _known_after(self, line: tuple[Move, ...], *closely: Move) -> Mapping[Move, float]:
        if line not in self._known:
            self._known[line] = self._chances(self._position.after(*line), closely)
        return self._known[line]

    def _is_shared(self, advantage: Advantage) -> bool:
        """Return True if all good moves have an advantage, and not by chance.

        If it is a capture, a few others may be good if most captures are. Other advantages that
        only most good moves have were often contradicted by longer searches.
        """
        without, alike = self._without_and_with(advantage)
        good, good_without = _count(alike, _GIVEN_BACK), _count(without, _NOT_BAD)
        motif = advantage.reason.motif
        if not alike:
            return not good_without and motif in _BY_ONE_MOVE
        if len(without) < _ENOUGH or not good:
            return False
        is_usual = (
            motif is Motif.TOOK_NONE
            and len(alike) >= _ENOUGH
            and good >= _MOST_OF_THEM * len(alike)
            and good_without <= _FEW_OF_THEM * len(without)
        )
        by_chance = _tail(good, len(alike), good + good_without, len(alike) + len(without))
        return (is_usual or not good_without) and by_chance <= _BY_CHANCE

    def _without_and_with(self, advantage: Advantage) -> tuple[list[float], list[float]]:
        """Return the part of a loss that each move avoids, without and with an advantage.

        The played and the better move are left out.
        """
        played, best = self._played, self._best[0]
        chances = self._known_after((), best, played)
        # Short searches are biased by about the same amount for all moves. The two moves whose
        # values are known show by how much.
        off = fmean((chances[played] - self._after, chances[best] - self._after - self._loss))
        kinds: tuple[list[float], list[float]] = [], []
        for move, chance in chances.items():
            if move not in (best, played):
                part = (chance - off - self._after) / self._loss
                kinds[move in advantage.alike].append(part)
        return kinds


def _count(parts: Iterable[float], least: float) -> int:
    """Count the moves that avoid at least a part of a loss."""
    return sum(part >= least for part in parts)


def _tail(good: int, drawn: int, all_good: int, moves: int) -> float:
    """Return the probability of at least so many good moves among moves drawn at random."""
    ways = sum(
        math.comb(drawn, count) * math.comb(moves - drawn, all_good - count)
        for count in range(good, min(drawn, all_good) + 1)
    )
    return ways / math.comb(moves, all_good)
