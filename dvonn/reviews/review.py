"""Reviews of games, as immutable values that are independent of the engine.

`dvonn.engine.review` creates a `Review`. `to_json` and `from_json` store and load it.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from dvonn._rules.board import Point
from dvonn._rules.frozen import Value
from dvonn._rules.move import Move
from dvonn._rules.notation import format_move, parse_move
from dvonn._rules.pieces import Color

INACCURACY: Final = 0.05
"""Minimum loss of winning chance (0 to 1) for an inaccuracy."""
_STANDARDS: Final = (
    (35, 0.45, 0.90),
    (45, 0.35, 0.70),
    (55, 0.25, 0.50),
    (65, 0.15, 0.35),
    (101, 0.15, 0.25),
)
"""Minimum losses for a mistake and a blunder, for players below an accuracy.

Below an accuracy of 65, players make about three mistakes (including blunders) and one blunder per
game. This was measured on 450 games of simple players and levels 1 to 12, see docs/engine.md.
"""


_OPEN: Final = 0.4
"""Minimum winning chance before a move that can be the turning point."""
_CLEAN: Final = 85
"""Minimum accuracy, 0 to 100, of a player without significant losses."""
_HOT: Final = 6
"""Maximum distance in plies between two marked moves of the same moment."""
_SURE: Final = 99
"""Maximum percentage for an unproven chance."""

_WITH_REPLY: Final = 2
"""Length of a line that consists of a move and its reply."""


def in_percent(chance: float, *, exact: bool) -> int:
    """Return a winning chance (0 to 1) in whole percent, limited to 1 to 99 unless it is proven."""
    percent = round(100 * chance)
    return percent if exact else min(max(percent, 100 - _SURE), _SURE)


class Grade(StrEnum):
    """The quality of a ply, by its loss of winning chance and its player's level."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @classmethod
    def from_loss(cls, loss: float, accuracy: float | None = None) -> "Grade":
        """Return the grade of a ply.

        Args:
            loss: The loss of winning chance, 0 to 1.
            accuracy: The player's accuracy in this game, 0 to 100, or None for the strictest
                standard.
        """
        judged = 100 if accuracy is None else accuracy
        _, mistake, blunder = next(standard for standard in _STANDARDS if judged < standard[0])
        if loss >= blunder:
            return cls.BLUNDER
        if loss >= mistake:
            return cls.MISTAKE
        return cls.INACCURACY if loss >= INACCURACY else cls.GOOD


class Motif(StrEnum):
    """Strategic reasons why one line is better than another. `dvonn.reviews.reasons` finds them."""

    HANGING = "hanging"
    """The reply captures the stack that should have moved away."""
    ESCAPED = "escaped"
    """The stack that should have been captured moves away in the reply."""
    RETAKEN = "retaken"
    """The stack that a player made by capturing is recaptured at once."""
    SHARPSHOT = "sharpshot"
    """A stack is captured by one that was built to the right height to land there."""
    TAKEN = "taken"
    """A stack is captured and not recaptured."""
    CUT_OFF = "cut_off"
    """Stacks lose their link to the red pieces and leave the board."""
    LAST_LINK = "last_link"
    """Stacks are cut off when the last of several links breaks."""
    RED_CARRIED_OFF = "red_carried_off"
    """A red piece is moved away from the stacks that it linked."""
    LAST_MOVER = "last_mover"
    """A player has no moves left while the other finishes the game alone."""
    MOBILITY = "mobility"
    """A player immediately has fewer moves to choose from."""
    MOVERS = "movers"
    """A player immediately has fewer stacks that can move."""
    SPOT = "spot"
    """A player should have landed on a certain stack, no matter from where."""
    SAFE_TAKE = "safe_take"
    """A stack can be captured, and no reply can recapture it."""
    LET_TAKE = "let_take"
    """The reply captures a stack, which may be recaptured later."""
    LET_LAND = "let_land"
    """The reply lands on a red piece, or on another stack of its own player."""
    DOUBLE_THREAT = "double_threat"
    """The opponent can land on either of two stacks, and the player can't prevent both."""
    PIECES = "pieces"
    """A player is further behind in pieces, due to several moves."""
    TOOK_NONE = "took_none"
    """A player doesn't capture a stack although it is possible."""
    FREED = "freed"
    """A player frees surrounded stacks of the opponent's."""
    NEAR_RED = "near_red"
    """The moved stack is farther from a red piece."""


