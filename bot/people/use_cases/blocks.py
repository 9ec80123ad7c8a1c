"""Use cases for blocking and unblocking users."""

from collections.abc import Callable
from datetime import datetime

from bot.base.ids import UserId
from bot.people.model import BadBlock, BlockProblem, check_block
from bot.play.model.terms import ChallengeRow
from bot.play.store.store import Store
from bot.play.use_cases.ledger import retry_on_conflict


class Blocks:
    """Use cases for blocking other users."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def block(
        self, player: UserId, other: UserId, *, other_is_bot: bool
    ) -> list[ChallengeRow]:
        """Block a user from games with the player.

        Return the challenges that this withdraws.

        Raises:
            BadBlock: if this user can't be blocked.
        """
        if other == player:
            raise BadBlock(BlockProblem.YOURSELF)
        if other_is_bot:
            raise BadBlock(BlockProblem.BOT)
        # The same request may arrive twice at the same time.
        add = self._store.blocks.add
        return await retry_on_conflict(
            self._store, lambda: add(player, other, at=self._now(), check=check_block)
        )
