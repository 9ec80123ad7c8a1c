"""Buttons for choosing a move without typing: one per stack, then one per landing space.

Nobody has more than 23 stacks, so these buttons and *Back* always fit in one message.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bot.base.languages import Reader
from bot.connection.posts import BUTTON_LIMIT, BUTTONS_IN_ROW, Button, ButtonStyle
from bot.play.model.game import Game
from bot.play.words import effects
from bot.play.words.views import pick_id
from dvonn import Color, Coordinates, Move, Phase, Point, Position
from dvonn_lessons.move_effects import MoveEffects


def by_stack(position: Position) -> dict[Point, list[Move]]:
    stacks: dict[Point, list[Move]] = {}
    for move in position.legal_moves():
        if move.source is not None:
            stacks.setdefault(move.source, []).append(move)
    return stacks


_MAX_STACKS = (BUTTON_LIMIT // BUTTONS_IN_ROW - 1) * BUTTONS_IN_ROW
"""Number of buttons that fit below a row of other buttons."""


def shows_stacks(game: Game) -> bool:
    """Return True if a board has buttons for its stacks, because only one person presses them.

    These are games against the machine, whose board is edited after each press.
    """
    is_waiting = game.is_running and game.row.is_solo and not game.waits_for_machine
    fits = game.position.phase is Phase.MOVEMENT and len(by_stack(game.position)) <= _MAX_STACKS
    return is_waiting and fits and game.offered is None


def stacks_of_game(reader: Reader, game: Game) -> tuple[Button, ...]:
    """Return the buttons of the stacks that the player to move can move."""
    coordinates = game.row.coordinates
    return stack_buttons(
        reader,
        by_stack(game.position),
        coordinates,
        lambda stack: pick_id(game, f"from:{coordinates.label(stack)}"),
    )


def stack_buttons(
    reader: Reader,
    stacks: Iterable[Point],
    coordinates: Coordinates,
    choose: Callable[[Point], str],
) -> tuple[Button, ...]:
    """Return a button for each stack. `choose` returns its custom id."""
    label = reader.coordinates_or(coordinates).label
    return tuple(Button(label(stack), choose(stack)) for stack in stacks)


def landing_buttons(
    reader: Reader,
    position: Position,
    moves: Iterable[Move],
    coordinates: Coordinates,
    *,
    go: Callable[[Move], str],
    back: str,
    with_costs: bool = False,
) -> tuple[Button, ...]:
    """Return a button for each move's target with what stands there, and one to go back.

    Args:
        reader: The person who sees the buttons.
        position: The position.
        moves: Moves of one stack. They may be illegal, unless the buttons show their costs.
        coordinates: Notation of spaces, for readers who have not chosen one.
        go: Returns the custom id of a move's button.
        back: Custom id of the button to go back.
        with_costs: True to add what each move costs and cuts off. Buttons of costly moves are red.
    """
    label = reader.coordinates_or(coordinates).label

    def button(move: Move) -> Button:
        name = label(move.target)
        text = effects.landing_label(reader, position, move, name, with_costs=with_costs)
        costs = with_costs and MoveEffects(position, move).lost(position.turn or Color.WHITE)
        return Button(text, go(move), ButtonStyle.DANGER if costs else ButtonStyle.PRIMARY)

    return (*map(button, moves), Button(reader.gettext("Back"), back))


def with_row_below(above: Sequence[Button], below: Sequence[Button]) -> tuple[Button, ...] | None:
    """Return buttons followed by other buttons in a new row, or None if they don't fit."""
    row = -(-len(above) // BUTTONS_IN_ROW)
    if row * BUTTONS_IN_ROW + len(below) > BUTTON_LIMIT:
        return None
    placed = (replace(button, row=row + at // BUTTONS_IN_ROW) for at, button in enumerate(below))
    return (*above, *placed)
