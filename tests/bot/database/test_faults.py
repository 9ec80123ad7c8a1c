"""Tests for database errors: they are identified before anything is done."""

import os
import shutil
import sqlite3
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError
from structlog.testing import capture_logs

from bot.base.database_address import database_address
from bot.base.errors import DatabaseError, StoreError
from bot.database.database import Conflict, Database
from bot.database.faults import DatabaseFault, diagnose, is_unique_violation
from bot.database.opening import create_engine, migrate, unusable, will_be_created
from bot.database.sqlite import check_free_space, check_location


def harm(file: Path, kind: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        table = "SELECT rootpage FROM sqlite_master WHERE name = 'listening'"
        (page,) = database.execute(table).fetchone() or (0,)
    content = file.read_bytes()
    if kind == "a row too many":  # the number of rows on a table's only page
        size = int.from_bytes(content[16:18], "big")
        counted = (page - 1) * size + 4
        content = content[:counted] + bytes([content[counted] + 1]) + content[counted + 1 :]
    elif kind == "cut short":
        content = content[: len(content) // 2]
    elif kind == "overwritten":
        content = content[:4096] + os.urandom(8 * 4096) + content[9 * 4096 :]
    file.write_bytes(content)


def a_full_one(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages}")
        database.execute("CREATE TABLE more AS SELECT randomblob(100000)")


def one_to_read(file: Path) -> None:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
        database.execute("CREATE TABLE more (x)")


def one_out_of_reach(file: Path) -> None:
    sqlite3.connect(file / "below" / "a file").close()


def one_that_is_held(file: Path) -> None:
    with (
        closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection,
        closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as other,
    ):
        connection.execute("BEGIN EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")


def a_damaged_one(file: Path) -> None:
    harm(file, "overwritten")
    with closing(sqlite3.connect(file)) as database:
        database.execute("SELECT count(*) FROM sqlite_master, things").fetchone()


def something_else(file: Path) -> None:
    file.write_text("These are notes. " * 100)
    with closing(sqlite3.connect(file)) as database:
        database.execute("SELECT 1 FROM sqlite_master").fetchone()


@pytest.mark.parametrize(
    ("use", "ailment"),
    [
        (a_full_one, DatabaseFault.FULL),
        (one_to_read, DatabaseFault.READ_ONLY),
        (one_out_of_reach, DatabaseFault.READ_ONLY),
        (one_that_is_held, DatabaseFault.LOCKED),
        (a_damaged_one, DatabaseFault.DAMAGED),
        (something_else, DatabaseFault.DAMAGED),
    ],
)
def test_sqlites_errors_are_understood(
    tmp_path: Path, use: Callable[[Path], None], ailment: DatabaseFault
) -> None:
    file = tmp_path / "database"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE things AS SELECT randomblob(100000) AS x")
    with pytest.raises(sqlite3.Error) as raised:
        use(file)
    assert diagnose(raised.value) is ailment


def test_a_bug_of_the_bot_has_no_diagnosis(tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(tmp_path / "database")) as database,
        pytest.raises(sqlite3.Error) as raised,
    ):
        database.execute("SELECT nonsense")
    assert diagnose(raised.value) is None
    assert diagnose(ValueError()) is None


@pytest.mark.parametrize("kind", ["cut short", "overwritten", "a row too many"])
async def test_a_damaged_file_is_named_before_anything_is_done(
    tmp_path: Path, migrated: Path, kind: str
) -> None:
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    shutil.copy(migrated, tmp_path / "dvonn.sqlite3")
    harm(tmp_path / "dvonn.sqlite3", kind)
    before = (tmp_path / "dvonn.sqlite3").read_bytes()
    with pytest.raises(DatabaseError) as refused:
        await migrate(engine)
    await engine.dispose()
    assert DatabaseFault.DAMAGED.cure in str(refused.value)
    assert (tmp_path / "dvonn.sqlite3").read_bytes() == before


class AnswerError(Exception):
    """Return an error of PostgreSQL with a code."""

    def __init__(self, sqlstate: str | None = None) -> None:
        super().__init__("no")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("sqlstate", "is_so"), [("23505", True), ("23503", False), ("23514", False), (None, False)]
)
def test_values_of_another_row_are_taken(sqlstate: str | None, *, is_so: bool) -> None:
    assert is_unique_violation(IntegrityError("", {}, AnswerError(sqlstate))) is is_so


@pytest.mark.parametrize(
    ("sqlstate", "ailment"),
    [
        ("53100", DatabaseFault.FULL),
        ("53300", DatabaseFault.UNREACHABLE),
        ("28P01", DatabaseFault.LOGIN_REJECTED),
        ("23505", None),
    ],
)
def test_error_messages_of_a_server_are_understood(
    sqlstate: str, ailment: DatabaseFault | None
) -> None:
    assert diagnose(DBAPIError("", {}, AnswerError(sqlstate))) is ailment


