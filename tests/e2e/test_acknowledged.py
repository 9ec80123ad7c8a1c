"""Tests for interactions that another process of the shard acknowledges first.

The sandbox plays the other process, so that it is always first. tests/e2e/test_processes.py has a
real one.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sandbox import Permission, Sandbox
from sandbox.events import Event
from sandbox.interactions import CallbackKind
from sandbox.kinds import MessageFlag
from sandbox.responses import respond
from tests.e2e.conftest import Club, Table, is_board, is_gone, message_of, press
from tests.games import random_game

MOVES = random_game(2)
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


@contextmanager
def the_other_first(world: Sandbox, kind: CallbackKind, **said: str) -> Iterator[None]:
    """Let another process send the first response to interactions during the block."""
    state, body = world.state, {"type": int(kind), "data": {"flags": PRIVATE, **said}}

    def acknowledge(event: Event) -> None:
        if event.name == "INTERACTION_CREATE":
            respond(state, state.interactions[event.data["token"]], body, [])

    state.listeners.append(acknowledge)
    try:
        yield
    finally:
        state.listeners.remove(acknowledge)


PRIVATE = int(MessageFlag.EPHEMERAL)
PATIENCE = CallbackKind.DEFERRED_MESSAGE
"""The other process has deferred its response to a command."""
PRESSED = CallbackKind.DEFERRED_UPDATE
"""The other process has acknowledged a press or a form."""


def refused(club: Club) -> int:
    """Return the number of the bot's responses that came second."""
    return sum(
        exchange.route == CALLBACK and exchange.status == 400 for exchange in club.world.exchanges
    )


async def test_the_handling_process_answers_after_another_process_deferred(club: Club) -> None:
    moderator = club.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)
    await moderator.slash(club.channel, "setup defaults", start="placement")
    with the_other_first(club.world, PATIENCE):
        asked = await club.ann.slash(club.channel, "challenge", opponent=club.bob)
    challenge = asked.message
    assert challenge is not None
    assert not asked.ephemeral  # public, although only the user saw that the bot was thinking
    with the_other_first(club.world, PRESSED):
        await club.bob.click(challenge, "Accept")
    await is_gone(challenge)
    first = await club.channel.wait_for(is_board(0))
    is_white = f"White: {club.ann.mention}" in first.content
    white, black = (club.ann, club.bob) if is_white else (club.bob, club.ann)
    table = Table(club.channel, white, black)
    with the_other_first(club.world, PATIENCE):
        placed = await white.slash(club.channel, "move", move=str(MOVES[0]))
    await is_gone(message_of(placed))
    form = (await press(black, await table.board(1), "Type a move")).modal
    with the_other_first(club.world, PRESSED):
        await black.submit(form, {"move": str(MOVES[1])})
    await table.board(2)
    asked = await club.ann.slash(club.channel, "resign")
    assert asked.message is not None
    with the_other_first(club.world, PRESSED):
        await club.ann.click(asked.message, "Yes, resign")
    await is_gone(asked.message)
    assert await club.bot.stop() == 0
    assert refused(club) >= 5  # more if a slow bot sends a deferral first
    assert "interaction response rejected" not in club.bot.log
    assert sum(len(item.inbox) for item in (club.ann, club.bob)) == 0  # nor "thinking ..."


async def test_another_processes_answers_are_not_repeated(club: Club) -> None:
    table = await club.start_game()
    club.ann.patience = None  # the other process doesn't answer
    with the_other_first(club.world, PATIENCE):
        looked = await club.ann.slash(club.channel, "board")
        wrong = await club.ann.slash(club.channel, "move", move="z9")
    with the_other_first(club.world, CallbackKind.MESSAGE, content="Not now."):
        await club.ann.slash(club.channel, "move", move=str(MOVES[0]))
    await table.board(1)
    assert await club.bot.stop() == 0
    assert refused(club) >= 3
    assert "interaction response rejected" not in club.bot.log
    assert [item.message and item.message.loading for item in (looked, wrong)] == [True, True]
    assert [message.content for message in club.ann.inbox] == ["", "", "Not now."]
