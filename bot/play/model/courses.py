"""Courses that are looked at again: of a game, or of a record that was pasted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Final

from bot.play.model.game import Game
from bot.play.model.openings import placed_by_lot
from bot.play.model.outcome import How, Outcome
from bot.play.model.terms import Start
from dvonn import (
    POINTS,
    Coordinates,
    GameRecord,
    Move,
    Position,
    finish_placement,
)
from dvonn.record import RESULT, TERMINATION, WON_BY

_UNKNOWN: Final = "?"
"""Name in a record of a player whose name is not known."""
_HINTS: Final = "agreed"
"""Remark in a record on hints between people who have agreed on them."""


@dataclass(frozen=True, slots=True)
class Course:
    """Moves from a position on, one after the other."""

    start: Position
    moves: tuple[Move, ...]
    coordinates: Coordinates = Coordinates.STANDARD
    """Names of spaces."""

    @property
    def plies(self) -> int:
        return len(self.moves)

    def cut(self, ply: int, line: Iterable[Move] = ()) -> "Course":
        """Return the course up to a ply, and on with other moves."""
        return Course(self.start, (*self.moves[:ply], *line), self.coordinates)

    def positions(self) -> list[Position]:
        """Return the start, and the position after each move.

        Raises:
            IllegalMoveError: if the rules refuse one of the moves.
        """
        positions = [self.start]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions

    def numbers(self) -> range:
        """Return the numbers of the moves: a position within a game counts from there."""
        return range(self.start.plies + 1, self.start.plies + len(self.moves) + 1)


def course_of(game: Game) -> Course:
    """Return all placements and moves of a game that stand, also those by lot."""
    return Course(Position.initial(), all_moves(game), game.row.coordinates)


def first_ply(game: Game) -> int:
    """Count the plies before a game's players came to it: a ready-made board was there."""
    is_ready_made = game.made_from is not None and game.row.start is not Start.PLACEMENT
    return len(POINTS) if is_ready_made else 0


def record_of(
    game: Game, *, white: str = "", black: str = "", began: datetime | None = None
) -> GameRecord:
    """Return a game as a record.

    Args:
        game: As it stands, ended or not.
        white: White's name; empty where it is not known.
        black: Black's name.
        began: When it began.
    """
    headers = {"White": white or _UNKNOWN, "Black": black or _UNKNOWN}
    if began is not None:
        headers["Date"] = f"{began:%Y.%m.%d}"
    if game.shares_hints:
        headers["Hints"] = _HINTS
    headers |= _ending(game.outcome)
    return GameRecord(all_moves(game), headers, game.row.coordinates)


def _ending(outcome: Outcome | None) -> Mapping[str, str]:
    """Return the headers of a record for an end that its moves do not tell."""
    if outcome is None or outcome.how is How.COUNT:
        return {}
    termination = {TERMINATION: outcome.how.value}
    if not outcome.has_result:
        return termination
    return {RESULT: WON_BY[outcome.winner], **termination}


def in_common(one: Iterable[Move], other: Iterable[Move]) -> int:
    """Count the moves with which two courses begin alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))


def all_moves(game: Game) -> tuple[Move, ...]:
    """Return all placements and moves since the empty board, also at random: a record's moves."""
    placed = [ply.move for ply in game.line[: game.settled]]
    start, seed = game.row.start, game.made_from
    if seed is not None and start is Start.PLACEMENT:  # the players agreed to leave the rest
        placed += finish_placement(_after(placed), seed)
    elif seed is not None:
        placed += placed_by_lot(Start.BALANCED if start is Start.PIE else start, seed)
    return (*placed, *(ply.move for ply in game.line[game.settled :]))


def _after(moves: Iterable[Move]) -> Position:
    position = Position.initial()
    for move in moves:
        position = position.play(move)
    return position


def placed_by_players(game: Game) -> int:
    """Count a game's first placements that its players have made; 0 to 49."""
    return sum(ply.move.source is None for ply in game.line)
