"""Two people who act in one game at the same time."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.base.ids import UserId
from bot.features.plans.store import PlanTable
from bot.play.game_changes import GameUpdate
from bot.play.model.events import AnyEventData
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import NoGameHere
from bot.play.model.typed import PlacementList
from dvonn import parse_point
from tests.bot.hands import Hands
from tests.bot.table import ANN, BOB, CHANNEL, Table, raises

Act = Callable[[Table, Game], Awaitable[object]]
"""An action of someone who has seen a game in an earlier state."""


def plays(user: UserId, text: str) -> Act:
    return lambda at, _: at.play(user, text)


def asks(user: UserId, what: Offer) -> Act:
    return lambda at, _: at.ask(user, what)


def accepts(user: UserId) -> Act:
    return lambda at, seen: at.agree(seen, user)


def declines(user: UserId) -> Act:
    return lambda at, seen: at.decline(seen, user)


def resigns(user: UserId) -> Act:
    return lambda at, seen: at.resign(seen, user)


def aborts(user: UserId) -> Act:
    return lambda at, _: at.abort(user)


async def waits(at: Table, _seen: Game) -> None:
    """Let time pass until every takeback needs a question."""
    at.clock.advance(minutes=5)


MOVE, BACK = plays(BOB, "b1"), asks(ANN, Offer.TAKEBACK)


def came(outcome: object) -> type:
    """Return an action's result: the last event, the stored rows, or the reason for a refusal."""
    if isinstance(outcome, tuple):
        _, outcome = outcome
    return outcome.events[-1].event.kind if isinstance(outcome, GameUpdate) else type(outcome)


def plan(text: str) -> PlacementList:
    return PlacementList(tuple(map(parse_point, text.split())))


async def stands(table: Table) -> tuple[Game, list[type[AnyEventData]]]:
    """Return the game as another process reads it, and its events without the start."""
    fresh = Table(table.store, table.clock)
    events = await table.store.games.events((await fresh.game_cache.running_in(CHANNEL)).row.id)
    assert [event.revision for event in events] == list(range(len(events)))
    return await fresh.game_cache.running_in(CHANNEL), [event.kind for event in events[1:]]


@dataclass(frozen=True)
class Race:
    """A race between two actions, which are written in this order.

    The second actor has read the game before the first acted.
    """

    first: Act
    second: Act
    made: type
    """Result of the first action."""
    late: type
    plies: int | None = None
    """Number of plies afterwards, or None if the game has ended."""
    before: Sequence[Act] = ()
    plans: Mapping[UserId, str] = field(default_factory=dict)

    async def run(self, hands: Hands, table: Table) -> None:
        """Run it in a new game in which Ann has placed on a1, and Bob is to move."""
        await table.begin()
        await table.play(ANN, "a1")
        for act in self.before:
            await act(table, await table.game_cache.running_in(CHANNEL))
        seen = await table.game_cache.running_in(CHANNEL)
        late, first = await hands.race(
            lambda at: self.second(at, seen), lambda at: self.first(at, seen)
        )
        assert (came(first), came(late)) == (self.made, self.late), (first, late)
        plans = {user: plan(text) for user, text in self.plans.items()}
        assert await table.store.queries(PlanTable).of_game(seen.row.id) == plans
        if self.plies is None:
            await raises(NoGameHere, stands(table))
        else:
            assert (await stands(table))[0].position.plies == self.plies
