"""Tests for motifs, each with positions that have it, and near misses."""

from collections.abc import Callable

import pytest

from dvonn import Color, IllegalMoveError, Position, parse_moves
from dvonn._rules.move import Move
from dvonn.reviews import lines
from dvonn_lessons import motifs

W, B = Color.WHITE, Color.BLACK
DescribedFrom = Callable[[str, Color], tuple[Position, Color]]
RING = "c2:{0} d2:{1} e3:{2} e4:{3} d4:{4} c3:{5} "
"""The six points around d3."""


def board(text: str, turn: Color) -> Position:
    """Return the board of a text such as "a1:R b1:WB": points with pieces from bottom to top."""
    stacks: dict[str, str] = dict(item.split(":") for item in text.split())
    return Position.from_stacks(stacks, turn=turn)


def line(text: str) -> tuple[Move, ...]:
    return tuple(parse_moves(text)) if text else ()


def swapped(stacks: str) -> str:
    """Return the same stacks with swapped colors."""
    return stacks.translate(str.maketrans("WB", "BW"))


@pytest.fixture(params=Color, ids=lambda color: f"for {color.name.lower()}")
def describe_from(request: pytest.FixtureRequest) -> DescribedFrom:
    """Return a board described from White's side, with the player's color possibly swapped."""
    player: Color = request.param

    def described(stacks: str, turn: Color) -> tuple[Position, Color]:
        if player is W:
            return board(stacks, turn), W
        return board(swapped(stacks), turn.opponent), B

    return described


