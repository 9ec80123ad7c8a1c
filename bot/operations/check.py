"""`dvonn-bot check`: checks that the bot can start, without changing anything.

It runs the same code as startup, so if all checks pass, the bot will start.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.engine import URL

from bot.base import config, environment
from bot.base.database_address import database_address, is_sqlite, redacted_url
from bot.base.errors import DatabaseError, StartError, count_text
from bot.base.logs import redactor
from bot.connection.session import Application, fetch_application_once, wants_messages
from bot.database import sqlite
from bot.database.opening import create_engine, find_damage, schema_is_current, will_be_created
from bot.operations.health_port import check_port
from bot.operations.systemd import NAME, Service, installed_service
from bot.play.seams import SetupCheck

_OK, _BAD, _NOTE = "ok  ", "BAD ", "    "
_DEFAULT = config.StoreSettings.model_fields["database_url"].default
_PATIENCE_S = 3


async def check(settings: config.Settings, checks: Sequence[SetupCheck]) -> int:
    """Check the token, the intents, the database and the rest, and print the results.

    Return 0 if the bot can start with these settings, or 1 if something has to be fixed.
    """
    healthy, hide = True, redactor(settings.secrets)
    for section in (_names, _discord, _database, _retention, _service, *checks, _port):
        try:
            lines = await section(settings)
        except StartError as error:
            lines = [_BAD + str(error)]
        healthy = healthy and not any(line.startswith(_BAD) for line in lines)
        sys.stdout.writelines(f"{hide(line)}\n" for line in lines)
    return 0 if healthy else 1


async def _names(settings: config.Settings) -> list[str]:
    advice = sqlite.exposure_remedy([environment.FILE])
    advice_lines = () if advice is None else (advice,)
    return [
        _NOTE + word
        for word in (*advice_lines, *config.unknown_settings(), *config.ignored_settings(settings))
    ]


async def _discord(settings: config.Settings) -> list[str]:
    token = settings.discord_token.get_secret_value()
    application = await fetch_application_once(token, settings.proxy)
    return [
        f"{_OK}DISCORD_TOKEN belongs to {application.name!r} ({application.id})",
        _typed_moves(settings.message_content, application),
        f"{_NOTE}invite it with {application.invite_url}",
        f"{_NOTE}{_user_install_line(application)}",
    ]


def _user_install_line(application: Application) -> str:
    if application.allows_user_install:
        return f"people add it to their own account with {application.own_url}"
    return "people can't add it to their account: User Install is off (portal, page Installation)"


def _typed_moves(setting: config.MessageContent, application: Application) -> str:
    portal = "on" if application.reads_messages else "off"
    description = f"MESSAGE_CONTENT is {setting}; the intent is {portal} in the developer portal: "
    if not wants_messages(setting, application):
        consequence = "people move by buttons, /move, replies and mentions, not by plain typing"
        return f"{_OK}{description}{consequence}"
    if not application.reads_messages:
        cure = "turn it on there, on the page Bot, or remove MESSAGE_CONTENT"
        return f"{_BAD}{description}the bot would continue without it; {cure}"
    return f"{_OK}{description}moves typed into a channel are read"


async def _database(settings: config.StoreSettings) -> list[str]:
    state = await _state(settings.database)
    advice = sqlite.exposure_of(settings.database)
    lines = [f"{_OK}DATABASE_URL {redacted_url(settings.database)} {state}"]
    return [*lines, f"{_NOTE}{advice}"] if advice else lines


async def _state(database: URL) -> str:
    """Describe what the next start would do to a database.

    Raises:
        DatabaseError: if it can't be used.
    """
    await asyncio.to_thread(sqlite.check_location, database)
    await asyncio.to_thread(sqlite.check_free_space, database)
    if will_be_created(database):
        return "will be created at the first start"
    engine = create_engine(database)
    try:
        current = await schema_is_current(engine)
        if not current:
            await sqlite.check_rights(engine)
        # Even a read-only check would leave files next to the database.
        async with engine.connect():
            await _scan_for_damage(database)
    finally:
        await engine.dispose()
    if current:
        return "is up to date"
    return "will be brought up to date at the next start"


async def _retention(settings: config.Settings) -> list[str]:
    keep = settings.retention
    texts = {
        "KEEP_PLAYERS": (keep.players, "finished games are anonymized"),
        "KEEP_NOTICES": (keep.notices, "unanswered challenges and records of messages are deleted"),
        "KEEP_LEARNING": (
            keep.learning,
            "answers to lessons and puzzles, and own boards, are deleted",
        ),
        "KEEP_SERVERS": (keep.servers, "data of servers that removed the bot is deleted"),
    }
    return [
        f"{_OK}{name} is {age.days}: after {count_text(age.days, 'day')} {consequence}"
        for name, (age, consequence) in texts.items()
        if age is not None
    ]


async def _service(settings: config.Settings) -> list[str]:
    """Describe the settings of the systemd service, which has its own variables and folder."""
    service = await asyncio.to_thread(installed_service)
    if service is None:
        return []
    misread = [
        f"{_BAD}{name} isn't read that way by the service {NAME}: write "
        f"{name}=value, without export or a comment behind it"
        for name in service.misread
    ]
    return [*misread, *await _database_of(service, settings)]


async def _database_of(service: Service, settings: config.Settings) -> list[str]:
    address = service.settings.get("DATABASE_URL", _DEFAULT)
    if service.unread is not None:
        return [f"{_NOTE}can't see which database the service {NAME} uses: {service.unread}"]
    try:
        database = _absolute(database_address(address), service.folder)
    except ValueError as error:
        return [f"{_BAD}DATABASE_URL of the service {NAME} is wrong: {error}"]
    if database == _absolute(settings.database, Path.cwd()):
        return [f"{_OK}the service {NAME} uses the same database"]
    return [await _other_database_line(database)]


async def _other_database_line(database: URL) -> str:
    service_text = f"the service {NAME} uses another database, {redacted_url(database)}"
    if is_sqlite(database) and not _exists(database):
        # systemd creates its folder at the first start.
        return f"{_NOTE}{service_text}, which doesn't exist yet, or this user can't see it"
    try:
        return f"{_OK}{service_text}; it {await _state(database)}"
    except DatabaseError as error:
        return f"{_BAD}{service_text}; it cannot be used: {error.reason}"


def _absolute(database: URL, folder: Path) -> URL:
    if is_sqlite(database):
        return database.set(database=str(folder / str(database.database)))
    return database


def _exists(database: URL) -> bool:
    try:
        return Path(database.database or "").is_file()
    except OSError:
        return False


async def _port(settings: config.Settings) -> list[str]:
    host, port = settings.metrics_host, settings.metrics_port
    if port == 0:
        return []
    if await check_port(host, port):
        return [f"{_OK}METRICS_PORT {port} can be opened on METRICS_HOST {host}"]
    message = f"METRICS_PORT {port} is taken by a dvonn-bot that is running"
    return [f"{_OK}{message}; a second one needs its own port"]


async def _scan_for_damage(database: URL) -> None:
    """Scan a whole database for damage. If that takes a long time, print the progress."""
    progress = ""

    def record_progress(table: str, number: int, count: int) -> None:
        nonlocal progress
        progress = f"table {number} of {count}, {table}"

    scan = asyncio.create_task(find_damage(database, record_progress))
    while not (await asyncio.wait((scan,), timeout=_PATIENCE_S))[0]:
        sys.stderr.write(f"    scan for damage: {progress} …\n")
    await scan
