"""Offers between players (takebacks, draws, hints, pauses), and gifts of time."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random
from typing import Final

from bot.base.ids import ChannelId, GameId, Revision, SourceId, UserId
from bot.play.game_changes import GameUpdate
from bot.play.model import offer_events, time_events
from bot.play.model.events import AnyEventData
from bot.play.model.game import Game, Offer
from bot.play.model.openings import any_seed
from bot.play.model.refusals import BadGift, BadOffer, GiftProblem, OfferProblem, StaleBoard
from bot.play.model.turns import check_seat
from bot.play.use_cases.game_cache import GameCache
from bot.play.use_cases.ledger import GameAction, Ledger

FREE_TAKEBACK = timedelta(minutes=1)
"""Time after a move during which the player can take it back without asking, if the other player
has not acted.
"""
MAX_OFFERS: Final = {**dict.fromkeys(Offer, 20), Offer.TAKEBACK: 100}
"""Maximum number of offers of each kind per player and game, including takebacks without asking.

In a long game, each player has about fifty turns.
"""


class Offers:
    """Makes, accepts and declines offers, pauses clocks, and gives time."""

    def __init__(
        self,
        game_cache: GameCache,
        ledger: Ledger,
        *,
        now: Callable[[], datetime],
        rng: Random,
    ) -> None:
        self._game_cache = game_cache
        self._ledger = ledger
        self._now = now
        self._rng = rng

    async def ask(
        self, channel: ChannelId, user: UserId, offer: Offer, *, source: SourceId
    ) -> GameUpdate:
        """Offer something in a channel's game, or accept the other player's matching offer.

        Within a minute, a move can be taken back without asking, once per turn, if nothing has
        happened since.

        Raises:
            AlreadyHandled: if this source was already handled.
            NoGameHere: if no game is running here.
            NotAPlayer: if the user is a spectator.
            BadOffer: if this can't be offered now.
            AskedTooOften: if the other player was asked too often.
        """

        async def find() -> GameAction:
            game = await self._game_cache.running_in(channel)
            return self._action(game, user, self._offer_data(game, user, offer))

        return await self._ledger.write_decided(find, source=source)

    async def suggest(
        self,
        game: GameId,
        user: UserId,
        offer: Offer,
        *,
        source: SourceId,
        revision: Revision | None = None,
    ) -> GameUpdate:
        """Make an offer, or accept the opponent's, with a button on a game's page or board.

        Raises:
            AlreadyHandled, NotAPlayer, BadOffer, AskedTooOften: like `ask`.
            GameNotRunning: if the game has ended.
            StaleBoard: if its board has changed since `revision`.
        """

        async def find() -> GameAction:
            current = await self._game_cache.running(game)
            data = self._offer_data(current, user, offer)
            if revision is not None and not current.has_board_of(revision):
                raise StaleBoard
            return self._action(current, user, data)

        return await self._ledger.write_decided(find, source=source)

    async def give_time(self, game: GameId, user: UserId, *, source: SourceId) -> GameUpdate:
        """Give the other player time.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            BadGift: if time can't be given, with the reason.
        """

        async def find() -> GameAction:
            current = await self._game_cache.running(game)
            check_seat(current, user)
            control = current.row.clock
            other = current.seat(current.opponent(user))
            if (problem := no_gift(current)) is not None:
                raise BadGift(problem)
            assert current.clock is not None  # otherwise `no_gift` gives a reason # noqa: S101
            assert control is not None  # noqa: S101
            assert other is not None  # noqa: S101
            if current.clock.time_left(other) + control.gift > control.most:
                raise BadGift(GiftProblem.ENOUGH, control.most)
            gift = time_events.TimeGiven(round(control.gift.total_seconds()))
            return self._action(current, user, gift)

        return await self._ledger.write_decided(find, source=source)

    async def end_pause(self, game: GameId, user: UserId, *, source: SourceId) -> GameUpdate:
        """End an agreed pause, with a delay unless the other player has already ended it.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            BadOffer: if there is none, or they have already ended it.
        """

        async def find() -> GameAction:
            current = await self._game_cache.running(game)
            check_seat(current, user)
            if current.pause is None or not current.pause.may_end(user, self._now()):
                raise BadOffer(OfferProblem.NOT_PAUSED)
            return self._action(current, user, time_events.PauseEnded())

        return await self._ledger.write_decided(find, source=source)

    async def accept(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId | None
    ) -> GameUpdate:
        """Accept the pending offer.

        Raises:
            AlreadyHandled: if this source was already handled.
            GameNotRunning: if the game has ended.
            NotAPlayer: if the user is a spectator.
            StaleBoard: if the game has changed since that revision.
            BadOffer: if no offer is pending, or it is the user's own.
        """

        async def find() -> GameAction:
            current = await self._game_with_offer(game, revision, user)
            if current.asked != user:
                raise BadOffer(OfferProblem.OWN)
            return self._action(current, user, self._acceptance_data(current))

        return await self._ledger.write_decided(find, source=source)

    async def decline(
        self, game: GameId, revision: Revision, user: UserId, *, source: SourceId | None
    ) -> GameUpdate:
        """Decline the pending offer, or withdraw it if it is the user's own.

        Raises:
            AlreadyHandled, GameNotRunning, NotAPlayer, StaleBoard: like `accept`.
            BadOffer: if no offer is pending.
        """

        async def find() -> GameAction:
            current = await self._game_with_offer(game, revision, user)
            return self._action(
                current, user, offer_events.OfferDeclined(withdrawn=current.asked != user)
            )

        return await self._ledger.write_decided(find, source=source)

    def _action(self, game: Game, user: UserId, data: AnyEventData) -> GameAction:
        cleared = None
        if isinstance(data, offer_events.TakenBack):
            # After a takeback, the player chooses again which pieces to place.
            cleared = user if game.offered is None else game.offered.by
        return GameAction(game, user, (data,), clears_plan_of=cleared)

    def _offer_data(self, game: Game, user: UserId, offer: Offer) -> AnyEventData:
        check_seat(game, user)
        same = game.offered is not None and game.offered.offer is offer and game.asked == user
        if same and offer is not Offer.TAKEBACK:
            return self._acceptance_data(game)
        if offer is Offer.TAKEBACK:
            plies = _plies_to_keep(game, user)
            if self._is_free(game, user, plies):
                _check_limit(game, user, offer)
                return offer_events.TakenBack(plies)
        elif offer is Offer.FINISH and not game.is_placing:
            raise BadOffer(OfferProblem.NOT_PLACING)
        elif offer is Offer.HINTS:
            _check_hints(game)
        elif offer is Offer.PAUSE and (problem := no_pause(game, self._now())) is not None:
            raise BadOffer(problem)
        if game.offered is not None:
            is_own = game.offered.by == user
            raise BadOffer(OfferProblem.OWN if is_own else OfferProblem.PENDING)
        if (offer, user) in game.refused:
            raise BadOffer(OfferProblem.REFUSED)
        _check_limit(game, user, offer)
        return offer_events.OfferMade(offer)

    def _acceptance_data(self, game: Game) -> AnyEventData:
        offer = game.offered
        assert offer is not None  # checked by the callers # noqa: S101
        match offer.offer:
            case Offer.TAKEBACK:
                assert offer.goes_back_to is not None  # guaranteed by `OfferMade` # noqa: S101
                return offer_events.TakenBack(offer.goes_back_to)
            case Offer.DRAW:
                return offer_events.DrawAgreed()
            case Offer.FINISH:
                return offer_events.RestPlaced(any_seed(self._rng))
            case Offer.HINTS:
                return offer_events.HintsAgreed()
            case Offer.PAUSE:
                return time_events.PauseAgreed()

    def _is_free(self, game: Game, user: UserId, plies: int) -> bool:
        undone = game.line[plies:]
        return (
            game.went_back != user  # otherwise they could ping the other player again and again
            and all(ply.actor == user and ply.reason is None for ply in undone)
            and undone[-1].revision == game.row.revision
            and self._now() - undone[-1].at <= FREE_TAKEBACK
        )

    async def _game_with_offer(self, game: GameId, revision: Revision, user: UserId) -> Game:
        current = await self._game_cache.running(game)
        check_seat(current, user)
        if current.offered is None:
            raise BadOffer(OfferProblem.OVER)
        if current.row.revision != revision:
            raise StaleBoard
        return current


def may_undo(game: Game, user: UserId) -> bool:
    """Return True if a player can take something back, or offer to."""
    if game.seat(user) is None or not game.is_running:
        return False
    with suppress(BadOffer):
        _plies_to_keep(game, user)
        return True
    return False


def no_pause(game: Game, now: datetime) -> OfferProblem | None:
    """Return why the players of a game can't agree on a pause now, or None if they can."""
    row = game.row
    if row.machine is not None:
        return OfferProblem.PAUSE_MACHINE
    if row.tournament is not None:
        return OfferProblem.PAUSE_TOURNAMENT
    if row.clock is not None and row.clock.is_live:
        return OfferProblem.PAUSE_LIVE
    paused = game.pause is not None and (game.pause.ends is None or now < game.pause.ends)
    return OfferProblem.PAUSED if paused else None


