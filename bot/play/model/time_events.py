"""Events that change a game's clocks: gifts of time, vacations and agreed pauses."""

from dataclasses import dataclass, replace
from datetime import timedelta

from bot.base.ids import UserId
from bot.play.model.game import EventData, EventHeader, Game, Offer, clock_after
from bot.play.model.pauses import AgreedPause


@dataclass(frozen=True, slots=True)
class TimeGiven(EventData):
    """A player gave the other one time."""

    name = "give"
    clock_runs = keeps_board = True

    seconds: int

    def apply(self, game: Game, event: EventHeader) -> Game:
        """Add the time to the clock, minus what was already used. No takeback removes the gift."""
        clock = clock_after(game, event, game.turn, gains=False)
        color = game.seat(game.opponent(event.actor))
        if clock is None or color is None:
            return game
        time = timedelta(seconds=self.seconds)
        return replace(
            game,
            clock=clock.with_gift(color, time),
            line=tuple(
                replace(ply, clock=None if ply.clock is None else ply.clock.with_gift(color, time))
                for ply in game.line
            ),
            left_by=game.left_by if game.is_member_gone else None,
        )

    def next_player(self, _game: Game, _actor: UserId) -> UserId | None:
        """Ping nobody, because the receiver need not act."""
        return None


@dataclass(frozen=True, slots=True)
class VacationTaken(EventData):
    """A vacation started automatically because the player to move was out of time.

    This happens at most once per turn.
    """

    name = "vacation"
    keeps_board = True

    until_s: int
    """The end of the vacation, in seconds since 1970."""

    def apply(self, game: Game, _event: EventHeader) -> Game:
        """Record that a vacation started in this turn.

        The vacation itself belongs to the player and applies to all games.
        """
        return replace(game, was_saved=True)


@dataclass(frozen=True, slots=True)
class PauseAgreed(EventData):
    """The players agreed that no clock runs until one of them ends the pause."""

    name = "pause"
    clock_runs = keeps_board = True
    agrees_to = Offer.PAUSE

    def apply(self, game: Game, event: EventHeader) -> Game:
        """Pause the game from now on. The time used until now is charged."""
        return replace(
            game,
            clock=clock_after(game, event, game.turn, gains=False),
            turn_since=event.at,
            pause=AgreedPause(begins=event.at),
            offered=None,
            left_by=None,
        )

    def next_player(self, game: Game, actor: UserId) -> UserId | None:
        """Return the player who asked for the pause. Nobody has to move."""
        return game.opponent(actor)


@dataclass(frozen=True, slots=True)
class PauseEnded(EventData):
    """A player ended an agreed pause.

    Clocks run again after a delay, or immediately if both ended it.
    """

    name = "resume"
    keeps_board = True

    def apply(self, game: Game, event: EventHeader) -> Game:
        pause = game.pause
        return replace(game, pause=pause and pause.ended(event.actor, event.at))

    def next_player(self, game: Game, actor: UserId) -> UserId | None:
        """Return the other player, who needs to know when clocks run again."""
        return game.opponent(actor)
