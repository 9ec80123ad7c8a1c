"""Hand-made reviews for tests."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from bot.play.model.game import Game
from bot.replay.model.replays import all_moves
from dvonn import (
    POINTS,
    Color,
    Estimate,
    Grade,
    Motif,
    Move,
    PlacementCost,
    PlacementReview,
    PlyReview,
    Point,
    Position,
    Review,
    parse_move,
    parse_moves,
)
from dvonn.reviews.review import ProvenReason

WHYS = tuple(
    ProvenReason(
        motif=motif,
        sufferer=sufferer,
        line=tuple(parse_moves("d3-c3 c2-c3")),
        point=Point("c3"),
        count=count,
        points=(Point("a1"), Point("b2")),
        better=parse_move("h3-i3"),
        others=(48, 57, 35),
    )
    for motif in Motif
    for sufferer in Color
    for count in (1, 7)
)
"""A reason of each kind."""


def worth(
    win_probability: float, low: float = -3, high: float = 5, *, exact: bool = False
) -> Estimate:
    return Estimate(win_probability=win_probability, margin=(low, high), exact=exact)


def proven(margin: float) -> Estimate:
    """The proven end of a game."""
    chance = 0.5 if margin == 0 else float(margin > 0)
    return worth(chance, margin, margin, exact=True)


def review_of(
    game: Game,
    losses: Mapping[int, float],
    *,
    motifs: tuple[Motif, ...] = tuple(Motif),
    missed: tuple[Motif, ...] = (),
) -> Review:
    """A review of a game with given losses at some plies, starting from 60%.

    The chance after the last loss stays the same until the end.
    """
    plies, position = list[PlyReview](), Position.initial()
    for number, move in enumerate(all_moves(game), start=1):
        mover = position.turn
        assert mover is not None
        if move.source is not None:
            loss = losses.get(number, 0)
            one = _ply(number, mover, position, move, loss, motifs, missed)
            if losses and number > max(losses):
                one = replace(one, before=plies[-1].after, after=plies[-1].after)
            plies.append(one)
        position = position.play(move)
    return Review(
        plies=tuple(plies), placement=None, accuracy=(91.4, None), engine="1.2.3", nodes=100_000
    )


def _ply(
    number: int,
    mover: Color,
    position: Position,
    move: Move,
    loss: float,
    motifs: tuple[Motif, ...],
    missed: tuple[Motif, ...],
) -> PlyReview:
    before, after = (0.6, 0.6 - loss) if mover is Color.WHITE else (0.4, 0.4 + loss)
    grade = Grade.from_loss(loss)
    is_good = grade is Grade.GOOD
    others = [item for item in position.legal_moves()[::-1] if item != move] or [move]
    better = others[5 * (number - 52) % len(others)]  # marks near each other miss different spaces
    replies = position.play(move).legal_moves()
    return PlyReview(
        ply=number,
        color=mover,
        played=move,
        before=worth(before),
        after=worth(round(after, 4)),
        grade=grade,
        best=() if is_good else (better,),
        answer=() if is_good else replies[:1],
        motifs=() if is_good else motifs,
        missed=() if is_good else missed,
    )


def placed() -> PlacementReview:
    """The kinds of placements in a review."""
    costs = (
        PlacementCost(ply=4, color=Color.BLACK, played=Point("a1"), better=Point("c3"), loss=0.07),
        PlacementCost(ply=9, color=Color.WHITE, played=Point("b2"), better=Point("e4"), loss=0.04),
    )
    return PlacementReview(outcome=worth(0.62, 2, 8), costs=costs)


def missing_one_point(game: Game, review: Review, marked: Collection[int]) -> tuple[Review, Point]:
    """Return a review in which the better moves of some plies use one space, and that space."""
    positions = [Position.initial()]
    for move in all_moves(game):
        positions.append(positions[-1].play(move))
    for point in POINTS:
        using = {
            ply: [
                move
                for move in positions[ply - 1].legal_moves()
                if point in (move.source, move.target)
            ]
            for ply in marked
        }
        if not all(using.values()):
            continue
        best = {ply: using[ply][number % len(using[ply])] for number, ply in enumerate(marked)}
        both = ({move.source, move.target} for move in best.values())
        if set.intersection(*both) == {point}:
            plies = tuple(
                replace(ply, best=(best[ply.ply],)) if ply.ply in best else ply
                for ply in review.plies
            )
            return replace(review, plies=plies), point
    raise AssertionError("no point is used by moves of each of them")
