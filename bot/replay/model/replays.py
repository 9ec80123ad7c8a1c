"""Sequences of moves to replay: of a game, or of a pasted record (`pasted.py`)."""

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
from bot.play.model.openings import placed_by_lot
from bot.play.model.terms import EndReason, Outcome, Start
from bot.replay.model.refusals import LineTooLong, NoSuchPly
from dvonn.position_text import PrintedPosition
from dvonn.record_text import RESULT, TERMINATION, WON_BY

_UNKNOWN: Final = "?"
"""Name in a record of a player whose name is not known."""
_WHITE: Final = "White"
_BLACK: Final = "Black"
_LONGEST_HEADER: Final = 40
"""Maximum length of a header kept from a pasted record, in characters."""
_UNQUOTED: Final = str.maketrans({'"': "'", "`": "'", "\\": None})
_HINTS: Final = "agreed"
"""Remark in a record on hints between people who have agreed on them."""


@dataclass(frozen=True, slots=True)
class MoveSequence:
    """Moves from a position on, one after the other."""

    start: dvonn.Position
    moves: tuple[dvonn.Move, ...]
    coordinates: dvonn.Coordinates = dvonn.Coordinates.STANDARD
    dealt: int = 0
    """Number of first placements that belong to a ready-made board."""
    assumed: tuple[dvonn.Point, ...] = ()
    """Stacks of the start with assumed pieces inside, as of a printed board."""
    headers: tuple[tuple[str, str], ...] = ()
    """Of a pasted record: the players' names, and the result if its moves don't show it."""

    @property
    def names(self) -> tuple[str, str]:
        """White's name and Black's in a pasted record, or empty texts for unknown names."""
        told = dict(self.headers)
        return told.get(_WHITE, ""), told.get(_BLACK, "")

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
            IllegalMoveError: if the rules refuse one of the moves.
        """
        positions = [self.start]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions

    def assumed_at_end(self) -> tuple[dvonn.Point, ...]:
        """Return the stacks after the last move that hold assumed pieces.

        Raises:
            IllegalMoveError: as `positions`.
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
        """Return the number of a move: a position within a game counts from there."""
        return self.start.plies + ply - self.dealt


def course_of_record(record: dvonn.GameRecord) -> MoveSequence:
    """Return the course of a pasted record, with the facts that its moves don't show."""
    told = {tag: _plain(record.headers.get(tag, "")) for tag in (_WHITE, _BLACK, TERMINATION)}
    if told[TERMINATION]:
        told[RESULT] = record.result
    headers = tuple((tag, text) for tag, text in told.items() if text not in {"", _UNKNOWN})
    return MoveSequence(
        record.start, record.moves, record.coordinates, assumed=record.assumed, headers=headers
    )


def _plain(text: str) -> str:
    """Return a header's text without characters that would end it or its part of the message."""
    return " ".join(text.translate(_UNQUOTED).split())[:_LONGEST_HEADER]


def course_of(game: Game) -> MoveSequence:
    """Return all placements and moves of a game that were not taken back, random ones included."""
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
    if game.random_seed is not None:  # everybody can make the board again with it
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


def common_prefix_length(one: Iterable[dvonn.Move], other: Iterable[dvonn.Move]) -> int:
    """Count the equal moves at the beginning of two courses."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))


def all_moves(game: Game) -> tuple[dvonn.Move, ...]:
    """Return all placements and moves since a game's origin, also at random: a record's moves."""
    placed = [ply.move for ply in game.line[: game.settled]]
    start, seed = game.row.start, game.random_seed
    if seed is not None and not start.is_ready_made:  # the players agreed to leave the rest
        placed += dvonn.finish_placement(_play_all(game.origin, placed), seed)
    elif seed is not None:
        placed += placed_by_lot(Start.BALANCED if start is Start.PIE else start, seed)
    return (*placed, *(ply.move for ply in game.line[game.settled :]))


def _play_all(position: dvonn.Position, moves: Iterable[dvonn.Move]) -> dvonn.Position:
    for move in moves:
        position = position.play(move)
    return position


def placed_by_players(game: Game) -> int:
    """Count a game's first placements by its players since the empty board, 0 to 49."""
    if game.origin.stacks:
        return 0
    return sum(ply.move.source is None for ply in game.line)


_DIGITS: Final = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"

_PER_MOVE: Final = 2


LONGEST_LINE: Final = 28
"""Maximum number of moves in an id, with any game number."""
_PASTED: Final = "text"
SPOT: Final = rf"(?P<subject>[0-9]{{1,18}}|{_PASTED}):(?P<ply>[0-9]{{1,3}})"
"""Pattern of a spot, without the moves that are tried."""
LINE: Final = rf":(?P<line>[A-Za-z0-9_-]{{0,{2 * LONGEST_LINE}}})"
"""Pattern of these moves, which follow it."""


