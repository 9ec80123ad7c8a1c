"""Tests for rated games, from the challenge to the last board."""

from club.ratings.model import LEAST_TURNS, MOST_A_DAY
from sandbox import Permission, Person
from tests.e2e.conftest import Club, Table, message_of, texts
from tests.games import random_game


async def test_a_game_says_whether_it_is_rated_from_the_challenge_to_the_end(club: Club) -> None:
    answer = await club.ann.slash(club.channel, "challenge", opponent=club.bob, rated=True)
    challenge = message_of(answer)
    assert "Rated: the result changes your rating. No hints." in challenge.content.splitlines()
    await club.bob.click(challenge, "Accept")
    await club.channel.wait_for(lambda one: "your turn" in one.content)
    listed = message_of(await club.ann.slash(club.channel, "games"))
    page = message_of(await club.ann.select(listed, ["1"]))
    assert page.content.splitlines()[1].endswith(" · rated")
    assert "Suggest hints" not in [button.label for button in page.buttons]

    asked = message_of(await club.ann.slash(club.channel, "resign"))
    await club.ann.click(asked, asked.buttons[0].label)
    over = await club.channel.wait_for(lambda one: "wins." in one.content)
    assert "Too short to be rated: you each need 5 turns." in over.content.splitlines()
    listed = message_of(await club.ann.slash(club.channel, "games"))
    assert " · rated" not in message_of(await club.ann.select(listed, ["1"])).content

    for friend, counts in ((club.bob, True), (club.cid, False)):  # Cid has not played yet
        again = message_of(await club.ann.slash(club.channel, "challenge", opponent=friend))
        assert ("Rated" in again.content) is counts


ENOUGH = random_game(31)[: 3 + 2 * LEAST_TURNS]
"""Enough moves that a resigned game counts."""


async def lost(table: Table, loser: Person) -> str:
    """Return the last board's text about ratings in a resigned game that counts."""
    await table.reach(ENOUGH)
    await resign(table, loser)
    return (await table.channel.wait_for(lambda one: "resigned." in one.content)).content


async def resign(table: Table, loser: Person) -> None:
    asked = message_of(await loser.slash(table.channel, "resign"))
    await loser.click(asked, "Yes, resign")


async def delete_all(person: Person, club: Club) -> None:
    form = message_of(await person.slash(club.channel, "settings"))
    page = message_of(await person.click(form, "Privacy"))
    for button in ("Delete me", "Go on", "Yes, delete"):
        await person.click(page, button)
    assert page.content.startswith("All deleted.")


async def test_a_deleted_second_account_adds_no_rated_games(club: Club) -> None:
    for number in range(MOST_A_DAY):
        channel = club.guild.create_channel(f"room-{number}")
        said = await lost(await club.start_game(channel), club.bob)
        assert f"Ratings: {club.ann.mention} 1" in said
    await delete_all(club.bob, club)
    for number, winner in enumerate((club.ann, club.cid)):
        channel = club.guild.create_channel(f"again-{number}")
        table = await club.start_game(channel, challenger=club.bob, opponent=winner)
        said = await lost(table, club.bob)
        assert "Not rated: one of you deleted their data today." in said


async def test_a_moderator_can_lose_their_own_rated_game(club: Club) -> None:
    mo, other = (
        club.guild.add_person(name, permissions=Permission.MANAGE_CHANNELS) for name in ("Mo", "Ed")
    )
    table = await club.start_game(challenger=mo)
    await table.reach(ENOUGH)
    refused = texts(await mo.slash(club.channel, "setup abort"))
    assert refused == (
        "That's your own rated game. You can /resign it, or ask another moderator to end it."
    )
    await resign(table, mo)
    over = await club.channel.wait_for(lambda one: "resigned." in one.content)
    assert f"{mo.mention} 1338? (−162)" in over.content

    table = await club.start_game(challenger=mo)
    await table.reach(ENOUGH)
    assert texts(await other.slash(club.channel, "setup abort")) == "Done."
    end = await club.channel.wait_for(lambda one: "ended this game" in one.content)
    assert end.content.startswith(f"{other.mention} ended this game. No result.")
