"""Rules of conduct: limits on pings, and on where and how many games are played.

Each move pings, but only after the other player has moved. All other pings go through `Ping`:
challenges, rematches, and offers in a game. They are limited per pair of people, across all
servers. If the other person accepts, that ping and all earlier ones no longer count.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from bot.base.ids import ChannelId, GameId, GuildId, UserId
from bot.play.model import refused_starts
from bot.play.model.events import Event
from bot.play.model.game import Game
from bot.play.model.offer_events import OfferMade
from bot.play.model.terms import ChallengeTerms, GuildRules, Place, ServerBlock, StartLimits


class PingKind(StrEnum):
    """Reasons for pings other than moves."""

    CHALLENGE = "challenge"
    """A challenge or a rematch, in any server."""
    OFFER = "offer"
    """An offer in a game: a draw, a takeback, placing the rest at random."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """The relation of one person to another: blocks and pings."""

    blocks: bool
    blocked: bool
    counted_until: datetime | None
    """When earlier pings to the other person stop counting, or None if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """A ping from one person to another, and their relations to each other."""

    kind: PingKind
    by: UserId
    to: UserId
    check: Callable[[Relation], datetime | None]
    """Raises an error if the ping is not allowed.

    Returns the time until which pings count, or None.
    """
    welcomes: bool
    """True if the sender also accepts the other person's pings. Their count then starts over."""


CHALLENGE_LIFE = timedelta(days=7)
"""Time until a challenge expires."""
OPEN_CHALLENGES = 10
"""Maximum number of unanswered challenges per person and server."""
PACE = timedelta(minutes=1)
"""Minimum time for `bot.play.model.terms.IN_A_ROW` challenges by a user in a server."""

TOLERANCE = timedelta(seconds=10)
"""Tolerance for comparing nearly simultaneous times."""


@dataclass(frozen=True, slots=True)
class PingRate:
    """Limit on one person's pings to another: several in a row, and then one at a time."""

    in_a_row: int
    every: timedelta
    """Time after which a ping no longer counts."""

    def count(self, counted_until: datetime | None, now: datetime) -> datetime | None:
        """Return when all pings will have stopped counting, with one more, or None if too many."""
        began = now if counted_until is None else max(counted_until, now)
        until = began + self.every
        return until if until <= now + self.in_a_row * self.every + TOLERANCE else None

    def next_at(self, counted_until: datetime) -> datetime:
        """Return when the next ping will be possible, once the limit is reached."""
        return counted_until - (self.in_a_row - 1) * self.every


CHALLENGE_PINGS = PingRate(5, every=timedelta(hours=4))
"""Limit on challenges and rematches that were not accepted, for any reason."""
OFFER_PINGS = PingRate(6, every=timedelta(hours=1))
"""Limit on offers that were not accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """The place where a user asks for a game, in its current state."""

    channel: ChannelId
    home: ChannelId
    """A thread's parent channel. For other channels, the channel itself."""
    has_threads: bool
    """True if Discord allows threads from messages here."""
    lacking: tuple[str, ...] = ()
    """Permissions that the bot lacks to play here, as named in Discord."""
    lacking_for_threads: tuple[str, ...] = ()
    """Further permissions that the bot lacks to open a thread here and play in it."""
    is_direct: bool = False
    """True in direct messages between a user and the bot."""
    visiting: bool = False
    """True if the bot is a guest here.

    It then receives only interactions, and can answer them only for a limited time.
    """
    is_muffled: bool = False
    """True if only the user who asks sees the bot's answers here."""
    asker_may_mend: bool = False
    """True if that user may give the bot permissions here."""

    @property
    def thread_possible(self) -> bool:
        """True if the bot can open a thread here."""
        return self.has_threads and not self.lacking_for_threads

    def busy(self, game: GameId) -> refused_starts.ChannelBusy:
        """Return the refusal of a second game while another is running here."""
        if self.has_threads:
            permissions = refused_starts.MissingPermissions(
                self.lacking_for_threads, asker_may_mend=self.asker_may_mend
            )
            reason = refused_starts.BusyReason.LACKING
            return refused_starts.ChannelBusy(self.channel, game, reason, permissions)
        no_threads = refused_starts.BusyReason.NO_THREADS
        reason = refused_starts.BusyReason.DIRECT if self.is_direct else no_threads
        return refused_starts.ChannelBusy(self.channel, game, reason)


def check_place(rules: GuildRules, venue: Venue, place: Place) -> None:
    """Check that a game is allowed and possible in the chosen place.

    Raises:
        OnlyPrivately: if nobody else would see the board.
        WrongChannel: if moderators only allow games elsewhere.
        NoThreadsHere: if a thread is wanted where Discord allows none.
        MissingPermissions: naming everything that the bot lacks.
    """
    if venue.is_muffled:
        raise refused_starts.OnlyPrivately
    if not rules.allow(venue.home):
        raise refused_starts.WrongChannel(rules.channels)
    in_thread = place is Place.THREAD
    if in_thread and not venue.has_threads:
        raise refused_starts.NoThreadsHere
    if permissions := venue.lacking + (venue.lacking_for_threads if in_thread else ()):
        raise refused_starts.MissingPermissions(permissions, asker_may_mend=venue.asker_may_mend)


