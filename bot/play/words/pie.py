"""The words, the picture and the buttons of a pie start, until all is picked."""

from bot.base.ids import UserId
from bot.base.locales import Reader
from bot.connection.posts import Button, ButtonStyle, user
from bot.play.model.events import Started, Told
from bot.play.model.game import Choosing, Game
from bot.play.model.openings import random_boards
from bot.play.use_cases.offers import BOARDS
from bot.play.words.clocks import clock_line
from bot.play.words.pictures import Boards, boards, diagram, look_of, picture_name
from bot.play.words.views import board_button_id
from renderer import describe_boards


def choices(reader: Reader, game: Game) -> tuple[Button, ...]:
    if game.choosing is Choosing.BOARD:
        named = [(_board(reader, number), f"pick-{number}") for number in range(1, BOARDS + 1)]
    else:
        named = [(reader.gettext("White"), "side-white"), (reader.gettext("Black"), "side-black")]
    return tuple(
        Button(label, board_button_id(game.row.id, game.row.revision, act), ButtonStyle.PRIMARY)
        for label, act in named
    )


def call(reader: Reader, game: Game) -> str:
    sentence = (
        reader.gettext("{player}, pick a board.")
        if game.choosing is Choosing.BOARD
        else reader.gettext("{player}, pick your colour.")
    )
    return sentence.format(player=_chooser(game))


def standing(reader: Reader, game: Game) -> str:
    sentence = (
        reader.gettext("{player} picks one of three boards, then {other} a colour.")
        if game.choosing is Choosing.BOARD
        else reader.gettext("{other} has picked this board, and {player} picks a colour.")
    )
    return sentence.format(player=_chooser(game), other=_other(game))


def in_list(reader: Reader, game: Game) -> str:
    """Tell in a list of games that somebody is to choose, with gaps for place and opponent."""
    if game.choosing is Choosing.BOARD:
        return reader.gettext("{where} vs {opponent}: your turn to pick a board")
    return reader.gettext("{where} vs {opponent}: your turn to pick a colour")


def how_to_choose(reader: Reader, game: Game) -> str:
    if game.choosing is Choosing.BOARD:
        return reader.gettext("Press *Board 1*, *Board 2* or *Board 3* under the newest picture.")
    return reader.gettext("Press *White* or *Black* under the newest board.")


def what_now(reader: Reader, game: Game, newest: Told) -> list[str]:
    if game.choosing is Choosing.SIDE:
        return [reader.gettext("White moves first.")]
    after = reader.gettext("Pick the most even board: {other} then chooses a side.")
    return [
        after.format(other=_other(game)),
        *(clock_line(reader, game.row.clock) if newest.event.kind is Started else ()),
    ]


def picture(reader: Reader, game: Game, filename: str | None = None) -> Boards:
    name = filename or picture_name(game.row.id, game.row.revision)
    return boards(reader, name, random_boards(game.row), reader.naming(game.row.coordinates))


def boards_in_words(reader: Reader, game: Game) -> str:
    """Tell the boards to choose from in words, which are fewer than rows of them take."""
    coordinates = reader.naming(game.row.coordinates)
    return describe_boards(
        random_boards(game.row), coordinates=coordinates, words=look_of(reader).words
    )


def in_words(reader: Reader, game: Game) -> list[str]:
    positions, coordinates = random_boards(game.row), reader.naming(game.row.coordinates)
    return [
        boards_in_words(reader, game),
        *(
            f"{_board(reader, number)}\n{diagram(reader, position, coordinates)}"
            for number, position in enumerate(positions, start=1)
        ),
    ]


def _board(reader: Reader, number: int) -> str:
    return reader.gettext("Board {number}").format(number=number)


def _chooser(game: Game) -> str:
    return user(_seats(game)[0])


def _other(game: Game) -> str:
    return user(_seats(game)[1])


def _seats(game: Game) -> tuple[UserId, UserId]:
    """Return the player who is to choose, and the other; the board's picker is White for now."""
    white, black = game.row.white, game.row.black
    return (white, black) if game.choosing is Choosing.BOARD else (black, white)
