"""The results of the engine: plain frozen values, importable without numba."""

from dvonn import Move
from dvonn.frozen import Value


class EngineMissingError(Exception):
    """A call needed the engine, but numba or numpy is not installed.

    They come with the extra `engine` of this project.

    Attributes:
        package: Name of the missing package.
    """

    def __init__(self, package: str) -> None:
        super().__init__(package)
        self.package = package

    def __str__(self) -> str:
        return f"the machine player needs {self.package}: python -m pip install numba numpy"


class ReviewStoppedError(Exception):
    """A review was told to stop before it was finished."""


class Line(Value, kw_only=True):
    """A line of play and its value, as the player to move sees it.

    Attributes:
        moves: the best play of both that was found, as far as it is known; the first is theirs.
        win_probability: 0 to 1; a draw counts half.
        margin: the pieces they are expected to be ahead by at the end; negative behind.
        exact: whether the margin is proven; then the probability is 0, 0.5 or 1.
    """

    moves: tuple[Move, ...]
    win_probability: float
    margin: float
    exact: bool


class Analysis(Value, kw_only=True):
    """The value of a position.

    Attributes:
        lines: the best first moves, the best first.
        nodes: how many positions were looked at.
    """

    lines: tuple[Line, ...]
    nodes: int

    @property
    def best(self) -> Line:
        """The best of the lines."""
        return self.lines[0]
