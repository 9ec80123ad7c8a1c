"""Knowledge of the rules that players already have, so that boards need not repeat it."""

from dataclasses import dataclass
from typing import Final

NEWCOMER_GAMES: Final = 3
"""Number of games during which the boards of a new player explain the rules."""


@dataclass(frozen=True, slots=True)
class Familiarity:
    """The players' knowledge. By default, they know nothing yet."""

    rules: bool = False
    """True if each of them has played several games."""
    character: bool = False
    """True if the machine's opponent has played its character before."""


NEWCOMERS: Final = Familiarity()
