"""Events that change the time of a game: gifts of time, and agreed pauses."""

from dataclasses import dataclass, replace
from datetime import timedelta

from bot.base.ids import UserId
from bot.play.model.game import EventData, EventHeader, Game, Offer, clock_after
from bot.play.model.pauses import AgreedPause


@dataclass(frozen=True, slots=True)
class TimeGiven(EventData):
    """A player gives the other time, as a gift."""

    name = "give"
    clock_runs = keeps_board = True

    seconds: int

    def apply(self, game: Game, event: EventHeader) -> Game:
        """Add to the clock, minus the time already used. No takeback removes the gift."""
        clock = clock_after(game, event, game.turn, gains=False)
        to = game.seat(game.opponent(event.actor))
        if clock is None or to is None:
            return game
        time = timedelta(seconds=self.seconds)
        return replace(
            game,
            clock=clock.given(to, time),
            line=tuple(
                replace(ply, clock=None if ply.clock is None else ply.clock.given(to, time))
                for ply in game.line
            ),
            left_by=game.left_by if game.is_member_gone else None,
        )

    def next_player(self, _game: Game, _actor: UserId) -> UserId | None:
        """Ping nobody: the receiver need not act."""
        return None


@dataclass(frozen=True, slots=True)
class VacationTaken(EventData):
    """The time of the player to move was up, so they went on vacation instead, once in a turn."""

    name = "vacation"
    keeps_board = True

    until_s: int
    """Its end, in seconds since 1970."""

    def apply(self, game: Game, _event: EventHeader) -> Game:
        """Note that it began. The vacation itself is the player's own, in all games."""
        return replace(game, was_saved=True)


@dataclass(frozen=True, slots=True)
class PauseAgreed(EventData):
    """The players agree that no time runs until one of them ends it."""

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
        """Return the player who asked for it. Nobody has to move."""
        return game.opponent(actor)


@dataclass(frozen=True, slots=True)
class PauseEnded(EventData):
    """A player ends an agreed pause: time runs again a while later, or at once if both have."""

    name = "resume"
    keeps_board = True

    def apply(self, game: Game, event: EventHeader) -> Game:
        pause = game.pause
        return replace(game, pause=pause and pause.ended(event.actor, event.at))

    def next_player(self, game: Game, actor: UserId) -> UserId | None:
        """Return the other player, who needs to know when time runs again."""
        return game.opponent(actor)
