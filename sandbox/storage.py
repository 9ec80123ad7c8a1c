"""A persistent world: a folder with a SQLite file, and attachments as files.

Each object is a row of JSON. There are many messages, so only the changed ones are written. Other
objects are few, and are written if they differ from their last written version. Transactions make
it safe to kill the process at any time: only the changes of the last moment are lost.
"""

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sandbox import channels
from sandbox import storage_records as records
from sandbox.model import JSON, Attachment, Message, Thread
from sandbox.state import State

VERSION = 1
"""Version of the tables and of the JSON in them."""

FILE = "world.sqlite3"
FILES = "files"

_OURS = 0x5A4E4442
"""SQLite's ``application_id`` of sandbox files."""

_PAUSE_S = 0.05
"""Delay in seconds from a change until it is written.

Other changes in that time are written with it.
"""

_SHARE = 10
"""Minimum ratio between a pause and the duration of the last write."""

_TABLES = """
CREATE TABLE things (kind TEXT, id INTEGER, body TEXT NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE attachments (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE messages (id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, body TEXT NOT NULL);
CREATE INDEX messages_by_channel ON messages (channel);
"""

_log = logging.getLogger(__name__)
_Key = tuple[str, int]


class StorageError(Exception):
    """A folder's content can't be used. The text names the file and the reason."""


