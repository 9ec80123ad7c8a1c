import pytest
from hypothesis import given, settings

from dvonn import (
    Color,
    Coordinates,
    DiagramError,
    DiagramProblem,
    Move,
    Position,
    from_diagram,
    to_diagram,
)
from tests.dvonn.strategies import games
from tests.games import positions_of
from tests.tiers import share_of

PLACING = """\
  5 . . . . . . . . .
 4 . . . . . . . . . .
3 R . . . . . . . . . R
 2 . . . . . . . . . . k
  1 B . . . R . . . . j
     a b c d e f g h i
White to place
"""

MOVING = """\
      a     .     .     .     .     .     .     .     .     .
   b     .     .     .     .     .     .     .     .     .     .
c     .     .     .     .     .     .     .     .     .     .     W11
   d     .     .     .     .     .     .     .     .     B3+1  W2+1  11
      e     .     .     .     .     .     .     .     W     R     10
               1     2     3     4     5     6     7     8     9
d9 WRB
d10 RW
c11 BBBBBWWWWWW
White to move
"""


def moving() -> Position:
    stacks = {"h1": "W", "i1": "R", "i2": "WRB", "j2": "RW", "k3": "BBBBBWWWWWW"}
    return Position.from_stacks(stacks, turn=Color.WHITE)


def placing() -> Position:
    position = Position.initial()
    for text in ("a3", "k3", "e1", "a1"):
        position = position.play(next(m for m in position.legal_moves() if str(m) == text))
    return position


def test_the_placement_in_standard_coordinates() -> None:
    assert to_diagram(placing()) == PLACING
    assert from_diagram(PLACING) == placing()


def test_the_movement_in_pergioco_coordinates() -> None:
    assert to_diagram(moving(), Coordinates.PERGIOCO) == MOVING
    assert from_diagram(MOVING) == moving()


def test_the_legend_can_be_left_out() -> None:
    short = to_diagram(moving(), Coordinates.PERGIOCO, legend=False)
    assert short.splitlines() == [*MOVING.splitlines()[:6], "White to move"]


def test_blank_lines_and_blanks_at_the_ends_do_not_matter() -> None:
    loose = "\r\n\r\n".join(f"  {line} \t" for line in MOVING.splitlines())
    assert from_diagram(loose) == moving()


@given(games())
@settings(max_examples=share_of(25))
def test_diagrams_of_all_positions_are_read_back_and_fit_in_a_message(moves: list[Move]) -> None:
    for position in positions_of(moves)[::3]:
        for coordinates in Coordinates:
            text = to_diagram(position, coordinates)
            assert from_diagram(text) == position
            assert max(map(len, text.splitlines())) <= 71
            assert len(text) <= 1000


def test_the_widest_and_the_highest_position_fit_in_a_message() -> None:
    # As many tall stacks as 49 pieces can make, one so tall that its top view is the longest.
    tall = {"k3": "RRB" + "B" * 7, "j2": "RW"}
    rows = ("abcdefghi", "abcdefgh")
    singles = [column + str(row) for row, columns in enumerate(rows, start=1) for column in columns]
    pairs = dict.fromkeys(singles[:15], "WB")
    position = Position.from_stacks({**tall, **pairs, "i2": "WW", "i1": "WW"}, turn=Color.BLACK)
    text = to_diagram(position, Coordinates.PERGIOCO)
    assert from_diagram(text) == position
    assert max(map(len, text.splitlines())) == 71
    assert len(text) <= 1000


