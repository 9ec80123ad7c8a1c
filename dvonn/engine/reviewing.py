"""The review of a whole game, from its end to its beginning.

The search goes backward, so its table already has the results of later positions when it reaches an
earlier one. That is how the review knows the end of the game. But it also means that the played
moves are searched more deeply than the others. So as long as the game is open, each position is
searched again with an empty table and the same number of nodes. If the search before a move prefers
another move, the loss is the value before the move minus the value after it. Otherwise it is 0.
"""

from collections.abc import Callable, Mapping, Sequence
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
from dvonn._rules.errors import DvonnError
from dvonn.engine.accuracy import accuracies
from dvonn.engine.confirming import Confirmation
from dvonn.engine.estimates import SearchedValue, estimate, finished, points_of
from dvonn.engine.memory import WIN
from dvonn.engine.only_moves import with_gaps
from dvonn.engine.results import ReviewStoppedError
from dvonn.engine.reviewed_placement import review_placement
from dvonn.engine.searcher import Searcher, SearchResult

SHARE: Final = 3
"""Divisor that gives the share of a ply's nodes spent on finding the best move, and on its value.
"""
_PROMISE: Final = 0.02
"""Minimum gain in winning chance that another move must promise before it is searched on its own.
"""
_BUDGET: Final = 64
"""Node budget of all second searches of open positions together, as a multiple of a ply's."""
_DOUBTED: Final = 3
"""Node budget of a second search, as a multiple of the first one's."""
_MOST: Final = 100
"""Upper limit of that budget in a review that is not closer, as a multiple of a ply's."""
_LOOK_MOST: Final = 4
"""Upper limit of a single second search's budget, as a multiple of a ply's."""
_SEEN: Final = 0.10
"""Minimum loss of winning chance (0 to 1) for a marked move.

Searches are too unreliable for smaller losses.
"""
_CLOSER: Final = 10
"""Factor of the node budget in a closer review."""
_DECIDED: Final = 0.03
"""Chance of the weaker player below which a game counts as decided."""
_OUTLOOK: Final = 10
"""Node budget of the full board's search, as a multiple of a ply's."""
_FADES: Final = 12
"""Number of plies over which that search's value blends into the values of the later positions."""
_LINE: Final = 12
"""Maximum length of the better move's line, unless its end is proven."""
_WHOLE_LINE: Final = 24
"""Maximum length of a line in the review, unless its end is proven."""
_LINE_SHARE: Final = 20
"""Divisor that gives the node budget for each move that extends a line."""
_LEAST: Final = 0.001
"""Minimum winning chance of an unproven result. The maximum is 1 minus this."""
_PROVE_FROM: Final = 26
"""Maximum number of stacks of a position whose outcome the review tries to prove."""
_PROOF: Final = 100
"""Node budget of all proofs of a game together, as a multiple of a ply's."""
_PROOF_SHARE: Final = 2
"""Divisor that gives the share of the remaining proof budget for one proof."""
_COUNTER: Final = 4
"""Node budget for comparing all moves of a position, as a multiple of a ply's."""
_CLOSELY: Final = 6
"""Number of the apparently best moves that share half of these nodes."""
_MARGIN_SHARE: Final = 100
"""Divisor of a proof's nodes for the search for the margin, after the winner is known."""


def review(
    record: GameRecord,
    *,
    nodes: int,
    placements: int | None,
    closer: bool,
    stopped: Callable[[], bool],
) -> Review:
    """Implement `dvonn.engine.review`."""
    if nodes < 1:
        raise DvonnError(f"nodes must be 1 or more: {nodes}")
    positions, times = record.positions(), _CLOSER if closer else 1
    walk = Walk(positions, record.moves, nodes, stopped, times=times)
    walk.value_positions()
    walk.search_open_positions()
    numbers, moved_from = range(walk.placed, len(record.moves)), positions[walk.placed :]
    # Computed before `search_full_board`, whose gradual correction of values is not a loss.
    exactness = accuracies([*map(walk.judged, numbers)], moved_from)
    walk.search_full_board()
    reviewed = tuple(
        walk.ply_review(number, dict(zip(Color, exactness, strict=True))) for number in numbers
    )
    plies = with_gaps(reviewed, moved_from, nodes=nodes, stopped=stopped)
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
        nodes=nodes * times,
    )


