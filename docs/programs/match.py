"""A match of two engines over their protocol; their commands are the arguments."""

import shlex
import sys

from dvonn import Color, Position
from dvonn.engine.client import UciEngine

PLAIN = f"{sys.executable} -m dvonn.engine uci --baseline"
one, other = (shlex.split(text) for text in (sys.argv[1:] or [PLAIN, PLAIN]))
with UciEngine(one) as white, UciEngine(other) as black:
    engines = {Color.WHITE: white, Color.BLACK: black}
    position = Position.initial()
    while position.turn is not None:
        answer = engines[position.turn].go(position, "nodes 1000 depth 1")
        position = position.after(answer.move or "")
    print(f"{white.name} {position.score(Color.WHITE)}, {black.name} {position.score(Color.BLACK)}")
