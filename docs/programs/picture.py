"""Make a picture of a position. Notebooks show positions and records as pictures."""

from pathlib import Path

from dvonn import Position, balanced_start
from dvonn.svg import svg

position = Position.initial().after(*balanced_start(seed=7))
move = max(position.legal_moves(), key=lambda move: position.play(move).height(move.target))
picture = svg(position, arrows=[move], marks=[move.target], theme="slate")
Path("board.svg").write_text(picture, encoding="utf-8")
print("in a notebook:", position._repr_svg_()[:4], "in a file:", len(picture), "characters")
