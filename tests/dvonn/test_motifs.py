"""What makes a line bad: each reason where it holds, and where it nearly does."""

from collections.abc import Callable

import pytest

from dvonn import Color, IllegalMoveError, Motif, Position, parse_moves
from dvonn.motifs import (
    cut_off,
    immobilised,
    is_too_high,
    moves_left,
    out_of_tempo,
    overloaded,
    positions,
    reasons,
    red_carried_off,
    surrounded,
)
from dvonn.move import Move

W, B = Color.WHITE, Color.BLACK
Seen = Callable[[str, Color], tuple[Position, Color]]
RING = "c2:{0} d2:{1} e3:{2} e4:{3} d4:{4} c3:{5} "
"""The six points around d3."""


def board(text: str, turn: Color) -> Position:
    """From "a1:R b1:WB": points, and what lies there from the bottom up."""
    stacks: dict[str, str] = dict(one.split(":") for one in text.split())
    return Position.from_stacks(stacks, turn=turn)


def line(text: str) -> tuple[Move, ...]:
    return tuple(parse_moves(text)) if text else ()


def swapped(stacks: str) -> str:
    """The same stacks in the other's colours."""
    return stacks.translate(str.maketrans("WB", "BW"))


@pytest.fixture(params=Color, ids=lambda color: f"for {color.name.lower()}")
def seen(request: pytest.FixtureRequest) -> Seen:
    """A board that is told with White as the player concerned, and that player: either colour."""
    player: Color = request.param

    def shown(stacks: str, turn: Color) -> tuple[Position, Color]:
        if player is W:
            return board(stacks, turn), W
        return board(swapped(stacks), turn.opponent), B

    return shown


@pytest.mark.parametrize(
    ("stacks", "turn", "moves", "pieces"),
    [
        pytest.param("a1:R b1:B c1:W", B, "b1-a1", 1, id="the only link leaves"),
        pytest.param("a1:R b1:B c1:BBW", B, "b1-a1", 3, id="all the pieces of the stack count"),
        pytest.param("a1:R b1:B c1:W d1:BW", B, "b1-a1", 3, id="and what hangs on it"),
        pytest.param("a1:R b1:W c1:W", W, "b1-a1", 1, id="the player's own move"),
        pytest.param("a1:R b1:B c1:W d1:B e1:W", B, "b1-a1", 2, id="of both, only theirs"),
        pytest.param("a1:R b1:B b2:B c2:W c1:B j5:W k5:R", B, "b1-c1 j5-k5 b2-a1", 1, id="later"),
    ],
)
def test_cut_off(seen: Seen, stacks: str, turn: Color, moves: str, pieces: int) -> None:
    position, player = seen(stacks, turn)
    assert cut_off(position, line(moves), player) == pieces


@pytest.mark.parametrize(
    ("stacks", "turn", "moves"),
    [
        pytest.param("a1:R b1:B c1:W b2:B c2:B", B, "b1-a1", id="another way remains"),
        pytest.param("a1:R b1:B c1:B", B, "b1-a1", id="it is the other's"),
        pytest.param("a1:R b1:B c1:RW", B, "b1-a1", id="a red piece inside links it"),
        pytest.param("a1:R b1:B c1:W d1:R", B, "b1-a1", id="another red piece beside it"),
        pytest.param("a1:R b1:B c1:W", B, "b1-c1", id="taken first, and then the other's"),
        pytest.param("a1:R b1:B c1:W", B, "", id="nothing is played"),
    ],
)
def test_not_cut_off(seen: Seen, stacks: str, turn: Color, moves: str) -> None:
    position, player = seen(stacks, turn)
    assert cut_off(position, line(moves), player) == 0


@pytest.mark.parametrize(
    ("stacks", "turn", "moves", "points"),
    [
        pytest.param("a1:W b1:RB d1:R", B, "b1-d1", ("b1",), id="two spaces away"),
        pytest.param("a1:W a2:W b1:RB d1:R", B, "b1-d1", ("b1",), id="from two stacks"),
        pytest.param("a1:W b1:RBB e1:R", B, "b1-e1", ("b1",), id="three spaces away"),
        pytest.param("a1:W b1:RW d1:R", W, "b1-d1", ("b1",), id="by the player"),
        pytest.param("a1:W b1:RRB e1:R", B, "b1-e1", ("b1",), id="two at once"),
        pytest.param("a1:W b1:RB d1:R e1:W", B, "b1-d1 e1-d1", ("b1",), id="and the line goes on"),
        pytest.param("a1:W b1:RB d1:R e1:W", W, "e1-d1 b1-d1", ("b1",), id="later"),
    ],
)
def test_red_carried_off(
    seen: Seen, stacks: str, turn: Color, moves: str, points: tuple[str, ...]
) -> None:
    position, player = seen(stacks, turn)
    assert red_carried_off(position, line(moves), player) == points


