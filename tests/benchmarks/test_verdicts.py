"""The second look at what reviews mark."""

import json
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from benchmarks.verdicts.__main__ import again, figures, looked_at, times
from dvonn import Color, Estimate, Grade, PlyReview, Position, parse_move


def test_what_share_the_second_look_bears_out() -> None:
    looks = [
        {"deep": 0.6, "deep_suggested": 0.6, "deep_played": 0.3, "motifs": [], "missed": ["tempo"]},
        {"deep": 0.6, "deep_suggested": 0.58, "deep_played": 0.57, "motifs": [], "missed": []},
        {"deep": 0.6, "deep_suggested": 0.5, "deep_played": 0.6, "motifs": [], "missed": []},
        {"deep": 0.6, "deep_suggested": 0.57, "deep_played": 0.55, "motifs": [], "missed": []},
    ]
    assert figures(looks) == {
        "marks": 4,
        "suggestion_close_share": 0.5,
        "suggestion_better_share": 0.25,
        "loss_confirmed_share": 0.5,
        "with_reason_share": 0.25,
    }


def test_the_second_look_is_of_the_player_who_moved() -> None:
    # Going onto White's lone stack cuts the tall one off; landing on that one cuts off both.
    stacks = {"a1": "R", "b1": "B", "c1": "BBW", "b2": "W"}
    position = Position.from_stacks(stacks, turn=Color.BLACK)
    even = Estimate(win_probability=0.5, margin=(-1, 1), exact=False)
    said = PlyReview(
        ply=70,
        color=Color.BLACK,
        played=parse_move("b1-c1"),
        before=even,
        after=even,
        grade=Grade.BLUNDER,
        best=(parse_move("b1-b2"),),
    )
    assert again(position, said, nodes=20_000) == {
        "deep_best": "b1-b2",
        "deep": 1,
        "deep_suggested": 1,
        "deep_played": 0,
    }


def test_the_mean_and_the_longest_review_are_told() -> None:
    assert times([1.0, 4.0, 1.0]) == {
        "games": 3,
        "review_cpu_seconds": 2.0,
        "review_cpu_seconds_most": 4.0,
    }


def test_a_run_that_was_broken_off_goes_on_at_its_last_game(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    assert looked_at(path, 7) == ([], 7)
    marks = [{"seed": seed, "ply": ply} for seed, ply in ((7, 60), (7, 70), (9, 55))]
    path.write_text("".join(json.dumps(one) + "\n" for one in marks) + '{"seed": 9, "p', "utf-8")
    assert looked_at(path, 7) == (marks[:2], 9)
