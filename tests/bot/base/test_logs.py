"""Tests for log lines: one format, one destination, no secrets."""

import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bot.__main__ import main
from bot.base import logs
from bot.base.errors import StoreError
from bot.base.logs import HIDDEN, LogFormat, LogLevel, set_up_logging


@pytest.fixture
def logging_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore the configuration, which is global to the process."""
    for name in (None, "discord", "alembic"):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "handlers", [])
        monkeypatch.setattr(logger, "level", logger.level)
    for place in (sys, threading):
        monkeypatch.setattr(place, "excepthook", place.excepthook)
    monkeypatch.setattr(logs, "_child_setup", None)
    yield
    logging.captureWarnings(False)
    structlog.reset_defaults()


@pytest.mark.usefixtures("logging_as_before")
def test_secrets_are_taken_out_of_tracebacks_too(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging(LogLevel.DEBUG, LogFormat.JSON, ["abc", "abc.def", ""])
    try:
        int("the token is abc.def")
    except ValueError:
        logging.getLogger("elsewhere").exception("with %s", "abc")
    said = capsys.readouterr().err
    assert "abc" not in said
    assert "def" not in re.sub("[a-z]*def[a-z]+", "", said)
    line = json.loads(said)
    assert line["event"] == "with [hidden]"
    assert "'the token is [hidden]'" in line["exception"]


@pytest.mark.parametrize("style", LogFormat)
@pytest.mark.usefixtures("logging_as_before")
def test_a_token_is_redacted_in_received_data_too(
    capsys: pytest.CaptureFixture[str], style: LogFormat
) -> None:
    """The secret is hidden in its Python form and as it was sent. JSON escapes its quotes."""
    set_up_logging(LogLevel.DEBUG, style, [])
    sent = {"type": 3, "token": "aW50ZXJh.x_Y-1", "version": 1}
    for shown in (sent, json.dumps(sent), json.dumps(sent, separators=(",", ":"))):
        logging.getLogger("discord.gateway").warning("cannot be read: %s", shown)
    said = capsys.readouterr().err
    assert "aW50" not in said
    assert said.count(HIDDEN) == 3
    assert said.count("version") == 3


@pytest.mark.usefixtures("logging_as_before")
def test_a_crashed_thread_is_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up_logging(LogLevel.INFO, LogFormat.JSON)
    for error in (SystemExit(0), ValueError("a slip")):
        thread = threading.Thread(target=_raise, args=(error,))
        thread.start()
        thread.join()
    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert told["event"] == "thread died: uncaught exception"
    assert "a slip" in told["exception"]
    assert told["timestamp"].endswith("Z"), "the hour is that of all machines"


def _raise(error: BaseException) -> None:
    raise error


def test_every_line_goes_to_one_place() -> None:
    """No part of the bot prints, or configures its own log."""
    root = Path(__file__).resolve().parents[3] / "bot"
    for file in root.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert re.search(r"\bprint\(", text) is None, file
        assert "getLogger(__name__)" not in text, file
        assert "StreamHandler" not in text or file.name == "logs.py", file


@pytest.mark.usefixtures("logging_as_before")
def test_an_error_reported_by_the_store_is_not_repeated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up_logging(LogLevel.INFO, LogFormat.JSON)
    log = structlog.get_logger("bot.test")
    for error in (StoreError("full", writing=True), ValueError("a fault")):
        try:
            raise error
        except (StoreError, ValueError):
            log.exception("background task failed")
            logging.getLogger("elsewhere").exception("another package's")
        log.error("background task failed", exc_info=error)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line["event"], "ValueError" in line["exception"]) for line in lines]
    assert told == [
        ("another package's", False),
        ("background task failed", True),
        ("another package's", True),
        ("background task failed", True),
    ]


@pytest.mark.usefixtures("logging_as_before")
@pytest.mark.parametrize("style", LogFormat)
def test_why_it_does_not_start_is_a_line_like_the_others(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    style: LogFormat,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/nowhere/dvonn.sqlite3")
    monkeypatch.setenv("LOG_FORMAT", style)
    assert main(["ratings", "--check"]) == 2
    said = capsys.readouterr().err
    if style is LogFormat.TEXT:
        assert said.startswith("dvonn-bot: ")
    else:
        line = json.loads(said)
        assert (line["event"], line["level"]) == ("start failed", "critical")
        assert "nowhere" in line["error"]
