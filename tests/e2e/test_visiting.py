"""Tests for games in places where the bot is not a member: it can only respond."""

import asyncio
import re
from importlib.util import find_spec

import pytest

from demo.commands import use
from dvonn import Color, format_move
from sandbox import Answer, Channel, Message, Person
from sandbox.permissions import EVERYONE, Permission
from tests.e2e.bot_process import BotClock
from tests.e2e.conftest import FAULTS, Club, is_board, is_gone, message_of, press, texts
from tests.e2e.database import let_time_pass, nothing_unsent, seed_of
from tests.games import drawn

EDIT = "PATCH /webhooks/{id}/{token}/messages/{id}"


def group_of(club: Club) -> tuple[Channel, Person, Person]:
    """A group of three that shares no server with the bot. Dan has installed it, Eve has not."""
    dan, eve, fay = map(club.world.create_person, ("Dan", "Eve", "Fay"))
    dan.install()
    return club.world.create_private_channel(dan, eve, fay), dan, eve


def asked_in_vain(club: Club, place: Channel) -> list[str]:
    """Return the bot's requests about a place where it is not a member."""
    asked = [f"{exchange.method} {exchange.path}" for exchange in club.world.exchanges]
    return [item for item in asked if f"/channels/{place.id}" in item]


async def challenge(place: Channel, dan: Person, eve: Person, **terms: object) -> Message:
    """Challenge Eve as Dan, who plays White. Return the challenge."""
    return message_of(await use(dan, place, "challenge", opponent=eve, colour="white", **terms))


async def resign(person: Person, asked: Answer, yes: str) -> None:
    """Confirm the resignation."""
    assert asked.message is not None
    await person.click(asked.message, yes)


async def press_move(person: Person, board: Message, move: str) -> None:
    """Move with the buttons: the stack, and its target."""
    picker = message_of(await person.click(board, "Move"))
    assert picker.viewer is person.user
    landings = message_of(await person.click(picker, move.partition("-")[0]))
    ids = [button.custom_id or "" for button in landings.buttons]
    await person.click(landings, custom_id=next(text for text in ids if text.endswith(f":{move}")))


async def a_server_is_such_a_place(club: Club) -> None:
    """A server where only some members have installed the bot for themselves."""
    dan, eve = map(club.world.create_person, ("Dan", "Eve"))
    dan.install()
    loud = club.world.create_guild("Loud", permissions=None)
    loud.join(dan)
    loud.join(eve)
    # A user's app may post only what the user may post.
    for lacking in (Permission.USE_EXTERNAL_APPS, Permission.SEND_MESSAGES):
        quiet = club.world.create_guild("Quiet", permissions=None, everyone=EVERYONE & ~lacking)
        quiet.join(dan)
        quiet.join(eve)
        hidden = await dan.slash(quiet.create_channel("talk"), "challenge", opponent=eve)
        assert texts(hidden).startswith("In this server only you would see the game")
    place = loud.create_channel("talk")
    await eve.click(await challenge(place, dan, eve), "Accept")
    await place.wait_for(is_board(0))
    help_page = texts(await dan.slash(place, "help"))
    assert "can't see what you type" in help_page
    await resign(dan, await dan.slash(place, "resign"), "End without a result")
    over = await place.wait_for(is_board(1))
    assert not over.ephemeral
    assert asked_in_vain(club, place) == []


