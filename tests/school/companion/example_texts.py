"""Examples of remarks by the machine's character."""

from collections.abc import Iterator
from dataclasses import replace

from bot.base.languages import Reader
from bot.play.game_changes import GameUpdate
from dvonn import Move, Point
from dvonn_lessons.remarks import DecisiveCut, Idea, Remark
from school.companion.hook import Comment
from school.companion.model import PlacedRemark
from school.companion.words import why
from tests.bot.play.example_texts import ExampleTexts
from tests.bot.replayed import ANN, BOB
from tests.school.companion.games import whole, with_remark

MOVE = Move(source=Point("b2"), target=Point("b3"))


def of(idea: Idea) -> PlacedRemark:
    better = MOVE if idea is Idea.LET_CUT else None
    points = (Point("g3"), Point("h3"))
    return PlacedRemark(
        50, Remark(idea=idea, move=MOVE, points=points, pieces=4, better=better, reply=better)
    )


def boards() -> Iterator[GameUpdate]:
    """Yield a board with each remark, and the last boards of games that a cut decided."""
    _, update = with_remark(Idea.GREAT_CUT)
    for idea in Idea:
        yield replace(update, additions=(Comment(remark=of(idea)),))
    game = whole(0)
    difference = DecisiveCut(move=MOVE, ply=3, pieces=7, margin=5)
    for machine in (ANN, BOB):
        over = replace(game, row=replace(game.row, machine=machine))
        yield replace(update, game=over, additions=(Comment(difference=difference),))


BOARDS = boards


def _whys(who: Reader) -> list[object]:
    game, _ = with_remark(Idea.GREAT_CUT)
    return [why(who, game, of(idea), game.position) for idea in Idea]


EXAMPLE_TEXTS: ExampleTexts = {"why": _whys}
