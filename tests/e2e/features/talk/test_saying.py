"""Tests for natural language: polite moves, moves within sentences, requests to the bot."""

import asyncio
from collections.abc import Callable

import pytest

from sandbox import Message, Permission
from tests.e2e.conftest import Club, answer_to, is_board, is_gone, message_of
from tests.games import random_game

SIGN = "❔"
SKIPPED = "why=FLOOD"
"""Part of the bot's log of a message that it skips because too many came at once."""


def replies_to(club: Club, said: Message) -> list[Message]:
    return [
        message
        for message in said.channel.messages
        if message.reference is not None
        and message.reference.message_id == said.id
        and message.author is club.world.bot_user
    ]


def is_reply(said: Message) -> Callable[[Message], bool]:
    return lambda one: one.reference is not None and one.reference.message_id == said.id


def is_marked(said: Message) -> Callable[[Message], bool]:
    return lambda one: one is said and SIGN in one.reactions


@pytest.mark.later("tests/bot/play/test_typed_moves.py takes this road without a process")
async def test_a_move_among_words_is_marked_and_explained_on_request(club: Club) -> None:
    table = await club.start_game()
    watching = await club.bob.say(club.channel, "d4 would be nice")
    meant = await club.ann.say(club.channel, "I think d4 is best")
    await club.channel.wait_for(is_marked(meant))
    other = await club.ann.say(club.channel, "or rather e4?")
    await club.channel.wait_for(is_marked(other))
    await club.bob.react(other, SIGN)  # only its author gets an explanation
    await club.ann.react(meant, SIGN)
    answer = await answer_to(club, meant)
    assert answer.content.startswith("Did you mean `d4`? Then send just that")
    assert answer.pinged == frozenset()
    await club.ann.unreact(meant, SIGN)
    await club.ann.react(meant, SIGN)
    await club.ann.edit(meant, "**d4**, please! 🙂")
    board = await table.board(1)
    assert "placed d4." in board.content
    assert watching.reactions == {}
    assert replies_to(club, meant) == [answer]
    assert replies_to(club, other) == []


async def test_without_reactions_the_bot_explains_three_times_a_turn(
    club: Club,
) -> None:
    table = await club.start_game()
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.ADD_REACTIONS)
    asked = await answer_to(club, await club.ann.say(club.channel, "is it d4?"))
    assert asked.content.startswith("Did you mean `d4`?")
    await club.ann.say(club.channel, "c3!")
    await table.board(1)
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    marked = [await club.bob.say(club.channel, f"what of e{row}?") for row in (1, 2, 3, 4)]
    for item in marked[:3]:
        await club.channel.wait_for(is_marked(item))
    await club.bob.say(club.channel, "(d3) gg")
    await table.board(2)
    assert [SIGN in item.reactions for item in marked] == [True, True, True, False]


async def test_only_who_wants_to_resign_confirms_it(club: Club) -> None:
    table = await club.start_game()
    asked = await club.ann.say(club.channel, f"{club.world.bot_user.mention} Resign!")
    question = await answer_to(club, asked)
    assert question.content.startswith("Resign, or call the game off? ")
    other = await club.bob.click(question, "Yes, resign")
    assert other.ephemeral
    assert other.message is not None
    assert other.message.content == f"Only {club.ann.mention} can press that."
    await club.ann.click(question, "Keep playing")
    await is_gone(question)
    again = await answer_to(club, await club.ann.reply(await table.board(0), "resign", ping=False))
    unanswered = await answer_to(club, await club.bob.reply(await table.board(0), "resign"))
    await club.ann.click(again, "Yes, resign")
    end = await table.board(1)
    assert f"{club.ann.mention} resigned." in end.content
    for asked in (again, unanswered):  # the game has ended
        await is_gone(asked)
    await club.start_game()
    asked = await club.bob.say(club.channel, f"{club.world.bot_user.mention} resign")
    await club.bob.click(await answer_to(club, asked), "End without a result")
    await club.channel.wait_for(lambda one: "No result" in one.content)


