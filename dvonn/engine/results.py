"""Immutable results of the engine, importable without numba."""

from typing import Final

from dvonn import Move
from dvonn._rules.errors import DvonnError
from dvonn._rules.frozen import Value

PACKAGES: Final = frozenset({"llvmlite", "numba", "numpy"})
"""Packages that are needed to compile the engine."""


class EngineMissingError(DvonnError):
    """A call needed the engine, but numba or numpy is not installed.

    These packages come with the extra `engine` of this project.

    Attributes:
        package: Name of the missing package.
    """

    def __init__(self, package: str) -> None:
        super().__init__(package)
        self.package = package

    def __str__(self) -> str:
        return f"the machine player needs {self.package}: python -m pip install numba numpy"


class ReviewStoppedError(Exception):
    """A review was stopped before it was finished."""


class Line(Value, kw_only=True):
    """A line of play, and its value to the player to move.

    Attributes:
        moves: The best known play for both sides. The player to move makes the first move.
        win_probability: Winning chance, 0 to 1. A draw counts half.
        margin: Expected lead at the end in pieces, negative if they are behind.
        exact: True if the margin is proven. The probability is then 0, 0.5 or 1.
    """

    moves: tuple[Move, ...]
    win_probability: float
    margin: float
    exact: bool


class Analysis(Value, kw_only=True):
    """The value of a position.

    Attributes:
        lines: The lines that begin with the best first moves, best first.
        nodes: Number of positions searched.
    """

    lines: tuple[Line, ...]
    nodes: int

    @property
    def best(self) -> Line:
        """The line with the best first move."""
        return self.lines[0]