@dataclass(frozen=True, slots=True)
class ReplayCursor:
    """A place in a game: after a number of plies, and then tried moves."""

    game: GameId | None
    """The game, or None for the text of the message itself."""
    ply: int = 0
    line: tuple[dvonn.Move, ...] = ()

    @classmethod
    def found(cls, match: re.Match[str]) -> "ReplayCursor":
        """Return the spot that an id names. Raise NoSuchPly if its tried line holds no moves."""
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
        """Return the spot after some more moves that are tried."""
        return replace(self, line=(*self.line, *moves))

    def back(self) -> "ReplayCursor":
        """Go one move back, or stay at the start."""
        return (
            replace(self, line=self.line[:-1]) if self.line else self.at_ply(max(self.ply - 1, 0))
        )


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A spot with its positions and its game."""

    cursor: ReplayCursor
    sequence: MoveSequence
    positions: tuple[dvonn.Position, ...]
    """Positions up to the one there, which comes last."""
    game: Game | None
    """The game in its present state, if it was played here."""

    @property
    def position(self) -> dvonn.Position:
        return self.positions[-1]

    @property
    def printed(self) -> PrintedPosition:
        """The position, and its stacks with assumed pieces."""
        return PrintedPosition(self.position, self.path.assumed_at_end())

    @property
    def coordinates(self) -> dvonn.Coordinates:
        return self.sequence.coordinates

    @property
    def path(self) -> MoveSequence:
        return self.sequence.cut(self.cursor.ply, self.cursor.line)

    @property
    def last(self) -> dvonn.Move | None:
        """The move that led there, or None if nobody has made one."""
        path = self.path
        return path.moves[-1] if path.plies > path.dealt else None

    def side(self, user: UserId) -> dvonn.Color | None:
        """Return the user's color in this game, or None if they do not play."""
        return None if self.game is None else self.game.seat(user)

    @property
    def is_end(self) -> bool:
        """True if it is the present state of the game."""
        return self.cursor.ply == self.sequence.plies and not self.cursor.line

    @property
    def is_running(self) -> bool:
        """True if its game still runs, and nobody may get help in it."""
        return self.game is not None and self.game.is_running and self.game.row.is_unaided


def see(spot: ReplayCursor, course: MoveSequence, game: Game | None = None) -> ReplayView:
    """Return the view at a spot.

    Spots before a ready-made board, from old buttons, show that board.

    Raises:
        NoSuchPly: if the game has no such ply, or the rules refuse the tried line.
        LineTooLong: if the line is longer than an id can hold.
    """
    if not (course.dealt if spot.line else 0) <= spot.ply <= course.plies:
        raise NoSuchPly
    if len(spot.line) > LONGEST_LINE:
        raise LineTooLong(LONGEST_LINE)
    spot = replace(spot, ply=max(spot.ply, course.dealt))
    try:
        positions = course.cut(spot.ply, spot.line).positions()
    except dvonn.IllegalMoveError as error:
        raise NoSuchPly from error
    return ReplayView(spot, course, tuple(positions), game)


def pack(moves: Iterable[dvonn.Move]) -> str:
    """Return moves as characters of an id: letters, digits, "-" and "_".

    A move is two of them: its source and its target, each one of 49 points, as one number of two
    digits to the base 64. A placement has its target as its source.
    """
    return "".join(map(_packed, moves))


def unpack(text: str) -> tuple[dvonn.Move, ...]:
    """Return the moves of a text that `pack` has made. Raise NoSuchPly for any other text."""
    if len(text) % _PER_MOVE:
        raise NoSuchPly
    try:
        return tuple(_unpacked(text[at : at + _PER_MOVE]) for at in range(0, len(text), _PER_MOVE))
    except ValueError as error:
        raise NoSuchPly from error


def _packed(move: dvonn.Move) -> str:
    source = dvonn.POINTS.index(move.source or move.target)
    high, low = divmod(source * len(dvonn.POINTS) + dvonn.POINTS.index(move.target), len(_DIGITS))
    return _DIGITS[high] + _DIGITS[low]


def _unpacked(two: str) -> dvonn.Move:
    number = _DIGITS.index(two[0]) * len(_DIGITS) + _DIGITS.index(two[1])
    source, target = divmod(number, len(dvonn.POINTS))
    if source >= len(dvonn.POINTS):
        raise ValueError(f"no move: {two!r}")
    return dvonn.Move(
        target=dvonn.POINTS[target], source=None if source == target else dvonn.POINTS[source]
    )
