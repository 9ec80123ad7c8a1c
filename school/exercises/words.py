"""The private view of an exercise: a board, a task, and controls for answering."""

from dataclasses import dataclass, replace
from typing import Final

from bot.base.formats import and_list
from bot.base.languages import Reader
from bot.connection.posts import (
    CONTENT_LIMIT,
    Button,
    ButtonStyle,
    FormWords,
    Post,
    Select,
    SpokenPart,
)
from bot.play.words.effects import cuts_off
from bot.play.words.names import Names, your_color
from bot.play.words.picker import space_lists
from bot.play.words.pictures import is_turned, picture, position_as_text
from bot.play.words.stack_buttons import landing_buttons, stack_buttons, with_row_below
from bot.play.words.views import moves_text
from bot.replay.words.play_from import play_from_buttons
from dvonn import Color, Coordinates, Motif, Move, Phase, Point, Position, format_move
from dvonn.reviews.review import ProvenReason
from renderer import Caption, Marking, Marks
from school.exercises.model import LONGEST_LINE, ExerciseState

_NOTATION = Coordinates.STANDARD
"""Notation of spaces for readers who have not chosen one."""
PREFIX = "dvonn:do:"
"""Prefix of the custom ids of all buttons and selects of exercises."""
BACK = "back"
"""Action that leads back from a stack's targets to the task."""
FROM = "from"
"""Action of the button that starts a game from the exercise's first position."""
FROM_WITH = "with"
"""Action of the control that chooses the opponent of that game."""


def exercise_id(state: ExerciseState, action: str) -> str:
    """Return the custom id of a button or select of an exercise.

    These actions are built in. `at` and `back` show the state, `move` shows its movable stacks, and
    `stack` shows the targets of the stack on the state's last point. `play` answers with the
    state's last move, `type` opens a form, and `text` shows the board as text. `from` and `with`
    start a game from it, and `space0` is a select. Any other action of up to eight letters is the
    exercise's own.

    >>> exercise_id(ExerciseState("lesson", "movement"), "type")
    'dvonn:do:lesson:movement::type'
    """
    return f"{PREFIX}{state.text}:{action}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseView:
    """The content of an exercise as it is shown.

    Attributes:
        state: The state to which an answer is added.
        lines: Text above the board. The task comes last.
        last: The move that led to the position, or None to not show it.
        marks: Marks to show instead of the last move.
        choices: Moves to offer, which may be illegal. If empty, all legal moves are offered.
        buttons: Buttons to continue.
        also: More buttons. They come last, so that all others keep their places.
        leads: Selects of other exercises, named `go0` and `go1`. Their values are keys.
        plays: The reader's color. The board may be shown from its side.
        starts_games: True to offer a game from the board once it asks for nothing.
    """

    state: ExerciseState
    lines: tuple[str, ...]
    position: Position
    last: Move | None = None
    marks: Marking | None = None
    asks: bool = True
    choices: tuple[Move, ...] = ()
    buttons: tuple[Button, ...] = ()
    also: tuple[Button, ...] = ()
    leads: tuple[Select, ...] = ()
    plays: Color | None = None
    starts_games: bool = True


def exercise(
    reader: Reader,
    view: ExerciseView,
    *,
    picking: bool = False,
    chosen: Point | None = None,
    by_typing: bool = False,
) -> Post:
    """Return the post that shows an exercise to its user.

    Args:
        reader: The person who sees the post.
        view: Content of the post.
        picking: True to ask only for a stack, because there were too many for buttons below the
            board.
        chosen: Stack whose target the user chooses.
        by_typing: True if the user can answer with a message.
    """
    state, position = view.state, view.position
    lines, marks, selects = list(view.lines), view.marks, tuple[Select, ...]()
    spoken = SpokenPart.BOARD
    if chosen is not None:
        moves = tuple(move for move in _offered(view) if move.source == chosen)
        targets = tuple(move.target for move in moves)
        # Offered moves may be illegal, so their targets are not all landings of the stack.
        marks = Marks(landings=targets) if view.choices else Marks(chosen, targets)
        question = reader.gettext("{stack} can go to:")
        lines.append(question.format(stack=reader.coordinates_or(_NOTATION).label(chosen)))
        spoken = SpokenPart.NOTHING
        buttons = landing_buttons(
            reader,
            position,
            moves,
            _NOTATION,
            go=lambda move: exercise_id(state.with_moves(move), "play"),
            back=exercise_id(state, BACK),
        )
    elif picking:
        marks = Marks(landings=tuple(_stacks(view)))
        buttons = (*_picks(reader, view), Button(reader.gettext("Back"), exercise_id(state, BACK)))
    else:
        selects, buttons = _spaces(reader, view), _exercise_buttons(reader, view)
        if view.asks and by_typing:
            lines.append(reader.gettext("Type your move, or choose below."))
    return Post(
        content="\n".join(lines)[:CONTENT_LIMIT],
        picture=picture(
            reader,
            f"{state.exercise}-{state.key}-{len(state.line)}.png",
            position,
            reader.coordinates_or(_NOTATION),
            last=view.last,
            marks=marks,
            seen_in=view.plays,
            you=view.plays,
            spoken=spoken,
        ),
        selects=(*selects, *view.leads),
        buttons=buttons,
    )


