"""What comes by itself in a tournament: its check-in, its rounds, its deadlines, its end."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from random import Random

from bot.games.archive import Archive
from bot.games.ledger import Ledger
from bot.games.update import Update
from bot.model.ids import MessageId, Shards, TournamentId
from bot.store import Store


class Director:
    """Looking at a tournament at any time is right: what is due follows from how it stands."""

    def __init__(
        self,
        store: Store,
        archive: Archive,
        ledger: Ledger,
        *,
        now: Callable[[], datetime],
        rng: Random,
    ) -> None:
        self._store = store
        self._archive = archive
        self._ledger = ledger
        self._now = now
        self._rng = rng

    async def due(self, shards: Shards) -> dict[TournamentId, datetime]:
        """The tournaments of these shards that are to be looked at, and since when."""
        raise NotImplementedError

    async def look(
        self,
        tournament: TournamentId,
        seen: datetime,
        *,
        heard: Callable[[], Awaitable[datetime | None]],
    ) -> list[Update]:
        """Do what is due in a tournament.

        Args:
            tournament: Which.
            seen: When it was due, as `due` said.
            heard: Tells until when everything was heard that players have done, or None: nobody's
                time is up for a deadline later than that. It is asked only where one has passed.

        Returns:
            What is to be published: games that were opened or ended by this.
        """
        raise NotImplementedError

    async def opened(
        self, tournament: TournamentId, round_: int, board: int, message: MessageId
    ) -> Update | None:
        """Begin a pairing's game, in the thread that starts from the message that announced it.

        Returns:
            The game's start, to be published; None where another hand was quicker, or there is
            nothing to begin any more.
        """
        raise NotImplementedError
