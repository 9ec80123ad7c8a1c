"""Votes: a channel plays as a team, and the move with the most votes is played.

The vote is decided at the turn's deadline. If nobody has voted by then, voting is extended by the
same length of time.
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
"""Shortest and longest duration of a vote."""
USUAL_LENGTH: Final = timedelta(hours=1)
"""Default duration of a vote."""
MOST_CHANGES: Final = 20
"""Maximum number of votes per person and turn, including changes. All of them are stored."""
RETENTION_TIME: Final = timedelta(days=7)
"""Time to keep votes after a game ends. They are needed if its last board is posted late."""

_EDIT_EVERY: Final = timedelta(seconds=15)
_YOUNG: Final = timedelta(minutes=50)
"""Maximum age of a board for frequent edits.

Discord limits edits of messages older than an hour.
"""
_EDIT_OLD_EVERY: Final = timedelta(minutes=15)


class VoteProblem(Enum):
    """Reasons why a user can't vote, or can't start a team game."""

    START = auto()
    """Teams can't play the placement phase or a pie start."""
    CLOCK = auto()
    THREAD = auto()
    PLACE = auto()
    """The bot is not a member of the server, or the channel has no other people."""
    BUSY = auto()
    """Another game is running in the channel."""
    ELSEWHERE = auto()
    """The user voted from another channel."""
    OFTEN = auto()
    """The user has changed their vote too often in this turn."""
    ONE_MOVE = auto()
    """The text contains several moves."""


@dataclass(eq=False)
class CannotVote(PlayError):  # noqa: N818
    """A user can't vote, or can't start a team game."""

    problem: VoteProblem
    channel: ChannelId | None = None
    """The channel where the user can vote, or the one that is busy."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A person's vote for a move."""

    player: UserId
    move: Move
    at: datetime
    """When the vote was stored."""


@dataclass(frozen=True, slots=True)
class MoveVotes:
    """A move and the number of votes for it."""

    move: Move
    votes: int


@dataclass(frozen=True, slots=True)
class VoteStanding:
    """The count of an open vote."""

    shares: tuple[MoveVotes, ...] = ()
    """The moves with votes, leading move first."""
    first_at: datetime | None = None
    """When the first vote was stored, or None without votes."""
    written: int = 0
    """Number of stored votes, including changes."""

    @property
    def voters(self) -> int:
        return sum(share.votes for share in self.shares)


@dataclass(frozen=True, slots=True)
class VoteResult:
    """The result of a vote, announced with the move."""

    revision: Revision
    """Revision of the event that played the move."""
    votes: int
    voters: int


@dataclass(frozen=True, slots=True)
class VoteSnapshot:
    """The votes on which a decision is based. If they have changed, they are counted again."""

    board: Revision
    written: int


def tally(votes: Sequence[Vote]) -> VoteStanding:
    """Count all votes, given in the order they were cast.

    Each person's last vote counts. Between moves with equal votes, the one proposed first leads.
    """
    proposed = {vote.move: None for vote in votes}
    choices = {vote.player: vote.move for vote in votes}
    moves = list(choices.values())
    shares = [MoveVotes(move, moves.count(move)) for move in proposed if move in moves]
    # Sorting is stable, so moves with equal votes keep their order.
    shares.sort(key=lambda share: -share.votes)
    return VoteStanding(tuple(shares), min((vote.at for vote in votes), default=None), len(votes))


def rounds(elapsed: timedelta, length: timedelta) -> int:
    """Return how many votes of duration `length` end within `elapsed`."""
    return elapsed // length


def edit_at(since: datetime, at: datetime) -> tuple[int, datetime]:
    """Return the number and time of the edit that will show votes cast at a given time."""
    age = max(at - since, timedelta())
    if age < _YOUNG:
        number = age // _EDIT_EVERY + 1
        return number, since + number * _EDIT_EVERY
    count = (age - _YOUNG) // _EDIT_OLD_EVERY + 1
    return _YOUNG // _EDIT_EVERY + count, since + _YOUNG + count * _EDIT_OLD_EVERY


def check_voter(game: Game, channel: ChannelId) -> UserId:
    """Check that a channel may vote on a game's next move now, and return its team.

    Raises:
        NotYourVote: if the other side is to move.
        CannotVote: if the channel is not one of the game's.
    """
    team = game.to_move
    if channel != game.row.channel:
        raise CannotVote(VoteProblem.ELSEWHERE, game.row.channel)
    if team is None or not is_team(team):
        raise NotYourVote(team or game.row.white, game.row.id, game.row.revision)
    return team


def for_teams(defaults: Defaults) -> Defaults:
    """Return a server's defaults, adapted to team games."""
    return replace(defaults, start=Start.BALANCED, clock=None, place=Place.HERE)


def vote_length(clock: TimeControl | None) -> timedelta:
    """Return the duration of each vote that a clock implies, or the default.

    Raises:
        CannotVote: if the clock does not give a fixed time per move, or the time is outside
            `LENGTHS`.
    """
    if clock is None:
        return USUAL_LENGTH
    shortest, longest = LENGTHS
    if not clock.is_per_move or clock.weekends or not shortest <= clock.bank <= longest:
        raise CannotVote(VoteProblem.CLOCK)
    return clock.bank


def check_terms(terms: ChallengeTerms) -> None:
    """Check that teams can play on a challenge's terms. Raise CannotVote if they can't."""
    problems: Iterable[tuple[bool, VoteProblem]] = (
        (terms.start is Start.PLACEMENT, VoteProblem.START),
        (terms.clock is not None, VoteProblem.CLOCK),
        (terms.place is Place.THREAD, VoteProblem.THREAD),
    )
    for applies, problem in problems:
        if applies:
            raise CannotVote(problem)
