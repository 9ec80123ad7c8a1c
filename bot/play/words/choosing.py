"""Lists and buttons to choose a move from, on any private board."""

from collections.abc import Callable

from bot.base.formats import explained
from bot.base.locales import Reader
from bot.connection.posts import OPTION_LIMIT, Button, ButtonStyle, Option, Select
from bot.play.words.moves import about, by_row, by_stack
from dvonn import Coordinates, Move, Point, Position

_FREE_PER_LIST = 25


def stack_list(
    reader: Reader,
    custom_id: str,
    position: Position,
    coordinates: Coordinates,
    chosen: Point | None,
) -> Select:
    """Return the stacks that can move, with their targets; their values are in the coordinates."""
    label = reader.naming(coordinates).label
    options = []
    for point, moves in by_stack(position).items():
        targets = ", ".join(label(move.target) for move in moves)
        words = reader.gettext("to {targets}").format(targets=targets)
        if height := about(reader, position, point):
            words = explained(reader, height, words)
        options.append(
            Option(
                label(point),
                coordinates.label(point),
                words[:OPTION_LIMIT],
                chosen=point == chosen,
            )
        )
    return Select(custom_id, reader.gettext("Choose a stack"), tuple(options))


def space_lists(
    reader: Reader,
    custom_id: Callable[[int], str],
    position: Position,
    coordinates: Coordinates,
    *,
    turned: bool,
) -> tuple[Select, ...]:
    """Return the free spaces from the top row down, in the fewest lists, numbered from 0."""
    label = reader.naming(coordinates).label
    rows = by_row((move.target for move in position.legal_moves()), turned=turned)
    free = [point for points in rows.values() for point in points]
    lists = [free[at : at + _FREE_PER_LIST] for at in range(0, len(free), _FREE_PER_LIST)]
    return tuple(
        Select(
            custom_id(number),
            reader.gettext("Place on {first} to {last}").format(
                first=label(points[0]), last=label(points[-1])
            ),
            tuple(Option(label(point), coordinates.label(point)) for point in points),
        )
        for number, points in enumerate(lists)
    )


def landing_buttons(
    reader: Reader,
    position: Position,
    chosen: Point,
    coordinates: Coordinates,
    *,
    go: Callable[[Move], str],
    back: str,
) -> tuple[Button, ...]:
    """Return the buttons for the landings of a chosen stack, and a way back.

    Args:
        reader: Who chooses.
        position: What they see.
        chosen: The stack.
        coordinates: How spaces are named for everybody.
        go: The id of a move's button.
        back: The id of the way back.
    """
    label = reader.naming(coordinates).label
    landings = (
        Button(label(point), go(Move(target=point, source=chosen)), ButtonStyle.PRIMARY)
        for point in position.destinations(chosen)
    )
    return (*landings, Button(reader.gettext("Back"), back))
