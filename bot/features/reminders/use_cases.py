"""Queues reminders for players whose time is running out, and checks whether they still apply."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import structlog

from bot.base.errors import StoreError
from bot.base.ids import ChannelId, GameId, MessageId, Shards, UserId
from bot.database.database import Conflict
from bot.database.delivery_rows import Delivery, DeliveryKind, DeliveryRoute, NewDelivery
from bot.play.game_changes import GameHook
from bot.play.model.game import Game
from bot.play.model.preferences import RemindBy
from bot.play.model.reminding import TimedTurn, remind
from bot.play.use_cases.deadlines import check_time, next_check_time, pauses, reminded_turn
from bot.play.use_cases.use_cases import UseCases

_log = structlog.get_logger()

REMINDER = DeliveryKind("reminder")
"""Kind of delivery for reminders. The key is the game, the start of the turn, and the level."""
JOIN_WITHIN = timedelta(minutes=30)
"""Time within which upcoming reminders join a message that is being sent."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Reminder:
    """The content of one reminder."""

    row: Delivery
    game: Game
    """The game's current state."""
    deadline: datetime
    board: tuple[ChannelId, MessageId] | None
    """Channel and message of its newest board."""

    @property
    def player(self) -> UserId:
        assert self.row.player is not None  # noqa: S101 - a reminder has a recipient
        return self.row.player


@dataclass(frozen=True, slots=True)
class _DueReminder:
    reminder: Reminder
    must_wait: bool
    """True if the turn may be over, which isn't known yet, or if the clock is paused."""


