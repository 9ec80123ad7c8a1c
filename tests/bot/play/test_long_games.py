"""Tests for games with very many events: they end, and reading them delays nobody."""

import gc
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from bot.base.ids import BEFORE_START, GameId, Revision, UserId
from bot.play.foresight import Foresight
from bot.play.model.events import Event, Moved, apply_event
from bot.play.model.game import Game, Offer
from bot.play.model.offer_events import OfferDeclined, OfferMade, TakenBack
from bot.play.model.refusals import BadOffer, GameNotRunning, OfferProblem
from bot.play.store.games import GameTable
from bot.play.store.store import Store
from bot.play.use_cases.game_cache import MAX_INLINE_EVENTS, PAGE, PAGE_ENDS, GameCache
from bot.play.use_cases.games import Games
from bot.play.use_cases.ledger import GameAction, Ledger
from bot.play.use_cases.offers import MAX_OFFERS
from dvonn import parse_move
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, Table, raises
from tests.games import random_game

TAKEBACK = Offer.TAKEBACK
PAGE_END = Revision(PAGE - 1)


class CountedGames(GameTable):
    """Counts the events that are read."""

    def __init__(self, store: Store) -> None:
        super().__init__(store._database)
        self.read = 0

    async def events(self, *args: Any, **more: Any) -> list[Event]:
        events = await super().events(*args, **more)
        self.read += len(events)
        return events


class Reader:
    """A process with an empty cache that counts what it reads."""

    def __init__(self, store: Store, clock: Clock, **sizes: int) -> None:
        self.counted = store.games = CountedGames(store)
        self.game_cache = game_cache = GameCache(store, **sizes)
        self.games = Games(
            store,
            game_cache,
            Ledger(store, game_cache, now=clock, foresight=Foresight()),
            now=clock,
        )

    async def reads(self, game: Game, revision: int) -> int:
        """Return how many events are read to show a board."""
        before = self.counted.read
        shown, _ = await self.games.at_revision(game.row.id, Revision(revision))
        assert shown.row.revision == revision
        return self.counted.read - before


@pytest.fixture
async def long_game(table: Table, clock: Clock) -> Game:
    """A game in which Ann has placed on a1 and taken that back five hundred times."""
    game = await table.begin()
    data = (Moved(parse_move("a1")), TakenBack(0)) * 500
    ledger = Ledger(table.store, GameCache(table.store), now=clock, foresight=Foresight())
    return (await ledger.write(GameAction(game, ANN, data), source=None)).game


@pytest.fixture
def reader(store: Store, clock: Clock, long_game: Game) -> Reader:
    return Reader(store, clock)


@contextmanager
def replayed_here() -> Iterator[list[None]]:
    """Count each event replayed in this thread, which is the event loop's."""
    found: list[None] = []

    def look(frame: FrameType, what: str, _: object) -> None:
        if what == "call" and frame.f_code is apply_event.__code__:
            found.append(None)

    sys.setprofile(look)
    try:
        yield found
    finally:
        sys.setprofile(None)


async def test_a_long_game_is_not_replayed_on_the_event_loop(
    reader: Reader, long_game: Game
) -> None:
    with replayed_here() as here:
        assert await reader.reads(long_game, 900) == 901 + 1  # and the events after it
        assert (await reader.game_cache.existing(long_game.row.id)).row.revision == 1_000
        update = await reader.games.unannounced(long_game.row.id, Revision(1_000), BEFORE_START)
    assert len(update.events) == 1_001
    assert len(here) <= 3 * MAX_INLINE_EVENTS


async def test_a_few_new_events_need_no_thread(
    table: Table, reader: Reader, long_game: Game
) -> None:
    await reader.game_cache.existing(long_game.row.id)
    await table.play(ANN, "a1")
    with replayed_here() as here:
        assert (await reader.game_cache.existing(long_game.row.id)).position.plies == 1
    assert len(here) == 1


async def test_replayed_games_are_cached(table: Table, long_game: Game) -> None:
    for again in (900, 899, 895, 500, PAGE, PAGE - 1, 1, 0):
        reader = Reader(table.store, table.clock)
        await reader.reads(long_game, 900)
        assert await reader.reads(long_game, again) < PAGE, again


async def test_a_cached_game_serves_for_its_older_boards(reader: Reader, long_game: Game) -> None:
    await reader.game_cache.existing(long_game.row.id)
    assert await reader.reads(long_game, 900) < PAGE


async def test_boards_after_a_pages_end_are_right(
    reader: Reader, store: Store, clock: Clock, long_game: Game
) -> None:
    """Check that a board equals one that is built without any cache."""
    await reader.reads(long_game, 1_000)
    for revision in (PAGE - 2, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE - 1, 1_000):
        other_reader = Reader(Store(store._database._engine), clock)
        shown = await reader.games.at_revision(long_game.row.id, Revision(revision))
        assert shown == await other_reader.games.at_revision(long_game.row.id, Revision(revision))


