"""Features' additions to /help, and the context of a request for help."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.base.errors import PlayError
from bot.base.ids import UserId
from bot.base.languages import Reader
from bot.connection.posts import Button, command
from bot.play.model.conduct import Venue
from bot.play.model.game import Game
from dvonn import Coordinates


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpContext:
    """The place and the user of a request for help."""

    reader: Reader
    """The user, in whose language commands are named."""
    asker: UserId
    bot: UserId
    game: Game | None
    """The game running here, if any."""
    reads_messages: bool
    """True if the bot can read plain messages, because it has the Message Content intent."""
    has_machine: bool
    """True if people can play against the machine."""
    slowmode: bool
    venue: Venue
    obstacle: PlayError | None
    """The reason why no game can be started here, or None if one can."""
    command_ids: Mapping[str, int]
    """Known Discord ids of the bot's commands."""
    parts: "Sequence[HelpPart]" = ()
    """The features' additions."""

    @property
    def coordinates(self) -> Coordinates:
        return Coordinates.STANDARD if self.game is None else self.game.row.coordinates

    @property
    def can_play_machine(self) -> bool:
        return self.has_machine and self.game is None and self.obstacle is None

    @property
    def teams_play(self) -> bool:
        return self.game is not None and self.game.row.vote is not None

    def command(self, name: str) -> str:
        return command(self.reader, name, self.command_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpPart:
    """A feature's addition to help, apart from the lines of its commands."""

    buttons: Callable[[Reader], Sequence[Button]] = lambda _: ()
    """Returns buttons below the first page and below the rules."""
    paragraphs: Callable[[Reader, HelpContext], Sequence[str]] = lambda *_: ()
    """Returns paragraphs for the first page, below the paragraph about the running game."""
    of_game: Callable[[Reader, Game, UserId], Sequence[str]] = lambda *_: ()
    """Returns sentences about the game running here, for the user."""
