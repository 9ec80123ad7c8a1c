"""Add an index on the seeds of a server's boards, and end the wait for a board to be picked.

Revises: 0024
Date: 2026-11-28
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_games = sa.table(
    "games",
    *map(sa.column, ("id", "guild_id", "channel_id", "start", "outcome", "revision")),
    *map(sa.column, ("white_id", "black_id", "board")),
)
_events = sa.table(
    "events",
    *map(sa.column, ("game_id", "revision", "kind", "actor_id", "at")),
    sa.column("data", sa.JSON),
)
_deliveries = sa.table(
    "deliveries",
    *map(sa.column, ("kind", "key", "guild_id", "channel_id", "game_id", "revision", "way")),
    *map(sa.column, ("silent", "created_at", "due_at", "tries", "tried_at")),
    sa.column("data", sa.JSON),
)
_PICKS = (("pick", "white_id", {"number": 1}), ("side", "black_id", {"color": "B"}))
"""The choices in a pie start, which no longer exists: in order, each with its player."""


def upgrade() -> None:
    """Add the index, and make the choices that people have not made yet."""
    op.create_index("ix_games_seed", "games", ["guild_id", "seed"])
    settle_picks(op.get_bind())


def settle_picks(connection: sa.Connection) -> None:
    """Pick the first board, and keep the colors, in games that wait for these choices.

    Their boards are then sent, as after each turn.
    """
    unsettled = sa.select(_games).where(_games.c.start == "pie", _games.c.outcome.is_(None))
    now = time.time_ns() // 1_000_000
    for game in connection.execute(unsettled).all():
        its_kinds = sa.select(_events.c.kind).where(_events.c.game_id == game.id)
        done, number = set(connection.execute(its_kinds).scalars()), game.revision
        for kind, seat, data in _PICKS:
            if kind not in done:
                number += 1
                row = {"game_id": game.id, "revision": number, "kind": kind, "data": data}
                row |= {"actor_id": getattr(game, seat), "at": now}
                connection.execute(sa.insert(_events).values(row))
        if number == game.revision:
            continue
        # The column `board` is empty, because it is computed again when boards are compared.
        changes = {"revision": number, "board": None}
        connection.execute(sa.update(_games).where(_games.c.id == game.id).values(changes))
        letter = {"kind": "board", "key": f"{game.id}-{number}", "game_id": game.id, "data": {}}
        letter |= {"guild_id": game.guild_id, "channel_id": game.channel_id, "revision": number}
        letter |= {"way": "channel", "silent": False, "tries": 0}
        letter |= dict.fromkeys(("created_at", "due_at", "tried_at"), now)
        connection.execute(sa.insert(_deliveries).values(letter))
