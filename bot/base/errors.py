"""Exception types.

The messages for players are in `bot.play.words`.

BotError
├── StartError                  the bot cannot start
│   ├── ConfigError             a setting is missing or wrong
│   ├── DatabaseError           the database cannot be opened
│   ├── BackupError             a backup or a restore failed
│   ├── InUseError              another process uses the database
│   └── DiscordError            Discord rejects the login, or cannot be reached
├── StoreError                  the database cannot be used at the moment
├── PlayError                   a player's request is refused (`bot.play.model.refusals`)
│   └── InputError              the player can correct what they typed
└── AlreadyHandled              the message or interaction was handled before
"""

from collections.abc import Callable
from pathlib import Path


class BotError(Exception):
    """Base class of the bot's own exceptions."""


class StartError(BotError):
    """The bot cannot start. The text is one line for the host."""


class ConfigError(StartError):
    """A setting is missing or wrong."""

    def __init__(self, setting: str, problem: str) -> None:
        super().__init__(f"{setting} {problem}")
        self.setting = setting


class DatabaseError(StartError):
    """The database cannot be opened or migrated."""

    def __init__(
        self,
        address: str,
        cause: Exception,
        cure: str | None = None,
        *,
        hide: Callable[[str], str] = str,
    ) -> None:
        original = getattr(cause, "orig", None) or cause
        self.address = address
        text = " ".join(str(original).split()) or type(original).__name__
        self.reason = hide(text) + ("" if cure is None else f" ({cure})")
        super().__init__(f"DATABASE_URL ({address}) cannot be used: {self.reason}")


class BackupError(StartError):
    """A backup or a restore failed. Nothing has changed."""

    def __init__(self, file: Path, problem: str) -> None:
        super().__init__(f"{file} {problem}")


class InUseError(StartError):
    """Another process uses the database. Nothing has changed."""

    def __init__(self) -> None:
        super().__init__("a bot is using the database; stop it first")


class DiscordError(StartError):
    """Discord rejected the login, or cannot be reached."""


class StoreError(BotError):
    """The database could not be used for a request. Nothing has changed."""

    def __init__(self, problem: str, *, writing: bool) -> None:
        super().__init__(f"the database could not be used: {problem}")
        self.writing = writing
        """True if the request was a write."""


class PlayError(BotError):
    """A player's request is refused, with a short answer."""


class InputError(PlayError):
    """A player typed something that they can correct. The form can be opened again."""


class AlreadyHandled(BotError):  # noqa: N818 - not an error: the same message or click came twice
    """The message or interaction has already changed the game."""


def count_text(number: int, thing: str) -> str:
    """Return a count with a noun whose plural ends in s: "1 game", "2 games".

    >>> count_text(1, "game"), count_text(2, "game")
    ('1 game', '2 games')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
