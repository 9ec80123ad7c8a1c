"""Tests for deleted channels and threads: their games end, and the players are told."""

from sandbox import Message, Permission, Person, Thread
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import (
    Club,
    Table,
    challenge_in_thread,
    is_board,
    message_of,
    opened_thread,
    texts,
)
from tests.e2e.database import nothing_unsent
from tests.games import random_game

PLACE_GONE = "The channel of this game is gone ({} vs {}). No result."


async def play_in_a_thread(club: Club) -> tuple[Table, Message]:
    """A game of Ann and Bob in a thread, and the challenge whose message started the thread."""
    answer = message_of(await challenge_in_thread(club, club.ann))
    await club.bob.click(answer, "Accept")
    table = Table(await opened_thread(answer), club.ann, club.bob)
    await table.board(0)
    return table, answer


async def ended(club: Club, where: Person | None = None) -> Message:
    """Wait for the last message about the game, in the channel or in someone's direct messages."""
    place = club.channel if where is None else where.dm
    words = PLACE_GONE.format(club.ann.mention, club.bob.mention)
    return await place.wait_for(lambda one: one.content.startswith(words))


async def may_play_again(club: Club) -> None:
    """Check that the game left nothing behind: no running games, and no queued messages."""
    await nothing_unsent(club.bot)
    channel = club.guild.create_channel("another")
    assert texts(await club.ann.slash(channel, "games")).startswith("**Finished games**")
    table = await club.start_game(channel, challenger=club.bob, opponent=club.ann)
    await table.play(random_game(1)[:1])


async def test_a_deleted_thread_ends_its_game_with_a_message_in_the_channel(club: Club) -> None:
    table, _ = await play_in_a_thread(club)
    await table.play(random_game(1)[:3])
    club.guild.delete_channel(table.channel)
    told = await ended(club)
    assert is_board(4)(told)
    assert told.pinged == {club.ann.id, club.bob.id}
    assert told.buttons[0].label == "Replay"
    await may_play_again(club)


async def test_a_deleted_channel_ends_the_games_in_it_and_in_its_threads(club: Club) -> None:
    table, _ = await play_in_a_thread(club)
    await table.play(random_game(1)[:2])
    assert isinstance(table.channel, Thread)
    # discord.py doesn't know archived threads
    club.guild.set_archived(table.channel)
    dee, eve = club.guild.add_person("Dee"), club.guild.add_person("Eve")
    await club.start_game(challenger=dee, opponent=eve)
    club.guild.delete_channel(club.channel)
    for person in (club.ann, club.bob):
        await ended(club, person)
    for person in (dee, eve):
        await person.dm.wait_for(lambda one: "The channel of this game is gone" in one.content)
    await may_play_again(club)


async def test_deletions_while_the_bot_was_offline_are_noticed(club: Club) -> None:
    table = await club.start_game()
    await table.play(random_game(1)[:2])
    await club.bot.kill()
    club.guild.delete_channel(club.channel)
    await club.bot.start()
    await ended(club, club.ann)
    await ended(club, club.bob)
    await may_play_again(club)


async def test_a_challenge_deleted_before_its_thread_opens(club: Club) -> None:
    answer = message_of(await challenge_in_thread(club, club.ann))
    opening = club.world.faults.answer(
        f"POST /channels/{club.channel.id}/messages/{{id}}/threads", status=500, times=None
    )
    await club.bob.click(answer, "Accept")
    await opening.met()
    await club.guild.owner.delete(answer)
    opening.end()
    await ended(club)
    await may_play_again(club)


async def test_a_thread_that_opens_late_keeps_its_game(club: Club) -> None:
    """Something that doesn't exist yet must not be taken for deleted, even after a kill."""
    answer = message_of(await challenge_in_thread(club, club.ann))
    opening = club.world.faults.answer(
        f"POST /channels/{club.channel.id}/messages/{{id}}/threads", status=500, times=None
    )
    await club.bob.click(answer, "Accept")
    await opening.met()
    await club.bot.kill()
    await club.bot.start()
    await club.bot.wrote("catch-up refused")
    opening.end()
    table = Table(await opened_thread(answer), club.ann, club.bob)
    await table.board(0)
    await table.play(random_game(1)[:2])


