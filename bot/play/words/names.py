"""The name of a game's player: a person's mention, or the machine's character."""

from bot.base.ids import UserId
from bot.connection.posts import user
from bot.play.model.game import Game
from bot.play.words.characters import character
from dvonn import Color


def name_of(game: Game, who: UserId) -> str:
    level = game.row.level_now
    return user(who) if who != game.row.machine or level is None else character(level)


def seat_name(game: Game, color: Color) -> str:
    return name_of(game, game.player(color))
