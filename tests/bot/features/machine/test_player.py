"""Tests for the machine's player: it plays each game's newest state, and each state once."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.connection.tasks import InFlightWork, Tasks
from bot.features.machine import player
from bot.features.machine.player import MachinePlayer
from bot.features.machine.use_cases import SILENT_AFTER
from bot.play.game_changes import LONG_THOUGHT
from bot.play.model.terms import Start
from bot.play.store.store import Store
from demo.commands import use
from tests.bot.table import ANN, Table
from tests.bot.whole import FirstMoves, WholeBot, whole_bot
from tests.e2e.conftest import choose, is_board, is_gone, message_of


def thoughts(game: int) -> set[asyncio.Task[Any]]:
    """Return a game's running tasks, except those being canceled."""
    running = (task for task in asyncio.all_tasks() if not task.cancelling())
    return {task for task in running if task.get_name() == f"machine {game}"}


async def test_the_machine_thinks_once_about_each_position(table: Table) -> None:
    table = Table(table.store, table.clock, reviews=True)
    services: Any = SimpleNamespace(
        opponent=None,  # so it thinks forever
        require=table.does.require,
        publisher=SimpleNamespace(channels=None),
        work=InFlightWork(),
        tasks=(tasks := Tasks()),
        now=table.clock,
    )
    plays = MachinePlayer(services)
    game = await table.begin(None, level=1, start=Start.BALANCED)
    plays.update_task(game)
    assert thoughts(game.row.id) == set()  # it is Ann's turn
    game = (await table.play(ANN, str(game.position.legal_moves()[0]))).game
    plays.update_task(game)
    (first,) = thoughts(game.row.id)
    plays.update_task(await table.game_cache.existing(game.row.id))  # as with a new session
    assert thoughts(game.row.id) == {first}
    await tasks.end()
    assert thoughts(game.row.id) == set()


@pytest.fixture
async def bot(
    store: Store, monkeypatch: pytest.MonkeyPatch, machine: FirstMoves
) -> AsyncIterator[WholeBot]:
    monkeypatch.setattr(player, "_POLL_S", 0.005)
    async with whole_bot(store, monkeypatch, machine) as bot:
        yield bot


@pytest.fixture
def machine() -> FirstMoves:
    return FirstMoves()


async def begun(bot: WholeBot, **terms: object) -> None:
    """Start a game of Ann, as White, against level 1 on the empty board."""
    await use(bot.ann, bot.channel, "play", level=1, colour="white", start="placement", **terms)
    await bot.is_done()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_it_plays_by_its_level_and_a_number_of_the_position(
    bot: WholeBot, machine: FirstMoves
) -> None:
    await begun(bot)
    for number, space in enumerate(("d2", "d3"), start=1):
        await bot.ann.say(bot.channel, space)
        await bot.channel.wait_for(is_board(2 * number))
    assert machine.chosen == [(1, 1_001), (1, 1_003)]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_while_it_thinks_its_player_sees_first_that_and_then_that_it_is_silent(
    bot: WholeBot, machine: FirstMoves
) -> None:
    await begun(bot)
    machine.may_move.clear()
    await bot.ann.say(bot.channel, "d2")
    typing = bot.world.exchanges
    while not any(item.path.endswith("/typing") for item in typing):  # noqa: ASYNC110 - a list
        await asyncio.sleep(0.005)
    await bot.is_done()
    assert not any(map(is_board(1), bot.channel.messages)), "a quick answer needs no board between"
    bot.advance(seconds=LONG_THOUGHT.total_seconds() + 0.1)
    await bot.channel.wait_for(is_board(1))
    bot.advance(seconds=SILENT_AFTER.total_seconds())
    told = await bot.channel.wait_for(lambda one: "I can't think right now" in one.content)
    machine.may_move.set()
    await bot.channel.wait_for(is_board(2))
    await is_gone(told)


def says_it_thinks(bot: WholeBot) -> list[str]:
    """Return the texts that mention a thinking machine."""
    return [
        message.content
        for message in bot.channel.messages
        if not message.deleted and "is thinking" in message.content
    ]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_chat_below_the_first_board_leaves_no_thinking_board(
    bot: WholeBot, machine: FirstMoves
) -> None:
    machine.may_move.clear()
    terms = {"level": 1, "colour": "black", "start": "balanced"}
    await use(bot.ann, bot.channel, "play", **terms)
    await bot.is_done()
    assert len(says_it_thinks(bot)) == 1
    await bot.say(bot.ann, "nice, a board")
    machine.may_move.set()
    await bot.channel.wait_for(is_board(1))
    await bot.until(lambda: says_it_thinks(bot) == [])


