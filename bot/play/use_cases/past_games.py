"""Looking back: games that are over, and any game's moves from its start."""

from dataclasses import dataclass
from typing import Final

from bot.base.ids import GameId, GuildId, Revision, UserId
from bot.play.model.courses import course_of, in_common, record_of
from bot.play.model.game import Game
from bot.play.model.refusals import GameGone
from bot.play.store.games import EndedGame
from bot.play.store.store import Store
from bot.play.use_cases.archive import Archive
from dvonn import GameRecord, Move

PAGE: Final = 10
"""Number of ended games that are listed at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGames:
    """A page of a person's ended games, the last one first."""

    games: tuple[EndedGame, ...]
    has_newer: bool
    has_older: bool


class History:
    """Reads games and changes nothing."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    async def record(self, game: GameId, *, white: str, black: str) -> tuple[Game, GameRecord]:
        """Return a game, and its record with the players' names; empty where they are not known.

        Raises:
            GameGone: if there is no such game.
        """
        found = await self._archive.existing(game)
        began = await self._store.games.began(game)
        return found, record_of(found, white=white, black=black, began=began)

    async def at_board(
        self, game: GameId, revision: Revision
    ) -> tuple[Game, int, tuple[Move, ...]]:
        """Return the game of a board, and the board's place in its course.

        Returns:
            The game as it stands now, a ply of it, and the moves that led from there to the board:
            none, unless something was taken back since.

        Raises:
            GameGone: if there is no such game or revision.
        """
        now = await self._archive.existing(game)
        then = await self._archive.at(now.row, revision)
        if then is None:
            raise GameGone
        course, shown = course_of(now), course_of(then)
        same = in_common(course.moves, shown.moves)
        return now, same, shown.moves[same:]

    async def ended(
        self,
        guild: GuildId,
        player: UserId,
        *,
        before: GameId | None = None,
        after: GameId | None = None,
    ) -> EndedGames:
        """Return a page of a player's ended games in a server.

        It is the page behind the game `before` or the one before the game `after`, or else the
        first.
        """
        found = await self._store.games.ended_of(
            guild, player, limit=PAGE + 1, before=before, after=after
        )
        is_more = len(found) > PAGE
        games = tuple(found[-PAGE:] if after is not None else found[:PAGE])
        return EndedGames(
            games=games,
            has_newer=is_more if after is not None else before is not None,
            has_older=True if after is not None else is_more,
        )
