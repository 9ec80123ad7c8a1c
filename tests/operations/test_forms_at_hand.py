"""Tests that a form opens from cached data while the database hangs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.base.languages import IN_ENGLISH
from bot.connection.words import too_slow
from dvonn import POINTS, format_move
from sandbox import Answer, OpenModal
from tests.e2e.conftest import Club, message_of
from tests.e2e.test_refused_forms import values
from tests.games import random_game
from tests.operations.test_storage import Gate, gate_to
from tests.operations.watched import until
from tests.postgresql import without_tables


@asynccontextmanager
async def behind_gate(club: Club, url: str) -> AsyncIterator[Gate]:
    """Start the bot on a PostgreSQL whose answers can be blocked."""
    await without_tables(url)
    async with gate_to(url) as (gate, address):
        club.bot.settings["DATABASE_URL"] = address
        await club.bot.start()
        try:
            yield gate
        finally:
            gate.flowing.set()


def opened(answer: Answer) -> OpenModal:
    """Return the opened form."""
    assert answer.modal is not None
    return answer.modal


async def test_forms_open_as_their_pages_show_them(quiet_club: Club, postgres_url: str) -> None:
    ann, bob, cid, channel = quiet_club.ann, quiet_club.bob, quiet_club.cid, quiet_club.channel
    async with behind_gate(quiet_club, postgres_url) as gate:
        settings = message_of(await ann.slash(channel, "settings"))
        form = opened(await ann.click(settings, "Quiet hours"))
        times = {"begins": "22:00", "ends": "08:00", "zone": "Europe/Rome", "digest": ""}
        await ann.submit(form, times)
        form = opened(await ann.click(settings, "Blocks"))
        await ann.submit(form, {"blocked": [str(cid.id)]})
        lesson = message_of(await ann.slash(channel, "learn"))
        table = await quiet_club.start_game()
        board = await table.reach(random_game(2)[: len(POINTS)])
        position = table.position
        first = position.legal_moves()[0]
        reply = position.play(first).legal_moves()[0]
        line = f"{format_move(first)}: {format_move(reply)}"
        plan = message_of(await bob.slash(channel, "plan"))
        form = opened(await bob.click(plan, "Type moves"))
        await bob.submit(form, {"lines": line})
        await bob.click(plan, "Plan ahead")
        second = message_of(await bob.slash(channel, "plan"))
        own = message_of(await bob.click(second, "Choose on a board"))
        guess = message_of(await cid.click(board, "Guess the move"))
        gate.flowing.clear()
        answer = await ann.click(settings, "Quiet hours")
        assert values(answer) == times
        assert values(await ann.click(settings, "Blocks")) == {"blocked": [str(cid.id)]}
        assert values(await bob.click(plan, "Type moves")) == {"lines": line}
        assert opened(await bob.click(own, "Type moves")).title == "Type moves"
        assert opened(await cid.click(guess, "Type a move")).title == "Guess the move"
        assert opened(await ann.click(lesson, "Type a move")).title == "Your answer"
        more = opened(await ann.slash(channel, "challenge", more=True))
        assert more.title == "More options"
        cup = opened(await ann.slash(channel, "tournament create", format="swiss"))
        assert cup.title == "Swiss"
        refused = message_of(await ann.submit(opened(answer), times | {"begins": "late"}))
        assert values(await ann.click(refused, "Try again")) == times | {"begins": "late"}


async def test_an_uncached_form_opens_with_a_button_when_it_is_ready(
    quiet_club: Club, postgres_url: str
) -> None:
    async with behind_gate(quiet_club, postgres_url) as gate:
        ann = quiet_club.ann
        settings = message_of(await ann.slash(quiet_club.channel, "settings"))
        await quiet_club.bot.restart()
        gate.flowing.clear()
        ann.patience = None
        pressed = await ann.click(settings, "Quiet hours")
        assert pressed.deferred
        gate.flowing.set()
        private, said = quiet_club.world.state.ephemeral, too_slow(IN_ENGLISH, "").content

        async def is_ready() -> bool:
            return any(message.content == said for message in private.values())

        await until(is_ready)
        gate.flowing.clear()
        ready = next(message for message in private.values() if message.content == said)
        assert opened(await ann.click(ready, "Open the form")).title == "Quiet hours and digest"
