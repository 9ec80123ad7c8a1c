"""Write 200 random games to a file, read them one by one, and check each move and result."""

import tempfile
from pathlib import Path

from dvonn import GameRecord, Position
from dvonn.formats import read_games, write_records
from dvonn.simulation import at_random, simulate

played = simulate([Position.initial()] * 200, at_random(seed=1))
results = [game.position.result for game in played]
file = Path(tempfile.mkdtemp()) / "games.txt"
file.write_text(write_records([GameRecord(game.moves) for game in played], "dvonn"), "utf-8")
with file.open(encoding="utf-8") as lines:
    for number, record in enumerate(read_games(lines)):
        last = record.positions()[-1]
        assert last.is_over
        assert last.result == record.result == results[number]
print(number + 1, "games are right;", results.count("1-0"), "were won by White")
