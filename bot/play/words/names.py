"""Names of the players of a game or a board in sentences."""

from dataclasses import dataclass

from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import user
from bot.play.model.game import Game
from bot.play.words.characters import character
from dvonn import Color


def name_of(game: Game, player: UserId) -> str:
    """Return the name of a game's player: a person's mention, or the machine's character."""
    return player_name(player, game.row.level if player == game.row.machine else None)


def player_name(player: UserId, level: int | None) -> str:
    """Return a person's mention, or the name of the machine's character at a level."""
    return user(player) if level is None else character(level)


def seat_name(game: Game, color: Color) -> str:
    return name_of(game, game.player(color))


@dataclass(frozen=True, slots=True)
class Names:
    """The two players of a position, as named in sentences."""

    white: str
    black: str
    you: Color | None = None
    """The player who is the only reader."""

    def name_or_you(self, reader: Reader, color: Color) -> str:
        """Return a player's name, or "you"."""
        if color is self.you:
            return reader.gettext("you")
        return self.name(color)

    def owner(self, color: Color) -> str | None:
        """Return a player's name, or None for "your"."""
        return None if color is self.you else self.name(color)

    def name(self, color: Color) -> str:
        """Return the player's name, even for the reader."""
        return self.white if color is Color.WHITE else self.black


def names_for(game: Game, eyes: Color | None = None) -> Names:
    """Return the names of a game's players for a reader, who may have been one of them."""
    return Names(seat_name(game, Color.WHITE), seat_name(game, Color.BLACK), eyes)


def names_of_colors(reader: Reader, you: Color | None = None) -> Names:
    """Return the colors as the names of unknown players. The reader may be one of them."""
    return Names(
        white=reader.pgettext("player in a sentence", "White"),
        black=reader.pgettext("player in a sentence", "Black"),
        you=you,
    )


def capitalized(sentence: str) -> str:
    """Return a sentence with a capital letter, even if it begins with a name."""
    return f"{sentence[0].upper()}{sentence[1:]}"


def your_color(reader: Reader, color: Color) -> str:
    if color is Color.WHITE:
        return reader.gettext("You're White.")
    return reader.gettext("You're Black.")
