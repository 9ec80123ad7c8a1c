"""The settings: read from the environment and `.env`, checked once, at the start."""

import re
from enum import StrEnum
from typing import Any, TypeVar
from urllib.parse import quote

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.errors import ConfigError
from bot.store.rows import Shards

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}


_ALL = "all"
_SHARDS = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")


class MessageContent(StrEnum):
    """Whether the bot asks Discord for the text of every message."""

    AUTO = "auto"
    """As the application's own switch in Discord's developer portal says."""
    ON = "on"
    OFF = "off"


class MachineSwitch(StrEnum):
    """Whether people can play against the machine."""

    AUTO = "auto"
    """If its packages are installed."""
    OFF = "off"


class LogFormat(StrEnum):
    """How a line of the log is written."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """What is worth a line in the log."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class StoreSettings(BaseSettings):
    """What is needed to work with the database alone."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,  # a mistyped token must not be printed
    )

    database_url: str = "sqlite:///dvonn.sqlite3"
    """Where the games are kept: SQLite or PostgreSQL."""
    log_level: LogLevel = LogLevel.INFO
    log_format: LogFormat = LogFormat.TEXT

    @field_validator("database_url")
    @classmethod
    def _a_database_we_speak(cls, text: str) -> str:
        database_address(text)
        return text

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _in_any_case(cls, value: Any) -> Any:
        return _lower(value)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be written down."""
        password = self.database.password
        return () if password is None else (str(password), quote(str(password)))

    @property
    def database(self) -> URL:
        """The database's address with the asynchronous driver filled in."""
        return database_address(self.database_url)


class Settings(StoreSettings):
    """Everything a host can set. The names in upper case are the environment's."""

    discord_token: SecretStr
    """The bot's token, from Discord's developer portal."""
    discord_api_url: str = Field(default="https://discord.com/api/v10", pattern=r"^https?://\S+$")
    """The whole base of the API. Any server that speaks it will do."""
    message_content: MessageContent = MessageContent.AUTO
    """Whether moves typed as plain text are read."""
    machine: MachineSwitch = MachineSwitch.AUTO
    """Whether people can play against the machine."""
    machine_searches: int = Field(default=1, ge=1, le=64)
    """How many of its moves are thought about at the same time, each in a process of its own."""
    shards: str = _ALL
    """The shards of this process: all that Discord asks for, or as `0-3/16` these of so many."""
    metrics_port: int = Field(default=0, ge=0, le=65535)
    """Where /metrics and /healthz are answered; 0: nowhere."""
    metrics_host: str = "127.0.0.1"
    """The address of this machine on which that port is opened."""

    @field_validator("discord_token")
    @classmethod
    def _token_is_one_word(cls, token: SecretStr) -> SecretStr:
        if not token.get_secret_value().isascii() or token.get_secret_value().split() != [
            token.get_secret_value()
        ]:
            raise ValueError("must be one word, as the developer portal shows it")
        return token

    @field_validator("shards")
    @classmethod
    def _shards_that_can_be(cls, text: str) -> str:
        read_shards(text)
        return text

    @field_validator("discord_api_url")
    @classmethod
    def _no_slash_at_the_end(cls, url: str) -> str:
        return url.rstrip("/")

    @property
    def own_shards(self) -> Shards | None:
        """The shards of this process; None for all that Discord asks for."""
        return read_shards(self.shards)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be written down."""
        return (self.discord_token.get_secret_value(), *super().secrets)

    @field_validator("message_content", "machine", mode="before")
    @classmethod
    def _content_in_any_case(cls, value: Any) -> Any:
        return _lower(value)


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def database_address(text: str) -> URL:
    """Read a database address and fill in the asynchronous driver.

    Raises:
        ValueError: if it is no address, or of a database that the bot does not speak.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise ValueError("must look like sqlite:///dvonn.sqlite3 or postgresql://…") from error
    if url.drivername not in _DRIVERS:
        raise ValueError("must start with sqlite:/// or postgresql://")
    return url.set(drivername=_DRIVERS[url.drivername])


def read_shards(text: str) -> Shards | None:
    """Read which shards a process holds; None for all that Discord asks for.

    Raises:
        ValueError: if it is neither `all`, nor like `0-3/16` or `0/2`.
    """
    if text.strip().lower() == _ALL:
        return None
    found = _SHARDS.fullmatch(text.strip())
    if found is not None:
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if first <= last < count:
            return Shards(tuple(range(first, last + 1)), count)
    raise ValueError("must be 'all', or some shards of so many: 0-3/16, the first being 0")


_AnySettings = TypeVar("_AnySettings", bound=StoreSettings)


def load_settings() -> Settings:
    """Read the settings.

    Raises:
        ConfigError: naming the setting that is missing or wrong, in one line.
    """
    settings = _load(Settings)
    if settings.own_shards is not None and settings.database.get_backend_name() == "sqlite":
        raise ConfigError("SHARDS", "is for several processes, which need a PostgreSQL together")
    return settings


def load_store_settings() -> StoreSettings:
    """Read what is needed to work with the database alone: no token.

    Raises:
        ConfigError: naming the setting that is wrong, in one line.
    """
    return _load(StoreSettings)


def _load(kind: type[_AnySettings]) -> _AnySettings:
    try:
        return kind.model_validate({})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper()
        if first["type"] == "missing":
            raise ConfigError(name, "is not set; .env.example shows how") from error
        reason = first["msg"].removeprefix("Value error, ")
        raise ConfigError(name, f"is wrong: {reason}") from error
