"""A reviewer for a table, without a client."""

from types import SimpleNamespace
from typing import Any

from bot.base.ids import GameId
from bot.composition import FEATURE_SET
from bot.connection.sender import Sender
from bot.connection.tasks import InFlightWork
from bot.play.opponent import MachineBackend
from school.reviews.model import ReviewRow
from school.reviews.reviewer import Reviewer
from school.reviews.store import ReviewTable
from tests.bot.table import Table


def reviewer_of(table: Table, machine: MachineBackend) -> Reviewer:
    """Return the reviewer of a table."""
    work = InFlightWork()
    services: Any = SimpleNamespace(
        require=table.does.require,
        extensions=FEATURE_SET.extensions,
        work=work,
        publisher=SimpleNamespace(sender=Sender(table.store.deliveries, [], work, now=table.clock)),
    )
    opponent: Any = SimpleNamespace(thinker=machine)
    return Reviewer(services, opponent)


async def row_of(table: Table, game: GameId) -> ReviewRow:
    """Return the row of a game's review."""
    row = await table.store.queries(ReviewTable).get(game)
    assert row is not None
    return row
