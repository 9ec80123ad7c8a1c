"""Tests for moderators' commands, by the whole bot: what they type, and what people see."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.base.ids import ChannelId, GuildId, UserId
from bot.people.store.privacy import PrivacyTable
from bot.play.store.store import Store
from sandbox import Permission, Person
from tests.bot.whole import WholeBot, whole_bot
from tests.e2e.conftest import message_of, texts


@pytest.fixture
async def bot(store: Store, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WholeBot]:
    async with whole_bot(store, monkeypatch) as bot:
        yield bot


pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def mo(bot: WholeBot) -> Person:
    return bot.guild.add_person("Mo", permissions=Permission.MANAGE_CHANNELS)


async def setup(bot: WholeBot, by: Person, what: str, /, **options: object) -> str:
    answer = await by.slash(bot.channel, f"setup {what}", **options)
    await bot.is_done()
    assert answer.message is not None
    return answer.message.content


async def block(bot: WholeBot, mo: Person, who: Person, days: int = 7) -> str:
    return await setup(bot, mo, "block", person=who, days=days, reason="Too many *challenges*")


async def test_a_blocked_person_is_informed_and_starts_no_game_until_the_end(
    bot: WholeBot, mo: Person
) -> None:
    said = await block(bot, mo, bot.ann)
    until = int((bot.now + timedelta(days=7)).timestamp())
    assert said.startswith(f"<@{bot.ann.id}> can't start or join games here until <t:")
    await bot.nothing_unsent()
    (letter,) = bot.ann.dm.messages
    assert letter.content.startswith("A moderator of **Friends** has blocked you there until <t:")
    assert abs(int(letter.content.split("<t:")[1].split(":")[0]) - until) <= 1
    assert letter.content.endswith("\n> Too many \\*challenges\\*")
    refused = texts(await bot.ann.slash(bot.channel, "challenge", opponent=bot.bob))
    assert refused.startswith("A moderator has blocked you here until <t:")
    assert refused.endswith("You can finish the games you're in.\n> Too many \\*challenges\\*")
    refused = texts(await bot.bob.slash(bot.channel, "challenge", opponent=bot.ann))
    assert refused.startswith(f"<@{bot.ann.id}> can't start games in this server until <t:")
    assert "challenges" not in refused
    invited = message_of(await bot.cid.slash(bot.channel, "challenge"))
    assert texts(await bot.ann.click(invited, "Accept")).startswith("A moderator has blocked you")
    bot.advance(days=7, seconds=1)
    message_of(await bot.ann.slash(bot.channel, "challenge", opponent=bot.bob))


async def test_a_person_without_direct_messages_is_not_exposed_in_the_channel(
    bot: WholeBot, mo: Person
) -> None:
    bot.ann.user.accepts_dms = False
    await block(bot, mo, bot.ann)
    await bot.nothing_unsent()
    assert (bot.ann.dm.messages, bot.channel.messages) == ([], [])


async def test_a_moderator_lifts_a_block(bot: WholeBot, mo: Person) -> None:
    assert await setup(bot, mo, "unblock", person=bot.bob) == (
        f"<@{bot.bob.id}> isn't blocked here. /setup show lists who is."
    )
    await block(bot, mo, bot.bob, days=365)
    assert f"Blocked here: <@{bot.bob.id}> (<t:" in await setup(bot, mo, "show")
    said = await setup(bot, mo, "unblock", person=bot.bob)
    assert said == f"<@{bot.bob.id}> can play here again."
    assert "Blocked here" not in await setup(bot, mo, "show")
    message_of(await bot.bob.slash(bot.channel, "challenge"))


async def test_people_who_cannot_be_blocked_are_not(bot: WholeBot, mo: Person) -> None:
    assert await block(bot, mo, mo) == "You can't block yourself."
    assert not await bot.store.server_blocks.all(GuildId(bot.guild.id), now=bot.now)


async def test_a_block_outlasts_the_deletion_of_data_until_its_end(
    bot: WholeBot, mo: Person
) -> None:
    await block(bot, mo, bot.ann)
    table, ann = bot.store.queries(PrivacyTable), UserId(bot.ann.id)
    assert (await table.export(ann))["server_blocks"][0]["reason"] == "Too many *challenges*"
    assert await table.erase(ann, at=bot.now)
    assert len(await bot.store.server_blocks.all(GuildId(bot.guild.id), now=bot.now)) == 1
    bot.advance(days=8)
    await bot.store.server_blocks.delete_expired(now=bot.now)
    assert (await table.export(ann))["server_blocks"] == []


async def test_the_list_of_running_games(bot: WholeBot, mo: Person) -> None:
    nothing = "Nobody is playing in this server right now."
    assert await setup(bot, mo, "games") == nothing
    places = [bot.guild.create_channel(f"room-{number}") for number in range(11)]
    await setup(bot, mo, "limit", games=25)
    for place in places:
        await bot.begin(place)
        bot.advance(minutes=10)
    answer = await mo.slash(bot.channel, "setup games")
    page = message_of(answer)
    lines = page.content.splitlines()
    assert lines[0] == "**Running games** 1–10 of 11"
    ann, bob = f"<@{bot.ann.id}>", f"<@{bot.bob.id}>"
    assert lines[1].startswith(
        f"#11 · <#{places[10].id}> · {ann} – {bob} · {ann} to move since <t:"
    )
    last = message_of(await mo.click(page, "▶"))
    assert last.content.splitlines()[0] == "**Running games** 11–11 of 11"
    assert [button.label for button in last.buttons] == ["◀"]


async def test_actions_are_logged_once_a_channel_is_chosen(bot: WholeBot, mo: Person) -> None:
    hall = bot.guild.create_channel("log")
    await setup(bot, mo, "limit", games=3)
    assert await setup(bot, mo, "log", channel=hall) == f"I log what moderators do in <#{hall.id}>."
    await setup(bot, mo, "limit", games=4)
    await setup(bot, mo, "show")
    await block(bot, mo, bot.bob)
    await setup(bot, mo, "unblock", person=bot.bob)
    await setup(bot, mo, "unblock", person=bot.bob)  # refused
    await setup(bot, mo, "pause", days=2)
    await setup(bot, mo, "puzzle", post="off")
    await setup(bot, mo, "tournaments", role=bot.guild.everyone)
    await bot.begin()
    await setup(bot, mo, "abort")
    await setup(bot, mo, "log")
    await setup(bot, mo, "limit", games=5)
    await bot.nothing_unsent()
    who = f"<@{mo.id}>: **/setup"
    assert [message.content for message in hall.messages] == [
        f"`1` {who} log** channel: <#{hall.id}>",
        f"`2` {who} limit** games: 4",
        f"`3` {who} block** <@{bot.bob.id}>, days: 7, reason: Too many \\*challenges\\*",
        f"`4` {who} unblock** <@{bot.bob.id}>",
        f"`5` {who} pause** days: 2",
        f"`6` {who} puzzle** post: off",
        f"`7` {who} tournaments** role: <@&{bot.guild.everyone.id}>",
        f"`8` {who} abort**",
        f"`9` {who} log**",
    ]
    assert not any(message.mentions for message in hall.messages)
    await bot.is_done()
    table = bot.store.queries(PrivacyTable)
    assert (await table.export(UserId(mo.id)))["acts"] == [], "a sent entry is not kept"


async def test_a_log_needs_a_channel_that_the_bot_can_write_in(bot: WholeBot, mo: Person) -> None:
    hall = bot.guild.create_channel("log")
    bot.guild.set_permissions(hall, bot.guild.bot_role, deny=Permission.SEND_MESSAGES)
    await bot.until(lambda: bool(bot.services.publisher.channels.missing(ChannelId(hall.id))))
    assert "Send Messages" in await setup(bot, mo, "log", channel=hall)
    await setup(bot, mo, "limit", games=3)
    await bot.nothing_unsent()
    assert hall.messages == []


async def test_entries_for_a_deleted_log_are_dropped(bot: WholeBot, mo: Person) -> None:
    hall = bot.guild.create_channel("log")
    await setup(bot, mo, "log", channel=hall)
    await bot.nothing_unsent()
    bot.guild.delete_channel(hall)
    await setup(bot, mo, "limit", games=3)
    await bot.nothing_unsent()
    other = bot.guild.create_channel("other")
    await setup(bot, mo, "log", channel=other)
    await bot.nothing_unsent()
    assert (len(hall.messages), len(other.messages)) == (1, 1)


async def test_show_lists_all_settings(bot: WholeBot, mo: Person) -> None:
    untouched = await setup(bot, mo, "show")
    assert (
        "- **/setup defaults**: Usual game: even board, no clock, rated." in untouched.splitlines()
    )
    assert "- **/setup log**: What moderators do here isn't logged." in untouched.splitlines()
    assert (
        "- **/setup style**: Language, theme and coordinates: as in Discord's settings of this "
        "server; Wood; standard, a1 to k5."
    ) in untouched.splitlines()
    await setup(bot, mo, "pause", days=2)
    assert "All clocks here are paused until <t:" in await setup(bot, mo, "show")
