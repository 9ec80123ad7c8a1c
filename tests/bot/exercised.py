"""What exercises and puzzles say, as functions of whoever reads it."""

from collections.abc import Callable

from bot import messages
from bot.locales import Reader
from bot.messages import ExerciseView
from bot.model.exercises import ExerciseSpot
from dvonn import Point, Position
from dvonn.puzzles import load
from renderer import Arrows

PUZZLE = load()[0]
SPOT = ExerciseSpot("puzzle", PUZZLE.id)
MOVING = ExerciseView(spot=SPOT, lines=(), position=PUZZLE.position)
PLACING = ExerciseView(spot=SPOT, lines=(), position=Position.initial())
TOLD = ExerciseView(
    spot=SPOT,
    lines=(),
    position=PUZZLE.position,
    marks=Arrows(played=PUZZLE.solution[0]),
    asks=False,
)
VIEWS = (MOVING, PLACING, TOLD)


def stack() -> Point:
    """One that can move."""
    source = PUZZLE.solution[0].source
    assert source is not None
    return source


SAID: dict[str, Callable[[Reader], object]] = {
    "exercise": lambda who: [
        *(messages.exercise(who, view, by_typing=by) for view in VIEWS for by in (False, True)),
        messages.exercise(who, MOVING, chosen=stack()),
    ],
    "exercise_as_text": lambda who: [messages.exercise_as_text(who, view) for view in VIEWS],
    "exercise_form": lambda who: [messages.exercise_form(who, one) for one in (MOVING, PLACING)],
}
