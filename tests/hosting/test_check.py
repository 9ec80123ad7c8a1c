"""Tests that `check` is right: the bot starts if it finds no fault, and every fault has a fix."""

import asyncio
import json
import os
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import discord
import pytest
from aiohttp import web
from sqlalchemy import text

from bot.base.config import load_settings
from bot.base.database_address import database_address
from bot.composition import FEATURE_SET
from bot.connection.session import use_api
from bot.database.opening import create_engine, migrate
from bot.operations.check import check
from sandbox import RateLimits, Sandbox
from tests.e2e.bot_process import BotProcess, run_bot, run_cold, run_powerless
from tests.ports import free_port
from tests.postgresql import without_tables
from tests.tls import certificate_of

Run = Awaitable[tuple[int, str, str]]
Look = Callable[..., Awaitable[tuple[int, str]]]

CLOSED = "http://127.0.0.1:1"
"""An address where nothing listens, so that a run ends at once."""


@pytest.fixture
def look(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Look:
    """Run `check` in this process with only these settings. Return its exit status and output."""

    async def look_at(folder: Path = tmp_path, **settings: str) -> tuple[int, str]:
        with monkeypatch.context() as patch:
            for name in os.environ:
                patch.delenv(name)
            for name, text in ({"PATH": os.defpath, "MACHINE": "off"} | settings).items():
                patch.setenv(name, text)
            patch.chdir(folder)
            patch.setattr("discord.http.Route.BASE", discord.http.Route.BASE)  # restored later
            given = load_settings()
            use_api(given.discord_api_url)
            status = await check(given, FEATURE_SET.checks)
        written = capsys.readouterr()
        assert written.err == ""
        return status, written.out

    return look_at


def bad(out: str) -> list[str]:
    return [line for line in out.splitlines() if line.startswith("BAD ")]


async def both(
    folder: Path, *, run: Callable[..., Run] = run_powerless, **settings: str
) -> tuple[str, str]:
    """Return what `check` reports besides Discord, and the start's error. Neither may raise."""
    async with Sandbox() as world:
        given = {"DISCORD_TOKEN": "wrong", "DISCORD_API_URL": world.api_url, "MACHINE": "off"}
        given |= settings
        status, out, err = await run(folder, "check", **given)
        assert (status, err) == (1, "")
        wrong = [line for line in bad(out) if "Discord rejected DISCORD_TOKEN" not in line]
        started, _, log = await run(folder, **given)
    assert started == 2
    assert "Traceback" not in log
    return "\n".join(wrong), log.splitlines()[-1]


@pytest.fixture
def closed_folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    yield folder
    folder.chmod(0o755)


async def make_database(file: Path) -> None:
    engine = create_engine(database_address(f"sqlite:///{file}"))
    await migrate(engine)
    await engine.dispose()


def put_into(closed: Path, file: Path) -> None:
    closed.chmod(0o755)
    file.rename(closed / file.name)
    closed.chmod(0o555)


async def test_a_folder_that_cannot_be_written(tmp_path: Path, closed_folder: Path) -> None:
    wrong, last = await both(tmp_path, DATABASE_URL=f"sqlite:///{closed_folder}/d.sqlite3")

    said = (
        f"DATABASE_URL (sqlite:///{closed_folder}/d.sqlite3) cannot be used: "
        f"no file can be created in {closed_folder}: Permission denied "
        "(give the file and its folder to the bot's user)"
    )
    assert wrong == f"BAD {said}"
    assert last == f"dvonn-bot: {said}"


async def test_a_database_in_a_folder_that_cannot_be_written(
    tmp_path: Path, closed_folder: Path
) -> None:
    """SQLite keeps its newest changes in another file."""
    await make_database(tmp_path / "d.sqlite3")
    put_into(closed_folder, tmp_path / "d.sqlite3")

    wrong, last = await both(tmp_path, DATABASE_URL=f"sqlite:///{closed_folder}/d.sqlite3")

    assert "no file can be created in" in wrong
    assert last == wrong.replace("BAD ", "dvonn-bot: ")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("nowhere/d.sqlite3", "there is no folder {}/nowhere (create it, or choose another one)"),
        (".", "it is a folder (name a file in it)"),
        ("file/d.sqlite3", "there is no folder {}/file (create it, or choose another one)"),
    ],
)
async def test_a_place_where_no_file_can_be(tmp_path: Path, place: str, said: str) -> None:
    (tmp_path / "file").touch()

    wrong, last = await both(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/{place}")

    assert wrong.endswith(f"cannot be used: {said.format(tmp_path)}")
    assert last == wrong.replace("BAD ", "dvonn-bot: ")


async def test_a_user_of_postgresql_who_may_make_no_tables(
    tmp_path: Path, postgres_url: str
) -> None:
    await without_tables(postgres_url)
    url = database_address(postgres_url)
    engine = create_engine(url)
    async with engine.connect() as plain:
        connection = await plain.execution_options(isolation_level="AUTOCOMMIT")
        for statement in (
            "DROP ROLE IF EXISTS guest",
            "CREATE ROLE guest LOGIN PASSWORD 'guest'",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        ):
            await connection.execute(text(statement))
    await engine.dispose()
    guest = url.set(drivername="postgresql", username="guest", password="guest")

    # Its socket may be closed to users without permissions.
    address = guest.render_as_string(hide_password=False)
    wrong, last = await both(tmp_path, run=run_bot, DATABASE_URL=address)

    assert (
        "its user isn't allowed to create tables in it "
        "(make that user the owner of the database and everything in it)" in wrong
    )
    assert last.endswith("(make that user the owner of the database and everything in it)")


async def test_another_projects_env_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.touch(mode=0)

    said = "dvonn-bot: .env cannot be read: Permission denied; let the bot's user read it\n"
    assert await run_powerless(tmp_path, "check", DISCORD_TOKEN="x") == (2, "", said)


async def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        wrong, last = await both(tmp_path, METRICS_PORT=str(port))

    assert wrong.startswith(f"BAD METRICS_PORT {port} cannot be opened on METRICS_HOST 127.0.0.1: ")
    assert wrong.endswith(" (choose another port, or an address of this machine)")
    assert last == wrong.replace("BAD ", "dvonn-bot: ")


async def test_a_port_that_a_bot_has_already(tmp_path: Path, look: Look) -> None:
    """Like a host who checks a new version next to the old one."""
    async with Sandbox(rate_limits=RateLimits.generous()) as world:
        bot = BotProcess(world, tmp_path)
        bot.settings["METRICS_PORT"] = str(free_port())
        await bot.start()
        try:
            status, out = await look(**bot.settings)
        finally:
            assert await bot.stop() == 0

    assert status == 0
    assert "is taken by a dvonn-bot that is running" in out


async def test_an_intent_that_the_portal_does_not_grant(look: Look) -> None:
    async with Sandbox() as world:
        world.application.message_content = False
        given = {"DISCORD_TOKEN": world.token, "DISCORD_API_URL": world.api_url}
        status, out = await look(**given, MESSAGE_CONTENT="on")

    assert status == 1
    (line,) = bad(out)
    assert line.startswith("BAD MESSAGE_CONTENT is on; the intent is off in the developer portal")
    assert "turn it on there, on the page Bot, or remove MESSAGE_CONTENT" in line


@pytest.mark.skipif(os.name == "nt", reason="files have no modes there")
async def test_a_token_that_others_may_read(tmp_path: Path, look: Look) -> None:
    file = tmp_path / ".env"
    file.write_text("DISCORD_TOKEN=x\n")
    words = "others may read .env (mode 0640); to prevent that: chmod 600 .env"
    for mode, told in ((0o640, True), (0o600, False)):
        file.chmod(mode)
        _, out = await look(DISCORD_API_URL=CLOSED)
        assert (f"    {words}\n" in out) is told


async def test_names_that_belong_to_others(tmp_path: Path, look: Look) -> None:
    """In the environment, unknown names are none of the bot's business.

    In .env they get a warning.
    """
    (tmp_path / ".env").write_text(
        "DISCORD_TOKEN=x\nCOMPOSE_PROJECT_NAME=dvonn\nLOGS=debug\nMACHINE=off\nMACHINES=3\n"
    )
    others = {"TEST_DATABASE_URL": "x", "DATABASE_URL_OLD": "x", "METRICS_PATH": "/", "SHELL": "sh"}
    others["DISCORD_TOKENS"] = "y"  # next to the correct one, which is used

    status, out = await look(DISCORD_API_URL=CLOSED, **others)

    assert status == 1
    nearly = "DISCORD_TOKENS in the environment isn't a setting of dvonn-bot"
    assert [line for line in out.splitlines() if "isn't a setting of" in line] == [
        "    COMPOSE_PROJECT_NAME in .env isn't a setting of dvonn-bot",
        "    LOGS in .env isn't a setting of dvonn-bot",
        "    MACHINES in .env isn't a setting of dvonn-bot; did you mean MACHINE?",
        f"    {nearly}; did you mean DISCORD_TOKEN?",
    ]
    async with Sandbox() as world:
        _, _, log = await run_bot(tmp_path, DISCORD_API_URL=world.api_url)
    assert "MACHINES in .env isn't a setting of dvonn-bot; did you mean MACHINE?" in log


@pytest.fixture
def systemctl(tmp_path: Path) -> Callable[..., str]:
    """A program with systemctl's name that describes the service, and a PATH with it."""

    def say(*lines: str) -> str:
        folder = tmp_path / "bin"
        folder.mkdir()
        program = folder / "systemctl"
        words = "\n".join(lines)
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{words}\nEND\n")
        program.chmod(0o755)
        return os.pathsep.join((str(folder), os.environ["PATH"]))

    return say


async def service_lines(look: Look, folder: Path, **settings: str) -> tuple[list[str], int]:
    async with Sandbox() as world:
        given = {"DISCORD_TOKEN": world.token, "DISCORD_API_URL": world.api_url, **settings}
        status, out = await look(folder, **given)
    return [line for line in out.splitlines() if "the service" in line], status


async def test_the_database_of_the_service_is_named(
    tmp_path: Path, systemctl: Callable[..., str], look: Look
) -> None:
    """The service has its own variables and folder, which the shell doesn't know."""
    state, here = tmp_path / "state", tmp_path / "here"
    state.mkdir()
    here.mkdir()
    await make_database(state / "dvonn.sqlite3")
    path = systemctl(
        "LoadState=loaded",
        f"WorkingDirectory={state}",
        f'Environment=DATABASE_URL=sqlite:///{state}/dvonn.sqlite3 "A=b c"',
        f"EnvironmentFiles={here}/.env (ignore_errors=no)",
    )
    (here / ".env").write_text("MACHINE=off\n")

    lines, status = await service_lines(look, here, PATH=path)
    assert status == 0
    address = f"sqlite:///{state}/dvonn.sqlite3"
    assert lines == [
        f"ok  the service dvonn-bot uses another database, {address}; it is up to date"
    ]
    same, _ = await service_lines(look, here, PATH=path, DATABASE_URL=address)
    assert same == ["ok  the service dvonn-bot uses the same database"]

    # A relative path is a different one for the service.
    (here / ".env").write_text("DATABASE_URL=sqlite:///games.sqlite3\n")
    lines, _ = await service_lines(look, here, PATH=path)
    away = f"sqlite:///{state}/games.sqlite3"
    (line,) = lines
    assert line.startswith(
        f"    the service dvonn-bot uses another database, {away}, which doesn't"
    )
    (state / "games.sqlite3").write_text("these are notes " * 100)
    lines, status = await service_lines(look, here, PATH=path)
    assert status == 1
    assert lines[0].startswith(
        f"BAD the service dvonn-bot uses another database, {away}; it cannot"
    )


@pytest.mark.parametrize(
    ("line", "is_misread"),
    [
        ("export METRICS_PORT=9464", True),
        ("METRICS_PORT=9464 # for Prometheus", True),
        ("METRICS_PORT='9464' # for Prometheus", True),
        ("METRICS_PORT=9464", False),
        ("GAME_PAGE=https://example.org/a#b", False),
        ("# METRICS_PORT=9464 # for Prometheus", False),
    ],
)
async def test_a_line_that_systemd_reads_otherwise_is_named(
    tmp_path: Path, systemctl: Callable[..., str], look: Look, line: str, *, is_misread: bool
) -> None:
    file = tmp_path / "service.env"
    file.write_text(f"MACHINE=off\n{line}\nLOG_LEVEL=info\n")
    path = systemctl(
        "LoadState=loaded",
        f"WorkingDirectory={tmp_path}",
        "Environment=",
        f"EnvironmentFiles={file} (ignore_errors=no)",
    )
    lines, status = await service_lines(look, tmp_path, PATH=path)
    bad = "BAD METRICS_PORT isn't read that way by the service dvonn-bot: write METRICS_PORT=value"
    assert any(line.startswith(bad) for line in lines) is is_misread
    assert status == int(is_misread)


async def test_a_service_that_is_not_there_is_not_spoken_of(
    tmp_path: Path, systemctl: Callable[..., str], look: Look
) -> None:
    path = systemctl("LoadState=not-found", "WorkingDirectory=", "Environment=")

    assert await service_lines(look, tmp_path, PATH=path) == ([], 0)


Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def say(status: int, body: object = None, **headers: str) -> Answer:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def answer(_request: web.Request) -> web.Response:
        kind = {"Content-Type": "application/json"} | named
        return web.Response(status=status, body=raw, headers=kind)

    return answer


async def nothing(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def silence(request: web.Request) -> web.Response:
    await asyncio.get_running_loop().create_future()
    return web.Response()


async def elsewhere(request: web.Request) -> web.Response:
    if request.path == "/page":
        return web.Response(text="<html>\nSign in\n</html>", content_type="text/html")
    raise web.HTTPFound("/page")


async def in_circles(request: web.Request) -> web.Response:
    raise web.HTTPFound(request.path)


async def echo(request: web.Request) -> web.Response:
    """As programs for debugging do."""
    text = "\n".join(f"{name}: {value}" for name, value in request.headers.items())
    return web.Response(status=400, text=text)


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """Serve something in Discord's place. Return its address."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, handler_cancellation=True)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/api"
    finally:
        await runner.cleanup()


REACH = "Discord cannot be reached at DISCORD_API_URL: "
NOT_DISCORD = f"{REACH}the server there is not Discord"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (say(401, {"message": "401: Unauthorized"}), "Discord rejected DISCORD_TOKEN; "),
        (say(403, {"message": "Missing Access"}), f"{REACH}403 Forbidden"),
        (say(404, b"<html>\n<body>", Content_Type="text/html"), f"{REACH}404 Not Found"),
        (
            say(429, {"retry_after": 3600.0, "global": True}, Via="1", Retry_After="3600"),
            "Discord is limiting requests: 429 Too Many Requests; try again in 3600 seconds",
        ),
        (
            say(429, b"<html>\nbanned", Content_Type="text/html"),
            "Discord is limiting requests: 429 Too Many Requests",
        ),
        (say(429, b"{", Via="1"), "Discord is limiting requests: 429 Too Many Requests"),
        (say(500), f"{REACH}500 Internal Server Error"),
        (say(502, b"<html>\n"), f"{REACH}502 Bad Gateway"),
        (say(599), f"{REACH}599"),
        (say(200, b"<html>\nSign in", Content_Type="text/html"), NOT_DISCORD),
        (say(200, b"{'"), NOT_DISCORD),
        (say(200, b"\xff\xfe\xfd"), NOT_DISCORD),
        (say(200), NOT_DISCORD),
        (say(200, []), NOT_DISCORD),
        (say(200, {"id": "x"}), NOT_DISCORD),
        (say(200, {"id": 1, "username": None}), NOT_DISCORD),
        (say(204, b""), NOT_DISCORD),
        (say(200, b"no gzip", Content_Encoding="gzip"), f"{REACH}ClientPayloadError: "),
        (elsewhere, NOT_DISCORD),
        (in_circles, f"{REACH}TooManyRedirects: "),
        (nothing, f"{REACH}ServerDisconnectedError: Server disconnected (see whether something"),
        (silence, f"{REACH}no answer (see whether something answers there, or take DISCORD_API_"),
        (echo, f"{REACH}400 Bad Request"),
    ],
)
async def test_any_response_of_discord_is_one_sentence(
    look: Look, answer: Answer, said: str
) -> None:
    async with answering(answer) as url:
        status, out = await look(DISCORD_TOKEN="geheim", DISCORD_API_URL=url)

    assert status == 1
    (line,) = bad(out)
    assert line.startswith(f"BAD {said}")
    assert len(out.splitlines()) == 3  # and the rest is still checked
    assert "geheim" not in out


async def test_without_a_network_the_network_is_spoken_of(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    def finds_nobody(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", finds_nobody)

    status, out = await look(DISCORD_TOKEN="geheim")

    assert status == 1
    (line,) = bad(out)
    assert line.startswith("BAD Discord cannot be reached: ClientConnectorDNSError: Cannot connect")
    assert "see whether this machine is online and may connect to discord.com, port 443" in line
    assert "DISCORD_API_URL" not in line


@pytest.mark.parametrize(
    ("days", "is_trusted", "said"),
    [
        (-1, True, "certificate has expired"),
        (2, False, "self-signed certificate"),
    ],
)
async def test_a_refused_certificate_has_its_own_remedy(
    tmp_path: Path, days: int, said: str, *, is_trusted: bool
) -> None:
    """A host whose clock is wrong would look at the network for long."""
    certificate = certificate_of("localhost", tmp_path, days=days)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    server = await asyncio.start_server(lambda *_: None, "localhost", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    settings = {"DISCORD_TOKEN": "geheim", "DISCORD_API_URL": f"https://localhost:{port}/api"}
    if is_trusted:
        settings["SSL_CERT_FILE"] = str(certificate)

    status, out, err = await run_cold(tmp_path, "check", **settings, MACHINE="off")
    server.close()

    assert (status, err) == (1, "")
    (line,) = bad(out)
    assert said in line
    cure = "set this machine's clock" if is_trusted else "set SSL_CERT_FILE in the environment"
    assert cure in line
