"""Which changed messages count as typed anew: those whose author mends them soon.

Discord tells of a changed message for much else, too: a link that it shows a preview of, a pin, a
thread that begins there.
"""

from datetime import datetime, timedelta
from typing import Final

import discord

from bot.edge.memory import Newest

MENDED_WITHIN: Final = timedelta(minutes=5)
"""So long after it was written a message can be mended; by Discord's clock, both."""


class Edits:
    """Tells new texts from what else is told of messages."""

    def __init__(self) -> None:
        self._known: Newest[int, datetime] = Newest()

    def is_new(self, message: discord.Message) -> bool:
        """Whether a person has just given a message another text; each is new once."""
        at = message.edited_at
        if message.author.bot or at is None or at - message.created_at > MENDED_WITHIN:
            return False
        return self._known.is_new(message.id, at)