def no_gift(game: Game) -> GiftProblem | None:
    """Return why nobody can give time in a game, or None if they can."""
    if game.clock is None:
        return GiftProblem.NO_CLOCK
    if game.row.machine is not None:
        return GiftProblem.MACHINE
    return GiftProblem.TOURNAMENT if game.row.tournament is not None else None


def _check_hints(game: Game) -> None:
    """Check that a game's players can agree on hints."""
    if game.row.rated:
        raise BadOffer(OfferProblem.HINTS_RATED)
    if game.row.machine is not None:
        raise BadOffer(OfferProblem.HINTS_FREE)
    if game.hints_agreed:
        raise BadOffer(OfferProblem.HINTS_AGREED)


def _check_limit(game: Game, user: UserId, offer: Offer) -> None:
    limit = MAX_OFFERS[offer]
    if game.asked_for.get((offer, user), 0) >= limit:
        is_takeback = offer is Offer.TAKEBACK
        problem = OfferProblem.TAKEBACKS_SPENT if is_takeback else OfferProblem.OFFERS_SPENT
        raise BadOffer(problem, limit=limit)


def _plies_to_keep(game: Game, user: UserId) -> int:
    """Return the number of plies left if a player takes back their last one."""
    if game.row.clock is not None and game.row.clock.is_live:
        raise BadOffer(OfferProblem.LIVE)
    if game.row.rated and game.row.machine is not None:
        raise BadOffer(OfferProblem.TAKEBACK_RATED)
    plies = game.plies_after_takeback(user)
    if plies == len(game.line):
        raise BadOffer(OfferProblem.NOTHING)
    return plies
