"""Writes games to their pairings, within the games' transactions."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, literal_column, update

from bot.base.ids import MessageId
from bot.database.connection import AsyncConnection
from bot.database.database import Conflict
from bot.play.model.game import GameRow
from club.tournaments.model import rules
from club.tournaments.model.results import PairingEnd
from club.tournaments.model.tournament import (
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
)
from club.tournaments.schema import tournaments
from club.tournaments.store import rows

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
    place: tuple[int, int], message: MessageId, connection: AsyncConnection, row: GameRow
) -> None:
    """Link a new game to its pairing, in the transaction that starts it.

    Raises:
        Conflict: if it already has a game or a result, if its players have changed, or if the
            tournament is over.
    """
    assert row.tournament is not None  # it is one of a tournament # noqa: S101
    await connection.execute(_touch, {"tournament": row.tournament})
    before = await rows.read_tournament(connection, row.tournament)
    pairing = None if before is None else before.pairing_at(place)
    if (
        before is None
        or pairing is None
        or not before.waits(pairing)
        or pairing.players != (row.white, row.black)
    ):
        raise Conflict(f"pairing {place} of tournament {row.tournament} is begun")
    await rows.update_pairing(connection, before.id, replace(pairing, game=row.id, message=message))


async def end_pairing(
    connection: AsyncConnection,
    row: GameRow,
    decided: PairingEnd,
    at: datetime,
    *,
    counts: bool = True,
) -> Tournament | None:
    """Decide an ending game's pairing in its transaction, and make its tournament due.

    A ladder's game has no pairing before its end. If it counts, its pairing is added now, without
    asking the players anything.

    An ended tournament is not changed. Absent players are not paired again if no-shows are
    withdrawn.

    Return the tournament after that, or None if it was deleted.
    """
    assert row.tournament is not None  # checked by the caller # noqa: S101
    key = {"tournament": row.tournament}
    is_running = (await connection.execute(_touch_due, {**key, "at": at})).rowcount == 1
    before = await rows.read_tournament(connection, row.tournament)
    if before is None:
        return None
    if is_running and before.terms.format is TournamentFormat.LADDER:
        if counts:
            await _add_to_ladder(connection, before, row, decided, at)
    elif is_running:
        await _decide(connection, before, row, decided, at)
    return await rows.read_tournament(connection, row.tournament)


async def _decide(
    connection: AsyncConnection,
    before: Tournament,
    row: GameRow,
    decided: PairingEnd,
    at: datetime,
) -> None:
    pairing = before.pairing_of(row.id)
    if pairing is None or pairing.result is not None:
        return
    ended = decided.apply_to(pairing)
    await rows.update_pairing(connection, before.id, ended)
    after = rules.decided(before, [ended], decided.absent)
    await rows.write_entrants(connection, rows.TournamentChange(before, after), at)


async def _add_to_ladder(
    connection: AsyncConnection,
    before: Tournament,
    row: GameRow,
    decided: PairingEnd,
    at: datetime,
) -> None:
    numbers = await rows.read_numbers(connection, {"tournament": before.id})
    if row.white not in numbers or row.black not in numbers:
        return  # a player's data was deleted
    new = Pairing(
        round=1,
        board=max((pairing.board for pairing in before.pairings), default=0) + 1,
        white=row.white,
        black=row.black,
        result=decided.result or PairingResult.NEITHER,
        margin=decided.margin,
        forfeit=decided.forfeit or decided.result is None,
        game=row.id,
        # A thread has the id of its first message.
        message=MessageId(row.channel) if row.own_thread else None,
    )
    await rows.insert_pairing(connection, before.id, new, numbers, at)
