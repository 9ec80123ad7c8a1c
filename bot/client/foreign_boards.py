"""Detects boards that were posted by another bot with the same token."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import discord

from bot.base.errors import StoreError
from bot.base.ids import GameId, MessageId, Revision
from bot.connection.second_bot import SecondBot, Sign
from bot.play.store.store import Store
from bot.play.words.pictures import turn_of_picture

_SETTLED_AFTER: Final = timedelta(seconds=15)
"""Time within which a process records a message that it has sent."""


class _SeenBoard(NamedTuple):
    at: datetime
    message: MessageId
    game: GameId
    revision: Revision
    is_plain: bool
    """True if the message is not an interaction response, so it must come from a delivery."""


class ForeignBoards:
    """Compares boards posted by this bot's account with its database's deliveries."""

    def __init__(self, store: Store, second_bot: SecondBot, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._second_bot = second_bot
        self._now = now
        self._posted: deque[_SeenBoard] = deque()

    def record(self, message: discord.Message) -> None:
        """Record a message from the bot's own account."""
        turns = (turn_of_picture(attachment.filename) for attachment in message.attachments)
        for game, revision in filter(None, turns):
            is_plain = message.webhook_id is None and message.reference is None
            board = _SeenBoard(self._now(), MessageId(message.id), game, revision, is_plain)
            self._posted.append(board)

    async def check(self) -> None:
        """Check the boards that arrived a while ago."""
        until = self._now() - _SETTLED_AFTER
        while self._posted and self._posted[0].at < until:
            board = self._posted.popleft()
            with suppress(StoreError):
                if await self._is_foreign(board):
                    self._second_bot.note(Sign.MESSAGE)

    async def _is_foreign(self, board: _SeenBoard) -> bool:
        """Return True if no process of this database can have posted the board.

        After more than one attempt, a board may be in the channel twice.
        """
        row = await self._store.games.get(board.game)
        if row is None:
            return True
        if not board.is_plain:
            return False
        if row.revision < board.revision:
            return True
        traces = await self._store.deliveries.traces(board.game, board.revision, board.message)
        return bool(traces) and all(
            trace.tries <= 1 and trace.message not in {None, board.message} for trace in traces
        )
