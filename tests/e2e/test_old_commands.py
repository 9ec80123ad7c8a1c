"""Tests of an older version's commands, which a member's client still lists."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sandbox import Permission
from tests.e2e.conftest import Club, shown, shown_alone, texts

SUBCOMMAND, GROUP, TEXT, WHOLE, PERSON = 1, 2, 3, 4, 6
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
    old = (option("set", SUBCOMMAND, option("moves", TEXT)), option("cancel", SUBCOMMAND))
    with listed(club, "plan", *old):
        made = await club.bob.slash(club.channel, "plan set", moves="d3 e3, else next free")
        assert "d3, e3, else the next free" in texts(made)
        cancelled = shown_alone(await club.bob.slash(club.channel, "plan cancel"))
    assert "d3, e3, else the next free" in cancelled.content
    assert "Clear" in [button.label for button in cancelled.buttons]

    page = shown_alone(await club.ann.slash(club.channel, "settings"))
    vacation = option("start", SUBCOMMAND, option("days", WHOLE))
    block = option("block", SUBCOMMAND, option("player", PERSON))
    with listed(club, "settings", option("vacation", GROUP, vacation), block):
        away = shown_alone(await club.ann.slash(club.channel, "settings vacation start", days=3))
        blocked = shown_alone(await club.ann.slash(club.channel, "settings block", player=club.bob))
    assert away.content == blocked.content == page.content
    assert {"Vacation", "Blocks"} <= {button.label for button in away.buttons}


async def test_former_commands_show_their_button_or_form(club: Club) -> None:
    join = option("join", SUBCOMMAND, option("tournament", TEXT))
    with listed(club, "tournament", join):
        none = texts(await club.ann.slash(club.channel, "tournament join"))
        assert none.startswith("There's no tournament here.")
    mo = club.guild.add_person("Mo", permissions=Permission.MANAGE_EVENTS)
    form = await mo.slash(club.channel, "tournament create", format="swiss")
    await mo.submit(form.modal, {"name": "Cup"})
    with listed(club, "tournament", join):
        page = shown(await club.ann.slash(club.channel, "tournament join"))
    assert "Join" in [button.label for button in page.buttons]
    with listed(club, "challenge", option("opponent", PERSON), option("colour", TEXT)):
        opened = await club.ann.slash(club.channel, "challenge", opponent=club.bob, colour="white")
    assert opened.modal is not None
    await club.ann.submit(opened.modal, {"colour": ["white"]})
    await club.channel.wait_for(lambda one: club.bob.id in one.pinged)