async def test_a_question_outlives_a_restart_and_no_turn(club: Club) -> None:
    table = await club.start_game()
    name = club.world.bot_user.mention
    old = await answer_to(club, await club.ann.say(club.channel, f"{name} resign"))
    await club.bot.restart()
    await table.play(random_game(1)[:1])
    await club.ann.click(old, "Yes, resign")
    await club.ann.ephemeral(lambda one: one.content.startswith("That's an old board."))
    await is_gone(old)
    await table.play(random_game(1)[1:2])
    new = await answer_to(club, await club.ann.say(club.channel, f"{name} resign"))
    await club.bot.restart()
    await club.ann.click(new, "Yes, resign")
    end = await table.board(3)
    assert f"{club.ann.mention} resigned." in end.content
    await is_gone(new)


async def test_a_question_that_disappears_with_the_game_logs_no_warning(club: Club) -> None:
    table = await club.start_game()
    await table.play(random_game(1)[:1])
    asked = await club.ann.say(club.channel, f"{club.world.bot_user.mention} resign")
    await club.ann.click(await answer_to(club, asked), "Yes, resign")
    await table.board(2)
    while not any(  # noqa: ASYNC110 - of exchanges nobody is told
        exchange.method == "DELETE" and "@original" in exchange.path
        for exchange in club.world.exchanges
    ):
        await asyncio.sleep(0.02)
    await club.ann.slash(club.channel, "help")  # posted after that
    assert "[warning" not in club.bot.log


async def test_undo_draw_board_and_games_as_plain_requests(club: Club) -> None:
    table, bot = await club.start_game(), club.world.bot_user.mention
    await table.play(random_game(1)[:1])
    said = await club.ann.say(club.channel, f"{bot} undo please")
    back = await table.board(2)
    assert back.id > said.id
    assert f"took back {random_game(1)[0]}." in back.content
    assert replies_to(club, said) == []
    look = await answer_to(club, await club.cid.say(club.channel, f"{bot}, how much time is left?"))
    assert "No clock in this game." in look.content
    assert look.attachments[0].filename == "look-dvonn-1-2.png"
    assert not is_board(None)(look)
    games = await answer_to(club, await club.bob.say(club.channel, f"my games {bot}"))
    assert club.ann.mention in games.content
    await club.bob.reply(back, "draw?")
    offer = await club.channel.wait_for(lambda m: "offers a draw" in m.content and m.buttons)
    assert offer.attachments == []
    assert offer.pinged == {club.ann.id}
    refused = await answer_to(club, await club.cid.say(club.channel, f"{bot} draw"))
    assert (
        refused.content
        == "Only the two players can do that. Want a game of your own? Try /challenge."
    )
    said = await club.ann.say(club.channel, "undo")  # perhaps to her friend
    told = await answer_to(club, said)
    assert told.content.startswith("/undo – Take back your last move")
    ignored = await club.ann.say(club.channel, "undo")
    await club.ann.say(club.channel, str(random_game(1)[0]))
    after = await table.board(4)
    assert "The offer is off the table." in after.content
    assert replies_to(club, ignored) == []
    assert ignored.reactions == {}


async def test_help_and_rules_open_for_anyone_who_presses(club: Club) -> None:
    bot = club.world.bot_user.mention
    pages = (("help", "How to play here"), ("how do I play?", "The aim"), ("RULES", "The aim"))
    for words, title in pages:
        answer = await answer_to(club, await club.ann.say(club.channel, f"{bot} {words}"))
        assert "didn't get that" not in answer.content
        page = await club.cid.click(answer, "How to play")
        assert page.ephemeral
        assert page.message is not None
        assert page.message.content.startswith(f"### {title}")


