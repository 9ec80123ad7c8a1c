"""The settings of a picture's look: colors, texts, orientation and width."""

from dataclasses import dataclass
from typing import Final

from dvonn.svg.theme import Theme
from dvonn.svg.themes import WOOD
from renderer.words import ENGLISH, Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Settings that change how a given position is rendered.

    Attributes:
        theme: The colors.
        words: The texts above the board.
        turned: True to rotate the board by 180 degrees, so that Black's side is at the bottom.
        width_px: Width, 300 to 2400. The height depends on it.
    """

    theme: Theme = WOOD
    words: Words = ENGLISH
    turned: bool = False
    width_px: int = 1100


DEFAULT: Final = Look()
