"""Nobody is helped in a game between people that goes on: the guard of all the engine says.

The engine is asked by many doors (a game's page, Explore, a pasted position), and a position is the
same one whichever of them it comes through. So positions are compared, not doors.
"""

from collections.abc import Sequence

from bot.games.archive import Archive
from bot.games.pie import random_boards
from bot.model.courses import course_of
from bot.model.game import Choosing, Game
from bot.model.ids import NO_GUILD, GameId, GuildId, UserId
from bot.model.likeness import alike, cells, is_like
from bot.model.refusals import GameGone, HelpProblem, NoEngineHelp
from bot.store import Store
from dvonn import Phase, Position

_JUST_NOW = 2
"""So many plies back, what would have been best tells of what is best now."""


class FairPlay:
    """Knows which positions are being played."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    async def check(
        self,
        positions: Sequence[Position],
        *,
        user: UserId,
        guild: GuildId,
        game: GameId | None = None,
    ) -> None:
        """See that the engine may speak to somebody about a position.

        Looked at are the games of whoever asks, in all servers, and those of the server where they
        ask, for a spectator may have a friend who plays.

        Args:
            positions: How it came about; the last one is asked about.
            user: Who asks.
            guild: Where; `NO_GUILD` in direct messages.
            game: The game that it is from, if it is from one.

        Raises:
            NoEngineHelp: if it helps in a game between people that goes on.
        """
        rows = {row.id: row for row in await self._store.games.running_of_anywhere(user)}
        if guild != NO_GUILD:
            rows |= {row.id: row for row in await self._store.games.running_in_guild(guild)}
        if game is not None and (own := await self._store.games.get(game)) is not None:
            rows[own.id] = own
        for row in rows.values():
            if row.machine is not None or not row.is_running:
                continue
            try:
                running = await self._archive.running(row.id)
            except GameGone:
                continue
            if row.id == game or _helps(running, positions):
                raise NoEngineHelp(HelpProblem.RUNNING)


def _helps(game: Game, positions: Sequence[Position]) -> bool:
    """Whether a word on the last of some positions helps in a game."""
    asked, present = positions[-1], game.position
    if game.choosing is Choosing.BOARD:
        return any(is_like(asked, board) for board in random_boards(game.row))
    before = course_of(game).positions()[-1 - _JUST_NOW : -1]
    if is_like(asked, present, before):
        return True
    # Lines that lead through the board of a game tell of it, however far they go on.
    forms = alike(present)
    return present.phase is Phase.MOVEMENT and any(cells(one) in forms for one in positions)
