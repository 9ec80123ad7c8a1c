"""Texts about a silence_notice machine."""

from bot.base.ids import GameId, Revision
from bot.base.languages import Reader
from bot.connection.posts import Button, Post
from bot.play.model.game import Game
from bot.play.words.views import board_button


def end_silent_game_id(game: GameId, revision: Revision) -> str:
    """Return the custom id of the button that ends a game with a silence_notice machine."""
    return f"dvonn:silence:{game}:{revision}"


def silence_notice(reader: Reader, game: Game) -> Post:
    """Return the notice that the machine is silence_notice, with a button to end the game."""
    sorry = reader.gettext("Sorry, I can't think right now. I'll move as soon as I can.")
    if game.row.vote is not None:
        advice = reader.gettext(
            "Don't want to wait? A moderator can end our game with /setup abort."
        )
        button = board_button(game, reader.gettext("More"), "more")
    else:
        advice = reader.gettext(
            "Don't want to wait? *Go on without me* ends our game without a result."
        )
        number = end_silent_game_id(game.row.id, game.row.revision)
        button = Button(reader.gettext("Go on without me"), number)
    return Post(content=f"{sorry}\n{advice}", buttons=(button,))
