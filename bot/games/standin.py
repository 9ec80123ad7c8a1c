"""The machine takes the place of a player who has left a game."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from bot.games.archive import Archive
from bot.games.update import LEASE, Update
from bot.model.events import EventKind, EventRow
from bot.model.game import Game, GameRow, GameState
from bot.model.ids import GameId, Revision, SourceId, UserId
from bot.model.refusals import AlreadyDone, ChannelBusy, GameGone, NotAPlayer, TurnOver
from bot.store import Conflict, Store

LEVEL = 6
"""At which the machine plays for somebody else: a fair opponent for most."""

_KEPT = (
    EventKind.START,
    EventKind.PICK,
    EventKind.SIDE,
    EventKind.MOVE,
    EventKind.TAKEBACK,
    EventKind.FINISH,
)
_LEFT = (GameState.RESIGNED, GameState.TIMED_OUT, GameState.ABORTED)


class StandIn:
    """Goes on with games that somebody has left. The result of the game that was left stays."""

    def __init__(self, store: Store, archive: Archive, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._archive = archive
        self._now = now

    async def go_on(
        self, game: GameId, revision: Revision, user: UserId, machine: UserId, *, source: SourceId
    ) -> Update:
        """Play a game on against the machine, in a game of its own without a clock.

        Args:
            game: A game that the other player resigned, lost on time, or let lie.
            revision: Its last one.
            user: Who asks: the player who is left.
            machine: The machine's own number.
            source: The interaction.

        Raises:
            AlreadyDone: if this source has been carried out before.
            GameGone: if there is no such game.
            NotAPlayer: if the user only watched, or left himself.
            TurnOver: if it cannot be gone on with: it is over, or was gone on with before.
            ChannelBusy: if another game is running in its channel.
        """
        ended = await self._archive.current(game)
        if ended is None:
            raise GameGone
        row, left = ended.row, ended.left_by
        if user not in (row.white, row.black) or user == left:
            raise NotAPlayer
        if row.revision != revision or left is None or not _is_left(ended):
            raise TurnOver
        white, black = (machine if who == left else who for who in (row.white, row.black))
        new = replace(
            row,
            white=white,
            black=black,
            clock=None,
            machine=machine,
            level=LEVEL,
            continues=row.id,
            state=GameState.RUNNING,
        )
        events = await self._store.games.events(game)
        copied = _copied(events, left, machine, user, source, self._now())
        return await self._begin(replace(new, revision=copied[-1].revision), copied, source)

    async def _begin(self, new: GameRow, events: list[EventRow], source: SourceId) -> Update:
        try:
            row, letter = await self._store.games.go_on(
                new, events, lease_until=events[-1].at + LEASE
            )
        except Conflict as conflict:
            if await self._store.games.has_source(source):
                raise AlreadyDone from conflict
            running = await self._store.games.running_in(new.channel)
            if running is None:
                raise TurnOver from conflict
            raise ChannelBusy(new.channel, running.id) from conflict
        before = Revision(row.revision - 1)
        game, told = await self._archive.since(row, before, row.revision)
        self._archive.keep(game)
        return Update(game, told, (letter,))


def may_go_on(game: Game) -> bool:
    """Whether the machine can take the place of the player who has left a game."""
    return _is_left(game) and game.choosing is None


def _is_left(game: Game) -> bool:
    row = game.row
    return row.state in _LEFT and game.left_by is not None and row.machine is None


def _copied(
    events: list[EventRow],
    left: UserId,
    machine: UserId,
    asker: UserId,
    source: SourceId,
    at: datetime,
) -> list[EventRow]:
    """What brought the position about, as if the machine had played it."""
    kept = [event for event in events if event.kind in _KEPT]
    copies = [
        replace(
            event,
            revision=Revision(number),
            actor=machine if event.actor == left else event.actor,
            source=None,
            used=None,
        )
        for number, event in enumerate(kept)
    ]
    return [
        *copies,
        replace(
            copies[-1],
            revision=Revision(len(copies)),
            kind=EventKind.CONTINUE,
            move=None,
            detail=None,
            actor=asker,
            source=source,
            at=at,
        ),
    ]
