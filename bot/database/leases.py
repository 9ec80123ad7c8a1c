"""Leases on rows. A lease lets one process work on a row for a limited time.

Several processes of the bot may share a database, and each may die or freeze at any time. A row is
leased until its `due_at`. After that, any process may claim it. A process that was frozen learns
from its next statement that the row is no longer its own.

Other work needs no leases, because a unique key decides which process does it. The second writer
gets `Conflict`, which `retry_on_conflict` turns into `AlreadyHandled`.
"""

from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, Table, Update, bindparam, update

LEASE: Final = timedelta(seconds=5)
"""Length of the lease of deliveries to the process that queued or claimed them."""


def claim(table: Table, condition: ColumnElement[bool]) -> Update:
    """Lease a row that is due at `now` until `until`.

    No row changes if another process was faster.
    """
    return (
        update(table)
        .where(condition, table.c.due_at <= bindparam("now"))
        .values(due_at=bindparam("until"), tries=table.c.tries + 1)
    )


def is_held(table: Table, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that we still have the lease of a row that ends at `held`."""
    return condition & (table.c.due_at == bindparam("held"))


def renew(table: Table, condition: ColumnElement[bool]) -> Update:
    """Extend our lease that ends at `held` until `until`. No row changes if the lease was lost."""
    return update(table).where(is_held(table, condition)).values(due_at=bindparam("until"))
