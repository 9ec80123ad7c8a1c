"""Write a game with a comment and a variation in each format, and read it back."""

from dvonn import GameRecord, Node, Position, parse_moves
from dvonn.formats import FORMATS, read_records
from dvonn.simulation import at_random, simulate

(game,) = simulate([Position.initial()], at_random(seed=1))
other = next(move for move in parse_moves("d2 e3") if move not in game.moves[:2])
tree = Node.line(game.moves).with_line((game.moves[0], other), "also good")
record = GameRecord(tree, {"White": "Ann", "Black": "Bob"})
for text_format in FORMATS.values():
    (copy,) = read_records(text_format.write([record]))
    assert copy.moves == record.moves
    extra = "and the comment" if "also good" in copy.to_text() else "alone"
    print(f"{text_format.title}: {len(copy.moves)} moves", extra)
