"""Ends games early: by resignation, on time, or without a result."""

from contextlib import suppress

from bot.base.ids import ChannelId, GameId, Revision, SourceId, UserId
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Aborted, Deserted, Resigned, TimedOut
from bot.play.model.game import Game
from bot.play.model.refusals import (
    GameNotRunning,
    NotAPlayer,
    OwnRatedGame,
    StaleBoard,
    TeamDecides,
    TooLateToAbort,
)
from bot.play.model.refused_starts import NotForYou
from bot.play.model.turns import check_seat
from bot.play.use_cases.ledger import GameAction, GameUseCase


class Endings(GameUseCase):
    """Resigning and aborting by players, moderators and the bot."""

    async def resign(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId
    ) -> GameUpdate:
        """Resign a game.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            StaleBoard: if the board has changed since the button was shown.
        """

        async def find() -> GameAction:
            current = await self.may_resign(game, revision, user)
            return GameAction(current, user, (Resigned(),))

        return await self._ledger.write_decided(find, source=source)

    async def may_resign(self, game: GameId, revision: Revision, user: UserId) -> Game:
        """Return the current game, if a user may resign it.

        Raises:
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            StaleBoard: if its board has changed since that revision.
        """
        current = await self._game_cache.running(game)
        check_seat(current, user)
        if not current.has_board_of(revision):
            raise StaleBoard
        return current

    async def abort(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId
    ) -> GameUpdate:
        """End a game without a result: early, or after the other player's inactivity.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning, NotAPlayer, StaleBoard, TooLateToAbort: like `may_abort`.
        """

        async def find() -> GameAction:
            current = await self.may_abort(game, revision, user)
            return GameAction(current, user, (Aborted(),))

        return await self._ledger.write_decided(find, source=source)

    async def may_abort(self, game: GameId, revision: Revision, user: UserId) -> Game:
        """Return the current game, if a user may end it without a result.

        Raises:
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            StaleBoard: if the game has changed since that revision.
            TeamDecides: if teams play it and this user can't end it.
            TooLateToAbort: if the user has placed or moved too much and the other player is still
                there.
        """
        current = await self._game_cache.running(game)
        if current.row.vote is not None:
            await self._check_starter(current, user)
            return current
        current = await self.may_resign(game, revision, user)
        if not current.may_abort(user):
            is_waiting = current.to_move != user
            claims = current.row.claimable and not current.may_leave(current.opponent(user))
            raise TooLateToAbort(
                await self._ledger.decided_at(current) if is_waiting else None,
                claims=claims,
            )
        return current

    async def may_leave_here(self, channel: ChannelId, user: UserId) -> Game:
        """Return a channel's game, for a user who wants to leave it.

        Raises:
            NoGameHere: if none is running here.
            NotAPlayer: if the user is a spectator.
            TeamDecides: if teams play it and this user can't end it.
        """
        game = await self._game_cache.running_in(channel)
        if game.row.vote is None:
            check_seat(game, user)
        else:
            await self._check_starter(game, user)
        return game

    async def may_end(self, game: Game, user: UserId) -> bool:
        """Return True if a user can end a team game because they started it."""
        if not game.is_running or game.row.vote is None:
            return False
        with suppress(TeamDecides):
            await self._check_starter(game, user)
            return True
        return False

    async def _check_starter(self, game: Game, user: UserId) -> None:
        """Check that a user can end a team game because they started it.

        Raises:
            TeamDecides: if they can't.
        """
        challenge = await self._store.challenges.by_game(game.row.id)
        starter = None if challenge is None else challenge.terms.challenger
        if starter != user:
            raise TeamDecides(starter)

    async def claim(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId
    ) -> GameUpdate:
        """Claim a game as a win after the other player's inactivity.

        The other player then loses it on time.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning, NotAPlayer, StaleBoard, NotForYou: like `may_claim`.
        """

        async def find() -> GameAction:
            current = await self.may_claim(game, revision, user)
            return GameAction(current, current.opponent(user), (TimedOut(),))

        return await self._ledger.write_decided(find, source=source)

    async def may_claim(self, game: GameId, revision: Revision, user: UserId) -> Game:
        """Return the current game, if a user may claim it as a win.

        Raises:
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            StaleBoard: if the game has changed since that revision.
            NotForYou: if the other player has not left it.
        """
        current = await self.may_resign(game, revision, user)
        if not current.may_claim(user):
            raise NotForYou(current.opponent(user))
        return current

    async def abort_here(self, channel: ChannelId, user: UserId, *, source: SourceId) -> GameUpdate:
        """End a channel's game without a result, as a moderator.

        In their own rated game, moderators have only the rights of a player.

        Raises:
            AlreadyHandled: if this source was already handled.
            NoGameHere: if no game is running here.
            OwnRatedGame: if they play it and could not leave it without a result as a player.
        """

        async def find() -> GameAction:
            game = await self._game_cache.running_in(channel)
            plays = game.seat(user) is not None
            if plays and game.row.rated and not game.may_abort(user):
                raise OwnRatedGame
            return GameAction(game, user, (Aborted(),))

        return await self._ledger.write_decided(find, source=source)

    async def close(self, game: GameId, *, by: UserId) -> None:
        """End a running game whose channel is gone, on behalf of the bot."""

        async def find() -> GameAction:
            return GameAction(await self._game_cache.running(game), by, (Aborted(no_place=True),))

        with suppress(GameNotRunning):
            await self._ledger.write_decided(find, source=None)

    async def note_departure(self, game: GameId, player: UserId) -> GameUpdate | None:
        """Record that the player to move has left the server, unless that is already recorded.

        The other player need not wait: they are informed, and can claim the game or end it.
        """

        async def find() -> GameAction:
            current = await self._game_cache.running(game)
            if current.to_move != player or current.is_member_gone:
                raise StaleBoard
            return GameAction(current, player, (Deserted(from_server=True),))

        with suppress(GameNotRunning, StaleBoard):
            return await self._ledger.write_decided(find, source=None)
        return None

    async def leave(self, game: GameId, user: UserId) -> GameUpdate | None:
        """Resign a game at any revision.

        Do nothing if it has ended.

        Raises:
            NotAPlayer: if the user is a spectator.
        """

        async def find() -> GameAction:
            current = await self._game_cache.running(game)
            if current.seat(user) is None:
                raise NotAPlayer
            return GameAction(current, user, (Resigned(),))

        with suppress(GameNotRunning):
            return await self._ledger.write_decided(find, source=None)
        return None
