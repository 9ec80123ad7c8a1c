"""Makes a link of a game, and reads it."""

from pathlib import Path

from dvonn import GameRecord
from dvonn.link import decode, encode

record = GameRecord.from_text(Path("docs/game.txt").read_text(encoding="utf-8"))
link = f"https://example.org/dvonn.html#{encode(record)}"
print(link)
again = decode(link)
print(len(again.moves), "moves:", again.headers["White"], again.result, again.headers["Black"])
