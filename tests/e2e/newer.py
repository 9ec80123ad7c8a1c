"""A later release of the bot with a newer schema.

`TEST_NEWER` says how many releases later. Each one adds everything that a migration may add: a
table, a nullable column, one with a default, an index, and a kind of event. (SQLite would copy the
whole table for the last, which `tests/bot/database/test_expanding.py` tries.)
"""

import os
import runpy
from pathlib import Path

from sqlalchemy import CheckConstraint, Column, Integer, text

from bot.database import opening
from bot.database.schema import one_of
from bot.play.model.events import KINDS
from bot.play.store.schema import events, games

VARIABLE = "TEST_NEWER"

_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{number}", "{before}", None, None


def upgrade():
    op.create_table("{name}", sa.Column("id", sa.Integer(), primary_key=True))
    op.add_column("games", sa.Column("{name}", sa.Integer()))
    later = sa.Column("{name}", sa.Integer(), nullable=False, server_default="7")
    op.add_column("events", later)
    op.create_index("ix_deliveries_{name}", "deliveries", ["player_id"])
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint("ck_events_kind", "events")
        op.create_check_constraint("ck_events_kind", "events", "{kinds}")
"""


def release(count: int, folder: Path) -> str:
    """Turn this process into a release that is a number of releases later.

    Return its newest migration.
    """
    folder.mkdir(exist_ok=True)
    before, known = opening.revisions()[-1], list(KINDS)
    for later in range(1, count + 1):
        name, number = f"newer_{later}", f"9{later:03}"
        known.append(name)
        kinds = one_of("kind", known)
        migration = _MIGRATION.format(number=number, before=before, name=name, kinds=kinds)
        (folder / f"{number}_{name}.py").write_text(migration)
        games.append_column(Column(name, Integer))
        events.append_column(Column(name, Integer, nullable=False, server_default=text("7")))
        before = number
    for check in list(events.constraints):
        if os.environ.get("DATABASE_URL", "").startswith("sqlite"):
            break
        if isinstance(check, CheckConstraint) and str(check.name).endswith("kind"):
            check.sqltext = text(one_of("kind", known))
    opening.VERSIONS.append(folder)
    return before


if __name__ == "__main__":
    release(int(os.environ[VARIABLE]), Path.cwd() / "newer")
    runpy.run_module("tests.e2e.launch", run_name="__main__")
