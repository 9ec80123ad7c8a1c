"""The remarks of the machine's character in a game, derived from the moves alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.play.model.game import AutoMoveReason, Game, Ply
from bot.play.model.preferences import OwnSwitch
from dvonn import Phase, Position
from dvonn_lessons.remarks import DecisiveCut, Remark, find_decisive_cut, remark_on

COMPANION: Final = OwnSwitch("companion", default=True)
"""Setting: let the machine's character comment on the player's moves."""
_LIMIT: Final = 3
"""Maximum number of remarks per game."""
_GENTLE: Final = range(1, 7)
"""Levels at which the character also points out costly moves."""


@dataclass(frozen=True, slots=True)
class PlacedRemark:
    """A remark, and the number of plies played before the move that it is about."""

    plies: int
    remark: Remark


def speaks(game: Game) -> bool:
    """Return True if the character comments on a game's moves."""
    return game.row.is_solo and not game.row.rated and game.row.level is not None


def newest_remark(game: Game) -> PlacedRemark | None:
    """Return the remark to show with the machine's latest move, or None.

    The remark is about the player's move before that one.
    """
    line, machine = game.line, game.row.machine
    if not speaks(game) or len(line) - game.settled < _TURN or line[-1].actor != machine:
        return None
    positions = positions_of(game)
    remark = _remark(game, positions, len(line) - _TURN)
    if remark is None:
        return None
    earlier = _earlier(game, positions, remark.plies)
    is_new = all(other.remark.idea is not remark.remark.idea for other in earlier)
    return remark if is_new and len(earlier) < _LIMIT else None


def remark_at(game: Game, plies: int) -> PlacedRemark | None:
    """Return the remark on the move played after `plies` plies, or None."""
    if not speaks(game) or not game.settled <= plies < len(game.line):
        return None
    return _remark(game, positions_of(game), plies)


def decisive_cut(game: Game) -> DecisiveCut | None:
    """Return the cut that decided an ended game, or None."""
    if not speaks(game) or game.is_running:
        return None
    return find_decisive_cut(positions_of(game), (ply.move for ply in _plies(game)))


def positions_of(game: Game) -> list[Position]:
    """Return the position before each ply since the game's start position, and the last one."""
    positions = [game.base]
    for ply in _plies(game):
        positions.append(positions[-1].play(ply.move))
    return positions


_TURN: Final = 2
"""Number of plies in a turn: the player's move and the machine's reply."""


def _plies(game: Game) -> Sequence[Ply]:
    return game.line[game.settled :]


def _earlier(game: Game, positions: Sequence[Position], before: int) -> list[PlacedRemark]:
    """Return the remarks made before a ply: each idea once, and at most `_LIMIT`."""
    remarks: dict[str, PlacedRemark] = {}
    for plies in range(game.settled, before):
        if len(remarks) == _LIMIT:
            break
        if (remark := _remark(game, positions, plies)) is not None:
            remarks.setdefault(remark.remark.idea, remark)
    return list(remarks.values())


def _remark(game: Game, positions: Sequence[Position], plies: int) -> PlacedRemark | None:
    """Return a remark on a player's move that the machine has answered, or None."""
    ply, before = game.line[plies], positions[plies - game.settled]
    reply = game.line[plies + 1] if plies + 1 < len(game.line) else None
    if before.phase is not Phase.MOVEMENT or reply is None:
        return None
    is_own = ply.actor != game.row.machine and ply.reason is not AutoMoveReason.ONLY
    if not is_own or reply.actor != game.row.machine:
        return None
    remark = remark_on(before, ply.move, reply.move)
    if remark is None or (not remark.idea.is_praise and game.row.level not in _GENTLE):
        return None
    return PlacedRemark(plies, remark)
