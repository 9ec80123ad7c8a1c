import copy
import pickle

import pytest

from dvonn import IllegalMoveError, Move, Point, Position, UnknownPointError
from dvonn._rules import errors

PLACEMENT = Move(target=Point("d2"))
MOVEMENT = Move(target=Point("d4"), source=Point("d2"))


def test_the_text_of_a_move_is_in_standard_coordinates() -> None:
    assert str(PLACEMENT) == "d2"
    assert str(MOVEMENT) == "d2-d4"


@pytest.mark.parametrize("move", [PLACEMENT, MOVEMENT])
def test_there_is_one_instance_of_each_move(move: Move) -> None:
    assert eval(repr(move)) is move  # noqa: S307 - our own repr
    assert Move(target=move.target, source=move.source) is move
    assert pickle.loads(pickle.dumps(move)) is move  # noqa: S301 - our own bytes
    assert copy.deepcopy(move) is move


def test_moves_with_other_points_differ() -> None:
    assert len({PLACEMENT, MOVEMENT, Move(target=Point("d4")), Move(target=Point("d2"))}) == 3


def test_a_move_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="never changes"):
        PLACEMENT.target = Point("d4")  # type: ignore[misc]  # what the test is about


@pytest.mark.parametrize("name", ["", "a4", "A1", "z9", "d02"])
def test_a_move_needs_points_of_the_board(name: str) -> None:
    with pytest.raises(UnknownPointError):
        Move(target=Point(name))
    with pytest.raises(UnknownPointError):
        Move(target=Point("a1"), source=Point(name))


@pytest.mark.parametrize(
    ("kind", "carried", "words"),
    [
        (UnknownPointError, {"name": "a4"}, "'a4'"),
        (
            errors.NotationError,
            {"text": "d2-d", "at": 3, "problem": errors.NotationProblem.NOT_A_POINT},
            "'d2-d' (not_a_point at 3)",
        ),
        (
            IllegalMoveError,
            {"move": MOVEMENT, "position": Position.initial(), "reason": errors.Reason.WRONG_PHASE},
            "d2-d4 (wrong_phase)",
        ),
        (
            errors.PositionError,
            {"problem": errors.PositionProblem.BAD_STACK, "culprits": ("a1", "b1")},
            "bad_stack ('a1', 'b1')",
        ),
        (
            errors.RecordError,
            {"line": 7, "reason": errors.RecordProblem.NOT_A_MOVE, "part": "x", "column": 3},
            "not_a_move in line 7, column 3: 'x'",
        ),
        (
            errors.RecordError,
            {
                "line": None,
                "reason": errors.RecordProblem.WRONG_RESULT,
                "part": "1-0",
                "column": None,
            },
            "wrong_result: '1-0'",
        ),
        (
            errors.DiagramError,
            {"line": 2, "reason": errors.DiagramProblem.BAD_ROW, "part": "x"},
            "bad_row in line 2: 'x'",
        ),
    ],
)
def test_errors_are_value_errors_that_can_be_sent_between_processes(
    kind: type[errors.DvonnError], carried: dict[str, object], words: str
) -> None:
    error = kind(**carried)
    assert isinstance(error, ValueError)
    assert repr(error) == f"{kind.__name__}({', '.join(map(repr, carried.values()))})"
    received = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert vars(received) == vars(error) == carried
    assert words in str(received)
