"""The seam at which features take part in a game's changes."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.ids import GuildId, Revision, UserId
from bot.base.languages import Reader
from bot.connection.posts import Button
from bot.play.model.conduct import Venue
from bot.play.model.events import Told
from bot.play.model.game import Game, GameRow
from bot.play.model.terms import ChallengeTerms, Start


class Aftermath:
    """A value that tells on a board what a change has brought beside the game."""

    def news(self, reader: Reader, game: Game) -> Sequence[str]:
        """Return the lines below what has happened."""
        return ()

    def at_end(self, reader: Reader, game: Game) -> Sequence[str]:
        """Return the lines below the result of a game that is over."""
        return ()

    def buttons(self, reader: Reader, game: Game) -> Sequence[Button]:
        """Return the buttons that come before those of the board."""
        return ()


InTransaction = Callable[[AsyncConnection, GameRow], Awaitable[Aftermath | None]]
"""Work done within the transaction that writes a change, with the game's row as it is then."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A change of a game that is about to be written."""

    before: Game
    after: Game
    told: tuple[Told, ...]
    """The events of the change, at least one."""
    at: datetime


class GameHook:
    """A feature's part in the changes of games. Every method does nothing unless overridden."""

    locks_people: ClassVar[bool] = False
    """Its work locks people's rows: it is done last, so that nobody who waits for it holds more."""

    async def joins(self, row: GameRow) -> GameRow:
        """Return the row of a new game, perhaps with what it belongs to."""
        return row

    async def level(self, guild: GuildId, player: UserId, start: Start) -> int | None:
        """Return the machine's level in somebody's next game with a start; None: as last time."""
        return None

    async def in_turn(self, turn: Turn) -> InTransaction | None:
        """Return what is to be done in the transaction of any change; None: nothing."""
        return None

    async def at_end(self, turn: Turn) -> InTransaction | None:
        """Return what is to be done where the game has ended."""
        return None

    async def again(
        self, game: Game, told: Sequence[Told], after: Revision, until: Revision
    ) -> Aftermath | None:
        """Read again what the events between two revisions have brought.

        The event of the earlier revision does not count; `told` are those since then, and the game
        is as it was at the later one.
        """
        return None

    async def rates(self, terms: ChallengeTerms, venue: Venue, *, usual: bool) -> bool:
        """Tell whether a game that is proposed so counts for ratings.

        Where nobody says otherwise, games between people count if that is usual there.

        Raises:
            PlayError: if it was asked for and cannot be.
        """
        return False

    async def forget(self, now: datetime) -> None:
        """Delete what nobody looks at any more."""

    async def remind(self, game: Game, deadline: datetime, seen: datetime) -> bool:
        """Remind the player to move if that is due, and set the game's timer anew.

        Returns:
            Whether the timer was looked after.
        """
        return False
