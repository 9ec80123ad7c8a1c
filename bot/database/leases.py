"""Leases: rows that one process at a time works on, and how a process keeps them.

Several processes of the bot may use one database, and each may die or stand still at any time. A
row is leased until its `due_at`. Then it is due, and any process may claim it. A process that stood
still finds that its row is no longer its own. Callers learn only whether a row is theirs.

Other work has no leases, because a unique key decides it. The second writer gets `Conflict`, and
`retry_on_conflict` makes `AlreadyHandled` of it.
"""

from datetime import timedelta
from typing import Final

from sqlalchemy import ColumnElement, Table, Update, bindparam, update

LEASE: Final = timedelta(seconds=5)
"""Time for which deliveries are leased to the process that queued or claimed them."""


def claim(table: Table, which: ColumnElement[bool]) -> Update:
    """Lease a row due at `now` until `until`. Changes no row if another process was faster."""
    return (
        update(table)
        .where(which, table.c.due_at <= bindparam("now"))
        .values(due_at=bindparam("until"), tries=table.c.tries + 1)
    )


def held(table: Table, which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a row's lease until `held` is still ours."""
    return which & (table.c.due_at == bindparam("held"))


def renew(table: Table, which: ColumnElement[bool]) -> Update:
    """Extend a lease that lasts until `held`. Changes no row if the lease was lost."""
    return update(table).where(held(table, which)).values(due_at=bindparam("until"))
