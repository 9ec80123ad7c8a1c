"""The games that the recall of reviews is measured in."""

from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the extra `engine` is not installed")

from benchmarks.recall import games_in
from dvonn import GameRecord
from dvonn.formats import FORMATS
from tests.games import random_game


def test_games_of_a_folder_are_those_that_people_played_to_their_ends(tmp_path: Path) -> None:
    whole, boardspace = random_game(3), FORMATS["boardspace"]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ann-bob.sgf").write_text(boardspace.write([GameRecord(whole)]))
    (tmp_path / "ann-cy.txt").write_text(GameRecord(whole[:60]).to_text())
    (tmp_path / "ann-Dumbot.txt").write_text(GameRecord(whole).to_text())
    (tmp_path / "notes.txt").write_text("no game")
    assert [one.moves for one in games_in(tmp_path)] == [tuple(whole)]