async def test_deleted_games_are_forgotten(reader: Reader, long_game: Game) -> None:
    number_of_events = await reader.reads(long_game, 900)
    reader.game_cache.forget_games([GameId(long_game.row.id + 1)])
    assert await reader.reads(long_game, 900) < PAGE
    reader.game_cache.forget_games([long_game.row.id])
    assert await reader.reads(long_game, 900) == number_of_events


async def test_the_memory_is_bounded(store: Store, clock: Clock, long_game: Game) -> None:
    reader = Reader(store, clock, page_ends=2)
    await reader.reads(long_game, 3 * PAGE)
    assert await reader.reads(long_game, PAGE - 1) == PAGE + 1  # the oldest one was dropped
    assert await reader.reads(long_game, 3 * PAGE) == 1 + 1


async def test_the_memory_is_small(table: Table, store: Store) -> None:
    """The test uses ordinary games. In the long game above, hardly a ply is cached."""
    game = await table.begin()
    moves = random_game(1)[:PAGE]
    ledger = Ledger(store, GameCache(store), now=table.clock, foresight=Foresight())
    for number, move in enumerate(moves):
        action = GameAction(game, ANN if number % 2 else BOB, (Moved(move),))
        game = (await ledger.write(action, source=None)).game
    caches = [GameCache(store) for _ in range(2)]
    for cache in caches:
        assert await cache.at_revision(game.row, PAGE_END) is not None
    # The first call has the same cost in all games.
    first, second = (reached_from([cache]) for cache in caches)
    taken = sum(sys.getsizeof(one) for key, one in second.items() if key not in first)
    assert PAGE_ENDS * taken < 3 * 2**20


def reached_from(starts: Iterable[object]) -> dict[int, object]:
    """Return each object that lives as long as the given ones, by its identity."""
    found, left = dict[int, object](), list(starts)
    while left:
        one = left.pop()
        if id(one) not in found and not isinstance(one, _CODE):
            found[id(one)] = one
            left += gc.get_referents(one)
    return found


_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)


async def test_a_board_that_was_never_tried_is_not_searched_for(
    reader: Reader, long_game: Game
) -> None:
    before = reader.counted.read
    await raises(GameNotRunning, reader.games.at_revision(long_game.row.id, Revision(999_999_999)))
    assert reader.counted.read == before


# Two people may try anything to waste time.


async def ask(table: Table, user: UserId, what: Offer) -> OfferProblem | None:
    """Make an offer. The other player agrees to takebacks only."""
    try:
        game = (await table.ask(user, what)).game
    except BadOffer as error:
        return error.problem
    if game.offered is not None:
        answer = table.offers.accept if what is TAKEBACK else table.offers.decline
        row, other = game.row, game.opponent(user)
        await answer(row.id, row.revision, other, source=table.source())
    return None


async def test_each_player_has_takebacks_of_his_own(table: Table, clock: Clock) -> None:
    await table.begin()
    for _ in range(MAX_OFFERS[TAKEBACK]):
        await table.play(ANN, "a1")
        assert await ask(table, ANN, TAKEBACK) is None
    await table.play(ANN, "a1")
    assert await ask(table, ANN, TAKEBACK) is OfferProblem.TAKEBACKS_SPENT
    clock.advance(minutes=5)  # after that he would have to ask
    assert await ask(table, ANN, TAKEBACK) is OfferProblem.TAKEBACKS_SPENT
    await table.play(BOB, "b1")
    assert await ask(table, BOB, TAKEBACK) is None


@pytest.mark.parametrize("what", [offer for offer in Offer if offer is not TAKEBACK])
async def test_each_player_can_make_an_offer_only_so_often(
    table: Table, clock: Clock, what: Offer
) -> None:
    game = await table.begin()
    ledger = Ledger(table.store, GameCache(table.store), now=clock, foresight=Foresight())
    for _ in range(MAX_OFFERS[what] - 1):
        for actor, data in ((ANN, OfferMade(what)), (BOB, OfferDeclined())):
            game = (await ledger.write(GameAction(game, actor, (data,)), source=None)).game
        clock.advance(hours=12)  # people are pinged only so often
    for turn, problem in enumerate((None, OfferProblem.OFFERS_SPENT), start=1):
        await table.play(ANN, f"a{turn}")
        await table.play(BOB, f"b{turn}")
        clock.advance(hours=12)
        assert await ask(table, ANN, what) is problem
    assert await ask(table, BOB, what) is None
