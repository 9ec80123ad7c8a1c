"""Team games, for the interface in `bot.play.teams`."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

from bot.base.ids import ChannelId, SourceId, UserId
from bot.base.languages import Reader
from bot.connection.posts import Post
from bot.features.teams import model
from bot.features.teams.use_cases import Votes
from bot.features.teams.words import team_choice, vote_receipt
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.conduct import Venue
from bot.play.model.game import Game
from bot.play.model.refusals import TeamVotes
from bot.play.model.terms import ChallengeTerms, Defaults
from bot.play.teams import Teams
from bot.play.use_cases.use_cases import UseCases


class VotingTeams(Teams):
    """Teams that vote. The move with the most votes is played."""

    def __init__(self, cases: UseCases) -> None:
        super().__init__(cases.store, now=cases.now)
        self._votes = Votes(cases)

    def choice(self, reader: Reader) -> str:
        return team_choice(reader)

    def adapt_defaults(self, defaults: Defaults) -> Defaults:
        return model.for_teams(defaults)

    def vote_length(self, clock: TimeControl | None) -> timedelta:
        return model.vote_length(clock)

    async def check_terms(self, terms: ChallengeTerms, venue: Venue) -> None:
        if venue.visiting or venue.is_direct:
            raise model.CannotVote(model.VoteProblem.PLACE)
        model.check_terms(terms)
        await self.check_free(terms.channel)

    async def check_free(self, channel: ChannelId) -> None:
        if await self._store.games.running_in(channel) is not None:
            raise model.CannotVote(model.VoteProblem.BUSY, channel)

    async def cast(
        self,
        team_votes: TeamVotes,
        user: UserId,
        *,
        channel: ChannelId,
        source: SourceId,
    ) -> Callable[[Reader], Post]:
        cast = await self._votes.cast(
            team_votes.game,
            team_votes.revision,
            user,
            team_votes.moves,
            channel=channel,
            source=source,
        )
        return partial(vote_receipt, ballot=cast)

    async def check(
        self,
        game: Game,
        due_time: datetime,
        *,
        received_until: Callable[[], Awaitable[datetime | None]],
    ) -> GameUpdate | None:
        if not game.is_voted:
            return await super().check(game, due_time, received_until=received_until)
        return await self._votes.check(game, due_time, received_until=received_until)
