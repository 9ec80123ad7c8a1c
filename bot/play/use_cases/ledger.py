"""Writes the events of games. Every change to a game goes through this module."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from bot.base import ids
from bot.base.errors import AlreadyHandled, PlayError, StoreError
from bot.base.ids import SourceId
from bot.database.database import Conflict
from bot.play.foresight import Foresight, PlansChanged, PlansInChange
from bot.play.game_changes import (
    BoardAddition,
    GameChange,
    GameHook,
    GameUpdate,
    TransactionStep,
)
from bot.play.model.conduct import offer_ping
from bot.play.model.events import AnyEventData, AppliedEvent, Event, Moved, apply_event
from bot.play.model.explanations import explains
from bot.play.model.familiarity import NEWCOMERS, Familiarity
from bot.play.model.game import AutoMoveReason, Game, GameRow, before_start
from bot.play.model.pauses import NO_PAUSES, NewVacation, Pause, PauseReason, Pauses
from bot.play.model.preferences import AUTOMATIC
from bot.play.model.typed import KeptPlan
from bot.play.store.changes import NewGame
from bot.play.store.store import Store
from bot.play.use_cases import deadlines
from bot.play.use_cases.game_cache import GameCache

_T = TypeVar("_T")
IsHandled = Callable[[SourceId], Awaitable[bool]]
"""Returns True if a source was already handled."""


async def retry_on_conflict(
    store: Store,
    do: Callable[[], Awaitable[_T]],
    *,
    source: SourceId | None = None,
    is_handled: IsHandled | None = None,
) -> _T:
    """Run `do` until it writes without a conflict.

    `do` loads the current state, checks the request and writes. If another writer comes first, `do`
    runs again on the new state. If the request is refused or conflicts, but its source was already
    handled, AlreadyHandled is raised instead.

    `is_handled` returns True if the source was handled outside games and challenges.

    Raises:
        AlreadyHandled: if this source was already handled.
        The same errors as `do`, except Conflict.
    """
    while True:
        try:
            return await do()
        except Conflict:
            await check_not_handled(store, source, is_handled)
        except PlayError:
            await check_not_handled(store, source, is_handled)
            raise


async def check_not_handled(
    store: Store, source: SourceId | None, is_handled: IsHandled | None = None
) -> None:
    """Check that a source has not been handled yet, or raise AlreadyHandled."""
    if source is not None and (
        await store.games.has_source(source)
        or await store.challenges.has_source(source)
        or (is_handled is not None and await is_handled(source))
    ):
        raise AlreadyHandled


@dataclass(frozen=True, slots=True)
class GameAction:
    """A player's action, and the game that it is based on."""

    game: Game
    """The game before the action. Writing fails if the game's next revision is taken."""
    actor: ids.UserId
    data: tuple[AnyEventData, ...]
    """The data of the action's events in order, at least one."""
    plan: KeptPlan | None = None
    """The actor's new plan, which replaces their old one."""
    clears_plan_of: ids.UserId | None = None
    """A player whose plan this action discards."""
    step: TransactionStep | None = None
    """Work in the same transaction. It can reject the action if it is no longer justified."""
    vacation: NewVacation | None = None
    """A vacation that this action starts for the actor."""


