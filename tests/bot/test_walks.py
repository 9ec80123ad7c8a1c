"""Two players who do whatever comes into their heads: what must hold after each of their acts."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from random import Random

import pytest

from bot import messages
from bot.games.update import Update
from bot.locales import IN_ENGLISH
from bot.model.clock import TimeControl
from bot.model.events import Offer
from bot.model.game import Game
from bot.model.ids import UserId
from bot.model.refusals import PlayError
from bot.store import Store
from dvonn import POINTS, Color, Phase, format_move
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table

DAYS = TimeControl(bank=timedelta(days=3), increment=timedelta(days=1), cap=timedelta(days=3))
ACTS = 150


class Walk:
    """One game, and what somebody does in it next."""

    def __init__(self, table: Table, clock: Clock, seed: int) -> None:
        self._table = table
        self._clock = clock
        self._rng = Random(seed)
        self.game: Game
        self.told = list[Update]()
        self.refusals = set[str]()

    async def begin(self) -> None:
        self.game = (await self._table.accept(await self._table.challenge(clock=DAYS))).game

    async def step(self) -> str:
        """Somebody does something; the name of what came of it."""
        self._clock.advance(seconds=self._rng.choice((0.5, 20, 70, 3_600)))
        acts = {
            self._play: 12, self._listed: 3, self._plan: 3, self._cancel: 1,
            self._ask: 4, self._answer: 1 if self.game.offered is None else 12, self._leave: 1,
        }  # fmt: skip
        (act,) = self._rng.choices(list(acts), weights=list(acts.values()))
        who = self._rng.choices((ANN, BOB, CID), weights=(10, 10, 1))[0]
        try:
            done = await act(who)
        except PlayError as error:
            self.refusals.add(messages.refusal(IN_ENGLISH, error))
            return type(error).__name__
        if isinstance(done, Update):
            self.told.append(done)
            self.game = done.game
            return done.told[0].event.kind
        return act.__name__

    async def _play(self, _who: UserId) -> object:
        mover = self.game.to_move or ANN
        legal = self.game.position.legal_moves()
        text = format_move(self._rng.choice(legal)) if legal else "a1"
        return await self._table.play(mover, text)

    async def _listed(self, who: UserId) -> object:
        return await self._table.play(who, self._list())

    async def _plan(self, who: UserId) -> object:
        source = self._table.source()
        _, made = await self._table.planning.make(CHANNEL, who, self._list(), source=source)
        return made

    async def _cancel(self, who: UserId) -> object:
        return await self._table.planning.give_up(CHANNEL, who)

    async def _ask(self, who: UserId) -> object:
        what = self._rng.choices(list(Offer), weights=(8, 1, 1))[0]
        return await self._table.offers.ask(CHANNEL, who, what, source=self._table.source())

    async def _answer(self, who: UserId) -> object:
        who = self.game.asked or who
        row, source = self.game.row, self._table.source()
        offered = self.game.offered
        agrees = offered is not None and offered.what is Offer.TAKEBACK and self._rng.random() < 0.7
        do: Callable[..., Awaitable[Update]] = (
            self._table.offers.accept if agrees else self._table.offers.decline
        )
        return await do(row.id, row.revision, who, source=source)

    async def _leave(self, _who: UserId) -> object:
        """Only a stranger tries."""
        return await self._table.games.abort(
            CHANNEL, CID, may_any=False, source=self._table.source()
        )

    def _list(self) -> str:
        free = [move.target for move in self.game.position.legal_moves() if move.source is None]
        some = self._rng.sample(
            free or list(POINTS), k=min(len(free) or 9, self._rng.randint(1, 9))
        )
        return " ".join(some) + self._rng.choice(("", ", else next free"))


@pytest.mark.parametrize("seed", range(1, 4))
async def test_whatever_they_do_the_game_stays_whole(
    table: Table, store: Store, clock: Clock, seed: int
) -> None:
    walk = Walk(table, clock, seed)
    await walk.begin()
    seen = dict[str, int]()
    for _ in range(ACTS):
        result = await walk.step()
        seen[result] = seen.get(result, 0) + 1
        game = walk.game
        if not game.is_running:
            break
        # Read anew, it is the same; so nothing is kept that is not written.
        assert await Table(store, clock).games.here(CHANNEL) == game
        plans = await store.plans.of(game.row.id)
        assert game.to_move not in plans  # it would have been played
        assert not plans or game.is_placing
        assert game.asked is None or game.position.phase is not Phase.OVER
        assert game.clock is not None
        assert all(timedelta() <= game.clock.left(one) <= DAYS.bank for one in Color)
    events = await store.games.events(walk.game.row.id)
    assert [event.revision for event in events] == list(range(len(events)))
    for update in walk.told:
        content = messages.board(IN_ENGLISH, update).content
        assert content
        assert len(content) <= 2_000
        assert "{" not in content
    assert messages.something_went_wrong(IN_ENGLISH) not in walk.refusals
    # The walk has been everywhere.
    assert {"move", "offer", "takeback", "decline", "NotYourTurn", "NotAPlayer"} <= seen.keys()
