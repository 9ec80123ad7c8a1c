"""The interface between the game and teams: a channel plays, and its members vote on each move.

The game only knows that a team can have a seat, and how long its turn lasts. A feature decides who
may start such a game, and handles votes. Without the feature, team games can't start.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from bot.base.ids import ChannelId, SourceId, UserId
from bot.base.languages import Reader
from bot.connection.posts import Post
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.conduct import Venue
from bot.play.model.game import Game
from bot.play.model.refusals import StaleBoard, TeamVotes
from bot.play.model.terms import ChallengeTerms, Defaults
from bot.play.store.store import Store

_RECHECK_DELAY: Final = timedelta(days=1)


class Teams:
    """Runs team games. This default starts none, and lets running ones wait."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store, self._now = store, now

    def choice(self, reader: Reader) -> str | None:
        """Return the label for choosing a team game, or None if there are no team games."""
        return None

    def adapt_defaults(self, defaults: Defaults) -> Defaults:
        """Return a place's defaults, adapted for team games."""
        raise StaleBoard

    def vote_length(self, clock: TimeControl | None) -> timedelta:
        """Return the duration of each vote under a clock.

        Raises:
            PlayError: if the clock is not suitable for votes.
        """
        raise StaleBoard

    async def check_terms(self, terms: ChallengeTerms, venue: Venue) -> None:
        """Check that a team can play on these terms in a place, or raise an error."""
        raise StaleBoard

    async def check_free(self, channel: ChannelId) -> None:
        """Check that a team's channel has no running game, or raise an error."""
        raise StaleBoard

    async def cast(
        self,
        team_votes: TeamVotes,
        user: UserId,
        *,
        channel: ChannelId,
        source: SourceId,
    ) -> Callable[[Reader], Post]:
        """Count an entered move as a user's vote.

        Return the answer to the user.

        Raises:
            AlreadyHandled: if this message or click was already counted as a vote.
            PlayError: if it can't be counted.
        """
        raise StaleBoard

    async def check(
        self,
        game: Game,
        due_time: datetime,
        *,
        received_until: Callable[[], Awaitable[datetime | None]],
    ) -> GameUpdate | None:
        """Process a running team game whose timer was due at `due_time`.

        `received_until` returns the time up to which all events were received, or None.
        """
        # Postponed, not removed, because a move that is being written now may have set it.
        await self._store.timers.put_off(game.row.id, due_time, self._now() + _RECHECK_DELAY)
        return None
