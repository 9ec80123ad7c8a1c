"""Tests for profiles and leaderboards: shown privately, paged by buttons, shared on request."""

from club.ratings.model import LEAST_TURNS
from sandbox import Message, Person
from tests.e2e.conftest import Club, choose, shown_alone, texts
from tests.e2e.database import seed_of, settle_ratings
from tests.games import drawn


async def rated_game(club: Club, loser: Person) -> Message:
    """Play a rated game of Ann against Bob on a balanced board, which one of them resigns."""
    table = await club.start_game(start="balanced", rated=True)
    table.position = drawn(seed_of(club.bot, 1))
    for revision in range(1, 2 * LEAST_TURNS + 1):
        await table.type(table.position.legal_moves()[0])
        await table.board(revision)
    asked = await loser.slash(table.channel, "resign")
    await loser.click(shown_alone(asked), "Yes, resign")
    return await table.board(2 * LEAST_TURNS + 1)


def files(message: Message) -> list[str]:
    return [attachment.filename for attachment in message.attachments]


async def test_a_rated_game_is_in_both_profiles(club: Club) -> None:
    await rated_game(club, loser=club.bob)
    ann, bob = club.ann.mention, club.bob.mention
    own = shown_alone(await club.ann.slash(club.channel, "profile", against=club.bob))
    lines = own.content.splitlines()
    assert lines[0] == "**Your profile** · This server"
    assert lines[1].startswith("Slow games: **about 16")
    assert "**Games against people**: 1 won" in lines
    assert f"**{ann} against {bob}**: 1 won" in lines
    assert files(own) == ["ratings.png"]
    assert str(own.attachments[0].description).startswith("Slow games · 16")

    await club.bot.restart()
    await club.ann.click(own, "All servers")
    assert own.content.startswith("**Your profile** · All servers")
    await club.ann.click(own, "This server")
    shown = await club.ann.click(own, "Show everybody")
    assert shown.message is not None
    assert not shown.ephemeral
    assert shown.message.content.startswith(f"**Profile of {ann}** · This server")
    assert bob not in shown.message.content

    other = texts(await club.bob.slash(club.channel, "profile", player=club.ann))
    assert f"**{bob} against {ann}**: 1 lost" in other
    assert "all servers" not in other
    assert texts(await club.bob.menu_of(club.channel, club.ann, "Profile")) == other
    bot = await club.bob.menu_of(club.channel, club.world.bot_user, "Profile")
    assert texts(bot).startswith("Bots have no profile")
    alone = texts(await club.ann.slash(club.ann.dm, "profile"))
    assert alone.startswith("**Your profile** · All servers\nSlow games: **about 16")
    nobody = texts(await club.ann.slash(club.ann.dm, "profile", player=club.bob))
    assert nobody.startswith("In direct messages you see only your own profile.")
    assert texts(
        await club.ann.slash(club.channel, "profile", player=club.world.bot_user)
    ).startswith("Bots have no profile")


async def test_a_leaderboard_leads_to_its_pages_and_leaves_out_who_hides(club: Club) -> None:
    await rated_game(club, loser=club.ann)
    ann, bob = club.ann.mention, club.bob.mention
    assert "is a first guess" in texts(await club.ann.slash(club.channel, "leaderboard"))
    settle_ratings(club.bot)
    board = shown_alone(await club.ann.slash(club.channel, "leaderboard", pace="slow"))
    lines = board.content.splitlines()
    assert lines[0] == "**Leaderboard** · This server · Slow games"
    assert [lines[1].endswith(f"± 60 · {bob}"), lines[2].endswith(f"± 60 · {ann} · you")] == [
        True,
        True,
    ]
    assert lines[3].startswith("Your place: **2** of 2")
    await club.ann.click(board, "All servers")
    assert board.content.startswith("**Leaderboard** · All servers · Slow games")
    assert bob in board.content, "they have played here"
    await club.ann.click(board, "Live games")
    assert "Nobody's on the list yet." in board.content

    await choose(club.bob, club.channel, on=["mentions", "reviews"])
    alone = texts(await club.ann.slash(club.channel, "leaderboard"))
    assert bob not in alone
    assert "Your place: **1** of 1" in alone
    refused = texts(await club.ann.slash(club.channel, "profile", player=club.bob))
    assert refused == f"{bob} keeps their profile to themselves."
    direct = texts(await club.ann.slash(club.ann.dm, "leaderboard"))
    assert bob not in direct
    await club.ann.click(board, "My profile")
    assert board.content.startswith("**Your profile**")
