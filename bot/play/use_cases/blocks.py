"""People from whom somebody wants no challenges. Nobody else is told."""

from collections.abc import Callable
from datetime import datetime

from bot.base.ids import UserId
from bot.play.model.conduct import check_block
from bot.play.model.refusals.starting import BadBlock, BlockProblem
from bot.play.model.terms import ChallengeRow
from bot.play.store.tables import Store
from bot.play.use_cases.protocol import attempt


class Blocks:
    """Blocking and unblocking. The time comes in as an argument."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def of(self, player: UserId) -> list[UserId]:
        """Return the people whom a player has blocked."""
        return await self._store.blocks.of(player)

    async def block(
        self, player: UserId, other: UserId, *, other_is_bot: bool
    ) -> list[ChallengeRow]:
        """Start no game with somebody any more; those that are running go on.

        Returns:
            What the player had challenged them to: it is taken back.

        Raises:
            BadBlock: if this person cannot be blocked.
        """
        if other == player:
            raise BadBlock(BlockProblem.YOURSELF)
        if other_is_bot:
            raise BadBlock(BlockProblem.BOT)
        # The same may be asked for twice at once.
        add = self._store.blocks.add
        return await attempt(
            self._store, lambda: add(player, other, at=self._now(), check=check_block)
        )

    async def unblock(self, player: UserId, other: UserId) -> None:
        """Let somebody challenge the player again."""
        await self._store.blocks.remove(player, other)
