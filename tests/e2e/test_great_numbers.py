"""Numbers of many digits in every option of every command: a word for it, never a fault."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from bot.base.languages import IN_ENGLISH
from bot.connection.words import something_went_wrong
from sandbox import Answer, Permission, Person, Refused
from tests.e2e.conftest import FAULTS, Club, press, shown

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
    assert tried >= 19


async def test_nor_is_one_in_a_form(club: Club) -> None:
    mo = club.guild.add_person("Mo", permissions=Permission.MANAGE_EVENTS)
    table = await club.start_game()
    page, tried = shown(await mo.slash(club.channel, "settings")), 0
    (tournament,) = (
        one for one in club.world.application.commands.values() if one["name"] == "tournament"
    )
    formats = [one["value"] for one in dict(leaves(tournament))["tournament create"][0]["choices"]]

    async def openings() -> AsyncIterator[Answer]:
        for label in ("Quiet hours", "Vacation"):
            yield await mo.click(page, label)
        yield await mo.slash(club.channel, "challenge", opponent=club.bob, more=True)
        yield await mo.slash(club.channel, "show")
        yield await press(club.ann, await table.board(0), "Type a move")
        plans = shown(await press(club.ann, await table.board(0), "Plan ahead"))
        yield await club.ann.click(plans, "Type it")
        for one in formats:
            yield await mo.slash(club.channel, "tournament create", format=one)

    async for opened in openings():
        assert opened.modal is not None
        person = club.ann if opened.used.user is club.ann.user else mo
        fields = [one for one in opened.modal.modal.fields if one.is_text]
        for great in fields:
            texts = {one.custom_id: "1" for one in fields if one.required or one is great}
            texts[great.custom_id] = GREAT[: great.payload.get("max_length")]
            answer = await person.submit(opened.modal, texts)
            tried += 1
            assert answer.content != something_went_wrong(IN_ENGLISH), texts
            assert FAULTS.findall(club.bot.log) == [], texts
    assert tried >= 19


async def used(person: Person, club: Club, name: str, given: dict[str, object]) -> str:
    """What is said to a command; empty where Discord's client holds it back, or a form opens."""
    try:
        return (await person.slash(club.channel, name, **given)).content or ""
    except Refused:
        return ""
