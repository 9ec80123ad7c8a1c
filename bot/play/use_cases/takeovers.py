"""Games that the machine continues after one of their players has left."""

from dataclasses import replace

from bot.base.ids import BEFORE_START, GameId, Revision, SourceId, UserId
from bot.play.game_changes import GameUpdate
from bot.play.model import refused_starts
from bot.play.model.events import Continued, Event
from bot.play.model.game import Game
from bot.play.model.refusals import NotAPlayer, StaleBoard
from bot.play.model.terms import EndReason
from bot.play.store.changes import NO_GAME_ID, NewGame
from bot.play.use_cases.ledger import GameUseCase, retry_on_conflict
from dvonn.machine import VERSION

LEVEL = 10
"""Level at which the machine replaces a player. It is a fair match for most people."""

_LEAVING_ENDS = (EndReason.RESIGNATION, EndReason.TIME, EndReason.ABORT)


class MachineTakeover(GameUseCase):
    """Continues games that a player has left. The result of the original game is kept."""

    async def continue_game(
        self, game: GameId, revision: Revision, user: UserId, machine: UserId, *, source: SourceId
    ) -> GameUpdate:
        """Continue an abandoned game against the machine, as a new game without a clock.

        Its last event must be that the other player resigned, lost on time or abandoned the game.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if there is no such game.
            NotAPlayer: if the user was a spectator, or left voluntarily.
            StaleBoard: if it can't be continued, because it was played to the end or was already
                continued.
            ChannelBusy: if another game is running in its channel.
        """

        async def do() -> GameUpdate:
            ended = await self._game_cache.existing(game)
            new = await self._new(ended, revision, user, machine)
            return await self._ledger.begin(new, source=source)

        return await retry_on_conflict(self._store, do, source=source)

    async def _new(self, ended: Game, revision: Revision, user: UserId, machine: UserId) -> NewGame:
        """Return the game that continues another one, if that is allowed."""
        row, leaver = ended.row, ended.left_by
        if user not in (row.white, row.black) or user == leaver:
            raise NotAPlayer
        if row.revision != revision or leaver is None or not can_continue(ended):
            raise StaleBoard
        running = await self._store.games.running_in(row.channel)
        if running is not None:
            goes_on = refused_starts.BusyReason.CONTINUED_GAME
            raise refused_starts.ChannelBusy(row.channel, running.id, goes_on)
        if await self._store.games.is_continued(row.id):
            raise StaleBoard
        white, black = (
            machine if player == leaver else player for player in (row.white, row.black)
        )
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
        return NewGame(
            row=new, actor=user, data=Continued(), copied=_copy_events(events, leaver, machine)
        )


def can_continue(game: Game) -> bool:
    """Return True if the machine can replace the player who has left a game."""
    outcome = game.outcome
    is_left = outcome is not None and outcome.reason in _LEAVING_ENDS and game.left_by is not None
    return is_left and game.row.machine is None


def _copy_events(events: list[Event], leaver: UserId, machine: UserId) -> list[Event]:
    """Return the events so far, as if the machine had played the other side."""
    return [
        replace(
            event,
            game=NO_GAME_ID,
            revision=Revision(number),
            actor=machine if event.actor == leaver else event.actor,
            source=None,
            used=None,
        )
        for number, event in enumerate(event for event in events if event.data.begins_turn)
    ]
