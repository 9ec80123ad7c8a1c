"""Tests for typed moves, commands and buttons, and for the response that each person gets."""

import pytest

from dvonn import parse_move
from sandbox import Message, Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import (
    Club,
    Table,
    answer_to,
    click_as_posted,
    is_gone,
    loses_buttons,
    press,
    texts,
)
from tests.e2e.database import hears_again, let_time_pass, nothing_unsent
from tests.games import random_game


async def silence(club: Club, table: Table, *, since: Message) -> None:
    """Check that nothing was posted since a message: the next message is a move's board."""
    board = await table.play([table.position.legal_moves()[0]])
    said = [message for message in club.posted.values() if message.author is club.world.bot_user]
    assert [item for item in said if item.id > since.id] == [board]


async def test_friendly_spellings_are_moves(club: Club) -> None:
    table = await club.start_game()
    spellings = {"e3": "E3", "f3": " f3.", "g3": "`g3`", "h3": "H3 "}
    for number, (name, text) in enumerate(spellings.items(), start=1):
        await table.to_move.say(club.channel, text)
        assert f"placed {name}." in (await table.board(number)).content
        table.position = table.position.play(parse_move(name))
    for older in range(len(spellings)):
        await is_gone(await table.board(older))  # only one board stays in the placement phase


async def test_talk_is_left_alone(club: Club) -> None:
    table = await club.start_game()
    said = [
        await person.say(club.channel, text)
        for person, text in (
            (club.ann, "good luck!"),
            (club.bob, "e3 would be nice"),
            (club.cid, "e3"),
        )
    ]
    await silence(club, table, since=said[0])
    assert [item.reactions for item in said] == [{}, {}, {}]


async def test_the_mover_gets_the_reason_and_legal_moves(club: Club) -> None:
    table = await club.start_game()
    await table.play(random_game(1)[:1])
    occupied = str(random_game(1)[0])
    for text, words in (
        ("z9", "There's no “z9” on this board. You can play "),
        ("a2-a30", "There's no “a30” on this board."),
        (occupied, f"There's already a piece on {occupied}."),
        ("pass", "You never need to pass. When you can't move, I do it for you."),
        ("b2 c3-d4", "A list takes spaces only, no moves. I placed nothing."),
        ("b2 c3 b2, else next free", "b2 is in your list twice. I placed nothing."),
        ("a1-a2", "We're still placing pieces, one space at a time. You can play "),
        (f"{club.world.bot_user.mention} e3 to nowhere", "I didn't understand that."),
    ):
        said = await club.bob.say(club.channel, text)
        answer = await answer_to(club, said)
        assert answer.content.startswith(words)
        assert answer.pinged == frozenset()
    await silence(club, table, since=answer)


@pytest.mark.later("tests/bot/play/test_typed_moves.py takes this road without a process")
async def test_spectators_who_mention_the_bot_get_one_answer(club: Club) -> None:
    table = await club.start_game()
    talked = await club.cid.say(club.channel, "e3")
    said = await club.cid.say(club.channel, f"{club.world.bot_user.mention} e3")
    answer = await answer_to(club, said)
    assert answer.content == (
        "Only the two players can do that. Want a game of your own? Try /challenge."
    )
    for words in ("f3", "undo", "resign"):
        await club.cid.say(club.channel, f"{club.world.bot_user.mention} {words}")
    await silence(club, table, since=answer)
    answered = {
        message.reference.message_id for message in club.posted.values() if message.reference
    }
    assert talked.id not in answered


async def test_kind_words_to_a_board_or_about_the_bot_are_talk(club: Club) -> None:
    table = await club.start_game()
    bot, board = club.world.bot_user.mention, await table.board(0)
    club.ann.nitro = True
    await club.bob.reply(board, "good luck!")
    await club.ann.reply(board, "b2 was your favourite, I know")
    await club.ann.say(club.channel, f"thanks {bot}, that is a fine board")
    await club.ann.say(club.channel, f"{bot} " * 150 + "x")
    await silence(club, table, since=board)


async def test_a_mention_is_answered_with_help_once(club: Club) -> None:
    table = await club.start_game()
    said = await club.ann.say(club.channel, f"{club.world.bot_user.mention} sing!")
    answer = await answer_to(club, said)
    assert answer.content == (
        "I didn't get that. Say “play” for a game, “learn” for a lesson, or “help” for all "
        "I can do."
    )
    await club.ann.say(club.channel, f"{club.world.bot_user.mention} hello?")
    await silence(club, table, since=answer)


@pytest.mark.later("tests/bot/play/test_typed_moves.py takes this road without a process")
async def test_the_waiting_player_is_informed_once_a_turn(club: Club) -> None:
    table = await club.start_game()
    said = await club.bob.say(club.channel, "e3")
    answer = await answer_to(club, said)
    assert answer.content == f"It's {club.ann.mention}'s turn."
    await club.bob.say(club.channel, "f3")
    await silence(club, table, since=answer)
    said = await club.ann.say(club.channel, "g3")
    assert (await answer_to(club, said)).content == f"It's {club.bob.mention}'s turn."


