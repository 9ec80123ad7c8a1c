"""A player's running games, with their deadlines and pauses."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.base.ids import ChannelId, GuildId, MessageId, UserId
from bot.play.model.game import Game
from bot.play.model.pauses import Pause
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import GameCache
from bot.play.use_cases.ledger import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGame:
    """One of a player's running games."""

    game: Game
    board: tuple[ChannelId, MessageId] | None
    """Channel and message of its newest board."""
    deadline: datetime | None
    """When the turn or the vote ends, given the pauses known so far, or None for no limit."""
    pause: Pause | None
    """The current pause for the player to move."""
    is_stuck: bool
    """True if the game's board or thread currently can't be sent."""


class OwnGames:
    """Lists a player's running games."""

    def __init__(
        self, store: Store, game_cache: GameCache, ledger: Ledger, *, now: Callable[[], datetime]
    ) -> None:
        self._store, self._game_cache, self._ledger, self._now = store, game_cache, ledger, now

    async def running(self, guild: GuildId, player: UserId) -> list[ListedGame]:
        """Return a player's games in a server, starting with those that wait for them.

        Within both groups, the games with the nearest deadline come first.
        """
        games = await self._game_cache.running_of(guild, player)
        stuck = await self._store.deliveries.stuck([game.row.id for game in games])
        own_games = [await self._listed(game, is_stuck=game.row.id in stuck) for game in games]
        return sorted(own_games, key=lambda listing: _urgency(listing, player))

    async def waiting(self, player: UserId) -> list[ListedGame]:
        """Return the games in all servers that wait for a player, nearest deadline first.

        A game whose clock is paused is not waiting.
        """
        games = await self._game_cache.waiting_for(player)
        own_games = [await self._listed(game, is_stuck=False) for game in games]
        waiting = [game for game in own_games if game.pause is None]
        return sorted(waiting, key=lambda listing: _urgency(listing, player))

    async def _listed(self, game: Game, *, is_stuck: bool) -> ListedGame:
        now, pauses = self._now(), await self._ledger.pauses(game)
        return ListedGame(
            game=game,
            board=await self._store.deliveries.newest_board(game.row.id),
            deadline=await self._ledger.deadline(game, pauses),
            pause=game.turn_pauses(pauses, now).pause_at(now) if game.clock or game.pause else None,
            is_stuck=is_stuck,
        )


def _urgency(listing: ListedGame, player: UserId) -> tuple[bool, bool, float, int]:
    deadline = listing.deadline
    ends = 0.0 if deadline is None else deadline.timestamp()
    return listing.game.to_move != player, deadline is None, ends, listing.game.row.id
