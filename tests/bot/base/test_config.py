import re
import ssl
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.base import database_address as address
from bot.base.config import MessageContent, Settings, load_settings
from bot.base.errors import ConfigError, StartError
from bot.base.ids import Shards
from bot.base.logs import LogFormat, LogLevel

NAMES = [name.upper() for name in Settings.model_fields]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (*NAMES, *map(str.lower, NAMES)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)  # without the developer's .env
    monkeypatch.setattr("bot.base.config.find_spec", lambda name: name)  # all extras are installed


def load(monkeypatch: pytest.MonkeyPatch, **given: str) -> Settings:
    """The settings of a host who has set a token and the given values."""
    for name, text in {"DISCORD_TOKEN": "abc", **given}.items():
        monkeypatch.setenv(name, text)
    return load_settings()


LONG = ".".join("x" * 136 for _ in range(3))
"""A token of another length. Discord guarantees none."""


def test_a_token_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load(monkeypatch, DISCORD_TOKEN="abc.def.ghi")
    assert settings.discord_token.get_secret_value() == "abc.def.ghi"
    assert settings.discord_api_url == "https://discord.com/api/v10"
    assert settings.database_url == "sqlite:///dvonn.sqlite3"
    assert settings.message_content is MessageContent.AUTO


def test_a_token_may_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(monkeypatch, DISCORD_TOKEN=LONG).discord_token.get_secret_value() == LONG


def test_settings_are_read_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=from-the-file\nLOG_LEVEL=Warning\n")
    settings = load_settings()
    assert settings.discord_token.get_secret_value() == "from-the-file"
    assert settings.log_level is LogLevel.WARNING
    assert settings.log_format is LogFormat.TEXT


def test_an_empty_setting_is_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(monkeypatch, MESSAGE_CONTENT="").message_content is MessageContent.AUTO


