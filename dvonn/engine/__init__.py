"""The machine player: it chooses moves and evaluates positions.

Importing this package loads only the rules. The first function call loads numba, which takes some
tenths of a second, or several seconds if nothing has been compiled yet. If other work must not be
delayed, call these functions in a separate process.

Without numba, `choose` plays the levels in `dvonn.machine.INTERPRETED`, and `analyse` searches at
most `INTERPRETED_NODES` positions, with the same results. Everything else requires numba.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from dvonn import Move, Point, Position
from dvonn._rules.errors import DvonnError
from dvonn.engine.results import PACKAGES, Analysis, EngineMissingError, Line, ReviewStoppedError
from dvonn.machine import INTERPRETED, INTERPRETED_NODES, VERSION

if TYPE_CHECKING:
    from dvonn import GameRecord, Review

__all__ = [
    "VERSION",
    "Analysis",
    "EngineMissingError",
    "Line",
    "ReviewStoppedError",
    "analyse",
    "choose",
    "free_points",
    "review",
]

_POINT_SAMPLES: Final = 8_000


def choose(position: Position, *, level: int, seed: int = 0, seconds: float | None = None) -> Move:
    """Return the move that a player of a given level makes.

    Args:
        position: An unfinished position.
        level: One of `dvonn.machine.LEVELS`, 1 for a beginner.
        seed: Seed of random choices. The same seed gives the same move, unless a time limit ends
            the search.
        seconds: Time limit for a movement, or None for the level's own limit. A placement takes
            a few hundredths of a second.

    Raises:
        EngineMissingError: if numba or numpy is not installed and the level needs them.
        DvonnError: if there is no such level, the game is over, or the time is zero.
    """
    _check(seconds)
    try:
        from dvonn.engine.backend import require_compiled  # noqa: PLC0415 - it loads numba
        from dvonn.engine.player import player_at  # noqa: PLC0415 - as above

        player = player_at(level, seed)
        if level not in INTERPRETED:
            require_compiled()
    except ModuleNotFoundError as error:
        raise _explained(error) from error
    return player.choose(position, seconds)


def analyse(
    position: Position, *, nodes: int = 300_000, lines: int = 3, seconds: float | None = None
) -> Analysis:
    """Return a position's value and the best lines of play.

    Args:
        position: An unfinished position. In the placement phase, a line is a single placement.
        nodes: Maximum total number of positions to search. In the placement phase, at most 8,000
            are used.
        lines: Maximum number of first moves to return.
        seconds: Time limit in the movement phase, or None for no limit.

    Raises:
        EngineMissingError: if numba or numpy is not installed and `nodes` is more than
            `dvonn.machine.INTERPRETED_NODES`.
        DvonnError: if the game is over, the time is zero, or `nodes` or `lines` is less than 1.
    """
    _check(seconds)
    for name, number in (("nodes", nodes), ("lines", lines)):
        if number < 1:
            raise DvonnError(f"{name} must be at least 1: {number}")
    try:
        from dvonn.engine import analysis  # noqa: PLC0415 - it loads numba
        from dvonn.engine.backend import require_compiled  # noqa: PLC0415 - as above

        if nodes > INTERPRETED_NODES:
            require_compiled()
    except ModuleNotFoundError as error:
        raise _explained(error) from error
    return analysis.analyse(position, nodes=nodes, lines=lines, seconds=seconds)


def free_points(position: Position) -> Mapping[Point, float]:
    """Return the value of each free point to the player who places next, in row order.

    The value is the player's winning chance (0 to 1) after placing there, minus the mean over all
    free points. So about half of the values are negative.

    Raises:
        EngineMissingError: if numba or numpy is not installed.
        DvonnError: if the position is not in the placement phase.
    """
    try:
        from dvonn.engine.backend import require_compiled  # noqa: PLC0415 - as above
        from dvonn.engine.placement_worth import outlook  # noqa: PLC0415 - it loads numba

        require_compiled()
    except ModuleNotFoundError as error:
        raise _explained(error) from error
    return outlook(position, samples=_POINT_SAMPLES).points


def review(
    record: "GameRecord",
    *,
    nodes: int = 100_000,
    placements: int | None = None,
    closer: bool = False,
    stopped: Callable[[], bool] = lambda: False,
) -> "Review":
    """Review a game move by move.

    The same record always gives the same review.

    Args:
        record: The game, finished or not.
        nodes: Number of positions to search for each move. At 100,000 a game takes about a second.
        placements: Number of initial placements that the players chose themselves: 0 if the game
            started on a full board, fewer than all if the rest was random. None means all.
        closer: True to search ten times as many nodes in undecided positions, which takes 20
            seconds.
        stopped: Called every few hundredths of a second (at 100,000 nodes). The review ends if it
            returns True.

    Raises:
        EngineMissingError: if numba or numpy is not installed.
        ReviewStoppedError: if `stopped` returned True.
        DvonnError: if nodes is less than 1.
    """
    try:
        from dvonn.engine import reviewing  # noqa: PLC0415 - it loads numba
        from dvonn.engine.backend import require_compiled  # noqa: PLC0415 - as above

        require_compiled()
    except ModuleNotFoundError as error:
        raise _explained(error) from error
    return reviewing.review(
        record, nodes=nodes, placements=placements, closer=closer, stopped=stopped
    )


def _check(seconds: float | None) -> None:
    if seconds is not None and not seconds > 0:  # also catches NaN
        raise DvonnError(f"seconds must be more than 0: {seconds}")


def _explained(error: ModuleNotFoundError) -> Exception:
    package = (error.name or "").partition(".")[0]
    return EngineMissingError(package) if package in PACKAGES else error