class Ledger:
    """Writes the events of actions, and what hooks add to them, in one transaction."""

    def __init__(
        self,
        store: Store,
        game_cache: GameCache,
        *,
        now: Callable[[], datetime],
        hooks: Sequence[GameHook] = (),
        foresight: Foresight,
    ) -> None:
        """Create a ledger that writes to a store. Hooks that lock users' rows run last."""
        self._store = store
        self._game_cache = game_cache
        self._now = now
        self._hooks = hooks
        self.foresight = foresight

    async def write_decided(
        self, find: Callable[[], Awaitable[GameAction]], *, source: ids.SourceId | None
    ) -> GameUpdate:
        """Decide on an action and write it. On a conflict, decide again.

        `source` is None for clocks and for the machine.

        Raises:
            AlreadyHandled: if this source was already handled.
            The same errors as `find`.
        """

        async def do() -> GameUpdate:
            return await self.write(await find(), source=source)

        return await retry_on_conflict(self._store, do, source=source)

    async def write(self, action: GameAction, *, source: ids.SourceId | None) -> GameUpdate:
        """Write an action, and the planned and forced moves that follow, in one transaction.

        The clock and the machine have no source.

        Raises:
            Conflict: if the game has changed or ended, or the source has already changed a game.
            StoreError: if the database can't be used.
            Any error of the vacation check.
        """
        try:
            return await self._write(action, source)
        except StoreError as error:
            error.writing = True  # the write itself failed, not a read before it
            raise

    async def _write(self, action: GameAction, source: ids.SourceId | None) -> GameUpdate:
        game = action.game
        now, pauses = self._now(), await self.pauses(game)
        if pauses.is_first_send:
            pauses = pauses.excluding(PauseReason.UNSENT)
        if action.vacation is not None:
            pauses = replace(pauses, intervals=[*pauses.intervals, _pause(action.vacation)])
        steps = _EventBuilder(game, now, pauses)
        for number, data in enumerate(action.data):
            steps.append(action.actor, data, source if number == 0 else None)
        plans = self.foresight.known_plans(game.row.id)
        while True:
            all_steps = steps.copy()
            plans_in_change = plans.in_change(
                game, steps.events, action.plan, action.clears_plan_of
            )
            if action.data[-1].changes_position:
                await self._play_planned_moves(all_steps, plans_in_change)
            try:
                return await self._append(action, all_steps, plans_in_change, pauses)
            except PlansChanged as conflict:
                plans = conflict.plans

    async def begin(self, new: NewGame, *, source: ids.SourceId) -> GameUpdate:
        """Write a new game, its first events and its deliveries in one transaction.

        Raises:
            Conflict: if the channel has a running game, the source has already changed a game, the
                challenge is closed, another game continues the same one, or its pairing already has
                a game or a result.
            The errors of the checks on accepting a challenge.
        """
        is_unattended = new.row.rated and new.row.clock is None
        row = replace(new.row, claimable=new.row.claimable or is_unattended)
        for hook in self._hooks:
            row = await hook.on_new_game(row)
        game, copied = before_start(row), new.copied
        if copied:
            _, game = (await self._game_cache.apply_events(game, copied))[-1]
        steps = _EventBuilder(game, self._now(), Pauses())
        steps.append(new.actor, new.data, source)
        after, (applied,) = steps.game, steps.events
        familiar = await self.familiarity(after, steps.events)
        row, deliveries = await self._store.changes.begin(
            replace(new, row=replace(row, revision=after.row.revision)),
            after,
            applied.event,
            check_at=_first_check(after.row, steps.at),
        )
        after = replace(after, row=replace(after.row, id=row.id), familiar=familiar)
        applied = replace(applied, event=replace(applied.event, game=row.id))
        self._game_cache.put(after)
        pauses = await self.pauses(after)
        events = (applied,)
        belongs = row.tournament is not None  # only such a game has additions at its start
        return GameUpdate(
            after,
            events,
            deliveries,
            await self.deadline(after, pauses),
            after.displayed_pause(pauses, steps.at),
            additions=await self.reload_additions(after, events, ids.BEFORE_START, row.revision)
            if belongs
            else (),
            familiar=familiar,
        )

    async def familiarity(self, game: Game, events: Sequence[AppliedEvent]) -> Familiarity:
        """Return what the players of a game already know, if its board would explain it.

        Teams always count as newcomers, because any member may be new.
        """
        if not explains(game, events) or game.row.vote is not None:
            return NEWCOMERS
        return game.familiar or await self._store.games.familiarity(game.row)

    async def pauses(self, game: Game) -> Pauses:
        """Return a game's pauses from the current turn on, or none if it has no clock."""
        if game.clock is None:
            return NO_PAUSES
        return await deadlines.known_pauses(self._store, game, self._now())

    async def deadline(self, game: Game, pauses: Pauses | None = None) -> datetime | None:
        """Return when the turn or the vote ends, given the pauses known so far.

        The pauses can be passed in, if they are known from this turn or an earlier one.
        """
        if game.is_voted:
            return await deadlines.vote_ends(self._store, game, self._now())
        if game.clock is None:
            return None
        if pauses is None:
            pauses = await self.pauses(game)
        return game.deadline(pauses, self._now())

    async def deadline_or_desertion(self, game: Game) -> datetime | None:
        """Return when the turn ends or its player counts as gone, given the pauses known so far."""
        if game.clock is not None:
            return await self.deadline(game)
        return await deadlines.deserted_at(self._store, game, self._now())

    async def decided_at(self, game: Game) -> datetime | None:
        """Return when the waiting player can decide what happens, or None if never."""
        return await self.deadline_or_desertion(game) if game.leaves_flags else None

    async def reload_additions(
        self, game: Game, events: Sequence[AppliedEvent], after: ids.Revision, until: ids.Revision
    ) -> tuple[BoardAddition, ...]:
        """Reload the features' additions between two revisions of a game."""
        hooks = self._hooks_of(game.row)
        additions = [await hook.reload(game, events, after, until) for hook in hooks]
        return tuple(step for step in additions if step is not None)

    async def _append(
        self,
        action: GameAction,
        steps: "_EventBuilder",
        plans: PlansInChange,
        pauses: Pauses,
    ) -> GameUpdate:
        game, after, first = action.game, steps.game, steps.events[0].event
        deadline = await self.deadline(after, pauses)
        change = GameChange(
            before=game,
            after=after,
            events=tuple(steps.events),
            at=steps.at,
            check_at=None
            if deadline is None
            else deadlines.first_check_at(after, deadline, steps.at),
            ping=None if first.kind is Moved else offer_ping(game, first),
            vacation=action.vacation,
        )
        familiar = await self.familiarity(after, change.events)
        prepared = await self._transaction_steps(change, action.step, plans)
        deliveries, additions = await self._store.changes.append(change, prepared)
        self._game_cache.put(after)
        note = None if action.plan is None else plans.note_of(action.actor, after)
        return GameUpdate(
            after,
            change.events,
            deliveries,
            deadline,
            after.displayed_pause(pauses, steps.at),
            note,
            additions=additions,
            familiar=familiar,
        )

    async def _transaction_steps(
        self, change: GameChange, step: TransactionStep | None, plans: PlansInChange
    ) -> tuple[TransactionStep, ...]:
        """Return the features' work for the transaction of a change, in the order of the hooks."""
        prepared = [step, plans.transaction_step(change.after)]
        for hook in self._hooks_of(change.after.row):
            prepared.append(await hook.on_change(change))
            if change.after.outcome is not None:
                prepared.append(await hook.on_end(change))
        return tuple(step for step in prepared if step is not None)

    def _hooks_of(self, row: GameRow) -> list[GameHook]:
        return [hook for hook in self._hooks if hook.scope.includes(row)]

    async def _play_planned_moves(self, steps: "_EventBuilder", plans: PlansInChange) -> None:
        """Play planned moves, and forced moves for players who turned that on.

        The loop ends, because each pass uses up a planned or a forced move.
        """
        while (player := steps.game.to_move) is not None:
            move, reason = plans.take_next_move(steps.game), AutoMoveReason.LISTED
            legal = steps.game.position.legal_moves()
            if move is None and len(legal) == 1 and await self._automatic(player):
                move, reason = legal[0], AutoMoveReason.ONLY
            if move is None:
                return
            steps.append(player, Moved(move, reason), None)
            plans.follow(steps.events[-1].event)

    async def _automatic(self, player: ids.UserId) -> bool:
        return ids.is_team(player) or (await self._store.players.get(player)).is_on(AUTOMATIC)


