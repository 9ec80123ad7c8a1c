"""`dvonn-bot check`: is everything there that the bot needs? It changes nothing."""

import asyncio
import sys

from sqlalchemy.engine import URL

from bot.config import MessageContent, Settings
from bot.edge.session import Application, read_application, wants_messages
from bot.errors import StartError
from bot.store.engine import create_engine, find_damage, is_yet_to_be_made, schema_is_current
from bot.store.files import open_to_others

_OK, _BAD = "ok  ", "BAD "
_PATIENCE_S = 3


async def check(settings: Settings) -> int:
    """Look at the token, the intents and the database, and say what is on.

    Returns:
        0 if the bot can start, 1 if something is to be mended.
    """
    healthy = True
    for look in (_discord, _database):
        try:
            lines = await look(settings)
        except StartError as error:
            healthy, lines = False, [_BAD + str(error)]
        sys.stdout.write("\n".join(lines) + "\n")
    return 0 if healthy else 1


async def _discord(settings: Settings) -> list[str]:
    application = await read_application(settings.discord_token.get_secret_value())
    return [
        f"{_OK}DISCORD_TOKEN belongs to {application.name!r} ({application.id})",
        f"{_OK}{_typed_moves(settings.message_content, application)}",
        f"    invite it with {application.invite_url}",
    ]


def _typed_moves(setting: MessageContent, application: Application) -> str:
    portal = "on" if application.reads_messages else "off"
    if wants_messages(setting, application):
        how = "moves typed into a channel are read"
    else:
        how = "moves are read from /move, replies and mentions, not when typed plainly"
    return f"MESSAGE_CONTENT is {setting}; the intent is {portal} in the developer portal: {how}"


async def _database(settings: Settings) -> list[str]:
    shown = settings.database.render_as_string(hide_password=True)
    if is_yet_to_be_made(settings.database):
        return [f"{_OK}DATABASE_URL {shown} will be made at the first start"]
    engine = create_engine(settings.database)
    try:
        current = await schema_is_current(engine)
        await _look_for_damage(settings.database)
    finally:
        await engine.dispose()  # last: what only reads leaves files beside the database
    state = "is up to date" if current else "will be brought up to date at the next start"
    advice = open_to_others(settings.database)
    return [f"{_OK}DATABASE_URL {shown} {state}", *([f"    {advice}"] if advice else [])]


async def _look_for_damage(database: URL) -> None:
    """Look through all of a database, and say how far it is where that takes long."""
    place = ""

    def reach(table: str, number: int, count: int) -> None:
        nonlocal place
        place = f"table {number} of {count}, {table}"

    looking = asyncio.create_task(find_damage(database, reach))
    while not (await asyncio.wait((looking,), timeout=_PATIENCE_S))[0]:
        sys.stderr.write(f"    looking for damage: {place} …\n")
    await looking