@pytest.mark.parametrize(
    ("stacks", "turn", "moves"),
    [
        pytest.param("a1:W a2:R b1:RB d1:R", B, "b1-d1", id="another red piece remains"),
        pytest.param("a1:R b1:B c1:W", B, "b1-a1", id="what left holds no red piece"),
        pytest.param("a1:B b1:RB d1:R", B, "b1-d1", id="only the other loses"),
        pytest.param("c1:W b1:RB d1:R", B, "b1-d1", id="it lands on the other side of the stack"),
        pytest.param("b1:RB d1:R e1:W", B, "b1-d1", id="nothing hung on it"),
        pytest.param("a1:W b1:RB d1:R", B, "", id="it stays"),
    ],
)
def test_no_red_carried_off(seen: Seen, stacks: str, turn: Color, moves: str) -> None:
    position, player = seen(stacks, turn)
    assert red_carried_off(position, line(moves), player) == ()


@pytest.mark.parametrize(
    ("stacks", "turn", "moves", "times"),
    [
        pytest.param("a1:R b1:W c1:B d1:R", B, "c1-b1", 1, id="the last stack is taken"),
        pytest.param("a1:R b1:B c1:W d1:B e1:R", B, "d1-c1", 1, id="and the other goes on"),
        pytest.param(
            RING.format("B", "B", "R", "B", "B", "R") + "d3:W f4:B", B, "f4-e4", 1, id="surrounded"
        ),
        pytest.param("a1:R b1:WWW c1:B d1:B", B, "d1-c1", 1, id="too high"),
        pytest.param("b1:WWW c1:B d1:B e1:R f1:B", W, "b1-e1 c1-d1", 1, id="the only move made"),
        pytest.param("a1:R b1:W c1:B d1:R e1:B", B, "c1-b1 b1-d1", 2, id="twice in a row"),
    ],
)
def test_immobilised(seen: Seen, stacks: str, turn: Color, moves: str, times: int) -> None:
    position, player = seen(stacks, turn)
    assert immobilised(position, line(moves), player) == times


@pytest.mark.parametrize(
    ("stacks", "turn", "moves"),
    [
        pytest.param("a1:R b1:W c1:B", B, "c1-b1", id="the game is over: nobody goes on"),
        pytest.param("a1:R b1:W c1:B d1:R e1:W", B, "c1-b1", id="one move is left"),
        pytest.param("a1:R b1:B c1:W d1:R", W, "c1-b1", id="it is the other who passes"),
        pytest.param("a1:R b1:W c1:B d1:R", B, "", id="before it happens"),
        pytest.param(
            RING.format("B", "B", "R", "B", "B", "R") + "d3:W e5:B", B, "e4-e5", id="a way out"
        ),
    ],
)
def test_not_immobilised(seen: Seen, stacks: str, turn: Color, moves: str) -> None:
    position, player = seen(stacks, turn)
    assert immobilised(position, line(moves), player) == 0


TEMPO = "a1:R b1:W c1:BBW j5:B k5:R"
"""White's b1 holds c1 and has to go."""


@pytest.mark.parametrize(
    ("stacks", "turn", "moves", "places"),
    [
        pytest.param(TEMPO, W, "b1-a1", (0,), id="the link must go"),
        pytest.param(TEMPO + " i5:B", B, "i5-j5 b1-a1", (1,), id="a move later"),
        pytest.param("a1:R b1:W c1:W d1:BBBW j5:B k5:R", W, "b1-a1", (0,), id="from two stacks"),
        pytest.param("e1:R d1:W c1:BBBW j5:B k5:R", W, "d1-e1", (0,), id="from the other side"),
        pytest.param("a3:R b3:W c3:BBW j5:B k5:R", W, "b3-a3", (0,), id="in the middle row"),
        pytest.param(
            "a1:R b1:W c1:BBBBW j5:B k5:R", W, "b1-c1", (0,), id="along with what it held"
        ),
    ],
)
def test_tempo(seen: Seen, stacks: str, turn: Color, moves: str, places: tuple[int, ...]) -> None:
    position, player = seen(stacks, turn)
    assert out_of_tempo(position, line(moves), player) == places


