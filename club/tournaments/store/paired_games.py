"""Writes games' results to their pairings, in the games' own transactions."""

from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, func, insert, literal_column, or_, select, update

from bot.base.ids import MessageId, TournamentId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import Conflict
from bot.play.model.game import GameRow
from club.tournaments.model import rules, tournament
from club.tournaments.model.results import PairingEnd, TournamentEffect, tournament_effect
from club.tournaments.schema import entrants, pairings, tournaments
from club.tournaments.store import rows

_GOES_ON = tournaments.c.state == literal_column("'running'")
_THIS = tournaments.c.id == bindparam("tournament")
_PAIRINGS_OF = pairings.c.tournament_id == bindparam("tournament")

_touch = (
    update(tournaments)
    .where(_THIS)
    .values(version=tournaments.c.version + 1)
    .returning(tournaments.c.format, tournaments.c.state)
)


def _entered(number: ColumnElement[int | None]) -> ColumnElement[int]:
    """Select the current user of an entrant's number, who may be deleted."""
    return (
        select(entrants.c.player_id)
        .where(entrants.c.tournament_id == bindparam("tournament"), entrants.c.number == number)
        .scalar_subquery()
    )


_touch_due = _touch.where(_GOES_ON).values(due_at=bindparam("at"))
_open = (
    update(pairings)
    .where(
        _PAIRINGS_OF,
        pairings.c.round == bindparam("of_round"),
        pairings.c.board == bindparam("of_board"),
        pairings.c.game_id.is_(None),
        pairings.c.result.is_(None),
        _entered(pairings.c.white) == bindparam("by_white"),
        or_(pairings.c.black.is_(None), _entered(pairings.c.black) == bindparam("by_black")),
    )
    .values(game_id=bindparam("game"), message_id=bindparam("message"))
)
_end = (
    update(pairings)
    .where(pairings.c.game_id == bindparam("game"), pairings.c.result.is_(None))
    .values(
        result=bindparam("new_result"),
        margin=bindparam("new_margin"),
        forfeit=bindparam("new_forfeit"),
    )
)
_newest_board = select(func.max(pairings.c.board)).where(_PAIRINGS_OF)


async def open_pairing(
    place: tuple[int, int], message: MessageId, connection: AsyncConnection, row: GameRow
) -> None:
    """Link a new game to its pairing, in the transaction that starts it.

    Raises:
        Conflict: if it already has a game or a result, if its players have changed, or if the
            tournament is over.
    """
    which = {"tournament": row.tournament}
    touched = (await connection.execute(_touch, which)).first()
    pairing = which | {"of_round": place[0], "of_board": place[1]}
    values = {"game": row.id, "message": message, "by_white": row.white, "by_black": row.black}
    opened = await connection.execute(_open, pairing | values)
    if (
        touched is None
        or touched.state != tournament.TournamentState.RUNNING
        or opened.rowcount != 1
    ):
        raise Conflict(f"pairing {place} of tournament {row.tournament} is begun")


async def end_pairing(
    connection: AsyncConnection,
    row: GameRow,
    decided: PairingEnd,
    at: datetime,
    *,
    counts: bool = True,
) -> TournamentEffect | None:
    """Decide the pairing of an ending game in its transaction, and make its tournament due.

    A ladder's game has no pairing before its end. It is added now, without questions to players,
    unless it doesn't count.

    An ended tournament is not changed. Absent players are not paired again if no-shows are
    withdrawn.

    Returns:
        The effect on the tournament, or None if the tournament was deleted.
    """
    assert row.tournament is not None  # checked by the caller # noqa: S101
    which = {"tournament": row.tournament}
    touched = (await connection.execute(_touch_due, {**which, "at": at})).first()
    if touched is not None and touched.format == tournament.TournamentFormat.LADDER:
        if counts:
            await _add_to_ladder(connection, row, decided, at)
    elif touched is not None:
        values = {
            "new_result": decided.result,
            "new_margin": decided.margin,
            "new_forfeit": decided.forfeit,
        }
        ended = await connection.execute(_end, {"game": row.id, **values})
        if ended.rowcount == 1 and decided.absent:
            await _take_out(connection, row.tournament, decided.absent, at)
    after = await rows.read_tournament(connection, row.tournament)
    return None if after is None else tournament_effect(after, row.id, decided)


async def _take_out(
    connection: AsyncConnection, number: TournamentId, absent: frozenset[UserId], at: datetime
) -> None:
    """Withdraw players who were absent from a game, if no-shows are withdrawn."""
    before = await rows.read_tournament(connection, number)
    if before is not None:
        after = rules.decided(before, (), absent)
        await rows.write_entrants(connection, rows.TournamentChange(before, after), at)


async def _add_to_ladder(
    connection: AsyncConnection, row: GameRow, decided: PairingEnd, at: datetime
) -> None:
    which = {"tournament": row.tournament}
    numbers = await rows.read_numbers(connection, which)
    if row.white not in numbers or row.black not in numbers:
        return  # a player's data was deleted
    board = (await connection.execute(_newest_board, which)).scalar() or 0
    values = {
        "tournament_id": row.tournament,
        "round": 1,
        "board": board + 1,
        "white": numbers[row.white],
        "black": numbers[row.black],
        "result": decided.result or tournament.PairingResult.NEITHER,
        "margin": decided.margin,
        "forfeit": decided.forfeit or decided.result is None,
        "game_id": row.id,
        # A thread has the id of its first message.
        "message_id": row.channel if row.own_thread else None,
        "paired_at": at,
    }
    await connection.execute(insert(pairings), values)
