"""The private view of an exercise: a board, what to do, and the ways to answer."""

from dataclasses import dataclass, replace

from bot.base.languages import Reader
from bot.connection.posts import CONTENT_LIMIT, Button, FormWords, Post, Select
from bot.features.exercises.model import LONGEST_LINE, ExerciseSpot
from bot.play.words.begin_form import play_from_here
from bot.play.words.picker import landing_buttons, space_lists, stack_list
from bot.play.words.pictures import is_turned, picture, position_as_text
from dvonn import Color, Coordinates, Move, Phase, Point, Position, format_move
from renderer import Marking, Marks

_HERE = Coordinates.STANDARD
"""The names of spaces for readers who have not chosen."""
PREFIX = "dvonn:do:"
"""The beginning of the ids of all parts of such a view."""
FROM = "from"
"""The action by which people play from where an exercise begins."""


def exercise_id(spot: ExerciseSpot, action: str) -> str:
    """Return the id of a part of an exercise's view.

    The action `at` shows the spot, `play` answers with its last move, `type` opens a form, `text`
    tells the board in words, `from` lets people play from it, `stack` and `space0` are lists. Any
    other, of up to eight letters, is the exercise's own.
    """
    return f"{PREFIX}{spot.text}:{action}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseView:
    """The content of a shown exercise.

    Attributes:
        spot: answers go on from there.
        lines: what is said above the board, what to do last.
        last: the move that led there, if it is to be seen.
        marks: what is marked instead.
        lists: whether all that can be played is offered; else the buttons have what to choose from.
        leads: lists of where else to go, named `go0` and `go1`; their values are keys.
        plays: the colour of the reader, whose side of the board may be at the bottom.
    """

    spot: ExerciseSpot
    lines: tuple[str, ...]
    position: Position
    last: Move | None = None
    marks: Marking | None = None
    asks: bool = True
    lists: bool = True
    buttons: tuple[Button, ...] = ()
    leads: tuple[Select, ...] = ()
    plays: Color | None = None


def exercise(
    reader: Reader, view: ExerciseView, *, chosen: Point | None = None, by_typing: bool = False
) -> Post:
    """Return an exercise as the person who does it sees it."""
    spot, position = view.spot, view.position
    lines, marks, buttons = list(view.lines), view.marks, _ways(reader, view)
    if chosen is not None:
        marks = Marks.of(position, chosen)
        where = reader.gettext("{stack} can go to:")
        lines.append(where.format(stack=reader.naming(_HERE).label(chosen)))
        buttons = landing_buttons(
            reader,
            position,
            chosen,
            _HERE,
            go=lambda move: exercise_id(spot.then(move), "play"),
            back=exercise_id(spot, "at"),
        )
    elif view.asks and by_typing:
        lines.append(reader.gettext("Type your move, or choose below."))
    return Post(
        content="\n".join(lines)[:CONTENT_LIMIT],
        picture=picture(
            reader,
            f"{spot.exercise}-{spot.key}-{len(spot.line)}.png",
            position,
            reader.naming(_HERE),
            last=view.last,
            marks=marks,
            seen_in=view.plays,
        ),
        selects=(*_choices(reader, view, chosen), *view.leads),
        buttons=buttons,
    )


def exercise_form(reader: Reader, view: ExerciseView) -> FormWords:
    return FormWords(
        reader.gettext("Your answer"),
        reader.gettext("A space")
        if view.position.phase is Phase.PLACEMENT
        else reader.gettext("From and to"),
        reader.gettext("e.g. {example}").format(
            example=format_move(view.position.legal_moves()[0], reader.naming(_HERE))
        ),
    )


def exercise_as_text(reader: Reader, view: ExerciseView) -> Post:
    """Return the board in words and as a diagram, for who cannot see the picture."""
    words = position_as_text(
        reader,
        view.position,
        reader.naming(_HERE),
        last=view.last,
        marks=view.marks,
        turned=is_turned(reader, view.plays),
    )
    return Post(content=words[:CONTENT_LIMIT])


def _choices(reader: Reader, view: ExerciseView, chosen: Point | None) -> tuple[Select, ...]:
    """Lists to choose an answer from: stacks that can move, or free spaces."""
    spot, position = view.spot, view.position
    asks = view.asks and view.lists
    if not asks or position.phase is Phase.OVER or len(spot.line) >= LONGEST_LINE:
        return ()
    if position.phase is Phase.PLACEMENT:
        return space_lists(
            reader,
            lambda number: exercise_id(spot, f"space{number}"),
            position,
            _HERE,
            turned=is_turned(reader, view.plays),
        )
    return (stack_list(reader, exercise_id(spot, "stack"), position, _HERE, chosen),)


def _ways(reader: Reader, view: ExerciseView) -> tuple[Button, ...]:
    ways = [*view.buttons, Button(reader.gettext("Board as text"), exercise_id(view.spot, "text"))]
    if not view.asks and not view.leads:
        start = exercise_id(replace(view.spot, line=()), FROM)
        ways.append(Button(play_from_here(reader), start))
    if view.asks:
        ways.insert(0, Button(reader.gettext("Type a move"), exercise_id(view.spot, "type")))
    return tuple(ways)
