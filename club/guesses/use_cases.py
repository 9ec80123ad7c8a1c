"""Spectators' guesses, which the game's next move resolves."""

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
    """Use cases of guesses. Until a move is played, nobody else learns of them."""

    def __init__(self, cases: UseCases) -> None:
        self._store, self._guesses = cases.store, cases.store.queries(GuessTable)
        self._game_cache = cases.game_cache
        self._now = cases.now

    async def look(self, game: GameId, user: UserId) -> tuple[Game, Move | None]:
        """Return a game for a spectator who may guess its next move, with their current guess.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: if they may not, like `check_guess`.
        """
        found = await self._game_cache.running(game)
        check_guess(found, user)
        return found, await self._guesses.own(game, user, board=found.board_since)

    async def look_to_type(self, game: GameId, user: UserId) -> Game:
        """Return a game for a spectator who may guess its next move, from the cache if possible.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: if they may not, like `check_guess`.
        """
        seen = self._game_cache.by_id(game)
        if seen is not None:
            with suppress(PlayError):  # it may have changed since
                check_guess(seen, user)
                return seen
        found = await self._game_cache.running(game)
        check_guess(found, user)
        return found

    async def look_at_stack(
        self, game: GameId, revision: Revision, user: UserId, label: str
    ) -> tuple[Game, Point]:
        """Return the stack that a picker names, in the game's coordinates.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: like `look`, or if the next move was already
                played.
            StaleBoard: if there is no such movable stack.
        """
        found = await self._guessable_game(game, revision, user)
        point = found.row.coordinates.point(label)
        if point is None or not found.position.destinations(point):
            raise StaleBoard
        return found, point

    async def guess(
        self,
        game: GameId,
        revision: Revision,
        user: UserId,
        text: str,
        named: Coordinates | None = None,
    ) -> tuple[Game, Move]:
        """Store a guess of the next move, replacing the earlier one.

        `named` is the user's notation of spaces, or None for the game's.

        Raises:
            GameNotRunning, NotAPlayer, CannotGuess: like `look`, or if the move was already played.
            UnreadableMove: if the text is not a move.
            IllegalPlay: if the move is illegal.
        """

        async def do() -> tuple[Game, Move]:
            found = await self._guessable_game(game, revision, user)
            move = _read(found, text, named or found.row.coordinates)
            await self._guesses.put(
                game,
                user,
                move,
                board=found.board_since,
                revision=found.row.revision,
                at=self._now(),
            )
            return found, move

        return await retry_on_conflict(self._store, do)

    async def table(self, guild: GuildId, user: UserId) -> Ranking:
        best = await self._guesses.best(guild, limit=BEST)
        return Ranking(tuple(best), await self._guesses.counts_of(guild, user))

    async def _guessable_game(self, game: GameId, revision: Revision, user: UserId) -> Game:
        """Return a game whose board has not changed since a revision, for a user who may guess."""
        found = await self._game_cache.running(game)
        if not found.has_board_of(revision):
            raise CannotGuess(GuessProblem.PLAYED)
        check_guess(found, user)
        return found


def _read(game: Game, text: str, coordinates: Coordinates) -> Move:
    try:
        return read_typed(text, coordinates, game.position).moves[0]
    except NotationError as error:
        raise UnreadableMove(error, game.position, coordinates) from error
    except IllegalMoveError as error:
        raise illegal_play(game, error, coordinates, guessed=True) from error
