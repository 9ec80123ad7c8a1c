"""Examples of texts about teams."""

from collections.abc import Iterator
from dataclasses import replace

from bot.base.ids import ChannelId, UserId
from bot.features.teams.hook import VoteProgress, VoteResults
from bot.features.teams.model import CannotVote, Vote, VoteProblem, VoteResult, tally
from bot.features.teams.use_cases import OpenVote
from bot.features.teams.words import vote_extended_text, vote_receipt
from bot.play.game_changes import GameUpdate
from bot.play.model.events import Moved
from tests.bot.play.example_texts import LONG_ID, NOW, ExampleTexts, team_games
from tests.bot.replayed import step


def open_votes() -> Iterator[OpenVote]:
    """Possible states of the vote on a team's first move."""
    begun = next(team_games()).game
    legal = begun.position.legal_moves()
    for people in ((), (0,), (0, 0, 1), (0, 1, 2, 3, 4, 4)):
        votes = [Vote(UserId(i), legal[number], NOW) for i, number in enumerate(people)]
        yield OpenVote(begun, tally(votes), NOW, own=legal[0])


def boards() -> Iterator[GameUpdate]:
    """A team's board with the current votes, and after a vote."""
    first = next(team_games())
    for vote in open_votes():
        yield replace(first, deadline=None, additions=(VoteProgress(vote),))
    game = first.game
    assert game.to_move is not None
    moved = step(game, Moved(game.position.legal_moves()[0]), game.to_move)[1]
    for votes, voters in ((1, 1), (1, 2), (3, 5)):
        result = VoteResult(moved.game.row.revision, votes, voters)
        yield replace(moved, additions=(VoteResults((result,)),))


EXAMPLE_TEXTS: ExampleTexts = {
    "vote_extended_text": lambda who: [vote_extended_text(who, vote) for vote in open_votes()],
    "vote_receipt": lambda who: [vote_receipt(who, vote) for vote in open_votes()],
}
BOARDS = boards
REFUSED = [CannotVote(problem, ChannelId(LONG_ID)) for problem in VoteProblem]
