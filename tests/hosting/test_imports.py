"""Tests for what a start imports, because small hosts wait for it."""

import json
import subprocess
import sys
from pathlib import Path

LATER = {"alembic", "asyncpg", "llvmlite", "networkx", "numba", "numpy", "psycopg", "saq"}
"""For migrations, PostgreSQL, Swiss rounds and the machine: loaded when they are needed."""

SCRIPT = """
import gc, json, sys
looks = []
gc.callbacks.append(lambda phase, about: looks.append(about["generation"]))
import bot.__main__
print(json.dumps([list(sys.modules), looks, gc.isenabled(), gc.get_freeze_count()]))
"""


def test_a_start_loads_nothing_unneeded_and_collects_no_garbage() -> None:
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True
    )

    modules, looks, looks_again, excluded = json.loads(done.stdout)
    assert not {name.partition(".")[0] for name in modules} & LATER
    assert "aiohttp.web" not in modules, "only for METRICS_PORT"
    assert excluded > 100_000, "the first look isn't at all packages"
    assert 2 not in looks  # scanning all packages; the game, which comes first, is small
    assert looks_again