@pytest.mark.parametrize(
    ("stacks", "turn", "moves"),
    [
        pytest.param(TEMPO + " a2:W", W, "a2-a1", id="a harmless move elsewhere"),
        pytest.param(TEMPO, B, "j5-k5", id="it is the other's turn"),
        pytest.param(TEMPO, W, "", id="nothing is played"),
        pytest.param("a1:R b1:B c1:WWB j5:W k5:R", B, "b1-a1", id="it is the other who must"),
        pytest.param("a1:R b1:W c1:W b2:R j5:B k5:R", W, "b1-a1", id="what it holds is held twice"),
        pytest.param("a1:R b1:W c1:BBB j5:B k5:R", W, "b1-a1", id="what it holds is the other's"),
        pytest.param("a1:R b1:W c1:W d1:B", W, "b1-a1", id="staying would cost as much"),
    ],
)
def test_no_tempo(seen: Seen, stacks: str, turn: Color, moves: str) -> None:
    position, player = seen(stacks, turn)
    assert out_of_tempo(position, line(moves), player) == ()


@pytest.mark.parametrize(
    ("stacks", "turn", "moves", "points"),
    [
        pytest.param("a1:W b1:WW c1:R d1:B", W, "a1-b1", ("b1",), id="by the player"),
        pytest.param("a1:W b1:BB c1:R d1:B", W, "a1-b1", ("b1",), id="by taking"),
        pytest.param("a1:W b1:RB c1:R d1:B", W, "a1-b1", ("b1",), id="with a red piece inside"),
        pytest.param("a1:R b1:B c1:W", W, "c1-b1", ("b1",), id="two find nothing"),
        pytest.param("a1:W a2:W a3:B b1:B b2:R", B, "b1-a1 a2-a1", ("a1",), id="after the retake"),
        pytest.param("a1:WW c1:B b1:R", W, "a1-c1", ("c1",), id="at a distance"),
    ],
)
def test_overloaded(
    seen: Seen, stacks: str, turn: Color, moves: str, points: tuple[str, ...]
) -> None:
    position, player = seen(stacks, turn)
    assert overloaded(position, line(moves), player) == points


@pytest.mark.parametrize(
    ("stacks", "turn", "moves"),
    [
        pytest.param("a1:W b1:WW c1:R d1:B e1:B", W, "a1-b1", id="a stack three spaces away"),
        pytest.param("a1:W b1:WWWW c1:R d1:B", W, "a1-b1", id="it was too high before"),
        pytest.param("a1:B b1:WW c1:R d1:B", B, "a1-b1", id="it is the other's now"),
        pytest.param("a1:WWWW b1:R c1:B d1:B", B, "d1-c1", id="nothing landed on it"),
        pytest.param("a1:W b1:WW c1:R d1:B", W, "", id="before it happens"),
        pytest.param("a1:R b1:W c1:B d1:W", W, "d1-c1", id="a stack at two, surrounded or not"),
    ],
)
def test_not_overloaded(seen: Seen, stacks: str, turn: Color, moves: str) -> None:
    position, player = seen(stacks, turn)
    assert overloaded(position, line(moves), player) == ()


def test_a_stack_is_too_high_by_what_it_could_land_on() -> None:
    position = board("a1:R b1:W c1:BBBB e1:R f1:WWWWW", W)
    assert [point for point in position.stacks if is_too_high(position, point)] == ["c1"]


FULL = RING.format("B", "R", "B", "R", "B", "B")


@pytest.mark.parametrize(
    ("stacks", "turn", "moves"),
    [
        pytest.param(FULL + "d3:B f5:WW a3:R b3:B", W, "f5-d3", id="three from a3"),
        pytest.param(FULL + "d3:W f5:WW a3:R b3:B", W, "f5-d3", id="onto their own"),
        pytest.param(FULL + "d3:B f3:WW g3:R", W, "f3-d3", id="three from g3"),
        pytest.param(FULL + "d3:R b1:WW g3:B f3:B", W, "b1-d3", id="onto a red piece"),
        pytest.param(FULL + "d3:B f5:WW a3:B b3:B k5:B k4:R", B, "k5-k4 f5-d3", id="a move later"),
        pytest.param(
            FULL + "d3:B f5:WW a3:B b3:B k5:B k4:B j4:R", W, "f5-d3 k5-k4", id="and it stays so"
        ),
    ],
)
def test_surrounded(seen: Seen, stacks: str, turn: Color, moves: str) -> None:
    position, player = seen(stacks, turn)
    assert surrounded(position, line(moves), player) == ("d3",)