def test_the_missing_token_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^DISCORD_TOKEN isn't set; \.env\.example shows how$"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("DISCORD_TOKEN", "two words", "one word"),
        ("DISCORD_TOKEN", "tökén", "one word"),
        ("DISCORD_TOKEN", '"abc"', "without quotation marks"),
        ("DISCORD_TOKEN", "“abc”", "without quotation marks"),
        ("DISCORD_API_URL", "discord.com", "write it like https://discord.com/api/v10"),
        ("DISCORD_API_URL", "https://me:pw@localhost", "write it without name and password"),
        ("DATABASE_URL", "dvonn.sqlite3", "write it like sqlite:///"),
        ("DATABASE_URL", "mysql://localhost/dvonn", "start it with sqlite:///"),
        ("DATABASE_URL", "sqlite://d.sqlite3", "write three slashes, sqlite:///…, or four"),
        ("DATABASE_URL", "sqlite://", "name a file: a database in memory is lost"),
        ("DATABASE_URL", "sqlite:///:memory:", "name a file: a database in memory is lost"),
        ("DATABASE_URL", "sqlite:///file:d?mode=memory&uri=true", "can't have ?options"),
        ("DATABASE_URL", "postgresql://u:p@ss@h/d", "write it as %40"),
        ("DATABASE_URL", "postgresql://u@v:p@h/d", "write it as %40"),
        ("DATABASE_URL", "postgresql://h:99999/d", "has a port that is not from 1 to 65535"),
        (
            "DATABASE_URL",
            "postgresql:///d?host=a&host=b&port=1&port=2&port=3",
            "different numbers of hosts and ports",
        ),
        ("DATABASE_URL", "postgresql://h/d?sslmode=on", "one of disable, allow, prefer, require"),
        ("DATABASE_URL", "postgresql://h/d?sslmode=verify-full", "needs sslrootcert with"),
        (
            "DATABASE_URL",
            "postgresql://h/d?sslrootcert=/nowhere",
            "has an sslrootcert that doesn't exist",
        ),
        ("DATABASE_URL", "postgresql://h/d?sslmode=allow&sslmode=require", "has sslmode twice"),
        ("METRICS_HOST", "http://localhost", "write an address of this machine"),
        ("GAME_PAGE", "example.org", "write it like https://example.org/dvonn.html"),
        ("GAME_PAGE", "https://example.org/#x", "without a #"),
        ("HTTPS_PROXY", "socks5://p:1", "write it like http://proxy.example:3128"),
        ("HTTP_PROXY", "http://", "write it like http://proxy.example:3128"),
        ("SHARDS", "two", "write all, or a range and the total, such as 0-3/16"),
        ("SHARDS", "2/2", "write all,"),
        ("SHARDS", "3-1/4", "write all,"),
        ("SHARDS", "0/2", "put its address in DATABASE_URL, or remove SHARDS"),
        ("MACHINE", "on", "is wrong: write 'auto', 'light', 'queue' or 'off'"),
        ("MACHINE_SEARCHES", "two", "is wrong: write a whole number from 1 to 64"),
        ("MACHINE_SEARCHES", "65", "is wrong: write a whole number from 1 to 64"),
        ("MACHINE_AHEAD", "3601", "is wrong: write a whole number from 0 to 3600"),
        ("METRICS_PORT", "-1", "is wrong: write a whole number from 0 to 65535"),
        ("REQUESTS_PER_SECOND", "2.5", "is wrong: write a whole number from 0 to 10000"),
        ("MESSAGE_CONTENT", "maybe", "is wrong: write 'auto', 'on' or 'off'"),
        ("LOG_LEVEL", "loud", "is wrong: write 'debug', 'info', 'warning' or 'error'"),
        ("KEEP_PLAYERS", "0", "is wrong: write a number of days, such as 90, or forever"),
        ("KEEP_NOTICES", "3 weeks", "write a number of days"),
        ("KEEP_LEARNING", "-1", "write a number of days"),
        ("KEEP_SERVERS", "never", "write a number of days"),
        ("LOG_FORMAT", "xml", "is wrong: write 'text' or 'json'"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, hint: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(monkeypatch, **{name: value})
    assert str(caught.value).startswith(name)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_errors_are_reported_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKN=abc\nLOG_LEVEL=loud\nSHARDS=0/2\n")
    monkeypatch.setenv("METRICSPORT", "80")
    monkeypatch.setenv("MACHINE", "queue")
    with pytest.raises(StartError) as caught:
        load_settings()
    assert [line.split()[0] for line in str(caught.value).splitlines()] == [
        "DISCORD_TOKN",
        "METRICSPORT",
        "LOG_LEVEL",
        "MACHINE",
        "SHARDS",
    ]


@pytest.mark.parametrize(
    ("settings", "proxy"),
    [
        ({}, None),
        ({"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ({"https_proxy": "me:x@p"}, "http://me:x@p"),
        ({"HTTP_PROXY": "http://p:1"}, None),
        ({"HTTP_PROXY": "http://p:1", "DISCORD_API_URL": "http://d.test/api"}, "http://p:1"),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "a.test, cord.com"}, "http://p:1"),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "a.test,discord.com"}, None),
        ({"HTTPS_PROXY": "http://p:1", "no_proxy": "*"}, None),
        ({"HTTP_PROXY": "http://p:1", "DISCORD_API_URL": "http://127.0.0.1:80/api"}, None),
        ({"HTTP_PROXY": "http://p:1", "DISCORD_API_URL": "http://localhost/api"}, None),
    ],
)
def test_a_proxy_is_read_as_by_other_programs(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], proxy: str | None
) -> None:
    assert load(monkeypatch, **settings).proxy == proxy


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ("all", None),
        ("ALL", None),
        ("1/2", Shards((1,), 2)),
        ("0-3/16", Shards((0, 1, 2, 3), 16)),
        ("15-15/16", Shards((15,), 16)),
    ],
)
def test_a_process_can_hold_some_of_the_shards(
    monkeypatch: pytest.MonkeyPatch, given: str, held: Shards | None
) -> None:
    settings = load(monkeypatch, DATABASE_URL="postgresql://localhost/dvonn", SHARDS=given)
    assert settings.own_shards == held


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///a.sqlite3", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:///a.sqlite3", "sqlite+aiosqlite"),
        ("postgresql://u:p@h/d", "postgresql+asyncpg"),
        ("postgres://u:p@h/d", "postgresql+asyncpg"),
        ("postgresql+asyncpg://u:p@h/d", "postgresql+asyncpg"),
    ],
)
def test_databases_get_their_drivers(
    monkeypatch: pytest.MonkeyPatch, given: str, driver: str
) -> None:
    assert load(monkeypatch, DATABASE_URL=given).database.drivername == driver


def test_a_postgresql_without_its_driver_is_refused_with_the_cure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.base.config.find_spec", lambda _: None)
    with pytest.raises(ConfigError) as caught:
        load(monkeypatch, DATABASE_URL="postgresql://u:secret@h/d")
    assert str(caught.value).startswith(
        "DATABASE_URL is a PostgreSQL address, but its package isn't"
    )
    assert str(caught.value).endswith(": ./run installs it")
    assert (
        load(monkeypatch, DATABASE_URL="sqlite:///a.sqlite3").database_url == "sqlite:///a.sqlite3"
    )