async def test_too_many_questions_delay_no_board(logged_club: Club) -> None:
    club = logged_club
    bot, table = club.world.bot_user.mention, await club.start_game()
    with club.world.faults.hold("POST /channels/{id}/messages"):
        asked = [await club.cid.say(club.channel, f"{bot} rules") for _ in range(20)]
        await club.bot.wrote(SKIPPED, times=18)
        await table.type(random_game(1)[0])
    await table.board(1)
    await answer_to(club, await club.cid.say(club.channel, f"{bot} rules"))
    assert len([item for item in asked if replies_to(club, item)]) == 2


async def test_many_reactions_by_one_person_cause_few_checks(club: Club) -> None:
    table = await club.start_game()
    said = [await club.cid.say(club.channel, f"no move {number}") for number in range(12)]
    with club.world.faults.hold("GET /channels/{id}/messages/{id}"):
        for item in said:
            await club.cid.react(item, SIGN)
        await table.play(random_game(1)[:1])
    meant = await club.bob.say(club.channel, f"I think {random_game(1)[1]} is best")
    await club.channel.wait_for(is_marked(meant))
    await club.bob.react(meant, SIGN)
    await answer_to(club, meant)
    path = f"/api/v10/channels/{club.channel.id}/messages/"
    looked = [
        exchange
        for exchange in club.world.exchanges
        if exchange.method == "GET" and path in exchange.path
    ]
    assert len(looked) == 3


async def test_typed_answers_in_a_flood_read_the_history_rarely(logged_club: Club) -> None:
    club = logged_club
    here = club.ann.dm
    with club.world.faults.hold("GET /channels/{id}/messages"):
        for _ in range(12):
            await club.ann.say(here, "d2")
        await club.bot.wrote(SKIPPED, times=10)
    # Two of them read the history at the same time. Whichever is done first is answered.
    await here.wait_for(lambda message: message.author is club.world.bot_user)
    path = f"/api/v10/channels/{here.id}/messages"
    looked = [
        exchange
        for exchange in club.world.exchanges
        if (exchange.method, exchange.path) == ("GET", path)
    ]
    assert len(looked) == 2


async def test_without_opponents_play_leads_to_a_server(club: Club) -> None:
    asked = await club.ann.say(club.ann.dm, "play")
    answer = await answer_to(club, asked)
    assert answer.content == "I can't play you here. In a server /challenge invites a friend."
    asked = await club.ann.say(club.channel, f"{club.world.bot_user.mention} play")
    assert (await answer_to(club, asked)).content == "/challenge invites a friend, or anyone."


async def test_direct_messages_are_welcomed_once_and_then_answered(club: Club) -> None:
    hello = await club.ann.say(club.ann.dm, "hello there")
    answer = await club.ann.dm.wait_for(lambda one: one.author is club.world.bot_user)
    assert answer.reference is not None
    assert answer.reference.message_id == hello.id
    assert answer.content.startswith("Hi! I'm a board for DVONN")
    ways = [button.label for button in answer.buttons]
    assert ways == ["Learn by playing", "How to play"]  # there is no machine
    await club.bot.restart()
    for words, answer_begins in (
        ("Are you new?", "I didn't get that."),
        ("Are you new?", "I didn't get that."),
        ("Hello", "Hi again!"),
        ("Thanks! 🙂", "You're welcome!"),
        ("Help", "I can teach you"),
        ("how do I play?", "The rules in six pictures:\n### The aim"),
        ("play", "I can't play you here."),  # there is no machine
        ("you suck", "Sorry! Did I get it wrong?"),
        ("stop", "I'll be quiet: no more reminders"),
    ):
        said = await club.ann.say(club.ann.dm, words)
        answer = await club.ann.dm.wait_for(is_reply(said))
        assert answer.content.startswith(answer_begins)
        if words == "how do I play?":
            assert len(answer.attachments) == 1
            await club.ann.click(answer, "Placing ▶")
            assert answer.content.startswith("### Placing")
    polite = await club.ann.say(club.ann.dm, "ok")
    await club.ann.dm.wait_for(lambda one: one is polite and "🙂" in one.reactions)
    settings = message_of(await club.ann.slash(club.channel, "settings"))
    assert "**Reminders**: none." in settings.content
