"""The engine's results for a position, as types for the rest of the bot."""

from dataclasses import dataclass

from dvonn import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """One possible continuation.

    Attributes:
        moves: The best line of play found for both sides. The player to move makes the first move.
        white_wins: White's winning chance after these moves, from 0 to 1, or None if unknown.
        margin: White's lead in pieces at the end under best play, negative if behind. None if it is
            not proven.
    """

    moves: tuple[Move, ...]
    white_wins: float | None = None
    margin: int | None = None
