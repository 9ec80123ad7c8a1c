"""Pictures of DVONN: a position in, PNG bytes or a text for blind players out."""

from renderer.caption import NO_CAPTION, Caption, Ending
from renderer.lessons import LESSONS, Lesson
from renderer.look import DEFAULT, Look
from renderer.marks import Marks
from renderer.picture import render, warm_up
from renderer.sheet import render_boards
from renderer.theme import SLATE, PieceColours, Theme
from renderer.twin import describe, describe_boards
from renderer.words import ENGLISH, PerColor, Words

__all__ = [
    "DEFAULT",
    "ENGLISH",
    "LESSONS",
    "NO_CAPTION",
    "SLATE",
    "Caption",
    "Ending",
    "Lesson",
    "Look",
    "Marks",
    "PerColor",
    "PieceColours",
    "Theme",
    "Words",
    "describe",
    "describe_boards",
    "render",
    "render_boards",
    "warm_up",
]
