"""The settings that `environment.py` reads, validated once at startup."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib.util import find_spec
from typing import Any, Final, TypeVar

import pydantic
from pydantic_core import ErrorDetails, PydanticCustomError
from sqlalchemy.engine import URL

from bot.base import environment, network_addresses
from bot.base.database_address import database_address, encoded_forms, is_sqlite, secrets
from bot.base.environment import how_to_install
from bot.base.errors import ConfigError, StartError
from bot.base.ids import Shards
from bot.base.logs import LogFormat, LogLevel
from bot.base.retention import FOREVER, Retention, read_days


def postgresql_is_installed() -> bool:
    """Return True if the PostgreSQL driver is installed, without importing it."""
    return find_spec("asyncpg") is not None


def queue_is_installed() -> bool:
    """Return True if the queue's packages are installed, without importing them."""
    return find_spec("saq") is not None and find_spec("psycopg_pool") is not None


TOKEN_REQUESTS_PER_SECOND = 50
"""Requests per second that Discord allows a token, across all processes."""

_QUOTES = "\"'`“”„‘’«»"  # noqa: RUF001 - phones type these
_ALL = "all"
_CONTRADICTION: Final = "contradiction"
_PAGE = re.compile(r"https?://[^\s#<>()]{1,150}")
_SHARDS = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")


class MessageContent(StrEnum):
    """Choices for the Message Content intent, which delivers the text of every message."""

    AUTO = "auto"
    """Follow the switch in Discord's developer portal."""
    ON = "on"
    OFF = "off"


class MachineSwitch(StrEnum):
    """Choices for games against the machine."""

    AUTO = "auto"
    """All levels and reviews that the installed packages support."""
    LIGHT = "light"
    """Only the lower levels, which need little memory."""
    QUEUE = "queue"
    """Searches run in workers that use the same database, on any host."""
    OFF = "off"


