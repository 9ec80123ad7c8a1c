"""Tests that every wrong setting gets one sentence, at start and in check.

tests/bot/base/test_config.py tests the sentences. The settings are those of `Settings`, so a new
one is tested automatically.
"""

import logging
import os
from collections.abc import Iterator
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import discord
import pytest
from sqlalchemy import make_url

from bot.__main__ import EXIT_CANNOT_START, main
from bot.base.config import Settings, load_settings
from bot.base.errors import StartError
from tests.ports import free_port

SECRET = "geheim"
BLANK = {"empty": "", "blanks": "   ", "a tab": "\t"}
NEVER = {  # no setting can contain this
    "a control character": "a\x1bb",
    "two lines": "a\nb",
    "no text at all": "\udcff",
}
ODD = {
    "very long": "x" * 100_000,
    "a long path": "sqlite:////" + "x" * 5_000,
    "not ASCII": "ü☃",
    "an empty label": "a..b",
    "below zero": "-1",
    "a fraction": "1.5",
    "a huge number": "9" * 5_000,
    "some other word": "perhaps",
    "words": "one two",
    "quoted": '"auto"',
    "a list": "[1]",
    "a variable": "${HOME}",
    "half escaped": "%zz",
    "a path": "/nowhere/at/all",
    "a page": "http://127.0.0.1:1/x",
    "no page": "http://[",
    "a port beyond": "http://127.0.0.1:99999",
    "a page with a password": f"http://me:{SECRET}@127.0.0.1:1",
    "two slashes": "sqlite://file",
    "in memory": "sqlite://",
    "another database": f"mysql://me:{SECRET}@127.0.0.1/d",
    "a database that is away": f"postgresql://me:{SECRET}@127.0.0.1:1/d",
    "a database's port beyond": f"postgresql://me:{SECRET}@127.0.0.1:99999/d",
    "an unescaped @": f"postgresql://me:pass@{SECRET}@127.0.0.1:1/d",
    "an unescaped @ and a stroke": f"postgresql://me:pass@{SECRET}/x@127.0.0.1:1/d",
    "a password in the query": f"postgresql://me@127.0.0.1:1/d?password={SECRET}",
    "an unknown sslmode": "postgresql://127.0.0.1:1/d?sslmode=perhaps",
    "an unknown option": "postgresql://127.0.0.1:1/d?pgbouncer=true",
    "a certificate that is not there": "postgresql://127.0.0.1:1/d?sslrootcert=/nowhere",
    "no folder": "sqlite:////nowhere/at/all.sqlite3",
    "a folder": "sqlite:////",
    "no shards": "5-3/2",
}
NAMES = [name.upper() for name in Settings.model_fields]
NARROW = {
    name.upper()
    for name, field in Settings.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, (Enum, int))
}
"""Settings that are one of a list, or a number. No odd value is valid for them."""


class Refusing(BaseHTTPRequestHandler):
    """A Discord that accepts no token. So a start ends there if everything else is correct."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def refusing() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all tests, so that its database is created once."""
    return tmp_path_factory.mktemp("host")


@pytest.fixture(autouse=True)
def well_set(monkeypatch: pytest.MonkeyPatch, refusing: str, folder: Path) -> None:
    """Settings with which the bot gets as far as Discord. Changes to this process are undone."""
    for name in os.environ:
        if name != "PATH":
            monkeypatch.delenv(name)
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    monkeypatch.setenv("DISCORD_API_URL", refusing)
    monkeypatch.setenv("MACHINE", "off")
    monkeypatch.setenv("METRICS_PORT", str(free_port()))
    monkeypatch.chdir(folder)
    monkeypatch.setattr("discord.http.Route.BASE", discord.http.Route.BASE)
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Return the bot's error, and every line that it has logged."""
    status = main(arguments)
    logging.captureWarnings(False)
    written = capsys.readouterr()
    text = written.out + written.err
    assert "Traceback" not in text
    assert SECRET not in text
    return status, text.splitlines()


def refused(lines: list[str]) -> list[str]:
    """Return the names of wrong settings, except the token of these tests."""
    wrong = [line[4:] for line in lines if line.startswith("BAD ")]
    return [line for line in wrong if not line.startswith("Discord rejected DISCORD_TOKEN")]


