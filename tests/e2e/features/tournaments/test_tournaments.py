"""Tests for tournaments as people see them, from the announcement to the end."""

from datetime import UTC, datetime

import pytest

from sandbox import Message, Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import Club, is_board, message_of, opened_thread, texts
from tests.e2e.features.tournaments.cups import (
    Form,
    chosen,
    create,
    first_lines,
    make,
    organize,
    people,
)
from tests.e2e.reading import stamps


async def test_a_knockout_with_a_no_show(clock: BotClock, empty_club: Club) -> None:
    cup = await make(
        empty_club,
        4,
        format="knockout",
        clock="1 day per move",
        start="placement",
        begins="in 3 days",
        round_time="2 days",
    )
    events = cup.club.guild.guild.events
    organizer = cup.organiser
    for option, typed in (("clock", "24h"), ("begins", "tomorrow 8pm")):
        offered = await organizer.autocomplete(
            cup.channel, "tournament create", format="robin", **{option: typed}
        )
        assert offered[0][1] == typed
    offered = await organizer.autocomplete(cup.channel, "tournament show", tournament="c")
    assert [value for _, value in offered] == ["1"]
    past = texts(await organizer.slash(cup.channel, "tournament past"))
    assert past == "No tournament has been played to its end here."
    await cup.all_join()
    begins = stamps(cup.announcement.content)[0]
    clock.advance(days=2, hours=1)
    asked = await cup.message_with("starts soon")
    assert asked.pinged == {player.id for player in cup.players}
    (event,) = events.values()
    assert (event.name, event.starts_at) == (
        "Cup",
        datetime.fromtimestamp(begins, UTC).isoformat(),
    )
    *here, away = cup.players
    for item in here:
        await item.click(asked, "I'm here")
    assert f"Not here yet: {away.user.mention}" in asked.content
    clock.advance(days=1)
    # A player who has not checked in is not paired. With three, one has a bye.
    (thread,) = await cup.games(", round 1, board ", 1)
    assert (await cup.message_with("check-in is over.")).buttons == []
    white, black = await cup.seats(thread)
    assert away not in (white, black)
    await white.say(thread, "a1")
    await thread.wait_for(is_board(1))
    noted = texts(await white.slash(thread, "note", text="The edge first"))
    assert noted == "Noted at move 1. Only you can see it, with /note."
    clock.advance(days=2, hours=1)
    results = await cup.message_with("results of round 1")
    assert "has a bye this round. It counts as a win." in results.content
    assert f"{white.user.mention} – {black.user.mention} **1–0** (not played)" in results.content
    (final,) = await cup.games(", round 2, board ", 1)
    loser, winner = await cup.seats(final)
    assert black not in (loser, winner)
    await cup.resign(final, loser)
    ended = await cup.message_with("**Cup** is over.")
    assert ended.content.splitlines()[1] == f"1\\. {winner.user.mention}"
    await cup.channel.wait_for(lambda one: one is cup.announcement and "**Over**" in one.content)
    assert events == {}  # the server's list of events no longer has it
    assert first_lines(cup.public_messages()) == [
        "**Cup**",
        "**Cup**: check-in is over.",
        "**Cup**, round 1 of 2",
        "**Cup**, round 1, board 2",
        "**Cup**, results of round 1",
        "**Cup**, round 2 of 2",
        "**Cup**, round 2, board 1",
        "**Cup** is over.",
    ]
    # Nobody is pinged, except to ask who is present.
    assert [entry for entry in cup.public_messages() if entry.pinged] == [asked]


@pytest.mark.thorough("two tournaments, some 8 s; clocks are shown in test_bad_days_places.py")
async def test_no_round_ends_while_the_server_is_without_the_bot(
    clock: BotClock, empty_club: Club
) -> None:
    """A wrong result would be announced: the deadline passes while the bot is out of the server."""
    club = empty_club
    guild = club.world.create_guild("Others")
    dee, eve, fay = (guild.add_person(name) for name in ("Dee", "Eve", "Fay"))
    channel = guild.create_channel("dvonn")
    others = Club(club.world, guild, channel, dee, eve, fay, club.bot)
    cups = []
    for place in (club, others):
        cup = await make(
            place,
            3,
            format="swiss",
            rounds=2,
            clock="2 days per move",
            start="placement",
            round_time="1 day",
        )
        await cup.all_join()
        await cup.start()
        cups.append(cup)
    here, there = cups
    (other,) = await there.games(", round 1, board ", 1)
    (thread,) = await here.games(", round 1, board ", 1)
    white, black = await here.seats(thread)
    await white.say(thread, "a1")
    await thread.wait_for(is_board(1))
    clock.advance(hours=23, minutes=50)
    club.guild.remove_bot()
    await club.bot.wrote("bot removed from guild")
    clock.advance(minutes=30)
    await other.wait_for(lambda one: "didn't come" in one.content)
    club.guild.invite_bot()
    await black.say(thread, "b1")
    await thread.wait_for(is_board(2))
    assert not any("results of round 1" in message.content for message in here.public_messages())


