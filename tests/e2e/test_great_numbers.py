"""Tests for very long numbers in each option of each command, and in each field of each form.

They get an answer, and never cause an error.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from discord import app_commands

from bot.base.languages import IN_ENGLISH
from bot.composition import FEATURE_SET
from bot.connection.words import something_went_wrong
from dvonn_lessons.primer import CHAPTERS
from sandbox import Answer, InvocationRefused, Permission, Person
from tests.e2e.conftest import FAULTS, Club, message_of, press
from tests.e2e.features.tournaments.cups import make, organize
from tests.e2e.handlers import leaves
from tests.fuzz.ids import form_templates

GREAT: Final = "9" * 29
"""A number with more digits than a Decimal keeps."""
POSITION: Final = "2WwB5/2rBW6/4RBW4/10/4wwrB4 B move"
TEXT, WHOLE, SWITCH, PERSON, PLACE, ROLE, ANYBODY, NUMBER = range(3, 11)
SOLVED: Final = CHAPTERS[1].steps[0]
"""A lesson step that can be played from once it is solved."""
LARGEST: Final = 2**53
"""Discord accepts no larger number."""


def usual(option: dict[str, Any], club: Club) -> object:
    """Return a valid value of an option."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    values = {TEXT: "d2", WHOLE: option.get("min_value", 1), SWITCH: True, NUMBER: 1.0}
    return (values | {PERSON: club.bob, PLACE: club.channel})[option["type"]]


def great(option: dict[str, Any]) -> Iterator[object]:
    """Return numbers that Discord's clients accept for an option."""
    if option.get("choices"):
        return
    if option["type"] == TEXT:
        yield GREAT[: option.get("max_length")]
    elif option["type"] in {WHOLE, NUMBER}:
        yield option.get("max_value", LARGEST)
        yield option.get("min_value", -LARGEST)


def count_of_numbers(command: object) -> int:
    """Return how many numbers `great` yields for a command, from its function's options."""
    if isinstance(command, app_commands.Group):
        return sum(map(count_of_numbers, command.commands))
    assert isinstance(command, app_commands.Command)
    free = [parameter.type.value for parameter in command.parameters if not parameter.choices]
    return free.count(TEXT) + 2 * (free.count(WHOLE) + free.count(NUMBER))


async def test_no_number_is_too_great_for_a_word(club: Club) -> None:
    mo = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    went_wrong, tried = something_went_wrong(IN_ENGLISH), 0
    commands = [
        command
        for command in club.world.application.commands.values()
        if command.get("type", 1) == 1
    ]
    for name, options in (leaf for command in commands for leaf in leaves(command)):
        for option in options:
            required = {
                row["name"]: usual(row, club)
                for row in options
                if row.get("required") and row is not option
            }
            for value in great(option):
                given = {**required, option["name"]: value}
                tried += 1
                if option.get("autocomplete"):
                    await mo.autocomplete(club.channel, name, **given)
                answer = await used(mo, club, name, given)
                assert answer != went_wrong, (name, given)
                assert FAULTS.findall(club.bot.log) == [], (name, given)
    assert tried == sum(map(count_of_numbers, FEATURE_SET.commands))


async def test_a_very_long_number_in_a_form_gets_an_answer(club: Club) -> None:
    mo = club.guild.add_person("Mo", permissions=Permission.MANAGE_EVENTS)
    table = await club.start_game()
    page = message_of(await mo.slash(club.channel, "settings"))
    (tournament,) = (
        command
        for command in club.world.application.commands.values()
        if command["name"] == "tournament"
    )
    formats = [row["value"] for row in dict(leaves(tournament))["tournament create"][0]["choices"]]

    async def openings() -> AsyncIterator[Answer]:
        for label in ("Quiet hours", "Vacation"):
            yield await mo.click(page, label)
        yield await mo.slash(club.channel, "challenge", opponent=club.bob, more=True)
        yield await mo.slash(club.channel, "show")
        yield await press(club.ann, await table.board(0), "Type a move")
        plans = message_of(await press(club.ann, await table.board(0), "Plan ahead"))
        yield await club.ann.click(plans, "Type moves")
        for item in formats:
            yield await mo.slash(club.channel, "tournament create", format=item)
        board = message_of(await mo.slash(club.channel, "show", text=POSITION))
        yield await mo.click(board, "Play from here")
        await mo.click(board, "Explore from here")
        for label in ("Type moves", "Comment", "Play from here"):
            yield await mo.click(board, label)
        lesson = message_of(await mo.slash(club.channel, "learn"))
        yield await mo.click(lesson, "Type a move")
        await mo.click(lesson, "Chapters")
        await mo.select(lesson, [SOLVED.name], custom_id="dvonn:do:learn:chapters::go2")
        form = await mo.click(lesson, "Type a move")
        await mo.submit(form.modal, {"move": str(SOLVED.solutions[0])})
        yield await mo.click(lesson, "Play from here")
        moving = await club.start_game(club.guild.create_channel("moving"), start="balanced")
        guess = message_of(await mo.click(await moving.board(0), "Guess the move"))
        yield await mo.click(guess, "Type a move")
        cup = await make(club, 2, format="robin", start="balanced")
        people[cup.organiser.user] = cup.organiser
        yield await organize(cup.organiser, cup.channel, "edit")

    people = {item.user: item for item in (club.ann, mo)}
    left = set(form_templates())
    async for opened in openings():
        assert opened.modal is not None
        left -= {item for item in left if item.fullmatch(opened.modal.modal.custom_id)}
        person = people[opened.used.user]
        fields = [field for field in opened.modal.modal.fields if field.is_text]
        for great in fields:
            texts = {field.custom_id: "1" for field in fields if field.required or field is great}
            texts[great.custom_id] = GREAT[: great.payload.get("max_length")]
            answer = await person.submit(opened.modal, texts)
            assert answer.content != something_went_wrong(IN_ENGLISH), texts
            assert FAULTS.findall(club.bot.log) == [], texts
    assert left == set(), "each form of the bot has been opened"


async def used(person: Person, club: Club, name: str, given: dict[str, object]) -> str:
    """Return the answer to a command. Empty if Discord's client refuses it, or a form opens."""
    try:
        return (await person.slash(club.channel, name, **given)).content or ""
    except InvocationRefused:
        return ""
