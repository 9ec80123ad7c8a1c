"""Count lines of play, and compare them with the table in docs/data."""

import json
from pathlib import Path

from dvonn import Position
from dvonn.perft import divide, perft

table = json.loads(Path("docs/data/perft.json").read_text(encoding="utf-8"))
checked = 0
for row in table:
    position = Position.from_text(row["position"])
    for depth, count in enumerate(row["counts"], start=1):
        if count < 100_000:
            assert perft(position, depth) == count, (row, divide(position, depth))
            checked += 1
print(f"{checked} counts of {len(table)} positions are right")
