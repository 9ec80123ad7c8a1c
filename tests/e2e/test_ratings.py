"""Rated games, from the challenge to the last board."""

import pytest

from sandbox import Answer, Message
from tests.e2e.conftest import Club

pytestmark = pytest.mark.e2e


def shown(answer: Answer) -> Message:
    """The message that answers something."""
    assert answer.message is not None
    return answer.message


async def test_a_game_says_whether_it_is_rated_from_the_challenge_to_the_end(club: Club) -> None:
    answer = await club.ann.slash(club.channel, "challenge", opponent=club.bob, start="balanced")
    challenge = shown(answer)
    assert "Rated game" in challenge.content.splitlines()
    await club.bob.click(challenge, "Accept")
    await club.channel.wait_for(lambda one: "your turn" in one.content)
    listed = shown(await club.ann.slash(club.channel, "games"))
    page = shown(await club.ann.select(listed, ["1"]))
    assert page.content.splitlines()[1].endswith(" · rated")
    assert "Suggest hints" not in [button.label for button in page.buttons]

    asked = shown(await club.ann.slash(club.channel, "resign"))
    await club.ann.click(asked, asked.buttons[0].label)
    over = await club.channel.wait_for(lambda one: "wins." in one.content)
    assert "Not rated: you each need 5 turns for that." in over.content.splitlines()

    await club.ann.slash(club.channel, "challenge", opponent=club.bob, rated=False)
    unrated = await club.channel.wait_for(lambda one: "challenges you" in one.content)
    assert "Rated" not in unrated.content
