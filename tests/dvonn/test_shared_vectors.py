"""Tests with optional vectors from an independent implementation: games, refusals, counts."""

from typing import Any

import pytest

import dvonn
from dvonn.perft import perft
from tests.games import positions_of
from tests.shared_files import shared_json

UNREADABLE = {
    "off_board",
    "malformed",
    "pass_not_a_move",
    "foreign_notation",
    "placement_off_board",
    "placement_malformed",
}
# The vectors' names for refusals, where they differ from ours.
REASONS = {
    "same_cell": "same_point",
    "not_owner_side_was_passed": "not_owner",
    "placement_occupied": "occupied",
    "placement_in_movement_phase": "wrong_phase",
}
# The vectors call these malformed. We accept them, as each has only one possible meaning.
LENIENT = {"a2xa3": "a2-a3", "a2\ta3": "a2-a3", "A1": "a1", "a2": "a2"}


def moves_of(texts: list[str]) -> list[dvonn.Move]:
    return [dvonn.parse_move(text) for text in texts]


def position_of(case: dict[str, Any]) -> dvonn.Position:
    position = positions_of(moves_of(case["placements"] + case.get("moves", [])))[-1]
    assert (position.turn or None) == case["turn"]
    return position


def test_whole_games() -> None:
    games = shared_json("vectors/games.json")["games"]
    assert len(games) > 50
    for game in games:
        positions = positions_of(moves_of(game["placements"] + game["moves"]))[49:]
        passes = [[n, color] for n, after in enumerate(positions) for color in after.passed]
        removed = {
            str(n): list(after.removed) for n, after in enumerate(positions[1:]) if after.removed
        }
        final = positions[-1]
        assert passes == game["passes"], game["id"]
        assert removed == {
            n: sorted(points, key=row_order) for n, points in game["removed"].items()
        }
        assert final.phase is dvonn.Phase.OVER
        assert final.stacks == game["final_board"]
        assert {color: final.score(color) for color in dvonn.Color} == game["scores"]
        assert (final.winner or "draw") == game["winner"]


def row_order(name: str) -> tuple[str, str]:
    return name[1:], name[0]


def test_refusals() -> None:
    cases = shared_json("vectors/illegal.json")["cases"]
    assert len(cases) > 50
    for case in cases:
        position, text = position_of(case), case["text"]
        if text in LENIENT:
            assert str(dvonn.parse_move(text)) == LENIENT[text]
        elif case["category"] in UNREADABLE or text == "pass":
            with pytest.raises(dvonn.NotationError):
                dvonn.parse_move(text)
        else:
            with pytest.raises(dvonn.IllegalMoveError) as caught:
                position.play(dvonn.parse_move(text))
            assert caught.value.reason == REASONS.get(case["category"], case["category"]), case[
                "id"
            ]


DEEPER = pytest.mark.later("the same rules once more, a ply deeper")


@pytest.mark.parametrize("depth", [1, 2, 3, pytest.param(4, marks=DEEPER)])
def test_perft(depth: int) -> None:
    cases = shared_json("vectors/perft.json")["positions"]
    assert len(cases) > 10
    for case in cases:
        position = position_of(case)
        assert position.stacks == case["board"]
        assert perft(position, depth) == case["perft"][str(depth)], case["id"]


def test_the_newsletters_endgame_in_both_notations() -> None:
    case = shared_json("vectors/newsletter.json")["position"]
    start = dvonn.Position.from_stacks(case["standard"]["board"], turn=dvonn.Color.WHITE)
    in_pergioco = {
        dvonn.Coordinates.PERGIOCO.label(point): pieces for point, pieces in start.stacks.items()
    }
    assert in_pergioco == case["newsletter"]["board"]
    position = start
    for step in case["trace"]:
        assert position.turn == step["turn"]
        legal = position.legal_moves()
        assert sorted(map(str, legal)) == step["legal"]
        told = {dvonn.format_move(move, dvonn.Coordinates.PERGIOCO) for move in legal}
        assert told == set(step["legal_newsletter"])
        move = dvonn.parse_move(step["move_newsletter"], dvonn.Coordinates.PERGIOCO)
        assert move is dvonn.parse_move(step["move"])
        position = position.play(move)
        assert sorted(position.removed) == sorted(step["removed"])
        assert position.turn == step["turn_after"]
    assert position.stacks == case["standard"]["final_board"]
    assert {color: position.score(color) for color in dvonn.Color} == case["final_scores"]
    assert position.winner == case["winner"]