def task_with_color(reader: Reader, color: Color, task: str) -> str:
    """Return a task that begins with the reader's color, unless the board is described to them."""
    return task if reader.uses_screen_reader else f"{your_color(reader, color)} {task}"


def exercise_form(reader: Reader, view: ExerciseView) -> FormWords:
    return FormWords(
        reader.gettext("Your answer"),
        reader.gettext("A space")
        if view.position.phase is Phase.PLACEMENT
        else reader.gettext("From and to"),
        reader.gettext("e.g. {example}").format(
            example=format_move(view.position.legal_moves()[0], reader.coordinates_or(_NOTATION))
        ),
    )


def exercise_as_text(reader: Reader, view: ExerciseView) -> Post:
    """Return the board as text and as a diagram, for people who can't see the picture."""
    words = position_as_text(
        reader,
        view.position,
        reader.coordinates_or(_NOTATION),
        last=view.last,
        marks=view.marks,
        caption=Caption(counted=False, you=view.plays),
        turned=is_turned(reader, view.plays),
    )
    return Post(content=words[:CONTENT_LIMIT])


def _offered(view: ExerciseView) -> tuple[Move, ...]:
    """Return the moves to choose from, or none if a custom id has no room for another move."""
    if not view.asks or view.position.phase is Phase.OVER or len(view.state.line) >= LONGEST_LINE:
        return ()
    return view.choices or view.position.legal_moves()


def _stacks(view: ExerciseView) -> tuple[Point, ...]:
    sources = (move.source for move in _offered(view) if move.source is not None)
    return tuple(dict.fromkeys(sources))


def _picks(reader: Reader, view: ExerciseView) -> tuple[Button, ...]:
    """Return buttons for stacks, or for moves if only certain moves are offered."""
    state, coordinates = view.state, reader.coordinates_or(_NOTATION)
    if view.choices or view.position.phase is not Phase.MOVEMENT:
        return tuple(
            Button(format_move(move, coordinates), exercise_id(state.with_moves(move), "play"))
            for move in (view.choices if _offered(view) else ())
        )
    return stack_buttons(
        reader,
        _stacks(view),
        _NOTATION,
        lambda stack: exercise_id(state.with_moves(Move(target=stack)), "stack"),
    )


def _spaces(reader: Reader, view: ExerciseView) -> tuple[Select, ...]:
    """Return the selects of free spaces, if any free space can be chosen."""
    if view.choices or not _offered(view) or view.position.phase is not Phase.PLACEMENT:
        return ()
    return space_lists(
        reader,
        lambda number: exercise_id(view.state, f"space{number}"),
        view.position,
        _NOTATION,
        turned=is_turned(reader, view.plays),
    )


def _exercise_buttons(reader: Reader, view: ExerciseView) -> tuple[Button, ...]:
    """Return all buttons of an exercise, beginning with those that choose a stack."""
    ways = [*view.buttons]
    if reader.uses_screen_reader:
        ways.append(Button(reader.gettext("Board as text"), exercise_id(view.state, "text")))
    if view.starts_games and not view.asks and not view.leads:
        start = replace(view.state, line=())
        ways += play_from_buttons(reader, exercise_id(start, FROM), exercise_id(start, FROM_WITH))
    if view.asks:
        ways.insert(0, Button(reader.gettext("Type a move"), exercise_id(view.state, "type")))
    ways += view.also
    if (picks := _picks(reader, view)) and (placed := with_row_below(picks, ways)) is not None:
        return placed
    if picks:
        to_stacks = exercise_id(view.state, "move")
        ways.insert(0, Button(reader.gettext("Move"), to_stacks, ButtonStyle.PRIMARY))
    return tuple(ways)


