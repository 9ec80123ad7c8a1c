"""What the better play would have done to the other player: real boards, bared to what counts."""

from collections.abc import Callable

import pytest

from dvonn import Color, Motif, Position, parse_moves
from dvonn.motifs import missed
from dvonn.move import Move

W, B = Color.WHITE, Color.BLACK
Lines = tuple[Position, tuple[Move, ...], tuple[Move, ...]]

CASES = pytest.mark.parametrize(
    ("stacks", "turn", "played", "best", "motifs"),
    [
        pytest.param(
            "a2:RBB e2:W b3:B c3:BBBWW f3:B g3:W h3:B g4:WW i4:W h5:B i5:R j5:B",
            B,
            "j5-i5 c3-h3",
            "h5-i5 g4-e2",
            (Motif.OVERLOADED,),
        ),
        pytest.param(
            "c1:W c2:B e2:RW i2:B a3:BBRW b3:B c3:W e3:BB i3:W k3:R c4:B d4:W j4:W k4:B",
            B,
            "i2-i3 j4-i3 k4-k3",
            "e3-c1 e2-c2 c4-d4",
            (),
            id="freer by one stack only, overloaded",
        ),
        pytest.param(
            "f3:B g3:BWB h3:W i3:WW j3:W f4:W g4:W k4:B f5:WB h5:R k5:BW",
            W,
            "k5-i3 g3-j3",
            "i3-g3 f5-f3",
            (Motif.OVERLOADED,),
        ),
        pytest.param(
            "c1:B d1:W e2:WBBRW f2:W h2:BB i2:RB j2:W g3:B d4:W e4:R f4:W h4:B c5:BB d5:W e5:W",
            B,
            "h4-g3 d5-d4 h2-f2",
            "c1-d1 e2-j2 c5-e5",
            (),
            id="hardly fewer moves, overloaded",
        ),
        pytest.param(
            "e2:B d3:W e3:RWWW g4:WW h4:WB i4:B j4:RWB g5:BRBW i5:B j5:BBB",
            W,
            "g4-i4 j5-g5 d3-e3",
            "d3-e3 i4-h4 g4-e2",
            (),
            id="freer by one stack only, another board",
        ),
        pytest.param(
            "b3:R i3:W c4:W d4:B e4:B f4:B g4:B h4:W i4:B j4:W g5:B h5:B i5:W k5:W",
            W,
            "j4-k5 i4-i3",
            "j4-i4 h5-g4",
            (Motif.MOBILITY,),
        ),
        pytest.param(
            "e1:R f1:B g1:B f2:W h2:WB g3:W c4:WW d4:W e4:B f4:W h4:B d5:W e5:B g5:B h5:W",
            B,
            "f1-g1 c4-e4",
            "h2-f2 d5-d4",
            (),
            id="many moves fewer, but only at the end",
        ),
        pytest.param(
            "g2:B e3:W g3:B h3:W i3:B j3:W k3:W f4:W g4:R h4:W i4:W j4:B h5:B i5:B j5:R",
            B,
            "g2-g3 h3-i4",
            "g2-h3 k3-j3",
            (Motif.MOBILITY,),
        ),
        pytest.param(
            "c1:W a2:W b2:R c2:B d2:BWB f2:R a3:B c3:W d3:B f3:B d4:WBW g4:B g5:W",
            W,
            "c1-d2 a3-a2 d4-g4",
            "g5-g4 d3-c2 a2-b2",
            (Motif.MOBILITY,),
        ),
        pytest.param(
            "g1:B h1:W f2:R g2:BB h2:B f3:W g3:R i3:WBW f4:WWWB g4:W i4:RBW j5:WBB",
            B,
            "h2-i3 h1-g1 j5-g2",
            "g1-h2 f3-f4 g2-i4",
            (),
            id="the same, another board",
        ),
        pytest.param(
            "a2:RW c2:W i2:W j2:R b3:W c3:W d3:B j3:W k3:W d4:B e4:B j4:W k4:B",
            W,
            "c2-d3 d4-e4 j3-i2",
            "c3-d3 k4-j4 j3-i2",
            (Motif.IMMOBILISED,),
        ),
        pytest.param(
            "a2:B c2:BW b3:BW c3:BBBBWW h3:R i3:B b4:RB d4:B j4:B c5:B",
            B,
            "i3-j4 c2-a2 b4-d4",
            "i3-h3 c2-a2 c5-b4",
            (Motif.IMMOBILISED,),
        ),
        pytest.param(
            "a2:B e2:BW f2:B g2:WBW h2:R i2:W b3:B f3:W g3:W b4:RW j5:R",
            W,
            "f3-e2 a2-b3 e2-h2",
            "f3-g3 a2-b3 g2-j5",
            (Motif.IMMOBILISED,),
        ),
        pytest.param(
            "g2:W g3:RBWWWW h3:B d4:R g4:BW i4:B c5:W d5:WWB g5:RBWBB j5:W",
            W,
            "g2-g3 h3-g3 c5-d5",
            "g4-i4 d5-g5 g2-h3",
            (Motif.IMMOBILISED,),
        ),
        pytest.param(
            "d1:W e1:RBBBW h2:RWB f3:WB g3:RWBWB f4:W h4:WB f5:B",
            B,
            "h4-h2 d1-e1 f3-f5",
            "f3-d1 h4-h2",
            (Motif.IMMOBILISED,),
        ),
        pytest.param(
            "e2:W g2:B h2:W i2:BW j2:RB f3:R b4:RBBB c4:B g4:WB h4:B i4:BBW d5:B e5:BBW",
            B,
            "j2-h2 i2-i4 g4-i4",
            "g4-g2 e5-e2 j2-h2",
            (Motif.CUT_OFF,),
        ),
        pytest.param(
            "d2:W f2:W g2:B h2:B i2:R c3:R d3:W g3:W e4:B h4:W",
            W,
            "g3-h4 g2-h2 d3-e4",
            "g3-f2 h2-g2 d3-d2",
            (Motif.CUT_OFF,),
        ),
        pytest.param(
            "a2:BW e2:B g2:BB b3:B d3:B e3:W f3:B g3:W h3:W i3:W c4:B d4:B h4:R",
            W,
            "h3-i3 g2-e2",
            "h3-h4 b3-a2",
            (Motif.CUT_OFF,),
        ),
        pytest.param(
            "i2:R j2:W d3:B e3:BW f3:W d4:B g4:B i4:RB d5:WBWBB g5:B h5:W i5:WWB",
            W,
            "j2-i2 d5-i5",
            "e3-g5 i5-i2",
            (Motif.CUT_OFF,),
        ),
        pytest.param(
            "g1:B c2:WB d2:W e2:W g2:W c3:B e3:W f3:B h3:W b4:W c4:RW i4:W j5:W k5:R",
            W,
            "g2-g1 f3-e3",
            "b4-c4 c2-e2",
            (Motif.CUT_OFF,),
        ),
        pytest.param(
            "f2:WBB g2:R i2:W h3:B i3:B i4:BW k4:RB k5:BWB",
            W,
            "i4-g2 k4-i2 f2-i2",
            "i4-i2 f2-i2 k4-i2",
            (Motif.TEMPO,),
        ),
        pytest.param(
            "h1:WB i2:B i3:W j3:W h4:W i4:W k4:R h5:WB j5:RWW",
            B,
            "h5-j5 i4-i3 h1-j3",
            "i2-h1 i4-i3 j3-i3",
            (Motif.TEMPO,),
        ),
        pytest.param(
            "d1:B c2:W d2:W e2:W i2:B j2:R f3:BBB g3:RW i3:B j4:BW j5:BBW",
            B,
            "d1-e2 d2-c2",
            "f3-i3 j5-j2",
            (Motif.TEMPO,),
        ),
        pytest.param(
            "e1:BW f1:W f2:R f3:BW i3:B g4:WBWB h4:B i4:R j4:W k4:W i5:W",
            W,
            "f1-e1 i3-j4 e1-h4 g4-k4",
            "i5-h4 i3-j4 f1-e1 j4-h4",
            (Motif.TEMPO,),
        ),
        pytest.param(
            "i1:BB j2:BB g3:RBBBWW k3:R g4:WBB i4:W j4:W k4:B",
            B,
            "g4-j4 i4-j4",
            "j2-j4 i4-j4",
            (Motif.TEMPO,),
        ),
        pytest.param(
            "g1:B h1:W f2:W g2:W h2:WW e3:BBB f3:W e4:W f4:B g4:B h4:R i4:B g5:W h5:B",
            W,
            "g2-f2 f4-e3 e4-e3 h5-h4",
            "h2-h4 f4-e3 h4-h1 g4-g5",
            (
                Motif.RED_CARRIED_OFF,
                Motif.CUT_OFF,
            ),
        ),
        pytest.param(
            "a1:R h1:RWW a2:B b2:B g2:RWWBB c3:WBB h3:WW c4:BW g4:BBW h4:B d5:B e5:BWWB",
            B,
            "b2-a2 h1-h4",
            "e5-a1 c4-a2 g2-b2",
            (
                Motif.RED_CARRIED_OFF,
                Motif.CUT_OFF,
            ),
        ),
        pytest.param(
            "e1:RB g1:W b2:WB g2:W c3:W h3:W d4:B e4:W f4:B i4:RWW j4:B g5:B h5:RB",
            W,
            "g2-g1 b2-d4 c3-d4",
            "e4-f4 e1-g1 i4-f4",
            (
                Motif.RED_CARRIED_OFF,
                Motif.CUT_OFF,
            ),
        ),
        pytest.param(
            "a2:BW a3:W b3:RB d3:B k3:R c4:W d4:W h4:WWW j4:W k4:W c5:BW e5:B f5:BBBB h5:RWB j5:B",
            B,
            "f5-j5 h4-k4",
            "b3-d3 c5-e5",
            (
                Motif.RED_CARRIED_OFF,
                Motif.CUT_OFF,
            ),
        ),
        pytest.param(
            "e1:B f1:W i1:B e2:W f2:BB j2:RW f3:RBBWB j3:B k3:W f4:W h4:W i4:BWW j4:B g5:BW h5:WWW",
            B,
            "f2-f4 i4-f1 i1-j2",
            "e1-e2 h4-i4 f3-k3",
            (
                Motif.RED_CARRIED_OFF,
                Motif.CUT_OFF,
            ),
        ),
        pytest.param(
            "g1:B g2:B g3:W h3:B j3:B d4:B e4:BBW g4:W h4:W i4:B j4:W k4:B d5:R h5:R i5:W",
            B,
            "g1-g2 j4-i4",
            "j3-k4 e4-h4",
            (),
            id="hardly fewer moves, surrounded",
        ),
        pytest.param(
            "d1:B e1:W f1:B d2:B e2:B f2:B b3:W c3:W e3:W f3:R d4:W e4:WB e5:R",
            W,
            "b3-c3 f1-e1",
            "d4-e5 e4-e2",
            (),
            id="freer by one stack only, surrounded",
        ),
        pytest.param(
            "i1:W h2:BB i2:W j2:W e3:B f3:B h3:R e4:B f4:B g4:R h4:WB i4:W j4:W f5:B g5:W",
            W,
            "j2-i1 h2-j4",
            "i1-j2 h4-f4",
            (),
            id="the same, surrounded",
        ),
        pytest.param(
            "b1:B c1:R e1:RB f1:B b2:B e2:B f2:W g2:W i2:BWW f3:W g3:B h3:B i3:W g4:W h5:B",
            B,
            "e1-g3 i2-f2",
            "h5-g4 i2-f2",
            (Motif.SURROUNDED,),
        ),
        pytest.param(
            "b3:W d3:R e3:B b4:B c4:W d4:B e4:B f4:W g4:WB c5:B e5:W f5:R",
            W,
            "e5-d4 c5-c4",
            "b3-b4 g4-e4",
            (Motif.SURROUNDED,),
        ),
        pytest.param(
            "g1:W h1:W i1:W a2:R f2:BWWB g2:WWB h2:WB i2:BBW j2:R g3:W k3:B",
            W,
            "i1-j2 k3-j2",
            "g3-f2 h2-f2",
            (Motif.OVERLOADED,),
        ),
        pytest.param(
            "c1:B d2:B f2:W g2:W d3:W f3:B d4:WB f4:BBW e5:B f5:R g5:BW h5:B",
            W,
            "f4-c1 h5-g5",
            "g5-e5 d4-f4",
            (Motif.OVERLOADED,),
        ),
        pytest.param(
            "g1:B h1:B g2:B e3:B f3:B g3:WB f4:W g4:W h4:BW g5:RWWB",
            W,
            "g4-g5 e3-f4",
            "g4-f3 g5-g1",
            (Motif.OVERLOADED,),
        ),
        pytest.param(
            "h1:BW i1:R e2:WB h2:WWB c3:BW d3:B e3:W f3:WB g3:BW i3:W d4:W e4:B"
            " f4:R e5:W f5:W g5:R",
            W,
            "c3-e3 d3-e3 g3-g5 e4-f5 i3-h2",
            "e5-e4 d3-e3 c3-e3 e2-e4 g3-g5",
            (),
            id="one move fewer, overloaded",
        ),
        pytest.param(
            "a2:W e2:R f2:B a3:B f3:W g3:B b4:RWBBW h4:B c5:W",
            B,
            "a3-a2 f3-f2",
            "a3-b4 c5-b4",
            (),
            id="one move more, overloaded",
        ),
        pytest.param(
            "i1:R i2:B a3:WB b3:BW d3:WBW g3:B i3:BW j3:WWB c4:B d4:BBW h4:W i4:WBWB c5:R",
            B,
            "j3-g3 h4-g3",
            "g3-h4 d3-a3",
            (),
            id="two moves fewer, overloaded",
        ),
        pytest.param(
            "e1:B f1:BW h1:B e2:B f2:WWB i2:BWB c3:B d3:W e3:B f3:B g3:W h3:B"
            " j3:BW k3:R f4:R g4:BW",
            B,
            "e1-e2 j3-h3",
            "h1-i2 f1-f3",
            (Motif.SURROUNDED,),
        ),
        pytest.param(
            "d1:B e1:BBB d2:B e2:WBW f2:BW g2:BW j2:B e3:R f3:WWBWW h3:W k3:R f4:B h4:WB i4:RW",
            B,
            "e1-h4 f2-f4",
            "f4-e3 g2-e2",
            (Motif.SURROUNDED,),
        ),
        pytest.param(
            "b1:WB d1:W a2:R b2:B c2:W d2:B e2:B a3:B b3:B c3:R e3:B f3:B b4:B c4:BW f4:B g4:B",
            W,
            "c4-c2 f4-g4",
            "d1-e2 b1-b3",
            (Motif.SURROUNDED,),
        ),
        pytest.param(
            "c1:W e1:R b2:BWB c2:B e2:B b3:W c3:W d3:W e3:B f3:B c4:B d4:B e4:W e5:WB",
            W,
            "e4-e5 c2-c3 e5-e2",
            "c1-c2 e5-c3 e4-d4",
            (),
            id="one move fewer, surrounded",
        ),
        pytest.param(
            "c1:WBW d1:B e2:B b3:W c3:B f3:B g3:B b4:W c4:B d4:B e4:WBW g4:B c5:R"
            " d5:BBW e5:B g5:BWRB",
            B,
            "g3-g4 d5-g5",
            "e5-e4 c1-c4",
            (),
            id="no stack less, surrounded",
        ),
        pytest.param(
            "i1:W h2:R i2:B f3:B g3:B h3:B e4:W f4:B g4:B h4:B i4:B e5:B f5:B g5:W h5:B i5:B",
            W,
            "g5-h5 i5-h5",
            "i1-i2 f5-e4",
            (Motif.MOBILITY,),
        ),
        pytest.param(
            "c1:W e1:R b2:BWB c2:B d2:BW e2:B c3:W d3:W e3:B f3:B c4:B e4:W f4:B d5:W e5:WB",
            W,
            "e4-e5 c2-c3",
            "c1-c2 e5-c3",
            (Motif.MOBILITY,),
        ),
        pytest.param(
            "e1:RW g1:B e2:B f2:B g2:W h2:W e3:BW f3:B g3:B h3:W i3:B f4:B h4:B i4:W",
            B,
            "f4-e3 g2-g3",
            "f2-g2 e1-g1",
            (Motif.MOBILITY,),
        ),
        pytest.param(
            "a1:B b1:W b2:B c2:B d2:BW b3:B c3:W d3:B e3:WWB c4:W d4:R e4:B",
            W,
            "b1-b2 c2-c3",
            "b1-c2 b2-c3",
            (),
            id="five fewer lately, but for one",
        ),
        pytest.param(
            "d1:W e1:W c2:B d2:BW e2:B f2:B c3:WBW d3:B e3:WWB f3:WB g3:W d4:R e4:B f4:B e5:W f5:W",
            W,
            "f5-e4 f3-d1 e4-c2",
            "g3-f3 f4-f5 e5-e4",
            (),
            id="seven fewer at the end of three moves",
        ),
        pytest.param(
            "c3:BW d3:B e3:W f3:WB g3:BW d4:W e4:B f4:R g4:B h4:B e5:W g5:R h5:B",
            W,
            "c3-e3 d3-e3 g3-g5",
            "e5-e4 d3-e3 c3-e3",
            (),
            id="eight fewer at the end of three moves",
        ),
    ],
)


