"""The one way to choose a move of a stack without typing: a button a stack, then one a landing.

Nobody has more than 23 stacks, so these buttons and a way back always fit one message.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bot.base.languages import Reader
from bot.connection.posts import BUTTON_LIMIT, BUTTONS_IN_ROW, Button, ButtonStyle
from bot.play.model.move_effects import cut_off
from dvonn import Coordinates, Move, Point, Position


def stack_buttons(
    reader: Reader,
    stacks: Iterable[Point],
    coordinates: Coordinates,
    choose: Callable[[Point], str],
) -> tuple[Button, ...]:
    """Return a button for each stack. `choose` returns its id."""
    label = reader.coordinates_or(coordinates).label
    return tuple(Button(label(stack), choose(stack)) for stack in stacks)


def landing_buttons(
    reader: Reader,
    moves: Iterable[Move],
    coordinates: Coordinates,
    *,
    go: Callable[[Move], str],
    back: str,
    cuts: Position | None = None,
) -> tuple[Button, ...]:
    """Return a button for the target of each move, and a way back.

    Args:
        reader: The reader of the buttons.
        moves: Moves of one stack, or placements.
        coordinates: Names of spaces for readers who have not chosen.
        go: Returns the id of a move's button.
        back: The id of the way back.
        cuts: The position, if the buttons tell how many pieces each move cuts off.
    """
    label = reader.coordinates_or(coordinates).label
    landings = [Button(label(move.target), go(move), ButtonStyle.PRIMARY) for move in moves]
    if cuts is not None:
        effects = (cut_off(cuts, move) for move in moves)
        landings = [
            _with_cut(reader, landing, own=own, others=others)
            for landing, (own, others) in zip(landings, effects, strict=True)
        ]
    return (*landings, Button(reader.gettext("Back"), back))


def with_row_below(above: Sequence[Button], below: Sequence[Button]) -> tuple[Button, ...] | None:
    """Return buttons, with others from a new row on, or None if they are too many."""
    row = -(-len(above) // BUTTONS_IN_ROW)
    if row * BUTTONS_IN_ROW + len(below) > BUTTON_LIMIT:
        return None
    placed = (replace(one, row=row + at // BUTTONS_IN_ROW) for at, one in enumerate(below))
    return (*above, *placed)


def _with_cut(reader: Reader, landing: Button, *, own: int, others: int) -> Button:
    """Return a landing with the number of pieces cut off. A loss of own pieces is red."""
    label = landing.label
    if own and others:
        label = reader.gettext("{landing} ✂{count}, {own} yours").format(
            landing=label, count=own + others, own=own
        )
    elif own:
        label = reader.gettext("{landing} ✂{count} yours").format(landing=label, count=own)
    elif others:
        label = f"{label} ✂{others}"
    return replace(landing, label=label, style=ButtonStyle.DANGER if own else landing.style)
