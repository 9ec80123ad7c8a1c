"""Pictures of DVONN positions, and descriptions of them for blind players."""

from dvonn.svg.theme import PiecePalette, Theme
from dvonn.svg.themes import SLATE, THEMES, WOOD
from renderer.animation import animate
from renderer.caption import NO_CAPTION, Caption, Ending
from renderer.chart_text_twin import describe_chart, turning_points
from renderer.collection import collection
from renderer.look import DEFAULT, Look
from renderer.marks import Arrows, Heat, Marking, Marks
from renderer.picture import render, warm_up
from renderer.puzzle_chart import Step, describe_progress, progress
from renderer.rating_chart import Curve, RatedPoint, describe_curves, rating_curves
from renderer.reel import Reel
from renderer.replay import replay_page
from renderer.review_chart import chart
from renderer.rules_pictures import LESSONS, Lesson
from renderer.standings_table import (
    PAGE_ROWS,
    Cell,
    RoundResult,
    StandingsRow,
    StandingsTable,
    TieBreak,
    describe_standings,
    standings,
)
from renderer.text_twin import describe, described_stack, stack_facts
from renderer.theme_sheet import describe_themes, theme_sheet
from renderer.vector import svg
from renderer.words import ENGLISH, PerColor, Words

__all__ = [
    "DEFAULT",
    "ENGLISH",
    "LESSONS",
    "NO_CAPTION",
    "PAGE_ROWS",
    "SLATE",
    "THEMES",
    "WOOD",
    "Arrows",
    "Caption",
    "Cell",
    "Curve",
    "Ending",
    "Heat",
    "Lesson",
    "Look",
    "Marking",
    "Marks",
    "PerColor",
    "PiecePalette",
    "RatedPoint",
    "Reel",
    "RoundResult",
    "StandingsRow",
    "StandingsTable",
    "Step",
    "Theme",
    "TieBreak",
    "Words",
    "animate",
    "chart",
    "collection",
    "describe",
    "describe_chart",
    "describe_curves",
    "describe_progress",
    "describe_standings",
    "describe_themes",
    "described_stack",
    "progress",
    "rating_curves",
    "render",
    "replay_page",
    "stack_facts",
    "standings",
    "svg",
    "theme_sheet",
    "turning_points",
    "warm_up",
]