def refusal() -> str | None:
    """Return the complaints of the settings reader, which `check` and a start use."""
    try:
        load_settings()
    except StartError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_value_is_refused_in_one_sentence(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, value in (NEVER | ODD).items():
        monkeypatch.setenv(name, value)

        said = refusal()

        if kind in NEVER or name in NARROW:
            assert said is not None, kind
        if said is not None:
            assert said.startswith(f"{name} "), kind
            assert len(said) < 280, kind
            assert "\n" not in said, kind
            assert SECRET not in said, kind


@pytest.mark.parametrize("name", NAMES)
def test_check_and_a_start_refuse_the_same_settings(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They give exactly the reader's messages."""
    monkeypatch.setenv(name, NEVER["two lines"])

    expected = (EXIT_CANNOT_START, [f"dvonn-bot: {refusal()}"])
    assert call(capsys, "check") == expected
    assert call(capsys) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_blank_setting_is_unset(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    field = Settings.model_fields[name.lower()]
    for kind, value in BLANK.items():
        monkeypatch.setenv(name, value)
        if field.is_required():
            assert call(capsys, "check") == (
                EXIT_CANNOT_START,
                [f"dvonn-bot: {name} isn't set; .env.example shows how"],
            ), kind
        else:
            assert getattr(load_settings(), name.lower()) == field.default, kind


@pytest.mark.parametrize(
    ("together", "status", "said"),
    [
        (
            {"SHARDS": "0/2", "DATABASE_URL": "sqlite:///a.sqlite3"},
            EXIT_CANNOT_START,
            "dvonn-bot: SHARDS needs PostgreSQL: put its address in DATABASE_URL, or remove SHARDS",
        ),
        (
            {"METRICS_HOST": "0.0.0.0", "METRICS_PORT": "0"},  # noqa: S104 - nothing is opened
            1,
            "    METRICS_HOST does nothing without a METRICS_PORT",
        ),
        (
            {"MACHINE_SEARCHES": "2", "MACHINE": "off"},
            1,
            "    MACHINE_SEARCHES does nothing while MACHINE is off",
        ),
        (
            {"MACHINE_AHEAD": "0", "MACHINE": "off"},
            1,
            "    MACHINE_AHEAD does nothing while MACHINE is off",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_settings_that_contradict_each_other_are_named(
    together: dict[str, str],
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in together.items():
        monkeypatch.setenv(name, value)

    checked, lines = call(capsys, "check")

    assert checked == status  # 1 is for the token of these tests
    assert said in lines
    assert refused(lines) == []


@pytest.mark.parametrize(
    ("command", "name", "meant", "place"),
    [
        ("check", "DATABSE_URL", "DATABASE_URL", "in .env"),
        ("check", "DATABSE_URL", "DATABASE_URL", "in the environment"),
        ("check", "METRICSPORT", "METRICS_PORT", "in .env"),
        ("run", "MACHIN", "MACHINE", "in .env"),
        ("run", "discord_tokn", "DISCORD_TOKEN", "in the environment"),
        ("restore", "DATABSE_URL", "DATABASE_URL", "in the environment"),
    ],
)
def test_a_misspelt_setting(
    command: str,
    name: str,
    meant: str,
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(meant, raising=False)
    if place == "in .env":
        (tmp_path / ".env").write_text(f"{name}=off\n")
    else:
        monkeypatch.setenv(name, "off")
    rest = ["a.file"] if command == "restore" else []

    said = f"dvonn-bot: {name.upper()} {place} isn't a setting of dvonn-bot: write {meant}"
    assert call(capsys, command, *rest) == (EXIT_CANNOT_START, [said])


@pytest.mark.parametrize("command", ["check", "run"])
def test_all_errors_are_reported_at_once_in_lines(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    monkeypatch.setenv("LOG_LEVEL", "loud")

    status, lines = call(capsys, command)

    assert status == EXIT_CANNOT_START
    assert lines == [
        "dvonn-bot: LOG_LEVEL is wrong: write 'debug', 'info', 'warning' or 'error'",
        "dvonn-bot: DISCORD_TOKEN isn't set; .env.example shows how",
    ]


@pytest.mark.parametrize(
    ("command", "address"),
    [
        ("check", f"postgresql://me:pass@{SECRET}@127.0.0.1:1/dvonn"),
        ("run", f"postgresql://me:pass@{SECRET}/more@127.0.0.1:1/dvonn"),
        ("check", f"postgresql://me:{SECRET}@127.0.0.1:1/dvonn"),
        ("run", f"postgresql://me@127.0.0.1:1/dvonn?password={SECRET}"),
        ("backup", f"postgresql://me@127.0.0.1:1/dvonn?password={SECRET}"),
        ("check", f"postgresql://me@127.0.0.1:1/dvonn?sslpassword={SECRET}&sslmode=require"),
    ],
)
def test_a_password_is_never_printed(
    command: str, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor anything in an address except user, host, port and database."""
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setenv("LOG_LEVEL", "debug")
    rest = ["backup.file"] if command == "backup" else []

    status, lines = call(capsys, command, *rest)  # it looks for the password

    assert status in {1, EXIT_CANNOT_START}
    written = "\n".join(lines)
    assert "me:" not in written
    if address.count("@") > 1:
        assert "in a user's name or a password, write it as %40" in written
        assert make_url("postgresql://a:b%40c@d").password == "b@c"  # it is the fix
    else:
        assert "DATABASE_URL (postgresql://me@127.0.0.1:1/dvonn) cannot be used: " in written
