"""Decides games that are unfinished when a league's season ends."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import structlog

from bot.base.errors import StoreError
from bot.play.model.engine_thoughts import Thought
from bot.play.model.game import Game
from bot.play.model.preferences import OwnSwitch
from bot.play.use_cases.use_cases import UseCases
from club.tournaments.model.leagues import adjudicated
from club.tournaments.model.tournament import PairingResult

_log = structlog.get_logger()

ADJUDICATION: Final = OwnSwitch("adjudication", default=True)
"""Let the engine decide the player's unfinished games when a league's season ends."""
_LONGEST_THOUGHT: Final = timedelta(minutes=1)
"""Maximum time for the engine's evaluation of a game. After that, the game is a draw."""


class Adjudicator:
    """Asks the engine about unfinished games, if both players allow it."""

    def __init__(self, cases: UseCases) -> None:
        self._store = cases.store
        self._engine = cases.opponent if cases.has_reviews else None

    async def verdict(self, game: Game) -> PairingResult:
        """Return the result of an unfinished game: a draw unless the engine is sure."""
        players = (game.row.white, game.row.black)
        wishes = [await self._store.players.get(player) for player in players]
        allowed = all(wish.is_on(ADJUDICATION) for wish in wishes)
        return adjudicated(await self._thoughts(game) if allowed else None)

    async def _thoughts(self, game: Game) -> Sequence[Thought] | None:
        """Return the engine's evaluation, or None if there is none."""
        if self._engine is None:
            return None
        try:
            async with asyncio.timeout(_LONGEST_THOUGHT.total_seconds()):
                return await self._engine.thinker.analyse(game.position)
        except StoreError:
            raise
        except Exception:
            _log.exception("adjudication failed", game=game.row.id)
            return None
