"""What is held back while it would help in a running game, and comes by itself once it may."""

import re
from importlib.util import find_spec

import pytest

from demo.commands import use
from dvonn import Move, Position, parse_move
from sandbox import Channel, Message, Person
from tests.e2e.conftest import FAULTS, Club, Table, is_board, shown, texts
from tests.e2e.database import looked_at
from tests.e2e.features.reviews.reviewing import review
from tests.games import random_game

ENGINE_S = 120
"""The engine may have to be compiled first."""
GAME = random_game(5)
FREE = 8
"""So many placements are free."""
has_engine = pytest.mark.skipif(
    find_spec("numba") is None, reason="the engine's packages are not installed"
)


def labels(message: Message) -> list[str | None]:
    return [button.label for button in message.buttons]


async def test_a_review_is_held_back_until_the_game_that_it_helps_in_has_moved_on(
    empty_club: Club,
) -> None:
    """Two others copy a running game in its server, play a blunder, and one resigns."""
    club, clock = empty_club, empty_club.bot.take_clock()
    await club.bot.start()
    running = await club.start_game()
    await running.reach(GAME[:56])
    dan = club.guild.add_person("Dan")
    beside = club.guild.create_channel("beside")
    copy = await club.start_game(beside, challenger=club.cid, opponent=dan)
    await copy.reach(GAME[:57])
    asked = shown(await club.cid.slash(beside, "resign"))
    await club.cid.click(asked, "Yes, resign")
    last = await copy.board(58)
    await review(club, game=2, losses={53: 0.3})
    assert not await looked_at(club.bot, "review")
    page = shown(await club.ann.click(last, "More"))
    said = texts(await club.ann.click(page, "Review"))
    assert said == (
        "This looks like the game you're playing, so I'll keep quiet. Ask me again when it's over."
    )
    for person in (club.cid, dan):  # they watch Ann's game, and are not told whose it is
        said = texts(await person.menu(last, "Review"))
        assert said == (
            "Two people are playing a board like this one, so I'll keep quiet. Ask me again in a "
            "few moves."
        )
    below = shown(await club.cid.click(last, "More"))
    again = shown(await club.cid.click(below, "Try again"))
    assert "Played here: 56. " in again.content  # before the last move, not the worst one
    view = shown(await club.ann.click(last, "Replay"))
    file = shown(await club.ann.click(view, "Web page"))
    assert file.content.startswith("This looks like the game you're playing")
    assert "It turned on" not in last.content
    await running.play(GAME[56:63])
    clock.advance(minutes=2)  # what is held back is looked at again each minute
    await beside.wait_for(lambda one: one is last and "It turned on" in one.content)
    assert "Review" in labels(last)
    assert "Accuracy" in texts(await club.ann.click(last, "Review"))
    assert await club.bot.stop() == 0
    assert FAULTS.findall(club.bot.log) == []


async def play_with_machine(ann: Person, channel: Channel, game: int) -> list[Move]:
    """What Ann and the machine have placed in a new game, as far as anybody may ask of it."""
    await use(ann, channel, "play", level=1, colour="white", start="placement")
    position, moves = Position.initial(), list[Move]()
    await channel.wait_for(is_board(0, game), timeout=ENGINE_S)
    while len(moves) < FREE:
        own = position.legal_moves()[0]
        await ann.say(channel, str(own))
        board = await channel.wait_for(is_board(len(moves) + 2, game), timeout=ENGINE_S)
        found = re.match(r"I placed ([a-k]\d)\.", board.content)
        assert found is not None, board.content
        for move in (own, parse_move(found[1])):
            moves.append(move)
            position = position.play(move)
    return moves


async def relay(club: Club, beside: Channel) -> Table:
    """Ann plays with Bob what she plays with the machine, which is asked for the next placement."""
    moves = await play_with_machine(club.ann, beside, 1)
    people = await club.start_game()
    await people.reach(moves)
    own = people.position.legal_moves()[0]
    await people.play([own])
    await club.ann.say(beside, str(own))
    held = await beside.wait_for(is_board(FREE + 1, 1), timeout=ENGINE_S)
    assert "I'm waiting." in held.content[:80]
    assert "Two people are playing a board like this one" in held.content
    return people


async def move_on(people: Table) -> None:
    """Place pieces where none are in the game with the machine."""
    for _ in range(4):
        await people.play([people.position.legal_moves()[-1]])


@has_engine
async def test_the_machine_waits_while_its_move_would_help_and_goes_on_by_itself(
    machine_club: Club,
) -> None:
    club, beside = machine_club, machine_club.guild.create_channel("beside")
    people = await relay(club, beside)
    await club.bot.restart()
    other = club.guild.create_channel("other")
    await play_with_machine(club.cid, other, 3)  # meanwhile it plays with others
    assert not any(is_board(FREE + 2, 1)(one) for one in club.posted.values())
    await move_on(people)
    await beside.wait_for(is_board(FREE + 2, 1), timeout=ENGINE_S)
