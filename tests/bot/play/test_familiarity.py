"""Tests that boards explain the game to new players only."""

from bot.base.ids import BEFORE_START, Revision
from bot.base.languages import IN_ENGLISH
from bot.play.game_changes import GameUpdate
from bot.play.model.terms import Start
from bot.play.words.boards import board
from tests.bot.play.test_machine_games import MACHINE
from tests.bot.table import ANN, BOB, Table

RULE = "A stack moves in a straight line"
HOW = "On your turn, press "


async def against(table: Table, level: int) -> GameUpdate:
    """Start and resign a game of Ann against the machine. Return the update of its first board."""
    challenge = await table.challenge(MACHINE, level=level, start=Start.BALANCED)
    update = await table.accept(challenge, ANN)
    await table.resign(update.game, ANN)
    return update


def board_text(update: GameUpdate) -> str:
    return board(IN_ENGLISH, update).content


async def test_the_rules_are_below_a_persons_first_three_games(table: Table) -> None:
    for _ in range(3):
        told = board_text(await against(table, 1))
        assert RULE in told
        assert HOW in told
    fourth = await against(table, 1)
    assert RULE not in board_text(fourth)
    assert HOW not in board_text(fourth)
    again = await table.games.unannounced(fourth.game.row.id, Revision(0), BEFORE_START)
    assert board_text(again) == board_text(fourth), "as another process tells it"


async def test_a_new_player_sees_explanations_also_against_an_experienced_one(table: Table) -> None:
    for _ in range(3):
        await against(table, 1)
    challenge = await table.challenge(BOB, start=Start.BALANCED)
    assert RULE in board_text(await table.accept(challenge, BOB))


async def test_games_between_people_count_in_their_server(table: Table) -> None:
    for _ in range(3):
        challenge = await table.challenge(BOB, start=Start.BALANCED)
        update = await table.accept(challenge, BOB)
        assert RULE in board_text(update)
        await table.resign(update.game, ANN)
    challenge = await table.challenge(BOB, start=Start.BALANCED)
    assert RULE not in board_text(await table.accept(challenge, BOB))


async def test_each_character_greets_a_person_once(table: Table) -> None:
    for level, name in ((1, "Pip"), (2, "Mimi")):
        assert f"**{name}**: " in board_text(await against(table, level))
        assert f"**{name}**: " not in board_text(await against(table, level))
