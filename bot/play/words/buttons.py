"""Buttons that stand under many messages, and the ids of those under boards and challenges."""

from collections.abc import Callable, Iterable, Sequence

from bot.base.ids import GameId, Revision
from bot.base.locales import Reader
from bot.connection.posts import Button, ButtonStyle
from bot.play.model.game import Game

HOW_TO_PLAY_ID = "dvonn:rules"
"""Id of the button that shows the rules to its presser."""
BoardPart = Callable[[Reader, Game], Sequence[Button]]
"""Makes a feature's buttons under a board: of the player to move, or of a game that is over."""


def board_button_id(game: GameId, revision: Revision, action: str) -> str:
    """Return the id of a button under a board."""
    return f"dvonn:board:{game}:{revision}:{action}"


def board_button(
    game: Game, label: str, action: str, style: ButtonStyle = ButtonStyle.SECONDARY
) -> Button:
    """Return a button under a board, good for as long as the board is the same."""
    return Button(label, board_button_id(game.row.id, game.row.revision, action), style)


def challenge_button_id(challenge: int, action: str) -> str:
    """Return the id of a button under a challenge."""
    return f"dvonn:challenge:{challenge}:{action}"


def how_to_play(reader: Reader) -> Button:
    """Return the button that shows the rules to its presser."""
    return Button(reader.gettext("How to play"), HOW_TO_PLAY_ID)


def buttons_of(reader: Reader, game: Game, parts: Iterable[BoardPart]) -> tuple[Button, ...]:
    return tuple(button for part in parts for button in part(reader, game))
