"""Tests for the options of used commands: today's, options of 0.1.0, and forged ones."""

import logging
from typing import Any

import discord
import pytest
from discord import Intents, app_commands

from bot.client.command_tree import Commands, _should_log, command_tree
from bot.client.compat_0_1_0 import bring_up_to_date
from bot.connection.request_errors import ACKNOWLEDGED
from bot.play.handlers.interactions import ServicesClient
from tests.bot.connection.received import interaction

STRING, INTEGER, BOOLEAN, USER, CHANNEL, SUBCOMMAND = 3, 4, 5, 6, 7, 1
MORE = ("more", BOOLEAN, True)
BOB: dict[str, Any] = {"users": {"12": {}}}


@pytest.fixture(scope="module")
def tree() -> Commands:
    return command_tree(ServicesClient(intents=Intents.none()))


def named(*options: Any) -> list[dict[str, Any]]:
    """Return options as Discord sends them. One may hold others in place of a value."""
    found = []
    for name, kind, value, *more in options:
        held = {"options": named(*value)} if kind == SUBCOMMAND else {"value": value}
        found.append({"name": name, "type": kind, **held, **({"focused": True} if more else {})})
    return found


def used(name: str, *options: Any, resolved: Any = BOB, kind: int = 1) -> Any:
    command: Any = interaction()
    command.data = {"name": name, "type": kind, "options": named(*options), "resolved": resolved}
    return command


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("play", []),
        ("play", [("level", INTEGER, 5), ("rated", BOOLEAN, False), MORE]),
        ("play", [("clock", STRING, "1d", "typed")]),
        ("challenge", [("opponent", USER, "12"), ("clock", STRING, "3 days")]),
        ("setup", [("boards", SUBCOMMAND, [("placement", STRING, "edit")])]),
        ("setup", [("pause", SUBCOMMAND, [("days", INTEGER, 3)])]),
        ("no such command", [("level", INTEGER, 5)]),
    ],
)
async def test_todays_options_are_unchanged(tree: Commands, name: str, options: list[Any]) -> None:
    command = used(name, *options)
    assert await tree.interaction_check(command)
    assert command.data["options"] == named(*options)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("play", [("level", STRING, "5")]),
        ("play", [("level", INTEGER, "5")]),
        ("play", [("level", INTEGER, 99)]),
        ("play", [("level", INTEGER, "5", "typed")]),  # it has no suggestions
        ("play", [("clock", STRING, 5, "typed")]),
        ("play", [("rated", BOOLEAN, 1)]),
        ("challenge", [("opponent", USER, "13")]),
        ("setup", [("boards", SUBCOMMAND, [("placement", STRING, "some")])]),
        ("setup", [("pause", SUBCOMMAND, [("day", INTEGER, 3)])]),
        ("setup", [("log", SUBCOMMAND, [("channel", CHANNEL, "12")])]),
    ],
)
async def test_forged_options_are_refused(tree: Commands, name: str, options: list[Any]) -> None:
    with pytest.raises(app_commands.CommandSignatureMismatch):
        await tree.interaction_check(used(name, *options))


@pytest.mark.parametrize(
    ("name", "options", "now"),
    [
        (
            "play",
            [("level", INTEGER, 5), ("colour", STRING, "white")],
            [("level", INTEGER, 5), MORE],
        ),
        ("challenge", [("where", STRING, "thread")], [MORE]),
        ("board", [("size", INTEGER, 3)], [("size", INTEGER, 3)]),  # it has no form
        (
            "board",
            [("show", SUBCOMMAND, [("text", BOOLEAN, True), ("game", INTEGER, 3)])],
            [("text", BOOLEAN, True)],
        ),
        ("plan", [("show", SUBCOMMAND, [("spaces", STRING, "d2")])], [("moves", STRING, "d2")]),
    ],
)
def test_options_of_0_1_0_become_todays(
    tree: Commands, name: str, options: list[Any], now: list[Any]
) -> None:
    command = used(name, *options)
    bring_up_to_date(tree.get_command(name), command.data)
    assert command.data["options"] == named(*now)


async def test_commands_of_0_1_0_are_brought_up_to_date_before_their_check(tree: Commands) -> None:
    used_before = used("plan", ("show", SUBCOMMAND, [("spaces", STRING, "d2")]))
    assert await tree.interaction_check(used_before)
    assert used_before.data["options"] == named(("moves", STRING, "d2"))


async def test_a_menus_command_has_no_options(tree: Commands) -> None:
    assert await tree.interaction_check(used("play", ("level", STRING, "5"), kind=3))


def test_warnings_of_discord_py_are_logged_unless_they_are_routine() -> None:
    class Response:
        status, reason = 400, "Bad Request"

    def is_logged(error: BaseException | None) -> bool:
        info = None if error is None else (type(error), error, None)
        return _should_log(logging.LogRecord("", logging.ERROR, "", 0, "", (), info))

    response: Any = Response()
    everyday = discord.HTTPException(response, {"code": ACKNOWLEDGED, "message": ""})
    other = discord.HTTPException(response, {"code": 1, "message": ""})
    play: Any = command_tree(ServicesClient(intents=Intents.none())).get_command("play")
    assert [is_logged(error) for error in (None, ValueError(), other)] == [True] * 3
    late = discord.NotFound(response, "")
    mismatch = app_commands.CommandSignatureMismatch(play)
    assert [is_logged(error) for error in (everyday, late, mismatch)] == [False] * 3
