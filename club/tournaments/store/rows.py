"""Converts tournaments to rows and back, and writes changes."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select, update

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, SourceId, TournamentId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import AnyRow
from bot.database.delivery_rows import NewDelivery
from bot.play.model.clock import TimeControl, clock_text
from bot.play.model.terms import Start
from bot.play.store.schema import games
from club.tournaments.model import rules
from club.tournaments.model.acts import LoggedAct
from club.tournaments.model.tournament import (
    Entrant,
    Pairing,
    PairingResult,
    Tournament,
    TournamentFormat,
    TournamentState,
    TournamentTerms,
)
from club.tournaments.schema import entrants, pairings, tournaments
from dvonn import Coordinates

_ENTRANT: Final = ("seed", "rating", "joined_round", "checked_in", "withdrawn", "missed")
"""Fields of an entrant that have a column of the same name."""
_THIS = tournaments.c.id == bindparam("tournament")
_ENTRANTS_OF = entrants.c.tournament_id == bindparam("tournament")
_PAIRINGS_OF = pairings.c.tournament_id == bindparam("tournament")

WITH_ENTRANTS: Final = (
    select(tournaments, *(entrants.c[name] for name in ("number", "player_id", *_ENTRANT)))
    .select_from(tournaments.outerjoin(entrants, entrants.c.tournament_id == tournaments.c.id))
    .where(_THIS)
    .order_by(entrants.c.seed)
)
"""A tournament's rows with its entrants, for `as_tournament`."""
WITH_PAIRINGS: Final = (
    select(
        tournaments.c.version.label("of_version"), pairings, games.c.ended_at.label("game_ended_at")
    )
    .select_from(
        tournaments.outerjoin(pairings, pairings.c.tournament_id == tournaments.c.id).outerjoin(
            games, games.c.id == pairings.c.game_id
        )
    )
    .where(_THIS)
    .order_by(pairings.c.round, pairings.c.board)
)
_numbers = select(entrants.c.number, entrants.c.player_id).where(_ENTRANTS_OF)
_entrant = update(entrants).where(_ENTRANTS_OF, entrants.c.number == bindparam("entrant_number"))
_leave = delete(entrants).where(_ENTRANTS_OF, entrants.c.number == bindparam("entrant_number"))
_pairing = update(pairings).where(
    _PAIRINGS_OF,
    pairings.c.round == bindparam("of_round"),
    pairings.c.board == bindparam("of_board"),
)


@dataclass(frozen=True, slots=True)
class TournamentChange:
    """A change to a tournament in one transaction, with the states before and after."""

    before: Tournament
    after: Tournament
    messages: Sequence[NewDelivery] = ()
    divisions: Sequence[Tournament] = ()
    """New divisions of a league."""
    joins: tuple[UserId, SourceId] | None = None
    """The user who joins by this change, and their interaction."""
    act: LoggedAct | None = None
    """The organizer's act, for the log."""
    first: Callable[[AsyncConnection], Awaitable[object]] | None = None
    """Work in the same transaction. It runs first, because it changes timers of games."""


async def read_tournament(
    connection: AsyncConnection, tournament: TournamentId
) -> Tournament | None:
    """Return a tournament whose row this transaction has locked, or None if it was deleted."""
    key = {"tournament": tournament}
    people = (await connection.execute(WITH_ENTRANTS, key)).all()
    paired = (await connection.execute(WITH_PAIRINGS, key)).all()
    return as_tournament(people, paired) if people and paired else None


async def put_tournament(
    connection: AsyncConnection, new: Tournament, *, source: SourceId | None, at: datetime
) -> Tournament:
    """Write a new tournament with its entrants in a transaction.

    Return it with its id.

    `source` is None for a tournament that the bot creates.
    """
    values = {
        **terms_values(new.terms),
        **progress_values(new, at),
        "source_id": source,
        "version": new.version,
        "created_at": new.created_at,
    }
    result = await connection.execute(insert(tournaments), values)
    (number,) = result.inserted_primary_key or (0,)
    stored = replace(new, id=TournamentId(number))
    await write_rows(connection, TournamentChange(replace(stored, entrants=()), stored), at)
    return stored


async def write_rows(connection: AsyncConnection, change: TournamentChange, at: datetime) -> None:
    """Write the entrants and pairings that have changed, in a transaction."""
    numbers = await _write_entrants(connection, change, at)
    key = {"tournament": change.before.id}
    before = {pairing.place: pairing for pairing in change.before.pairings}
    for pairing in change.after.pairings:
        values = _values(pairing, _PAIRING)
        if pairing.place not in before:
            values |= {
                "tournament_id": change.before.id,
                "round": pairing.round,
                "board": pairing.board,
                "white": numbers[pairing.white],
                "black": None if pairing.black is None else numbers[pairing.black],
                "paired_at": pairing.paired_at or at,
            }
            await connection.execute(insert(pairings), values)
        elif before[pairing.place] != pairing:
            place = {"of_round": pairing.round, "of_board": pairing.board}
            await connection.execute(_pairing.values(values), {**key, **place})


