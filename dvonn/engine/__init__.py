"""The machine player: it chooses moves, and says what positions are worth.

Importing this package loads nothing but the game. What is asked for loads numba, which takes some
tenths of a second, and some seconds where nothing has been compiled yet; so ask in a process of its
own where others wait.
"""

from dvonn import Move, Position
from dvonn.engine.results import Analysis, EngineMissingError, Line

__all__ = ["Analysis", "EngineMissingError", "Line", "analyse", "choose"]

_PACKAGES = frozenset({"llvmlite", "numba", "numpy"})


def choose(position: Position, *, level: int, seed: int = 0) -> Move:
    """The move that a player of a level plays.

    Args:
        position: of any phase but over.
        level: 1 for a beginner to 8.
        seed: of what is left to chance; the same one, the same move.

    Raises:
        EngineMissingError: if numba or numpy is not installed.
        ValueError: if there is no such level, or the game is over.
    """
    try:
        from dvonn.engine.levels import player_at  # noqa: PLC0415 - it loads numba
    except ModuleNotFoundError as error:
        raise _explained(error) from error
    return player_at(level, seed).choose(position)


def analyse(position: Position, *, nodes: int = 300_000, lines: int = 3) -> Analysis:
    """What a position of the movement phase is worth, and how play should go on.

    Args:
        position: of the movement phase.
        nodes: how many positions to look at, all in all.
        lines: how many first moves to tell of, at most.

    Raises:
        EngineMissingError: if numba or numpy is not installed.
        ValueError: if the position is not of the movement phase.
    """
    try:
        from dvonn.engine import analysis  # noqa: PLC0415 - it loads numba
    except ModuleNotFoundError as error:
        raise _explained(error) from error
    return analysis.analyse(position, nodes=nodes, lines=lines)


def _explained(error: ModuleNotFoundError) -> Exception:
    package = (error.name or "").partition(".")[0]
    return EngineMissingError(package) if package in _PACKAGES else error
