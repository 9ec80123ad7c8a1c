"""Tests of putting a database aside."""

from pathlib import Path

from sqlalchemy import text

from bot.base.database_address import database_address
from bot.database.aside import _rename, put_aside
from bot.database.opening import create_engine, migrate
from tests.bot.conftest import Clock
from tests.postgresql import without_tables


def test_what_is_put_aside_within_one_second_replaces_nothing(tmp_path: Path) -> None:
    file, aside = tmp_path / "dvonn.sqlite3", tmp_path / "dvonn.sqlite3.aside-20261129-120000"
    for content in ("first", "second", "third"):
        file.write_text(content)
        _rename(file, aside)
    kept = {path.name.removeprefix(aside.name): path.read_text() for path in tmp_path.iterdir()}
    assert kept == {"": "first", "-2": "second", "-3": "third"}


async def test_schemas_that_are_put_aside_within_one_second_replace_nothing(
    postgres_url: str,
) -> None:
    await without_tables(postgres_url)
    engine, moved = create_engine(database_address(postgres_url)), list[str]()
    for _ in range(3):
        await migrate(engine)
        moved.append(await put_aside(engine, now=Clock().time))
    first = moved[0]
    assert moved == [first, f"{first}_2", f"{first}_3"]
    async with engine.begin() as connection:
        for place in moved:
            await connection.execute(text(f"DROP {place} CASCADE"))
    await engine.dispose()
