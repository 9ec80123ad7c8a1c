"""Writes changes to games: events, which are never changed or deleted, and related rows.

Each change is one transaction. An event's class defines its fields, which are stored as JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from types import NoneType
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from sqlalchemy import bindparam, insert, update

from bot.base.ids import ChannelId, GameId, MessageId, Revision, SourceId, UserId
from bot.database.connection import AsyncConnection
from bot.database.database import (
    AnyRow,
    Conflict,
    Queries,
    insert_row,
    lock,
    lock_in_games,
    shielded,
)
from bot.database.deliveries import for_event, insert_delivery
from bot.database.delivery_rows import THREAD, Delivery, DeliveryKind, NewDelivery
from bot.play.game_changes import BoardAddition, GameChange, TransactionStep, delivery_kind
from bot.play.model.clock import clock_text
from bot.play.model.conduct import Ping
from bot.play.model.events import KINDS, AnyEventData, Event
from bot.play.model.game import AutoMoveReason, Game, GameRow, Offer
from bot.play.model.played_boards import board_text
from bot.play.model.terms import ChallengeRow, ChallengeState, StartLimits
from bot.play.store.challenges import answer, count_ping
from bot.play.store.guilds import start_limits
from bot.play.store.schema import IS_RUNNING, events, games
from bot.play.store.timers import set_timer, take_vacation
from dvonn import Color, Move, Position, parse_move, position_from_text, position_to_text

_MILLISECOND: Final = timedelta(milliseconds=1)
_READ: Final[dict[type, Callable[[Any], Any]]] = {
    bool: bool,
    int: int,
    Color: Color,
    Move: parse_move,
    Offer: Offer,
    Position: position_from_text,
    AutoMoveReason: AutoMoveReason,
}
"""Functions that parse fields, by type.

Other types aren't stored, so an event contains no names and no text.
"""
_WRITE: Final[dict[type, Callable[[Any], Any]]] = {
    bool: bool,
    int: int,
    Position: position_to_text,
}
"""Functions that write fields, by type. All other types are written as text."""


class _Field(NamedTuple):
    name: str
    default: object
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def event_of(row: AnyRow) -> Event:
    return Event(
        game=GameId(row.game_id),
        revision=Revision(row.revision),
        data=decode(row.kind, row.data),
        actor=UserId(row.actor_id),
        source=None if row.source_id is None else SourceId(row.source_id),
        used=None if row.used_ms is None else timedelta(milliseconds=row.used_ms),
        at=row.at,
    )


def event_values(event: Event) -> dict[str, Any]:
    return {
        "game_id": event.game,
        "revision": event.revision,
        "kind": event.data.name,
        "data": encode(event.data),
        "used_ms": None if event.used is None else event.used // _MILLISECOND,
        "actor_id": event.actor,
        "source_id": event.source,
        "at": event.at,
    }


def encode(data: AnyEventData) -> dict[str, Any]:
    """Return the event's fields that differ from their defaults."""
    fields = {}
    for field in _FIELDS[data.name]:
        value = getattr(data, field.name)
        if value != field.default:
            fields[field.name] = field.write(value)
    return fields


def decode(kind: str, data: Mapping[str, Any]) -> AnyEventData:
    """Parse an event that `encode` has written, given the name of its kind.

    Raises:
        KeyError: if there is no such kind, or the kind has no such field.
        TypeError, ValueError: if a field is missing or invalid.
    """
    event_type: Callable[..., AnyEventData] = KINDS[kind]
    readers = _READERS[kind]
    return event_type(**{name: readers[name](value) for name, value in data.items()})


def _fields(kind: type[AnyEventData]) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _Field(field.name, field.default, _READ[type_], _WRITE.get(type_, str))
        for field in fields(kind)
        for type_ in (_required_type(hints[field.name]),)
    )


def _required_type(hint: Any) -> type:
    """Return the type of a field, without an optional None."""
    required: type
    (required,) = (part for part in get_args(hint) or (hint,) if part is not NoneType)
    return required


_FIELDS: Final = {name: _fields(kind) for name, kind in KINDS.items()}
_READERS: Final = {
    name: {field.name: field.read for field in all_fields} for name, all_fields in _FIELDS.items()
}


