"""The parts that features add to /help, and the context of a request for it."""

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
    """The place of a request for help, and its user."""

    reader: Reader
    """Reader in whose language commands are named."""
    asker: UserId
    bot: UserId
    game: Game | None
    """The game that is running here."""
    reads_messages: bool
    """True if the bot reads plain messages: it has the Message Content intent."""
    has_machine: bool
    """True if the bot itself can be played."""
    slowmode: bool
    venue: Venue
    obstacle: PlayError | None
    """Reason why no game can be started here, if so."""
    command_ids: Mapping[str, int]
    """Discord's ids of the bot's commands that are known."""
    parts: "Sequence[HelpPart]" = ()
    """Additions of features."""

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
    """Addition of a feature to help, apart from the lines of its commands."""

    buttons: Callable[[Reader], Sequence[Button]] = lambda _: ()
    """Buttons under the first page and under the rules."""
    paragraphs: Callable[[Reader, HelpContext], Sequence[str]] = lambda *_: ()
    """Paragraphs of the first page, below the one on the running game."""
    of_game: Callable[[Reader, Game, UserId], Sequence[str]] = lambda *_: ()
    """Sentences about the game that runs here, for the asker."""