@pytest.fixture(params=[False, True], ids=["as it was", "in the other colours"])
def told(request: pytest.FixtureRequest) -> Callable[[str, Color, str, str], Lines]:
    """The board before a move, the line that was played, and the better one."""

    def read(stacks: str, turn: Color, played: str, best: str) -> Lines:
        mover = turn
        if request.param:
            stacks, mover = stacks.translate(str.maketrans("WB", "BW")), turn.opponent
        board: dict[str, str] = dict(one.split(":") for one in stacks.split())
        position = Position.from_stacks(board, turn=mover)
        return position, tuple(parse_moves(played)), tuple(parse_moves(best))

    return read


@CASES
def test_missed(
    told: Callable[[str, Color, str, str], Lines],
    stacks: str,
    turn: Color,
    played: str,
    best: str,
    motifs: tuple[Motif, ...],
) -> None:
    position, bad, good = told(stacks, turn, played, best)
    assert missed(position, bad[0], bad[1:], good) == motifs


@CASES
def test_nothing_is_missed_where_that_was_played_or_nothing_is_better(
    told: Callable[[str, Color, str, str], Lines],
    stacks: str,
    turn: Color,
    played: str,
    best: str,
    motifs: tuple[Motif, ...],
) -> None:
    position, bad, good = told(stacks, turn, played, best)
    assert not set(missed(position, good[0], good[1:], bad)) & set(motifs)
    assert missed(position, good[0], good[1:], good) == ()
    assert missed(position, bad[0], bad[1:], ()) == ()
