"""Queries about games, including ended ones."""

from dataclasses import dataclass
from typing import Final

from bot.base.ids import GameId, GuildId, Revision, UserId
from bot.play.model.game import Game
from bot.play.model.refusals import GameNotRunning
from bot.play.store.games import EndedGame
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from bot.replay.model.replays import common_prefix_length, record_of, sequence_of
from dvonn import GameRecord, Move

ENDED_PER_PAGE: Final = 10
"""Number of ended games per page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGames:
    """A page of a person's ended games, latest first."""

    games: tuple[EndedGame, ...]
    has_newer: bool
    has_older: bool


class History:
    """Reads games without changing anything."""

    def __init__(self, store: Store, game_cache: GameCache) -> None:
        self._store = store
        self._game_cache = game_cache

    async def record(self, game: GameId, *, white: str, black: str) -> tuple[Game, GameRecord]:
        """Return a game and its record.

        Unknown players' names are "".

        Raises:
            GameNotRunning: if there is no such game.
        """
        current = await self._game_cache.existing(game)
        began = await self._store.games.began(game)
        return current, record_of(current, white=white, black=black, began=began)

    async def at_board(
        self, game: GameId, revision: Revision
    ) -> tuple[Game, int, tuple[Move, ...]]:
        """Return a board's game, and the board's place in its sequence of moves.

        Returns:
            The current game, the number of one of its plies, and the moves from that ply to the
            board. There are such moves only if they were taken back later.

        Raises:
            GameNotRunning: if there is no such game or revision.
        """
        current = await self._game_cache.existing(game)
        earlier = await self._game_cache.at_revision(current.row, revision)
        if earlier is None:
            raise GameNotRunning
        sequence, board_sequence = sequence_of(current), sequence_of(earlier)
        same = common_prefix_length(sequence.moves, board_sequence.moves)
        return current, same, board_sequence.moves[same:]

    async def ended(
        self,
        guild: GuildId,
        player: UserId,
        *,
        before: GameId | None = None,
        after: GameId | None = None,
    ) -> EndedGames:
        """Return a page of a player's ended games in a server.

        It is the page that follows the game `before` or precedes the game `after`, or else the
        first one.
        """
        rows = await self._store.games.ended_of(
            guild, player, limit=ENDED_PER_PAGE + 1, before=before, after=after
        )
        is_more = len(rows) > ENDED_PER_PAGE
        games = tuple(rows[-ENDED_PER_PAGE:] if after is not None else rows[:ENDED_PER_PAGE])
        return EndedGames(
            games=games,
            has_newer=is_more if after is not None else before is not None,
            has_older=True if after is not None else is_more,
        )
