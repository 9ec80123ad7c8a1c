"""The games in which the machine gives hints, and what it refuses."""

from dataclasses import dataclass
from enum import Enum, auto

from bot.base.errors import PlayError
from bot.play.model.game import Game


class HintProblem(Enum):
    """Reasons why the machine is not asked about a position."""

    NO_MACHINE = auto()
    """It is switched off here."""
    OVER = auto()
    """Nobody has a move."""
    TEAM = auto()
    """A team finds its moves by itself."""
    RATED = auto()
    """A hint is wanted in a rated game."""
    NOT_AGREED = auto()
    """A hint is wanted in a game between people who have not agreed on hints."""


@dataclass(eq=False)
class NoHint(PlayError):  # noqa: N818
    """The machine is asked what it does not say, whoever is playing."""

    problem: HintProblem


def check_hint(game: Game) -> None:
    """See that the player to move may ask for hints.

    Raises:
        NoHint: if they may not, and why.
    """
    if game.row.vote is not None:
        raise NoHint(HintProblem.TEAM)
    if game.row.rated:
        raise NoHint(HintProblem.RATED)
    if not game.gives_hints:
        raise NoHint(HintProblem.NOT_AGREED)
