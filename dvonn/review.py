"""Reviews of games: plain frozen values, which need no engine to be read.

`dvonn.engine.review` makes a `Review`; `to_json` and `from_json` keep it.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from dvonn.board import Point
from dvonn.frozen import Value
from dvonn.move import Move
from dvonn.notation import format_move, parse_move
from dvonn.pieces import Color

INACCURACY: Final = 0.05
"""Minimum loss of winning chance of such a ply."""
_STANDARDS: Final = (
    (35, 0.45, 0.90),
    (45, 0.35, 0.70),
    (55, 0.25, 0.50),
    (65, 0.15, 0.35),
    (101, 0.15, 0.25),
)
"""Minimum losses of a mistake and a blunder, for players whose accuracy is below the first.

Up to 65 players make about three such mistakes in a game, blunders among them, and one such
blunder: measured on 450 games of simple players and levels 1 to 12, see docs/engine.md.
"""


_OPEN: Final = 0.4
"""Minimum winning chance of a player whose move can count as the turning point."""
_CLEAN: Final = 85
"""Minimum accuracy, 0 to 100, of players who gave nothing much away."""
_SURE: Final = 99
"""Maximum percentage shown for an unproven chance."""


def in_percent(chance: float, *, exact: bool) -> int:
    """Return a chance to win, 0 to 1, in whole percent: 1 to 99 if it is not proven."""
    percent = round(100 * chance)
    return percent if exact else min(max(percent, 100 - _SURE), _SURE)


class Grade(StrEnum):
    """The quality of a ply, by the chance to win that it gave away, among players as good."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @classmethod
    def from_loss(cls, loss: float, accuracy: float | None = None) -> "Grade":
        """Return the grade of a ply.

        Args:
            loss: The chance to win that it gave away, 0 to 1.
            accuracy: Accuracy of its player in this game, 0 to 100, or None for the best possible.
        """
        judged = 100 if accuracy is None else accuracy
        _, mistake, blunder = next(standard for standard in _STANDARDS if judged < standard[0])
        if loss >= blunder:
            return cls.BLUNDER
        if loss >= mistake:
            return cls.MISTAKE
        return cls.INACCURACY if loss >= INACCURACY else cls.GOOD


class Motif(StrEnum):
    """Reasons in DVONN's own terms why one line is better. `dvonn.reasons` finds them."""

    HANGING = "hanging"
    """The reply takes the stack that should have moved."""
    ESCAPED = "escaped"
    """The reply moves the stack that should have been taken."""
    RETAKEN = "retaken"
    """The stack that a player makes by taking is taken back at once."""
    SHARPSHOT = "sharpshot"
    """A stack is taken by one that was built to land just there."""
    TAKEN = "taken"
    """A stack is taken, and stays taken."""
    CUT_OFF = "cut_off"
    """Stacks lose their link to the red pieces, and leave the board."""
    LAST_LINK = "last_link"
    """They do so by a link that was not the only one before."""
    RED_CARRIED_OFF = "red_carried_off"
    """A red piece is carried away from the stacks that it linked."""
    LAST_MOVER = "last_mover"
    """A player has no moves left while the other finishes the game alone."""
    MOBILITY = "mobility"
    """A player has far fewer moves to choose from."""
    PIECES = "pieces"
    """A player is further behind in pieces, by many moves together."""
    SELF_STACKING = "self_stacking"
    """A player lands on a stack of their own, and has one less to move."""


class ProvenReason(Value, kw_only=True):
    """A reason why a move is worse than the better one.

    Attributes:
        motif: The kind.
        sufferer: The player whom it costs something: the mover, or, by the better play, the
            opponent.
        line: The moves that lead there, from the played or the better one to the decisive one.
        point: The point of the stack that is taken or gets away.
        count: The pieces that are taken or cut off, the moves that the opponent plays alone, or the
            moves or pieces that the sufferer still has.
        points: The points of stacks that are cut off, in row order.
        better: The move that should have been played, if the reason compares the two.
        others: For `Motif.MOBILITY` and `PIECES`: the other player's moves or pieces then, and both
            players' after as many moves of the better play, the sufferer's first.
    """

    motif: Motif
    sufferer: Color
    line: tuple[Move, ...]
    point: Point | None = None
    count: int
    points: tuple[Point, ...] = ()
    better: Move | None = None
    others: tuple[int, int, int] = (0, 0, 0)


class Estimate(Value, kw_only=True):
    """The value of a position to White.

    Attributes:
        win_probability: Winning chance, 0 to 1. A draw counts half.
        margin: Range of White's expected lead at the end, in pieces. Negative if White is behind.
            Both ends are the same if it is exact.
        exact: True if it is proven, with best play by both.
    """

    win_probability: float
    margin: tuple[float, float]
    exact: bool

    def for_color(self, color: Color) -> float:
        """Return a player's chance to win, 0 to 1."""
        return self.win_probability if color is Color.WHITE else 1 - self.win_probability

    def percent_for(self, color: Color) -> int:
        """Return the chance of a color in whole percent, as `in_percent` has it."""
        return in_percent(self.for_color(color), exact=self.exact)


