"""Tests for the names of settings, in `.env` and in the environment, and for misspelled ones."""

import os
from pathlib import Path

import pytest

from bot.base import environment
from bot.base.environment import (
    NO_TOKEN,
    how_to_install,
    main,
    read_settings,
    shell_only_names,
    unknown_variables,
)

NAMES = ("DISCORD_TOKEN", "DATABASE_URL", "LOG_LEVEL")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without settings, and an empty environment."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        monkeypatch.delenv(name)
    return tmp_path


def write(*lines: str) -> None:
    environment.FILE.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("DISCORD_TOKN", "DISCORD_TOKEN"),
        ("discord_tokn", "DISCORD_TOKEN"),
        ("MY_DATABASE_URL", None),  # belongs to another program
        ("HOME", None),
    ],
)
def test_a_misspelled_setting_is_noticed_unless_the_right_one_is_there(
    monkeypatch: pytest.MonkeyPatch, name: str, suggestion: str | None
) -> None:
    monkeypatch.setenv(name, "abc")
    values, misspelled = read_settings(NAMES)
    assert values == {}
    expected = [] if suggestion is None else [(name.upper(), suggestion)]
    assert [(setting.name, setting.suggestion) for setting in misspelled] == expected
    write("DISCORD_TOKEN=abc", "DATABASE_URL=sqlite:///a.sqlite3")
    _, misspelled = read_settings(NAMES)
    assert misspelled == []


def test_unknown_names_in_the_file_and_misspelled_ones_in_the_environment_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("COLOUR=red", "LOGLEVEL=debug", "LOG_LEVEL=debug")
    for name in ("LOG_LEVE", "COLOUR", "SHELL"):
        monkeypatch.setenv(name, "abc")
    assert list(unknown_variables(NAMES)) == [
        "COLOUR in .env isn't a setting of dvonn-bot",
        "LOGLEVEL in .env isn't a setting of dvonn-bot; did you mean LOG_LEVEL?",
        "LOG_LEVE in the environment isn't a setting of dvonn-bot; did you mean LOG_LEVEL?",
    ]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("", NO_TOKEN),
        ("DISCORD_TOKEN=", NO_TOKEN),
        ("DISCORD_TOKEN=abc", 0),
        ("DISCORD_TOKN=abc", 0),  # the bot itself names the mistake
        ("'", 0),
    ],
)
def test_the_exit_status_shows_whether_there_is_a_token(line: str, status: int) -> None:
    write(line)
    assert main() == status


@pytest.mark.parametrize(
    ("line", "is_misread"),
    [
        ("export A=1", True),
        ("A=1 # one", True),
        ("A='1' # one", True),
        ('A="1" # one', True),
        ("A=1#one", False),
        ("A='1 # one'", False),
        ("A=1", False),
        ("# A=1", False),
    ],
)
def test_lines_that_systemd_reads_differently_are_found(line: str, *, is_misread: bool) -> None:
    write(line)
    assert shell_only_names(environment.FILE) == (["A"] if is_misread else [])


def test_an_extra_is_installed_by_run_in_a_checkout_and_else_by_pip(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert how_to_install("engine") == "./run"
    monkeypatch.setattr(environment, "_RUN", tmp_path / "run")
    assert how_to_install("engine") == "pip install 'dvonn-bot[engine]'"
