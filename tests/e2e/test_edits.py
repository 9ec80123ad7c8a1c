"""Tests for edits: a corrected typo is played at once, other edits are not."""

from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, Table, answer_to
from tests.games import random_game


async def nothing_more(club: Club, table: Table, revision: int) -> None:
    """Play a turn with a move that nobody has typed yet, after all earlier messages."""
    move = random_game(5)[revision + 1]
    board = await table.play([move])
    assert f"placed {move}." in board.content
    assert table.boards()[-1] == f"dvonn-1-{revision + 1}.png"
    assert len(table.boards()) == revision + 2


def know(table: Table, ply: int) -> None:
    """Update the table with a move that was not typed through it."""
    table.position = table.position.play(random_game(5)[ply])


async def test_a_mended_typo_is_played_at_once(club: Club) -> None:
    table = await club.start_game()
    first = str(random_game(5)[0])
    typo = await club.ann.say(club.channel, "z9")
    refusal = await answer_to(club, typo)
    await club.ann.edit(typo, "z8")  # each text gets its own answer
    second = await club.channel.wait_for(lambda m: "“z8”" in m.content)
    await club.ann.edit(typo, first)
    board = await table.board(1)
    assert f"placed {first}." in board.content
    assert refusal.id < second.id < board.id
    know(table, 0)
    await nothing_more(club, table, 1)


async def test_a_move_stays_played_whatever_happens_to_its_message(club: Club) -> None:
    table, moves = await club.start_game(), random_game(5)
    first = await table.type(moves[0])
    await table.board(1)
    await table.play(moves[1:2])
    await club.ann.edit(first, str(moves[2]))  # it is her turn again
    await nothing_more(club, table, 2)


async def test_previews_and_pins_are_not_edits(club: Club) -> None:
    table, moves = await club.start_game(), random_game(5)
    early = await club.bob.say(club.channel, str(moves[1]))
    await answer_to(club, early)  # it is not his turn
    later = await club.bob.say(club.channel, "hm")
    await club.bob.edit(later, str(moves[1]))
    await table.play(moves[:1])
    club.guild.show_preview(early, "A page")  # the text would be a legal move now
    club.guild.show_preview(later, "A page")  # this message was edited before, but not again
    await nothing_more(club, table, 1)


async def test_only_people_mend_and_only_soon(clock: BotClock, club: Club) -> None:
    table, move = await club.start_game(), str(random_game(5)[0])
    old = await club.ann.say(club.channel, "hm")
    clock.advance(minutes=5, seconds=1)
    robot = club.guild.add_person("Robot", bot=True)
    said = await robot.say(club.channel, "hm")
    hook = club.guild.webhook_says(club.channel, "Hook", "hm")
    await robot.edit(said, move)
    hook.content, hook.edited = move, club.world.clock.time()
    club.guild.show_preview(hook, "A page")
    await club.ann.edit(old, move)
    await nothing_more(club, table, 0)


async def test_a_typo_mended_while_the_bot_was_away_is_played_by_its_text(club: Club) -> None:
    table, moves = await club.start_game(), random_game(5)
    refused = await club.ann.say(club.channel, "z9")
    await answer_to(club, refused)
    await club.bot.kill()
    await club.ann.edit(refused, str(moves[0]))
    await club.bot.start()
    await table.board(1)
    know(table, 0)
    await nothing_more(club, table, 1)


async def test_a_corrected_typo_waits_for_earlier_messages(club: Club) -> None:
    table, moves = await club.start_game(), random_game(5)
    await club.bot.kill()
    await table.type(moves[0])
    history = f"GET /channels/{club.channel.id}/messages"
    with club.world.faults.answer(history, status=503, times=None) as unreadable:
        await club.bot.start()
        await unreadable.met()
        typo = await club.bob.say(club.channel, "z9")
        await club.bob.edit(typo, str(moves[1]))
    board = await table.board(2)
    assert f"placed {moves[1]}." in board.content
    know(table, 1)
    await nothing_more(club, table, 2)
