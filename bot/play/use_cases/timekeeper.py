"""Processes games whose timer is due, for a deadline, an inactive player or a reminder."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime

from bot.base.ids import GameId, Shards, UserId, is_deleted_user, is_team
from bot.database.database import Conflict
from bot.play.game_changes import GameHook, GameUpdate
from bot.play.model.events import Deserted, TimedOut
from bot.play.model.game import Game
from bot.play.model.refusals import BadVacation
from bot.play.model.time_events import VacationTaken
from bot.play.store.store import Store
from bot.play.teams import Teams
from bot.play.use_cases.clocks import Vacations
from bot.play.use_cases.deadlines import PATIENCE, next_check_time
from bot.play.use_cases.game_cache import GameCache
from bot.play.use_cases.ledger import GameAction, Ledger


class Timekeeper:
    """Checks games whose timer is due.

    A check can run at any time, because the events determine what is due.
    """

    def __init__(
        self,
        store: Store,
        game_cache: GameCache,
        ledger: Ledger,
        teams: Teams,
        vacations: Vacations,
        *,
        now: Callable[[], datetime],
        hooks: Sequence[GameHook] = (),
    ) -> None:
        self._store = store
        self._game_cache = game_cache
        self._ledger = ledger
        self._hooks = hooks
        self._teams = teams
        self._vacations = vacations
        self._now = now

    async def due(self, shards: Shards) -> dict[GameId, datetime]:
        """Return the games of these shards whose timer is due, with the due times."""
        return await self._store.timers.due(shards, self._now())

    async def check(
        self,
        game: GameId,
        due_time: datetime,
        *,
        received_until: Callable[[], Awaitable[datetime | None]],
    ) -> GameUpdate | None:
        """Check a game whose timer is due.

        `received_until` returns the time up to which all players' events were received, or None. It
        is called only if a deadline has passed, and a deadline after that time does not count as
        passed.
        """
        current = await self._game_cache.current(game)
        if current is not None and current.is_running and current.row.vote is not None:
            return await self._teams.check(current, due_time, received_until=received_until)
        deadline = None if current is None else await self._ledger.deadline_or_desertion(current)
        if current is not None and _machine_is_slow(current):
            deadline = self._now() + PATIENCE
        if current is None or deadline is None:
            await self._store.timers.remove(game)
            return None
        if deadline > self._now() or current.has_no_deadline:
            await self._remind(current, deadline, due_time)
            return None
        until = await received_until()
        if until is None or deadline > until:
            return None
        return await self._stop(current, deadline)

    async def _remind(self, game: Game, deadline: datetime, due_time: datetime) -> None:
        """Send a due reminder to the player to move, and set the timer for the next check."""
        for hook in self._hooks:
            if await hook.remind(game, deadline, due_time):
                return
        next_check = next_check_time(game, deadline, self._now())
        await self._store.timers.put_off(game.row.id, due_time, next_check)

    async def _stop(self, game: Game, deadline: datetime) -> GameUpdate | None:
        player = game.to_move
        assert player is not None  # only a game with a player to move has a deadline  # noqa: S101
        action = GameAction(game, player, (Deserted() if game.leaves_flags else TimedOut(),))
        if _can_be_saved(game, player) and not await self._is_in_round(game):
            vacation = await self._vacations.vacation_before_loss(player, deadline)
            if vacation is not None:
                data = VacationTaken(until_s=int(vacation.interval.ends.timestamp()))
                action = GameAction(game, player, (data,), vacation=vacation)
        # `write_decided` is not needed: if a player moves or takes a vacation at the last moment,
        # the next check decides again.
        with suppress(Conflict, BadVacation):
            return await self._ledger.write(action, source=None)
        return None

    async def _is_in_round(self, game: Game) -> bool:
        """Return True if other players are waiting for a game to end."""
        events = [await hook.event_of(game.row) for hook in self._hooks]
        return any(event is not None and event.has_rounds for event in events)


def _can_be_saved(game: Game, player: UserId) -> bool:
    """Return True if a vacation can prevent a loss on time, which it can once per turn."""
    row = game.row
    is_slow = row.clock is not None and not row.clock.is_live
    is_person = player != row.machine and not is_team(player) and not is_deleted_user(player)
    loses = not game.leaves_flags and not game.may_leave(player)
    return is_slow and is_person and loses and not row.is_strict and not game.was_saved


def _machine_is_slow(game: Game) -> bool:
    """Return True if it is the machine's turn in a game without a clock.

    It never loses through inactivity.
    """
    return game.is_running and game.row.claimable and game.to_move == game.row.machine
