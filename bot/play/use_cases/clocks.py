"""Reads the clocks of a game."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from bot.base.ids import ChannelId
from bot.play.model.clock import elapsed, runs_out, weekend_at
from bot.play.model.game import Game
from bot.play.store.tables import Store
from bot.play.use_cases.deadlines import pauses
from bot.play.use_cases.games import Games
from dvonn import Color


class Rest(Enum):
    """Reasons why a clock stands still now."""

    VACATION = auto()
    WEEKEND = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Both clocks at a moment."""

    white: timedelta
    """Time that White has left."""
    black: timedelta
    turn: Color
    """Colour of the clock that runs, or would if it did not rest."""
    deadline: datetime
    """Time when it is up, as far as pauses are known."""
    rest: Rest | None
    """Reason why it rests, if it does."""
    rests_until: datetime | None
    outage: timedelta
    """Time that it has stood still in this turn because the bot was away."""

    def left(self, color: Color) -> timedelta:
        return self.white if color is Color.WHITE else self.black


class GameClocks:
    """Shows clocks. The time comes in as an argument."""

    def __init__(self, store: Store, games: Games, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._games = games
        self._now = now

    async def here(self, channel: ChannelId) -> tuple[Game, Clocks | None]:
        """Return the game of a channel and its clocks; None where it is played without.

        Raises:
            NoGameHere: if no game is running here.
        """
        game = await self._games.here(channel)
        return game, await self.of(game)

    async def of(self, game: Game) -> Clocks | None:
        """Return the clocks of a game; None where there are none, or it has ended."""
        control, clock, turn = game.row.clock, game.clock, game.turn
        if control is None or clock is None or turn is None:
            return None
        now = self._now()
        known = await pauses(self._store, game)
        still = known.of(game.to_move)
        used = elapsed(clock.since, now, still, control.weekends)
        left = {color: clock.left(color) for color in Color}
        left[turn] = max(left[turn] - used, timedelta())
        away = known.rests(game.to_move)
        vacation = next((one for one in away if one.begins <= now < one.ends), None)
        weekend = None if control.weekends is None else weekend_at(now, control.weekends)
        resting = vacation or weekend
        return Clocks(
            white=left[Color.WHITE],
            black=left[Color.BLACK],
            turn=turn,
            deadline=runs_out(clock.since, clock.left(turn), still, control.weekends),
            rest=None if resting is None else Rest.VACATION if vacation else Rest.WEEKEND,
            rests_until=None if resting is None else resting.ends,
            outage=elapsed(clock.since, now, away, control.weekends) - used,
        )
