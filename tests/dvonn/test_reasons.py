"""Tests for the reasons why a move is worse than another."""

import pytest

from dvonn import (
    Color,
    Estimate,
    IllegalMoveError,
    Motif,
    Move,
    PlyReview,
    Position,
    parse_move,
    parse_moves,
    parse_point,
)
from dvonn.reviews import reasons as module
from dvonn.reviews.at_once import Advantage
from dvonn.reviews.losses import _weight
from dvonn.reviews.reasons import costs, first_of_each_kind, landings, reasons
from dvonn.reviews.review import ProvenReason
from tests.dvonn.claims import check
from tests.dvonn.vectors import DATA

CASES = [
    line.split(" | ")
    for line in (DATA / "reasons.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def reason_text(why: ProvenReason) -> str:
    """Return a reason in the form that the cases use."""
    counted = " ".join(map(str, why.others)) if any(why.others) else ""
    points = ",".join(why.points) or "-"
    last = f"{why.line[-1]} {len(why.line)}"
    text = f"{why.motif.name} {why.sufferer.value} {last} {why.point or '-'} {why.count} {points}"
    return f"{text} {counted}".strip()


def read_case(case: list[str]) -> tuple[Position, tuple[Move, ...], tuple[Move, ...]]:
    stacks: dict[str, str] = dict(text.split(":") for text in case[0].split())
    position = Position.from_stacks(stacks, turn=Color(case[1]))
    bad, good = (tuple(parse_moves(line)) if line != "-" else () for line in case[2:4])
    return position, bad, good


@pytest.mark.parametrize("swapped", [False, True], ids=["as it was", "in the other colors"])
@pytest.mark.parametrize("case", CASES, ids=[case[-1] for case in CASES])
def test_the_dearest_reason(case: list[str], *, swapped: bool) -> None:
    expected = case[4]
    if swapped:
        colours = str.maketrans("WB", "BW")
        case = [text.translate(colours) for text in case[:2]] + case[2:]
        motif, *rest = expected.split(" ", 2)
        expected = " ".join([motif, *(text.translate(colours) for text in rest)])
    position, bad, good = read_case(case)
    found = reasons(position, bad[0], bad[1:], good)
    assert ([reason_text(entry) for entry in found] or ["-"])[0] == expected
    for item in found:
        check(position, bad, good, item)


AT_ONCE = {
    Motif.DOUBLE_THREAT,
    Motif.FREED,
    Motif.MOBILITY,
    Motif.MOVERS,
    Motif.NEAR_RED,
    Motif.SAFE_TAKE,
    Motif.SPOT,
    Motif.TOOK_NONE,
}
"""The motifs that need no lines: see test_at_once.py."""


def test_the_cases_have_each_motif() -> None:
    names = {motif.name for motif in Motif if motif not in AT_ONCE}
    assert {case[4].split()[0] for case in CASES} == {"-", *names}


def test_nothing_is_worse_than_itself() -> None:
    for case in CASES:
        position, bad, _ = read_case(case)
        assert reasons(position, bad[0], bad[1:], bad) == ()


def test_costs_are_only_the_players_own() -> None:
    told_of = set()
    for case in CASES:
        position, bad, good = read_case(case)
        assert costs(position, bad[0], bad[1:], ()) == ()
        for why in costs(position, bad[0], bad[1:], good):
            assert why.sufferer is position.turn
            check(position, bad, good, why)
            told_of.add(why.motif)
    assert {Motif.RETAKEN, Motif.TAKEN, Motif.CUT_OFF, Motif.LAST_LINK, Motif.LAST_MOVER} <= told_of


def test_lines_must_be_legal() -> None:
    position, bad, good = read_case(CASES[0])
    with pytest.raises(IllegalMoveError):
        reasons(position, bad[0], (bad[0],), good)


@pytest.mark.parametrize(
    ("count", "plies", "weight"),
    [
        *((1, plies, 1.0) for plies in range(1, 8)),  # another check handles single pieces
        *((3, plies, 1.6) for plies in (1, 2)),
        *((2, plies, 1.0) for plies in (3, 4)),
        *((2, 5, 0.5), (3, 5, 1.0)),
        *((5, 6, 0.5), (6, 6, 1.0)),
    ],
)
def test_a_few_pieces_weigh_less_the_later_they_go(count: int, plies: int, weight: float) -> None:
    line = tuple(parse_moves(" ".join(["a1-b1"] * plies)))
    lost = ProvenReason(motif=Motif.TAKEN, sufferer=Color.WHITE, line=line, count=count)
    assert _weight(lost) == weight


@pytest.mark.parametrize(
    ("chances", "ends", "is_told"),
    [
        ((0.9, 0.2), (2, 20, 23, 11), True),
        ((0.91, 0.79), (0, 26, 25, 2), False),  # rated ahead, but far behind at the end
        ((0.4, 0.2), (2, 20, 23, 11), False),  # rated behind, but far ahead at the end
        ((0.6, 0.3), (10, 12, 12, 12), True),  # a draw contradicts neither
    ],
)
def test_ends_that_contradict_the_chances_are_not_a_reason(
    monkeypatch: pytest.MonkeyPatch,
    chances: tuple[float, float],
    ends: tuple[int, int, int, int],
    *,
    is_told: bool,
) -> None:
    own, *others = ends
    move = parse_move("a1-b1")
    pieces = ProvenReason(
        motif=Motif.PIECES,
        sufferer=Color.WHITE,
        line=(move,),
        count=own,
        better=move,
        others=(others[0], others[1], others[2]),
    )
    cut = pieces.replace(motif=Motif.CUT_OFF, sufferer=Color.BLACK)
    monkeypatch.setattr(module, "reasons", lambda *_: (pieces, cut))
    monkeypatch.setattr(module, "advantages", lambda *_: ())
    before, after = (
        Estimate(win_probability=chance, margin=(0, 0), exact=False) for chance in chances
    )
    review = PlyReview(
        ply=50,
        color=Color.WHITE,
        played=move,
        before=before,
        after=after,
        best=(move,),
        motifs=(Motif.PIECES,),
        missed=(Motif.CUT_OFF,),
    )
    found = module.reasons_of(Position.initial(), review)
    assert found == ((pieces, cut) if is_told else (cut,))


def test_only_confirmed_reasons_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    line = tuple(parse_moves("a1-b1 c1-b1"))
    reply = ProvenReason(motif=Motif.RETAKEN, sufferer=Color.WHITE, line=line, count=2)
    gain = reply.replace(motif=Motif.TAKEN, sufferer=Color.BLACK, line=line[1:])
    spot = reply.replace(motif=Motif.SPOT, line=line[:1])
    assert reply.blames_reply_to(line[0])
    assert not reply.blames_reply_to(line[1]), "a reply in the better play"
    assert not gain.blames_reply_to(line[1])
    even = Estimate(win_probability=0.5, margin=(0, 0), exact=False)
    review = PlyReview(
        ply=50, color=Color.WHITE, played=line[0], before=even, after=even, best=line[1:]
    )
    monkeypatch.setattr(module, "reasons", lambda *_: (reply, gain))
    monkeypatch.setattr(
        module, "advantages", lambda *_: [Advantage(reason=spot, alike=frozenset())]
    )
    assert module.reasons_of(Position.initial(), review) == ()
    for reason, changes in (
        (reply, {"motifs": (Motif.RETAKEN,)}),
        (gain, {"missed": (Motif.TAKEN,)}),
        (spot, {"motifs": (Motif.SPOT,)}),
    ):
        assert module.reasons_of(Position.initial(), review.replace(**changes)) == (reason,)


def test_second_moves_are_the_opponents_landing_and_the_players_capture() -> None:
    stacks = {"a1": "R", "b1": "W", "c1": "B", "d1": "W", "e1": "B", "f1": "R", "b2": "W"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    line, best = (tuple(parse_moves(text)) for text in ("b2-b1 e1-f1 d1-c1", "b2-a1 e1-f1 d1-c1"))
    (taken,) = landings(position, line, best)
    assert (taken.motif, taken.sufferer, taken.line) == (Motif.LET_TAKE, Color.BLACK, best)
    assert (taken.point, taken.count) == ("c1", 1)
    assert landings(position, line, best[:2]) == ()
    onto_red = tuple(parse_moves("b1-a1 e1-d1 b2-a1"))
    assert landings(position, line, onto_red) == (), "a landing of the player's own isn't told"
    reply = tuple(parse_moves("b2-b1 c1-d1 b1-d1 e1-f1"))
    (landed,) = landings(position, reply, best[:2])
    assert (landed.motif, landed.sufferer, landed.point) == (Motif.LET_LAND, Color.WHITE, "f1")


def test_a_double_threat_is_told_by_its_two_replies() -> None:
    line = tuple(parse_moves("b2-b1 e1-d1 c1-b1"))
    stacks = {"a1": "R", "b1": "W", "c1": "B", "d1": "W", "e1": "B", "b2": "W"}
    position = Position.from_stacks(stacks, turn=Color.WHITE)
    even = Estimate(win_probability=0.5, margin=(0, 0), exact=False)
    review = PlyReview(
        ply=50,
        color=Color.WHITE,
        played=line[0],
        before=even,
        after=even,
        best=tuple(parse_moves("b1-c1")),
        motifs=(Motif.DOUBLE_THREAT,),
        both=line[1:],
    )
    (reason,) = module.reasons_of(position, review)
    assert (reason.motif, reason.points) == (Motif.DOUBLE_THREAT, ("d1", "b1"))
    replies = position.play(line[0]).legal_moves()
    assert reason.replies_alike(replies) == {
        move for move in replies if move.target in reason.points
    }


def test_only_the_first_reason_of_a_kind_can_be_told() -> None:
    """A review stores only the kind, so a second reason would be worded as the first one."""
    line = tuple(parse_moves("a1-b1 c1-b1 d1-e1"))
    reply = ProvenReason(motif=Motif.TAKEN, sufferer=Color.WHITE, line=line[:2], count=1)
    later = reply.replace(line=line, count=3)
    cut = later.replace(motif=Motif.CUT_OFF)
    assert first_of_each_kind((reply, later, cut)) == (reply, cut)
    assert first_of_each_kind((later, reply)) == (later,)


def test_replies_that_do_the_same_count_together() -> None:
    replies = parse_moves("c1-b1 c2-b1 b1-c1 d1-c1")
    line = tuple(parse_moves("a1-a2 c1-b1"))
    taken = ProvenReason(
        motif=Motif.HANGING, sufferer=Color.WHITE, line=line, count=1, point=parse_point("b1")
    )
    assert {*map(str, taken.replies_alike(replies))} == {"c1-b1", "c2-b1"}
    escaped = taken.replace(motif=Motif.ESCAPED)
    assert {*map(str, escaped.replies_alike(replies))} == {"b1-c1"}
    cut = taken.replace(motif=Motif.CUT_OFF, point=None)
    assert cut.replies_alike(replies) == {line[1]}
