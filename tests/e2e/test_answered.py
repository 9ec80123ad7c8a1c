"""Tests that the bot answers everyone who addresses it, with the exceptions in `ReasonForSilence`.

A message that names the bot, replies to it, or contains exactly one legal move is played, or gets
an answer that its author can see.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from importlib.util import find_spec

import pytest

from bot.play.handlers.replies import ReasonForSilence
from demo.commands import use
from sandbox import Message, Permission
from tests.e2e.conftest import Club, answer_to, is_board, is_gone
from tests.e2e.database import seed_of
from tests.games import drawn, random_game

SIGN, SMILE = "❔", "🙂"


def is_answer(club: Club, one: Message, said: Message) -> bool:
    """Return True if the bot has answered a message, by a reply or with its author's name."""
    if one.author is not club.world.bot_user or one.viewer is not None or is_board(None)(one):
        return False
    if one.reference is not None:
        return one.reference.message_id == said.id
    return one.id > said.id and one.content.startswith(said.author.mention)


async def bot_answer(club: Club, said: Message) -> Message:
    """Return the answer to a message, which may be the message itself with a reaction."""
    return await said.channel.wait_for(
        lambda one: bool(one.reactions) if one is said else is_answer(club, one, said),
        after=said.id - 1,
    )


def answers(club: Club, said: Message) -> list[Message]:
    """Return all answers to a message."""
    return [item for item in club.posted.values() if is_answer(club, item, said)]


def nothing_was_forbidden(club: Club) -> bool:
    """Return True if the bot has sent no request that it isn't permitted to send."""
    return all(exchange.status != HTTPStatus.FORBIDDEN for exchange in club.world.exchanges)


# Mentions of the role that people mistake for the bot


async def test_the_bots_role_is_a_name_of_the_bot(club: Club) -> None:
    table, role = await club.start_game(), f"<@&{club.guild.bot_role.id}>"
    helped = await bot_answer(club, await club.cid.say(club.channel, f"{role} help"))
    assert helped.content.startswith("I can teach you in five minutes")
    for text, revision in ((f"{role} d3", 1), (f"e3 {role}", 2), (f"{role}, **f3**!", 3)):
        await (club.bob if revision == 2 else club.ann).say(club.channel, text)
        assert "placed" in (await table.board(revision)).content
    wondered = await bot_answer(club, await club.cid.say(club.channel, f"who is {role}"))
    assert SIGN in wondered.reactions
    elsewhere = club.guild.create_channel("elsewhere")
    told = await bot_answer(club, await club.cid.say(elsewhere, f"{role} d3"))
    assert told.content.startswith("There's no game here right now.")
    other = club.guild.create_role("players", mentionable=True)
    ignored = await club.cid.say(elsewhere, f"<@&{other.id}> help")
    await club.bot.stop()
    assert answers(club, ignored) == []
    await club.bot.start()


# Without permissions


async def test_without_the_history_answers_are_plain_messages(club: Club) -> None:
    table, bot = await club.start_game(), club.world.bot_user.mention
    club.guild.set_permissions(
        club.channel, club.guild.bot_role, deny=Permission.READ_MESSAGE_HISTORY
    )
    club.guild.set_permissions(
        club.channel, club.guild.everyone, deny=Permission.READ_MESSAGE_HISTORY
    )
    for text, begins in (
        ("z9-a1", "There's no “z9” on this board."),
        (f"{bot} help", "I can teach you in five minutes"),
        (f"{bot} undo", "You have nothing to take back."),
        (f"{bot} my games", "**your turn**"),
        ("is it d4?", "Did you mean `d4`?"),
        ("if d2 then e3", "It's your turn, so begin with your move."),
    ):
        answer = await bot_answer(club, await club.ann.say(club.channel, text))
        assert answer.content.startswith(f"{club.ann.mention}: ")
        assert begins in answer.content
        assert answer.reference is None
        assert answer.pinged == frozenset()
    await club.ann.say(club.channel, "then **d4**")
    await table.board(1)
    assert nothing_was_forbidden(club)


async def test_requests_answered_by_an_ordinary_message_are_not_answered_again(club: Club) -> None:
    table = await club.start_game()
    history = Permission.READ_MESSAGE_HISTORY
    for role in (club.guild.bot_role, club.guild.everyone):
        club.guild.set_permissions(club.channel, role, deny=history)
    answer = await bot_answer(club, await club.ann.say(club.channel, "z9"))
    for role in (club.guild.bot_role, club.guild.everyone):
        club.guild.set_permissions(club.channel, role, allow=history)
    await club.bot.kill()
    club.world.state.nonces.clear()  # as if a few minutes had passed
    await club.ann.say(club.channel, "y9")  # this one waits for the next start
    await club.bot.start()
    told = await club.channel.wait_for(lambda one: "“y9”" in one.content, after=answer)
    between = [message for message in club.channel.messages if answer.id < message.id < told.id]
    assert [message.content for message in between] == ["y9"]
    await table.play(random_game(1)[:1])