class ProvenReason(Value, kw_only=True):
    """A reason why a move is worse than the better one.

    Attributes:
        motif: The kind of reason.
        sufferer: The player who loses something: the mover, or in the better line, the opponent.
        line: The moves up to the decisive one, beginning with the played or the better move.
        point: The point of the stack that is captured or escapes.
        count: A number whose meaning depends on the motif: pieces captured or cut off, moves that
            the opponent plays alone, moves, stacks or pieces that the sufferer has left, stacks
            that are freed, or steps to a red piece.
        points: The points of stacks that are cut off or that make a difference, in order.
        better: The move that should have been played, if the reason compares the two moves.
        others: For `Motif.MOBILITY`, `MOVERS` and `PIECES`, three numbers of moves, stacks or
            pieces: the other player's after `line`, then the sufferer's and the other player's
            after as many moves of the better line. For `NEAR_RED`, the second number is the steps
            after the better move.
        both: The two replies of a double threat.
    """

    motif: Motif
    sufferer: Color
    line: tuple[Move, ...]
    point: Point | None = None
    count: int
    points: tuple[Point, ...] = ()
    better: Move | None = None
    others: tuple[int, int, int] = (0, 0, 0)
    both: tuple[Move, ...] = ()

    @property
    def is_early(self) -> bool:
        """True if the move or its reply already shows the reason."""
        return len(self.line) <= _WITH_REPLY and self.motif is not Motif.PIECES

    def blames_reply_to(self, played: Move) -> bool:
        """Return True if the loss is caused by the reply to the played move."""
        return len(self.line) == _WITH_REPLY and self.line[0] == played

    def replies_alike(self, replies: Iterable[Move]) -> frozenset[Move]:
        """Return the replies with the same effect: landing on the same stack, or moving it away."""
        reply = self.line[-1]
        if self.motif is Motif.ESCAPED:
            return frozenset(move for move in replies if move.source == self.point)
        if self.motif is Motif.DOUBLE_THREAT:
            return frozenset(move for move in replies if move.target in self.points)
        if self.point is None:
            return frozenset({reply})
        return frozenset(move for move in replies if move.target == self.point)


class Estimate(Value, kw_only=True):
    """The value of a position to White.

    Attributes:
        win_probability: Winning chance, 0 to 1. A draw counts half.
        margin: Range of White's expected lead in pieces at the end, negative if White is behind.
            Both ends are equal if the estimate is exact.
        exact: True if the result of best play by both sides is proven.
    """

    win_probability: float
    margin: tuple[float, float]
    exact: bool

    def for_color(self, color: Color) -> float:
        """Return a player's winning chance, 0 to 1."""
        return self.win_probability if color is Color.WHITE else 1 - self.win_probability

    def percent_for(self, color: Color) -> int:
        """Return a player's winning chance in whole percent. See `in_percent`."""
        return in_percent(self.for_color(color), exact=self.exact)


class PlyReview(Value, kw_only=True):
    """The review of one ply of the movement phase.

    Attributes:
        ply: Number of the move, counted like `Position.plies`. The first move of a game is 1.
        color: The player who moved.
        played: The move.
        before: Value of the position before the move.
        after: Value of the position after the move.
        grade: Grade of the loss.
        best: The better play, beginning with the move that should have been played. Empty if the
            move is good.
        answer: The best play after the move, beginning with the reply. Empty if the move is good.
        motifs: Losses of the player that explain why the move is worse. See
            `dvonn.reviews.reasons`.
        missed: Losses of the other player in the better line.
        gap: If the move was the only good one, the winning chance that the second-best move would
            have lost. Otherwise 0.
        both: The two replies of a double threat. Otherwise empty.
    """

    ply: int
    color: Color
    played: Move
    before: Estimate
    after: Estimate
    grade: Grade = Grade.GOOD
    best: tuple[Move, ...] = ()
    answer: tuple[Move, ...] = ()
    motifs: tuple[Motif, ...] = ()
    missed: tuple[Motif, ...] = ()
    gap: float = 0.0
    both: tuple[Move, ...] = ()

    @property
    def loss(self) -> float:
        """The player's loss of winning chance, 0 to 1."""
        return max(self.before.for_color(self.color) - self.after.for_color(self.color), 0.0)


