"""Database faults, identified by error, and what a host can do about them."""

import sqlite3
import ssl
from enum import Enum

from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_UNREACHABLE_ERRORS = (OSError, TimeoutError, PoolTimeout)


class DatabaseFault(Enum):
    """A fault and its remedy."""

    FULL = ("the disk is full", "free some space")
    DISK = (
        "the disk has failed",
        "check for a full disk, a quota, or messages in the system's log",
    )
    READ_ONLY = ("it cannot be written", "give the file and its folder to the bot's user")
    FORBIDDEN = (
        "its user isn't allowed to do that",
        "make that user the owner of the database and everything in it",
    )
    LOCKED = (
        "another program has locked it",
        "close other programs that write to it, such as a sqlite3 shell",
    )
    DAMAGED = ("it is damaged", "stop the bot, move the file away and restore a backup")
    LOGIN_REJECTED = (
        "it rejects the bot's login",
        "check the user and password in DATABASE_URL, and the server's pg_hba.conf",
    )
    GONE = ("its file is gone", "stop the bot, put the file back or restore a backup, and start it")
    ABSENT = ("it doesn't exist", "create it with createdb, or name another one in DATABASE_URL")
    UNTRUSTED = ("its certificate is not trusted", "check sslmode and sslrootcert")
    UNREACHABLE = ("it does not answer", "check that it is running, and can be reached from here")

    def __init__(self, problem: str, cure: str) -> None:
        self.problem = problem
        self.cure = cure


_SQLITE = {
    sqlite3.SQLITE_FULL: DatabaseFault.FULL,
    sqlite3.SQLITE_IOERR: DatabaseFault.DISK,
    sqlite3.SQLITE_READONLY: DatabaseFault.READ_ONLY,
    sqlite3.SQLITE_PERM: DatabaseFault.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: DatabaseFault.READ_ONLY,
    sqlite3.SQLITE_BUSY: DatabaseFault.LOCKED,
    sqlite3.SQLITE_LOCKED: DatabaseFault.LOCKED,
    sqlite3.SQLITE_CORRUPT: DatabaseFault.DAMAGED,
    sqlite3.SQLITE_NOTADB: DatabaseFault.DAMAGED,
}
_SQLITE_UNIQUE = (
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
)
_POSTGRESQL_UNIQUE = "23505"
# By PostgreSQL's five-character code. The longest matching prefix counts.
_POSTGRESQL = {
    "53100": DatabaseFault.FULL,
    "58030": DatabaseFault.DISK,
    "25006": DatabaseFault.READ_ONLY,
    "42501": DatabaseFault.FORBIDDEN,
    "28": DatabaseFault.LOGIN_REJECTED,
    "3D000": DatabaseFault.ABSENT,
    "3F000": DatabaseFault.FORBIDDEN,  # no schema that this user can see
    "55P03": DatabaseFault.LOCKED,
    "40P01": DatabaseFault.LOCKED,
    "XX001": DatabaseFault.DAMAGED,
    "XX002": DatabaseFault.DAMAGED,
    "25P03": DatabaseFault.UNREACHABLE,  # our process stalled in the middle of a transaction
    "08": DatabaseFault.UNREACHABLE,
    "53": DatabaseFault.UNREACHABLE,
    "57P": DatabaseFault.UNREACHABLE,
}


def is_unique_violation(error: IntegrityError) -> bool:
    """Return True if a row was rejected because another row has the same unique value."""
    cause: BaseException | None = error.orig
    if isinstance(cause, sqlite3.Error):
        return cause.sqlite_errorcode in _SQLITE_UNIQUE
    return getattr(cause, "sqlstate", None) == _POSTGRESQL_UNIQUE


def diagnose(error: BaseException) -> DatabaseFault | None:
    """Return the database fault that caused an error, or None if there is none."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return DatabaseFault.UNTRUSTED
    if isinstance(error, _UNREACHABLE_ERRORS):
        return DatabaseFault.UNREACHABLE
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        # The lowest byte is the error. The other bytes give details.
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & 0xFF)
    state = str(getattr(cause, "sqlstate", None) or "")
    for beginning, fault in _POSTGRESQL.items():
        if state.startswith(beginning):
            return fault
    if isinstance(getattr(cause, "__cause__", None), ValueError):
        return None  # asyncpg rejected its arguments before it connected
    is_lost = isinstance(error, InterfaceError) or getattr(error, "connection_invalidated", False)
    return DatabaseFault.UNREACHABLE if is_lost else None
