"""Numbers of many digits in every option of every command: a word for it, never a fault."""

from collections.abc import Iterator
from typing import Any, Final

from bot.base.locales import IN_ENGLISH
from bot.connection.words import something_went_wrong
from sandbox import Permission, Person, Refused
from tests.e2e.conftest import FAULTS, Club

GREAT: Final = "9" * 29
"""More digits than a Decimal keeps."""
TEXT, WHOLE, SWITCH, PERSON, PLACE, ROLE, ANYBODY, NUMBER = range(3, 11)
GROUPS: Final = (1, 2)
LARGEST: Final = 2**53
"""Discord takes no number beyond it."""


def leaves(command: dict[str, Any], path: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each command that can be used, by its whole name, with its options."""
    name, options = f"{path} {command['name']}".strip(), command.get("options", [])
    inner = [one for one in options if one["type"] in GROUPS]
    if not inner:
        yield name, options
    for one in inner:
        yield from leaves(one, name)


def usual(option: dict[str, Any], club: Club) -> object:
    """Something that an option takes."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    values = {TEXT: "d2", WHOLE: option.get("min_value", 1), SWITCH: True, NUMBER: 1.0}
    return (values | {PERSON: club.bob, PLACE: club.channel})[option["type"]]


def great(option: dict[str, Any]) -> Iterator[object]:
    """Numbers that Discord's clients let through for an option."""
    if option.get("choices"):
        return
    if option["type"] == TEXT:
        yield GREAT[: option.get("max_length")]
    elif option["type"] in {WHOLE, NUMBER}:
        yield option.get("max_value", LARGEST)
        yield option.get("min_value", -LARGEST)


async def test_no_number_is_too_great_for_a_word(club: Club) -> None:
    mo = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    went_wrong, tried = something_went_wrong(IN_ENGLISH), 0
    commands = [one for one in club.world.application.commands.values() if one.get("type", 1) == 1]
    for name, options in (leaf for one in commands for leaf in leaves(one)):
        for option in options:
            required = {
                one["name"]: usual(one, club)
                for one in options
                if one.get("required") and one is not option
            }
            for value in great(option):
                given = {**required, option["name"]: value}
                tried += 1
                if option.get("autocomplete"):
                    await mo.autocomplete(club.channel, name, **given)
                answer = await used(mo, club, name, given)
                assert answer != went_wrong, (name, given)
                assert FAULTS.findall(club.bot.log) == [], (name, given)
    assert tried > 20


async def used(person: Person, club: Club, name: str, given: dict[str, object]) -> str:
    """What is said to a command; empty where Discord's client holds it back, or a form opens."""
    try:
        return (await person.slash(club.channel, name, **given)).content or ""
    except Refused:
        return ""
