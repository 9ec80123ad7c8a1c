"""What a player thinks a board is worth to White."""

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from dvonn import Color, Phase, Position
from dvonn.engine.layout import WIN
from dvonn.engine.player import EnginePlayer
from tests.games import positions_of, random_game


def test_positions_are_judged_for_white_whoever_is_to_move() -> None:
    games = [positions_of(random_game(seed)) for seed in range(8)]
    last = [game[-2] for game in games if len(game[-2].legal_moves()) == 1]
    assert {position.turn for position in last} == {Color.WHITE, Color.BLACK}
    for position in last:
        over = position.play(position.legal_moves()[0])
        margin = over.score(Color.WHITE) - over.score(Color.BLACK)
        assert over.phase is Phase.OVER
        assert EnginePlayer(level=8).judge(position) == margin + WIN * ((margin > 0) - (margin < 0))


def test_what_is_no_board_to_judge_is_refused() -> None:
    player = EnginePlayer(level=1)
    with pytest.raises(ValueError, match="only positions of the movement phase"):
        player.judge(Position.initial())
    with pytest.raises(ValueError, match="no nodes limit"):
        EnginePlayer().judge(positions_of(random_game(5))[49])