class Reminders(GameHook):
    """Reminds players whose time is running out."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._game_cache = cases.game_cache
        self._ledger = cases.ledger
        self._now = cases.now

    async def remind(self, game: Game, deadline: datetime, due_time: datetime) -> bool:
        """Remind the player to move if that is due, and set the timer for the next check.

        Do nothing if the timer was changed after `due_time`.
        """
        new, next_check = await self._due_reminder(game, deadline, self._now())
        if new is None:
            await self._store.timers.put_off(game.row.id, due_time, next_check)
        else:
            await self._write(new, due_time, next_check)
        return True

    async def due_soon(self, first: Delivery, shards: Shards) -> list[Delivery]:
        """Queue and return the reminders that a player would soon get in other games.

        They are sent together with the first one, by direct message or in a channel of the same
        server. If another check changes a game's timer in the meantime, the game is checked again.
        """
        player, until = first.player, self._now() + JOIN_WITHIN
        assert player is not None  # a reminder has a recipient # noqa: S101
        known_timers, reminders = set[tuple[GameId, datetime]](), list[Delivery]()
        while True:
            timers = await self._store.timers.due_before(player, shards, until)
            new = [timer for timer in timers.items() if timer not in known_timers]
            if not new:
                return reminders
            known_timers.update(new)
            for game, due_at in new:
                reminder = await self._due_with(first, game, due_at, until)
                if reminder is not None:
                    reminders.append(reminder)

    async def _due_with(
        self, first: Delivery, number: GameId, due_time: datetime, until: datetime
    ) -> Delivery | None:
        """Queue and return a game's reminder, if one is due, to be sent with another."""
        game = await self._game_cache.current(number)
        if game is None:
            return None
        deadline = await self._ledger.deadline_or_desertion(game)
        if game.to_move != first.player or deadline is None:
            return None
        new, next_check = await self._due_reminder(game, deadline, until)
        if new is None or new.route is not first.route:
            return None
        if new.route is not DeliveryRoute.DM and new.guild != first.guild:
            return None
        return await self._write(new, due_time, next_check)

    async def still_due(self, rows: Sequence[Delivery]) -> list[Reminder]:
        """Return the reminders that still apply, least time left first.

        Reminders of ended turns are dropped. At the deadline, it isn't known yet whether the turn
        is over, because time may be given back after an outage. Until it is known, the reminder
        waits. It also waits while the clock is paused, and if its game can't be read. If that is
        the only game, the error is raised instead.

        Raises:
            StoreError: if the database can't be used.
            Exception: if the only game can't be read.
        """
        reminders, ended_rows = list[Reminder](), list[Delivery]()
        for row in rows:
            try:
                candidate = await self._as_due(row)
            except StoreError:
                raise
            except Exception:
                if len(rows) == 1:
                    raise
                _log.exception("reminder failed", delivery=row.id)
                continue
            if candidate is None:
                ended_rows.append(row)
            elif not candidate.must_wait:
                reminders.append(candidate.reminder)
        await self._store.deliveries.drop(ended_rows, at=self._now())
        return sorted(reminders, key=lambda reminder: reminder.deadline)

    async def _as_due(self, row: Delivery) -> _DueReminder | None:
        """Return a delivery's reminder, and whether it waits, or None if its turn is over."""
        game = None if row.game is None else await self._game_cache.current(row.game)
        deadline = None if game is None else await self._ledger.deadline_or_desertion(game)
        turn = None if game is None or deadline is None else reminded_turn(game, deadline)
        if game is None or turn is None or not await self._is_in_turn(row, game, turn):
            return None
        now = self._now()
        turn_pauses = await pauses(self._store, game, now)
        is_waiting = turn.deadline <= now or turn_pauses.pause_at(now) is not None
        board = None if is_waiting else await self._store.deliveries.newest_board(game.row.id)
        return _DueReminder(Reminder(row, game, turn.deadline, board), is_waiting)

    async def _due_reminder(
        self, game: Game, deadline: datetime, now: datetime
    ) -> tuple[NewDelivery | None, datetime]:
        """Return the due reminder of the player to move, and the time of the next check."""
        row, turn, player = game.row, reminded_turn(game, deadline), game.to_move
        if turn is None or player is None:
            return None, next_check_time(game, deadline, self._now())
        turn_pauses = await pauses(self._store, game, self._now())
        turn, change = replace(turn, pauses=turn_pauses), turn_pauses.next_change(self._now())
        preferences = await self._store.players.get(player)
        if preferences.leaves_to_digest(now, deadline):
            moments = (preferences.next_digest(now), change, deadline)
            next_check = min(moment for moment in moments if moment is not None)
            return None, check_time(row, next_check, self._now())
        levels = [await self._last_level(row.id, turn.began)]
        if (digest := preferences.last_digest(now)) is not None and digest > turn.began:
            levels.append(deadline - digest)  # a digest has covered this turn
        reminded = min((level for level in levels if level is not None), default=None)
        step = remind(turn, preferences, reminded, now)
        # Boards show when a pause starts and ends.
        moments = (step.next_check, change, deadline)
        next_check = min(moment for moment in moments if moment is not None)
        next_check = check_time(row, next_check, self._now())
        if step.due is None:
            return None, next_check
        by_dm = preferences.remind_by is RemindBy.DM or row.visiting
        route = DeliveryRoute.DM if by_dm else DeliveryRoute.CHANNEL
        return _new(game, player, turn.began, step.due, route), next_check

    async def _write(
        self, new: NewDelivery, due_time: datetime, next_check: datetime
    ) -> Delivery | None:
        try:
            return await self._store.timers.postpone_with_delivery(
                new, due_time=due_time, next_check=next_check, at=self._now()
            )
        except Conflict:
            return None  # another process has queued it

    async def _last_level(self, game: GameId, turn_at: datetime) -> timedelta | None:
        """Return the level of the last reminder sent in a turn, or None."""
        data = await self._store.deliveries.data(REMINDER, game)
        levels = [mapping["left_ms"] for mapping in data if mapping["turn_ms"] == _ms(turn_at)]
        return min(levels) * _MILLISECOND if levels else None

    async def _is_in_turn(self, row: Delivery, game: Game, turn: TimedTurn) -> bool:
        """Return True if a reminder's turn is still running and its player wants reminders."""
        if row.player is None or game.to_move != row.player:
            return False
        if _ms(turn.began) != row.data["turn_ms"]:
            return False
        return (await self._store.players.get(row.player)).remind_by is not RemindBy.NONE


def _new(
    game: Game, player: UserId, turn_at: datetime, time_left: timedelta, route: DeliveryRoute
) -> NewDelivery:
    """Return a turn's new reminder. Its key contains the start of the turn and the level."""
    turn_ms, left_ms = _ms(turn_at), time_left // _MILLISECOND
    return NewDelivery(
        kind=REMINDER,
        key=f"{game.row.id}-{turn_ms}-{left_ms}",
        guild=game.row.guild,
        channel=game.row.channel,
        game=game.row.id,
        player=player,
        route=route,
        data={"turn_ms": turn_ms, "left_ms": left_ms},
    )


def _ms(moment: datetime) -> int:
    """Convert a moment to milliseconds since 1970."""
    return (moment - _EPOCH) // _MILLISECOND
