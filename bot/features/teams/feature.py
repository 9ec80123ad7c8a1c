"""The declaration of the feature."""

from typing import Final

from bot.features.teams.delivery import VoteBoardHandler, VoteExtendedHandler
from bot.features.teams.hook import TeamsHook
from bot.features.teams.model import CannotVote
from bot.features.teams.teams import VotingTeams
from bot.features.teams.use_cases import Votes
from bot.features.teams.words import cannot_vote
from bot.play.seams import Feature

TEAMS = Feature(
    name="teams",
    refusals={CannotVote: cannot_vote},
    factories=(Votes, TeamsHook),
    deliveries=(VoteBoardHandler, VoteExtendedHandler),
)
TEAM_GAMES: Final = VotingTeams
