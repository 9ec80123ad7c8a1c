"""Tests for events that contain only what Discord guarantees."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sandbox import Channel
from sandbox.events import Event
from sandbox.interactions import InteractionKind
from tests.e2e.conftest import Club, press, texts
from tests.games import random_game

NEW_KIND = 99
"""A channel type that doesn't exist yet."""


@contextmanager
def changed(club: Club, name: str, change: Any) -> Iterator[None]:
    """Change Discord's events before they are sent."""

    def listen(event: Event) -> None:
        if event.name == name:
            change(event.data)

    club.world.state.listeners.insert(0, listen)
    yield
    club.world.state.listeners.remove(listen)


def without_channel(data: dict[str, Any]) -> None:
    del data["channel"]
    if (
        data["type"] == InteractionKind.MODAL_SUBMIT and "message" in data
    ):  # its message may have no buttons any more
        del data["message"]["components"]


def of_a_new_kind(data: dict[str, Any]) -> None:
    data["channel"] = {"id": data["channel_id"], "type": NEW_KIND}


def places(club: Club) -> list[Channel]:
    """A channel that the bot knows, and unknown ones: a group, and another server."""
    dan, eve = club.ann, club.bob
    dan.install()
    loud = club.world.create_guild("Loud", permissions=None)
    loud.join(dan)
    loud.join(eve)
    group = club.world.create_private_channel(dan, eve)
    return [club.channel, group, loud.create_channel("talk")]


@pytest.mark.parametrize("change", [without_channel, of_a_new_kind])
async def test_a_game_continues_in_a_place_known_only_by_its_id(club: Club, change: Any) -> None:
    with changed(club, "INTERACTION_CREATE", change):
        assert "d2" in texts(await club.ann.slash(club.ann.dm, "help"))
        for place in places(club):
            table = await club.start_game(place)
            first, second = map(str, random_game(1)[:2])
            await club.ann.slash(place, "move", move=first)
            form = (await press(club.bob, await table.board(1), "Type a move")).modal
            await club.bob.submit(form, {"move": second})
            await table.board(2)
    assert "gateway event unreadable" not in club.bot.log


async def test_a_changed_message_without_an_author_is_passed_over(club: Club) -> None:
    table = await club.start_game()
    with changed(club, "MESSAGE_UPDATE", lambda data: data.pop("author")):
        said = await club.ann.say(club.channel, "z9")
        await club.ann.edit(said, "c3")
    await table.play(random_game(1)[:2])
    assert "gateway event unreadable" not in club.bot.log
