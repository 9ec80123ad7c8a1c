"""What people and organisers do with a tournament. What comes by itself is the director's."""

from collections.abc import Callable
from datetime import datetime

from bot.model.ids import GameId, GuildId, SourceId, TournamentId, UserId
from bot.model.tournaments import PairingResult, Tournament, TournamentTerms
from bot.store import Store


class Tournaments:
    """Each of these returns the tournament as it stands afterwards. The time is an argument."""

    def __init__(self, store: Store, *, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    # Looking

    async def get(self, tournament: TournamentId) -> Tournament | None:
        """A tournament as it stands; None where there is none, or no more."""
        raise NotImplementedError

    async def find(self, guild: GuildId) -> list[Tournament]:
        """A server's tournaments that are open or running, oldest first."""
        raise NotImplementedError

    async def latest(self, guild: GuildId, most: int = 10) -> list[Tournament]:
        """A server's newest tournaments, those that are over included, newest first."""
        raise NotImplementedError

    async def of_game(self, game: GameId) -> Tournament | None:
        """The tournament that a game is played in; None where it is played in none."""
        raise NotImplementedError

    # What organisers do

    async def create(
        self, terms: TournamentTerms, *, source: SourceId, is_organiser: bool
    ) -> Tournament:
        """Make a tournament that people can join. Discord's event is made if it has a start.

        Args:
            terms: What was chosen.
            source: The interaction.
            is_organiser: Whether this person may create any here, by `GuildRules.may_organise`.

        Raises:
            AlreadyDone: if this source has made one before.
            OrganisersOnly: if they may not.
            BadTerms: if it cannot be as it was asked for.
            TooManyTournaments: if there are too many in the server.
        """
        raise NotImplementedError

    async def begin(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """Begin one, now: with everybody who has joined, or has checked in once that is possible.

        With a live clock the check-in opens first, for `CHECK_IN_LIVE`; asked again, it begins.

        Args:
            tournament: Which.
            by: Who asks.
            manages: Whether they manage the server's events, or the server.

        Raises:
            TournamentGone: if there is no such tournament.
            OrganisersOnly: if it is another's, and they do not manage the server.
            NotOpen: if it has begun, or is over.
            TooFewPlayers: if fewer than two would play.
        """
        raise NotImplementedError

    async def cancel(
        self, tournament: TournamentId, by: UserId, *, manages: bool = False
    ) -> Tournament:
        """End one without a result. Its games go on, as games of their own.

        Raises:
            TournamentGone, OrganisersOnly: as `begin`.
            NotOpen: if it is over.
        """
        raise NotImplementedError

    async def correct(
        self,
        tournament: TournamentId,
        round_: int,
        board: int,
        result: PairingResult,
        note: str,
        by: UserId,
        *,
        manages: bool = False,
    ) -> Tournament:
        """Set a result, with a note for everybody to read. A game that runs there ends without one.

        Raises:
            TournamentGone, OrganisersOnly: as `begin`.
            NotOpen: if it has not begun, or was cancelled.
            CannotCorrect: if it cannot be set.
        """
        raise NotImplementedError

    async def scheduled(self, tournament: TournamentId, event: int) -> None:
        """Remember Discord's scheduled event for a tournament's start."""
        raise NotImplementedError

    # What players do

    async def join(
        self, tournament: TournamentId, player: UserId, *, source: SourceId
    ) -> Tournament:
        """Enter a tournament, or come back to one that was left. In a check-in that is one, too.

        Raises:
            AlreadyDone: if this source has been carried out before.
            TournamentGone: if there is no such tournament.
            AlreadyIn: if they have joined.
            NotOpen: if it is over.
            TooLateToJoin: if it runs, and takes nobody new any more.
            TournamentFull: if as many have joined as can.
        """
        raise NotImplementedError

    async def leave(self, tournament: TournamentId, player: UserId) -> Tournament:
        """Leave a tournament that has not begun, or withdraw from one that has.

        Raises:
            TournamentGone, NotIn, NotOpen: as `withdraw`.
        """
        raise NotImplementedError

    async def check_in(self, tournament: TournamentId, player: UserId) -> Tournament:
        """Say that one is there. Once is enough.

        Raises:
            TournamentGone: if there is no such tournament.
            NotOpen: if its check-in is not open.
            NotIn: if they have not joined.
        """
        raise NotImplementedError

    async def withdraw(
        self,
        tournament: TournamentId,
        player: UserId,
        *,
        by: UserId | None = None,
        manages: bool = False,
    ) -> Tournament:
        """Be paired no more. A game that runs goes on and counts; one that is not open is lost.

        Args:
            tournament: Which.
            player: Who.
            by: Who asks for it: the organiser may, too; None: themselves.
            manages: Whether `by` manages the server.

        Raises:
            TournamentGone: if there is no such tournament.
            OrganisersOnly: if somebody else asks who may not.
            NotOpen: if it is over.
            NotIn: if they have not joined.
        """
        raise NotImplementedError
