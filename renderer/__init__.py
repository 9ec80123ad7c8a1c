"""Pictures of DVONN: a position in, PNG bytes or a text for blind players out."""

from renderer.lessons import LESSONS, Lesson
from renderer.marks import Marks
from renderer.picture import render, warm_up
from renderer.theme import DEFAULT, Theme
from renderer.twin import describe
from renderer.words import ENGLISH, PerColor, Words

__all__ = [
    "DEFAULT",
    "ENGLISH",
    "LESSONS",
    "Lesson",
    "Marks",
    "PerColor",
    "Theme",
    "Words",
    "describe",
    "render",
    "warm_up",
]
