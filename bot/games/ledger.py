"""The one place where games change: events are written, with all that follows by itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.games.archive import Archive
from bot.games.events import advance
from bot.games.pauses import pauses
from bot.games.update import LEASE, Update
from bot.model.clock import Interval, elapsed, runs_out
from bot.model.conduct import offering
from bot.model.events import EventKind, EventRow
from bot.model.game import LISTED, ONLY, Game, Told
from bot.model.ids import Revision, SourceId, UserId
from bot.model.lists import Plan, next_placement
from bot.model.reminding import Turn, earliest
from bot.store import PlansChanged, Store
from bot.store.rows import Change
from dvonn import Move

_AT_THE_LATEST = timedelta(days=1)
_CLOCK_RAN = (
    EventKind.MOVE,
    EventKind.PICK,
    EventKind.SIDE,
    EventKind.FINISH,
    EventKind.TIMEOUT,
)
_BRINGS_A_TURN = (EventKind.MOVE, EventKind.SIDE, EventKind.FINISH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that somebody does in a game."""

    kind: EventKind
    actor: UserId
    move: Move | None = None
    detail: str | None = None


class Ledger:
    """Writes events. The time comes in as an argument."""

    def __init__(self, store: Store, archive: Archive, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._archive = archive
        self._now = now

    async def write(
        self,
        game: Game,
        deeds: Iterable[Deed],
        *,
        source: SourceId | None,
        plan: Plan | None = None,
        without_plan_of: UserId | None = None,
    ) -> Update:
        """Carry deeds out, and what follows from lists and only moves: all in one transaction.

        Args:
            game: The game as it was seen last; that its next revision is free proves it right.
            deeds: What is done, in order; at least one.
            source: The message or interaction that asked for it; None for a clock or a list.
            plan: What the actor wants to place later on, in place of what he had planned.
            without_plan_of: Whose plan is out of date by this.

        Raises:
            Conflict: if the game has moved on or ended, or the source has changed a game before.
        """
        deeds = tuple(deeds)
        still = [] if game.clock is None else await pauses(self._store, game)
        steps = _Steps(game, self._now(), still)
        for number, deed in enumerate(deeds):
            steps.take(deed, source if number == 0 else None)
        thought: Mapping[UserId, Plan] = {}
        while True:
            stand = {who: one for who, one in thought.items() if who != without_plan_of}
            if plan is not None:
                stand[deeds[0].actor] = plan
            all_steps = steps.copy()
            if deeds[-1].kind in _BRINGS_A_TURN:
                await self._follow_up(all_steps, stand)
            try:
                return await self._append(game, all_steps, thought, stand)
            except PlansChanged as changed:
                thought = changed.plans

    async def deadline(self, game: Game) -> datetime | None:
        """When the time of the player to move is up, as far as is known."""
        control, clock, turn = game.row.clock, game.clock, game.turn
        if control is None or clock is None or turn is None:
            return None
        still = await pauses(self._store, game)
        return runs_out(clock.since, clock.left(turn), still, control.weekends)

    async def _append(
        self,
        game: Game,
        steps: "_Steps",
        thought: Mapping[UserId, Plan],
        stand: Mapping[UserId, Plan],
    ) -> Update:
        after = steps.game
        deadline = await self.deadline(after)
        seats = (after.row.white, after.row.black)
        change = Change(
            events=tuple(told.event for told in steps.told),
            state=after.row.state,
            seats=seats if seats != (game.row.white, game.row.black) else None,
            to_move=after.calls(steps.told[-1].event),
            plans=thought if game.is_placing else None,
            plans_after=stand if after.is_placing else {},
            look_at=None if deadline is None else first_look(after, deadline, steps.at),
            ping=offering(game, steps.told[0].event),
        )
        letter = await self._store.games.append(game.row, change, lease_until=steps.at + LEASE)
        self._archive.keep(after)
        kept = change.plans_after.get(steps.told[0].event.actor)
        return Update(after, tuple(steps.told), (letter,), deadline, kept)

    async def _follow_up(self, steps: "_Steps", plans: dict[UserId, Plan]) -> None:
        """Play what players have listed, and only moves for those who want that."""
        while (player := steps.game.to_move) is not None:
            move, why = None, LISTED
            if steps.game.is_placing and player in plans:
                move, rest = next_placement(plans.pop(player), steps.game.position)
                if rest is not None:
                    plans[player] = rest
            legal = steps.game.position.legal_moves()
            if move is None and len(legal) == 1 and await self._automatic(player):
                move, why = legal[0], ONLY
            if move is None:
                return
            steps.take(Deed(kind=EventKind.MOVE, actor=player, move=move, detail=why), None)

    async def _automatic(self, player: UserId) -> bool:
        return (await self._store.players.get(player)).automatic


def first_look(game: Game, deadline: datetime, now: datetime) -> datetime:
    """When somebody may have to be reminded for the first time, whatever he has chosen."""
    control, clock, turn = game.row.clock, game.clock, game.turn
    if control is None or control.is_live or clock is None or turn is None:
        return deadline
    whole = Turn(began=clock.since, left=clock.left(turn), deadline=deadline)
    return soon_enough(max(earliest(whole), now), now)


def soon_enough(moment: datetime, now: datetime) -> datetime:
    """When to look at a game, at the latest tomorrow.

    A vacation that is ended early wakes its games at once; but a move that is being written at that
    moment may set the timer of its game from what it knew before.
    """
    return min(moment, now + _AT_THE_LATEST)


class _Steps:
    """Events as they are carried out one after the other."""

    def __init__(self, game: Game, at: datetime, still: list[Interval]) -> None:
        self.game = game
        # As the database keeps it: what is read anew is the same.
        self.at = at - timedelta(microseconds=at.microsecond % 1000)
        self.told: list[Told] = []
        self._still = still

    def copy(self) -> "_Steps":
        """The same steps, from which to go on."""
        other = _Steps(self.game, self.at, self._still)
        other.told = list(self.told)
        return other

    def take(self, deed: Deed, source: SourceId | None) -> None:
        """Carry one deed out."""
        event = EventRow(
            game=self.game.row.id,
            revision=Revision(self.game.row.revision + 1),
            kind=deed.kind,
            move=None if deed.move is None else str(deed.move),
            detail=deed.detail,
            actor=deed.actor,
            source=source,
            used=self._used() if deed.kind in _CLOCK_RAN else None,
            at=self.at,
        )
        told, self.game = advance(self.game, event)
        self.told.append(told)

    def _used(self) -> timedelta | None:
        control, clock = self.game.row.clock, self.game.clock
        if control is None or clock is None:
            return None
        return elapsed(clock.since, self.at, self._still, control.weekends)
