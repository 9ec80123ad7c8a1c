"""Tests for /setup, and for what it forbids."""

import pytest

from demo.commands import use
from sandbox import Permission, Person
from tests.e2e.conftest import Club, is_board, message_of, opened_thread, texts

UNTOUCHED = (
    "- **/setup defaults**: Usual game: even board, no clock, rated.\n"
    "- **/setup limit**: Up to 5 games per person at once.\n"
    "- **/setup boards**: While pieces are placed, each new board replaces the one before.\n"
    "- **/setup style**: Language, theme and coordinates: as in Discord's settings of this server; "
    "Wood; standard, a1 to k5.\n"
    "- **/setup log**: What moderators do here isn't logged.\n"
    "- **/setup puzzle**: No puzzle of the day here.\n"
    "- **/setup tournaments**: Members with Manage Events can create tournaments.\n"
    "- **/setup allow**: Games are allowed in every channel."
)

OUT_OF_TIME = (
    "Out of time? That alone loses no game: the other player can claim the win, or keep waiting."
)


@pytest.fixture
def moderator(club: Club) -> Person:
    return club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)


async def setup(club: Club, person: Person, what: str, /, **options: object) -> str:
    return texts(await person.slash(club.channel, f"setup {what}", **options))


async def test_moderators_see_and_change_the_settings(club: Club, moderator: Person) -> None:
    assert await setup(club, moderator, "show") == UNTOUCHED
    limited = await setup(club, moderator, "limit", games=2)
    assert limited.splitlines()[1] == "- **/setup limit**: Up to 2 games per person at once."
    edited = await setup(club, moderator, "boards", placement="edit")
    assert "During placement I keep editing one board" in edited
    allowed = await setup(club, moderator, "allow", channel=club.channel)
    assert allowed.endswith(f"in these channels and their threads:\n  - <#{club.channel.id}>")
    await club.bot.restart()
    assert await setup(club, moderator, "show") == allowed
    forbidden = await setup(club, moderator, "forbid", channel=club.channel)
    assert forbidden.startswith(f"To keep games out of <#{club.channel.id}>, list the")
    await setup(club, moderator, "limit", games=5)
    assert await setup(club, moderator, "boards", placement="new") == UNTOUCHED
    quiet = await setup(club, moderator, "reviews", games="off")
    assert "- **/setup reviews**: Reviews are switched off here." in quiet.splitlines()
    organisers = await setup(club, moderator, "tournaments", role=club.guild.everyone)
    assert "can create tournaments, and" in organisers
    hall, bob = club.guild.create_channel("log"), club.bob
    logged = await setup(club, moderator, "log", channel=hall)
    assert logged == f"I log what moderators do in <#{hall.id}>."
    blocked = await setup(club, moderator, "block", person=bob, days=7, reason="rude")
    assert blocked.startswith(f"{bob.mention} can't start or join games here until <t:")
    again = await setup(club, moderator, "unblock", person=bob)
    assert again == f"{bob.mention} can play here again."
    await hall.wait_for(lambda one: one.content.endswith(f"/setup unblock** {bob.mention}"))


async def test_games_are_started_where_the_moderators_want_them(
    club: Club, moderator: Person
) -> None:
    early = message_of(await club.cid.slash(club.channel, "challenge", opponent=club.bob))
    hall = club.guild.create_channel("hall")
    await setup(club, moderator, "allow", channel=hall)
    words = f"Not in this channel, please. DVONN is played in <#{hall.id}>."
    refused = await club.ann.slash(club.channel, "challenge", opponent=club.bob)
    assert texts(refused) == words
    assert texts(await club.bob.click(early, "Accept")) == words
    # A thread belongs to its channel, whether the bot opened it or not.
    talk = await club.ann.start_thread(hall, "talk")
    await club.start_game(talk)
    other = message_of(await use(moderator, hall, "challenge", opponent=club.bob, where="thread"))
    await club.bob.click(other, "Accept")
    await (await opened_thread(other)).wait_for(is_board(0))
    await setup(club, moderator, "anywhere")
    await club.bob.click(early, "Accept")
    await club.channel.wait_for(is_board(0))


async def test_nobody_plays_more_games_than_the_server_allows(
    club: Club, moderator: Person
) -> None:
    await setup(club, moderator, "limit", games=1)
    early = message_of(await use(club.cid, club.channel, "challenge", where="thread"))
    await club.start_game()
    asked = texts(await club.bob.slash(club.channel, "challenge", opponent=club.cid))
    assert asked.startswith("You can play 1 game at a time.")
    accepting = texts(await club.ann.click(early, "Accept"))
    assert accepting == asked
    offer = await use(moderator, club.channel, "challenge", opponent=club.bob, where="thread")
    assert not offer.ephemeral  # a busy person may have time later
    await setup(club, moderator, "limit", games=2)
    await club.ann.click(early, "Accept")
    await (await opened_thread(early)).wait_for(is_board(0))


async def test_a_server_has_its_own_usual_game(club: Club) -> None:
    plain = message_of(await club.ann.slash(club.channel, "challenge", opponent=club.bob))
    assert "Even board: fair to both." in plain.content
    await club.bob.click(plain, "Accept")
    first = await club.channel.wait_for(is_board(0))
    assert "Move" in [button.label for button in first.buttons]

    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    chosen = {"start": "placement", "clock": "24h/move", "where": "thread", "rated": False}
    said = texts(await moderator.slash(club.channel, "setup defaults", **chosen))
    usual_game = "Usual game: empty board, 1 day per move, in its own thread, unrated."
    assert said.splitlines()[0] == f"- **/setup defaults**: {usual_game}"
    hall = club.guild.create_channel("hall")
    offered = await club.cid.autocomplete(hall, "challenge", clock="")
    assert offered[0] == ("1 day per move (usual in this server)", "1d+1d/1d")
    for command in ("play", "setup defaults"):
        offered = await moderator.autocomplete(hall, command, clock="24h")
        assert offered[0] == ("24h: 1 day per move", "24h"), command
    for command, zone in (("setup defaults", "weekends"), ("setup puzzle", "zone")):
        offered = await moderator.autocomplete(hall, command, **{zone: "berl"})
        assert offered == [("Europe/Berlin", "Europe/Berlin")], command
    usual = message_of(await club.cid.slash(hall, "challenge", opponent=club.bob))
    assert usual.content.splitlines()[2:] == [
        "Empty board: you place the pieces first.",
        "Clock: 1 day per move.",
        OUT_OF_TIME,
        "It gets a thread of its own.",
    ]
    own = {"start": "balanced", "clock": "10+5", "where": "here"}
    other = message_of(await use(club.cid, hall, "challenge", opponent=club.bob, **own))
    assert other.content.splitlines()[2:] == [
        "Even board: fair to both.",
        "Clock: 10 minutes + 5 seconds per move, live.",
    ]
