"""Starts another game of the same two, from the last board of the ended one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.base.ids import BEFORE_START, DELETED_USER, GameId, MessageId, Revision, SourceId, UserId
from bot.database.database import Conflict
from bot.play.game_changes import GameUpdate
from bot.play.model import refused_starts
from bot.play.model.conduct import Venue, has_expired
from bot.play.model.events import Continued, Event
from bot.play.model.game import Game
from bot.play.model.refusals import NotAPlayer, StaleBoard
from bot.play.model.terms import (
    ChallengeRow,
    ChallengeState,
    ChallengeTerms,
    ColorChoice,
    EndReason,
    Place,
    Start,
)
from bot.play.model.turns import check_seat
from bot.play.store.changes import NO_GAME_ID, NewGame
from bot.play.store.store import Store
from bot.play.use_cases.ledger import (
    GameUseCase,
    check_not_handled,
    retry_on_conflict,
)
from bot.play.use_cases.lobby import Lobby
from dvonn import Color
from dvonn.machine import LEVELS, VERSION
from dvonn.position_text import PrintedPosition

_POSTED_WITHIN = timedelta(minutes=1)
"""Time for posting a challenge and storing its message."""


class Rematches:
    """A game has one rematch, and each player asks for it once. The time comes as an argument."""

    def __init__(self, store: Store, lobby: Lobby, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._lobby = lobby
        self._now = now

    async def ask(
        self,
        game: Game,
        user: UserId,
        *,
        message: MessageId,
        venue: Venue,
        source: SourceId,
    ) -> tuple[ChallengeRow, GameUpdate | None]:
        """Ask for another game with colors swapped, or accept the opponent's offer of one.

        If the next game gets a thread, `message`, the last board, starts it.

        Returns:
            The challenge, which still has to be posted, and the new game if this accepted it.

        Raises:
            AlreadyHandled: if this source was already handled.
            NotAPlayer: if the user was a spectator.
            BadOpponent: if the opponent had all about them deleted.
            StaleBoard: if the game is still running.
            RematchOffered: if the rematch is accepted, or this user has asked for it already.
            And the errors of `Lobby.accept` or `Lobby.challenge`, without a check of the pace.
        """
        check_seat(game, user)
        if game.is_running:
            raise StaleBoard
        if {game.row.white, game.row.black} & set(DELETED_USER.values()):
            raise refused_starts.BadOpponent(refused_starts.OpponentProblem.DELETED)

        async def do() -> tuple[ChallengeRow, GameUpdate | None]:
            rematches = await self._open_rematches(game.row.id)
            offered = next(
                (rematch for rematch in rematches if rematch.state is ChallengeState.OPEN), None
            )
            if offered is not None and offered.terms.challenger != user:
                try:
                    return await self._lobby.accept(
                        offered.id, user, message=message, venue=venue, source=source
                    )
                except refused_starts.ChallengeAnswered as error:  # at this moment
                    raise Conflict from error
            await check_not_handled(self._store, source)
            if offered is not None and self._was_never_posted(offered):
                return offered, None
            await self._refuse_another(rematches, user)
            terms = _terms(game, user)  # if both ask at once, one is too late
            return await self._lobby.offer(terms, venue, source, rematches=len(rematches)), None

        return await retry_on_conflict(self._store, do, source=source)

    async def _open_rematches(self, game: GameId) -> list[ChallengeRow]:
        """Return a game's rematches, oldest first. One that was not answered in time is closed."""
        now = self._now()

        async def look() -> list[ChallengeRow]:
            rows = await self._store.challenges.rematches(game)
            old = [row for row in rows if has_expired(row.created_at, now)]
            still_open = next((row for row in old if row.state is ChallengeState.OPEN), None)
            if still_open is None:
                return rows
            await self._store.challenges.close(still_open.id, ChallengeState.EXPIRED, at=now)
            return await self._store.challenges.rematches(game)

        return await retry_on_conflict(self._store, look)

    def _was_never_posted(self, row: ChallengeRow) -> bool:
        """Return True if Discord rejected a challenge's message, so nobody can answer it."""
        return row.message is None and row.created_at + _POSTED_WITHIN <= self._now()

    async def _refuse_another(self, rematches: Sequence[ChallengeRow], user: UserId) -> None:
        """Refuse a second rematch, or one that the user asked for before without success."""
        for row in rematches:
            rematch = None if row.game is None else await self._store.games.get(row.game)
            if rematch is not None and (rematch.outcome is None or rematch.outcome.has_result):
                board = await self._store.deliveries.newest_board(rematch.id)
                raise refused_starts.RematchOffered(row, board or (rematch.channel, None))
        asked = [row for row in rematches if row.terms.challenger == user and row.game is None]
        if asked and asked[-1].state is not ChallengeState.EXPIRED:
            raise refused_starts.RematchOffered(
                asked[-1], (asked[-1].terms.channel, asked[-1].message)
            )


