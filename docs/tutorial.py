"""Ten minutes with the package `dvonn`.

Install it with `pip install ./dvonn` in the project's folder. This page is a program that you can
read or run. Each `assert` shows a result.
"""

# ## A game
#
# A position is a value that never changes. `play` returns the next one. `after` plays several
# moves, also from text. You never play a pass: `play` skips a player who can't move.

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

# ## Errors
#
# The package refuses invalid input with a `DvonnError`, which is a `ValueError`. If there are
# several possible reasons, the error has a member of an enum.

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
# | `board.pop()` | keep the earlier position, which never changes |
# | `board.legal_moves` | `position.legal_moves()` |
# | `chess.Move.from_uci(text)` | `parse_move(text)` |
# | `board.is_legal(move)` | `position.is_legal(move)` |
# | `board.is_game_over()`, `board.result()` | `position.is_over`, `position.result` |
# | `board.fen()`, `chess.Board(fen)` | `position.to_text()`, `Position.from_text(text)` |
# | `chess.pgn.read_game(file)` | `GameRecord.from_text(text)`, `dvonn.formats.read_games(file)` |
# | `chess.pgn.read_headers(file)` | `dvonn.formats.read_headers(file)` |
# | `node.parent`, `node.board()` | `record.root`, `node.parent`, `node.position` |
# | `game.add_variation(move)` | `Node.with_line(moves, comment)` |
# | `chess.svg.board(board)` | `position.svg()`, `dvonn.svg.svg(position)` |
# | `chess.polyglot.zobrist_hash(board)` | `dvonn.hashing.position_hash(position)` |
# | `chess.engine.SimpleEngine` | `dvonn.engine.client.UciEngine` |

line = board.to_text()
assert Position.from_text(line) == board

# ## Records
#
# A record has headers and moves. Its tree has comments and variations.

from dvonn import GameRecord, Node, parse_moves

tree = Node.line(parse_moves("d2 c3 f5")).with_line(parse_moves("d2 e4"), "nearer to the red piece")
record = GameRecord(tree, {"White": "Ann", "Black": "Bob"})
text = record.to_text()
assert "(2. e4 {nearer to the red piece})" in text
assert GameRecord.from_text(text) == record
assert str(record) == text
assert [str(move) for move in record.moves] == ["d2", "c3", "f5"]
assert [node.position.plies for node in record.root.mainline()] == [1, 2, 3]

# ## Numbers
#
# Machine learning uses numbers from 0 to 342 for moves, and planes of bytes for positions, which
# numpy can read. A position's hash has 64 bits, and is the same on every machine.

from dvonn.actions import ACTIONS, action_mask, action_of, move_of
from dvonn.arrays import PLANES, planes
from dvonn.hashing import position_hash

assert sum(action_mask(board)) == len(board.legal_moves())
assert move_of(action_of(move), board) is move
assert (ACTIONS, planes(board).shape) == (343, (len(PLANES), 5, 11))
assert 0 <= position_hash(board) < 2**64

# ## Many games
#
# `simulate` plays many games at once. Your function gets all their positions, and returns a move
# for each.

from dvonn.simulation import at_random, simulate

games = simulate([board] * 20, at_random(seed=1))
won = sum(game.position.winner is Color.WHITE for game in games)
assert 0 <= won <= len(games)

# ## A game in a link
#
# A link can contain a whole game, with one character per ply. `python -m renderer.game_page`, in
# the bot's repository, makes the page that shows it.

from dvonn.link import decode, encode

assert encode(record) == "1CKf&White=Ann&Black=Bob~"
assert decode("#1CKf~").moves == record.moves

# ## An engine
#
# The extra `engine` (`pip install './dvonn[engine]'`) adds `dvonn.engine.choose`, `analyse` and
# `review`. You can also use an engine in another process, if it uses the protocol of
# `dvonn.engine.uci`. The simple player here needs no extra.

import sys

from dvonn.engine.client import UciEngine

with UciEngine([sys.executable, "-m", "dvonn.engine", "uci", "--baseline"]) as engine:
    answer = engine.go(board, "depth 1")
assert answer.move in board.legal_moves()

# docs/programs has ten short programs. docs/programming.md lists them, and shows how to check rules
# and how to write an engine.