async def test_without_reactions_the_bot_explains(club: Club) -> None:
    table = await club.start_game()
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.ADD_REACTIONS)
    board = await table.board(0)
    for text, words in (("is it d4?", "Did you mean `d4`?"), ("d4 or e4", "I see several moves")):
        answer = await answer_to(club, await club.ann.say(club.channel, text))
        assert answer.content.startswith(words)
    wondered = await answer_to(club, await club.bob.reply(board, "what a start"))
    assert wondered.content == SIGN
    assert nothing_was_forbidden(club)
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.SEND_MESSAGES)
    marked = await club.ann.say(club.channel, "z9-a1")
    assert SIGN in (await bot_answer(club, marked)).reactions


@pytest.mark.later("tests/bot/play/test_typed_moves.py takes this road without a process")
async def test_the_newest_refusals_are_taken_away_once_their_reader_has_moved(club: Club) -> None:
    table = await club.start_game()
    told = [
        await answer_to(club, await club.ann.say(club.channel, f"z{row}")) for row in range(3, 9)
    ]
    await table.play(random_game(1)[:1])
    for refusal in reversed(told[1:]):
        await is_gone(refusal)
    assert not told[0].deleted


# Messages that address the bot


async def test_every_message_to_the_bot_gets_at_least_a_reaction(club: Club) -> None:
    table, bot = await club.start_game(), club.world.bot_user.mention
    board = await table.board(0)
    elsewhere = club.guild.create_channel("elsewhere")
    forum = await club.ann.post(club.guild.create_channel("games", kind="forum"), "Hi", "Hello")
    thread = await club.ann.start_thread(club.channel, "aside")
    for said, sign in (
        (await club.cid.reply(board, "good luck!"), SMILE),
        (await club.cid.reply(board, "what a start", ping=False), SIGN),
        (await club.cid.say(elsewhere, f"I like {bot} a lot"), SIGN),
        (await club.cid.say(thread, f"thanks {bot}!"), SMILE),
        (await club.bob.say(forum, f"so {bot} it is"), SIGN),
    ):
        assert sign in (await bot_answer(club, said)).reactions
    for place in (elsewhere, thread, forum):
        once = await bot_answer(club, await club.cid.say(place, f"{bot} d2-d4"))
        assert once.content.startswith("There's no game here")
        again = await bot_answer(club, await club.cid.say(place, f"{bot} d2-d4"))
        assert SIGN in again.reactions
    for text in (f"{bot} c3", f"{bot} draw", f"{bot} tell me more"):
        await bot_answer(club, await club.cid.say(club.channel, text))  # a spectator
        await bot_answer(club, await club.cid.say(club.channel, text))


async def test_a_plan_that_cannot_be_played_is_answered(club: Club) -> None:
    await club.start_game()
    for text, words in (
        ("if d2 then e3", "It's your turn, so begin with your move."),
        ("else ask, d2 if d3", "It's your turn, so begin with your move."),
        ("d2, if d2 then e3", "d2"),
    ):
        answer = await answer_to(club, await club.ann.say(club.channel, text))
        assert words in answer.content


async def test_a_move_that_names_the_opponent_is_played(club: Club) -> None:
    """People may just talk about them.

    A message that begins with another bot's name is for that bot.
    """
    await club.start_game()
    robot = club.guild.add_person("Robot", bot=True)
    bot = club.world.bot_user.mention
    await club.ann.say(club.channel, f"{robot.mention} c3")
    await club.ann.say(club.channel, f"{club.bob.mention} c1")
    board = await club.channel.wait_for(is_board(1))
    assert "c1" in board.content
    await club.bob.say(club.channel, f"{robot.mention} {bot} c2")
    await club.channel.wait_for(is_board(2))


# The exceptions


Case = Callable[[Club], Awaitable[Message]]


async def chatter(club: Club) -> Message:
    return await club.ann.say(club.channel, "nice weather today")


async def not_theirs(club: Club) -> Message:
    return await club.bob.say(club.channel, "d4 would be nice")


async def marked(club: Club) -> Message:
    for number in (1, 2, 3):
        before = await club.ann.say(club.channel, f"what of e{number}?")
        await bot_answer(club, before)
    return await club.ann.say(club.channel, "what of e4?")


async def repeat_in_bold(club: Club) -> Message:
    await bot_answer(club, await club.bob.say(club.channel, "c3"))
    return await club.bob.say(club.channel, "**c3**")


async def other_bot(club: Club) -> Message:
    robot = club.guild.add_person("Robot", bot=True)
    return await club.ann.say(club.channel, f"{robot.mention} c1")


