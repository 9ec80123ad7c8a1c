"""A whole game looked over, from its end to its beginning.

Going back, what was found of later positions is in the table when an earlier one is searched. A
position is worth the better of two things: what the game went on to show, and what the best other
move promises, searched as deeply as the position after the move that was played. Where the
difference is a mistake, both are looked at again with more nodes before it is called one, and
with an empty table: by the first one, what was played is known farther than what was not. A review
has a budget of nodes for that. All get the same short look; what it leaves is for those that still
seem mistakes, and of what it does not suffice for, only plain losses are told.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import dvonn
from dvonn import (
    POINTS,
    Color,
    Estimate,
    GameRecord,
    Grade,
    Move,
    Phase,
    PlyReview,
    Position,
    Review,
)
from dvonn.engine.accuracy import accuracies
from dvonn.engine.estimates import SearchedValue, estimate, finished, points_of
from dvonn.engine.only_moves import with_gaps
from dvonn.engine.results import ReviewStoppedError
from dvonn.engine.reviewed_placement import review_placement
from dvonn.engine.searcher import Searcher
from dvonn.reasons import reasons
from dvonn.review import INACCURACY

SHARE: Final = 3
"""One part in so many of a ply's nodes goes to the search for the best move, one to its value; the
rest is for second looks."""

_PROMISE: Final = 0.02
"""The least gain that another move must promise before it is valued on its own."""
_BUDGET: Final = 85
"""The nodes for a second look at moves that seem inaccuracies or worse, in nodes of a ply."""
_AGAIN: Final = 4
"""The nodes of the short look at a move in doubt, in nodes of a search."""
_LATE: Final = 34
"""The most stacks with which a search may see the end of the game."""
_AGAIN_LATE: Final = 12
"""The nodes of the short look then. Moves that still seem mistakes share what is left."""
_LATE_PARTS: Final = 2
"""The part of a late move in that, in parts of an early one."""
_AGAIN_MOST: Final = 60
"""The most nodes of such a part, in nodes of a search."""
_SURE: Final = 15
"""The least such part: with less, suggestions err too often, and only plain losses are told."""
_PLAIN: Final = 0.07
"""The least chance to win that a move gives away which is a plain loss."""
_AGAIN_VALUE: Final = 2
"""The nodes that value the better move and the played one, in nodes of a search."""

_CLOSER: Final = 30
"""So many times the nodes has a closer look."""
_DECIDED: Final = 0.03
"""With such a chance or less of one player a game is as good as decided."""
_OUTLOOK: Final = 10
"""The nodes of the search of the full board, in nodes of a ply."""
_FADES: Final = 12
"""The plies over which what that search says gives way to what the game went on to show."""
_LINE: Final = 12
"""The most moves of a line that is kept while others are looked at, unless its end is proven."""
_WHOLE_LINE: Final = 24
"""The most moves of a line that is told, likewise."""
_LINE_SHARE: Final = 20
"""One part in so many of the nodes goes to each move of a line that the table does not know."""
_LEAST: Final = 0.001
"""The least chance of what is not proven."""


def review(
    record: GameRecord,
    *,
    nodes: int,
    placements: int | None,
    closer: bool,
    stopped: Callable[[], bool],
) -> Review:
    """See `dvonn.engine.review`."""
    if nodes < 1:
        raise ValueError(f"nodes are 1 or more: {nodes}")
    positions, each = record.positions(), nodes * _CLOSER if closer else nodes
    walk = Walk(positions, record.moves, each, stopped, spares=closer)
    walk.look_back()
    walk.look_again()
    numbers, moved_from = range(walk.placed, len(record.moves)), positions[walk.placed :]
    exactness = accuracies([*map(walk.judged, numbers)], moved_from)  # what fades is not a loss
    walk.look_out()
    plies = with_gaps(tuple(map(walk.told, numbers)), moved_from, nodes=nodes, stopped=stopped)
    return Review(
        plies=plies,
        placement=review_placement(
            positions,
            record.moves,
            chosen=walk.placed if placements is None else min(placements, walk.placed),
            full=walk.full_board(),
            stopped=stopped,
        ),
        accuracy=exactness,
        engine=dvonn.__version__,
        nodes=each,
    )


class Walk:
    """One game, and what is known of each of its positions so far.

    Attributes are lists by the number of plies that were played before. The first `placed` of the
    moves are placements; none are where the record begins later.
    """

    def __init__(
        self,
        positions: Sequence[Position],
        moves: Sequence[Move],
        nodes: int,
        stopped: Callable[[], bool],
        *,
        spares: bool = False,
    ) -> None:
        self._spares = spares
        self.positions = positions
        self.moves = moves
        self.placed = sum(move.source is None for move in moves)
        self._nodes = nodes
        self._stopped = stopped
        self._searcher = Searcher()
        self.spent = 0
        self.values: dict[int, SearchedValue] = {}
        self._others: dict[int, tuple[Move, SearchedValue]] = {}
        self._proven: dict[int, SearchedValue] = {}
        self._looked: dict[int, tuple[int, SearchedValue]] = {}
        self._done: set[int] = set()
        self._promised: dict[int, tuple[Move, ...]] = {}
        self._hindsight = 0.0

    def look_back(self) -> None:
        """Value every position of the movement phase, the last one first."""
        last = len(self.moves)
        if self.positions[last].phase is Phase.PLACEMENT:
            return
        self.values[last] = self._value(self.positions[last], self._nodes)
        for number in range(last - 1, self.placed - 1, -1):
            position = self.positions[number]
            if len(position.legal_moves()) > 1:
                share = self._share(number)
                best, value = self._search(position, share)
                if value.exact:
                    self._proven[number] = value
                if best is not self.moves[number] and self._promises(number, value):
                    if not value.exact:
                        value = self._value(position.play(best), share)
                    self._others[number] = best, value
            self._settle(number)

    def _share(self, number: int) -> int:
        """Return the nodes of a search; a closer look spares them where all is decided."""
        chance = self.values[number + 1].chance(Color.WHITE)
        is_decided = not _DECIDED < chance < 1 - _DECIDED
        part = SHARE * _CLOSER if self._spares and is_decided else SHARE
        return max(self._nodes // part, 1)

    def _promises(self, number: int, value: SearchedValue) -> bool:
        """Tell if a value for a position is enough above the played move's to look into it."""
        mover = self._mover(number)
        return value.chance(mover) - self.values[number + 1].chance(mover) > _PROMISE

    def look_again(self) -> None:
        """Look at what seems to be a mistake with more nodes, what seems to cost most first.

        What is found of one may make another out of the move that follows it.
        """
        self.spent = 0
        while unsure := [*filter(self._is_unsure, range(self.placed, len(self.moves)))]:
            if self._spares:
                number = max(unsure, key=self._loss)
                self._look_into(number, 1)
                self._done.add(number)
            else:
                self._look_at_one(unsure)
            for earlier in range(len(self.moves) - 1, self.placed - 1, -1):
                self._settle(earlier)

    def _look_at_one(self, unsure: Sequence[int]) -> None:
        """Look shortly at a doubtful move, or longer at one that still seems a mistake."""
        doubted = [number for number in unsure if self.looked(number) < _AGAIN]
        number = max(doubted or unsure, key=self._loss)
        minor = [number for number in unsure if self._loss(number) < _PLAIN]
        times = self._times(unsure)
        if minor and times < (_AGAIN if doubted else _SURE):
            del self._others[min(minor, key=self._loss)]
        elif doubted:
            self._look_into(number, _AGAIN_LATE if self._is_late(number) else _AGAIN)
        else:
            times = max(times, min(_SURE, self._times([number])))
            self._look_into(number, min(times * self._parts(number), _AGAIN_MOST))
            self._done.add(number)

    def _is_unsure(self, number: int) -> bool:
        """Tell if a move seems to be a mistake, and has not had its share of the nodes."""
        is_open = number not in self._proven and number not in self._done
        return is_open and self._loss(number) >= INACCURACY

    def looked(self, number: int) -> int:
        """With how many times the nodes of a search a position has been looked at again."""
        return self._looked[number][0] if number in self._looked else 0

    def _times(self, unsure: Sequence[int]) -> int:
        """With how many times the nodes of a search each of several moves may yet be looked at."""
        left = (self._nodes * _BUDGET - self.spent) * SHARE // self._nodes
        return left // sum(map(self._parts, unsure)) - 2 * _AGAIN_VALUE

    def _look_into(self, number: int, times: int) -> None:
        """Look at a move's position, and where another move seems better, at what it led to."""
        if self.looked(number) >= times:
            return
        self.look_at(number, times)
        if number in self._others:
            self._temper(number, self.look_at(number + 1, _AGAIN_VALUE))

    def _parts(self, number: int) -> int:
        return _LATE_PARTS if self._is_late(number) else 1

    def _is_late(self, number: int) -> bool:
        return len(self.positions[number].stacks) <= _LATE

    def _temper(self, number: int, searched: SearchedValue) -> None:
        """Have a better move gain no more than a search like its own says of the one played.

        What the game went on to show is known farther than any search sees; a part of the
        difference between the two may come from that alone.
        """
        mover, (best, other) = self._mover(number), self._others[number]
        gain = other.chance(mover) - searched.chance(mover)
        chance = self.values[number + 1].chance(mover) + gain
        if gain <= 0:
            del self._others[number]
        elif 0 < chance < other.chance(mover) < 1:
            white = chance if mover is Color.WHITE else 1 - chance
            points = points_of(white, other.stacks)
            self._others[number] = best, SearchedValue(points, other.stacks, exact=False)

    def look_at(self, number: int, times: int) -> SearchedValue:
        """Look at a position anew with so many times the nodes; returns what that search says.

        Where it has been looked at with as many, that stands.
        """
        before, searched = self._looked.get(number, (0, self.values[number]))
        if before >= times:
            return searched
        position, last = self.positions[number], number == len(self.moves)
        if number in self._proven or len(position.legal_moves()) < 2:  # noqa: PLR2004 - no choice
            return self.values[number]
        share = max(self._nodes // SHARE, 1)
        self._searcher.clear()
        best, value = self._search(position, share * times)
        self._looked[number] = times, value
        if value.exact:
            self._proven[number] = value
        if last:
            self.values[number] = value
            return value
        self._others.pop(number, None)
        if best is not self.moves[number] and self._promises(number, value):
            if not value.exact:
                value = self._value(position.play(best), share * _AGAIN_VALUE)
            self._others[number] = best, value
            self._promised[number] = self._better(number)
        self._settle(number)
        return self._looked[number][1]

    def look_out(self) -> None:
        """Search the full board anew, as if nothing of the game were known.

        Small losses that nobody saw add up on the way back from the end: what the game went on to
        show says too much of a position so far away from there.
        """
        start = self.positions[self.placed]
        if len(start.stacks) == len(POINTS) and start.phase is Phase.MOVEMENT:
            self._searcher.clear()
            _, value = self._search(start, self._nodes * (1 if self._spares else _OUTLOOK))
            shown = self.values[self.placed]
            self._hindsight = shown.chance(Color.WHITE) - value.chance(Color.WHITE)

    def full_board(self) -> Estimate | None:
        """Return the value of the full board; None if the placement was broken off."""
        broken_off = self.positions[self.placed].phase is Phase.PLACEMENT
        return None if broken_off else self._estimate(self.placed)

    def _settle(self, number: int) -> None:
        """Take together what is known of a position."""
        later = self.values[number + 1]
        if number in self._proven:
            self.values[number] = self._proven[number]
        elif len(self.positions[number].legal_moves()) == 1:
            self.values[number] = later
        else:
            value = self._others[number][1] if self._is_mistaken(number) else later
            self.values[number] = replace(value, exact=False)

    def _is_mistaken(self, number: int) -> bool:
        """Tell if another move is known to be better than the played one."""
        mover, (_, other) = self._mover(number), self._others.get(number, (None, None))
        return other is not None and other.chance(mover) > self.values[number + 1].chance(mover)

    def _mover(self, number: int) -> Color:
        turn = self.positions[number].turn
        if turn is None:
            raise ValueError(f"the game is over: {self.positions[number]!r}")
        return turn

    def _loss(self, number: int) -> float:
        mover = self._mover(number)
        return self.values[number].chance(mover) - self.values[number + 1].chance(mover)

    def _search(self, position: Position, nodes: int) -> tuple[Move, SearchedValue]:
        if self._stopped():
            raise ReviewStoppedError
        found = self._searcher.search(position, nodes=nodes)
        self.spent += found.nodes
        points = found.value if position.turn is Color.WHITE else -found.value
        return found.move, SearchedValue(points, len(position.stacks), found.exact)

    def _value(self, position: Position, nodes: int) -> SearchedValue:
        if position.phase is Phase.OVER:
            return SearchedValue(finished(position, Color.WHITE), len(position.stacks), exact=True)
        return self._search(position, nodes)[1]

    def _estimate(self, number: int) -> Estimate:
        value, since = self.values[number], number - self.placed
        points, chance = value.points, value.chance(Color.WHITE)
        if since < _FADES and not value.exact and 0 < chance < 1:
            chance -= self._hindsight * (1 - since / _FADES)
            points = points_of(min(max(chance, _LEAST), 1 - _LEAST), value.stacks)
        return estimate(points, value.stacks, exact=value.exact)

    def judged(self, number: int) -> PlyReview:
        """Return what the ply after so many plies gave away, without a word of why."""
        return PlyReview(
            ply=self.positions[number].plies + 1,
            color=self._mover(number),
            played=self.moves[number],
            before=self._estimate(number),
            after=self._estimate(number + 1),
        )

    def told(self, number: int) -> PlyReview:
        """Return the review of the ply after so many plies."""
        position, move, said = self.positions[number], self.moves[number], self.judged(number)
        grade = Grade.of(said.loss)
        if grade is Grade.GOOD or not self._is_mistaken(number):
            return said
        promised = self._promised.get(number) or self._better(number)
        best = self._extended(number, [*promised], _WHOLE_LINE)
        answer = self._answer(number)
        why = reasons(position, move, answer, best)[:1]
        return replace(
            said,
            grade=grade,
            best=best,
            answer=answer,
            motifs=tuple(one.motif for one in why if one.sufferer is said.color),
            missed=tuple(one.motif for one in why if one.sufferer is not said.color),
        )

    def _better(self, number: int) -> tuple[Move, ...]:
        """Return the better move, and how play goes on best after it."""
        return self._extended(number, [self._others[number][0]], _LINE)

    def _answer(self, number: int) -> tuple[Move, ...]:
        """Return the best answer to the played move: the game's own, as far as that was good."""
        line = [self.moves[number]]
        for later in range(number + 1, len(self.moves)):
            if self._is_mistaken(later):
                line += self._promised.get(later) or self._better(later)
                break
            line.append(self.moves[later])
        return self._extended(number, line, _WHOLE_LINE)[1:]

    def _extended(self, number: int, line: list[Move], most: int) -> tuple[Move, ...]:
        """Return a line from a position, cut to what is told of it, or made as long."""
        exact = number in self._proven
        most = len(POINTS) if exact else most
        nodes = max(self._nodes // (SHARE if exact else _LINE_SHARE), 1)
        line = line[:most]
        position = self.positions[number].after(*line)
        while position.phase is not Phase.OVER and len(line) < most:
            line.append(self._search(position, nodes)[0])
            position = position.play(line[-1])
        return tuple(line)