class Storage:
    """Stores one state in one folder.

    No other process may use the folder.

    Raises:
        StorageError: if the file is damaged, from a newer version, not ours, or in use.
    """

    def __init__(self, folder: Path, state: State) -> None:
        self._state = state
        self._file = folder / FILE
        self._files = folder / FILES
        self._touched: dict[int, Message] = {}
        self._written: dict[_Key, str] = {}
        self._last_file = 0  # the newest attachment that has been written
        self._pause_s = _PAUSE_S
        self._due: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        try:
            self._files.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{self._files} cannot be created: {error}") from error
        with self._readable(self._file):
            self._database = sqlite3.connect(self._file, isolation_level=None, timeout=1.0)
            try:
                self._open()
                self._load()
            except BaseException:
                self._database.close()
                raise
        state.keeper = self.touch

    def _open(self) -> None:
        run = self._database.execute
        run("PRAGMA locking_mode = EXCLUSIVE")
        version, is_own = self._pragma("user_version"), self._pragma("application_id") == _OURS
        tables = run("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if tables and not is_own:
            raise StorageError(f"{self._file} was not written by a sandbox")
        if version > VERSION:
            raise StorageError(
                f"{self._file} was written by a newer version of the sandbox "
                f"(its format is {version}, and this version reads up to {VERSION})"
            )
        if self._pragma("quick_check") != "ok":
            raise sqlite3.DatabaseError("it is damaged")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        if not tables:
            self._database.executescript(
                f"BEGIN EXCLUSIVE; {_TABLES} PRAGMA application_id = {_OURS};"
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
        run("BEGIN EXCLUSIVE").execute("COMMIT")  # from here on, no other process can use the file

    def _pragma(self, name: str) -> Any:
        return self._database.execute(f"PRAGMA {name}").fetchone()[0]

    @contextmanager
    def _readable(self, file: Path) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise StorageError(f"{file} is in use by another sandbox") from error
            raise StorageError(f"{file} cannot be opened: {error}") from error
        except (sqlite3.Error, ValueError, LookupError, TypeError, AttributeError) as error:
            text = f"{type(error).__name__}: {error}"
            raise StorageError(
                f"{file} cannot be read ({text}); move it away to start over"
            ) from error

    def _load(self) -> None:
        rows: dict[str, list[JSON]] = {}
        select = "SELECT kind, id, body FROM things ORDER BY id"
        for kind, number, body in self._database.execute(select):
            rows.setdefault(kind, []).append(json.loads(body))
            self._written[kind, number] = body
        if not rows:
            return
        state = self._state
        state.users.clear()
        for row in rows["user"]:
            records.read_user(state, row)
        for row in rows.get("channel", ()):
            records.read_channel(state, row)
        for row in rows.get("channel", ()):
            records.link_channel(state, row)
        for row in rows.get("guild", ()):
            records.read_guild(state, row)
        records.read_world(state, rows["world"][0])
        for number, body in self._database.execute("SELECT * FROM attachments ORDER BY id"):
            self._load_attachment(number, json.loads(body))
        for (body,) in self._database.execute("SELECT body FROM messages ORDER BY id"):
            records.read_message(state, json.loads(body))

    def _load_attachment(self, number: int, row: JSON) -> None:
        file = self._files / str(number)
        with self._readable(file):
            try:
                data = file.read_bytes()
            except OSError as error:
                raise StorageError(f"{file} cannot be read: {error}") from error
            records.read_attachment(self._state, row, data)
        self._last_file = number

    def begin(self, base_url: str) -> None:
        """Start storing the state. ``base_url`` is the server's URL."""
        state = self._state
        old, state.base_url = state.base_url, base_url
        if old not in {"", base_url}:
            self._move(f"{old}/attachments/", f"{base_url}/attachments/")
        for channel in state.channels.values():
            if isinstance(channel, Thread):
                channels.schedule_auto_archive(state, channel)
        self._loop = asyncio.get_running_loop()
        self.save()

    def _move(self, old: str, new: str) -> None:
        """Update the URLs of files, because they contain the port, which may have changed."""
        for attachment in self._state.attachments.values():
            attachment.url = records.moved(attachment.url, old, new)
        for channel in self._state.channels.values():
            for message in channel.history.values():
                if message.attachments or message.embeds or message.components:
                    message.embeds = records.moved(message.embeds, old, new)
                    message.components = records.moved(message.components, old, new)
                    self._touched[message.id] = message
        self._last_file = 0

    def touch(self, message: Message | None) -> None:
        """Schedule a save, because a message or (with None) another object has changed."""
        if message is not None and message.viewer is None:
            self._touched[message.id] = message
        if self._loop is not None and self._due is None:
            self._due = self._loop.call_later(self._pause_s, self._save_soon)

    def _save_soon(self) -> None:
        began = time.perf_counter()
        try:
            self.save()
        except (sqlite3.Error, OSError) as error:
            # Nothing is lost, because the next change tries again.
            _log.exception("saving state failed: %s", self._file)
            self._state.crashes.append(error)
        self._pause_s = max(_PAUSE_S, _SHARE * (time.perf_counter() - began))

    def save(self) -> None:
        """Write all changes, in one transaction.

        Raises:
            sqlite3.Error: if the file can't be written.
            OSError: if an attachment can't be written.
        """
        if self._due is not None:
            self._due.cancel()
            self._due = None
        state = self._state
        new_files = list(self._new_files())
        for attachment in new_files:
            self._write_file(attachment)
        touched = list(self._touched.values())
        for message in touched:  # an edit can change a file's description
            new_files += [file for file in message.attachments if file.id <= self._last_file]
        things = dict(self._things())
        changed = [(*key, body) for key, body in things.items() if self._written.get(key) != body]
        gone_keys = [key for key in self._written if key not in things]
        messages = [
            message
            for message in touched
            if not message.deleted and message.channel.id in state.channels
        ]
        run = self._database
        with self._transaction():
            run.executemany("REPLACE INTO things VALUES (?, ?, ?)", changed)
            run.executemany("DELETE FROM things WHERE kind = ? AND id = ?", gone_keys)
            rows = ((file.id, _text(records.attachment, file)) for file in new_files)
            run.executemany("REPLACE INTO attachments VALUES (?, ?)", rows)
            run.executemany(
                "DELETE FROM messages WHERE id = ?", [(message.id,) for message in touched]
            )
            lines = (
                (message.id, message.channel.id, _text(records.message, message))
                for message in messages
            )
            run.executemany("INSERT INTO messages VALUES (?, ?, ?)", lines)
            closed = [(number,) for kind, number in gone_keys if kind == "channel"]
            run.executemany("DELETE FROM messages WHERE channel = ?", closed)
        self._written = things
        self._touched.clear()
        self._last_file = max([self._last_file, *(file.id for file in new_files)])

    def _new_files(self) -> Iterator[Attachment]:
        for attachment in reversed(self._state.attachments.values()):
            if attachment.id <= self._last_file:
                return
            if not attachment.ephemeral:
                yield attachment

    def _things(self) -> Iterator[tuple[_Key, str]]:
        state = self._state
        yield ("world", 0), _text(records.world, state)
        for user in state.users.values():
            yield ("user", user.id), _text(records.user, user)
        for guild in state.guilds.values():
            yield ("guild", guild.id), _text(records.guild, guild)
        for channel in state.channels.values():
            yield ("channel", channel.id), _text(records.channel, channel)

    def _write_file(self, attachment: Attachment) -> None:
        file = self._files / str(attachment.id)
        if file.exists():
            return
        unfinished = file.with_suffix(".new")
        unfinished.write_bytes(attachment.data)
        unfinished.replace(file)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def close(self) -> None:
        """Write the remaining changes and close the file."""
        self._state.keeper = None
        try:
            self.save()
        finally:
            self._loop = None
            self._database.close()


def _text(record: Callable[[Any], JSON], thing: Any) -> str:
    return json.dumps(record(thing), separators=(",", ":"), ensure_ascii=False)
