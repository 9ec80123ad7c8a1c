"""Tests for the machine's characters, on boards and in texts."""

from bot.base.ids import UserId
from bot.base.languages import IN_ENGLISH
from bot.play.game_changes import GameUpdate
from bot.play.words.boards import board
from bot.play.words.characters import character, farewell, greeting
from bot.play.words.pictures import Picture
from dvonn.machine import LEVELS
from tests.bot.table import ANN, Table

MACHINE = UserId(900)
LEVEL = 4


def spoken(update: GameUpdate) -> list[str]:
    """Return what the character says on a board."""
    lines = board(IN_ENGLISH, update).content.splitlines()
    return [line for line in lines if line.startswith("**")]


async def test_a_character_speaks_once_at_the_start_and_once_at_the_end(table: Table) -> None:
    for level, loser in ((LEVEL, ANN), (LEVEL + 1, MACHINE)):
        begun = await table.accept(await table.challenge(MACHINE, level=level), ANN)
        assert spoken(begun) == [greeting(IN_ENGLISH, level)]
        ended = await table.resign(begun.game, loser)
        assert spoken(ended) == [farewell(IN_ENGLISH, level, beaten=loser == MACHINE)]


async def test_its_name_and_its_face_are_in_the_picture(table: Table) -> None:
    begun = await table.accept(await table.challenge(MACHINE, level=LEVEL), ANN)
    for update in (begun, await table.resign(begun.game, ANN)):
        picture = board(IN_ENGLISH, update).picture
        assert isinstance(picture, Picture)
        assert picture.seats is not None
        assert picture.caption.face == LEVEL
        names = picture.seats.names(lambda _, who: "Ann" if who == ANN else "the bot")
        assert set(names) == {"Ann", character(LEVEL)}


def test_no_two_say_the_same_or_have_one_name() -> None:
    assert len({character(level) for level in LEVELS}) == len(LEVELS)
    said = [
        line.partition(": ")[2]
        for level in LEVELS
        for line in (
            greeting(IN_ENGLISH, level),
            farewell(IN_ENGLISH, level, beaten=True),
            farewell(IN_ENGLISH, level, beaten=False),
        )
    ]
    assert len(set(said)) == len(said)
