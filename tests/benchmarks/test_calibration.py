"""Tests for the machine's fixed ratings against the ladder's games."""

import json
import math
from pathlib import Path
from random import Random

import pytest

from benchmarks.matches import calibration
from benchmarks.matches.calibration import LADDERS, Pair, fit, ladder
from club.ratings.model import LEVELS, machine_rating
from dvonn.engine import VERSION as ENGINE
from dvonn.machine import MEASURED, VERSION


@pytest.mark.parametrize("version", LEVELS)
def test_the_ratings_follow_from_the_ladder(version: int) -> None:
    found = fit(ladder(version))
    rounded = [
        (round(rating, 1), round(error, 1))
        for player, (rating, error) in found.items()
        if player > 0
    ]
    assert tuple(rounded) == LEVELS[version]


def test_every_version_is_that_which_plays_or_an_older_one() -> None:
    assert ENGINE == VERSION, "the bot writes down what its workers play"
    assert max(LEVELS) <= VERSION
    for level in MEASURED:
        if VERSION in LEVELS:
            assert machine_rating(VERSION, level) is not None
    assert machine_rating(max(LEVELS), 0) is None
    assert machine_rating(max(LEVELS), len(MEASURED) + 1) is None
    assert machine_rating(None, 3) is None


def test_strengths_are_found_again_within_their_errors() -> None:
    """In a ladder of known strengths, nine of ten figures are within two errors."""
    true = {0: 1300.0, 1: 1150.0, 2: 1330.0, 3: 1500.0, 4: 1720.0, 5: 1890.0}
    random, within, figures = Random(5), 0, 0
    for _ in range(40):
        games = []
        for number, other in ((1, 0), (2, 0), (2, 1), (3, 2), (4, 3), (5, 4)):
            chance = 1 / (1 + 10 ** ((true[other] - true[number]) / 400))
            games += [
                Pair(number, other, sum(random.random() < chance for _ in range(2)))
                for _ in range(150)
            ]
        found = fit(games, zero=(3, 1500.0))
        assert found[3] == (1500.0, 0.0)
        for player, (rating, error) in found.items():
            if player != 3:
                figures += 1
                within += math.isclose(rating, true[player], rel_tol=0, abs_tol=2 * error)
    assert within / figures > 0.9


def test_the_command_prints_the_entry(capsys: pytest.CaptureFixture[str]) -> None:
    calibration.main(["--version", str(max(LADDERS))])
    said = capsys.readouterr().out
    assert f"    {max(LADDERS)}: (\n        ({LEVELS[max(LEVELS)][0][0]}," in said
    assert "RESULT bench=calibration games=5040 " in said


def test_a_file_of_games_is_counted_by_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ladder.jsonl"
    margins = {(11, 10): (4, 1, 2, 0, -3, -1, 0, -2, 5, -5), (12, 11): (1, 1, -1, 2)}
    games = [
        {"level": level, "against": against, "number": number, "margin": margin}
        for (level, against), found in margins.items()
        for number, margin in enumerate(found)
    ]
    lines = [{"games": 14}, *games, {"result": {}}]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    calibration.main(["--version", "9", str(file)])
    said = capsys.readouterr().out
    assert said.startswith("((11, 10), (1, 1, 1, 1, 1))\n((12, 11), (0, 0, 1, 0, 1))\n    9: (\n")
    assert "RESULT bench=calibration games=14 " in said
