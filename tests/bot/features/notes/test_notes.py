"""Tests for notes with the whole bot: private, shared by both players, and part of the record."""

from collections.abc import AsyncIterator

import pytest

from bot.play.store.store import Store
from sandbox import Person
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import is_board, message_of, texts

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


async def notes(bot: WholeBot, person: Person) -> list[str]:
    return texts(await person.slash(bot.channel, "note")).splitlines()


async def test_notes_are_for_oneself_until_both_share_them(bot: WholeBot) -> None:
    assert texts(await bot.ann.slash(bot.channel, "note")).startswith("There's no game")
    await bot.begin()
    await bot.say(bot.ann, "e3")
    said = texts(await bot.ann.slash(bot.channel, "note", text="the  center first"))
    assert said == "Noted at move 1. Only you can see it, with /note."
    await bot.say(bot.bob, "c3")
    await bot.bob.slash(bot.channel, "note", text="*why* not e3")
    stranger = texts(await bot.cid.slash(bot.channel, "note", text="hm"))
    assert stranger.startswith("Only the two players can do that.")
    assert await notes(bot, bot.ann) == ["**Notes on game #1**", "**1.** the center first"]
    asked = await bot.ann.slash(bot.channel, "resign")
    await bot.ann.click(message_of(asked), message_of(asked).buttons[0].label)
    await bot.is_done()
    page = message_of(await bot.ann.slash(bot.channel, "note"))
    await bot.ann.click(page, "Share notes")
    assert page.content.endswith(f"{bot.bob.mention} sees them by sharing, too.")
    assert "center" not in await record(bot, bot.bob)
    page = message_of(await bot.bob.slash(bot.channel, "note"))
    assert f"{bot.ann.mention} shares notes with you." in page.content
    await bot.bob.click(page, "Share notes")
    assert page.content.splitlines() == [
        "**Notes on game #1**",
        f"**1.** {bot.ann.mention}: the center first",
        f"**2.** {bot.bob.mention}: \\*why\\* not e3",
        "You both share your notes, so they are in the record.",
    ]
    assert "{Ann: the center first}" in await record(bot, bot.cid)


async def record(bot: WholeBot, person: Person) -> str:
    """Return a finished game's record, as a person downloads it."""
    board = next(message for message in reversed(bot.channel.messages) if is_board(None)(message))
    page = message_of(await person.click(board, "More"))
    page = message_of(await person.click(page, "Record"))
    (file,) = page.attachments
    return file.data.decode()
