"""Sequences of moves to replay, from a game or a pasted record (`pasted.py`)."""

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Final

import dvonn
from bot.base.ids import GameId, UserId
from bot.play.model.game import Game
from bot.play.model.openings import random_placements
from bot.play.model.terms import EndReason, Outcome, Start
from bot.replay.model.refusals import LineTooLong, NoSuchPly
from dvonn._records.position_text import PrintedPosition
from dvonn._records.record_text import RESULT, TERMINATION, WON_BY

_UNKNOWN: Final = "?"
"""Name in a record for a player whose name is unknown."""
_WHITE: Final = "White"
_BLACK: Final = "Black"
_LONGEST_HEADER: Final = 40
"""Maximum number of characters stored from a header of a pasted record."""
_UNQUOTED: Final = str.maketrans({'"': "'", "`": "'", "\\": None})
_HINTS: Final = "agreed"
"""Header value for a game whose players agreed on hints."""


@dataclass(frozen=True, slots=True)
class MoveSequence:
    """Moves played in sequence from a position."""

    start: dvonn.Position
    moves: tuple[dvonn.Move, ...]
    coordinates: dvonn.Coordinates = dvonn.Coordinates.STANDARD
    dealt: int = 0
    """Number of placements at the beginning that made the start board."""
    assumed: tuple[dvonn.Point, ...] = ()
    """Stacks at the start whose hidden pieces are assumed, for example from a diagram."""
    headers: tuple[tuple[str, str], ...] = ()
    """Headers of a pasted record: players' names, and the result if the moves don't show it."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of White and Black in a pasted record, each "" if unknown."""
        headers = dict(self.headers)
        return headers.get(_WHITE, ""), headers.get(_BLACK, "")

    @property
    def plies(self) -> int:
        return len(self.moves)

    def cut(self, ply: int, line: Iterable[dvonn.Move] = ()) -> "MoveSequence":
        """Return the sequence up to a ply, continued with other moves."""
        moves = (*self.moves[:ply], *line)
        if moves == self.moves:
            return self
        names = tuple(header for header in self.headers if header[0] in {_WHITE, _BLACK})
        return replace(self, moves=moves, headers=names)

    def positions(self) -> list[dvonn.Position]:
        """Return the start, and the position after each move.

        Raises:
            IllegalMoveError: if a move is illegal.
        """
        positions = [self.start]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions

    def assumed_at_end(self) -> tuple[dvonn.Point, ...]:
        """Return the stacks after the last move that contain assumed pieces.

        Raises:
            IllegalMoveError: like `positions`.
        """
        if not self.assumed:
            return ()
        unsure, position = set(self.assumed), self.start
        for move in self.moves:
            position = position.play(move)
            if move.source in unsure:
                unsure.add(move.target)
            unsure &= position.stacks.keys()
        return tuple(point for point in position.stacks if point in unsure)

    def number(self, ply: int) -> int:
        """Return a move's number.

        If the start is from the middle of a game, counting continues from there.
        """
        return self.start.plies + ply - self.dealt


def sequence_of_record(record: dvonn.GameRecord) -> MoveSequence:
    """Return a pasted record's moves, with the facts that the moves don't show."""
    values = {tag: _plain(record.headers.get(tag, "")) for tag in (_WHITE, _BLACK, TERMINATION)}
    if values[TERMINATION]:
        values[RESULT] = record.result
    headers = tuple((tag, text) for tag, text in values.items() if text not in {"", _UNKNOWN})
    return MoveSequence(
        record.start, record.moves, record.coordinates, assumed=record.assumed, headers=headers
    )


def _plain(text: str) -> str:
    """Return a header's text without characters that could end the header."""
    return " ".join(text.translate(_UNQUOTED).split())[:_LONGEST_HEADER]


def sequence_of(game: Game) -> MoveSequence:
    """Return all of a game's plies that were not taken back, including random placements."""
    return MoveSequence(game.origin, all_moves(game), game.row.coordinates, game.first_ply)


