"""People in tournaments who want nothing to be kept of them, or of whom nothing is to be any more.

Results stay: in the place of whoever played stands a number that is nobody's, and no other
entrant's. Pairings name entrants by their numbers, so nothing in them changes.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    bindparam,
    delete,
    literal,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import LAST_STAND_IN, NOBODY, TournamentId, UserId
from bot.features.tournaments.schema.seasons import badges
from bot.features.tournaments.schema.tournaments import entrants, pairings, tournaments

_PLAYER: BindParameter[Any] = bindparam("player")
_THIS: BindParameter[Any] = bindparam("tournament")
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
_MOST = 20
"""So many tournaments are made anonymous in one transaction."""

_stand_in = literal(LAST_STAND_IN, BigInteger) - entrants.c.number
_not_begun = tournaments.c.state.in_(("open", "check_in"))
_theirs = select(entrants.c.tournament_id).where(entrants.c.player_id == _PLAYER)

# Whoever has seen an older version looks again, also the director.
_touch = (
    update(tournaments)
    .where(tournaments.c.id.in_(_theirs), tournaments.c.ended_at.is_(None))
    .values(version=tournaments.c.version + 1, due_at=_AT_ONCE)
)
_leave_unbegun = delete(entrants).where(
    entrants.c.player_id == _PLAYER,
    entrants.c.tournament_id.in_(
        select(tournaments.c.id).where(tournaments.c.id.in_(_theirs), _not_begun)
    ),
)
_leave_begun = (
    update(entrants)
    .where(entrants.c.player_id == _PLAYER)
    .values(player_id=_stand_in, withdrawn=True, source_id=None)
)
_organise_no_more = (
    update(tournaments).where(tournaments.c.by_id == _PLAYER).values(by_id=NOBODY[None])
)
_no_organiser_said = (
    update(pairings).where(pairings.c.by_id == _PLAYER).values(by_id=NOBODY[None], note=None)
)

# Written out: a database that plans ahead sees that the index serves.
_IS_NAMED = tournaments.c.ended_at.is_not(None) & tournaments.c.anonymous_at.is_(None)
_named = (
    select(tournaments.c.id)
    .where(_IS_NAMED, tournaments.c.ended_at <= bindparam("until"))
    .order_by(tournaments.c.ended_at)
    .limit(_MOST)
)
_nobodys = (
    update(tournaments)
    .where(tournaments.c.id == _THIS)
    .values(by_id=NOBODY[None], anonymous_at=bindparam("moment"))
)
_no_entrants = (
    update(entrants)
    .where(entrants.c.tournament_id == _THIS)
    .values(player_id=_stand_in, source_id=None)
)
_no_notes = (
    update(pairings)
    .where(pairings.c.tournament_id == _THIS, pairings.c.by_id.is_not(None))
    .values(by_id=NOBODY[None], note=None)
)

# Whoever has won it is known by the standings alone, and there by nobody's name.
_no_badges = delete(badges).where(badges.c.tournament_id == _THIS)


async def leave_no_entries(connection: AsyncConnection, player: UserId) -> None:
    """Take somebody out of all tournaments within a transaction; what they have played stays."""
    who = {"player": player}
    for change in (_touch, _leave_unbegun, _leave_begun, _organise_no_more, _no_organiser_said):
        await connection.execute(change, who)


async def make_anonymous(
    connection: AsyncConnection, *, ended_until: datetime, at: datetime
) -> list[TournamentId]:
    """Take the people out of some tournaments that ended until a moment, within a transaction.

    Returns:
        Which tournaments; none once there are none left.
    """
    rows = (await connection.execute(_named, {"until": ended_until})).all()
    for row in rows:
        await connection.execute(_nobodys, {"tournament": row.id, "moment": at})
        for change in (_no_entrants, _no_notes, _no_badges):
            await connection.execute(change, {"tournament": row.id})
    return [TournamentId(row.id) for row in rows]
