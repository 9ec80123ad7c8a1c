"""Refusals where a channel plays as a team."""

from enum import Enum, auto

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, GameId, Revision
from bot.play.model.refusals.playing import NotAPlayer, NotYourTurn


class TeamDecides(NotAPlayer):
    """Somebody wanted to do for a team what only a player can do."""


class NotYourVote(NotYourTurn):
    """Somebody tried to vote while the other side was to move."""


class TeamVotes(PlayError):  # noqa: N818
    """The move that was entered is a vote: a team is to move."""

    def __init__(self, game: GameId, revision: Revision) -> None:
        super().__init__(f"a vote in game {game}")
        self.game = game
        self.revision = revision


class VoteProblem(Enum):
    """Reasons why somebody cannot vote, or have a team play."""

    START = auto()
    """A team would place pieces, or choose a board."""
    CLOCK = auto()
    THREAD = auto()
    PLACE = auto()
    """The bot is not in that place, or nobody else is."""
    NO_RIVAL = auto()
    """A team was to play a person."""
    TWO_OPPONENTS = auto()
    ONE_CHANNEL = auto()
    """A channel was to play itself."""
    RIVAL = auto()
    """The bot cannot play in the other channel, or the asker cannot write there."""
    ELSEWHERE = auto()
    """The person voted from another channel."""
    OTHER_TEAM = auto()
    """The person has voted for the other team before."""
    OFTEN = auto()
    """The person has changed their vote too often in this turn."""
    ONE_MOVE = auto()
    """The text names several moves."""


class CannotVote(PlayError):  # noqa: N818
    """Somebody cannot vote, or have a team play."""

    def __init__(self, problem: VoteProblem, channels: tuple[ChannelId, ...] = ()) -> None:
        super().__init__(problem.name.lower())
        self.problem = problem
        self.channels = channels
        """Channels in which they can."""
