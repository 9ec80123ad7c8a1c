"""Tests for unplayed games, pairings and presence checks in tournaments, with the real bot."""

from sandbox import Message
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, set_blocks, texts
from tests.e2e.database import nothing_unsent
from tests.e2e.features.tournaments.cups import Cup, make, people

MEMBER = "GET /guilds/{id}/members/{id}"


async def begun(club: Club, count: int) -> Cup:
    """A knockout in which nobody has to be present at a certain time."""
    cup = await make(club, count, format="knockout", clock="1 day per move", start="placement")
    await cup.all_join()
    await cup.start()
    return cup


async def test_nobody_advances_from_a_game_without_players(
    clock: BotClock, empty_club: Club
) -> None:
    cup = await begun(empty_club, 4)
    there, silent = await cup.games(", round 1, board ", 2)
    seats = {thread.id: await cup.seats(thread) for thread in (there, silent)}
    clock.advance(days=1, hours=1)
    for thread in (there, silent):
        white, black = seats[thread.id]
        asked = await thread.wait_for(asks)
        assert f"{black.mention}, {white.mention} didn't come." in asked.content
        assert asked.pinged == {white.id, black.id}
        if thread is there:
            refused = await white.click(asked, "I'm here")
            assert texts(refused) == f"Only {black.mention} can press that."
            won = await black.click(asked, "I'm here")
            assert texts(won) == f"{white.mention} didn't come, so you win this game."
            winner = black
    assert cup.channel.messages[-1].content.startswith("**Cup**, round 1, board ")
    clock.advance(days=1, hours=1)
    ended = await cup.message_with("**Cup** is over.")
    assert ended.content.splitlines()[1] == f"1\\. {winner.mention}"
    for result in ("0–1", "0–0"):
        assert ended.content.count(f"**{result}** (not played)") == 1
    late = await black.click(await silent.wait_for(asks), "I'm here")
    assert texts(late) == "Too late: that game is decided."


def asks(message: Message) -> bool:
    return "Press *I'm here* by" in message.content


async def to_the_final(cup: Cup, *, kicked: bool) -> int:
    """Play both semifinals, and perhaps remove the winner of the first. Return that player."""
    first, second = await cup.games(", round 1, board ", 2)
    loser, winner = await cup.seats(first)
    await cup.resign(first, loser)
    await first.wait_for(lambda one: "wins." in one.content)
    if kicked:
        cup.club.guild.kick(winner)
    await cup.resign(second, (await cup.seats(second))[0])
    return winner.id


async def test_kicked_players_win_no_final(club: Club) -> None:
    cup = await begun(club, 4)
    gone = await to_the_final(cup, kicked=True)
    ended = await cup.message_with("**Cup** is over.")
    assert people(ended)[0] != gone
    assert not any("round 2, board" in message.content for message in cup.public_messages())


async def test_a_failed_member_lookup_withdraws_nobody(club: Club) -> None:
    cup = await begun(club, 4)
    no = {"code": 50001, "message": "Missing Access"}
    fault = club.world.faults.answer(MEMBER, status=403, body=no, times=2)
    winner = await to_the_final(cup, kicked=False)
    told = await cup.message_with(", round 2, board 1: ")
    assert winner in people(told)
    assert fault.is_over


async def test_only_the_blocker_is_informed_of_the_pairing(club: Club) -> None:
    ann, bob = club.ann, club.bob
    said = (await set_blocks(ann, club.channel, bob)).content
    assert "and I keep you apart where I can." in said
    cup = await begun(club, 2)
    (thread,) = await cup.games(", round 1, board ", 1)
    word = await ann.dm.wait_for(lambda one: "**Cup**" in one.content)
    assert word.content.startswith(f"In **Cup** you meet {bob.mention}, though you've")
    assert texts(await ann.click(word, "Standings")).startswith("**Cup** · Round 1 of 1")
    await nothing_unsent(club.bot)
    assert list(bob.dm.messages) == []
    assert not any(
        "block" in message.content for message in (*cup.public_messages(), *thread.messages)
    )