def test_a_lost_connection_is_an_outage_and_a_programming_error_is_not() -> None:
    gone = DBAPIError("", {}, AnswerError(), connection_invalidated=True)
    assert diagnose(gone) is DatabaseFault.UNREACHABLE
    assert diagnose(InterfaceError("", {}, AnswerError())) is DatabaseFault.UNREACHABLE
    assert diagnose(DBAPIError("", {}, AnswerError())) is None


def test_a_file_that_cannot_be_created_is_reported_beforehand(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no folder", encoding="utf-8")
    with pytest.raises(DatabaseError):
        check_location(database_address(f"sqlite:///{tmp_path / 'notes.txt' / 'dvonn.sqlite3'}"))
    check_location(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    check_location(database_address("postgresql://nowhere/notes.txt/dvonn"))
    assert [part.name for part in tmp_path.iterdir()] == ["notes.txt"]


async def test_damage_that_was_found_stays_until_the_end(tmp_path: Path) -> None:
    engine = create_engine(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    database = Database(engine)
    assert database.fault is None
    database.report_damage(ValueError("a page"))
    assert database.fault is DatabaseFault.DAMAGED
    await engine.dispose()


def test_without_a_writable_file_there_is_no_cache(tmp_path: Path) -> None:
    check_free_space(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(DatabaseError, match="no-such-folder"):
        check_free_space(
            database_address(f"sqlite:///{tmp_path / 'no-such-folder' / 'dvonn.sqlite3'}")
        )


def test_the_place_of_the_damage_does_not_matter() -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    assert diagnose(error) is DatabaseFault.DISK


def test_a_certificate_that_is_not_trusted_is_named() -> None:
    assert diagnose(ssl.SSLCertVerificationError("self-signed")) is DatabaseFault.UNTRUSTED


def test_an_error_message_hides_the_password() -> None:
    url = database_address("postgresql://ann:geheim@db.example/dvonn")
    said = str(unusable(url, OSError("password geheim is wrong")))
    assert "geheim" not in said
    assert "is wrong" in said


def test_a_file_will_be_created_where_its_folder_is(tmp_path: Path) -> None:
    assert will_be_created(database_address(f"sqlite:///{tmp_path / 'dvonn.sqlite3'}"))
    assert not will_be_created(database_address(f"sqlite:///{tmp_path / 'none' / 'dvonn.sqlite3'}"))


ADD, LOOK = text("INSERT INTO notes VALUES (:n, zeroblob(:n))"), text("SELECT n FROM notes")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """A database with a table of notes, which can be large."""
    file = tmp_path / "dvonn.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE notes (n INTEGER PRIMARY KEY, words BLOB NOT NULL)")
    database = Database(create_engine(database_address(f"sqlite:///{file}")))
    yield database
    await database.close()


async def limit(database: Database, pages: int) -> None:
    """Limit the file to a number of pages. The next statements use the same connection."""
    async with database._engine.connect() as connection:
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))


async def test_a_fault_is_logged_once_and_ends_with_a_write(database: Database) -> None:
    with capture_logs() as logged:
        await database.change(ADD, {"n": 1})
        await limit(database, 1)
        for _ in range(2):
            with pytest.raises(StoreError) as failed:
                await database.change(ADD, {"n": 100_000})
            assert failed.value.writing
        assert database.fault is DatabaseFault.FULL
        assert await database.first(LOOK, {}) == (1,)
        assert database.fault is DatabaseFault.FULL, "to read is not enough"
        await limit(database, 1_000_000)
        await database.change(ADD, {"n": 100_000})
    assert database.fault is None
    assert [line["event"] for line in logged] == ["database unavailable", "database recovered"]


async def test_only_a_value_of_another_row_is_a_conflict(database: Database) -> None:
    await database.change(ADD, {"n": 1})
    with pytest.raises(Conflict):
        await database.change(ADD, {"n": 1})
    with pytest.raises(IntegrityError):  # a bug, so a retry would not help
        await database.change(text("INSERT INTO notes VALUES (7, NULL)"), {})
    with pytest.raises(DBAPIError, match="no such table"):
        await database.change(text("DELETE FROM letters"), {})
    assert database.fault is None


@pytest.mark.parametrize("is_replaced", [False, True])
async def test_a_deleted_file_accepts_no_changes(
    database: Database, tmp_path: Path, *, is_replaced: bool
) -> None:
    """SQLite would write on into the deleted file, and all of it would be lost."""
    await database.change(ADD, {"n": 1})
    file, other = tmp_path / "dvonn.sqlite3", tmp_path / "other.sqlite3"
    shutil.copy(file, other)
    if is_replaced:
        other.replace(file)
    else:
        file.rename(tmp_path / "elsewhere.sqlite3")
    with pytest.raises(StoreError, match=DatabaseFault.GONE.problem):
        await database.change(ADD, {"n": 2})
    assert database.fault is DatabaseFault.GONE
    assert await database.first(LOOK, {}) == (1,), "games can still be shown"
    if not is_replaced:
        (tmp_path / "elsewhere.sqlite3").rename(file)
        with pytest.raises(StoreError, match=DatabaseFault.GONE.problem):
            await database.change(ADD, {"n": 2})
