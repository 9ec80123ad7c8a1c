"""Tests for finding puzzles: proofs against plain search, and reproducible output."""

import json
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from benchmarks.tuning.puzzles import find, main, play
from dvonn import Color, Position, position_from_text
from dvonn.engine.baseline import Baseline
from dvonn.engine.searcher import Searcher
from dvonn.puzzles import Aim, load
from dvonn_lessons.proving import Prover, TooHardError
from dvonn_lessons.shallow import ShallowPlayer
from dvonn_lessons.solver import Solver, lead
from tests.dvonn.plain_search import moves_that_reach
from tests.engine.brute_force import TooManyError, brute_force
from tests.games import positions_of, random_game

FEW_NODES = 3_000
"""A small node limit: only short proofs succeed, so the tests are fast."""
GAMES = range(11_621, 11_624)
"""Seeds of games that contain puzzles."""


def solved(seed: int) -> list[tuple[Position, int]]:
    """Return the last positions of a random game, each with White's margin after best play."""
    found = []
    for position in reversed(positions_of(random_game(seed))):
        if position.turn is not None:
            try:
                found.append((position, brute_force(position)))
            except TooManyError:
                break
    return found


def test_proofs_equal_brute_force() -> None:
    prover = Prover(Searcher(megabytes=1), limit=100_000)
    for seed in range(12):
        for position, white in solved(seed)[-3:]:
            for color, margin in ((Color.WHITE, white), (Color.BLACK, -white)):
                assert prover.margin(position, color) == margin
                assert prover.reaches(position, color, margin)
                assert not prover.reaches(position, color, margin + 1)
                end = position
                for move in prover.line(position, color, margin):
                    end = end.play(move)
                assert end.turn is None
                assert lead(end, color) == margin
                assert Solver(color).exact(position, 0) == margin


def test_too_few_nodes_prove_nothing() -> None:
    position, _ = solved(0)[-1]
    with pytest.raises(TooHardError):
        Prover(Searcher(megabytes=1), limit=2).margin(position, Color.WHITE)
    with pytest.raises(TooHardError):
        Prover(Searcher(megabytes=1), limit=2).reaches(position, Color.WHITE, 0)


def test_easy_puzzles_are_easy_without_known_ratings() -> None:
    position, _ = solved(0)[-1]
    prover = Prover(Searcher(megabytes=1), limit=100_000)
    prover.margin(position, Color.WHITE)
    assert not prover.is_easy(position, Color.WHITE, 1, nodes=2)
    assert prover.is_easy(position, Color.WHITE, 1, nodes=100_000)


def test_a_piece_count_finds_the_same_moves_as_the_baseline() -> None:
    """In two moves. If others are as good, the baseline chooses among them at random."""
    player, sides = ShallowPlayer(), set()
    easy = [item for item in load() if item.rating < 1_400 and not item.judged]
    for puzzle in Random(2).sample(easy, 16):
        position, move = puzzle.position, puzzle.solution[0]
        found = {Baseline(depth=2, seed=seed).choose(position) for seed in range(6)}
        finds = player.depth_needed(position, move, 2) <= 2
        assert finds is (found == {move})
        sides.add(finds)
    assert sides == {True, False}


def test_puzzles_of_a_game_are_positions_of_it_with_one_right_move() -> None:
    found = [item.puzzle for seed in GAMES for item in find(seed, FEW_NODES)]
    assert len(found) >= 3
    for ply in found:
        position = position_from_text(ply.text)
        assert play(ply.seed)[ply.ply] == position
        assert len(moves_that_reach(position, ply.goal)) == 1
        assert ply.aim in {Aim.WIN, Aim.DRAW}


def test_an_interrupted_run_resumes_with_the_same_output(tmp_path: Path) -> None:
    def run(name: str) -> tuple[bytes, bytes]:
        found, out = tmp_path / f"{name}.jsonl", tmp_path / f"{name}.json"
        nodes = str(FEW_NODES)
        games = ["--seed", str(GAMES[0]), "--games", str(len(GAMES))]
        main([*games, "--nodes", nodes, "--found", str(found), "--out", str(out)])
        return found.read_bytes(), out.read_bytes()

    whole = run("whole")
    cut = len(whole[0]) * 2 // 3
    (tmp_path / "again.jsonl").write_bytes(whole[0][:cut])
    assert not whole[0][:cut].endswith(b"\n")
    assert run("again") == whole
    assert len(json.loads(whole[1])) >= 3
