"""Votes: a channel plays as a team, and the move with the most votes is played.

The turn's deadline decides. Without votes by then, the vote continues for the same time again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Final

from bot.base.errors import PlayError
from bot.base.ids import ChannelId, Revision, UserId, is_team
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.refusals import NotYourVote
from bot.play.model.terms import ChallengeTerms, Defaults, Place, Start
from dvonn import Move

LENGTHS: Final = (timedelta(minutes=1), timedelta(days=1))
"""Shortest and longest length of a vote."""
USUAL_LENGTH: Final = timedelta(hours=1)
"""Length of a vote by default."""
MOST_CHANGES: Final = 20
"""Maximum number of votes of one person in a turn. All of them are stored."""
KEPT: Final = timedelta(days=7)
"""Time that votes are kept after their game: its last board may be posted late."""

_EDIT_EVERY: Final = timedelta(seconds=15)
_YOUNG: Final = timedelta(minutes=50)
"""Discord limits edits of messages that are older than an hour."""
_EDIT_OLD_EVERY: Final = timedelta(minutes=15)


class VoteProblem(Enum):
    """Reasons why a user cannot vote, or have a team play."""

    START = auto()
    """A team would place pieces, or choose a board."""
    CLOCK = auto()
    THREAD = auto()
    PLACE = auto()
    """The bot is not a member of that place, or nobody else is."""
    BUSY = auto()
    """Another game runs in the channel."""
    ELSEWHERE = auto()
    """The person voted from another channel."""
    OFTEN = auto()
    """The person has changed their vote too often in this turn."""
    ONE_MOVE = auto()
    """The text names several moves."""


@dataclass(eq=False)
class CannotVote(PlayError):  # noqa: N818
    """Somebody cannot vote, or have a team play."""

    problem: VoteProblem
    channel: ChannelId | None = None
    """The channel where they can, or the one that is busy."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of one person."""

    player: UserId
    move: Move
    at: datetime
    """Time when it was stored."""


@dataclass(frozen=True, slots=True)
class MoveVotes:
    """A move, and its number of votes."""

    move: Move
    votes: int


@dataclass(frozen=True, slots=True)
class VoteStanding:
    """The state of a vote."""

    shares: tuple[MoveVotes, ...] = ()
    """The proposed moves with votes, the leading one first."""
    first_at: datetime | None = None
    """Time when the first vote was stored, or None without votes."""
    written: int = 0
    """Number of stored votes, changes included."""

    @property
    def voters(self) -> int:
        return sum(share.votes for share in self.shares)


@dataclass(frozen=True, slots=True)
class VoteResult:
    """The result of the vote on a move, for the announcement of the move."""

    revision: Revision
    """The event that is the move."""
    votes: int
    voters: int


@dataclass(frozen=True, slots=True)
class VoteSnapshot:
    """The votes behind a decision. If they have changed, they are counted again."""

    board: Revision
    written: int


def tally(votes: Sequence[Vote]) -> VoteStanding:
    """Count all votes, in the order in which people cast them.

    Each person's last vote counts. Of moves with equal votes, the one proposed first leads.
    """
    proposed = {vote.move: None for vote in votes}
    wanted = {vote.player: vote.move for vote in votes}
    moves = list(wanted.values())
    shares = [MoveVotes(move, moves.count(move)) for move in proposed if move in moves]
    # Sorting keeps the order of equal ones.
    shares.sort(key=lambda share: -share.votes)
    return VoteStanding(tuple(shares), min((vote.at for vote in votes), default=None), len(votes))


def rounds(spent: timedelta, length: timedelta) -> int:
    """Count the votes of a given length that have ended in some time."""
    return spent // length


def edit_at(since: datetime, at: datetime) -> tuple[int, datetime]:
    """Return the number and the time of the edit that shows the votes of a moment."""
    age = max(at - since, timedelta())
    if age < _YOUNG:
        number = age // _EDIT_EVERY + 1
        return number, since + number * _EDIT_EVERY
    later = (age - _YOUNG) // _EDIT_OLD_EVERY + 1
    return _YOUNG // _EDIT_EVERY + later, since + _YOUNG + later * _EDIT_OLD_EVERY


def check_voter(game: Game, channel: ChannelId) -> UserId:
    """Check that a channel votes on the next move of a game now, and return its team.

    Raises:
        NotYourVote: if the other side is to move.
        CannotVote: if it is not a place of the game.
    """
    team = game.to_move
    if channel != game.row.channel:
        raise CannotVote(VoteProblem.ELSEWHERE, game.row.channel)
    if team is None or not is_team(team):
        raise NotYourVote(team or game.row.white, game.row.id, game.row.revision)
    return team


def for_teams(usual: Defaults) -> Defaults:
    """Return the usual game of teams."""
    return replace(usual, start=Start.BALANCED, clock=None, place=Place.HERE)


def vote_length(clock: TimeControl | None) -> timedelta:
    """Return the time for each vote that a clock sets, or the default.

    Raises:
        CannotVote: if it does not give each move the same time, or not one of `LENGTHS`.
    """
    if clock is None:
        return USUAL_LENGTH
    shortest, longest = LENGTHS
    if not clock.is_per_move or clock.weekends or not shortest <= clock.bank <= longest:
        raise CannotVote(VoteProblem.CLOCK)
    return clock.bank


def check_terms(terms: ChallengeTerms) -> None:
    """Check that teams can play a game on its terms. Raise CannotVote if they cannot."""
    problems: Iterable[tuple[bool, VoteProblem]] = (
        (terms.start is Start.PLACEMENT, VoteProblem.START),
        (terms.clock is not None, VoteProblem.CLOCK),
        (terms.place is Place.THREAD, VoteProblem.THREAD),
    )
    for is_so, problem in problems:
        if is_so:
            raise CannotVote(problem)
