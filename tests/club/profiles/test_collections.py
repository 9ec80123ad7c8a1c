"""Tests that players who beat the machine see their progress, and who is next."""

from bot.base.languages import IN_ENGLISH
from bot.play.words.boards import board
from club.profiles.words.beaten_characters import who_is_next
from dvonn.machine import LEVELS
from tests.bot.play.test_machine_games import MACHINE
from tests.bot.table import ANN, Table


async def beat(table: Table, level: int) -> str:
    """Beat the machine at a level, as Ann. Return the last board."""
    begun = await table.accept(await table.challenge(MACHINE, level=level), ANN)
    return board(IN_ENGLISH, await table.resign(begun.game, MACHINE)).content


async def test_each_beaten_character_leads_to_the_next(table: Table) -> None:
    assert "1 of 17 beaten. Next: Mimi." in await beat(table, 1)
    assert "1 of 17 beaten. Next: Mimi." in await beat(table, 1)
    assert "2 of 17 beaten. Next: Mimi." in await beat(table, 3)
    assert "3 of 17 beaten. Next: Kiko." in await beat(table, 2)


async def test_losers_are_not_shown_it(table: Table) -> None:
    begun = await table.accept(await table.challenge(MACHINE, level=1), ANN)
    assert "beaten" not in board(IN_ENGLISH, await table.resign(begun.game, ANN)).content


def test_after_all_wins_nobody_is_next() -> None:
    assert who_is_next(IN_ENGLISH, LEVELS) == ""