TEMPO = "a1:R b1:W c1:BBW j5:B k5:R"
"""White's b1 holds c1 and has to move."""
FULL = RING.format("B", "R", "B", "R", "B", "B")
CASES: dict[Callable[..., object], list[tuple[str, Color, str, object, str]]] = {
    motifs.cut_off: [
        ("a1:R b1:B c1:W", B, "b1-a1", 1, "the only link leaves"),
        ("a1:R b1:B c1:BBW", B, "b1-a1", 3, "all the pieces of the stack count"),
        ("a1:R b1:B c1:W d1:BW", B, "b1-a1", 3, "and what hangs on it"),
        ("a1:R b1:W c1:W", W, "b1-a1", 1, "the player's own move"),
        ("a1:R b1:B c1:W d1:B e1:W", B, "b1-a1", 2, "of both, only theirs"),
        ("a1:R b1:B b2:B c2:W c1:B j5:W k5:R", B, "b1-c1 j5-k5 b2-a1", 1, "later"),
        ("a1:R b1:B c1:W b2:B c2:B", B, "b1-a1", 0, "another way remains"),
        ("a1:R b1:B c1:B", B, "b1-a1", 0, "it is the other's"),
        ("a1:R b1:B c1:RW", B, "b1-a1", 0, "a red piece inside links it"),
        ("a1:R b1:B c1:W d1:R", B, "b1-a1", 0, "another red piece beside it"),
        ("a1:R b1:B c1:W", B, "b1-c1", 0, "taken first, and then the other's"),
        ("a1:R b1:B c1:W", B, "", 0, "nothing is played"),
    ],
    motifs.red_carried_off: [
        ("a1:W b1:RB d1:R", B, "b1-d1", ("b1",), "two spaces away"),
        ("a1:W a2:W b1:RB d1:R", B, "b1-d1", ("b1",), "from two stacks"),
        ("a1:W b1:RBB e1:R", B, "b1-e1", ("b1",), "three spaces away"),
        ("a1:W b1:RW d1:R", W, "b1-d1", ("b1",), "by the player"),
        ("a1:W b1:RRB e1:R", B, "b1-e1", ("b1",), "two at once"),
        ("a1:W b1:RB d1:R e1:W", B, "b1-d1 e1-d1", ("b1",), "and the line goes on"),
        ("a1:W b1:RB d1:R e1:W", W, "e1-d1 b1-d1", ("b1",), "later"),
        ("a1:W a2:R b1:RB d1:R", B, "b1-d1", (), "another red piece remains"),
        ("a1:R b1:B c1:W", B, "b1-a1", (), "what left holds no red piece"),
        ("a1:B b1:RB d1:R", B, "b1-d1", (), "only the other loses"),
        ("c1:W b1:RB d1:R", B, "b1-d1", (), "it lands on the other side of the stack"),
        ("b1:RB d1:R e1:W", B, "b1-d1", (), "nothing hung on it"),
        ("a1:W b1:RB d1:R", B, "", (), "it stays"),
    ],
    motifs.immobilised: [
        ("a1:R b1:W c1:B d1:R", B, "c1-b1", 1, "the last stack is taken"),
        ("a1:R b1:B c1:W d1:B e1:R", B, "d1-c1", 1, "and the other goes on"),
        (RING.format("B", "B", "R", "B", "B", "R") + "d3:W f4:B", B, "f4-e4", 1, "surrounded"),
        ("a1:R b1:WWW c1:B d1:B", B, "d1-c1", 1, "too high"),
        ("b1:WWW c1:B d1:B e1:R f1:B", W, "b1-e1 c1-d1", 1, "the only move made"),
        ("a1:R b1:W c1:B d1:R e1:B", B, "c1-b1 b1-d1", 2, "twice in a row"),
        ("a1:R b1:W c1:B", B, "c1-b1", 0, "the game is over: nobody goes on"),
        ("a1:R b1:W c1:B d1:R e1:W", B, "c1-b1", 0, "one move is left"),
        ("a1:R b1:B c1:W d1:R", W, "c1-b1", 0, "it is the other who passes"),
        ("a1:R b1:W c1:B d1:R", B, "", 0, "before it happens"),
        (RING.format("B", "B", "R", "B", "B", "R") + "d3:W e5:B", B, "e4-e5", 0, "a way out"),
    ],
    motifs.out_of_tempo: [
        (TEMPO, W, "b1-a1", (0,), "the link must go"),
        (TEMPO + " i5:B", B, "i5-j5 b1-a1", (1,), "a move later"),
        ("a1:R b1:W c1:W d1:BBBW j5:B k5:R", W, "b1-a1", (0,), "from two stacks"),
        ("e1:R d1:W c1:BBBW j5:B k5:R", W, "d1-e1", (0,), "from the other side"),
        ("a3:R b3:W c3:BBW j5:B k5:R", W, "b3-a3", (0,), "in the middle row"),
        ("a1:R b1:W c1:BBBBW j5:B k5:R", W, "b1-c1", (0,), "along with what it held"),
        (TEMPO + " a2:W", W, "a2-a1", (), "a harmless move elsewhere"),
        (TEMPO, B, "j5-k5", (), "it is the other's turn"),
        (TEMPO, W, "", (), "nothing is played"),
        ("a1:R b1:B c1:WWB j5:W k5:R", B, "b1-a1", (), "it is the other who must"),
        ("a1:R b1:W c1:W b2:R j5:B k5:R", W, "b1-a1", (), "what it holds is held twice"),
        ("a1:R b1:W c1:BBB j5:B k5:R", W, "b1-a1", (), "what it holds is the other's"),
        ("a1:R b1:W c1:W d1:B", W, "b1-a1", (), "staying would cost as much"),
    ],
    motifs.overloaded: [
        ("a1:W b1:WW c1:R d1:B", W, "a1-b1", ("b1",), "by the player"),
        ("a1:W b1:BB c1:R d1:B", W, "a1-b1", ("b1",), "by taking"),
        ("a1:W b1:RB c1:R d1:B", W, "a1-b1", ("b1",), "with a red piece inside"),
        ("a1:R b1:B c1:W", W, "c1-b1", ("b1",), "two find nothing"),
        ("a1:W a2:W a3:B b1:B b2:R", B, "b1-a1 a2-a1", ("a1",), "after the retake"),
        ("a1:WW c1:B b1:R", W, "a1-c1", ("c1",), "at a distance"),
        ("a1:W b1:WW c1:R d1:B e1:B", W, "a1-b1", (), "a stack three spaces away"),
        ("a1:W b1:WWWW c1:R d1:B", W, "a1-b1", (), "it was too high before"),
        ("a1:B b1:WW c1:R d1:B", B, "a1-b1", (), "it is the other's now"),
        ("a1:WWWW b1:R c1:B d1:B", B, "d1-c1", (), "nothing landed on it"),
        ("a1:W b1:WW c1:R d1:B", W, "", (), "before it happens"),
        ("a1:R b1:W c1:B d1:W", W, "d1-c1", (), "a stack at two, surrounded or not"),
    ],
    motifs.surrounded: [
        (FULL + "d3:B f5:WW a3:R b3:B", W, "f5-d3", ("d3",), "three from a3"),
        (FULL + "d3:W f5:WW a3:R b3:B", W, "f5-d3", ("d3",), "onto their own"),
        (FULL + "d3:B f3:WW g3:R", W, "f3-d3", ("d3",), "three from g3"),
        (FULL + "d3:R b1:WW g3:B f3:B", W, "b1-d3", ("d3",), "onto a red piece"),
        (FULL + "d3:B f5:WW a3:B b3:B k5:B k4:R", B, "k5-k4 f5-d3", ("d3",), "a move later"),
        (
            FULL + "d3:B f5:WW a3:B b3:B k5:B k4:B j4:R",
            W,
            "f5-d3 k5-k4",
            ("d3",),
            "and it stays so",
        ),
        (FULL.replace("e3:B", "e3:W") + "d3:B", W, "e3-d3", (), "it left one of the six"),
        (FULL + "d3:B f5:WW", W, "f5-d3", (), "it has nowhere to go anyway"),
        (FULL + "d3:W f5:BB a3:R b3:B", B, "f5-d3", (), "it is the other's"),
        (FULL + "d3:W a3:R b3:B", B, "c2-d2", (), "it did not land there"),
        (FULL + "d3:B f5:WW a3:R b3:B", W, "f5-d3 c2-d2", (), "one of the six has gone"),
        ("a1:R a2:B b2:B b1:B c1:WW", W, "c1-a1", (), "the edge has no six"),
    ],
    lines.moves_left: [
        ("a1:R b1:W c1:B", W, "", 2, "to either side"),
        ("a1:R b1:W c1:B", B, "", 2, "also while it is the other's turn"),
        ("a1:R b1:W c1:W d1:B", B, "d1-c1", 2, "after one was taken"),
        ("a1:R b1:WW c1:B d1:B", W, "", 1, "of two only as far as it must go"),
        ("a1:R b1:W c1:B d1:RW", W, "", 3, "of all stacks"),
        ("a1:R b1:WWW c1:B", B, "", 0, "none that is too high"),
        ("a1:R b1:W c1:B", B, "c1-b1", 0, "none where all are taken"),
        ("a1:RB b1:B c1:R", B, "", 0, "none of the other's"),
        (RING.format("B", "B", "R", "B", "B", "B") + "d3:W", B, "", 0, "none amid six"),
        ("a1:R b1:W c1:B", W, "b1-c1", 0, "none when the game is over"),
    ],
}
"""For each motif: the stacks, the player to move, a line, the finding, and its evidence."""


@pytest.mark.parametrize(
    ("finds", "stacks", "turn", "moves", "found"),
    [
        pytest.param(finds, *case, id=f"{finds.__name__}: {why}")
        for finds, cases in CASES.items()
        for *case, why in cases
    ],
)
def test_findings(
    describe_from: DescribedFrom,
    finds: Callable[..., object],
    stacks: str,
    turn: Color,
    moves: str,
    found: object,
) -> None:
    position, player = describe_from(stacks, turn)
    assert finds(position, line(moves), player) == found


def test_a_stack_is_too_tall_for_every_landing() -> None:
    position = board("a1:R b1:W c1:BBBB e1:R f1:WWWWW", W)
    assert [point for point in position.stacks if lines.is_too_high(position, point)] == ["c1"]


def test_a_line_must_be_legal() -> None:
    position = board("a1:R b1:B c1:W", B)
    with pytest.raises(IllegalMoveError):
        lines.positions(position, line("c1-b1"))
