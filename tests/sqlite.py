"""A SQLite file that one test after another begins with: to make one takes longer than many."""

from pathlib import Path

from bot.config import database_address
from bot.store import create_engine, migrate

_made: list[bytes] = []


async def make_database(file: Path) -> None:
    """Make a file of today's schema, in which there is nothing."""
    if not _made:
        engine = create_engine(database_address(f"sqlite:///{file}"))
        await migrate(engine)
        await engine.dispose()
        _made.append(_content(file))
    _write(file)


def _content(file: Path) -> bytes:
    return file.read_bytes()


def _write(file: Path) -> None:
    file.touch(mode=0o600)  # as the bot makes it
    file.write_bytes(_made[0])