async def test_a_server_without_the_bot_has_an_hour(clock: BotClock, club: Club) -> None:
    moves = random_game(1)
    table = await club.start_game()
    await table.play(moves[:2])
    club.guild.remove_bot()
    await table.type(moves[2])
    clock.advance(minutes=59)
    club.guild.invite_bot()
    await table.board(3)  # typed while nobody was there to read it
    await table.play(moves[3:4])
    other = club.world.create_guild("Others")
    other.join(club.ann)
    club.guild.remove_bot()
    # Nothing outside shows that the bot has received this event. It handles later events
    # afterwards.
    told = other.create_channel("dvonn")
    assert "no games here" in texts(await club.ann.slash(told, "games"))
    clock.advance(minutes=61)
    await ended(club, club.ann)  # Ann shares another server with the bot; Bob doesn't
    await club.bot.wrote("direct message refused")
    club.guild.invite_bot()
    assert texts(await club.ann.slash(club.channel, "games")).startswith("**Finished games**")


async def test_nobody_loses_on_time_while_the_bot_is_offline(clock: BotClock, club: Club) -> None:
    table = await club.start_game(clock="15 minutes")
    other = club.world.create_guild("Others")
    channel = other.create_channel("dvonn")
    dee, eve = other.add_person("Dee"), other.add_person("Eve")
    loser = await club.start_game(channel, challenger=dee, opponent=eve, clock="15 minutes")
    for board in (table, loser):
        await board.play(random_game(1)[:6])
    club.guild.remove_bot()
    await club.bot.wrote("bot removed from guild")
    clock.advance(minutes=20)
    over = await loser.board(7)  # their time was up at the same moment
    assert "ran out of time" in over.content
    club.guild.invite_bot()
    board_7 = await table.play(random_game(1)[6:7])
    assert "placed" in board_7.content


async def test_moves_typed_out_of_sight_are_read_later(club: Club) -> None:
    moves = random_game(1)
    table = await club.start_game()
    hidden = Permission.VIEW_CHANNEL
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=hidden)
    await table.type(moves[0])
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    await table.board(1)
    everyone = club.guild.everyone
    role = club.guild.create_role("Readers", Permission.VIEW_CHANNEL)
    for person in (club.ann, club.bob):
        club.guild.give_role(person, role)
    club.guild.set_role_permissions(club.guild.bot_role, club.guild.bot_role.permissions & ~hidden)
    granted = everyone.permissions
    club.guild.set_role_permissions(everyone, granted & ~hidden)
    await table.type(moves[1])
    club.guild.set_role_permissions(everyone, granted)
    await table.board(2)
    await table.play(moves[2:4])


async def test_an_archived_thread_is_played_on_and_a_locked_one_waits(club: Club) -> None:
    moves = random_game(1)
    table, _ = await play_in_a_thread(club)
    assert isinstance(table.channel, Thread)
    club.guild.set_archived(table.channel)
    await table.play(moves[:2])  # a message reopens it
    board = await table.board(2)
    club.guild.set_archived(table.channel, archived=False, locked=True)
    # Nobody can write in a locked thread, but buttons work.
    picker = message_of(await table.to_move.click(board, "Place"))
    space = picker.selects[0].options[0][1]
    await table.to_move.select(picker, [space], custom_id=picker.selects[0].custom_id)
    told = await table.to_move.ephemeral(lambda one: "Your move counts" in one.content)
    assert told.content == "Your move counts. The board comes as soon as I can post it."
    club.guild.set_archived(table.channel, archived=False, locked=False)
    await table.board(3)


async def test_a_deleted_board_is_not_missed(club: Club) -> None:
    moves = random_game(1)
    table = await club.start_game()
    for n in range(3):
        await club.guild.owner.delete(await table.play(moves[n : n + 1]))
    await table.play(moves[3:5])
    again = message_of(await club.ann.slash(club.channel, "board"))
    assert again.attachments


async def test_a_board_deleted_before_an_edit_is_posted_again(club: Club) -> None:
    moderator = club.guild.add_person("Mod", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(club.channel, "setup boards", placement="edit")
    moves = random_game(1)
    table = await club.start_game()
    await club.ann.slash(club.channel, "move", move=str(moves[0]))
    await club.channel.wait_for(is_board(1))
    editing = club.world.faults.answer(
        "PATCH /channels/{id}/messages/{id}", status=404, body={"message": "x", "code": 10008}
    )
    await club.bob.slash(club.channel, "move", move=str(moves[1]))
    await club.channel.wait_for(is_board(2))
    assert editing.is_over
    assert table.boards() == ["dvonn-1-1.png", "dvonn-1-2.png"]
