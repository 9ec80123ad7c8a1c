"""Pictures of DVONN: a position in, PNG bytes or a text for blind players out."""

from renderer.picture import render
from renderer.theme import DEFAULT, Theme
from renderer.twin import describe
from renderer.words import ENGLISH, PerColor, Words

__all__ = ["DEFAULT", "ENGLISH", "PerColor", "Theme", "Words", "describe", "render"]
