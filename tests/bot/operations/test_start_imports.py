"""Tests for what the bot's start imports: each module costs processor time and memory."""

import subprocess
import sys

UNNEEDED = (
    "alembic",
    "asyncpg",
    "numba",
    "numpy",
    "sqlalchemy.orm",
    "sqlalchemy.dialects.postgresql",
)
"""The migrations, PostgreSQL, the engine, and SQLAlchemy's mapper of objects."""


def test_a_start_imports_nothing_that_few_bots_need() -> None:
    program = f"import sys, bot.__main__\nprint(*sys.modules.keys() & set({UNNEEDED}))"

    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )

    assert run.stdout.split() == []
