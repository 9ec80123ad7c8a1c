"""What the better play would have done to the other player: real boards, bared to what counts."""

import pytest

from dvonn import Color, Motif, Position, parse_moves
from dvonn.motifs import missed
from tests.dvonn.vectors import DATA

CASES = [
    line.split(" | ")
    for line in (DATA / "missed.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("swapped", [False, True], ids=["as it was", "in the other colours"])
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_missed(case: list[str], *, swapped: bool) -> None:
    stacks, turn, *lines = case[:4]
    if swapped:
        stacks, turn = (text.translate(str.maketrans("WB", "BW")) for text in (stacks, turn))
    board: dict[str, str] = dict(one.split(":") for one in stacks.split())
    position = Position.from_stacks(board, turn=Color(turn))
    bad, good = (tuple(parse_moves(line)) for line in lines)
    motifs = tuple(Motif[name] for name in case[4].split() if name != "-")

    assert missed(position, bad[0], bad[1:], good) == motifs
    # Nothing is missed where that was played, or where nothing is better.
    assert not set(missed(position, good[0], good[1:], bad)) & set(motifs)
    assert missed(position, good[0], good[1:], good) == ()
    assert missed(position, bad[0], bad[1:], ()) == ()
