"""Tests for backups as docs/hosting.md describes them, and of the bot after a restore."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.base.database_address import database_address
from bot.database.opening import create_engine
from bot.play.words.notices import Notice
from demo.commands import use
from dvonn import parse_move
from sandbox import Message, RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess, run_bot
from tests.e2e.conftest import PATIENCE, Table, is_board
from tests.postgresql import without_tables

ROOT = Path(__file__).resolve().parents[2]


def is_notice(message: Message) -> bool:
    """Return True if a message tells a channel that turns are lost."""
    return any(button.custom_id == Notice.SET_BACK.button_id for button in message.buttons)


@dataclass
class Evening:
    """A game, its bot, and their host."""

    world: Sandbox
    bot: BotProcess
    table: Table

    async def host(self, *arguments: str) -> tuple[int, str]:
        """Run one of the bot's tools. Return its exit status and output."""
        settings = {"DATABASE_URL": self.bot.settings["DATABASE_URL"]}  # and no token
        status, out, err = await run_bot(self.bot.folder, *arguments, **settings)
        return status, out + err

    async def moves(self) -> list[str]:
        """Return the moves in the database."""
        return await self._ask(
            "SELECT data ->> 'move' FROM events WHERE kind = 'move' ORDER BY revision"
        )

    async def nothing_unsent(self) -> None:
        """Wait until the bot has recorded that all of it was sent."""
        unsent = "SELECT id FROM deliveries WHERE sent_at IS NULL AND dropped_at IS NULL"
        while await self._ask(unsent):  # noqa: ASYNC110 - a database tells of no event
            await asyncio.sleep(0.02)

    async def _ask(self, query: str) -> list[str]:
        engine = create_engine(database_address(self.bot.settings["DATABASE_URL"]))
        async with engine.connect() as connection:
            found = [str(one) for (one,) in await connection.execute(text(query))]
        await engine.dispose()
        return found

    def notices(self) -> int:
        """Return how often the channel was told that turns are lost."""
        return sum(map(is_notice, self.table.channel.messages))


ON_POSTGRESQL = pytest.param(
    "postgresql",
    marks=pytest.mark.thorough(
        "tests/bot/database/test_backups.py restores on both; the bot is the same"
    ),
)


@pytest.fixture(params=["sqlite", ON_POSTGRESQL])
async def evening(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Evening]:
    """A game in which d2 has been played."""
    url = f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"
    if request.param == "postgresql":
        url = await without_tables(request.getfixturevalue("postgres_url"))
    async with Sandbox(rate_limits=RateLimits.generous(), patience=PATIENCE) as world:
        guild = world.create_guild("Friends")
        channel = guild.create_channel("dvonn")
        ann, bob = guild.add_person("Ann"), guild.add_person("Bob")
        bot = BotProcess(world, tmp_path, LOG_LEVEL="debug", DATABASE_URL=url)
        await bot.start()
        terms = {"colour": "white", "start": "placement"}
        challenge = await use(ann, channel, "challenge", opponent=bob, **terms)
        assert challenge.message is not None
        await bob.click(challenge.message, "Accept")
        table = Table(channel, ann, bob)
        await table.board(0)
        await table.play([parse_move("d2")])
        try:
            yield Evening(world, bot, table)
        finally:
            assert await bot.stop() == 0
            assert "[error" not in bot.log


async def test_after_a_restore_typed_moves_are_played_again_and_no_board_is_posted_twice(
    evening: Evening,
) -> None:
    table = evening.table
    status, said = await evening.host("backup", "backup.dvonn")
    assert status == 0
    assert said.startswith("wrote backup.dvonn from ")
    assert ": 1 game with 2 events, as they were at " in said
    await table.play([parse_move("e3"), parse_move("f4")])

    # While the bot runs nothing is restored, whatever the host wants.
    status, said = await evening.host("restore", "--replace", "backup.dvonn")
    assert status == 2
    assert "a bot is using the database; stop it first" in said
    assert await evening.moves() == ["d2", "e3", "f4"]
    assert await evening.bot.stop() == 0
    status, said = await evening.host("restore", "backup.dvonn")
    assert status == 2
    assert "--replace" in said
    status, said = await evening.host("restore", "--replace", "backup.dvonn")
    assert status == 0
    assert said.startswith("restored backup.dvonn into ")
    assert ": 1 game with 2 events, as they were at " in said
    assert await evening.moves() == ["d2"]

    await evening.bot.start()
    await table.play([parse_move("g3")])
    assert await evening.moves() == ["d2", "e3", "f4", "g3"]
    assert table.boards() == [f"dvonn-1-{n}.png" for n in range(5)]
    assert evening.notices() == 0


async def test_turns_played_only_by_buttons_and_commands_are_reported_lost(
    evening: Evening,
) -> None:
    table = evening.table
    await evening.host("backup", "backup.dvonn")
    await table.play([parse_move("e3")])
    await table.white.slash(table.channel, "move", move="f4")
    await table.board(3)
    # A reply to a move that will be lost. Later it is not a legal move, because White is there.
    await table.black.say(table.channel, "h3")
    await table.board(4)
    assert await evening.bot.stop() == 0
    await evening.host("restore", "--replace", "backup.dvonn")

    await evening.bot.start()
    notice = await table.channel.wait_for(is_notice)
    assert await evening.moves() == ["d2", "e3"]
    # They continue from this board at once: the same turn again, and another move.
    said = await table.white.say(table.channel, "h3")
    board = await table.channel.wait_for(is_board(3), after=said)
    assert board.attachments[0].filename == "dvonn-1-3.png"
    # Messages typed while the bot is offline count again, and the loss is told once.
    await evening.nothing_unsent()
    await evening.bot.kill()
    notice.content = "The same in another language."  # recognized by its button
    await table.black.say(table.channel, "i4")
    await evening.bot.start()
    board = await table.channel.wait_for(lambda one: "i4" in one.content and one.attachments)
    assert await evening.moves() == ["d2", "e3", "h3", "i4"]
    assert evening.notices() == 1


async def test_boards_that_were_never_sent_stay_unsent_after_a_restore(evening: Evening) -> None:
    table, faults = evening.table, evening.world.faults
    with faults.answer("POST /channels/{id}/messages", status=403, times=None):
        await table.type(parse_move("e3"))
        await evening.bot.wrote("delivery failed, retrying")
        await evening.host("backup", "backup.dvonn")
        await evening.bot.kill()
    await evening.host("restore", "--replace", "backup.dvonn")
    await evening.bot.start()
    await table.play([parse_move("f4")])
    assert table.boards() == ["dvonn-1-0.png", "dvonn-1-1.png", "dvonn-1-3.png"]
    assert await evening.moves() == ["d2", "e3", "f4"]


def test_the_paper_shows_how_to_make_one_everywhere() -> None:
    paper = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    shown = re.findall(r"\b(?:run|bot) (backup|restore) ", paper)
    assert shown.count("backup") >= 3  # a terminal, systemd, a container
    assert shown.count("restore") >= 3
