"""The words, the picture and the buttons of a pie start, until all is picked."""

from bot.games.pie import BOARDS, drawn_boards
from bot.locales import gettext as _
from bot.messages.durations import clock_line
from bot.messages.posts import Boards, Button, ButtonStyle, board_button_id, picture_name, user
from bot.model.events import Started, Told
from bot.model.game import Choosing, Game
from bot.model.ids import UserId
from bot.model.openings import pie_seeds
from dvonn.diagram import to_diagram
from renderer import describe_boards


def choices(game: Game) -> tuple[Button, ...]:
    """What there is to choose from."""
    if game.choosing is Choosing.BOARD:
        named = [(_board(number), f"pick-{number}") for number in range(1, BOARDS + 1)]
    else:
        named = [(_("White"), "side-white"), (_("Black"), "side-black")]
    return tuple(
        Button(label, board_button_id(game.row.id, game.row.revision, act), ButtonStyle.PRIMARY)
        for label, act in named
    )


def call(game: Game) -> str:
    """What whoever is to choose is called to do."""
    sentence = (
        _("{player}, pick a board.")
        if game.choosing is Choosing.BOARD
        else _("{player}, pick your colour.")
    )
    return sentence.format(player=_chooser(game))


def standing(game: Game) -> str:
    """Who is to choose what, for somebody who looks."""
    sentence = (
        _("{player} is to pick one of three boards, and then {other} a colour.")
        if game.choosing is Choosing.BOARD
        else _("{player} is to pick a colour for this board, which {other} has picked.")
    )
    return sentence.format(player=_chooser(game), other=_other(game))


def in_list(game: Game) -> str:
    """A line of somebody's games where he is to choose, with gaps for place and opponent."""
    if game.choosing is Choosing.BOARD:
        return _("{where} against {opponent}: your turn to pick a board.")
    return _("{where} against {opponent}: your turn to pick a colour.")


def how_to_choose(game: Game) -> str:
    """How it is done, for the one who is to choose."""
    if game.choosing is Choosing.BOARD:
        return _("First press *Board 1*, *Board 2* or *Board 3* under the newest picture.")
    return _("First press *White* or *Black* under the newest board.")


def what_now(game: Game, newest: Told) -> list[str]:
    """What is to be known for choosing."""
    if game.choosing is Choosing.SIDE:
        return [_("Its seed is {seed}. White moves first.").format(seed=game.board_seed)]
    first, second, third = pie_seeds(game.row)
    drawn = _("These balanced boards were drawn by lot, with the seeds {a}, {b} and {c}.")
    after = _("{player} picks one, then {other} a colour, and White moves first.")
    return [
        drawn.format(a=first, b=second, c=third),
        after.format(player=_chooser(game), other=_other(game)),
        *(clock_line(game.row.clock) if newest.event.kind is Started else ()),
    ]


def picture(game: Game, filename: str | None = None) -> Boards:
    """The boards to choose from, under the name of the game's picture or another."""
    positions, coordinates = drawn_boards(game.row), game.row.coordinates
    return Boards(
        filename=filename or picture_name(game.row.id, game.row.revision),
        alt_text=describe_boards(positions, coordinates=coordinates),
        positions=positions,
        coordinates=coordinates,
    )


def diagrams(game: Game) -> list[str]:
    """The boards to choose from, as diagrams and in words."""
    positions, coordinates = drawn_boards(game.row), game.row.coordinates
    return [
        *(
            f"{_board(number)}\n```\n{to_diagram(position, coordinates, legend=False)}\n```"
            for number, position in enumerate(positions, start=1)
        ),
        describe_boards(positions, coordinates=coordinates),
    ]


def _board(number: int) -> str:
    return _("Board {number}").format(number=number)


def _chooser(game: Game) -> str:
    return user(_seats(game)[0])


def _other(game: Game) -> str:
    return user(_seats(game)[1])


def _seats(game: Game) -> tuple[UserId, UserId]:
    """Who is to choose, and who is not; whoever picks the board sits as White for now."""
    white, black = game.row.white, game.row.black
    return (white, black) if game.choosing is Choosing.BOARD else (black, white)
