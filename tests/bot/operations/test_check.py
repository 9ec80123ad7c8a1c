"""Tests for `check`: its messages for a host, and its exit status for scripts."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from discord.http import Route

from bot.base.config import Settings
from bot.base.errors import ConfigError, StartError
from bot.base.http_port import HEALTH, open_port
from bot.operations.check import check
from bot.operations.health_port import check_port
from bot.operations.systemd import Service
from sandbox import Sandbox
from tests.bot.database.test_faults import harm
from tests.ports import free_port


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Sandbox]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.operations.check.installed_service", lambda: None)
    async with Sandbox(bot_name="Dvonn") as world:
        monkeypatch.setattr(Route, "BASE", world.api_url)
        yield world


def settings(world: Sandbox, **more: Any) -> Settings:
    about = {"discord_token": world.token, "discord_api_url": world.api_url, "machine": "off"}
    return Settings(**(about | more))


async def run_check(capsys: pytest.CaptureFixture[str], given: Settings) -> tuple[int, list[str]]:
    status = await check(given, ())
    return status, capsys.readouterr().out.splitlines()


async def test_all_is_well_where_the_bot_could_start(
    world: Sandbox, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, lines = await run_check(capsys, settings(world, keep_players="30"))
    assert status == 0
    assert lines[0].startswith("ok  DISCORD_TOKEN belongs to 'Dvonn'")
    assert lines[1].endswith("on in the developer portal: moves typed into a channel are read")
    assert "ok  KEEP_PLAYERS is 30: after 30 days finished games are anonymized" in lines
    (database,) = (line for line in lines if "DATABASE_URL" in line)
    assert database.startswith("ok  ")
    assert database.endswith("dvonn.sqlite3 will be created at the first start")
    assert lines[3].startswith("    people add it to their own account with http")
    assert not any("METRICS_PORT" in line for line in lines), "it has none"
    assert not (tmp_path / "dvonn.sqlite3").exists()
    assert world.sessions == []


async def test_a_database_of_today_is_up_to_date(
    world: Sandbox, capsys: pytest.CaptureFixture[str], tmp_path: Path, migrated: Path
) -> None:
    shutil.copy(migrated, tmp_path / "dvonn.sqlite3")
    status, lines = await run_check(capsys, settings(world))
    assert status == 0
    assert any(line.endswith("dvonn.sqlite3 is up to date") for line in lines)


async def test_the_whole_database_is_scanned_for_damage(
    world: Sandbox, capsys: pytest.CaptureFixture[str], tmp_path: Path, migrated: Path
) -> None:
    harm(Path(shutil.copy(migrated, tmp_path / "dvonn.sqlite3")), "a row too many")
    status, lines = await run_check(capsys, settings(world))
    assert status == 1
    assert any(line.startswith("BAD ") and "malformed" in line for line in lines)


async def test_a_database_without_tables_will_be_brought_up_to_date(
    world: Sandbox, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "dvonn.sqlite3").touch()
    status, lines = await run_check(capsys, settings(world))
    assert status == 0
    assert any(line.endswith("will be brought up to date at the next start") for line in lines)


async def test_all_faults_are_listed_and_set_the_exit_status(
    world: Sandbox, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "dvonn.sqlite3").write_text("These are notes. " * 100)
    status, lines = await run_check(capsys, settings(world, discord_token="geheim"))
    assert status == 1
    bad = [line for line in lines if line.startswith("BAD ")]
    assert len(bad) == 2
    assert bad[0].startswith("BAD Discord rejected DISCORD_TOKEN")
    assert bad[1].startswith("BAD DATABASE_URL (sqlite:///")
    assert "geheim" not in "".join(lines)


async def test_an_application_that_people_may_not_add_to_their_account(
    world: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    world.application.user_install = False
    _, lines = await run_check(capsys, settings(world))
    assert "    people can't add it to their account: User Install is off (" in lines[3]


@pytest.mark.parametrize(
    ("asked", "is_granted", "mark", "words"),
    [
        ("auto", False, "ok  ", "people move by buttons, /move, replies and mentions"),
        ("off", True, "ok  ", "people move by buttons, /move, replies and mentions"),
        ("on", False, "BAD ", "turn it on there, on the page Bot, or remove MESSAGE_CONTENT"),
    ],
)
async def test_whether_typed_moves_are_read(
    world: Sandbox,
    capsys: pytest.CaptureFixture[str],
    asked: str,
    mark: str,
    words: str,
    *,
    is_granted: bool,
) -> None:
    world.application.message_content = is_granted
    status, lines = await run_check(capsys, settings(world, message_content=asked))
    (line,) = (line for line in lines if "MESSAGE_CONTENT" in line)
    assert line.startswith(mark)
    assert words in line
    assert status == (mark == "BAD ")


@pytest.mark.skipif(os.name == "nt", reason="files have no modes on Windows")
async def test_advice_leaves_all_well(
    world: Sandbox, capsys: pytest.CaptureFixture[str], tmp_path: Path, migrated: Path
) -> None:
    file = Path(shutil.copy(migrated, tmp_path / "dvonn.sqlite3"))
    names = tmp_path / ".env"
    names.write_text("", encoding="utf-8")
    for exposed in (file, names):
        exposed.chmod(0o640)
    status, lines = await run_check(capsys, settings(world, machine_searches="2"))
    assert status == 0
    assert "    MACHINE_SEARCHES does nothing while MACHINE is off" in lines
    others = [line for line in lines if line.startswith("    others may read ")]
    assert len(others) == 2
    assert others[0].endswith("chmod 600 .env")
    assert others[1].endswith("dvonn.sqlite3")


async def test_the_port_of_a_running_bot_is_no_fault(
    world: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    async def health(_: web.Request) -> web.Response:
        return web.json_response({"healthy": True, "status": "ready", "database": "well"})

    host, port = "127.0.0.1", free_port()
    given = settings(world, metrics_host=host, metrics_port=str(port))
    status, lines = await run_check(capsys, given)
    assert (status, lines[-1]) == (
        0,
        f"ok  METRICS_PORT {port} can be opened on METRICS_HOST {host}",
    )
    async with open_port({HEALTH: health}, host, port):
        status, lines = await run_check(capsys, given)
    assert status == 0
    assert lines[-1].startswith(f"ok  METRICS_PORT {port} is taken by a dvonn-bot that is running")


async def test_a_features_own_check_counts_too(
    world: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    async def look(_: Settings) -> list[str]:
        raise ConfigError("MACHINE", "is wrong")

    assert await check(settings(world), [look]) == 1
    assert "BAD MACHINE is wrong" in capsys.readouterr().out.splitlines()


FILE = "DATABASE_URL"
USES = "the service dvonn-bot uses"


@pytest.mark.parametrize(
    ("service", "line"),
    [
        (Service(Path(), {}, None), f"ok  {USES} the same database"),
        (Service(Path("elsewhere"), {}, None), f"    {USES} another "),
        (Service(Path(), {FILE: "sqlite:///none.sqlite3"}, None), f"    {USES} another "),
        (Service(Path(), {FILE: "sqlite:///made.sqlite3"}, None), f"ok  {USES} another "),
        (Service(Path(), {FILE: "sqlite:///bad.sqlite3"}, None), f"BAD {USES} another "),
        (Service(Path(), {FILE: "mysql://a"}, None), "BAD DATABASE_URL of the service dv"),
        (Service(Path(), {}, "it is a folder"), "    can't see which database the service"),
        (Service(Path(), {}, None, ("MACHINE",)), "BAD MACHINE isn't read that way by the "),
    ],
    ids=[
        "same",
        "same name",
        "none yet",
        "another",
        "unusable",
        "no address",
        "unreadable",
        "misread",
    ],
)
async def test_the_database_of_the_service_is_compared(
    world: Sandbox,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    migrated: Path,
    service: Service,
    line: str,
) -> None:
    shutil.copy(migrated, tmp_path / "made.sqlite3")
    (tmp_path / "bad.sqlite3").write_text("These are notes. " * 100)
    found = Service(tmp_path / service.folder, service.settings, service.unread, service.misread)
    monkeypatch.setattr("bot.operations.check.installed_service", lambda: found)
    status, lines = await run_check(capsys, settings(world))
    assert any(text.startswith(line) for text in lines), lines
    assert status == line.startswith("BAD ")


async def test_a_postgresql_database_has_no_folder(
    world: Sandbox, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"postgresql://127.0.0.1:{free_port()}/dvonn"
    service = Service(Path("/elsewhere"), {FILE: address}, None)
    monkeypatch.setattr("bot.operations.check.installed_service", lambda: service)
    status, lines = await run_check(capsys, settings(world, database_url=address))
    assert f"ok  {USES} the same database" in lines
    assert status == 1, "nothing listens there"


async def test_no_secret_is_printed(world: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    async def look(given: Settings) -> list[str]:
        return [f"ok  {given.discord_token.get_secret_value()}"]

    await check(settings(world), [look])
    assert "ok  [hidden]" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("answer", "is_ours"),
    [
        ({"healthy": True, "status": "ready", "database": "well"}, True),
        ({"healthy": True}, False),
        ([], False),
    ],
)
async def test_a_port_is_free_or_a_bots_or_another_programs(answer: Any, *, is_ours: bool) -> None:
    async def health(_: web.Request) -> web.Response:
        return web.json_response(answer)

    here = "127.0.0.1", free_port()
    assert await check_port(*here)
    async with open_port({HEALTH: health}, *here):
        if is_ours:
            assert not await check_port(*here)
        else:
            with pytest.raises(StartError, match="cannot be opened"):
                await check_port(*here)


async def test_a_port_of_a_program_that_hangs_up_is_taken() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    here = "127.0.0.1", free_port()
    async with await asyncio.start_server(hang_up, *here):
        with pytest.raises(StartError, match="cannot be opened"):
            await check_port(*here)