@pytest.mark.parametrize(
    ("stacks", "turn", "moves"),
    [
        pytest.param(
            FULL.replace("e3:B", "e3:W") + "d3:B", W, "e3-d3", id="it left one of the six"
        ),
        pytest.param(FULL + "d3:B f5:WW", W, "f5-d3", id="it has nowhere to go anyway"),
        pytest.param(FULL + "d3:W f5:BB a3:R b3:B", B, "f5-d3", id="it is the other's"),
        pytest.param(FULL + "d3:W a3:R b3:B", B, "c2-d2", id="it did not land there"),
        pytest.param(FULL + "d3:B f5:WW a3:R b3:B", W, "f5-d3 c2-d2", id="one of the six has gone"),
        pytest.param("a1:R a2:B b2:B b1:B c1:WW", W, "c1-a1", id="the edge has no six"),
    ],
)
def test_not_surrounded(seen: Seen, stacks: str, turn: Color, moves: str) -> None:
    position, player = seen(stacks, turn)
    assert surrounded(position, line(moves), player) == ()


@pytest.mark.parametrize(
    ("stacks", "turn", "moves", "number"),
    [
        pytest.param("a1:R b1:W c1:B", W, "", 2, id="to either side"),
        pytest.param("a1:R b1:W c1:B", B, "", 2, id="also while it is the other's turn"),
        pytest.param("a1:R b1:W c1:W d1:B", B, "d1-c1", 2, id="after one was taken"),
        pytest.param("a1:R b1:WW c1:B d1:B", W, "", 1, id="of two only as far as it must go"),
        pytest.param("a1:R b1:W c1:B d1:RW", W, "", 3, id="of all stacks"),
        pytest.param("a1:R b1:WWW c1:B", B, "", 0, id="none that is too high"),
        pytest.param("a1:R b1:W c1:B", B, "c1-b1", 0, id="none where all are taken"),
        pytest.param("a1:RB b1:B c1:R", B, "", 0, id="none of the other's"),
        pytest.param(
            RING.format("B", "B", "R", "B", "B", "B") + "d3:W", B, "", 0, id="none amid six"
        ),
        pytest.param("a1:R b1:W c1:B", W, "b1-c1", 0, id="none when the game is over"),
    ],
)
def test_moves_left(seen: Seen, stacks: str, turn: Color, moves: str, number: int) -> None:
    position, player = seen(stacks, turn)
    assert moves_left(position, line(moves), player) == number


def test_reasons_are_what_only_the_worse_line_does() -> None:
    position = board("a1:R b1:B c1:BBW d1:W e1:R j5:W k5:R", W)
    held, lost = line("j5-k5 b1-a1"), line("d1-e1 b1-a1")
    assert reasons(position, lost[0], lost[1:], held) == (Motif.CUT_OFF,)
    assert Motif.CUT_OFF not in reasons(position, held[0], held[1:], lost)
    assert reasons(position, lost[0], lost[1:], lost) == ()
    assert reasons(position, lost[0], lost[1:], ()) == ()