@pytest.mark.later("a whole game; each way to move is told in the test of what comes by itself")
async def test_a_whole_game_in_a_group_with_a_new_life_and_a_pause_in_the_middle(
    clock: BotClock, club: Club
) -> None:
    place, dan, eve = group_of(club)
    asked = await challenge(place, dan, eve)
    assert "can't see what you type" in asked.content
    await eve.click(asked, "Accept")
    await is_gone(asked)
    board = await place.wait_for(is_board(0))
    assert "can't see what you type" in board.content
    position, ply = drawn(seed_of(club.bot, 1)), 0
    while position.turn is not None:
        # The challenge that expires soon.
        move = min(position.legal_moves(), key=lambda one: len(position.play(one).legal_moves()))
        text, mover = format_move(move), dan if position.turn is Color.WHITE else eve
        if ply == 3:
            await club.bot.restart()
        if ply == 6:
            clock.advance(minutes=16)  # by now no earlier interaction can be answered
        if ply == 1:
            form = (await press(eve, board, "Type a move")).modal
            await eve.submit(form, {"move": text})
        elif mover is eve or ply == 0:
            await press_move(mover, board, text)
        else:
            assert texts(await dan.slash(place, "move", move=text)) == "Done."
        position, ply = position.play(move), ply + 1
        board = await place.wait_for(is_board(ply))
        assert dan.id in board.pinged
    high, low = sorted(map(position.score, Color), reverse=True)
    assert f" {high}–{low}. " in board.content
    again = await eve.click(board, "Rematch")
    assert again.message in place.messages
    assert asked_in_vain(club, place) == []
    await a_server_is_such_a_place(club)


async def says_it_in_the_language_of_whoever_begins(
    place: Channel, dan: Person, eve: Person
) -> None:
    """A setting that groups don't have."""
    dan.user.locale, english = "de", dan.user.locale
    asked = await challenge(place, dan, eve)
    assert f"{dan.mention} fordert dich" in asked.content
    await eve.click(asked, "Annehmen")
    board = await place.wait_for(is_board(0, 1))
    assert f"{dan.mention}, du bist am Zug." in board.content
    dan.user.locale = english
    await resign(dan, await dan.slash(place, "resign"), "End without a result")
    over = await place.wait_for(is_board(1, 1))
    assert f"{dan.mention} ended this game." in over.content


@pytest.mark.later("what is tidied up is tried where the bot is a member")
async def test_a_visiting_bot_that_becomes_a_member_cleans_up(clock: BotClock, club: Club) -> None:
    dan, eve = map(club.world.create_person, ("Dan", "Eve"))
    dan.install()
    hall = club.world.create_guild("Hall", permissions=None)
    hall.join(dan)
    hall.join(eve)
    place = hall.create_channel("talk")
    await eve.click(await challenge(place, dan, eve), "Accept")
    await place.wait_for(is_board(0))
    await resign(dan, await dan.slash(place, "resign"), "End without a result")
    await place.wait_for(is_board(1))
    hall.invite_bot()
    await eve.click(await challenge(place, dan, eve, start="placement"), "Accept")
    first = await place.wait_for(lambda one: any("-2-0" in f.filename for f in one.attachments))
    await dan.say(place, "a1")
    await place.wait_for(lambda one: any("-2-1" in f.filename for f in one.attachments))
    while first in place.messages:  # noqa: ASYNC110 - a list tells of no event
        await asyncio.sleep(0.02)