def record_of(
    game: Game, *, white: str = "", black: str = "", began: datetime | None = None
) -> dvonn.GameRecord:
    """Return a game as a record."""
    headers = {_WHITE: white or _UNKNOWN, _BLACK: black or _UNKNOWN}
    if began is not None:
        headers["Date"] = f"{began:%Y.%m.%d}"
    if game.shares_hints:
        headers["Hints"] = _HINTS
    if game.random_seed is not None:  # anyone can recreate the board from it
        headers["Seed"] = str(game.random_seed)
    headers |= ending_headers(game.outcome)
    return dvonn.GameRecord(all_moves(game), headers, game.row.coordinates, start=game.origin)


def ending_headers(outcome: Outcome | None) -> Mapping[str, str]:
    """Return a record's headers for an ending that its moves don't show."""
    if outcome is None or outcome.reason is EndReason.COUNT:
        return {}
    termination = {TERMINATION: outcome.reason.value}
    if not outcome.has_result:
        return termination
    return {RESULT: WON_BY[outcome.winner], **termination}


def common_prefix_length(first: Iterable[dvonn.Move], second: Iterable[dvonn.Move]) -> int:
    """Count how many moves two sequences have in common at the start."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))


def all_moves(game: Game) -> tuple[dvonn.Move, ...]:
    """Return all plies since a game's origin, including random placements."""
    placed = [ply.move for ply in game.line[: game.settled]]
    start, seed = game.row.start, game.random_seed
    # the players agreed to place the rest at random
    if seed is not None and not start.is_ready_made:
        placed += dvonn.finish_placement(_play_all(game.origin, placed), seed)
    elif seed is not None:
        placed += random_placements(Start.BALANCED if start is Start.PIE else start, seed)
    return (*placed, *(ply.move for ply in game.line[game.settled :]))


def commented(root: dvonn.Node, comments: Mapping[int, str]) -> dvonn.Node:
    """Return a tree with more comments in its main line, by number of moves before them."""
    nodes = [root]
    while nodes[-1].variations:
        nodes.append(nodes[-1].variations[0])
    after: tuple[dvonn.Node, ...] = ()
    for ply, node in reversed(list(enumerate(nodes))):
        comment = " ".join(filter(None, (node.comment, comments.get(ply))))
        variations = (*after, *node.variations[1:])
        after = (dvonn.Node(node.move, comment, variations, node.nags),)
    return after[0]


def _play_all(position: dvonn.Position, moves: Iterable[dvonn.Move]) -> dvonn.Position:
    for move in moves:
        position = position.play(move)
    return position


def placed_by_players(game: Game) -> int:
    """Count how many of a game's first placements its players made on an empty board (0 to 49)."""
    if game.origin.stacks:
        return 0
    return sum(ply.move.source is None for ply in game.line)


_DIGITS: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"

_CHARACTERS_PER_MOVE: Final = 2


LONGEST_LINE: Final = 28
"""Maximum number of moves that fit in a custom id, whatever the game's id."""
_PASTED: Final = "text"
SPOT: Final = rf"(?P<subject>[0-9]{{1,18}}|{_PASTED}):(?P<ply>[0-9]{{1,3}})"
"""Pattern of a replay cursor, without the tried moves."""
LINE: Final = rf":(?P<line>[A-Za-z0-9_-]{{0,{2 * LONGEST_LINE}}})"
"""Pattern of the tried moves after a replay cursor."""


