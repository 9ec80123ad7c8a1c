"""Tests for a stored world: what is restored, what a kill loses, and unreadable folders."""

import asyncio
import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from sandbox import (
    Channel,
    ManualClock,
    MessageFlag,
    Permission,
    RateLimits,
    Sandbox,
    StorageError,
    Thread,
    message_payloads,
    payloads,
)
from sandbox.permissions import BOT
from sandbox.storage import FILE, FILES, VERSION
from tests.sandbox.clients import Api, connected, png

ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import asyncio, sys
from pathlib import Path
from sandbox import Sandbox

async def main(folder):
    async with Sandbox(folder=folder) as world:
        guild = world.create_guild("Friends")
        channel, ann = guild.create_channel("dvonn"), guild.add_person("Ann")
        for number in range(1_000_000):
            await ann.say(channel, str(number), files=[("n.txt", str(number).encode())])
            if number % 50 == 49:
                world.save()
                print(number, flush=True)
            await asyncio.sleep(0)

asyncio.run(main(Path(sys.argv[1])))
"""


def sandbox(folder: Path, **options: Any) -> Sandbox:
    return Sandbox(folder=folder, rate_limits=RateLimits.generous(), **options)


def observable_state(world: Sandbox) -> dict[str, Any]:
    """Return all of a world as its payloads, with addresses of files without the port."""
    state, bot = world.state, world.bot_user
    channels: dict[str, Any] = {}
    for place in state.channels.values():
        channels[str(place.id)] = {
            "channel": payloads.channel(place, bot),
            "history": [message_payloads.message(message, bot) for message in place.messages],
            "reactions": [message.reactions for message in place.messages],
            "pinged": [message.pinged for message in place.messages],
            "may": {user.name: place.permissions_of(user) for user in state.users.values()},
        }
    what: dict[str, Any] = {
        "users": [payloads.user(user) for user in state.users.values()],
        "application": payloads.application(world.application, bot, len(state.guilds)),
        "commands": list(world.application.commands.items()),
        "guilds": {
            guild.id: {
                "payload": payloads.guild(guild),
                "members": [payloads.member(member) for member in guild.members.values()],
                "places": list(guild.channels),
            }
            for guild in state.guilds.values()
        },
        "channels": channels,
        "dms": {number: place.id for number, place in state.dms.items()},
        "files": {
            attachment.id: [attachment.url, attachment.data]
            for attachment in state.attachments.values()
        },
    }
    return {key: without_port(value, state.base_url) for key, value in what.items()}


def without_port(what: Any, base_url: str) -> Any:
    if isinstance(what, dict):
        return {key: without_port(value, base_url) for key, value in what.items()}
    if isinstance(what, list):
        return [without_port(value, base_url) for value in what]
    return what.replace(base_url, "http://here") if isinstance(what, str) else what


async def everything(world: Sandbox) -> None:
    """Do everything that a world stores."""
    guild, other = world.create_guild("Friends"), world.create_guild("Elsewhere", permissions=None)
    category = guild.create_channel("Games", "category")
    channel = guild.create_channel("dvonn", parent=category, slowmode_s=5)
    forum = guild.create_channel("posts", "forum")
    doomed = guild.create_channel("doomed")
    ann, bob, cid = (guild.add_person(name) for name in ("Ann", "<b>Bob</b>", "Cid è"))
    other.join(bob, permissions=Permission.MANAGE_MESSAGES)
    role = guild.create_role("Players", Permission.PIN_MESSAGES, mentionable=True)
    guild.give_role(ann, role)
    guild.guild.members[bob.id].nick = "Bobby"
    cid.user.locale, cid.user.accepts_dms = "it", False
    guild.set_role_permissions(guild.bot_role, BOT | Permission.PIN_MESSAGES)
    guild.set_permissions(channel, role, allow=Permission.MANAGE_MESSAGES)
    guild.set_permissions(channel, cid, deny=Permission.SEND_MESSAGES)
    said = await ann.say(channel, f"hello {bob.mention} <@&{role.id}>", files=[("a b.png", png())])
    reply = await bob.reply(said, "**you** too")
    await bob.edit(reply, "me too")
    await bob.react(said, "👍")
    await ann.react(said, "👍")
    await ann.unreact(said, "👍")
    await cid.delete(await cid.say(await cid.start_thread(channel, "Cid's"), "gone"))
    thread = await ann.start_thread(said, "A game")
    await bob.say(thread, "in the thread")
    await ann.archive(thread)
    guild.set_archived(thread, locked=True)
    await ann.post(forum, "A post", "its words")
    guild.webhook_says(channel, "Hook", "from a hook")
    await ann.say(ann.dm, "psst")
    await bob.say(doomed, "never mind")
    world.save()  # a written change can be undone
    guild.delete_channel(doomed)
    guild.kick(cid)
    await what_bots_do(world, channel)


async def what_bots_do(world: Sandbox, channel: Channel) -> None:
    """Pictures, embeds, buttons, layouts, an edit, a pin and commands."""
    async with aiohttp.ClientSession() as session:
        api = Api(world, session)
        at = f"/channels/{channel.id}/messages"
        shown = {
            "embeds": [{"title": "Board", "image": {"url": "attachment://board.png"}}],
            "components": [
                {
                    "type": 1,
                    "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}],
                }
            ],
            "attachments": [{"id": 0, "description": "A board"}],
            "nonce": "7",
            "enforce_nonce": True,
        }
        status, sent = await api("POST", at, shown, files=(("board.png", png(3, 2)),))
        assert status == 200
        assert (await api("PUT", f"{at}/pins/{sent['id']}"))[0] == 204
        _, other = await api("POST", at, {}, files=(("other.png", png(5, 2)),))
        world.save()
        renamed = {"attachments": [{"id": other["attachments"][0]["id"], "description": "New"}]}
        assert (await api("PATCH", f"{at}/{other['id']}", renamed))[0] == 200
        layout = {
            "flags": int(MessageFlag.IS_COMPONENTS_V2),
            "components": [{"type": 12, "items": [{"media": {"url": "attachment://board.png"}}]}],
        }
        status, _ = await api("POST", at, layout, files=(("board.png", png(4, 2)),))
        assert status == 200
        command = {"name": "move", "description": "Play", "options": []}
        app = world.application.id
        assert (await api("PUT", f"/applications/{app}/commands", [command]))[0] == 200


async def test_everything_comes_back_as_it_was(tmp_path: Path) -> None:
    async with sandbox(tmp_path, bot_name="Dvonn", guild_members=True) as world:
        await everything(world)
        before, token, last = observable_state(world), world.token, world.state.snowflakes.last
        assert world.crashes == []

    async with sandbox(tmp_path) as again:
        assert observable_state(again) == before
        assert again.token == token
        assert again.state.next_id() > last
        attachments = [
            attachment for place in again.state.channels.values() for m in place.messages
            for attachment in m.attachments
        ]  # fmt: skip
        assert [await again.download(attachment.url) for attachment in attachments] == [
            png(),
            png(5, 2),
            png(4, 2),
        ]
        pictures = [m.embeds[0]["image"]["url"] for m in sent_by_bot(again) if m.embeds]
        pictures += [
            item["media"]["url"]
            for m in sent_by_bot(again)
            for part in m.components
            for item in part.get("items", ())
        ]
        assert [await again.download(url) for url in pictures] == [png(3, 2), png(4, 2)]


def sent_by_bot(world: Sandbox) -> list[Any]:
    places = world.state.channels.values()
    return [m for place in places for m in place.messages if m.author is world.bot_user]


async def test_a_restored_world_continues(tmp_path: Path) -> None:
    async with sandbox(tmp_path) as world:
        await everything(world)

    async with sandbox(tmp_path) as again:
        (guild,) = (guild for guild in again.state.guilds.values() if guild.name == "Friends")
        channel = next(channel for channel in guild.channels.values() if channel.name == "dvonn")
        async with connected(again) as socket, aiohttp.ClientSession() as session:
            created = await socket.event("GUILD_CREATE")
            assert created["name"] == "Friends"
            assert len(created["threads"]) == 2  # the locked one is archived
            body = {"content": "again", "nonce": "7", "enforce_nonce": True}
            _, answer = await Api(again, session)("POST", f"/channels/{channel.id}/messages", body)
            assert answer["embeds"], "a nonce is remembered over a restart"
        before = observable_state(again)

    async with sandbox(tmp_path) as third:
        assert observable_state(third) == before


async def test_time_passes_for_threads_and_ids(tmp_path: Path) -> None:
    clock = ManualClock()
    async with sandbox(tmp_path, clock=clock) as world:
        guild = world.create_guild("Friends")
        ann = guild.add_person("Ann")
        thread = await ann.start_thread(guild.create_channel("dvonn"), "A game")
        last = [world.state.next_id() for _ in range(50)][-1]

    async with sandbox(tmp_path, clock=clock) as again:
        assert again.state.next_id() > last  # although the clock stood still
        clock.advance(thread.archive_after_minutes * 60)
        kept = again.state.channels[thread.id]
        assert isinstance(kept, Thread)
        assert kept.archived


async def test_changes_are_written_automatically(tmp_path: Path) -> None:
    async with sandbox(tmp_path) as world:
        guild = world.create_guild("Friends")
        channel, ann = guild.create_channel("dvonn"), guild.add_person("Ann")
        said = await ann.say(channel, "hello")
        reader = Reader(tmp_path, tmp_path / "copy")
        await reader.until(lambda copy: [m.content for m in history(copy, channel)] == ["hello"])
        await ann.react(said, "👍")
        await reader.until(lambda copy: history(copy, channel)[0].reactions == {"👍": [ann.id]})
        await ann.delete(said)
        await reader.until(lambda copy: history(copy, channel) == [])


def history(world: Sandbox, channel: Channel) -> list[Any]:
    found = world.state.channels.get(channel.id)
    return found.messages if found is not None else []


class Reader:
    """Reads what is written so far, in a copy as a kill would leave it."""

    def __init__(self, folder: Path, copies: Path) -> None:
        self._folder, self._copies, self._number = folder, copies, 0

    async def until(self, check: Any) -> None:
        while not await self._passes(check):  # noqa: ASYNC110 - a file tells of no event
            await asyncio.sleep(0.01)

    async def _passes(self, check: Any) -> bool:
        self._number += 1
        copy = self._copies / str(self._number)
        (copy / FILES).mkdir(parents=True)
        for file in (FILE, FILE + "-wal"):
            if (self._folder / file).exists():
                (copy / file).write_bytes((self._folder / file).read_bytes())
        world = sandbox(copy)
        try:
            return bool(world.state.guilds) and bool(check(world))
        finally:
            await world.stop()


@pytest.mark.parametrize("saves", [1, 3, 4])
async def test_a_kill_loses_at_most_the_last_moment(tmp_path: Path, saves: int) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WRITER, str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    saved = [int(await process.stdout.readline()) for _ in range(saves)][-1]
    process.send_signal(signal.SIGKILL)
    await process.wait()

    async with sandbox(tmp_path) as world:
        (guild,) = world.state.guilds.values()
        (channel,) = guild.channels.values()
        said = [message.content for message in channel.messages]
        assert said == [str(number) for number in range(len(said))]
        assert len(said) > saved
        files = [message.attachments[0].data for message in channel.messages]
        assert files == [text.encode() for text in said]


async def test_one_folder_serves_one_sandbox(tmp_path: Path) -> None:
    async with sandbox(tmp_path):
        with pytest.raises(StorageError, match=r"world\.sqlite3 is in use by another sandbox"):
            sandbox(tmp_path)


async def make(folder: Path) -> Path:
    async with sandbox(folder) as world:
        await everything(world)
    return folder / FILE


async def test_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("these are my notes, and no database" * 99, encoding="utf-8")
    with pytest.raises(StorageError, match=r"world\.sqlite3 cannot be read .*move it away"):
        sandbox(tmp_path)


async def test_a_torn_page_is_found_at_the_start(tmp_path: Path) -> None:
    file = await make(tmp_path)
    content = bytearray(file.read_bytes())
    content[4096 * 3 : 4096 * 5] = b"\xff" * 8192
    file.write_bytes(content)
    with pytest.raises(StorageError, match=r"world\.sqlite3 cannot be read"):
        sandbox(tmp_path)


async def test_a_torn_index_is_found_at_the_start(tmp_path: Path) -> None:
    file = await make(tmp_path)
    database = sqlite3.connect(file)
    find = "SELECT rootpage FROM sqlite_schema WHERE name = 'messages_by_channel'"
    (page,) = database.execute(find).fetchone()
    database.close()
    content = bytearray(file.read_bytes())
    content[4096 * (page - 1) : 4096 * page] = b"\xff" * 4096
    file.write_bytes(content)
    with pytest.raises(StorageError, match=r"world\.sqlite3 cannot be read"):
        sandbox(tmp_path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (f"PRAGMA user_version = {VERSION + 1}", "newer version"),
        ("PRAGMA application_id = 5", "was not written by a sandbox"),
        ("UPDATE things SET body = 'no json' WHERE kind = 'guild'", "cannot be read"),
        ("DELETE FROM things WHERE kind = 'channel'", "cannot be read"),
        ("UPDATE messages SET body = '{}'", "cannot be read"),
        ("DROP TABLE messages", "cannot be"),
    ],
)
async def test_content_that_makes_no_sense_is_refused(
    tmp_path: Path, change: str, told: str
) -> None:
    file = await make(tmp_path)
    database = sqlite3.connect(file)
    with database:
        database.execute(change)
    database.close()
    before = file.read_bytes()
    with pytest.raises(StorageError, match=rf"world\.sqlite3.*{told}"):
        sandbox(tmp_path)
    assert file.read_bytes() == before


@pytest.mark.parametrize("damage", ["missing", "short"])
async def test_a_lost_attachment_is_named(tmp_path: Path, damage: str) -> None:
    await make(tmp_path)
    file = min((tmp_path / FILES).iterdir())
    file.unlink() if damage == "missing" else file.write_bytes(b"x")
    with pytest.raises(StorageError, match=file.name):
        sandbox(tmp_path)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be created"):
        sandbox(tmp_path / "file")
