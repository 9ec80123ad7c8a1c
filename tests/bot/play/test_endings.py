"""Tests that a game ends once, with two endings in every order, on both databases.

The first ending is written. The second one has started before that. It has read that the game is
running, and either reads the events afterwards, or has read everything and writes afterwards.
"""

from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from bot.base.ids import UserId
from bot.database.connection import AsyncEngine
from bot.play.foresight import Foresight
from bot.play.model.clock import TimeControl
from bot.play.model.events import Moved
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import GameNotRunning, NoGameHere
from bot.play.model.terms import EndReason, Outcome, Start
from bot.play.store import games as game_table
from bot.play.use_cases.game_cache import GameCache
from bot.play.use_cases.ledger import GameAction, Ledger
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.hands import Before, Hands
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table
from tests.games import drawn, played_out

SEED = 4_071_050_724
"""Seed of the board."""
MOVES = played_out(drawn(SEED), 4)
WINNER, MARGIN = Color.BLACK, 9
"""Result of that game, counted on its last board."""
MODERATOR, BOT = CID, UserId(900)
LIVE = TimeControl(bank=timedelta(minutes=15))

Act = Callable[[Table], Awaitable[object]]


@pytest.fixture(params=Before)
def hands(engine: AsyncEngine, clock: Clock, request: pytest.FixtureRequest) -> Hands:
    return Hands(engine, clock, request.param)


@pytest.fixture
async def brink(table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A live game before its last move. The player to move has a draw offer but no time left."""
    monkeypatch.setattr(game_table, "opening_seeds", lambda *_: (SEED,))
    game = await table.begin(clock=LIVE, start=Start.BALANCED)
    ledger = Ledger(table.store, GameCache(table.store), now=clock, foresight=Foresight())
    for move in MOVES[:-1]:
        actor = ANN if game.position.turn is Color.WHITE else BOB
        game = (await ledger.write(GameAction(game, actor, (Moved(move),)), source=None)).game
    played = game
    assert played.to_move is not None
    asker = played.opponent(played.to_move)
    offered = await table.ask(asker, Offer.DRAW)
    clock.advance(minutes=15)
    return offered.game


def resigns(game: Game) -> Act:
    return lambda at: at.resign(game)


def is_aborted(_game: Game) -> Act:
    return lambda at: at.end(MODERATOR)


def times_out(_game: Game) -> Act:
    async def look(at: Table) -> object:
        return [update.events[-1].event.kind for update in await at.look()]

    return look


def is_drawn(game: Game) -> Act:
    asked = game.asked
    assert asked is not None
    return lambda at: at.agree(game, asked)


def is_played_out(game: Game) -> Act:
    return lambda at: at.move(game, MOVES[-1])


def loses_its_place(game: Game) -> Act:
    return lambda at: at.leaving.close(game.row.id, by=BOT)


def out_of_time(game: Game) -> Outcome:
    assert game.turn is not None
    return Outcome(EndReason.TIME, winner=game.turn.opponent)


ENDINGS: dict[Callable[[Game], Act], Callable[[Game], Outcome]] = {
    resigns: lambda _: Outcome(EndReason.RESIGNATION, winner=Color.BLACK),
    is_aborted: lambda _: Outcome(EndReason.ABORT),
    times_out: out_of_time,
    is_drawn: lambda _: Outcome(EndReason.AGREEMENT),
    is_played_out: lambda _: Outcome(EndReason.COUNT, winner=WINNER, margin=MARGIN),
    loses_its_place: lambda _: Outcome(EndReason.ABORT),
}
"""Each ending with its outcome."""
TOO_LATE: dict[Callable[[Game], Act], type[Exception] | None] = {
    resigns: GameNotRunning,
    is_aborted: NoGameHere,
    times_out: None,
    is_drawn: GameNotRunning,
    is_played_out: NoGameHere,
    loses_its_place: None,
}
"""The exception of each second ending, or None if no user asked for it."""


def orders() -> Iterator[Any]:
    """All pairs of endings.

    The quick tests try each one with itself and with one other, in both orders.
    """
    rest = pytest.mark.thorough("what comes of either does not go by which the other is")
    for (at, first), (place, second) in product(enumerate(ENDINGS), repeat=2):
        near = (at - place) % len(ENDINGS) in (0, 1)
        yield pytest.param(first, second, marks=() if near else rest)


@pytest.mark.parametrize(("first", "second"), [*orders()])
async def test_a_game_ends_once(
    hands: Hands,
    table: Table,
    brink: Game,
    first: Callable[[Game], Act],
    second: Callable[[Game], Act],
) -> None:
    late, _ = await hands.race(second(brink), first(brink))
    refused = TOO_LATE[second]
    assert isinstance(late, refused) if refused is not None else late in (None, [])
    game = await Table(table.store, table.clock).game_cache.existing(brink.row.id)
    assert game.outcome == ENDINGS[first](brink)
    assert game.row.revision == brink.row.revision + 1
    row = await table.store.games.get(brink.row.id)
    assert row is not None
    assert row == game.row
    boards = await table.store.deliveries.unsent(brink.row.id)
    assert boards[-1].revision == game.row.revision
    assert await table.look() == []


AFTERWARDS: dict[str, Callable[[Game], Act]] = {
    "a move": is_played_out,
    "a draw": lambda _: lambda at: at.ask(ANN, Offer.DRAW),
    "a takeback": lambda _: lambda at: at.ask(ANN, Offer.TAKEBACK),
    "looking": lambda _: lambda at: at.game_cache.running_in(CHANNEL),
    "looking at one's moves": lambda _: lambda at: at.games.legal_here(CHANNEL, ANN),
}


@pytest.mark.parametrize("what", AFTERWARDS)
async def test_nothing_is_done_in_a_game_that_has_ended(
    engine: AsyncEngine, clock: Clock, table: Table, brink: Game, what: str
) -> None:
    """A writer that has read a running game checks again before it changes anything."""
    hands = Hands(engine, clock, Before.READING)
    late, _ = await hands.race(AFTERWARDS[what](brink), is_aborted(brink))
    assert isinstance(late, NoGameHere)
    row = await table.store.games.get(brink.row.id)
    assert row is not None
    assert (row.outcome, row.revision) == (Outcome(EndReason.ABORT), brink.row.revision + 1)


async def test_a_game_that_has_just_ended_is_not_listed(
    engine: AsyncEngine, clock: Clock, brink: Game
) -> None:
    hands = Hands(engine, clock, Before.READING)
    late, _ = await hands.race(
        lambda at: at.game_cache.running_of(brink.row.guild, ANN), is_aborted(brink)
    )
    assert late == []
