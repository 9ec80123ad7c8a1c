"""Open a game in a browser. The argument is the URL of `renderer.game_page`'s page."""

import sys
import webbrowser
from pathlib import Path

from dvonn import GameRecord
from dvonn.link import decode, encode

page = sys.argv[1] if sys.argv[1:] else "https://example.org/dvonn.html"
record = GameRecord.from_text(Path("docs/game.txt").read_text(encoding="utf-8"))
link = f"{page}#{encode(record)}"
copy = decode(link)
print(len(copy.moves), "moves:", copy.headers["White"], copy.result, copy.headers["Black"])
print(link)
webbrowser.open(link)