# Reasons


def reason_text(
    reader: Reader,
    reason: ProvenReason,
    names: Names,
    coordinates: Coordinates = Coordinates.STANDARD,
) -> str:
    """Return a sentence about a reason: the move, the place and the amount."""
    name = reader.coordinates_or(coordinates).label
    move = moves_text(reader, reason.line[-1:], coordinates)
    if reason.motif in _CUTS:
        return cuts_off(
            reader, move, map(name, reason.points), reason.count, owner=names.owner(reason.sufferer)
        )
    return _sentence(reader, reason).format(
        move=move,
        played=moves_text(reader, reason.line[:1], coordinates),
        better=moves_text(reader, [] if reason.better is None else [reason.better], coordinates),
        player=names.name_or_you(reader, reason.sufferer),
        other=names.name_or_you(reader, reason.sufferer.opponent),
        count=reason.count,
        point="" if reason.point is None else name(reason.point),
        points=and_list(reader, [*map(name, reason.points)]),
        others=reason.others[0],
        count_then=reason.others[1],
        others_then=reason.others[2],
    )


def _sentence(reader: Reader, reason: ProvenReason) -> str:
    count = reason.count
    return {
        Motif.HANGING: reader.ngettext(
            "{move} takes the piece on {point} before it can get away.",
            "{move} takes the stack of {count} on {point} before it can get away.",
            count,
        ),
        Motif.ESCAPED: reader.ngettext(
            "{move} gets the piece on {point} away before it's taken.",
            "{move} gets the stack of {count} on {point} away before it's taken.",
            count,
        ),
        Motif.RETAKEN: reader.gettext("{move} takes the stack of {count} straight back."),
        Motif.SHARPSHOT: reader.gettext(
            "{move} takes the stack of {count} on {point}: it was built to land just there."
        ),
        Motif.TAKEN: reader.ngettext(
            "{move} takes the piece on {point} for good.",
            "{move} takes the stack of {count} on {point} for good.",
            count,
        ),
        Motif.LAST_MOVER: reader.ngettext(
            "After {move} only {other} can move, once.",
            "After {move} only {other} can move, {count} times.",
            count,
        ),
        Motif.MOBILITY: reader.gettext(
            "Moves to choose from after {better}: {player} {count_then}, {other} {others_then}. "
            "After {played}: {count} and {others}. Look at {points}."
        ),
        Motif.MOVERS: reader.gettext(
            "Stacks that can move after {better}: {player} {count_then}, {other} {others_then}. "
            "After {played}: {count} and {others}. Look at {points}."
        ),
        Motif.SPOT: reader.ngettext(
            "{point} was the space to land on. Another stack would have done, too.",
            "The stack of {count} on {point} was the one to land on. Another stack would have "
            "done, too.",
            count,
        ),
        Motif.SAFE_TAKE: reader.gettext(
            "{move} takes the stack of {count} on {point}, and no reply takes it back."
        ),
        Motif.LET_TAKE: reader.ngettext(
            "{move} takes the piece on {point}.",
            "{move} takes the stack of {count} on {point}.",
            count,
        ),
        Motif.PIECES: reader.gettext(
            "With {played} it ends at about {count} for {player} and {others} for {other}. With "
            "{better}: {count_then} and {others_then}."
        ),
        Motif.LET_LAND: reader.gettext("{other} lands on {point} first: {move}."),
        Motif.DOUBLE_THREAT: reader.gettext("The reply can land on {points}: either is enough."),
        Motif.TOOK_NONE: reader.ngettext(
            "{played} takes nothing. {better} takes the piece on {point}.",
            "{played} takes nothing. {better} takes the stack of {count} on {point}.",
            count,
        ),
        Motif.FREED: reader.ngettext(
            "{played} frees a surrounded stack ({other}: {points}).",
            "{played} frees surrounded stacks ({other}: {points}).",
            count,
        ),
        Motif.NEAR_RED: reader.gettext(
            "Steps to the nearest red piece: {count_then} after {better}, {count} after {played}. "
            "Near red, stacks are harder to cut off."
        ),
    }[reason.motif]


_CUTS: Final = (Motif.CUT_OFF, Motif.LAST_LINK, Motif.RED_CARRIED_OFF)