async def test_unprompted_news_is_shown_at_the_next_press_or_sent_directly(
    clock: BotClock, club: Club
) -> None:
    place, dan, eve = group_of(club)
    await says_it_in_the_language_of_whoever_begins(place, dan, eve)
    asked = await challenge(place, dan, eve, clock="3 days + 1 day", start="placement")
    for words in ("only say so when", "Reminders come by direct message"):
        assert words in asked.content
    await eve.click(asked, "Accept")
    await place.wait_for(is_board(0, 2))
    # An offer is a separate message, and so is its answer.
    await dan.slash(place, "draw")
    offer = await place.wait_for(lambda m: "offers a draw" in m.content)
    await eve.click(offer, "Decline")
    await place.wait_for(lambda m: f"{eve.mention} declined" in m.content)
    await dan.slash(place, "move", move="a1")
    first = await place.wait_for(lambda m: "placed a1" in m.content)
    await dan.slash(place, "undo")
    back = await place.wait_for(lambda m: "took back a1" in m.content, after=first)
    await dan.slash(place, "move", move="c3")
    board = await place.wait_for(lambda m: "placed c3" in m.content, after=back)
    # Eve shares no server with the bot and gets no reminder. Dan has installed it.
    await let_time_pass(club.bot, clock, days=2, minutes=1)
    await club.bot.wrote("delivery waiting for an interaction")
    assert eve.dm.messages == []
    # All interactions are too old by now, so the board can only follow this answer.
    form = (await press(eve, board, "Type a move")).modal
    await eve.submit(form, {"move": "d2"})
    mine = await place.wait_for(lambda m: "placed d2" in m.content)
    await let_time_pass(club.bot, clock, days=2, minutes=1)
    reminder = await dan.dm.wait_for(lambda m: "Your time runs out" in m.content)
    assert str(place.id) in reminder.content
    before = len(place.messages)
    await let_time_pass(club.bot, clock, days=1, minutes=5)
    await club.bot.wrote("kind=board")
    assert len(place.messages) == before
    await eve.click(mine, "Place")
    late = await place.wait_for(lambda m: "ran out of time, but can still move" in m.content)
    asked = message_of(await eve.click(late, "End without a result"))
    await eve.click(asked, "Yes, end it")
    over = await place.wait_for(
        lambda m: "ended this game" in m.content and "ran out of time" in m.content
    )
    assert over.content.startswith(
        f"{dan.mention} ran out of time. {eve.mention} ended this game. No result."
    )
    assert asked_in_vain(club, place) == []


@pytest.mark.later("the engine's answers and reviews, once more by the same messages")
@pytest.mark.skipif(find_spec("numba") is None, reason="the engine's packages are not installed")
async def test_the_machine_puzzles_lessons_and_a_review_in_a_group(empty_club: Club) -> None:
    club = empty_club
    club.bot.settings["MACHINE"] = "auto"
    clock = club.bot.take_clock()
    await club.bot.start()
    place, dan, eve = group_of(club)
    for command in ("puzzle", "learn"):
        view = await dan.slash(place, command)
        assert view.ephemeral
    await use(dan, place, "play", level=1, colour="white", start="balanced")
    board = await place.wait_for(is_board(0))
    position = drawn(seed_of(club.bot, 1))
    await press_move(dan, board, format_move(position.legal_moves()[0]))
    board = await place.wait_for(lambda m: is_board(2)(m) or is_board(3)(m))
    assert re.search(r"Pip (moved|took) ", board.content)
    await resign(dan, await press(dan, board, "Resign"), "Yes, resign")
    over = await place.wait_for(lambda m: "resigned" in m.content)
    await place.wait_for(lambda m: m is over and any(b.label == "Review" for b in m.buttons))
    page = texts(await eve.click(over, "Review"))

    # A review that can't be added to its board, such as a late one, is only under *Apps*.
    await use(dan, place, "play", level=1, colour="white", start="balanced")
    board = await place.wait_for(is_board(0), after=over)
    position = drawn(seed_of(club.bot, 2))
    await press_move(dan, board, format_move(position.legal_moves()[0]))
    board = await place.wait_for(lambda m: is_board(2)(m) or is_board(3)(m), after=board)
    asked = await press(dan, board, "Resign")
    with club.world.faults.answer(EDIT, status=403, times=None):
        await resign(dan, asked, "Yes, resign")
        over = await place.wait_for(lambda m: "resigned" in m.content, after=over)
        await club.bot.wrote("kind=review")
    clock.advance(minutes=16)
    await nothing_unsent(club.bot)
    assert "Review" not in [button.label for button in over.buttons]
    assert texts(await dan.menu(over, "Review")).split("\n")[0] == page.split("\n")[0]
    assert asked_in_vain(club, place) == []
    assert await club.bot.stop() == 0
    assert FAULTS.findall(club.bot.log) == []
