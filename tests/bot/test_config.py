from pathlib import Path

import pytest

from bot.config import LogFormat, LogLevel, MessageContent, Settings, load_settings
from bot.errors import ConfigError
from bot.store.rows import Shards

NAMES = [name.upper() for name in Settings.model_fields]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)  # no .env of the developer's


def test_a_token_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "abc.def.ghi")
    settings = load_settings()
    assert settings.discord_token.get_secret_value() == "abc.def.ghi"
    assert settings.discord_api_url == "https://discord.com/api/v10"
    assert settings.database_url == "sqlite:///dvonn.sqlite3"
    assert settings.message_content is MessageContent.AUTO


def test_settings_are_read_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=from-the-file\nLOG_LEVEL=Warning\n")
    settings = load_settings()
    assert settings.discord_token.get_secret_value() == "from-the-file"
    assert settings.log_level is LogLevel.WARNING
    assert settings.log_format is LogFormat.TEXT


def test_an_empty_setting_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    monkeypatch.setenv("MESSAGE_CONTENT", "")
    assert load_settings().message_content is MessageContent.AUTO


def test_the_missing_token_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^DISCORD_TOKEN is not set; \.env\.example shows how$"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("DISCORD_TOKEN", "two words", "one word"),
        ("DISCORD_TOKEN", "tökén", "one word"),
        ("DISCORD_API_URL", "discord.com", "pattern"),
        ("DATABASE_URL", "dvonn.sqlite3", "must look like sqlite:///"),
        ("DATABASE_URL", "mysql://localhost/dvonn", "must start with sqlite:///"),
        ("SHARDS", "two", "must be 'all', or some shards of so many: 0-3/16"),
        ("SHARDS", "2/2", "must be 'all'"),
        ("SHARDS", "3-1/4", "must be 'all'"),
        ("SHARDS", "0/2", "is for several processes, which need a PostgreSQL"),
        ("MESSAGE_CONTENT", "maybe", "'auto', 'on' or 'off'"),
        ("LOG_LEVEL", "loud", "'debug', 'info', 'warning' or 'error'"),
        ("LOG_FORMAT", "xml", "'text' or 'json'"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, hint: str
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert str(caught.value).startswith(name)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


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
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    monkeypatch.setenv("DATABASE_URL", "postgresql://localhost/dvonn")
    monkeypatch.setenv("SHARDS", given)
    assert load_settings().own_shards == held


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
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    monkeypatch.setenv("DATABASE_URL", given)
    assert load_settings().database.drivername == driver


def test_a_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "geheim")
    assert "geheim" not in repr(load_settings())
    monkeypatch.setenv("DISCORD_TOKEN", "geheim geheim")
    with pytest.raises(ConfigError) as caught:
        load_settings()
    assert "geheim" not in str(caught.value)
    assert "geheim" not in repr(caught.value.__cause__)
