"""The words and buttons of a pie start."""

from bot.games import Choosing, Game
from bot.games.pie import BOARDS
from bot.locales import gettext as _
from bot.messages.posts import Button, ButtonStyle, board_button_id


def choices(game: Game) -> tuple[Button, ...]:
    """What there is to choose from."""
    if game.choosing is Choosing.BOARD:
        named = [
            (_("Board {number}").format(number=number), f"pick-{number}")
            for number in range(1, BOARDS + 1)
        ]
    else:
        named = [(_("White"), "side-white"), (_("Black"), "side-black")]
    return tuple(
        Button(label, board_button_id(game.row.id, game.row.revision, act), ButtonStyle.PRIMARY)
        for label, act in named
    )
