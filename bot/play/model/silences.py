"""The outcomes of a message, and every reason why one gets no answer.

A message that names the bot, replies to it, or holds exactly one legal move is played or gets a
visible answer: a board, words or a mark. `ReasonForSilence` lists all exceptions.
`tests/e2e/test_answered.py` has a case of each.
"""

from enum import Enum, auto
from typing import TypeAlias


class MessageOutcome(Enum):
    """The bot's reaction to a message."""

    PLAYED = auto()
    """A move, or a vote for one."""
    ANSWERED = auto()
    """In words, or by a mark."""


class ReasonForSilence(Enum):
    """The reasons why a message gets no answer. There are no others."""

    CHATTER = auto()
    """It doesn't address the bot, and contains no legal move."""
    NOT_THEIRS = auto()
    """It doesn't address the bot, and its author is not to move here."""
    TEAM_TALK = auto()
    """A team discusses its vote, without the bot."""
    MARKED = auto()
    """Three messages of its author have a mark in this turn, and it doesn't address the bot."""
    TOLD = auto()
    """Its author was already answered so on this board, and it doesn't address the bot."""
    UNREADABLE = auto()
    """Discord withholds its text, the players were already informed, and it doesn't address the
    bot.
    """
    OTHER_BOT = auto()
    """It begins with the name of another bot, and doesn't address this one."""
    NOT_A_PERSON = auto()
    """A bot, a webhook or Discord itself wrote it."""
    WHILE_AWAY = auto()
    """It was written while the bot was away, and is not a move of the player to move."""
    DONE = auto()
    """It was played or answered before."""
    FLOOD = auto()
    """Its author is waiting for two answers already."""
    CANNOT_SPEAK = auto()
    """The bot can neither write nor react there."""

    @property
    def ends_at_a_name(self) -> bool:
        """True if such a message gets a mark if it addresses the bot."""
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
