"""The machine's thoughts on a position, in the form for the rest of the bot."""

from dataclasses import dataclass

from dvonn import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """One possible continuation of a game.

    Attributes:
        moves: The best play found for both sides. The first move is the player to move's.
        white_wins: White's chance to win after it, 0 to 1, or None if unknown.
        margin: White's lead in pieces at the end with best play, negative if behind, or None if not
            proven.
    """

    moves: tuple[Move, ...]
    white_wins: float | None = None
    margin: int | None = None