class PlacementCost(Value, kw_only=True):
    """A placement that cost winning chance.

    Attributes:
        ply: Number of the move, counted like `Position.plies`. The first move of a game is 1.
        color: The player who placed.
        played: Point of the placement.
        better: The most valuable point.
        loss: The loss of winning chance, 0 to 1.
    """

    ply: int
    color: Color
    played: Point
    better: Point
    loss: float


class PlacementReview(Value, kw_only=True):
    """The review of the placement phase.

    Attributes:
        outcome: Value of the full board.
        costs: The costliest placements, up to three of each player, in descending order of loss.
    """

    outcome: Estimate
    costs: tuple[PlacementCost, ...]


class Moment(Value, kw_only=True):
    """Consecutive marked plies that missed the same opportunity.

    Attributes:
        plies: The plies in order.
        points: The points that all of the better moves have in common.
    """

    plies: tuple[PlyReview, ...]
    points: frozenset[Point]

    @property
    def is_of_both(self) -> bool:
        """True if both players missed the opportunity."""
        return len({ply.color for ply in self.plies}) > 1


def _points_of(moves: Sequence[Move]) -> frozenset[Point]:
    used = (point for move in moves for point in (move.source, move.target))
    return frozenset(filter(None, used))


class Review(Value, kw_only=True):
    """The review of a whole game.

    Attributes:
        plies: One review for each ply of the movement phase, in order.
        placement: Review of the placement phase, or None if the players began on a full board.
        accuracy: White's and Black's accuracy, 0 to 100, or None if too few moves counted.
        engine: Version of the engine that made the review.
        nodes: Number of positions searched for each ply.
        changed: The plies that a closer review changed: newly marked, no longer marked, or with
            another better move. None if this is not a closer review.
    """

    plies: tuple[PlyReview, ...]
    placement: PlacementReview | None
    accuracy: tuple[float | None, float | None]
    engine: str
    nodes: int
    changed: tuple[int, ...] | None = None

    def compared_with(self, first: "Review") -> "Review":
        """Return this closer review with `changed` filled in by comparison with the first one."""
        now, before = ({ply.ply: ply.best[:1] for ply in review.marked} for review in (self, first))
        plies = sorted(ply for ply in now | before if now.get(ply) != before.get(ply))
        return self.replace(changed=tuple(plies))

    @property
    def taken_back(self) -> tuple[PlyReview, ...]:
        """The plies that the first review marked and this closer one doesn't."""
        changed = self.changed or ()
        return tuple(ply for ply in self.plies if ply.grade is Grade.GOOD and ply.ply in changed)

    @property
    def marked(self) -> tuple[PlyReview, ...]:
        """The plies with a grade worse than good, in order."""
        return tuple(ply for ply in self.plies if ply.grade is not Grade.GOOD)

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The marked plies, grouped if close plies have better moves that use the same point.

        Until a player uses that point, both may miss the same opportunity several times.
        """
        moments: list[Moment] = []
        for marked in self.marked:
            points = _points_of(marked.best[:1])
            last = next(
                (
                    moment
                    for moment in reversed(moments)
                    if marked.ply - moment.plies[-1].ply <= _HOT and points & moment.points
                ),
                None,
            )
            if last is None:
                moments.append(Moment(plies=(marked,), points=points))
            else:
                joined = Moment(plies=(*last.plies, marked), points=points & last.points)
                moments[moments.index(last)] = joined
        return tuple(moments)

    def turning_point(self, winner: Color | None) -> PlyReview | None:
        """Return the costliest ply after which its player was never ahead again.

        Args:
            winner: Winner of the game, who cannot have a turning point, or None for a draw.

        Returns:
            The first of several equally costly plies. None if there is none, or if its player was
            already close to losing.
        """
        lasting = [
            review
            for review in self.marked
            if review.color is not winner
            and review.before.for_color(review.color) >= _OPEN
            and self._never_ahead_from(review)
        ]
        return max(lasting, key=lambda review: review.loss, default=None)

    @property
    def is_clean(self) -> bool:
        """True if no ply is marked, and each player's accuracy is high or None."""
        return not self.marked and all(
            accuracy is None or accuracy >= _CLEAN for accuracy in self.accuracy
        )

    def _never_ahead_from(self, ply: PlyReview) -> bool:
        later = (p.after.for_color(ply.color) for p in self.plies if p.ply >= ply.ply)
        return max(later) <= 1 / 2

    @property
    def exact_from(self) -> int | None:
        """The first ply after which all positions are proven, or None if the last one is not."""
        first = None
        for ply in reversed(self.plies):
            if not ply.before.exact:
                break
            first = ply.ply
        return first

    def to_json(self) -> dict[str, Any]:
        """Return JSON data, which `from_json` can parse.

        Probabilities are rounded to four digits.
        """
        return {
            "plies": [_ply_to_json(ply) for ply in self.plies],
            "placement": None if self.placement is None else _placement_to_json(self.placement),
            "accuracy": list(self.accuracy),
            "engine": self.engine,
            "nodes": self.nodes,
            "changed": None if self.changed is None else list(self.changed),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Review":
        """Parse the output of `to_json`.

        Raises:
            KeyError, TypeError, ValueError: if the data is malformed.
        """
        white, black = data["accuracy"]
        changed = data["changed"]
        return cls(
            plies=tuple(_ply(ply) for ply in data["plies"]),
            placement=None if data["placement"] is None else _placement(data["placement"]),
            accuracy=(white, black),
            engine=data["engine"],
            nodes=data["nodes"],
            changed=None if changed is None else tuple(changed),
        )


def _estimate_to_json(estimate: Estimate) -> list[Any]:
    low, high = estimate.margin
    return [round(estimate.win_probability, 4), round(low, 1), round(high, 1), estimate.exact]


def _estimate(data: list[Any]) -> Estimate:
    probability, low, high, exact = data
    return Estimate(win_probability=probability, margin=(low, high), exact=exact)


def _moves_to_json(moves: tuple[Move, ...]) -> str:
    return " ".join(map(format_move, moves))


def _moves(text: str) -> tuple[Move, ...]:
    return tuple(map(parse_move, text.split()))


def _ply_to_json(ply: PlyReview) -> dict[str, Any]:
    return {
        "ply": ply.ply,
        "color": ply.color.value,
        "played": format_move(ply.played),
        "before": _estimate_to_json(ply.before),
        "after": _estimate_to_json(ply.after),
        "grade": ply.grade.value,
        "best": _moves_to_json(ply.best),
        "answer": _moves_to_json(ply.answer),
        "motifs": [motif.value for motif in ply.motifs],
        "missed": [motif.value for motif in ply.missed],
        "gap": round(ply.gap, 4),
        "both": _moves_to_json(ply.both),
    }


def _ply(data: Mapping[str, Any]) -> PlyReview:
    return PlyReview(
        ply=data["ply"],
        color=Color(data["color"]),
        played=parse_move(data["played"]),
        before=_estimate(data["before"]),
        after=_estimate(data["after"]),
        grade=Grade(data["grade"]),
        best=_moves(data["best"]),
        answer=_moves(data["answer"]),
        motifs=tuple(map(Motif, data["motifs"])),
        missed=tuple(map(Motif, data["missed"])),
        gap=data["gap"],
        both=_moves(data.get("both", "")),
    )


def _placement_to_json(placement: PlacementReview) -> dict[str, Any]:
    return {
        "outcome": _estimate_to_json(placement.outcome),
        "costs": [
            [cost.ply, cost.color.value, cost.played, cost.better, round(cost.loss, 4)]
            for cost in placement.costs
        ],
    }


def _placement(data: Mapping[str, Any]) -> PlacementReview:
    return PlacementReview(
        outcome=_estimate(data["outcome"]),
        costs=tuple(
            PlacementCost(
                ply=ply,
                color=Color(color),
                played=Point(played),
                better=Point(better),
                loss=loss,
            )
            for ply, color, played, better, loss in data["costs"]
        ),
    )
