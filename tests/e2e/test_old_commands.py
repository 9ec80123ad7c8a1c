"""Tests for the commands of 0.1.0, which a member's client still lists."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.e2e.conftest import Club, shown_alone, texts

SUBCOMMAND, TEXT, PERSON = 1, 3, 6
Option = dict[str, Any]


def option(name: str, kind: int, *inner: Option) -> Option:
    return {"name": name, "type": kind, "description": "As it was once", "options": list(inner)}


@contextmanager
def listed(club: Club, name: str, *options: Option) -> Iterator[None]:
    """Let people's clients list a command in its old form."""
    commands = club.world.application.commands
    (key,) = (key for key, one in commands.items() if one["name"] == name)
    today = commands[key]
    commands[key] = {**today, "options": list(options)}
    try:
        yield
    finally:
        commands[key] = today


async def test_former_subcommands_still_work_or_show_their_replacement(club: Club) -> None:
    await club.start_game(start="placement")
    old = (option("set", SUBCOMMAND, option("spaces", TEXT)), option("cancel", SUBCOMMAND))
    with listed(club, "plan", *old):
        made = await club.bob.slash(club.channel, "plan set", spaces="d3 e3, else next free")
        assert "d3, e3, else the next free" in texts(made)
        cancelled = shown_alone(await club.bob.slash(club.channel, "plan cancel"))
    assert "d3, e3, else the next free" in cancelled.content
    assert "Delete" in [button.label for button in cancelled.buttons]


async def test_a_former_option_opens_its_form(club: Club) -> None:
    with listed(club, "challenge", option("opponent", PERSON), option("colour", TEXT)):
        opened = await club.ann.slash(club.channel, "challenge", opponent=club.bob, colour="white")
    assert opened.modal is not None
    await club.ann.submit(opened.modal, {"colour": ["white"]})
    await club.channel.wait_for(lambda one: club.bob.id in one.pinged)
