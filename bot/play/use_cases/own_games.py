"""The running games of a player, with their deadlines and pauses."""

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
    """A running game of a player."""

    game: Game
    board: tuple[ChannelId, MessageId] | None
    """Place of its newest board."""
    deadline: datetime | None
    """When the turn or the vote ends, with the pauses known so far, or None without a limit."""
    pause: Pause | None
    """The current pause of the clock of the player to move."""
    is_stuck: bool
    """Its board or its thread can't be sent for now."""


class OwnGames:
    """Lists games. The time comes in as an argument."""

    def __init__(
        self, store: Store, game_cache: GameCache, ledger: Ledger, *, now: Callable[[], datetime]
    ) -> None:
        self._store, self._game_cache, self._ledger, self._now = store, game_cache, ledger, now

    async def running(self, guild: GuildId, player: UserId) -> list[ListedGame]:
        """Return a player's games in a server, the games that wait for them first.

        Within both groups, the games with the nearest deadline come first.
        """
        games = await self._game_cache.running_of(guild, player)
        stuck = await self._store.deliveries.stuck([game.row.id for game in games])
        found = [await self._own(game, is_stuck=game.row.id in stuck) for game in games]
        return sorted(found, key=lambda one: _urgency(one, player))

    async def waiting(self, player: UserId) -> list[ListedGame]:
        """Return the games of all servers that wait for a player, the nearest deadline first.

        A game with a paused clock waits for nobody.
        """
        games = await self._game_cache.waiting_for(player)
        found = [await self._own(game, is_stuck=False) for game in games]
        waiting = [game for game in found if game.pause is None]
        return sorted(waiting, key=lambda one: _urgency(one, player))

    async def _own(self, game: Game, *, is_stuck: bool) -> ListedGame:
        now, known = self._now(), await self._ledger.pauses(game)
        return ListedGame(
            game=game,
            board=await self._store.deliveries.newest_board(game.row.id),
            deadline=await self._ledger.deadline(game, known),
            pause=game.rests(known, now).pause_at(now) if game.clock or game.pause else None,
            is_stuck=is_stuck,
        )


def _urgency(one: ListedGame, player: UserId) -> tuple[bool, bool, float, int]:
    deadline = one.deadline
    ends = 0.0 if deadline is None else deadline.timestamp()
    return one.game.to_move != player, deadline is None, ends, one.game.row.id