@pytest.mark.parametrize("goes_on", ["undo", "resign"])
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_the_players_actions_in_between_leave_no_thinking_board(
    bot: WholeBot, machine: FirstMoves, goes_on: str
) -> None:
    terms = {"level": 1, "colour": "white", "start": "balanced"}
    await use(bot.ann, bot.channel, "play", **terms)
    await bot.is_done()
    await bot.say(bot.ann, "nice, a board")
    machine.may_move.clear()
    await bot.ann.say(bot.channel, "a1-b1")
    await bot.is_done()
    bot.advance(seconds=LONG_THOUGHT.total_seconds() + 0.1)
    await bot.channel.wait_for(is_board(1))
    assert len(says_it_thinks(bot)) == 1
    await bot.say(bot.ann, goes_on)
    if goes_on == "resign":
        question = await bot.channel.wait_for(lambda one: "Resign, or" in one.content)
        await bot.ann.click(question, "Yes, resign")
    await bot.channel.wait_for(is_board(2))
    await bot.until(lambda: says_it_thinks(bot) == [])


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_press_on_a_board_with_chat_below_leaves_no_thinking_board(
    bot: WholeBot, machine: FirstMoves
) -> None:
    terms = {"level": 1, "colour": "white", "start": "balanced"}
    board = message_of(await use(bot.ann, bot.channel, "play", **terms))
    await bot.is_done()
    await bot.say(bot.ann, "nice, a board")
    machine.may_move.clear()
    for _ in range(2):  # a stack, and where it lands
        space = next(button for button in board.buttons if button.label[1].isdigit())
        await bot.ann.click(board, custom_id=space.custom_id)
    assert len(says_it_thinks(bot)) == 1
    machine.may_move.set()
    await bot.channel.wait_for(is_board(2))
    await bot.until(lambda: says_it_thinks(bot) == [])
    assert board.content.startswith(f"{bot.ann.mention} ")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_draw_that_it_declines_leaves_the_board_its_buttons(bot: WholeBot) -> None:
    terms = {"level": 1, "colour": "white", "start": "balanced"}
    board = message_of(await use(bot.ann, bot.channel, "play", **terms))
    labels = [button.label for button in board.buttons]
    assert {"Move", "a1", "b1"} <= set(labels)
    answers = await bot.say(bot.ann, "draw?")
    await bot.until(lambda: any("Pip declined" in text.content for text in bot.channel.messages))
    await bot.is_done()
    assert [button.label for button in board.buttons if not button.disabled] == labels, answers


@pytest.mark.parametrize("colour", ["white", "black"])
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_rules_and_its_greeting_are_not_repeated_forever(bot: WholeBot, colour: str) -> None:
    boards = []
    for number in range(1, 5):
        terms = {"level": 1, "colour": colour, "start": "balanced"}
        board = message_of(await use(bot.ann, bot.channel, "play", **terms))
        await bot.channel.wait_for(is_board(int(colour == "black"), number))
        await bot.is_done()
        boards.append(board.content)
        question = message_of(await use(bot.ann, bot.channel, "resign"))
        await bot.ann.click(question, "Yes, resign")
        await bot.is_done()
    assert ["I'm new here" in board for board in boards] == [True, False, False, False]
    assert ["moves in a straight line" in board for board in boards] == [True, True, True, False]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_thread_names_its_character_and_help_in_a_game_offers_no_other_one(
    bot: WholeBot,
) -> None:
    await begun(bot)
    await bot.say(bot.ann, "help")
    answer = bot.channel.messages[-1]
    assert [button.label for button in answer.buttons] == ["How to play"]
    await use(bot.bob, bot.channel, "play", level=2, colour="white", start="balanced")
    hung = await bot.channel.wait_for(lambda one: one.thread is not None)
    assert hung.content.splitlines()[0] == f"{bot.bob.mention} vs Mimi, level 2."
    assert hung.thread is not None
    assert hung.thread.name == "DVONN 2: Bob – Mimi"
    await hung.thread.wait_for(is_board(0, 2))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_board_in_words_is_not_read_aloud_twice(bot: WholeBot) -> None:
    await choose(bot.ann, bot.channel, seen=["words"])
    terms = {"level": 1, "colour": "white", "start": "balanced"}
    board = message_of(await use(bot.ann, bot.channel, "play", **terms))
    assert board.content.count("On the board: ") == 1
    assert board.attachments[0].description == "Position"
