"""The tables of notes, and their queries.

Only its author sees a note. Once both players of a finished game have shared their notes, both see
all of them, and the game's record contains them as comments.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from bot.base.ids import GameId, UserId
from bot.base.retention import DeletedKind
from bot.database.database import Queries, shielded
from bot.database.schema import WRITTEN_BY_PEOPLE, Instant, RetentionRule, RowId, metadata

LONGEST_NOTE: Final = 300

move_notes = sa.Table(
    "move_notes",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),  # moves before it
    sa.Column("text", sa.String(LONGEST_NOTE), nullable=False, info=WRITTEN_BY_PEOPLE),
    sa.Column("noted_at", Instant, nullable=False),
    sa.Index("ix_move_notes_player", "player_id"),
    sa.Index("ix_move_notes_noted", "noted_at"),
    info=RetentionRule(expires=(DeletedKind.STUDIES, "noted_at")).info,
)
shared_notes = sa.Table(
    "shared_notes",
    metadata,
    sa.Column("game_id", RowId, sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("player_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("shared_at", Instant, nullable=False),
    sa.Index("ix_shared_notes_player", "player_id"),
    sa.Index("ix_shared_notes_shared", "shared_at"),
    info=RetentionRule(expires=(DeletedKind.STUDIES, "shared_at")).info,
)


@dataclass(frozen=True, slots=True)
class Note:
    """A player's note on a position of a game."""

    player: UserId
    ply: int
    """Number of moves before it."""
    text: str


_GAME: sa.BindParameter[Any] = sa.bindparam("game")
_notes = (
    sa.select(move_notes)
    .where(move_notes.c.game_id == _GAME)
    .order_by(move_notes.c.ply, move_notes.c.player_id)
)
_sharing = sa.select(shared_notes.c.player_id).where(shared_notes.c.game_id == _GAME)
_delete_note = sa.delete(move_notes).where(
    move_notes.c.game_id == _GAME,
    move_notes.c.player_id == sa.bindparam("player"),
    move_notes.c.ply == sa.bindparam("at_ply"),
)
_unshare = sa.delete(shared_notes).where(
    shared_notes.c.game_id == _GAME, shared_notes.c.player_id == sa.bindparam("player")
)


class NoteTable(Queries):
    """The tables of notes."""

    async def of_game(self, game: GameId) -> list[Note]:
        """Return all notes on a game, in order of its moves."""
        rows = await self._database.all(_notes, {"game": game})
        return [Note(UserId(row.player_id), row.ply, row.text) for row in rows]

    async def sharing(self, game: GameId) -> frozenset[UserId]:
        """Return the players who share their notes on a game."""
        rows = await self._database.all(_sharing, {"game": game})
        return frozenset(UserId(row.player_id) for row in rows)

    @shielded
    async def write(self, game: GameId, note: Note, at: datetime) -> None:
        """Store a note, replacing the player's earlier one on the same position."""
        key = {"game": game, "player": note.player, "at_ply": note.ply}
        values = {
            "game_id": game,
            "player_id": note.player,
            "ply": note.ply,
            "text": note.text,
            "noted_at": at,
        }
        async with self._database.transaction() as connection:
            await connection.execute(_delete_note, key)
            await connection.execute(sa.insert(move_notes), values)

    @shielded
    async def share(self, game: GameId, player: UserId, at: datetime) -> None:
        """Record that a player shares their notes."""
        values = {"game_id": game, "player_id": player, "shared_at": at}
        async with self._database.transaction() as connection:
            await connection.execute(_unshare, {"game": game, "player": player})
            await connection.execute(sa.insert(shared_notes), values)
