"""An excerpt of a game, from one position to a later one, for animations and replays."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Self

from dvonn import Color, Coordinates, GameRecord, Move, Phase, Position
from dvonn._records.record_text import WON_BY
from renderer.caption import NO_CAPTION, Caption, Ending

_WINNERS: Final = {result: color for color, result in WON_BY.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reel:
    """Consecutive positions, the moves between them, and the players.

    Attributes:
        positions: The first position and the position after each move.
        moves: The moves, one fewer than the positions.
        coordinates: Coordinate system of the names of spaces.
        caption: The players' names and the ending. The counts are derived from the positions.
    """

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    coordinates: Coordinates = Coordinates.STANDARD
    caption: Caption = NO_CAPTION

    @classmethod
    def from_record(cls, record: GameRecord, *, first: int = 0) -> Self:
        """Return a record, or its later part, as a reel.

        The players' names and the ending come from the record's headers.

        Args:
            record: The game.
            first: Number of moves before the first position, for example 49 for a full board.

        Raises:
            ValueError: if the game has fewer moves.
        """
        if not 0 <= first <= len(record.moves):
            raise ValueError(f"a game of {len(record.moves)} moves cannot begin after {first}")
        return cls(
            positions=record.positions()[first:],
            moves=record.moves[first:],
            coordinates=record.coordinates,
            caption=_caption(record),
        )

    @classmethod
    def line(
        cls,
        start: Position,
        moves: Iterable[Move],
        *,
        coordinates: Coordinates = Coordinates.STANDARD,
        caption: Caption = NO_CAPTION,
    ) -> Self:
        """Return a reel of moves played from a position.

        Raises:
            IllegalMoveError: if a move is illegal.
        """
        positions, played = [start], tuple(moves)
        for move in played:
            positions.append(positions[-1].play(move))
        return cls(
            positions=tuple(positions), moves=played, coordinates=coordinates, caption=caption
        )

    @property
    def scores(self) -> tuple[tuple[int, int], ...]:
        """White's and Black's counts since the board was full, for `Caption.scores`."""
        return tuple(
            (position.score(Color.WHITE), position.score(Color.BLACK))
            for position in self.positions
            if position.phase is not Phase.PLACEMENT
        )

    def steps(self) -> Iterator[tuple[Position, Move | None]]:
        """Yield each position with the move that led to it, or None for the first."""
        return zip(self.positions, (None, *self.moves), strict=True)


def reel_of(game: GameRecord | Reel) -> Reel:
    """Return a game as a reel. A record is converted as a whole."""
    return game if isinstance(game, Reel) else Reel.from_record(game)


def _caption(record: GameRecord) -> Caption:
    headers, ending = record.headers, None
    with suppress(ValueError):
        ending = Ending(headers.get("Termination", ""))
    winner = _WINNERS.get(record.result)
    if ending in (Ending.RESIGNATION, Ending.TIME) and winner is None:
        ending = None  # a player resigned, but the record does not say which
    return Caption(
        white=headers.get("White", ""),
        black=headers.get("Black", ""),
        ending=ending,
        winner=winner,
    )