async def _write_entrants(
    connection: AsyncConnection, change: TournamentChange, at: datetime
) -> dict[UserId, int]:
    """Write the changed entrants. Return the numbers of all entrants, by player."""
    parameters = {"tournament": change.before.id}
    rows = await connection.execute(_numbers, parameters)
    numbers = {UserId(row.player_id): row.number for row in rows}
    before = {entrant.player: entrant for entrant in change.before.entrants}
    after = {entrant.player: entrant for entrant in change.after.entrants}
    for player in before.keys() - after.keys():
        await connection.execute(_leave, {**parameters, "entrant_number": numbers.pop(player)})
    for player, entrant in after.items():
        if before.get(player) == entrant:
            continue
        values: dict[str, Any] = {name: getattr(entrant, name) for name in _ENTRANT}
        if change.joins is not None and change.joins[0] == player:
            values["source_id"] = change.joins[1]
        if player in before:
            key = {**parameters, "entrant_number": numbers[player]}
            await connection.execute(_entrant.values(values), key)
        else:
            numbers[player] = max(numbers.values(), default=0) + 1
            values |= {
                "tournament_id": change.before.id,
                "number": numbers[player],
                "player_id": player,
                "joined_at": at,
            }
            await connection.execute(insert(entrants), values)
    return numbers


class _Column(NamedTuple):
    """A column of a tournament's terms, or of a pairing."""

    field: str
    """The field of `TournamentTerms` or `Pairing`."""
    name: str
    read: Callable[[Any], Any] = lambda value: value
    write: Callable[[Any], Any] = lambda value: value


def _seconds(duration: timedelta | None) -> int | None:
    return None if duration is None else round(duration.total_seconds())


def _duration(seconds: int | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


def _optional(parse: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else parse(value)


_TERMS: Final = (
    _Column("guild", "guild_id", GuildId),
    _Column("channel", "channel_id", ChannelId),
    _Column("organiser", "by_id", UserId),
    _Column("helper", "helper_id", _optional(UserId)),
    _Column("name", "name"),
    _Column("format", "format", TournamentFormat),
    _Column("start", "start", Start),
    _Column("clock", "clock", TimeControl.from_text, clock_text),
    _Column("coordinates", "coordinates", Coordinates, lambda names: names.value),
    _Column("rated", "rated"),
    _Column("rounds", "rounds"),
    _Column("begins_at", "begins_at"),
    _Column("round_time", "round_time_s", _duration, _seconds),
    _Column("lasts", "lasts_s", _duration, _seconds),
    _Column("twice", "twice"),
    _Column("division_size", "division_size"),
    _Column("league", "league_id", _optional(TournamentId)),
    _Column("season", "season"),
    _Column("division", "division"),
)
_PAIRING: Final = (
    _Column("result", "result", _optional(PairingResult)),
    _Column("margin", "margin"),
    _Column("forfeit", "forfeit"),
    _Column("adjudicated", "adjudicated"),
    _Column("game", "game_id", _optional(GameId)),
    _Column("message", "message_id", _optional(MessageId)),
    _Column("corrected_by", "by_id", _optional(UserId)),
    _Column("note", "note"),
    _Column("extra", "extra_s", _duration, _seconds),
)


def terms_values(terms: TournamentTerms) -> dict[str, Any]:
    """Return the column values of the organizer's terms."""
    return _values(terms, _TERMS)


def progress_values(tournament: Tournament, at: datetime) -> dict[str, Any]:
    """Return the column values of a tournament's progress."""
    fields = ("state", "round", "round_began", "began_at", "ended_at")
    progress = {field: getattr(tournament, field) for field in fields}
    return progress | {"due_at": rules.due_at(tournament, at)}


def as_tournament(people: Sequence[AnyRow], paired: Sequence[AnyRow]) -> Tournament:
    """Return a tournament from its rows: one per entrant, one per pairing."""
    row = people[0]
    entered = [row for row in people if row.number is not None]
    players = {row.number: UserId(row.player_id) for row in entered}
    return Tournament(
        id=TournamentId(row.id),
        terms=TournamentTerms(**_fields(row, _TERMS)),
        state=TournamentState(row.state),
        version=row.version,
        entrants=tuple(
            Entrant(player=players[row.number], **{name: getattr(row, name) for name in _ENTRANT})
            for row in entered
        ),
        pairings=tuple(_as_pairing(row, players) for row in paired if row.board is not None),
        round=row.round,
        round_began=row.round_began,
        created_at=row.created_at,
        began_at=row.began_at,
        ended_at=row.ended_at,
        event=row.event_id,
    )


def _as_pairing(row: AnyRow, players: Mapping[int, UserId]) -> Pairing:
    return Pairing(
        round=row.round,
        board=row.board,
        white=players[row.white],
        black=None if row.black is None else players[row.black],
        paired_at=row.paired_at,
        ended_at=row.game_ended_at,
        **_fields(row, _PAIRING),
    )


def _fields(row: AnyRow, columns: Sequence[_Column]) -> dict[str, Any]:
    return {column.field: column.read(getattr(row, column.name)) for column in columns}


def _values(part: TournamentTerms | Pairing, columns: Sequence[_Column]) -> dict[str, Any]:
    return {column.name: column.write(getattr(part, column.field)) for column in columns}
