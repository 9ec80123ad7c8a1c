"""Use cases for running games. Moves from all kinds of input are played here."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, Revision, SourceId, UserId
from bot.database.database import Conflict
from bot.database.deliveries import for_event
from bot.database.delivery_rows import BOARD, NewDelivery
from bot.play.game_changes import LONG_THOUGHT, GameUpdate
from bot.play.model import refusals
from bot.play.model.events import Aborted, Continued, Moved, Resigned, TimedOut
from bot.play.model.game import Game
from bot.play.model.pauses import Pauses
from bot.play.model.preferences import PREVIEW
from bot.play.model.preview import Preview
from bot.play.model.turns import (
    check_not_outdated,
    check_seat,
    check_turn,
    chosen_turn,
    parse_for_game,
)
from bot.play.model.typed import TypedTurn, narrow
from bot.play.use_cases.ledger import GameAction, GameUseCase
from dvonn import Coordinates, Move, Phase, Point
from dvonn_lessons.move_effects import MoveEffects

_MAX_END_AGE = timedelta(days=7)
"""Time after a game was ended by others within which a player may not know about it."""


_ReadTurn = Callable[[Game], TypedTurn]
"""Parses a player's turn in the current game. Raises `PlayError` if it is refused."""


class Games(GameUseCase):
    """Plays moves and ends games for players."""

    # Playing

    async def play(
        self,
        channel: ChannelId,
        user: UserId,
        text: str,
        *,
        source: SourceId,
        notation: Coordinates | None = None,
        written_at: datetime | None = None,
    ) -> GameUpdate:
        """Play a typed move in a channel's game.

        `written_at` is the time of the message, if it was read late.

        Raises:
            AlreadyHandled: if this source has already been played.
            GameJustEnded: if the user's game here was just ended by someone else or by the clock.
            NoGameHere: if no game is running here.
            NotAPlayer: if the user is a spectator.
            NotYourTurn: if the other player is to move, or if the message answers an earlier board,
                because the machine has moved since it was written.
            UnreadableMove: if the text is not a move.
            IllegalPlay: if the move is illegal.
            TeamVotes: if it is a vote, which has not been cast yet.
        """

        async def load() -> Game:
            game = await self.running_here(channel, user)
            if written_at is not None:
                check_not_outdated(game, written_at)
            return game

        cached_game = self._game_cache.in_channel(channel) if written_at is None else None
        return await self._play(cached_game, load, user, self._parser(user, text, notation), source)

    async def pick(
        self, game: GameId, revision: Revision, user: UserId, label: str, *, source: SourceId
    ) -> GameUpdate:
        """Play a button's move.

        Its label names spaces in the game's coordinates.

        Raises:
            AlreadyHandled: if this click has already been played.
            GameNotRunning: if the game has ended.
            StaleBoard: if the game has changed since the picker was opened, or has no such space.
            NotAPlayer, NotYourTurn, IllegalPlay, TeamVotes: like `play`.
        """
        cached_game = self._game_cache.by_id(game)
        if cached_game is not None and not cached_game.has_board_of(revision):
            cached_game = None
        return await self._play(
            cached_game,
            lambda: self.on_board(game, revision),
            user,
            lambda current: chosen_turn(current, user, label),
            source,
        )

    async def type_in(
        self,
        game: GameId,
        user: UserId,
        text: str,
        *,
        source: SourceId,
        notation: Coordinates | None = None,
    ) -> GameUpdate:
        """Play a move that was typed into a game's form.

        Raises:
            GameNotRunning: if the game has ended.
            AlreadyHandled, NotAPlayer, NotYourTurn, UnreadableMove, IllegalPlay: like `play`.
        """
        cached_game = self._game_cache.by_id(game)
        parse = self._parser(user, text, notation)
        return await self._play(
            cached_game, lambda: self._game_cache.running(game), user, parse, source
        )

    async def preview(
        self,
        find: Callable[[], Awaitable[Game]],
        user: UserId,
        text: str,
        notation: Coordinates | None = None,
    ) -> Preview | None:
        """Return the effects of a typed move before it is played, or None to play it immediately.

        Placements, texts with more than one move, and moves of players who have not turned previews
        on are played immediately.

        Raises:
            PlayError: as when it is played.
        """
        return await self._preview(find, user, self._parser(user, text, notation))

    async def preview_picked(
        self, game: GameId, revision: Revision, user: UserId, label: str
    ) -> Preview | None:
        """Return the effects of a button's move before it is played, or None to play it now.

        Raises:
            PlayError: like `pick`.
        """
        return await self._preview(
            lambda: self.on_board(game, revision),
            user,
            lambda current: chosen_turn(current, user, label),
        )

    async def _preview(
        self, find: Callable[[], Awaitable[Game]], user: UserId, parse: _ReadTurn
    ) -> Preview | None:
        if not (await self._store.players.get(user)).is_on(PREVIEW):
            return None
        game = await find()
        turn = parse(game)
        is_one = len(turn.moves) == 1 and turn.plan is None
        if not is_one or game.position.phase is not Phase.MOVEMENT:
            return None
        (move,) = turn.moves
        return Preview(game, MoveEffects(game.position, move))

    async def play_by_machine(
        self, game: GameId, revision: Revision, move: Move
    ) -> GameUpdate | None:
        """Play the machine's move, unless the game has changed since.

        Raises:
            IllegalMoveError: if the move is illegal.
        """

        async def find() -> GameAction:
            current = await self._game_cache.running(game)
            machine = current.row.machine
            if current.row.revision != revision or machine is None or current.to_move != machine:
                raise refusals.StaleBoard
            return GameAction(current, machine, (Moved(move),))

        with suppress(refusals.GameNotRunning, refusals.StaleBoard):
            return await self._ledger.write_decided(find, source=None)
        return None

    async def may_move(self, game: GameId, user: UserId, *, cached: bool = False) -> Game:
        """Return the current game, if it is this user's turn.

        With `cached`, the cached game is used if the user is to move in it, or is a spectator.

        Raises:
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            NotYourTurn: if the other player is to move.
        """
        cached_game = self._game_cache.by_id(game) if cached else None
        if cached_game is not None:
            with suppress(refusals.NotYourTurn, refusals.NotYourVote):
                check_turn(cached_game, user)
                return cached_game
        current = await self._game_cache.running(game)
        check_turn(current, user)
        return current

    async def pick_stack(
        self, game: GameId, revision: Revision, user: UserId, label: str
    ) -> tuple[Game, Point]:
        """Return the stack that a click on a game's picker names, in the game's coordinates.

        Raises:
            GameNotRunning: if the game has ended.
            StaleBoard: if the game has changed since the picker was opened, or has no such stack.
            NotAPlayer, NotYourTurn: like `may_move`.
        """
        current = await self.on_board(game, revision)
        check_turn(current, user)
        point = current.row.coordinates.point(label)
        if point is None or not current.position.destinations(point):
            raise refusals.StaleBoard
        return current, point

    # Viewing

    async def running_here(self, channel: ChannelId, user: UserId) -> Game:
        """Return a channel's game, for a user who wants to move in it.

        Raises:
            GameJustEnded, NoGameHere: like `play`.
        """
        try:
            return await self._game_cache.running_in(channel)
        except refusals.NoGameHere:
            await self._check_for_ending(channel, user)
            raise

    async def on_board(self, game: GameId, revision: Revision) -> Game:
        """Return a running game whose board has not changed since a revision.

        Raises:
            GameNotRunning: if it has ended.
            StaleBoard: if its board has changed.
        """
        current = await self._game_cache.running(game)
        if not current.has_board_of(revision):
            raise refusals.StaleBoard
        return current

    async def seated_here(self, channel: ChannelId, user: UserId) -> Game:
        """Return a channel's game, for one of its players.

        Raises:
            NoGameHere: if none is running here.
            NotAPlayer: if the user is a spectator.
        """
        game = await self._game_cache.running_in(channel)
        check_seat(game, user)
        return game

    async def needs_hint(self, channel: ChannelId, user: UserId) -> bool:
        """Return True once per game, for the first player who needs the typing hint."""
        row = await self._store.games.running_in(channel)
        if row is None or user not in (row.white, row.black):
            return False
        return await self._store.games.hint_once(row.id, at=self._now())

    async def at_revision(self, game: GameId, revision: Revision) -> tuple[Game, bool]:
        """Return a game as of a revision, and True if its board is still the same.

        Raises:
            GameNotRunning: if there is no such game or revision.
        """
        row = await self._store.games.get(game)
        state = None if row is None else await self._game_cache.at_revision(row, revision)
        if row is None or state is None:
            raise refusals.GameNotRunning
        return state, await self._has_same_board(game, revision, row.revision)

    async def legal_here(
        self,
        channel: ChannelId,
        user: UserId,
        text: str = "",
        notation: Coordinates | None = None,
    ) -> tuple[Game, list[Move]]:
        """Return a channel's game, and the legal moves that a half-typed text may become.

        Raises:
            NoGameHere: if none is running here.
            NotAPlayer: if the user is a spectator.
            NotYourTurn: if the other player is to move.
        """
        game = await self._game_cache.running_in(channel)
        check_turn(game, user)
        return game, narrow(text, game.position.legal_moves(), notation or game.row.coordinates)

    async def unannounced(self, game: GameId, revision: Revision, after: Revision) -> GameUpdate:
        """Return everything that happened after `after`, up to and including `revision`.

        Raises:
            GameNotRunning: if there is no such game.
        """
        row = await self._store.games.get(game)
        if row is None:
            raise refusals.GameNotRunning
        current, events = await self._game_cache.since(row, after, revision)
        # Earlier events were announced in the game that this one continues.
        first = next((i for i, applied in enumerate(events) if applied.event.kind is Continued), 0)
        pauses = await self._ledger.pauses(current)
        deadline = await self._ledger.deadline(current, pauses)
        return GameUpdate(
            current,
            events[first:],
            (),
            deadline,
            current.displayed_pause(pauses, self._now()),
            additions=await self._ledger.reload_additions(current, events, after, revision),
            familiar=await self._ledger.familiarity(current, events),
            is_long=current.machine_thinks_for(self._now()) >= LONG_THOUGHT,
        )

    async def pauses(self, game: Game) -> Pauses:
        """Return a game's pauses from the current turn on, or none if it has no clock."""
        return await self._ledger.pauses(game)

    async def queue_board(self, game: Game) -> None:
        """Queue a game's current board, once."""
        row = game.row
        board = NewDelivery(kind=BOARD, guild=row.guild, channel=row.channel)
        with suppress(Conflict):
            await self._store.deliveries.add(for_event(board, row.id, row.revision), at=self._now())

    async def _has_same_board(self, game: GameId, after: Revision, until: Revision) -> bool:
        """Return True if only offers came between two revisions, so that the board is the same."""
        while after < until:
            following = Revision(after + 1)
            (event,) = await self._store.games.events(game, after=after, until=following)
            if not event.data.keeps_board:
                return False
            after = following
        return True

    async def _play(
        self,
        cached_game: Game | None,
        load: Callable[[], Awaitable[Game]],
        user: UserId,
        parse: _ReadTurn,
        source: SourceId,
    ) -> GameUpdate:
        """Play the moves that `parse` finds: first on the cached game, then on the current one."""

        def decide(game: Game) -> GameAction:
            turn = parse(game)
            if game.is_voted:
                moves = turn.moves if turn.plan is None else ()
                raise refusals.TeamVotes(game.row.id, game.row.revision, moves)
            return GameAction(game, user, tuple(Moved(move) for move in turn.moves), turn.plan)

        async def find() -> GameAction:
            return decide(await load())

        if cached_game is not None:
            # If the revision is free, the cached game was current, which saves a query. After any
            # failure the current game is loaded.
            with suppress(Conflict, PlayError):
                return await self._ledger.write(decide(cached_game), source=source)
        return await self._ledger.write_decided(find, source=source)

    def _parser(self, user: UserId, text: str, notation: Coordinates | None) -> _ReadTurn:
        """Return a function that parses a player's text for a game."""
        parse = self._ledger.foresight.read
        return partial(parse_for_game, user=user, text=text, notation=notation, parse=parse)

    async def _check_for_ending(self, channel: ChannelId, user: UserId) -> None:
        """Raise `GameJustEnded` if a player may not know yet that their game has ended."""
        last = await self._store.games.ended_in(channel, self._now() - _MAX_END_AGE)
        if last is None or user not in (last.white, last.black):
            return
        (end,) = await self._store.games.events(last.id, after=Revision(last.revision - 1))
        by_another = isinstance(end.data, Resigned | Aborted) and end.actor != user
        if by_another or isinstance(end.data, TimedOut):
            raise refusals.GameJustEnded(last.id, last.revision)
