"""Rules of conduct: where games may be started, how many at once, how often somebody asks."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.errors import (
    MissingPermissions,
    NoThreadsHere,
    TooManyChallenges,
    TooManyGames,
    TooSoon,
    WrongChannel,
)
from bot.ids import ChannelId, GuildId, UserId
from bot.store.rows import GuildRules, Place, Standing

CHALLENGE_LIFE = timedelta(days=7)
"""How long a challenge can be accepted."""
OPEN_CHALLENGES = 3
"""How many unanswered challenges one person may have in a server."""
COOL_DOWN = timedelta(seconds=10)
"""How long somebody waits between two challenges in a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """The place where somebody asks for a game, as it is at that moment."""

    channel: ChannelId
    """The channel or thread."""
    home: ChannelId
    """The channel that a thread is in; for a channel, itself."""
    has_threads: bool
    """Discord lets threads be opened from messages here."""
    lacking: tuple[str, ...] = ()
    """The permissions that the bot needs to play here and lacks, by Discord's names."""
    lacking_for_threads: tuple[str, ...] = ()
    """Those that it needs besides to open a thread here and play in it."""
    is_direct: bool = False
    """These are the direct messages between one person and the bot."""
    asker_may_mend: bool = False
    """Whoever asks may give the bot permissions here."""

    @property
    def thread_possible(self) -> bool:
        """Whether the bot can open a thread here."""
        return self.has_threads and not self.lacking_for_threads

    def no_thread(self) -> NoThreadsHere | MissingPermissions:
        """Why no thread can be opened here."""
        if not self.has_threads:
            return NoThreadsHere()
        return MissingPermissions(self.lacking_for_threads, asker_may_mend=self.asker_may_mend)


def check_place(rules: GuildRules, venue: Venue, place: Place) -> None:
    """See that a game may and can be played where it is wanted.

    Raises:
        WrongChannel: if the moderators want games elsewhere.
        NoThreadsHere: if a thread is wanted where Discord has none.
        MissingPermissions: naming all that the bot lacks.
    """
    if not rules.allow(venue.home):
        raise WrongChannel(rules.channels)
    in_thread = place is Place.THREAD
    if in_thread and not venue.has_threads:
        raise venue.no_thread()
    if lacking := venue.lacking + (venue.lacking_for_threads if in_thread else ()):
        raise MissingPermissions(lacking, asker_may_mend=venue.asker_may_mend)


def check_games(standing: Standing, asker: UserId) -> None:
    """See that nobody will play more games at once than the server allows.

    Raises:
        TooManyGames: naming the asker first, as he can do something about it.
    """
    limit = standing.rules.games_per_person
    for who in sorted(standing.running, key=lambda player: player != asker):
        if standing.running[who] >= limit:
            raise TooManyGames(who, limit, is_asker=who == asker)


def check_challenges(standing: Standing, guild: GuildId, now: datetime) -> None:
    """See that the challenger does not have too many challenges open.

    Raises:
        TooManyChallenges: listing them.
    """
    still_open = tuple(
        one for one in standing.open_challenges if not has_expired(one.created_at, now)
    )
    if len(still_open) >= OPEN_CHALLENGES:
        raise TooManyChallenges(guild, still_open)


def check_pace(standing: Standing, now: datetime) -> None:
    """See that the challenger does not challenge one person after the other.

    Raises:
        TooSoon: telling how long to wait.
    """
    if standing.last_challenge is not None:
        wait = standing.last_challenge + COOL_DOWN - now
        if wait > timedelta():
            raise TooSoon(wait)


def has_expired(created_at: datetime, now: datetime) -> bool:
    """Whether a challenge is too old to be answered."""
    return created_at + CHALLENGE_LIFE <= now
