"""Tests for the start: messages for a host, and `dvonn-bot check`."""

import asyncio
import os
import stat
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from bot import __version__
from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess, run_bot, run_cold
from tests.e2e.conftest import Club


@pytest.fixture
def database() -> None:
    """There is no prepared file: these bots create their own."""


async def test_the_version_and_the_help(tmp_path: Path) -> None:
    assert await run_cold(tmp_path, "--version") == (0, f"dvonn-bot {__version__}\n", "")
    status, out, _ = await run_bot(tmp_path, "--help")
    assert status == 0
    assert "check" in out
    assert ".env.example" in out


async def test_without_a_token_one_line_says_so(tmp_path: Path) -> None:
    for command, run in (("run", run_bot), ("check", run_cold)):
        assert await run(tmp_path, command) == (
            2,
            "",
            "dvonn-bot: DISCORD_TOKEN isn't set; .env.example shows how\n",
        )


async def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    status, _, err = await run_bot(tmp_path, DISCORD_TOKEN="x", DATABASE_URL="mysql://db")
    assert status == 2
    assert err.startswith("dvonn-bot: DATABASE_URL is wrong: start it with sqlite:///")
    assert err.count("\n") == 1


async def test_an_unusable_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.sqlite3").write_text("no database " * 100)
    status, _, err = await run_bot(
        tmp_path, DISCORD_TOKEN="x", DATABASE_URL="sqlite:///notes.sqlite3"
    )
    assert status == 2
    assert err.startswith(f"dvonn-bot: DATABASE_URL (sqlite:///{tmp_path / 'notes.sqlite3'})")
    assert err.count("\n") == 1


async def test_a_database_of_another_commit_is_reported_and_unchanged(club: Club) -> None:
    """A database that claims all migrations, but lacks what the code expects."""
    assert await club.bot.stop() == 0
    file = club.bot.folder / "dvonn.sqlite3"
    with closing(connect(file)) as database:
        database.execute("DROP TABLE outages")
    before = file.read_bytes()
    said = (
        "cannot be used: it was created by another commit of dvonn-bot: the table outages is "
        "missing (use the commit that created it, or start with an empty database)"
    )
    status, _, err = await run_bot(club.bot.folder, **club.bot.settings)
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("dvonn-bot: DATABASE_URL (sqlite")
    assert err.endswith(f"{said}\n")
    status, out, _ = await run_bot(club.bot.folder, "check", **club.bot.settings)
    assert status == 1
    assert any(line.startswith("BAD ") and line.endswith(said) for line in out.splitlines())
    assert file.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="files have no modes on Windows")
async def test_check_says_who_else_may_read_the_games(club: Club) -> None:
    file = club.bot.folder / "dvonn.sqlite3"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    _, out, _ = await run_bot(club.bot.folder, "check", **club.bot.settings)
    assert "others may read" not in out
    assert await club.bot.stop() == 0
    file.chmod(0o644)
    status, out, _ = await run_bot(club.bot.folder, "check", **club.bot.settings)
    assert status == 0
    assert f"    others may read {file} (mode 0644); to prevent that: chmod 600 {file}\n" in out
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


async def test_a_refused_token_is_named_and_not_shown(tmp_path: Path) -> None:
    async with Sandbox() as world:
        status, _, err = await run_bot(
            tmp_path, DISCORD_TOKEN="geheim", DISCORD_API_URL=world.api_url
        )
    assert status == 2
    assert err.splitlines()[-1].startswith("dvonn-bot: Discord rejected DISCORD_TOKEN")
    assert "geheim" not in err


async def test_check_reports_enabled_options(tmp_path: Path) -> None:
    async with Sandbox(bot_name="Dvonn") as world:
        settings = {"DISCORD_TOKEN": world.token, "DISCORD_API_URL": world.api_url}
        status, out, err = await run_bot(tmp_path, "check", **settings)
        assert (status, err) == (0, "")
        assert "DISCORD_TOKEN belongs to 'Dvonn'" in out
        assert "on in the developer portal: moves typed into a channel are read" in out
        assert f"DATABASE_URL sqlite:///{tmp_path / 'dvonn.sqlite3'} will be created at the" in out
        assert not (tmp_path / "dvonn.sqlite3").exists()
        assert f"client_id={world.application.id}" in out
        assert "scope=bot+applications.commands" in out
        assert "permissions=17901423791168" in out
        world.application.message_content = False
        _, out, _ = await run_bot(tmp_path, "check", **settings)
        assert "off in the developer portal: people move by buttons" in out
        status, out, _ = await run_bot(
            tmp_path, "check", **settings, DATABASE_URL="postgresql://127.0.0.1:1/none"
        )
        assert status == 1
        assert "BAD DATABASE_URL (postgresql://127.0.0.1:1/none) cannot be used" in out
        assert world.sessions == []


async def test_check_after_a_start_finds_the_database_current(club: Club) -> None:
    status, out, _ = await run_bot(club.bot.folder, "check", **club.bot.settings)
    assert status == 0
    assert "is up to date" in out


async def test_a_bot_works_without_a_refused_intent(empty_club: Club) -> None:
    club = empty_club
    club.world.application.message_content = False
    club.bot.settings["MESSAGE_CONTENT"] = "on"
    await club.bot.start()
    try:
        table = await club.start_game()
        await club.ann.say(club.channel, f"{club.world.bot_user.mention} c3")
        await table.board(1)
    finally:
        assert await club.bot.stop() == 0
    assert "Message Content intent refused" in club.bot.log


async def test_it_waits_for_a_discord_that_is_down(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        address = world.api_url
        port = int(address.split(":")[2].split("/")[0])
    bot = BotProcess(world, tmp_path)
    started = asyncio.create_task(bot.start())
    await bot.wrote("reconnecting")
    started.cancel()
    async with Sandbox(port=port, token=world.token) as back:
        await back.wait_ready()
        assert await bot.stop() == 0


async def test_commands_are_registered_only_after_a_change(club: Club) -> None:
    def registrations() -> int:
        return sum(
            exchange.method == "PUT" and exchange.route.endswith("/commands")
            for exchange in club.world.exchanges
        )

    assert registrations() == 1
    await club.bot.restart()
    assert registrations() == 1
    command = next(iter(club.world.application.commands.values()))
    command["description"] = "something else"
    await club.bot.restart()
    assert registrations() == 2
