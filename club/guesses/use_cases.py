"""Use cases for spectators' guesses, which the game's next move resolves."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.base.errors import PlayError
from bot.base.ids import GameId, GuildId, Revision, UserId
from bot.play.model.game import Game
from bot.play.model.refusals import StaleBoard, UnreadableMove
from bot.play.model.turns import illegal_play
from bot.play.model.typed import read_typed
from bot.play.use_cases.ledger import retry_on_conflict
from bot.play.use_cases.use_cases import UseCases
from club.guesses.model import CannotGuess, Guesser, GuessProblem, check_guess
from club.guesses.store import GuessTable
from dvonn import Coordinates, IllegalMoveError, Move, NotationError, Point

BEST: Final = 10
"""Maximum number of people in a server's table."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A server's table of right guesses, with the user's own rank."""

    best: tuple[Guesser, ...]
    own: Guesser | None


class Guessing:
    """Use cases for guesses. Until the move is played, nobody else sees a guess."""

    def __init__(self, cases: UseCases) -> None:
        self._store, self._guesses = cases.store, cases.store.queries(GuessTable)
        self._game_cache = cases.game_cache
        self._now = cases.now

    async def guessable_game_with_guess(
        self, game: GameId, user: UserId
    ) -> tuple[Game, Move | None]:
        """Return a game for a spectator who may guess its next move, with their current guess.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: if they may not, like `check_guess`.
        """
        current_game = await self._game_cache.running(game)
        check_guess(current_game, user)
        return current_game, await self._guesses.own(game, user, board=current_game.board_since)

    async def guessable_game_cached(self, game: GameId, user: UserId) -> Game:
        """Return a game for a spectator who may guess its next move, from the cache if possible.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: if they may not, like `check_guess`.
        """
        cached_game = self._game_cache.by_id(game)
        if cached_game is not None:
            with suppress(PlayError):  # it may have changed since
                check_guess(cached_game, user)
                return cached_game
        current_game = await self._game_cache.running(game)
        check_guess(current_game, user)
        return current_game

    async def pick_stack_to_guess(
        self, game: GameId, revision: Revision, user: UserId, label: str
    ) -> tuple[Game, Point]:
        """Return the stack that a picker names, in the game's coordinates.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: like `check_guess`, or if the next move was
                already played.
            StaleBoard: if there is no such movable stack.
        """
        current_game = await self._guessable_game(game, revision, user)
        point = current_game.row.coordinates.point(label)
        if point is None or not current_game.position.destinations(point):
            raise StaleBoard
        return current_game, point

    async def guess(
        self,
        game: GameId,
        revision: Revision,
        user: UserId,
        text: str,
        notation: Coordinates | None = None,
    ) -> tuple[Game, Move]:
        """Store a guess of the next move, replacing the earlier one.

        `notation` is the user's notation of spaces, or None for the game's.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: like `check_guess`, or if the move was already
                played.
            UnreadableMove: if the text is not a move.
            IllegalPlay: if the move is illegal.
        """

        async def do() -> tuple[Game, Move]:
            current_game = await self._guessable_game(game, revision, user)
            move = _read(current_game, text, notation or current_game.row.coordinates)
            await self._guesses.put(
                game,
                user,
                move,
                board=current_game.board_since,
                revision=current_game.row.revision,
                at=self._now(),
            )
            return current_game, move

        return await retry_on_conflict(self._store, do)

    async def table(self, guild: GuildId, user: UserId) -> Ranking:
        best = await self._guesses.best(guild, limit=BEST)
        return Ranking(tuple(best), await self._guesses.counts_of(guild, user))

    async def _guessable_game(self, game: GameId, revision: Revision, user: UserId) -> Game:
        """Return a game whose board has not changed since a revision, for a user who may guess."""
        current_game = await self._game_cache.running(game)
        if not current_game.has_board_of(revision):
            raise CannotGuess(GuessProblem.PLAYED)
        check_guess(current_game, user)
        return current_game


def _read(game: Game, text: str, coordinates: Coordinates) -> Move:
    try:
        return read_typed(text, coordinates, game.position).moves[0]
    except NotationError as error:
        raise UnreadableMove(error, game.position, coordinates) from error
    except IllegalMoveError as error:
        raise illegal_play(game, error, coordinates, guessed=True) from error
