"""The seam between the game and teams: how a channel plays, whose members vote on each move.

The game knows that a team may have a seat, and how long its turn lasts. A feature decides who may
begin such a game, and what a vote does. Without it, no team game begins.
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

_CHECKED_EVERY: Final = timedelta(days=1)


class Teams:
    """Plays for teams. This one begins no games, and lets a running one wait."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store, self._now = store, now

    def choice(self, reader: Reader) -> str | None:
        """Return the label of the choice of a team game, or None if there are no such games."""
        return None

    def usual(self, usual: Defaults) -> Defaults:
        """Return a place's usual game of teams."""
        raise StaleBoard

    def vote_length(self, clock: TimeControl | None) -> timedelta:
        """Return the time for each vote with a clock.

        Raises:
            PlayError: if the clock fits no vote.
        """
        raise StaleBoard

    async def check_terms(self, terms: ChallengeTerms, venue: Venue) -> None:
        """Check that a team can play on these terms at a place, or raise the reason why not."""
        raise StaleBoard

    async def check_free(self, channel: ChannelId) -> None:
        """Check that a team's channel has no running game, or raise the reason."""
        raise StaleBoard

    async def cast(
        self,
        entered: TeamVotes,
        user: UserId,
        *,
        channel: ChannelId,
        source: SourceId,
    ) -> Callable[[Reader], Post]:
        """Count the entered move as a user's vote, and return the answer to them.

        Raises:
            AlreadyHandled: if this message or click was already counted as a vote.
            PlayError: if it cannot be counted.
        """
        raise StaleBoard

    async def check(
        self, game: Game, seen: datetime, *, heard: Callable[[], Awaitable[datetime | None]]
    ) -> GameUpdate | None:
        """Do what is due in a running team game whose timer was due at `seen`.

        `heard` returns the time until which all people's events were received, or None.
        """
        # Not removed: the move that is being written now may have set it.
        await self._store.timers.put_off(game.row.id, seen, self._now() + _CHECKED_EVERY)
        return None
