"""Ten minutes with the package `dvonn`.

`pip install dvonn` brings it. This is a program, to be read from above and run; `assert` says what
comes out.
"""

# ## A game
#
# A position is a value. `play` returns another one, `after` does so for several moves, which may be
# texts. Nobody passes: whoever cannot move is passed over.

from dvonn import Color, IllegalMoveError, Phase, Position, balanced_start, parse_move

position = Position.initial()
assert (position.phase, position.turn, position.to_place) == (Phase.PLACEMENT, Color.WHITE, "R")
position = position.after("d2", "c3", "f5")
assert position.stacks["c3"] == "R"

board = Position.initial().after(*balanced_start(seed=7))  # a ready-made board
assert board.phase is Phase.MOVEMENT
move = board.legal_moves()[0]
assert str(move) == f"{move.source}-{move.target}"
assert board.play(move).height(move.target) > board.height(move.target)

# ## What is refused
#
# All errors are a `DvonnError`, which is a `ValueError`, and say why by a member of an enum.

reason = ""
try:
    board.play(parse_move("a1"))
except IllegalMoveError as error:
    reason = error.reason
assert reason == "wrong_phase"

# ## Coming from python-chess
#
# | there | here |
# |---|---|
# | `board.push(move)` | `position = position.play(move)` |
# | `board.legal_moves` | `position.legal_moves()` |
# | `chess.Move.from_uci(text)` | `parse_move(text)` |
# | `board.fen()`, `chess.Board(fen)` | `position_to_text(position)`, `position_from_text(text)` |
# | `chess.pgn.read_game(file)` | `GameRecord.from_text(text)`, `dvonn.formats.read_records(text)` |
# | `game.add_variation(move)` | `Node.with_line(moves, comment)` |
# | `chess.polyglot.zobrist_hash(board)` | `dvonn.hashing.position_hash(position)` |
# | `chess.engine.SimpleEngine` | `dvonn.engine.client.UciEngine` |

from dvonn import position_from_text, position_to_text

line = position_to_text(board)
assert position_from_text(line) == board

# ## Records
#
# A record is headers and moves, with comments and variations in a tree.

from dvonn import GameRecord, Node, parse_moves

tree = Node.line(parse_moves("d2 c3 f5")).with_line(parse_moves("d2 e4"), "nearer to the red piece")
record = GameRecord(tree, {"White": "Ann", "Black": "Bob"})
text = record.to_text()
assert "(2. e4 {nearer to the red piece})" in text
assert GameRecord.from_text(text) == record
assert [str(move) for move in record.moves] == ["d2", "c3", "f5"]

# ## Numbers
#
# Moves are numbers from 0 to 342, positions are planes of bytes, which numpy takes as they are, and
# 64 bits that never change.

from dvonn.actions import ACTIONS, action_mask, action_of, move_of
from dvonn.arrays import PLANES, planes
from dvonn.hashing import position_hash

assert sum(action_mask(board)) == len(board.legal_moves())
assert move_of(action_of(move), board) is move
assert (ACTIONS, planes(board).shape) == (343, (len(PLANES), 5, 11))
assert 0 <= position_hash(board) < 2**64

# ## Many games
#
# `simulate` plays games together; who chooses sees all positions at once.

from dvonn.simulation import at_random, simulate

games = simulate([board] * 20, at_random(seed=1))
won = sum(game.position.winner is Color.WHITE for game in games)
assert 0 <= won <= len(games)

# ## A game in a link
#
# One character a ply. `python -m renderer.game_page` of the bot's tree makes the page for it.

from dvonn.link import decode, encode

assert encode(record) == "1CKf&White=Ann&Black=Bob"
assert decode("#1CKf").moves == record.moves

# ## An engine
#
# With the extra `engine`: `dvonn.engine.choose`, `analyse` and `review`. Any engine that speaks the
# protocol of `dvonn.engine.uci` is asked like this; the plain one needs nothing.

import sys

from dvonn.engine.client import UciEngine

with UciEngine.start([sys.executable, "-m", "dvonn.engine", "uci", "--baseline"]) as engine:
    answer = engine.go(board, "depth 1")
assert answer.move in board.legal_moves()

# Programs of twenty lines at most lie in docs/programs: perft, self-play, an agent of PettingZoo, a
# match, a plot of chances, a link. The environments are `dvonn.gym`, data are in docs/data.
