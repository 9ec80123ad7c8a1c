"""Tests for permissions removed during a game: it waits, tells people, and continues."""

from sandbox import Message, Permission
from tests.e2e.conftest import Club
from tests.games import random_game


async def is_told(said: Message) -> Message:
    """Return the answer to a typed move."""
    return await said.channel.wait_for(
        lambda m: m.reference is not None and m.reference.message_id == said.id
    )


async def test_a_lost_permission_is_reported_and_its_return_is_noticed(club: Club) -> None:
    table = await club.start_game()
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.ATTACH_FILES)
    told = await is_told(await table.type(random_game(1)[0]))
    assert told.content == (
        "Your move counts, but I can't post the board. I need this permission here: Attach "
        "Files. Please ask a moderator."
    )
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    board = await table.board(1)
    assert board.pinged == {club.bob.id}
    await table.play(random_game(1)[1:3])

    # Restoring it by a role works, too.
    guild = club.guild
    for role in (guild.everyone, guild.bot_role):
        guild.set_role_permissions(role, role.permissions & ~Permission.ATTACH_FILES)
    await is_told(await table.type(random_game(1)[3]))
    guild.set_role_permissions(guild.bot_role, guild.bot_role.permissions | Permission.ATTACH_FILES)
    await table.board(4)

    guild.set_permissions(club.channel, guild.everyone, deny=Permission.ATTACH_FILES)
    await is_told(await table.type(random_game(1)[4]))
    painters = guild.create_role("Painters")
    guild.set_permissions(club.channel, painters, allow=Permission.ATTACH_FILES)
    guild.give_role(club.world.person(club.world.bot_user), painters)
    await table.board(5)


async def test_command_users_are_informed_privately(club: Club) -> None:
    table = await club.start_game()
    club.guild.set_permissions(club.channel, club.guild.bot_role, deny=Permission.SEND_MESSAGES)
    await club.ann.slash(club.channel, "move", move="c3")
    told = await club.ann.ephemeral(lambda m: "Your move counts" in m.content)
    assert "Send Messages" in told.content
    club.guild.set_permissions(club.channel, club.guild.bot_role)
    await table.board(1)