@pytest.mark.later("a whole tournament; what each decision does is tried on the database")
async def test_organizers_decide_and_everyone_can_follow(club: Club) -> None:
    ann, bob, cid, channel = club.ann, club.bob, club.cid, club.channel
    terms = {"name": "<@1> **Cup**", "format": "robin", "clock": "1 day per move"}
    assert texts(await ann.slash(channel, "tournament show")) == (
        "There's no tournament here. /tournament create makes one."
    )
    refused = "You can't make tournaments here yet. "
    assert texts(await create(ann, channel, **terms)).startswith(refused)
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    allowed = await moderator.slash(channel, "setup tournaments", role=club.guild.everyone)
    assert "- **/setup tournaments**: " in texts(allowed)
    wrong = await create(ann, channel, **{**terms, "round_time": "1 minute"})
    assert texts(wrong) == "A round can take 10 minutes to 60 days."
    await create(ann, channel, begins="in 2 days", **terms)
    announcement = await channel.wait_for(lambda one: one.content.startswith("**"))
    assert people(announcement) == [ann.id]  # mentions in a name ping nobody
    for item in (ann, bob, cid):
        await item.click(announcement, "Join")
    await organize(ann, channel, "begin")
    told = await channel.wait_for(lambda one: ", round 1, board " in one.content)
    thread = await opened_thread(told)
    await thread.wait_for(is_board(None))
    board = told.content.split(", board ")[1][0]
    form: Form = {"round": "1", "board": board, "result": ["draw"], "note": "A slip."}
    own = texts(await organize(ann, channel, "correct", form))
    assert own.startswith("That's your own rated game.")
    owner = club.guild.owner
    question = message_of(await organize(owner, channel, "correct", form))
    assert question.content.splitlines()[1].endswith("Their game stops, and isn't rated.")
    await owner.click(question, "Keep it")
    assert not any(is_over(message) for message in thread.messages)
    question = message_of(await organize(owner, channel, "correct", form))
    answer = await owner.click(question, "Yes, correct it")
    assert texts(answer).startswith(f"{owner.mention} corrected round 1, board {board}\n")
    await thread.wait_for(is_over)
    word = await channel.wait_for(lambda one: "has corrected round 1" in one.content)
    assert word.content.endswith("\n> A slip.")
    assert word.pinged == frozenset()
    await looked_at_and_called_off(club)


async def looked_at_and_called_off(club: Club) -> None:
    """Cid looks at it and is removed. Ann calls it off."""
    ann, bob, cid, channel = club.ann, club.bob, club.cid, club.channel
    page = message_of(await cid.slash(channel, "tournament show"))
    assert page.ephemeral
    (picture,) = page.attachments
    assert picture.filename == "standings-1.png"
    assert "Cid" in (picture.description or "")
    await cid.click(page, "Games")
    await cid.click(page, "◀")
    assert "**½–½** (corrected)" in page.content
    await organize(ann, channel, "remove", chosen(cid))
    asked = message_of(await organize(ann, channel, "off"))
    assert asked.content.endswith("? Games that are running go on.")
    await ann.click(asked, "Keep it")
    asked = message_of(await organize(ann, channel, "off"))
    await ann.click(asked, "Yes, call it off")
    await channel.wait_for(lambda one: "is canceled" in one.content)
    over = message_of(await bob.slash(channel, "tournament show"))
    assert "Leave" not in [button.label for button in over.buttons]


def is_over(message: Message) -> bool:
    """Return True if a message says that an organizer has ended its game."""
    return "The result is set, so this game stops here." in message.content
