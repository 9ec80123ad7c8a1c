"""Tests that commands, replies and mentions reach the same game, in every kind of channel."""

import pytest

from demo.commands import use
from dvonn import Move
from sandbox import Channel, Message, Thread
from sandbox.interactions import InteractionKind
from tests.e2e.conftest import Club, Table, message_of, opened_thread, texts
from tests.games import positions_of, random_game


@pytest.fixture
async def deaf_club(empty_club: Club) -> Club:
    """A server whose bot can't read ordinary messages."""
    empty_club.world.application.message_content = False
    await empty_club.bot.start()
    return empty_club


async def follow(table: Table, move: Move) -> Message:
    table.position = table.position.play(move)
    return await table.board(table.position.plies)


async def test_a_game_is_played_by_replies_without_the_intent(deaf_club: Club) -> None:
    club = deaf_club
    try:
        table = await club.start_game()
        board, moves = await table.board(0), random_game(52)
        for move in moves[:3]:
            await table.to_move.reply(board, str(move))
            board = await follow(table, move)
        for first, revision in ((3, 4), (4, 49)):  # each player places the rest as a list
            spaces = " ".join(map(str, moves[first:49:2]))
            await (club.bob if first % 2 else club.ann).reply(board, spaces)
            board = await table.board(revision)
        table.position = positions_of(moves)[49]
        for move in moves[49:55]:
            await table.to_move.reply(board, str(move))
            board = await follow(table, move)
    finally:
        assert await club.bot.stop() == 0


def is_hint(message: Message) -> bool:
    return message.content.startswith("Was that a move?")


async def test_unreadable_text_gets_one_hint_a_game(deaf_club: Club) -> None:
    club = deaf_club
    try:
        table = await club.start_game()
        await club.cid.say(club.channel, "hello")
        for _ in range(3):
            await club.ann.say(club.channel, "c3")
        await club.ann.reply(await table.board(0), "c3", ping=False)
        await club.ann.say(club.channel, f"{club.world.bot_user.mention} c3")
        await table.board(1)
        await club.channel.wait_for(is_hint)
        hints = [m for m in club.channel.messages if is_hint(m)]
        assert len(hints) == 1
        assert hints[0].pinged == frozenset()
        assert "/move" in hints[0].content
        await club.bot.restart()
        await club.bob.say(club.channel, "d3")
        await club.bob.say(club.channel, f"d3 {club.world.bot_user.mention}")
        await table.board(2)
        assert [m for m in club.channel.messages if is_hint(m)] == hints
    finally:
        assert await club.bot.stop() == 0


async def test_with_the_intent_no_hint_is_needed(club: Club) -> None:
    table = await club.start_game()
    await club.ann.say(club.channel, files=[("holiday.png", b"\x89PNG")])
    await table.play(random_game(1)[:1])
    assert not [m for m in club.channel.messages if is_hint(m)]


async def play_a_little(club: Club, place: Channel) -> Table:
    table = await club.start_game(place)
    for move in random_game(54)[:2]:
        await table.type(move)
        await table.board(table.position.plies)
    board = await table.board(2)
    picker = message_of(await table.to_move.click(board, "Place"))
    select = picker.selects[0]
    await table.to_move.select(picker, [select.options[0][1]], custom_id=select.custom_id)
    await table.board(3)
    return table


async def test_a_game_in_a_voice_channels_chat_and_one_in_a_forum_post(club: Club) -> None:
    await play_a_little(club, club.guild.create_channel("Evening", kind="voice"))
    forum = club.guild.create_channel("games", kind="forum")
    await play_a_little(club, await club.ann.post(forum, "Ann against Bob", "Our game"))


async def test_with_slowmode_buttons_still_work(club: Club) -> None:
    slow = club.guild.create_channel("slow", slowmode_s=3600)
    table = await club.start_game(slow)
    await club.ann.say(slow, "c3")
    await table.board(1)
    picker = message_of(await club.bob.click(await table.board(1), "Place"))
    select = picker.selects[0]
    await club.bob.select(picker, [select.options[0][1]], custom_id=select.custom_id)
    await table.board(2)
    await club.ann.slash(slow, "move", move="e3")
    await table.board(3)


async def in_own_thread(club: Club) -> tuple[Thread, Table]:
    answer = await use(
        club.ann,
        club.channel,
        "challenge",
        opponent=club.bob,
        colour="white",
        where="thread",
        start="placement",
    )
    message = answer.message
    assert message is not None
    await club.bob.click(message, "Accept")
    thread = await opened_thread(message)
    table = Table(thread, club.ann, club.bob)
    await table.board(0)
    return thread, table


async def test_a_thread_is_put_away_after_its_game(club: Club) -> None:
    thread, table = await in_own_thread(club)
    await club.bob.slash(thread, "resign")
    question = club.bob.inbox[-1]
    await club.bob.click(question, "Yes, resign")
    await table.board(1)
    await club.bot.stop()  # this lets the bot finish its work
    assert thread.archive_after_minutes == 60
    await club.bot.start()


async def test_a_command_of_an_older_version_says_where_it_is_now(club: Club) -> None:
    """A user's client may still show the commands from before an upgrade."""
    ids = {command["name"]: command["id"] for command in club.world.application.commands.values()}
    for old, now in (
        ("takeback", f"</undo:{ids['undo']}>"),
        ("preferences", f"</settings:{ids['settings']}>"),
        ("abort", f"</setup abort:{ids['setup']}>"),
        ("fill", "*Fill at random*"),
        ("chess", "old version"),
    ):
        data = {"id": "1", "name": old, "type": 1}
        answer = await club.ann._use(InteractionKind.COMMAND, club.channel, data)
        assert now in texts(answer)