def _pause(new: NewVacation) -> Pause:
    begins, ends = new.interval.begins, new.interval.ends
    return Pause(begins=begins, ends=ends, reason=PauseReason.VACATION, player=new.player)


def _first_check(row: GameRow, now: datetime) -> datetime | None:
    """Return when a new game is first checked, for its clock or for inactivity."""
    if row.clock is not None or row.vote is not None:
        return now
    is_unattended = row.machine is None or row.claimable
    return deadlines.check_time(row, now + deadlines.PATIENCE, now) if is_unattended else None


class GameUseCase:
    """A use case that reads games and changes them through the ledger."""

    def __init__(
        self, store: Store, game_cache: GameCache, ledger: Ledger, *, now: Callable[[], datetime]
    ) -> None:
        self._store, self._game_cache, self._ledger, self._now = store, game_cache, ledger, now


class _EventBuilder:
    """Applies events one at a time."""

    def __init__(self, game: Game, at: datetime, pauses: Pauses) -> None:
        self.game = game
        # Rounded as the database stores it, so that reloading gives the same time.
        self.at = at - timedelta(microseconds=at.microsecond % 1000)
        self.events: list[AppliedEvent] = []
        self._known = pauses

    def copy(self) -> "_EventBuilder":
        other = _EventBuilder(self.game, self.at, self._known)
        other.events = list(self.events)
        return other

    def append(self, actor: ids.UserId, data: AnyEventData, source: ids.SourceId | None) -> None:
        event = Event(
            game=self.game.row.id,
            revision=ids.Revision(self.game.row.revision + 1),
            data=data,
            actor=actor,
            source=source,
            used=self._time_used() if data.clock_runs else None,
            at=self.at,
        )
        applied, self.game = apply_event(self.game, event)
        self.events.append(applied)

    def _time_used(self) -> timedelta | None:
        game, clock = self.game, self.game.clock
        if clock is None:
            return None
        return game.turn_pauses(self._known, self.at).elapsed(clock.since, self.at)