class Walk:
    """The review of one game in progress, with the results for each of its positions.

    Lists are indexed by the number of plies before a position. The first `placed` moves are
    placements. `placed` is 0 if the record begins after the placement.
    """

    def __init__(
        self,
        positions: Sequence[Position],
        moves: Sequence[Move],
        nodes: int,
        stopped: Callable[[], bool],
        *,
        times: int = 1,
    ) -> None:
        self._times = times
        self.positions = positions
        self.moves = moves
        self.placed = sum(move.source is None for move in moves)
        self._nodes = nodes
        self._stopped = stopped
        self._searcher = Searcher()
        self.spent = 0
        self.values: dict[int, SearchedValue] = {}
        self.looks: dict[int, SearchedValue] = {}
        self._others: dict[int, tuple[Move, SearchedValue]] = {}
        self._proven: dict[int, SearchedValue] = {}
        self._promised: dict[int, tuple[Move, ...]] = {}
        self._hindsight = 0.0
        self._for_proofs = nodes * times * _PROOF

    def value_positions(self) -> None:
        """Value every position of the movement phase, the last one first."""
        last, share = len(self.moves), max(self._nodes // SHARE, 1)
        if self.positions[last].phase is Phase.PLACEMENT:
            return
        self.values[last] = self._value(self.positions[last], self._nodes)
        for number in range(last - 1, self.placed - 1, -1):
            position = self.positions[number]
            if len(position.legal_moves()) > 1:
                best, value = self._search(position, share)
                proof = (best, value) if value.exact else self._proof(number)
                if proof is not None:
                    best, value = proof
                    self._proven[number] = value
                if best is not self.moves[number] and self._promises(number, value):
                    if number not in self._proven:
                        value = self._value(position.play(best), share)
                    self._others[number] = best, value
            self._settle(number)

    def _proof(self, number: int) -> tuple[Move, SearchedValue] | None:
        """Return a best move with a proven outcome, or None if the proof budget is too small."""
        position, later = self.positions[number], self.values[number + 1]
        is_proven = later.exact or number + 1 in self._proven
        if is_proven and later.chance(self._mover(number)) == 1:
            return self.moves[number], replace(later, exact=False)  # the played move wins
        nodes = self._for_proofs // _PROOF_SHARE
        if len(position.stacks) > _PROVE_FROM or not nodes:
            return None
        self._go_on()
        proof = self._searcher.prove(position, nodes=nodes, for_margin=nodes // _MARGIN_SHARE)
        self._for_proofs -= nodes if proof is None else proof.nodes
        if proof is None:
            return None
        points = proof.value if self._mover(number) is Color.WHITE else -proof.value
        return proof.move, SearchedValue(points, len(position.stacks), proof.exact)

    def _promises(self, number: int, value: SearchedValue) -> bool:
        """Return True if another move seems enough better to be searched on its own."""
        mover = self._mover(number)
        return value.chance(mover) - self.values[number + 1].chance(mover) > _PROMISE

    def search_open_positions(self) -> None:
        """Search each open position with an equal share of the nodes, the last one first."""
        self.spent = 0
        numbers = [*filter(self._is_open, self.values)]
        share = min(_BUDGET / max(len(numbers), 1), _LOOK_MOST)
        for number in numbers:
            self.search_again(number, max(int(self._nodes * self._times * share), 1))
        for number in range(len(self.moves) - 1, self.placed - 1, -1):
            self._settle(number)

    def _is_open(self, number: int) -> bool:
        """Return True if a position needs a second search.

        It has a choice of moves, its value is not proven, and the game is undecided before or after
        the move.
        """
        if number in self._proven or len(self.positions[number].legal_moves()) < 2:  # noqa: PLR2004 - no choice
            return False
        neighbors = (number, min(number + 1, len(self.moves)))
        chances = [self.values[place].chance(Color.WHITE) for place in neighbors]
        return any(_DECIDED < chance < 1 - _DECIDED for chance in chances)

    def search_again(self, number: int, nodes: int) -> None:
        """Search a position again, without results from the rest of the game.

        A move that seems much better is checked by searching the position after it. If the check
        fails, both searches are repeated with more nodes. If it fails again, the played move counts
        as equally good.
        """
        if not self._search_and_check(number, nodes):
            may_again = self._times > 1 or self.spent < self._nodes * _MOST
            if not (may_again and self._search_and_check(number, nodes * _DOUBTED)):
                del self._others[number]
        if number == len(self.moves):
            self.values[number] = self.looks[number]
            return
        self._settle(number)
        if self._loss(number) >= _SEEN and self._is_mistaken(number):
            self._promised[number] = self._better(number)

    def _search_and_check(self, number: int, nodes: int) -> bool:
        """Search a position again.

        Return False if a move that seemed much better turns out not to be.
        """
        position = self.positions[number]
        self._searcher.clear()
        best, value = self._search(position, nodes)
        self.looks[number] = value
        if value.exact:
            self._proven[number] = value
        self._others.pop(number, None)
        if number == len(self.moves) or best is self.moves[number]:
            return True
        self._others[number] = best, value
        mover = self._mover(number)
        least = self.values[number + 1].chance(mover) + _SEEN
        if value.exact or value.chance(mover) < least:
            return True
        return self._value(position.play(best), nodes).chance(mover) >= least

    def search_full_board(self) -> None:
        """Search the full board again, without results from the rest of the game.

        Small unnoticed losses accumulate from the end back to the beginning. So the game's result
        would weigh too much in a position so far from its end.
        """
        start = self.positions[self.placed]
        if len(start.stacks) == len(POINTS) and start.phase is Phase.MOVEMENT:
            self._searcher.clear()
            _, value = self._search(start, self._nodes * self._times * _OUTLOOK)
            estimate = self.values[self.placed]
            self._hindsight = estimate.chance(Color.WHITE) - value.chance(Color.WHITE)

    def full_board(self) -> Estimate | None:
        """Return the value of the full board, or None if the placement was not finished."""
        broken_off = self.positions[self.placed].phase is Phase.PLACEMENT
        return None if broken_off else self._estimate(self.placed)

    def _settle(self, number: int) -> None:
        """Set a position's final value from the results so far."""
        later = self.values[number + 1]
        if number in self._proven:
            self.values[number] = self._proven[number]
        elif len(self.positions[number].legal_moves()) == 1:
            self.values[number] = later
        else:
            value = self._others[number][1] if self._is_mistaken(number) else later
            self.values[number] = replace(value, exact=False)

    def _is_mistaken(self, number: int) -> bool:
        """Return True if another move was found to be better than the played one."""
        mover, (_, other) = self._mover(number), self._others.get(number, (None, None))
        return other is not None and other.chance(mover) > self.values[number + 1].chance(mover)

    def _mover(self, number: int) -> Color:
        turn = self.positions[number].turn
        if turn is None:
            raise DvonnError(f"the game is over: {self.positions[number]!r}")
        return turn

    def _loss(self, number: int) -> float:
        mover = self._mover(number)
        return self.values[number].chance(mover) - self.values[number + 1].chance(mover)

    def _search(self, position: Position, nodes: int) -> tuple[Move, SearchedValue]:
        """Search a position.

        The value is the mean of the last two depths, because their errors have opposite signs.
        """
        depths: list[int] = []

        def note(result: SearchResult) -> None:
            self._go_on()
            depths.append(result.value)

        self._go_on()
        result = self._searcher.search(position, nodes=nodes, on_depth=note)
        self.spent += result.nodes
        points = result.value
        if not result.exact and depths and max(map(abs, depths[-2:])) < WIN:
            points = round(sum(depths[-2:]) / len(depths[-2:]))
        if position.turn is Color.BLACK:
            points = -points
        return result.move, SearchedValue(points, len(position.stacks), result.exact)

    def _go_on(self) -> None:
        """Raise ReviewStoppedError if the caller stops the review.

        The caller may also block here.
        """
        if self._stopped():
            raise ReviewStoppedError

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
        """Return the review of a ply, without grades or reasons."""
        return PlyReview(
            ply=self.positions[number].plies + 1,
            color=self._mover(number),
            played=self.moves[number],
            before=self._estimate(number),
            after=self._estimate(number + 1),
        )

    def ply_review(self, number: int, accuracy: Mapping[Color, float | None]) -> PlyReview:
        """Return the review of a ply, graded by both players' `accuracy`."""
        ply = self.judged(number)
        if ply.loss < _SEEN or not self._is_mistaken(number):
            return ply
        promised = self._promised.get(number) or self._better(number)
        best = self._extended(number, [*promised], _WHOLE_LINE)
        confirmation = Confirmation(
            self.positions[number],
            ply.played,
            best,
            loss=ply.loss,
            after=self.values[number + 1].chance(ply.color),
            chances=self.chances,
        )
        answer = self._answer(number)
        if answer and confirmation.best_reply(answer[0]) != answer[0]:
            line = [ply.played, confirmation.best_reply(answer[0])]
            answer = self._extended(number, line, _WHOLE_LINE)[1:]
        reason = confirmation.first_reason(answer, is_proven=number in self._proven)
        is_own = reason is not None and reason.sufferer is ply.color
        motifs = () if reason is None else (reason.motif,)
        return replace(
            ply,
            grade=Grade.from_loss(ply.loss, accuracy[ply.color]),
            best=best,
            answer=answer,
            motifs=motifs if is_own else (),
            missed=() if is_own else motifs,
            both=() if reason is None else reason.both,
        )

    def chances(self, position: Position, closely: Sequence[Move]) -> dict[Move, float]:
        """Return the chance of the player to move with each move.

        Some moves, and those that seem best, are searched more closely.
        """
        player, moves = position.turn, position.legal_moves()
        if player is None:
            return {}
        half = _COUNTER * self._nodes * self._times // 2

        def chance(move: Move, share: int) -> float:
            return self._value(position.play(move), max(half // share, 1)).chance(player)

        chances = {move: chance(move, len(moves)) for move in moves}
        order = sorted(moves, key=lambda move: (move not in closely, -chances[move]))
        for move in order[:_CLOSELY]:
            chances[move] = chance(move, _CLOSELY)
        return chances

    def _better(self, number: int) -> tuple[Move, ...]:
        """Return the line that begins with the better move."""
        return self._extended(number, [self._others[number][0]], _LINE)

    def _answer(self, number: int) -> tuple[Move, ...]:
        """Return the best answer to the played move.

        It consists of the game's own moves as long as they were good.
        """
        line = [self.moves[number]]
        for later in range(number + 1, len(self.moves)):
            if self._is_mistaken(later):
                line += self._promised.get(later) or self._better(later)
                break
            line.append(self.moves[later])
        return self._extended(number, line, _WHOLE_LINE)[1:]

    def _extended(self, number: int, line: list[Move], length: int) -> tuple[Move, ...]:
        """Return a line from a position, cut or extended to `length` unless its end is proven."""
        exact = number in self._proven
        length = len(POINTS) if exact else length
        nodes = max(self._nodes * self._times // (SHARE if exact else _LINE_SHARE), 1)
        line = line[:length]
        position = self.positions[number].after(*line)
        while position.phase is not Phase.OVER and len(line) < length:
            line.append(self._search(position, nodes)[0])
            position = position.play(line[-1])
        return tuple(line)
