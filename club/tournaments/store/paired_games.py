"""Writes games to their pairings, within the games' transactions."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, literal_column, update

from bot.base.ids import MessageId
from bot.database.connection import AsyncConnection
from bot.database.database import Conflict
from bot.play.model.game import GameRow
from club.tournaments.model.results import PairingEnd, record_game_end
from club.tournaments.model.rules import decided
from club.tournaments.model.tournament import Tournament
from club.tournaments.schema import tournaments
from club.tournaments.store.rows import TournamentChange, read_tournament, write_rows

_touch = (
    update(tournaments)
    .where(
        tournaments.c.id == bindparam("tournament"),
        tournaments.c.state == literal_column("'running'"),
    )
    .values(version=tournaments.c.version + 1)
)
_touch_due = _touch.values(due_at=bindparam("at"))


async def open_pairing(
    place: tuple[int, int],
    message: MessageId,
    at: datetime,
    connection: AsyncConnection,
    row: GameRow,
) -> None:
    """Link a new game to its pairing, in the transaction that starts it.

    Raises:
        Conflict: if it already has a game or a result, if its players have changed, or if the
            tournament is over.
    """
    assert row.tournament is not None  # it is one of a tournament # noqa: S101
    await connection.execute(_touch, {"tournament": row.tournament})
    before = await read_tournament(connection, row.tournament)
    pairing = None if before is None else before.pairing_at(place)
    if (
        before is None
        or pairing is None
        or not before.waits(pairing)
        or pairing.players != (row.white, row.black)
    ):
        raise Conflict(f"pairing {place} of tournament {row.tournament} is begun")
    after = decided(before, [replace(pairing, game=row.id, message=message)])
    await write_rows(connection, TournamentChange(before, after), at)


async def end_pairing(
    connection: AsyncConnection, row: GameRow, end: PairingEnd, at: datetime, *, counts: bool = True
) -> Tournament | None:
    """Decide an ending game's pairing in its transaction, and make its tournament due.

    An ended tournament is not changed. A ladder's game has no pairing before its end, and gets one
    now if it `counts`.

    Return the tournament after that, or None if it was deleted.
    """
    assert row.tournament is not None  # checked by the caller # noqa: S101
    key = {"tournament": row.tournament}
    is_running = (await connection.execute(_touch_due, {**key, "at": at})).rowcount == 1
    before = await read_tournament(connection, row.tournament)
    if before is None or not is_running:
        return before
    after = record_game_end(before, row, end, counts=counts)
    await write_rows(connection, TournamentChange(before, after), at)
    return await read_tournament(connection, row.tournament)
