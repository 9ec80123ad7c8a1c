"""What comes of an accepted change."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.model.events import Told
from bot.model.game import Game
from bot.model.lists import Plan
from bot.store.rows import Delivery

LEASE = timedelta(seconds=5)
"""How long what is to be sent belongs to the process that wrote it; then any may send it."""


@dataclass(frozen=True, slots=True)
class Update:
    """What came of an accepted change: the one thing that leaves through `bot.edge.delivery`."""

    game: Game
    """The game at the revision that the change made."""
    told: tuple[Told, ...]
    """What the players have not been told yet, oldest first; the last one made the revision."""
    deliveries: tuple[Delivery, ...]
    """What is to be sent, leased to whoever holds this."""
    deadline: datetime | None = None
    """When the time of the player to move is up, as far as is known."""
    kept: Plan | None = None
    """What the one who acted has listed for their next turns."""
