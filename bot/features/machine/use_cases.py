"""Use cases for a machine that doesn't move: a notice once per turn, and an end to the game."""

from contextlib import suppress
from datetime import timedelta
from typing import Final

from bot.base.ids import ChannelId, GameId, MessageId, Revision, SourceId, UserId
from bot.database.database import Conflict
from bot.database.deliveries import for_event
from bot.database.delivery_rows import DeliveryKind, NewDelivery
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted
from bot.play.model.game import Game
from bot.play.model.refusals import StaleBoard
from bot.play.use_cases.ledger import GameAction
from bot.play.use_cases.use_cases import UseCases

SILENCE: Final = DeliveryKind("silence")
"""Notice that the machine isn't moving, at most one per turn."""
SILENT_AFTER: Final = timedelta(minutes=1)
"""Time after which a machine that hasn't moved counts as silent."""


class MachineSilence:
    """Detects and announces that the machine isn't moving, and ends such games."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._leaving = cases.leaving
        self._ledger = cases.ledger
        self._now = cases.now

    def is_silent(self, game: Game) -> bool:
        return game.machine_thinks_for(self._now()) >= SILENT_AFTER

    def was_silent(self, game: Game) -> bool:
        """Return True if a game's newest event ended the machine's silence."""
        if not game.is_running:
            since = game.turn_since or self._now()
            is_its_turn = (
                game.last_turn is not None and game.player(game.last_turn) == game.row.machine
            )
            return is_its_turn and self._now() - since >= SILENT_AFTER
        before, newest = game.line[-2:-1], game.line[-1:]
        if not newest or newest[0].actor != game.row.machine:
            return False
        return not before or newest[0].at - before[0].at >= SILENT_AFTER

    async def notice(self, game: GameId) -> tuple[ChannelId, MessageId] | None:
        """Return the channel and message of a game's newest notice, or None."""
        newest = await self._store.deliveries.newest_sent(game, by=[SILENCE])
        return None if newest is None else newest.location

    async def announce(self, game: Game) -> None:
        """Queue this turn's notice, once."""
        row = game.row
        notice = NewDelivery(kind=SILENCE, guild=row.guild, channel=row.channel)
        with suppress(Conflict):
            await self._store.deliveries.add(
                for_event(notice, row.id, row.revision), at=self._now()
            )

    async def end_silent_game(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId
    ) -> GameUpdate:
        """End a game with a silent machine, without a result, at its player's request.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if the game has ended.
            NotAPlayer, TeamDecides: if the user isn't its player, or plays only as part of a team.
            StaleBoard: if the machine has moved.
        """

        async def find() -> GameAction:
            current = await self._leaving.may_resign(game, revision, user)
            if not self.is_silent(current):
                raise StaleBoard
            return GameAction(current, user, (Aborted(),))

        return await self._ledger.write_decided(find, source=source)