@pytest.mark.later("tests/bot/play/test_typed_moves.py takes this road without a process")
async def test_without_a_game_only_who_calls_the_bot_is_answered(club: Club) -> None:
    await club.ann.say(club.channel, "e3")
    said = await club.ann.say(club.channel, f"{club.world.bot_user.mention} e3")
    answer = await answer_to(club, said)
    assert answer.content == (
        "There's no game here right now. /play starts one with me, /challenge one with a friend. "
        "/games has yours."
    )
    assert [m for m in club.channel.messages if m.author is club.world.bot_user] == [answer]


@pytest.mark.parametrize(
    "directly",
    [
        True,
        pytest.param(
            False,
            marks=pytest.mark.later(
                "tests/bot/play/test_typed_moves.py takes this road without a process"
            ),
        ),
    ],
)
async def test_typing_without_a_game_is_answered_now_and_then(
    clock: BotClock, club: Club, *, directly: bool
) -> None:
    bot = club.world.bot_user
    here = club.ann.dm if directly else club.channel
    typed = "e3" if directly else f"{bot.mention} e3"
    first = await club.ann.say(here, typed)
    await answer_to(club, first)
    for _ in range(4):
        await club.ann.say(here, typed)
    if not directly:  # the first refusal of another person
        await answer_to(club, await club.bob.say(here, typed))
    async with hears_again(club.bot):  # so everything that was typed is handled
        clock.advance(seconds=35)
    await let_time_pass(club.bot, clock, minutes=2)
    later = await club.ann.say(here, typed)
    await answer_to(club, later)
    told = [m.reference.message_id for m in here.messages if m.author is bot and m.reference]
    assert [item for item in told if item in (first.id, later.id)] == [first.id, later.id]
    assert len(told) == (2 if directly else 3)


async def test_the_board_can_be_asked_for(club: Club) -> None:
    table = await club.start_game()
    await table.play(random_game(1)[:5])
    answer = await club.cid.slash(club.channel, "board")
    assert f"It's {table.to_move.mention}'s turn." in texts(answer)
    assert answer.message is not None
    picture = answer.message.attachments[0]
    assert picture.filename == "dvonn-1-5.png"
    assert await club.cid.fetch(picture) == (await table.board(5)).attachments[0].data
    assert picture.description == (await table.board(5)).attachments[0].description


async def test_the_board_as_text_of_its_own_turn(club: Club) -> None:
    table = await club.start_game()
    await table.reach(random_game(1)[:51])
    words = texts(await press(club.cid, await table.board(51), "Board as text"))
    for point in table.position.stacks:
        assert point in words
    older = texts(await click_as_posted(club.cid, await table.board(50), "Board as text"))
    assert older.startswith("That's an old board.")


async def test_my_games(club: Club) -> None:
    assert texts(await club.bob.slash(club.channel, "games")).startswith("You have no games here")
    table = await club.start_game()
    board = await table.play(random_game(1)[:1])
    link = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{board.id}"
    await nothing_unsent(club.bot)
    assert texts(await club.bob.slash(club.channel, "games")) == (
        f"1. <#{club.channel.id}> vs {club.ann.mention}: **your turn** · [Go to board]({link})"
    )


async def test_resigning_by_button_asks_first(club: Club) -> None:
    table = await club.start_game()
    board = await table.board(0)
    question = await press(club.bob, board, "Resign")
    assert texts(question).startswith("Resign, or call the game off?")
    assert question.message is not None
    await club.bob.click(question.message, "Keep playing")
    again, once_more = [await press(club.bob, board, "Resign") for _ in range(2)]
    assert again.message is not None
    assert once_more.message is not None
    await club.bob.click(again.message, "Yes, resign")
    end = await table.board(1)
    assert end.content.startswith(f"{club.ann.mention} wins. {club.bob.mention} resigned.")
    assert end.pinged == {club.ann.id}
    over = await club.bob.click(once_more.message, "Yes, resign")  # the board itself is deleted
    assert texts(over) == "This game is already over. /challenge starts another one."


async def test_an_old_boards_button_says_that_the_turn_is_over(club: Club) -> None:
    table = await club.start_game(start="balanced")
    older = await table.board(0)
    moves = await table.to_move.autocomplete(club.channel, "move", move="")
    await table.to_move.slash(club.channel, "move", move=moves[0][1])
    board = await table.board(1)
    # The older board loses its buttons once the newer one is stored.
    await loses_buttons(older)
    words = texts(await click_as_posted(club.bob, older, "Resign"))
    assert words.startswith("That's an old board.")
    watching = texts(await click_as_posted(club.cid, board, "Resign"))
    assert watching == "Only the two players can do that. Want a game of your own? Try /challenge."


async def test_moderators_abort(club: Club) -> None:
    table = await club.start_game()
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(club.channel, "setup abort")
    end = await table.board(1)
    assert end.content.startswith(f"{moderator.mention} ended this game. No result.")
    assert end.pinged == {club.ann.id, club.bob.id}
    assert texts(await moderator.slash(club.channel, "setup abort")).startswith("There's no game")