class PlyReview(Value, kw_only=True):
    """The review of one ply of the movement phase.

    Attributes:
        ply: Number of the move, as `Position.plies` counts: the first of a game is number 1.
        color: Player of the move.
        played: The move.
        before: Value of the position before the move, with best play.
        after: Value of the position after the move.
        grade: Grade, by the loss.
        best: The better play, beginning with the move that should have been played. Empty if the
            move is good.
        answer: The best play after the move, beginning with the reply. Empty if the move is good.
        motifs: Reasons why it is worse, if they hurt the player. See `dvonn.reasons`.
        missed: Reasons, if the better play would have hurt the other player.
        gap: The chance to win that any other move would have given away, for a player's best only
            move. 0 for all others.
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

    @property
    def loss(self) -> float:
        """The chance to win that the player gave away, 0 to 1."""
        return max(self.before.for_color(self.color) - self.after.for_color(self.color), 0.0)


class PlacementCost(Value, kw_only=True):
    """A placement that cost something.

    Attributes:
        ply: Number of the move, as `Position.plies` counts: the first of a game is number 1.
        color: Player of the placement.
        played: Point of the placement.
        better: The most valuable point.
        loss: The chance to win that it gave away, 0 to 1.
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
        costs: The most costly placements, up to three of each player, the dearest first.
    """

    outcome: Estimate
    costs: tuple[PlacementCost, ...]


class Review(Value, kw_only=True):
    """The review of a whole game.

    Attributes:
        plies: One review for each ply of the movement phase, in order.
        placement: Review of the placement phase, or None if the players began on a full board.
        accuracy: White's and Black's accuracy, 0 to 100, or None if hardly any move mattered.
        engine: Version of the engine that made it.
        nodes: Number of positions searched for each ply.
        changed: The plies that a closer search changed: newly marked, no longer marked, or with
        another better move. None if there was no closer search.
    """

    plies: tuple[PlyReview, ...]
    placement: PlacementReview | None
    accuracy: tuple[float | None, float | None]
    engine: str
    nodes: int
    changed: tuple[int, ...] | None = None

    def compared_with(self, first: "Review") -> "Review":
        """Return this closer review with its differences from the first one."""
        now, before = ({ply.ply: ply.best[:1] for ply in review.marked} for review in (self, first))
        plies = sorted(ply for ply in now | before if now.get(ply) != before.get(ply))
        return self.replace(changed=tuple(plies))

    @property
    def taken_back(self) -> tuple[PlyReview, ...]:
        """The plies that only the first look had marked."""
        changed = self.changed or ()
        return tuple(ply for ply in self.plies if ply.grade is Grade.GOOD and ply.ply in changed)

    @property
    def marked(self) -> tuple[PlyReview, ...]:
        """The plies that gave something away, in the order of play."""
        return tuple(ply for ply in self.plies if ply.grade is not Grade.GOOD)

    def turning_point(self, winner: Color | None) -> PlyReview | None:
        """Return the costliest ply after which its player was never ahead again.

        Args:
            winner: Winner of the game, who did not lose it by a move, or None for a draw.

        Returns:
            The first of several. None if there is none, or its player was as good as beaten before.
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
        """True if nothing is marked, and many small losses don't add up, either."""
        return not self.marked and all(
            accuracy is None or accuracy >= _CLEAN for accuracy in self.accuracy
        )

    def _never_ahead_from(self, one: PlyReview) -> bool:
        later = (each.after.for_color(one.color) for each in self.plies if each.ply >= one.ply)
        return max(later) <= 1 / 2

    @property
    def exact_from(self) -> int | None:
        """The first ply after which every position is proven, or None if the last one is not."""
        first = None
        for ply in reversed(self.plies):
            if not ply.before.exact:
                break
            first = ply.ply
        return first

    def to_json(self) -> dict[str, Any]:
        """Return JSON data, which `from_json` reads back. Probabilities have four places."""
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
        """Read what `to_json` made.

        Raises:
            KeyError, TypeError, ValueError: if it is something else.
        """
        white, black = data["accuracy"]
        changed = data.get("changed")  # older reviews have none
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


def _ply_to_json(one: PlyReview) -> dict[str, Any]:
    return {
        "ply": one.ply,
        "color": one.color.value,
        "played": format_move(one.played),
        "before": _estimate_to_json(one.before),
        "after": _estimate_to_json(one.after),
        "grade": one.grade.value,
        "best": _moves_to_json(one.best),
        "answer": _moves_to_json(one.answer),
        "motifs": [motif.value for motif in one.motifs],
        "missed": [motif.value for motif in one.missed],
        "gap": round(one.gap, 4),
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
        motifs=_motifs(data["motifs"]),
        missed=_motifs(data.get("missed", ())),  # older reviews have none, and no gap
        gap=data.get("gap", 0.0),
    )


def _motifs(names: Sequence[str]) -> tuple[Motif, ...]:
    """Read motifs. Motifs of older reviews that no longer exist are left out."""
    return tuple(Motif(name) for name in names if name in set(Motif))


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