_insert_game = insert(games)
_insert_events = insert(events)
_advance = (
    update(games)
    .where(games.c.id == bindparam("game"), IS_RUNNING)
    .values(
        revision=bindparam("new_revision"),
        outcome=bindparam("new_outcome"),
        winner=bindparam("new_winner"),
        margin=bindparam("new_margin"),
        ended_at=bindparam("new_ended_at"),
        board=bindparam("new_board"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """The challenge that leads to a game."""

    challenge: ChallengeRow
    check: Callable[[StartLimits], None]
    """Receives both players' limits, and raises an error if the game is not allowed."""
    ping: Ping | None = None
    """Ping whose check fails if a player has blocked the other or was pinged too often."""


NO_GAME_ID: Final = GameId(0)
"""Placeholder for the id of a game that has not been written yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A new game that is about to be written."""

    row: GameRow
    """The game, with the id `NO_GAME_ID`."""
    actor: UserId
    data: AnyEventData
    """The data of the game's first event."""
    copied: Sequence[Event] = ()
    """Events of another game, with their revisions, to copy into this one."""
    thread_parent: ChannelId | None = None
    """The channel where a thread is opened for the game, or None."""
    accepts: Acceptance | None = None
    step: TransactionStep | None = None
    """Work in the same transaction, after the game has received an id."""


class EventStore(Queries):
    """Writes changes to games. In a conflict, nothing is written."""

    @shielded
    async def begin(
        self,
        new: NewGame,
        after: Game,
        event: Event,
        *,
        check_at: datetime | None,
    ) -> tuple[GameRow, tuple[Delivery, ...]]:
        """Write a new game, its events and its deliveries in one transaction.

        Args:
            new: The game, with the references that hooks added.
            after: The game after its first event.
            event: Its first event.
            check_at: When the game is checked next, if ever.

        Raises:
            Conflict: if the channel has a running game, a source has already changed a game, the
                challenge is closed, another game continues the same one, or its pairing already has
                a game or a result.
            The errors of the checks on accepting a challenge.
        """
        unnumbered, accepts = new.row, new.accepts
        async with self._database.transaction() as connection:
            await lock_in_games(connection, (unnumbered.white, unnumbered.black))
            if accepts is not None:
                challenger = accepts.challenge.terms.challenger
                is_white = challenger == unnumbered.white
                opponent = unnumbered.black if is_white else unnumbered.white
                limits = start_limits(
                    connection, unnumbered.guild, challenger, opponent, at=event.at
                )
                accepts.check(await limits)
            row = await _add_game(connection, unnumbered, board_text(after), event.at)
            if new.step is not None:
                await new.step(connection, row)
            if accepts is not None:
                state, challenge = ChallengeState.ACCEPTED, accepts.challenge
                await answer(connection, challenge.id, state, at=event.at, game=row.id)
            all_events = [replace(copied, game=row.id) for copied in (*new.copied, event)]
            await connection.execute(
                _insert_events, [event_values(stored) for stored in all_events]
            )
            if accepts is not None and accepts.ping is not None:
                await count_ping(connection, accepts.ping)
            if check_at is not None:
                await set_timer(connection, row.id, row.guild, check_at)
            to_send = []
            if new.thread_parent is not None:
                thread = NewDelivery(
                    kind=THREAD,
                    guild=row.guild,
                    channel=new.thread_parent,
                    message=MessageId(row.channel),
                )
                to_send.append(thread)
            to_send += _channel_deliveries(row, delivery_kind(after, event))
            deliveries = [
                await _insert_delivery(connection, all_events[-1], delivery) for delivery in to_send
            ]
        return row, tuple(deliveries)

    @shielded
    async def append(
        self, change: GameChange, steps: Sequence[TransactionStep]
    ) -> tuple[tuple[Delivery, ...], tuple[BoardAddition, ...]]:
        """Write a change and its deliveries in one transaction.

        Args:
            change: The change, which was decided on the game before it.
            steps: Work of features in the same transaction, in order. Hooks that lock people's rows
                come last.

        Returns:
            The deliveries for the caller to send, and the features' additions to the board.

        Raises:
            Conflict: if the game has ended, a revision is taken, or a source has already changed a
                game.
            Any error of the vacation check.
        """
        row, after, newest = change.before.row, change.after, change.events[-1].event
        outcome = after.outcome
        advance = {
            "game": row.id,
            "new_revision": newest.revision,
            "new_outcome": None if outcome is None else outcome.reason,
            "new_winner": None if outcome is None else outcome.winner,
            "new_margin": None if outcome is None else outcome.margin,
            "new_ended_at": None if outcome is None else newest.at,
            "new_board": board_text(after),
        }
        async with self._database.transaction(quick=True) as connection:
            if change.vacation is not None:  # manual vacations lock in this order, too
                await lock(connection, change.vacation.player)
            if (await connection.execute(_advance, advance)).rowcount != 1:
                raise Conflict(f"game {row.id} has ended")
            await connection.execute(
                _insert_events, [event_values(applied.event) for applied in change.events]
            )
            if change.ping is not None:
                await count_ping(connection, change.ping)
            # Without a clock, the timer waits for the day when a player may count as inactive.
            if row.clock is not None or row.vote is not None or outcome is not None:
                await set_timer(connection, row.id, row.guild, change.check_at)
            deliveries = [
                await _insert_delivery(connection, newest, new)
                for new in _channel_deliveries(row, delivery_kind(after, newest))
            ]
            additions = [await step(connection, row) for step in steps]
            if change.vacation is not None:
                await take_vacation(connection, change.vacation, newest.at)
        return tuple(deliveries), tuple(addition for addition in additions if addition is not None)


async def _add_game(
    connection: AsyncConnection, row: GameRow, board: str | None, at: datetime
) -> GameRow:
    """Insert a running game, and return it with its id."""
    values = {
        "guild_id": row.guild,
        "channel_id": row.channel,
        "white_id": row.white,
        "black_id": row.black,
        "coordinates": row.coordinates.value,
        "start": row.start,
        "seed": row.seed,
        "clock": clock_text(row.clock),
        "machine_id": row.machine,
        "level": row.level,
        "continues_id": row.continues,
        "own_thread": row.own_thread,
        "visiting": row.visiting,
        "vote_s": None if row.vote is None else round(row.vote.total_seconds()),
        "tournament_id": row.tournament,
        "rated": row.rated,
        "engine": row.engine,
        "claimable": row.claimable,
        "revision": row.revision,
        "board": board,
        "created_at": at,
    }
    return replace(row, id=GameId(await insert_row(connection, _insert_game, values)))


async def _insert_delivery(connection: AsyncConnection, event: Event, new: NewDelivery) -> Delivery:
    """Insert the delivery that announces an event, to be sent by the caller."""
    of_event = for_event(new, event.game, event.revision)
    return await insert_delivery(connection, of_event, at=event.at, is_ours=True)


def _channel_deliveries(row: GameRow, kind: DeliveryKind | None) -> list[NewDelivery]:
    """Return the delivery for a game's channel, if there is one."""
    return [] if kind is None else [NewDelivery(kind=kind, guild=row.guild, channel=row.channel)]