def _terms(game: Game, user: UserId) -> ChallengeTerms:
    seat = game.seat(user)
    assert seat is not None  # seen by the caller  # noqa: S101
    return ChallengeTerms(
        guild=game.row.guild,
        channel=game.row.channel,
        challenger=user,
        opponent=game.player(seat.opponent),
        colour=ColorChoice.BLACK if seat is Color.WHITE else ColorChoice.WHITE,
        coordinates=game.row.coordinates,
        start=game.row.start.today,
        position=PrintedPosition(game.origin) if game.row.start is Start.POSITION else None,
        clock=game.row.clock,
        level=game.row.level_now,
        place=Place.HERE,
        rematch_of=game.row.id,
        rated=game.row.rated,
        strict=not game.row.claimable,
    )


LEVEL = 10
"""Level at which the machine replaces a player: a fair opponent for most."""

_LEFT = (EndReason.RESIGNATION, EndReason.TIME, EndReason.ABORT)


class MachineTakeover(GameUseCase):
    """Continues games that a player has left. The result of the left game stays."""

    async def go_on(
        self, game: GameId, revision: Revision, user: UserId, machine: UserId, *, source: SourceId
    ) -> GameUpdate:
        """Continue an abandoned game against the machine, as a new game without a clock.

        The other player has resigned it, lost it on time, or abandoned it, at its last revision.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if there is no such game.
            NotAPlayer: if the user was a spectator, or left voluntarily.
            StaleBoard: if it cannot be continued: it is over, or was continued before.
            ChannelBusy: if another game is running in its channel.
        """

        async def do() -> GameUpdate:
            ended = await self._game_cache.existing(game)
            new = await self._new(ended, revision, user, machine)
            return await self._ledger.begin(new, source=source)

        return await retry_on_conflict(self._store, do, source=source)

    async def _new(self, ended: Game, revision: Revision, user: UserId, machine: UserId) -> NewGame:
        """Return the game that continues another one, if allowed."""
        row, left = ended.row, ended.left_by
        if user not in (row.white, row.black) or user == left:
            raise NotAPlayer
        if row.revision != revision or left is None or not may_go_on(ended):
            raise StaleBoard
        running = await self._store.games.running_in(row.channel)
        if running is not None:
            goes_on = refused_starts.BusyReason.GOES_ON
            raise refused_starts.ChannelBusy(row.channel, running.id, goes_on)
        if await self._store.games.is_continued(row.id):
            raise StaleBoard
        white, black = (machine if who == left else who for who in (row.white, row.black))
        new = replace(
            row,
            id=NO_GAME_ID,
            white=white,
            black=black,
            clock=None,
            machine=machine,
            level=LEVEL,
            tournament=None,
            continues=row.id,
            rated=False,
            engine=VERSION,
            revision=BEFORE_START,
            outcome=None,
        )
        events = await self._store.games.events(row.id)
        return NewGame(row=new, actor=user, data=Continued(), copied=_copied(events, left, machine))


def may_go_on(game: Game) -> bool:
    """Return True if the machine can take the place of the player who has left a game."""
    outcome = game.outcome
    is_left = outcome is not None and outcome.reason in _LEFT and game.left_by is not None
    return is_left and game.row.machine is None


def next_level(game: Game) -> int | None:
    """Return the next level, if a person has just beaten the machine in a whole game."""
    row, outcome, level = game.row, game.outcome, game.row.level_now
    if level is None or outcome is None or outcome.winner is None:
        return None
    is_beaten = game.player(outcome.winner) != row.machine and row.start is not Start.POSITION
    return level + 1 if is_beaten and level + 1 in LEVELS else None


def _copied(events: list[Event], left: UserId, machine: UserId) -> list[Event]:
    """Return the events up to the position, as if the machine had played them."""
    return [
        replace(
            event,
            game=NO_GAME_ID,
            revision=Revision(number),
            actor=machine if event.actor == left else event.actor,
            source=None,
            used=None,
        )
        for number, event in enumerate(event for event in events if event.data.begins_turn)
    ]