@pytest.mark.parametrize(
    ("old", "new", "line", "problem", "found"),
    [
        ("      a     .", "      x     .", 1, DiagramProblem.BAD_ROW, "x"),
        ("   b     .", "   4     .", 2, DiagramProblem.BAD_ROW, None),
        ("W11", "W11   .", 3, DiagramProblem.BAD_ROW, None),
        ("     W11", "", 3, DiagramProblem.BAD_ROW, None),
        ("W2+1  11", "W2+1", 4, DiagramProblem.BAD_ROW, None),
        ("R     10", "R     11", 5, DiagramProblem.BAD_ROW, None),
        ("W     R ", "w     R ", 5, DiagramProblem.BAD_STACK, "w"),
        ("W     R ", "W0    R ", 5, DiagramProblem.BAD_STACK, "W0"),
        ("W     R ", "W4+4  R ", 5, DiagramProblem.BAD_STACK, "W4+4"),
        ("W     R ", "R2    R ", 5, DiagramProblem.BAD_STACK, "R2"),
        ("1     2     3", "1     3     2", 6, DiagramProblem.BAD_ROW, None),
        ("d9 WRB", "d9: WRB", 7, DiagramProblem.BAD_STACK, "d9: WRB"),
        ("d9 WRB", "d9 B", 7, DiagramProblem.BAD_STACK, "d9 B"),
        ("d9 WRB", "f9 WRB", 7, DiagramProblem.BAD_LEGEND, "f9 WRB"),
        ("d9 WRB", "d8 WRB", 7, DiagramProblem.BAD_LEGEND, "d8 WRB"),
        ("d9 WRB", "d9 WRW", 7, DiagramProblem.BAD_LEGEND, "d9 WRW"),
        ("d9 WRB", "d9 WBB", 7, DiagramProblem.BAD_LEGEND, "d9 WBB"),
        ("d10 RW", "d9 WRB", 8, DiagramProblem.BAD_LEGEND, "d9 WRB"),
        ("White to move", "white to move", 10, DiagramProblem.BAD_TURN, "white to move"),
        ("White to move", "White to place", 10, DiagramProblem.IMPOSSIBLE, "White to place"),
        ("White to move", "Black to move", 10, DiagramProblem.IMPOSSIBLE, "Black to move"),
        ("White to move", "Game over", 10, DiagramProblem.IMPOSSIBLE, "Game over"),
        ("d     .     ", "d     W     ", 10, DiagramProblem.IMPOSSIBLE, "White to move"),
    ],
)
def test_unreadable_text_is_reported_with_its_line(
    old: str, new: str, line: int, problem: DiagramProblem, found: str | None
) -> None:
    assert MOVING.count(old) == 1
    text = MOVING.replace(old, new)
    with pytest.raises(DiagramError) as caught:
        from_diagram(text)
    assert (caught.value.line, caught.value.reason) == (line, problem)
    assert caught.value.part == (text.splitlines()[line - 1].strip() if found is None else found)


@pytest.mark.parametrize("text", ["", "\n\n", "White to move", "\n".join(PLACING.splitlines()[:6])])
def test_a_diagram_that_is_cut_short(text: str) -> None:
    with pytest.raises(DiagramError) as caught:
        from_diagram(text)
    assert caught.value.reason is DiagramProblem.MISSING_LINE
    assert caught.value.line == text.count("\n") + 1
    assert caught.value.part == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("White to place", "Black to place"),  # there are four pieces
        ("1 B", "1 W"),  # Black's piece comes first
        ("1 B", "1 ."),  # then it is Black's turn
        ("1 B .", "1 B B"),  # White has missed a turn
        ("1 B . .", "1 B W R"),  # a fourth red piece
    ],
)
def test_pieces_that_are_not_placed_in_turn(old: str, new: str) -> None:
    assert PLACING.count(old) == 1
    with pytest.raises(DiagramError) as caught:
        from_diagram(PLACING.replace(old, new))
    assert (caught.value.line, caught.value.reason) == (7, DiagramProblem.IMPOSSIBLE)


def test_a_forced_pass_does_not_count_as_a_turn() -> None:
    position = Position.from_stacks({"a1": "B", "b1": "R"}, turn=Color.BLACK)
    text = to_diagram(position)
    assert text.endswith("Black to move\n")
    with pytest.raises(DiagramError) as caught:
        from_diagram(text.replace("Black", "White"))
    assert caught.value.reason is DiagramProblem.IMPOSSIBLE


@pytest.mark.parametrize("view", ["B3+3", "B3r", "BR", "WR", "B1+1", "B123", "W1+"])
def test_a_view_that_no_stack_has_is_refused(view: str) -> None:
    text = to_diagram(Position.from_stacks({"a1": "R", "b1": "WB"}, turn=Color.BLACK), legend=False)
    assert "R   B2" in text
    with pytest.raises(DiagramError) as caught:
        from_diagram(text.replace("B2", view))
    assert caught.value.reason in {DiagramProblem.BAD_STACK, DiagramProblem.IMPOSSIBLE}


def test_an_error_for_stacks_has_their_problem_too() -> None:
    with pytest.raises(DiagramError) as caught:
        from_diagram(MOVING.replace("W     R ", "W     . ").replace("d     .     ", "d     B     "))
    assert "unlinked" in str(caught.value.__cause__)
