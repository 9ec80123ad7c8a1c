"""The machine's thoughts on a position, as the rest of the bot is told of them."""

from dataclasses import dataclass

from dvonn import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """A way in which play may go on.

    Attributes:
        moves: the best play of both that was found; the first is of the player to move.
        white_wins: White's chance to win after it, 0 to 1; None where that is not known.
        margin: the pieces by which White is ahead at the end with best play, negative behind; None
            where that is not proven.
    """

    moves: tuple[Move, ...]
    white_wins: float | None = None
    margin: int | None = None