async def not_a_person(club: Club) -> Message:
    return club.guild.webhook_says(club.channel, "News", f"{club.world.bot_user.mention} d4")


async def while_away(club: Club) -> Message:
    await club.bot.stop()
    said = await club.ann.say(club.channel, "d4, perhaps")
    await club.bot.start()
    return said


async def edit_finished_move(club: Club) -> Message:
    said = await club.ann.say(club.channel, "c1")
    await club.channel.wait_for(is_board(1))
    await club.ann.edit(said, "c1!")
    return said


async def flood(club: Club) -> Message:
    bot = club.world.bot_user.mention
    with club.world.faults.hold("POST /channels/{id}/messages"):
        said = [await club.cid.say(club.channel, f"{bot} rules") for _ in range(12)]
        await club.bot.wrote("why=FLOOD", times=10)
    return said[-1]


async def cannot_speak(club: Club) -> Message:
    lacks = Permission.ADD_REACTIONS | Permission.SEND_MESSAGES
    place = club.guild.create_channel("library")
    club.guild.set_permissions(place, club.guild.bot_role, deny=lacks)
    return await club.ann.say(place, f"{club.world.bot_user.mention} tell me more")


CASES: dict[ReasonForSilence, Case] = {
    ReasonForSilence.CHATTER: chatter,
    ReasonForSilence.NOT_THEIRS: not_theirs,
    ReasonForSilence.MARKED: marked,
    ReasonForSilence.TOLD: repeat_in_bold,
    ReasonForSilence.OTHER_BOT: other_bot,
    ReasonForSilence.NOT_A_PERSON: not_a_person,
    ReasonForSilence.WHILE_AWAY: while_away,
    ReasonForSilence.FLOOD: flood,
    ReasonForSilence.CANNOT_SPEAK: cannot_speak,
    ReasonForSilence.DONE: edit_finished_move,
}
NOT_LOGGED = {ReasonForSilence.CHATTER, ReasonForSilence.NOT_A_PERSON}
ELSEWHERE = {
    ReasonForSilence.TEAM_TALK: "test_a_teams_discussion_of_moves_is_ignored",
    ReasonForSilence.UNREADABLE: "test_withheld_content_is_answered_once_a_game_and_by_name",
}


async def test_messages_without_an_answer(logged_club: Club) -> None:
    """Everything in the list of exceptions gets an answer if it is addressed to the bot."""
    club = logged_club
    assert CASES.keys() | ELSEWHERE.keys() == set(ReasonForSilence)
    assert all(name in globals() for name in ELSEWHERE.values())
    await club.start_game()
    left = {silence: await case(club) for silence, case in CASES.items()}
    call = f"{club.world.bot_user.mention} tell me more"
    # Once this is answered, all others have been received.
    await bot_answer(club, await club.bob.say(club.channel, call))
    await club.bot.stop()  # this lets the bot finish its work
    for silence, said in left.items():
        assert answers(club, said) == [], silence
        assert said.reactions == {}, silence
    logged = {silence for silence in CASES if f"why={silence.name}" in club.bot.log}
    assert CASES.keys() - logged == NOT_LOGGED
    await club.bot.start()


async def test_withheld_content_is_answered_once_a_game_and_by_name(empty_club: Club) -> None:
    club = empty_club
    club.world.application.message_content = False
    await club.bot.start()
    table = await club.start_game()
    hinted = await bot_answer(club, await club.ann.say(club.channel, "c3"))
    assert hinted.content.startswith("Was that a move?")
    left = await club.ann.say(club.channel, "c3")
    board = await table.board(0)
    club.guild.bot_role.mentionable = True
    for said in (
        await club.ann.reply(board, "c3", ping=False),
        await club.cid.reply(board, "hello", ping=False),
        await club.ann.say(club.channel, f"<@&{club.guild.bot_role.id}> c3"),
    ):
        assert SIGN in (await bot_answer(club, said)).reactions
    await club.ann.reply(board, "> **c3**")
    await table.board(1)
    assert await club.bot.stop() == 0
    assert left.reactions == {}
    assert answers(club, left) == []


@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_a_teams_discussion_of_moves_is_ignored(machine_club: Club) -> None:
    club = machine_club
    await use(club.ann, club.channel, "play", teams=True, level=1, colour="white")
    await club.channel.wait_for(is_board(0))
    move = drawn(seed_of(club.bot, 1)).legal_moves()[0]
    talk = await club.cid.say(club.channel, f"why not {move}?")
    voted = await bot_answer(club, await club.cid.say(club.channel, f"**{move}**, please!"))
    assert "🗳️" in voted.reactions
    named = await club.cid.say(club.channel, f"{club.world.bot_user.mention} shall we?")
    await bot_answer(club, named)
    await club.bot.stop()
    assert talk.reactions == {}
    assert answers(club, talk) == []
    await club.bot.start()
