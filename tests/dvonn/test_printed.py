"""Tests for printed positions: the guesses for covered pieces don't affect the play."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn import (
    Color,
    Coordinates,
    DiagramError,
    DiagramProblem,
    Move,
    Phase,
    Position,
    from_diagram,
    position_from_text,
    position_to_text,
    to_diagram,
)
from dvonn._records.position_text import printed_from_text
from dvonn._rules.stacks import with_assumed_pieces
from dvonn_lessons.printed import printed_position
from tests.dvonn.strategies import games
from tests.games import positions_of
from tests.tiers import share_of


def outside(position: Position) -> dict[str, tuple[str, int, int]]:
    """Return what a printed board shows of each stack."""
    return {
        str(point): (pieces[-1], len(pieces), pieces.count("R"))
        for point, pieces in position.stacks.items()
    }


def listed(position: Position) -> str:
    stacks = ", ".join(
        f"{point} {owner}{height if height > 1 else ''}"
        + (f"+{reds}" if reds and height > 1 else "")
        for point, (owner, height, reds) in outside(position).items()
    )
    return f"{stacks}; {'White' if position.turn is Color.WHITE else 'Black'} to move"


@given(games(), st.data())
@settings(max_examples=share_of(40))
def test_a_printed_position_plays_like_the_original(moves: list[Move], data: st.DataObject) -> None:
    """Every form of a printed position has the same moves to the end, and the same final score."""
    ply = data.draw(st.integers(49, len(moves) - 1))
    position = positions_of(moves)[ply]
    hidden = position_to_text(position, position.stacks)
    forms = [hidden, to_diagram(position, legend=False), listed(position)]
    forms += [to_diagram(position, legend=False, turned=True)]
    forms += [to_diagram(position, Coordinates.PERGIOCO, legend=False, turned=True)]
    found = [printed_position(form) for form in forms]
    assert len(set(found)) == 1
    printed = found[0].position
    assert outside(printed) == outside(position)
    assert printed.legal_moves() == position.legal_moves()
    inside = [point for point, (_, height, reds) in outside(position).items() if height > reds + 1]
    assert list(found[0].assumed) == inside
    assert position_to_text(printed, found[0].assumed) == hidden
    assert printed_from_text(hidden) == found[0]
    for move in moves[ply:]:
        position, printed = position.play(move), printed.play(move)
        assert outside(printed) == outside(position)
        assert printed.legal_moves() == position.legal_moves()
    assert printed.phase is Phase.OVER
    assert [*map(printed.score, Color)] == [*map(position.score, Color)]


def test_a_whole_legend_leaves_nothing_to_assume() -> None:
    position = Position.from_stacks({"a1": "WB", "b1": "WRB", "b2": "R"}, turn=Color.BLACK)
    for text in (to_diagram(position), position_to_text(position), "a1 WB, b1 WRB, b2 R; Black"):
        found = printed_position(text)
        assert (found.position, found.assumed) == (position, ())
    one = printed_position(to_diagram(position).replace("a1 WB\n", ""))
    assert one.assumed == ("a1",)
    assert one.position.stacks["b1"] == "WRB"


def test_known_pieces_are_not_assumed() -> None:
    found = printed_position("a1 W2+1, b1 B3+2 White to move")
    assert (dict(found.position.stacks), found.assumed) == ({"a1": "RW", "b1": "RRB"}, ())


def test_pieces_are_assumed_by_how_many_are_left() -> None:
    stacks = {"a1": "?" * 20 + "W", "b1": "R???B"}
    assumed = with_assumed_pieces(stacks)  # type: ignore[arg-type]  # points by their names
    assert assumed == with_assumed_pieces(stacks)  # type: ignore[arg-type]  # as above
    counts = {piece: "".join(assumed.values()).count(piece) for piece in "WBR"}
    assert counts == {"W": 13, "B": 12, "R": 1}


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a1 B6, b1 W3+1, b2 R", 1, DiagramProblem.BAD_TURN),
        ("a1 B6\nb9 W3+1\nWhite to move", 2, DiagramProblem.BAD_STACK),
        ("a1 B6\na1 W3+1\nWhite to move", 2, DiagramProblem.BAD_STACK),
        ("a1 B6\nb1 W3+3\nWhite to move", 2, DiagramProblem.BAD_STACK),
        ("a1 B6\nb1 W3\nWhite to move", 3, DiagramProblem.IMPOSSIBLE),  # no red piece
        ("a1 B40, b1 W9+1; Black", 1, DiagramProblem.IMPOSSIBLE),
        ("d2 c3", 1, DiagramProblem.MISSING_LINE),
        ("", 1, DiagramProblem.MISSING_LINE),
    ],
)
def test_impossible_moves_are_refused_with_their_line(
    text: str, line: int, problem: DiagramProblem
) -> None:
    with pytest.raises(DiagramError) as caught:
        printed_position(text)
    assert (caught.value.line, caught.value.reason) == (line, problem)


@pytest.mark.parametrize(
    "text",
    [
        "a1 B6, b1 W3+1, b2 R, c1 W; White to move",
        "a1: B6\nb1: W3+1\nb2: R\nc1: W1\n\nwhite moves",
        "a1=B6 b1=W3+1 b2=R c1=W W",
        "a1 B6; b1 W3+1; b2 R; c1 W. White to play.",
    ],
)
def test_lists_are_read_as_people_write_them(text: str) -> None:
    position = printed_position(text).position
    assert outside(position) == {
        "a1": ("B", 6, 0),
        "b1": ("W", 3, 1),
        "c1": ("W", 1, 0),
        "b2": ("R", 1, 1),
    }
    assert position.turn is Color.WHITE
    named = text.replace("a1", "e1").replace("b1", "e2").replace("b2", "d2").replace("c1", "e3")
    assert printed_position(named, Coordinates.PERGIOCO).position == position


def test_one_line_may_have_unknown_pieces() -> None:
    text = "5????BR2/10/11/10/9 over"
    position = position_from_text(text)
    assert outside(position)["f1"] == ("B", 5, 0)
    assert from_diagram(to_diagram(position, legend=False)) == position


@pytest.mark.parametrize("text", ["a1" + " " * 200_000 + "x", " " * 200_000 + "x"])
def test_no_run_of_spaces_is_divided_in_every_way(text: str) -> None:
    """Each text would take minutes to read if the time grew with the square of its length."""
    with pytest.raises(DiagramError):
        printed_position(text)