@pytest.mark.parametrize(
    ("stacks", "played", "best", "motifs"),
    [
        pytest.param(
            "a1:R b1:B c1:BBW d1:W e1:R j5:W k5:R",
            "d1-e1 b1-a1",
            "j5-k5 b1-a1",
            (Motif.CUT_OFF,),
            id="three pieces cut off",
        ),
        pytest.param(
            "a1:R b1:B c1:BW d1:W e1:R j5:W k5:R", "d1-e1 b1-a1", "j5-k5 b1-a1", (), id="only two"
        ),
        pytest.param(
            "a1:R b1:B c1:BBW d1:W e1:R j5:W k5:R", "d1-e1 b1-a1", "", (), id="nothing better"
        ),
        pytest.param(
            "a1:R b1:B c1:BBW d1:W e1:R j5:W k5:R",
            "d1-e1 b1-a1",
            "d1-e1 b1-a1",
            (),
            id="the better line does the same",
        ),
        pytest.param(
            "a1:BBW b1:RB b2:W d1:R e1:W f1:B",
            "e1-f1 b1-d1",
            "b2-b1 f1-e1",
            (Motif.RED_CARRIED_OFF, Motif.CUT_OFF),
            id="a red piece carried off",
        ),
        pytest.param(
            "a1:BBW b1:RB b2:W d1:R e1:W f1:B",
            "e1-f1 b1-d1",
            "e1-d1",
            (),
            id="no farther than the shorter line",
        ),
        pytest.param(
            "a1:WW a2:RB b4:RB c4:RB d4:BW c5:W",
            "c5-c4 b4-d4",
            "c5-b4 c4-a2",
            (Motif.IMMOBILISED,),
            id="no move left",
        ),
        pytest.param(
            "c1:WW d2:BBBW h2:BRWWW d3:RBB h3:RBBW i4:BB",
            "h3-d3 d2-h2",
            "d2-h2 h3-d3",
            (Motif.TEMPO,),
            id="the same moves in the wrong order",
        ),
        pytest.param(
            "e2:RW h2:R e3:WB i3:W f4:W g4:WW h4:B i4:B j4:B f5:W h5:BW i5:B k5:B",
            "f4-e3 k5-j4 e2-g4",
            "h5-f5 i4-i5 f4-e3",
            (),
            id="grown too high, and hardly fewer moves",
        ),
        pytest.param(
            "d1:WB e1:B d2:WWBBWW j2:BBW c3:W d3:B e3:BW j3:RW b4:W c4:WB d4:R e4:B f4:W d5:WWB"
            " e5:W",
            "d2-j2 d3-c3 e5-e4 c4-e4 e3-c3",
            "b4-c4 d5-d2 f4-e4 e1-d1 c3-d3",
            (Motif.OVERLOADED,),
            id="grown too high",
        ),
        pytest.param(
            "h1:BW h2:BW i2:W j2:WWWB h3:B i3:W j3:B k3:R i4:WB j4:B",
            "h2-j4 h3-i3 i2-j2",
            "h1-h3 i4-i2 i3-j3",
            (Motif.OVERLOADED,),
            id="grown too high in a game, 1",
        ),
        pytest.param(
            "a1:W b1:R g1:W a2:B c2:BW d2:W g2:WBBWWB h2:BW a3:B c3:B d3:WB h3:R i3:W b4:W c4:W"
            " j4:B k4:W c5:B",
            "d2-d3 j4-i3 g1-g2 c3-c2",
            "k4-j4 a2-a1 d2-d3 c5-b4",
            (Motif.OVERLOADED,),
            id="grown too high in a game, 2",
        ),
        pytest.param(
            "f1:W g1:W i1:W f2:B h2:W i2:B a3:B b3:WBBBW c3:R d3:W g3:W i3:B k3:R d4:B e4:B f4:B"
            " g4:B j4:BW k4:W",
            "d3-c3 i2-h2 c3-a3",
            "i1-i2 d4-d3 f1-f2",
            (Motif.OVERLOADED,),
            id="grown too high in a game, 3",
        ),
        pytest.param(
            "b1:W c1:W f1:R h1:WB b2:B c2:W d2:W f2:WB i2:B j2:BBBW c3:B d3:W h3:W i3:B j3:W k3:R"
            " e4:BW i4:BW e5:R j5:W",
            "j2-f2 h1-h3 i4-i2",
            "h3-i3 i2-j2 b1-b2",
            (Motif.OVERLOADED,),
            id="grown too high in a game, 4",
        ),
        pytest.param(
            "a1:B g1:BWBBW i1:B b2:BW h2:RWB i2:R a3:B b3:BBW c3:W h3:W i3:WWB b4:R d4:BWWBWWB"
            " j4:BW k5:W",
            "j4-h2 a1-b2 h3-i3 i1-i2 c3-b3",
            "k5-j4 a1-b2 h3-i3 a3-b3 j4-g1",
            (),
            id="grown too high, and one stack freer only, in a fuller position",
        ),
        pytest.param(
            "g1:B h1:B h2:W d3:B e3:B f3:B g3:WB h3:W d4:BBW e4:W f4:W g4:W e5:W f5:W g5:RWWB",
            "g4-g5 e3-f4",
            "g4-f3 g5-g1",
            (),
            id="grown too high, and one move fewer",
        ),
        pytest.param(
            "a1:R b1:BW b3:W b4:RW c4:BRBW d4:WBB",
            "b1-b3 d4-a1",
            "b3-b4 d4-a1",
            (),
            id="grown too high, and only one stack freer",
        ),
        pytest.param(
            "a1:R b1:B c1:BBW d1:W e1:R j5:W k5:R",
            "j5-k5",
            "d1-c1",
            (),
            id="grown too high, at no cost in freedom",
        ),
    ],
)
def test_reasons(stacks: str, played: str, best: str, motifs: tuple[Motif, ...]) -> None:
    move, *answer = line(played)
    assert reasons(board(stacks, W), move, answer, line(best)) == motifs


def test_a_line_must_be_legal() -> None:
    position = board("a1:R b1:B c1:W", B)
    with pytest.raises(IllegalMoveError):
        positions(position, line("c1-b1"))
