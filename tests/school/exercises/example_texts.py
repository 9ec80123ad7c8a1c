"""Examples of exercise texts."""

from dataclasses import replace

from dvonn import Point, Position, position_from_text
from dvonn.puzzles import load
from renderer import Arrows
from school.exercises.model import ExerciseState
from school.exercises.words import ExerciseView, exercise, exercise_as_text, exercise_form
from tests.bot.play.example_texts import ExampleTexts

PUZZLE = load()[0]
SPOT = ExerciseState("puzzle", PUZZLE.id)
MOVING = ExerciseView(state=SPOT, lines=(), position=PUZZLE.position)
PLACING = ExerciseView(state=SPOT, lines=(), position=Position.initial())
TOLD = ExerciseView(
    state=SPOT,
    lines=(),
    position=PUZZLE.position,
    marks=Arrows(played=PUZZLE.solution[0]),
    asks=False,
)
CROWD = replace(
    MOVING,
    position=position_from_text("WWWWWWWWW/WBBBBBBBBW/WBBBRRRBBBW/WBBBBBBBBW/WWWWWWWWB W move"),
)
"""A board with more movable stacks than there is room for buttons."""
VIEWS = (MOVING, PLACING, TOLD, CROWD)


def stack() -> Point:
    """Return a movable stack."""
    source = PUZZLE.solution[0].source
    assert source is not None
    return source


EXAMPLE_TEXTS: ExampleTexts = {
    "exercise": lambda who: [
        *(exercise(who, view, by_typing=by) for view in VIEWS for by in (False, True)),
        exercise(who, MOVING, chosen=stack()),
        exercise(who, replace(MOVING, choices=PUZZLE.solution[:1]), chosen=stack()),
        exercise(who, CROWD),
        exercise(who, CROWD, picking=True),
    ],
    "exercise_as_text": lambda who: [exercise_as_text(who, view) for view in VIEWS],
    "exercise_form": lambda who: [exercise_form(who, item) for item in (MOVING, PLACING)],
}
