"""What the tables of things to send have in common: a row is leased to one process at a time.

Each of them has `id`, `game_id`, `due_at` (until then the row is leased, or waits), `tries`,
`tried_at`, `sent_at` and `dropped_at`. What an earlier try may have sent was sent after `tried_at`,
which therefore moves only when it has been looked for in vain: a process may die in between.
"""

from sqlalchemy import ColumnElement, Table, Update, and_, bindparam, case, select, update

from bot.store.schema import games
from bot.store.shards import in_shards


def unsent(table: Table) -> ColumnElement[bool]:
    """The condition that a row is yet to be sent."""
    return and_(table.c.sent_at.is_(None), table.c.dropped_at.is_(None))


def one_unsent(table: Table) -> ColumnElement[bool]:
    """The condition that it is one certain row, and yet to be sent."""
    return and_(unsent(table), table.c.id == bindparam("row"))


def due(table: Table) -> ColumnElement[bool]:
    """The condition that a row of some shards is unsent and leased to nobody at a moment."""
    return and_(unsent(table), table.c.due_at <= bindparam("now"), _of_game(table, in_shards))


def release(table: Table, of: ColumnElement[bool] = in_shards) -> Update:
    """End all leases on what is unsent of some games: by default those of some shards."""
    return update(table).where(unsent(table), _of_game(table, of)).values(due_at=bindparam("now"))


def claim(table: Table) -> Update:
    """Lease one row, if it is leased to nobody, and count the try."""
    began = case((table.c.tries == 0, bindparam("now")), else_=table.c.tried_at)
    return (
        update(table)
        .where(one_unsent(table), table.c.due_at <= bindparam("now"))
        .values(due_at=bindparam("until"), tried_at=began, tries=table.c.tries + 1)
    )


def renew(table: Table) -> Update:
    """Lease one row for longer, if nobody has touched its lease."""
    return (
        update(table)
        .where(one_unsent(table), table.c.due_at == bindparam("held"))
        .values(due_at=bindparam("until"))
    )


def begin(table: Table) -> Update:
    """Begin to send one row, of which it is known that no earlier try has sent it."""
    return update(table).where(one_unsent(table)).values(tried_at=bindparam("at"))


def postpone(table: Table) -> Update:
    """Let one row wait."""
    return update(table).where(one_unsent(table)).values(due_at=bindparam("until"))


def drop(table: Table) -> Update:
    """Give one row up."""
    return update(table).where(one_unsent(table)).values(dropped_at=bindparam("at"))


def _of_game(table: Table, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return select(games.c.id).where(games.c.id == table.c.game_id, condition).exists()
