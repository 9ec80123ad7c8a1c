"""Tests for people's first messages to the bot. tests/bot/features/talk tests each answer."""

from collections.abc import Callable

from sandbox import Message
from tests.e2e.conftest import Club


def is_reply(said: Message) -> Callable[[Message], bool]:
    return lambda one: (
        bool(one.reactions)
        if one is said
        else one.reference is not None and one.reference.message_id == said.id
    )


async def answer_to(said: Message) -> str:
    """Return the answer to a message, or the reaction to it."""
    answer = await said.channel.wait_for(is_reply(said), after=said.id - 1)
    return next(iter(said.reactions)) if answer is said else answer.content


async def test_behind_a_greeting_and_its_name_the_bot_is_spoken_to(club: Club) -> None:
    bot = club.world.bot_user.mention
    for words, begins in (
        (f"hey {bot}, how do I win?", "Stay linked to red"),
        (f"Hallo {bot} Regeln", "The rules in six pictures"),
        (f"hi {bot}", "🙂"),
    ):
        said = await club.ann.say(club.channel, words)
        assert (await answer_to(said)).startswith(begins)