def check_blocked(blocked: Iterable[ServerBlock], asker: UserId) -> None:
    """Check that no player of a new game is blocked by moderators of the server.

    Raises:
        BlockedHere: names the requesting user first.
    """
    for block in sorted(blocked, key=lambda block: block.player != asker):
        raise refused_starts.BlockedHere(block, is_asker=block.player == asker)


def check_games(limits: StartLimits, asker: UserId) -> None:
    """Check that neither player exceeds the server's limit on running games.

    Raises:
        TooManyGames: names the challenger first, because they can do something about it.
    """
    limit = limits.rules.games_per_person
    for user in sorted(limits.running, key=lambda player: player != asker):
        if limits.running[user] >= limit:
            raise refused_starts.TooManyGames(user, limit, is_asker=user == asker)


def check_challenges(limits: StartLimits, guild: GuildId, now: datetime) -> None:
    """Check that the challenger does not have too many open challenges.

    Raises:
        TooManyChallenges: lists them.
    """
    still_open = tuple(
        challenge
        for challenge in limits.open_challenges
        if not has_expired(challenge.created_at, now)
    )
    if len(still_open) >= OPEN_CHALLENGES:
        raise refused_starts.TooManyChallenges(guild, still_open)


def check_pace(limits: StartLimits, now: datetime) -> None:
    """Check that the challenger has waited briefly after several challenges in a row.

    Raises:
        TooSoon: with the time to wait.
    """
    if limits.row_began is not None:
        wait = limits.row_began + PACE - now
        if wait > timedelta():
            raise refused_starts.TooSoon(wait)


def has_expired(created_at: datetime, now: datetime) -> bool:
    """Return True if a challenge is too old to be answered."""
    return created_at + CHALLENGE_LIFE <= now


def challenge_ping(terms: ChallengeTerms, now: datetime) -> Ping | None:
    """Return the ping of a challenge, or None if it is for anyone or for the machine.

    Its check raises:
        YouBlocked: if the challenger has blocked the opponent.
        NotNow: if the opponent has blocked the challenger, or was pinged too often.
    """
    opponent = terms.opponent
    if opponent is None or terms.level is not None:
        return None

    def check(pair: Relation) -> datetime:
        _check_blocks(pair, opponent)
        until = CHALLENGE_PINGS.count(pair.counted_until, now)
        if until is None:
            raise refused_starts.NotNow(opponent)
        return until

    return Ping(
        kind=PingKind.CHALLENGE, by=terms.challenger, to=opponent, check=check, welcomes=True
    )


def acceptance_ping(terms: ChallengeTerms, user: UserId, now: datetime) -> Ping | None:
    """Return the acceptance of a challenge, as a ping that doesn't count, or None for the machine.

    Its check raises:
        YouBlocked: if the user has blocked the challenger.
        NotNow: if the challenger has blocked the user. To keep that secret, this is also raised
            for an open challenge if the user's own challenges would ping too often.
    """
    if terms.level is not None:
        return None

    def check(pair: Relation) -> None:
        _check_blocks(pair, terms.challenger)
        if terms.opponent is None and CHALLENGE_PINGS.count(pair.counted_until, now) is None:
            raise refused_starts.NotNow(terms.challenger)

    return Ping(kind=PingKind.CHALLENGE, by=user, to=terms.challenger, check=check, welcomes=True)


def offer_ping(game: Game, event: Event) -> Ping | None:
    """Return the ping of an offer or its acceptance, or None for other events and for the machine.

    Its check raises: AskedTooOften: if the other player was pinged too often.
    """
    if game.row.machine is not None:
        return None
    offer = game.offered
    agrees = offer is not None and (event.data.agrees_to, event.actor) == (
        offer.offer,
        game.asked,
    )
    if not agrees and not isinstance(event.data, OfferMade):
        return None

    def check(pair: Relation) -> datetime | None:
        if agrees:
            return None
        until = OFFER_PINGS.count(pair.counted_until, event.at)
        if until is None and pair.counted_until is not None:
            raise refused_starts.AskedTooOften(OFFER_PINGS.next_at(pair.counted_until))
        return until

    return Ping(
        kind=PingKind.OFFER,
        by=event.actor,
        to=game.opponent(event.actor),
        check=check,
        welcomes=agrees,
    )


def _check_blocks(pair: Relation, other: UserId) -> None:
    if pair.blocks:
        raise refused_starts.YouBlocked(other)
    if pair.blocked:
        raise refused_starts.NotNow(
            other
        )  # the same as for too many pings, so that nobody learns that they are blocked
