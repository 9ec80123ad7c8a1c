"""Rows that one process at a time works on: each is leased until its `due_at`, or due.

A process that dies leaves its lease to run out; one that stood still finds that it has lost it.
"""

from sqlalchemy import ColumnElement, Table, Update, bindparam, update


def claim(table: Table, which: ColumnElement[bool]) -> Update:
    """Lease a row that is due at `now` until `until`; it changes none where another was quicker."""
    return (
        update(table)
        .where(which, table.c.due_at <= bindparam("now"))
        .values(due_at=bindparam("until"), tries=table.c.tries + 1)
    )


def held(table: Table, which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a row's lease until `held` is still ours."""
    return which & (table.c.due_at == bindparam("held"))


def renew(table: Table, which: ColumnElement[bool]) -> Update:
    """Lease a row for longer than until `held`; it changes none that is ours no more."""
    return update(table).where(held(table, which)).values(due_at=bindparam("until"))
