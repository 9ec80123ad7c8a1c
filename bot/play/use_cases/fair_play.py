"""Keeps the engine from helping with the boards of people's running games, in all servers."""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from bot.base.ids import GameId, UserId
from bot.play.model.played_boards import board_text, cells, equivalent_forms, leading_to
from bot.play.model.refusals import HelpProblem, NoEngineHelp
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from dvonn import Position


class FairPlay:
    """Checks whether a board, or one a ply later, occurs in people's running games."""

    def __init__(self, store: Store, game_cache: GameCache) -> None:
        self._store, self._game_cache = store, game_cache

    async def check(self, position: Position, *, user: UserId, but: GameId | None = None) -> None:
        """Raise NoEngineHelp if a running game except `but` has a position or can reach it next."""
        if any(await self.are_played([position], user=user, but=but)):
            raise NoEngineHelp(HelpProblem.PLAYED)

    async def are_played(
        self, positions: Sequence[Position], *, user: UserId, but: GameId | None = None
    ) -> list[bool]:
        """Return, for each position, if a running game except `but` has it or can reach it next.

        Games from a chosen position only count for their own players, because anyone can start one.
        """
        boards = {}
        for number, revision, stored in await self._store.games.unaided(user, but=but):
            stored_revision, _, boards[number] = stored.partition("-")
            if stored_revision != revision:  # an older version of the bot has changed it since
                game = await self._game_cache.existing(number)
                boards[number] = cells(game.position)
                await self._store.games.set_board(number, board_text(game))
        return [
            await self._is_in_running_game(equivalent_forms(position), boards)
            for position in positions
        ]

    async def _is_in_running_game(
        self, forms: Collection[str], boards: Mapping[GameId, str]
    ) -> bool:
        for number in await asyncio.to_thread(leading_to, forms, boards):
            game = await self._game_cache.existing(number)
            after = map(game.position.play, game.position.legal_moves())
            if game.is_running and any(
                cells(position) in forms for position in (game.position, *after)
            ):
                return True
        return False
