"""A line tried on the private board of a running game, to be kept."""

from dataclasses import dataclass

from bot.base.ids import UserId
from bot.play.model.ahead.tree import Line, Own, line_along
from bot.play.model.courses import Seen
from dvonn import Move


@dataclass(frozen=True, slots=True)
class Tried:
    """A line that can be kept."""

    now: tuple[Move, ...]
    """The moves to play at once, where it is the player's turn."""
    later: Line
    """The moves planned for later; at least one answer."""


def may_keep(seen: Seen, user: UserId) -> bool:
    """Tell whether a player's spot is tried from the board of their running game on."""
    game = seen.game
    if game is None or game.seat(user) is None or not game.is_running:
        return False
    return seen.spot.ply == seen.course.plies


def line_tried(seen: Seen, user: UserId) -> Tried | None:
    """Return the line that is tried at a spot, from the board of a running game on.

    Returns:
        None where it cannot be kept: another's game, an older board, or no answer of the user's
        own to anything.
    """
    game = seen.game
    own = None if game is None else game.seat(user)
    if game is None or own is None or not may_keep(seen, user):
        return None
    line = line_along(seen.spot.line, game.position, own)
    first = next((at for at, one in enumerate(line) if not isinstance(one, Own)), len(line))
    later = line[first:]
    while later and not isinstance(later[-1], Own):
        later = later[:-1]
    return Tried(seen.spot.line[:first], later) if later else None
