"""The result of an accepted change, and the people whom it calls."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.base.ids import UserId, is_team
from bot.database.delivery_rows import Delivery
from bot.play.hooks import Aftermath
from bot.play.model.agreements import OfferDeclined, RestPlaced, TakenBack
from bot.play.model.ahead.tree import Ahead
from bot.play.model.events import Deserted, Event, Moved, Started, TimedOut, Told
from bot.play.model.game import Game
from bot.play.model.voting import Poll
from dvonn import Phase

LOOKS_ON = timedelta(seconds=20)
"""Time in which somebody surely waits for the machine's answer to their move."""


@dataclass(frozen=True, slots=True)
class Update:
    """The result of an accepted change: all that leaves through `bot.play.delivery`."""

    game: Game
    """The game at the revision that the change made."""
    told: tuple[Told, ...]
    """Events that the players have not been told yet, oldest first; the last made the revision."""
    deliveries: tuple[Delivery, ...]
    """Deliveries, leased to the process that holds this."""
    deadline: datetime | None = None
    """Time when the player to move has none left, as far as is known."""
    kept: Ahead | None = None
    """Decisions ahead of the player who acted."""
    polls: tuple[Poll, ...] = ()
    """Votes of teams on the moves that are told."""
    aftermath: tuple[Aftermath, ...] = ()
    """Its effects beside the game, as features tell them."""
    is_held: bool = False
    """The machine waits with what it does: it would help in another game (`FairPlay.holds`)."""

    @property
    def calls(self) -> tuple[UserId, ...]:
        """People who are called: those to act now, or both players where the game is over.

        Whoever has done it is not called, nor is the machine or a team; nor whom the machine has
        answered while they look on.
        """
        game, newest = self.game, self.told[-1].event
        whom = newest.calls(game)
        if not game.is_running:
            called = [game.row.white, game.row.black]
        elif newest.what == OfferDeclined(withdrawn=True) and len(self.told) == 1:
            called = []  # of their turn they have heard before
        else:
            called = [] if whom is None else [whom]
        deaf = (self._done_by, game.row.machine)
        return tuple(
            one for one in called if not (one in deaf or is_team(one) or self._looks_on(one))
        )

    @property
    def _done_by(self) -> UserId | None:
        """The player who did it and goes on looking; None where nobody has."""
        newest = next((one.event for one in reversed(self.told) if not _by_itself(one.event)), None)
        # In a thread of its own the first call lets people in, also who has just accepted.
        if newest is None or newest.kind is Started:
            return None
        is_claim = newest.kind is TimedOut
        return self.game.opponent(newest.actor) if is_claim else newest.actor

    def _looks_on(self, player: UserId) -> bool:
        """Tell whether the machine has answered a player before they can have looked away.

        They have moved, or begun the game where it is played.
        """
        row, newest = self.game.row, self.told[-1].event
        begun = row.is_solo and not row.own_thread
        return newest.actor == row.machine and any(
            newest.at - one.event.at < LOOKS_ON
            and (
                (one.event.actor == player and isinstance(one.event.what, Moved))
                or (begun and one.event.kind is Started)
            )
            for one in self.told
        )

    @property
    def corrects_board(self) -> bool:
        """True if it only puts the newest board right: a move is taken back, and nobody waits.

        Whoever plays the machine has just asked it for that.
        """
        is_back = self.told[-1].event.kind is TakenBack
        return is_back and (not self.calls or self.game.row.machine is not None)

    @property
    def was_placing(self) -> bool:
        """True if the board before it was one of the placement."""
        phase = self.game.position.phase
        return phase is Phase.PLACEMENT or any(_fills_board(one.event) for one in self.told)


def _by_itself(event: Event) -> bool:
    """Tell whether nobody did it just now."""
    match event.what:
        case Moved(why=why):
            return why is not None
        case TimedOut():
            return event.source is None  # else the other player has claimed the game
        case Deserted():
            return True
        case _:
            return False


def _fills_board(event: Event) -> bool:
    """Tell whether an event puts pieces down."""
    match event.what:
        case Moved(move):
            return move.source is None
        case RestPlaced():
            return True
        case _:
            return False