def test_a_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "geheim" not in repr(load(monkeypatch, DISCORD_TOKEN="geheim"))
    with pytest.raises(ConfigError) as caught:
        load(monkeypatch, DISCORD_TOKEN="geheim geheim")
    assert "geheim" not in str(caught.value)
    assert "geheim" not in repr(caught.value.__cause__)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_as_windows_writes_it(tmp_path: Path, encoding: str) -> None:
    text = "DISCORD_TOKEN=abc\r\nDATABASE_URL=sqlite:///größe.sqlite3\r\n"
    (tmp_path / ".env").write_bytes(text.encode(encoding))
    assert load_settings().database_url == "sqlite:///größe.sqlite3"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("DISCORD_TOKEN=für".encode("latin-1"), ".env isn't UTF-8 text; save it again as UTF-8"),
        ("DISCORD_TOKEN=a".encode("utf-16-le"), ".env isn't UTF-8 text; save it again as UTF-8"),
        (b'\n\nDISCORD_TOKEN="abc\n', ".env cannot be read: line 3 isn't like NAME=value"),
        (b"DISCORD_TOKEN=abc\ndef.ghi\n", ".env cannot be read: line 2 isn't like NAME=value"),
        # Docker creates such a folder to mount it
        (None, ".env is a folder; put a file there instead"),
    ],
    ids=[
        "another encoding",
        "unmarked UTF-16",
        "an open quotation mark",
        "a broken line",
        "a folder",
    ],
)
def test_an_unreadable_file_is_reported(tmp_path: Path, content: bytes | None, said: str) -> None:
    if content is None:
        (tmp_path / ".env").mkdir()
    else:
        (tmp_path / ".env").write_bytes(content)
    with pytest.raises(ConfigError, match=re.escape(said)):
        load_settings()


def test_a_line_has_its_documented_meaning(tmp_path: Path) -> None:
    """Nothing replaces a dollar sign, because a password may contain one."""
    (tmp_path / ".env").write_text(
        "DISCORD_TOKEN=abc\nDATABASE_URL=postgresql://u:a${HOME}$b@h/d\n"
    )
    assert load_settings().database.password == "a${HOME}$b"


def test_the_environment_wins_unless_it_is_blank(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=file\nLOG_LEVEL=debug\n")
    monkeypatch.setenv("LOG_LEVEL", " error ")
    monkeypatch.setenv("DISCORD_TOKEN", " ")
    settings = load_settings()
    assert settings.log_level is LogLevel.ERROR
    assert settings.discord_token.get_secret_value() == "file"


@pytest.mark.parametrize(
    ("given", "shown", "secret"),
    [
        ("postgresql://me:a%40b@h:1/d?sslmode=require", "postgresql://me@h:1/d", "a@b"),
        ("postgresql://me@h/d?password=a%40b", "postgresql://me@h/d", "a@b"),
        ("postgresql://h/d?user=me&password=a%40b&dbname=e", "postgresql://me@h/e", "a@b"),
        ("postgresql://[::1]/d?sslpassword=a%40b", "postgresql://[::1]/d", "a@b"),
        ("postgresql://me:x@/d?host=/run/pg", "postgresql://me@/d?host=%2Frun%2Fpg", "x"),
    ],
)
def test_user_host_port_and_database_are_all_that_is_shown(
    monkeypatch: pytest.MonkeyPatch, given: str, shown: str, secret: str
) -> None:
    settings = load(monkeypatch, DATABASE_URL=given)
    assert address.redacted_url(settings.database) == shown
    assert {"abc", secret, quote(secret)} <= set(settings.secrets)


def test_a_file_is_shown_with_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = address.redacted_url(load(monkeypatch).database)
    assert shown == f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"


@pytest.mark.parametrize(
    ("shards", "told", "share"),
    [
        ("all", "0", 50),
        ("0-3/16", "0", 12),
        ("7/16", "0", 3),
        ("0/100", "0", 1),
        ("0/2", "40", 40),
        ("all", "200", 200),
    ],
)
def test_each_process_has_its_part_of_the_requests(
    shards: str, told: str, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "postgresql://localhost/dvonn"
    settings = load(monkeypatch, DATABASE_URL=url, SHARDS=shards, REQUESTS_PER_SECOND=told)
    assert settings.request_rate == share


def test_more_than_one_at_is_refused_where_a_password_may_be() -> None:
    with pytest.raises(ValueError, match="more than one @"):
        address.database_address("postgresql://ann:p@ss@host/games")
    assert address.database_address("sqlite:///a@b@c.sqlite3").database == "a@b@c.sqlite3"
    assert address.database_address("postgresql://ann@host/games").username == "ann"


def test_the_system_s_certificates_are_taken_where_they_are_named() -> None:
    plain = address.database_address(
        "postgresql://host/games?sslmode=verify-full&sslrootcert=system"
    )
    arguments = address.connection_arguments(plain)
    assert isinstance(arguments["ssl"], ssl.SSLContext)
    assert "sslrootcert" not in arguments["dsn"]
    assert set(address.connection_arguments(address.database_address("postgresql://h/g"))) == {
        "dsn"
    }


def test_channel_binding_requires_a_certificate() -> None:
    told = "postgresql://host/games?channel_binding=require"
    dsn = address.connection_arguments(address.database_address(told))["dsn"]
    assert "sslmode=" in dsn
    system = address.database_address(f"{told}&sslmode=verify-full&sslrootcert=system")
    assert "ssl" in address.connection_arguments(system)
