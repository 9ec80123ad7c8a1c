"""Events of the players' offers and agreements."""

from dataclasses import dataclass, replace
from datetime import timedelta

from bot.base.ids import UserId
from bot.play.model.clock import Clock
from bot.play.model.game import EventData, EventHeader, Game, Offer, PendingOffer, Ply, clock_after
from bot.play.model.terms import EndReason, Outcome
from dvonn import Color, finish_placement


@dataclass(frozen=True, slots=True)
class OfferMade(EventData):
    """A player made an offer to the other one."""

    name = "offer"
    keeps_board = True

    what: Offer

    def apply(self, game: Game, event: EventHeader) -> Game:
        plies = game.plies_after_takeback(event.actor) if self.what is Offer.TAKEBACK else None
        offer = PendingOffer(self.what, event.actor, plies)
        return replace(game, offered=offer, asked_for=_counted(game, self.what, event.actor))

    def undoes(self, game: Game, actor: UserId) -> tuple[Ply, ...]:
        return game.line[game.plies_after_takeback(actor) :] if self.what is Offer.TAKEBACK else ()

    def next_player(self, game: Game, _actor: UserId) -> UserId | None:
        return game.asked


@dataclass(frozen=True, slots=True)
class OfferDeclined(EventData):
    """An offer was declined, or withdrawn by the player who made it."""

    name = "decline"
    spares_actor = True
    keeps_board = True

    withdrawn: bool = False
    """True if the player who made the offer withdrew it."""

    def apply(self, game: Game, _event: EventHeader) -> Game:
        """Record that the same player can't offer this again before their next move."""
        offer = game.offered
        declined_offers = (
            game.refused if offer is None else game.refused | {(offer.offer, offer.by)}
        )
        return replace(game, offered=None, refused=declined_offers)


@dataclass(frozen=True, slots=True)
class TakenBack(EventData):
    """Moves were taken back, by agreement or without asking."""

    name = "takeback"
    spares_actor = True
    clock_runs = begins_turn = True
    agrees_to = Offer.TAKEBACK

    plies: int
    """Number of plies that stay."""

    def apply(self, game: Game, event: EventHeader) -> Game:
        position, last = game.position_after(self.plies)
        first = game.line[self.plies]
        # a player who takes back their own move has not asked anyone
        agreed = first.actor != event.actor
        return replace(
            game,
            position=position,
            last=last,
            line=game.line[: self.plies],
            clock=self._restored_clocks(game, event, agreed=agreed),
            offered=None if agreed else game.offered,
            refused=game.refused | first.refused,
            went_back=game.went_back if agreed else event.actor,
            asked_for=(game.asked_for if agreed else _counted(game, Offer.TAKEBACK, event.actor)),
        )

    def _restored_clocks(self, game: Game, event: EventHeader, *, agreed: bool) -> Clock | None:
        """Return the clocks after a takeback.

        Nobody gains time by taking back their own moves.

        The time used, including in this turn, is not restored, and the increment is lost. In a
        takeback by agreement, the player keeps the time on their clock, and the other player's
        clock returns to its earlier time.
        """
        first = game.line[self.plies]
        mover = game.seat(first.actor)
        if game.clock is None or first.clock is None or mover is None:
            return None
        thought = (event.used or timedelta()) if mover is game.turn else timedelta()
        if agreed:
            clock_time = game.clock.time_left(mover)
        else:
            clock_time = first.clock.time_left(mover)
            thought += sum((ply.used for ply in game.line[self.plies :]), timedelta())
        time_left = max(clock_time - thought, timedelta())
        if mover is Color.WHITE:
            return replace(first.clock, white=time_left, since=event.at)
        return replace(first.clock, black=time_left, since=event.at)

    def undoes(self, game: Game, _actor: UserId) -> tuple[Ply, ...]:
        return game.line[self.plies :]


@dataclass(frozen=True, slots=True)
class DrawAgreed(EventData):
    """The players agreed on a draw."""

    name = "draw"
    agrees_to = Offer.DRAW

    def apply(self, game: Game, _event: EventHeader) -> Game:
        return game.ended(Outcome(EndReason.AGREEMENT))


@dataclass(frozen=True, slots=True)
class HintsAgreed(EventData):
    """The players agreed that each may ask the machine for hints until the game ends."""

    name = "hints"
    spares_actor = True
    keeps_board = True
    agrees_to = Offer.HINTS

    def apply(self, game: Game, _event: EventHeader) -> Game:
        """Allow the player to move to ask for hints from now on."""
        return replace(game, hints_agreed=True, offered=None)


@dataclass(frozen=True, slots=True)
class RestPlaced(EventData):
    """The remaining pieces were placed at random."""

    name = "finish"
    clock_runs = begins_turn = changes_position = True
    agrees_to = Offer.FINISH

    seed: int

    def apply(self, game: Game, event: EventHeader) -> Game:
        position = game.position
        for move in finish_placement(position, self.seed):
            position = position.play(move)
        return replace(
            game,
            position=position,
            last=None,
            base=position,
            board_seed=self.seed,
            settled=len(game.line),
            clock=clock_after(game, event, game.turn, gains=False),
            offered=None,
        )


def _counted(game: Game, offer: Offer, user: UserId) -> dict[tuple[Offer, UserId], int]:
    """Count one more offer by a player."""
    return {**game.asked_for, (offer, user): game.asked_for.get((offer, user), 0) + 1}
