"""The possible outcomes of a message, and every reason why one gets no answer.

If a message mentions the bot, replies to it, or contains exactly one legal move, it is played or
gets a visible answer: a board, text or a mark. `ReasonForSilence` lists all exceptions, and
`tests/e2e/test_answered.py` has a case for each.
"""

from enum import Enum, auto
from typing import TypeAlias


class MessageOutcome(Enum):
    """The bot's reaction to a message."""

    PLAYED = auto()
    """It was a move, or a vote for one."""
    ANSWERED = auto()
    """With text or a mark."""


class ReasonForSilence(Enum):
    """Reasons why a message gets no answer. There are no others."""

    CHATTER = auto()
    """It doesn't address the bot, and contains no legal move."""
    NOT_THEIRS = auto()
    """It doesn't address the bot, and it is not its author's turn."""
    TEAM_TALK = auto()
    """A team is discussing its vote without the bot."""
    MARKED = auto()
    """Three of its author's messages have been marked in this turn, and it doesn't address the bot.
    """
    TOLD = auto()
    """Its author already got this answer on this board, and it doesn't address the bot."""
    UNREADABLE = auto()
    """Discord withholds its text, the players were already told, and it doesn't address the bot.
    """
    OTHER_BOT = auto()
    """It starts with another bot's name, and doesn't address this one."""
    NOT_A_PERSON = auto()
    """It was written by a bot, a webhook or Discord itself."""
    WHILE_AWAY = auto()
    """It was written while the bot was offline, and is not a move by the player to move."""
    DONE = auto()
    """It was already played or answered."""
    FLOOD = auto()
    """Its author is already waiting for two answers."""
    CANNOT_SPEAK = auto()
    """The bot can neither write nor react there."""

    @property
    def ends_at_a_name(self) -> bool:
        """True if the message gets a mark anyway when it addresses the bot."""
        return self in _UNADDRESSED


_UNADDRESSED = frozenset(
    {
        ReasonForSilence.CHATTER,
        ReasonForSilence.NOT_THEIRS,
        ReasonForSilence.TEAM_TALK,
        ReasonForSilence.MARKED,
        ReasonForSilence.TOLD,
        ReasonForSilence.UNREADABLE,
    }
)

Outcome: TypeAlias = MessageOutcome | ReasonForSilence
