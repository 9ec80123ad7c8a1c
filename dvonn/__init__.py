"""The game of DVONN: rules, notation, records, random starts.

>>> from dvonn import Color, Position, parse_move
>>> position = Position.from_stacks({"a1": "W", "b1": "WB", "b2": "R"}, turn=Color.WHITE)
>>> [str(move) for move in position.legal_moves()]
['a1-b1', 'a1-b2']

Import positions, moves, pieces, points and errors from here, as well as records, diagrams, reviews
and starts.
"""

import importlib
import typing

from dvonn._records.position_text import position_from_text, position_to_text
from dvonn._rules.board import (
    COLUMNS,
    DIRECTIONS,
    POINTS,
    ROWS,
    Coordinates,
    Point,
    column_row,
    distance,
    neighbours,
    point_at,
)
from dvonn._rules.errors import (
    DiagramError,
    DiagramProblem,
    DvonnError,
    LinkError,
    LinkProblem,
    NotationError,
    NotationProblem,
    PositionError,
    PositionProblem,
    PositionTextError,
    PositionTextProblem,
    Reason,
    RecordError,
    RecordProblem,
    UnknownColorError,
    UnknownPointError,
)
from dvonn._rules.move import Move
from dvonn._rules.notation import format_move, parse_move, parse_moves, parse_point
from dvonn._rules.pieces import PIECE_COUNTS, Color, Piece
from dvonn._rules.position import IllegalMoveError, Phase, Position

if typing.TYPE_CHECKING:
    from dvonn._records.diagram import from_diagram, to_diagram
    from dvonn._records.record import GameRecord
    from dvonn._records.tree import Node
    from dvonn.reviews.review import (
        Estimate,
        Grade,
        Motif,
        PlacementCost,
        PlacementReview,
        PlyReview,
        Review,
    )
    from dvonn.starts import (
        Fairness,
        balanced_start,
        fairness,
        finish_placement,
        symmetric_start,
    )

__version__ = "0.3.0.dev0"
"""The version of this package, and of the bot in the same source tree."""

__all__ = [
    "COLUMNS",
    "DIRECTIONS",
    "PIECE_COUNTS",
    "POINTS",
    "ROWS",
    "Color",
    "Coordinates",
    "DiagramError",
    "DiagramProblem",
    "DvonnError",
    "Estimate",
    "Fairness",
    "GameRecord",
    "Grade",
    "IllegalMoveError",
    "LinkError",
    "LinkProblem",
    "Motif",
    "Move",
    "Node",
    "NotationError",
    "NotationProblem",
    "Phase",
    "Piece",
    "PlacementCost",
    "PlacementReview",
    "PlyReview",
    "Point",
    "Position",
    "PositionError",
    "PositionProblem",
    "PositionTextError",
    "PositionTextProblem",
    "Reason",
    "RecordError",
    "RecordProblem",
    "Review",
    "UnknownColorError",
    "UnknownPointError",
    "balanced_start",
    "column_row",
    "distance",
    "fairness",
    "finish_placement",
    "format_move",
    "from_diagram",
    "neighbours",
    "parse_move",
    "parse_moves",
    "parse_point",
    "point_at",
    "position_from_text",
    "position_to_text",
    "symmetric_start",
    "to_diagram",
]

if not typing.TYPE_CHECKING:
    _LATER = {
        "_records.diagram": {"from_diagram", "to_diagram"},
        "_records.record": {"GameRecord"},
        "_records.tree": {"Node"},
        "starts": {
            "Fairness",
            "balanced_start",
            "fairness",
            "finish_placement",
            "symmetric_start",
        },
    }

    def __getattr__(name: str) -> object:
        """Import rarely needed names on first use, so that `import dvonn` is quick."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = next((key for key, names in _LATER.items() if name in names), "reviews.review")
        value = globals()[name] = getattr(importlib.import_module(f"dvonn.{module}"), name)
        return value