class StoreSettings(pydantic.BaseModel):
    """Settings for tools that only use the database."""

    model_config = pydantic.ConfigDict(
        extra="ignore",
        hide_input_in_errors=True,  # a mistyped token must not be printed
    )

    database_url: str = "sqlite:///dvonn.sqlite3"
    log_level: LogLevel = LogLevel.INFO
    log_format: LogFormat = LogFormat.TEXT

    @pydantic.field_validator("*", mode="before")
    @classmethod
    def _check_printable(cls, value: Any) -> Any:
        if isinstance(value, str) and not value.isprintable():
            raise ValueError("has a line break or another invisible character in it; type it again")
        return value

    @pydantic.field_validator("database_url")
    @classmethod
    def _check_database_url(cls, text: str) -> str:
        if not is_sqlite(database_address(text)) and not postgresql_is_installed():
            raise PydanticCustomError(
                _CONTRADICTION,
                "is a PostgreSQL address, but its package isn't installed: "
                f"{how_to_install('postgres')} installs it",
            )
        return text

    @pydantic.field_validator(
        *("log_level", "log_format", "message_content", "machine"),
        mode="before",
        check_fields=False,  # `Settings` defines the last two
    )
    @classmethod
    def _to_lowercase(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value

    @property
    def secrets(self) -> tuple[str, ...]:
        return secrets(self.database)

    @property
    def database(self) -> URL:
        """The database's address with the asynchronous driver filled in."""
        return database_address(self.database_url)


class WorkerSettings(StoreSettings):
    """Settings of a worker, which runs searches for bots that share its database."""

    machine_searches: int = pydantic.Field(default=1, ge=1, le=64)
    """Number of parallel searches, each in its own process."""
    machine_ahead: int = pydantic.Field(default=30, ge=0, le=3600)
    """Seconds that the strongest level thinks during its opponent's turn, or 0 to turn that off."""
    metrics_port: int = pydantic.Field(default=0, ge=0, le=65535)
    """Port of /metrics and /healthz, or 0 for none."""
    metrics_host: str = "127.0.0.1"
    """Local address on which `metrics_port` is opened."""

    @pydantic.field_validator("metrics_host")
    @classmethod
    def _check_metrics_host(cls, host: str) -> str:
        try:
            network_addresses.check_host_name(host)
        except ValueError as error:
            raise ValueError("write an address of this machine, such as 127.0.0.1") from error
        return host


class Settings(WorkerSettings):
    """All settings. Their environment variables are the same names in uppercase."""

    discord_token: pydantic.SecretStr
    discord_api_url: str = "https://discord.com/api/v10"
    """The base URL of the API."""
    message_content: MessageContent = MessageContent.AUTO
    """Mode of the Message Content intent, which typed moves need."""
    machine: MachineSwitch = MachineSwitch.AUTO
    shards: str = _ALL
    """Shards of this process: `all`, which is the number that Discord recommends, or a range, such
    as `0-3/16`.
    """
    requests_per_second: int = pydantic.Field(default=0, ge=0, le=10_000)
    """Maximum requests per second from this process, or 0 for its shards' share of the limit."""
    game_page: str = ""
    """URL of the page that shows games in links (`renderer.game_page`), or empty for none."""

    https_proxy: str = ""
    """Proxy for connections to Discord, or empty for none."""
    http_proxy: str = ""
    """Proxy for Discord if DISCORD_API_URL begins with http:."""
    no_proxy: str = ""
    """Comma-separated hosts that are reached without a proxy."""

    keep_players: str = FOREVER
    """Days from a game's end until it is anonymized, or `forever`."""
    keep_notices: str = FOREVER
    """Days to keep challenges that never became games, and records of messages."""
    keep_learning: str = FOREVER
    """Days to keep lesson progress and puzzle answers."""
    keep_servers: str = FOREVER
    """Days to keep the data of a server that has removed the bot."""

    @pydantic.field_validator("keep_players", "keep_notices", "keep_learning", "keep_servers")
    @classmethod
    def _check_days(cls, text: str) -> str:
        read_days(text)
        return text

    @pydantic.field_validator("discord_token")
    @classmethod
    def _check_token(cls, token: pydantic.SecretStr) -> pydantic.SecretStr:
        text = token.get_secret_value()
        if text[0] in _QUOTES:
            raise ValueError("write it without quotation marks")
        if not text.isascii() or text.split() != [text]:
            raise ValueError("it must be one word; copy it again from the developer portal")
        return token

    @pydantic.field_validator("shards")
    @classmethod
    def _check_shards(cls, text: str, info: pydantic.ValidationInfo) -> str:
        if read_shards(text) is not None and _names_a_file(info):
            raise PydanticCustomError(
                _CONTRADICTION,
                "needs PostgreSQL: put its address in DATABASE_URL, or remove SHARDS",
            )
        return text

    @pydantic.field_validator("machine")
    @classmethod
    def _check_machine(cls, value: MachineSwitch, info: pydantic.ValidationInfo) -> MachineSwitch:
        if value is MachineSwitch.QUEUE and _names_a_file(info):
            raise PydanticCustomError(
                _CONTRADICTION,
                "is queue, which needs PostgreSQL: put its address in DATABASE_URL, or remove "
                "MACHINE",
            )
        if value is MachineSwitch.QUEUE and not queue_is_installed():
            raise PydanticCustomError(
                _CONTRADICTION,
                f"is queue, but its packages aren't installed; {how_to_install('cluster')} "
                "installs them",
            )
        return value

    @pydantic.field_validator("discord_api_url")
    @classmethod
    def _strip_slash(cls, url: str) -> str:
        return network_addresses.web_address(url).rstrip("/")

    @pydantic.field_validator("https_proxy", "http_proxy")
    @classmethod
    def _check_proxy(cls, text: str) -> str:
        return network_addresses.proxy_address(text) if text else text

    @pydantic.field_validator("game_page")
    @classmethod
    def _check_game_page(cls, address: str) -> str:
        if address and not _PAGE.fullmatch(address):
            raise ValueError("write it like https://example.org/dvonn.html, without a #")
        return address

    @property
    def own_shards(self) -> Shards | None:
        return read_shards(self.shards)

    @property
    def request_rate(self) -> int:
        shards = self.own_shards
        share = (
            TOKEN_REQUESTS_PER_SECOND
            if shards is None
            else TOKEN_REQUESTS_PER_SECOND * len(shards.ids) // shards.count
        )
        return self.requests_per_second or max(1, share)

    @property
    def proxy(self) -> str | None:
        """Proxy for Discord's API, gateway and files."""
        proxies = {"https": self.https_proxy, "http": self.http_proxy, "no": self.no_proxy}
        return network_addresses.proxy_for(self.discord_api_url, proxies)

    @property
    def retention(self) -> Retention:
        return Retention(
            players=read_days(self.keep_players),
            notices=read_days(self.keep_notices),
            learning=read_days(self.keep_learning),
            servers=read_days(self.keep_servers),
        )

    @property
    def secrets(self) -> tuple[str, ...]:
        token = self.discord_token.get_secret_value()
        passwords = map(network_addresses.password_in, (self.https_proxy, self.http_proxy))
        return (token, *encoded_forms(*passwords), *super().secrets)


def _names_a_file(info: pydantic.ValidationInfo) -> bool:
    address = info.data.get("database_url")  # skip the check if that setting itself is invalid
    return address is not None and is_sqlite(database_address(address))


def read_shards(text: str) -> Shards | None:
    """Parse the shards of a process.

    Return None for `all`, the number of shards that Discord recommends.

    >>> read_shards("all") is None
    True
    >>> read_shards("0-3/16")
    Shards(ids=(0, 1, 2, 3), count=16)

    Raises:
        ValueError: if it is neither `all` nor a form such as `0-3/16` or `0/2`.
    """
    if text.strip().lower() == _ALL:
        return None
    match = _SHARDS.fullmatch(text.strip())
    if match is not None:
        first, last, count = int(match[1]), int(match[2] or match[1]), int(match[3])
        if first <= last < count:
            return Shards(tuple(range(first, last + 1)), count)
    raise ValueError("write all, or a range and the total, such as 0-3/16; the first shard is 0")


_AnySettings = TypeVar("_AnySettings", bound=StoreSettings)


def load_settings() -> Settings:
    """Read the settings.

    Raises:
        StartError: with a line for each missing or wrong setting.
    """
    return _load(Settings)


def load_worker_settings() -> WorkerSettings:
    """Read the settings of a worker, which needs no token.

    Raise StartError like `load_settings`.
    """
    settings = _load(WorkerSettings)
    if is_sqlite(settings.database):
        raise ConfigError("DATABASE_URL", "is a file, and a worker needs the bot's PostgreSQL")
    if not queue_is_installed():
        cure = how_to_install("cluster")
        raise ConfigError("worker", f"needs packages that aren't installed; {cure} installs them")
    return settings


def load_store_settings() -> StoreSettings:
    """Read the settings for tools that only use the database and need no token.

    Raises:
        StartError: like `load_settings`.
    """
    return _load(StoreSettings)


def unknown_settings() -> Iterator[str]:
    """Yield a message for each unknown name in `.env`, and each misspelled one in the environment.

    Raises:
        ConfigError: if `.env` cannot be read.
    """
    with _as_config_errors():
        yield from environment.unknown_variables(_names())


def ignored_settings(settings: Settings) -> Iterator[str]:
    """Name each setting that another setting makes ineffective."""
    names = settings.model_fields_set
    if "metrics_host" in names and settings.metrics_port == 0:
        yield "METRICS_HOST does nothing without a METRICS_PORT"
    for name in ("machine_searches", "machine_ahead"):
        if name in names and settings.machine is not MachineSwitch.AUTO:
            yield f"{name.upper()} does nothing while MACHINE is {settings.machine}"


def _names() -> tuple[str, ...]:
    return tuple(name.upper() for name in Settings.model_fields)


@contextmanager
def _as_config_errors() -> Iterator[None]:
    try:
        yield
    except environment.SettingsFileError as error:
        raise ConfigError(error.name, error.problem) from error


def _load(kind: type[_AnySettings]) -> _AnySettings:
    with _as_config_errors():
        values, misspelled = environment.read_settings(_names())
    problems = [ConfigError(setting.name, setting.problem) for setting in misspelled]
    suggestions = {setting.suggestion for setting in misspelled}
    try:
        settings = kind.model_validate({name.lower(): text for name, text in values.items()})
    except pydantic.ValidationError as error:
        by_name = ((str(detail["loc"][0]), detail) for detail in error.errors())
        problems += [
            ConfigError(name.upper(), _problem(kind, details))
            for name, details in by_name
            if not (details["type"] == "missing" and name.upper() in suggestions)
        ]
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise StartError("\n".join(map(str, problems)))
    return settings


def _problem(kind: type[StoreSettings], error: ErrorDetails) -> str:
    match error["type"]:
        case "missing":
            return "isn't set; .env.example shows how"
        case "contradiction":
            return error["msg"]
        case "enum":
            return f"is wrong: write {error['ctx']['expected']}"
    field = kind.model_fields[str(error["loc"][0])]
    if field.annotation is int:
        bounds = [getattr(limit, name, None) for name in ("ge", "le") for limit in field.metadata]
        lowest, highest = (bound for bound in bounds if bound is not None)
        return f"is wrong: write a whole number from {lowest} to {highest}"
    return "is wrong: " + error["msg"].removeprefix("Value error, ")