@dataclass(frozen=True, slots=True)
class ReplayCursor:
    """A place in a game: after a number of plies, and then some tried moves."""

    game: GameId | None
    """The game, or None for a game in the message's own text."""
    ply: int = 0
    line: tuple[dvonn.Move, ...] = ()

    @classmethod
    def from_match(cls, match: re.Match[str]) -> "ReplayCursor":
        """Return the cursor in a custom id. Raise NoSuchPly if its tried moves are invalid."""
        parts = match.groupdict()
        subject, line = parts["subject"], parts.get("line") or ""
        game = None if subject == _PASTED else GameId(int(subject))
        return cls(game, int(parts["ply"]), unpack(line))

    @property
    def text(self) -> str:
        return f"{_PASTED if self.game is None else self.game}:{self.ply}"

    @property
    def with_line(self) -> str:
        return f"{self.text}:{pack(self.line)}"

    def at_ply(self, ply: int) -> "ReplayCursor":
        return replace(self, ply=ply, line=())

    def with_moves(self, *moves: dvonn.Move) -> "ReplayCursor":
        """Return the cursor after some more tried moves."""
        return replace(self, line=(*self.line, *moves))

    def previous(self) -> "ReplayCursor":
        """Return the cursor one move earlier, or the same one at the start."""
        return (
            replace(self, line=self.line[:-1]) if self.line else self.at_ply(max(self.ply - 1, 0))
        )


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A replay's view at a cursor: the positions so far, and the game."""

    cursor: ReplayCursor
    sequence: MoveSequence
    positions: tuple[dvonn.Position, ...]
    """Positions up to the shown one, which is last."""
    game: Game | None
    """The current state of the game, if this bot ran it."""

    @property
    def position(self) -> dvonn.Position:
        return self.positions[-1]

    @property
    def printed(self) -> PrintedPosition:
        """The shown position, and its stacks with assumed pieces."""
        return PrintedPosition(self.position, self.path.assumed_at_end())

    @property
    def coordinates(self) -> dvonn.Coordinates:
        return self.sequence.coordinates

    @property
    def path(self) -> MoveSequence:
        return self.sequence.cut(self.cursor.ply, self.cursor.line)

    @property
    def last(self) -> dvonn.Move | None:
        """The move that led to the shown position, or None."""
        path = self.path
        return path.moves[-1] if path.plies > path.dealt else None

    def side(self, user: UserId) -> dvonn.Color | None:
        """Return the user's color in this game, or None if they don't play in it."""
        return None if self.game is None else self.game.seat(user)

    @property
    def is_end(self) -> bool:
        """True if the view shows the current state of the game."""
        return self.cursor.ply == self.sequence.plies and not self.cursor.line

    @property
    def is_running(self) -> bool:
        """True if the view's game is running and restricts help with its boards."""
        return self.game is not None and self.game.is_running and self.game.row.is_unaided


def view_at(cursor: ReplayCursor, sequence: MoveSequence, game: Game | None = None) -> ReplayView:
    """Return the view at a cursor.

    A cursor before the start board, from an old button, shows the start board.

    Raises:
        NoSuchPly: if the game has no such ply, or a tried move is illegal.
        LineTooLong: if the tried moves don't fit in a custom id.
    """
    if not (sequence.dealt if cursor.line else 0) <= cursor.ply <= sequence.plies:
        raise NoSuchPly
    if len(cursor.line) > LONGEST_LINE:
        raise LineTooLong(LONGEST_LINE)
    cursor = replace(cursor, ply=max(cursor.ply, sequence.dealt))
    try:
        positions = sequence.cut(cursor.ply, cursor.line).positions()
    except dvonn.IllegalMoveError as error:
        raise NoSuchPly from error
    return ReplayView(cursor, sequence, tuple(positions), game)


def pack(moves: Iterable[dvonn.Move]) -> str:
    """Return moves as characters for a custom id: letters, digits, "-" and "_".

    Each move takes two characters. It is a number with two digits in base 64: the source and the
    target, each one of 49 points. In a placement they are equal.
    """
    return "".join(map(_pack_move, moves))


def unpack(text: str) -> tuple[dvonn.Move, ...]:
    """Parse the output of `pack`. Raise NoSuchPly for any other text."""
    if len(text) % _CHARACTERS_PER_MOVE:
        raise NoSuchPly
    try:
        return tuple(
            _unpack_move(text[at : at + _CHARACTERS_PER_MOVE])
            for at in range(0, len(text), _CHARACTERS_PER_MOVE)
        )
    except ValueError as error:
        raise NoSuchPly from error


def _pack_move(move: dvonn.Move) -> str:
    source = dvonn.POINTS.index(move.source or move.target)
    high, low = divmod(source * len(dvonn.POINTS) + dvonn.POINTS.index(move.target), len(_DIGITS))
    return _DIGITS[high] + _DIGITS[low]


def _unpack_move(two: str) -> dvonn.Move:
    number = _DIGITS.index(two[0]) * len(_DIGITS) + _DIGITS.index(two[1])
    source, target = divmod(number, len(dvonn.POINTS))
    if source >= len(dvonn.POINTS):
        raise ValueError(f"not a packed move: {two!r}")
    return dvonn.Move(
        target=dvonn.POINTS[target], source=None if source == target else dvonn.POINTS[source]
    )
