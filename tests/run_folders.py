"""The temporary folders of a test run. However the run ends, they are removed."""

import os
import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from tests.once import MEMORY, memory
from tests.postgresql import stop_server
from tests.when_gone import WhenGone

_CLEANS_UP: Final = (
    "n=0; while test $n -lt 30; do "
    'if read server < "$1/postgres/data/postmaster.pid"; then kill -QUIT "$server"; fi; '
    'rm -rf "$@"; sleep 1; n=$((n + 1)); done'
)
"""Shell commands that stop the server in the first folder, and remove all folders.

They go on for a while, because some processes of a killed run notice its end only then.
"""


def make_run_folders(config: pytest.Config) -> None:
    """Make the folders that `server_folder`, `memory` and `tempfile` return in all processes."""
    fast, usual = (tempfile.mkdtemp(prefix="dvonn-tests-", dir=place) for place in (memory(), None))
    # pytest keeps the folders of the last runs, which show why a test has failed.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    os.environ[MEMORY], os.environ["TMPDIR"] = fast, usual
    tempfile.tempdir = None  # so that it is read again
    Path(usual).chmod(0o755)  # a pooler runs as another user
    # In reverse order: the server is stopped first, when all workers are gone.
    if os.name != "nt":
        pytests = config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        config.add_cleanup(WhenGone(_CLEANS_UP, fast, usual, str(pytests)).cancel)
    for folder in (fast, usual):
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))
    config.add_cleanup(partial(stop_server, server_folder()))


def server_folder() -> Path:
    """Return the folder of this run's PostgreSQL."""
    return Path(os.environ[MEMORY]) / "postgres"
