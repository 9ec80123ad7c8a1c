"""A game ends once, whoever ends it, in every order; on both databases.

One hand ends the game. The other, which wants to end it as well, has begun before that: it has read
that the game is running, and reads what happened in it only afterwards; or it has read all of it,
and writes only afterwards.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.games import Archive, Ledger
from bot.games.closing import Closing
from bot.games.ledger import Deed
from bot.model.clock import TimeControl
from bot.model.events import EventKind, Offer
from bot.model.game import Game, GameState
from bot.model.ids import UserId
from bot.model.refusals import GameGone, NoGameHere
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.hands import Before, Hands
from tests.bot.table import ANN, BOB, CHANNEL, CID, Table
from tests.games import random_game

MOVES = random_game(4)
MODERATOR, BOT = CID, UserId(900)
LIVE = TimeControl(bank=timedelta(minutes=15))

Act = Callable[[Table], Awaitable[object]]


@pytest.fixture(params=Before)
def hands(engine: AsyncEngine, clock: Clock, request: pytest.FixtureRequest) -> Hands:
    return Hands(engine, clock, request.param)


@pytest.fixture
async def brink(table: Table, clock: Clock) -> Game:
    """A live game before its last move, whose mover is offered a draw and has no time left."""
    game = (await table.accept(await table.challenge(clock=LIVE))).game
    ledger = Ledger(table.store, Archive(table.store), now=clock)
    position, deeds = game.position, list[Deed]()
    for move in MOVES[:-1]:
        actor = ANN if position.turn is Color.WHITE else BOB
        deeds.append(Deed(kind=EventKind.MOVE, actor=actor, move=move))
        position = position.play(move)
    played = (await ledger.write(game, deeds, source=None)).game
    assert played.to_move is not None
    asker = played.opponent(played.to_move)
    offered = await table.offers.ask(CHANNEL, asker, Offer.DRAW, source=table.source())
    clock.advance(minutes=15)
    return offered.game


def resigns(game: Game) -> Act:
    row = game.row
    return lambda at: at.games.resign(row.id, row.revision, ANN, source=at.source())


def is_aborted(_game: Game) -> Act:
    return lambda at: at.games.abort(CHANNEL, MODERATOR, may_any=True, source=at.source())


def times_out(_game: Game) -> Act:
    async def look(at: Table) -> object:
        return [update.told[-1].event.kind for update in await at.look()]

    return look


def is_drawn(game: Game) -> Act:
    row, asked = game.row, game.asked
    assert asked is not None
    return lambda at: at.offers.accept(row.id, row.revision, asked, source=at.source())


def is_played_out(game: Game) -> Act:
    mover = game.to_move
    assert mover is not None
    return lambda at: at.play(mover, str(MOVES[-1]))


def loses_its_place(game: Game) -> Act:
    async def close(at: Table) -> None:
        archive = Archive(at.store)
        closing = Closing(archive, Ledger(at.store, archive, now=at.clock))
        await closing.close(game.row.id, by=BOT)

    return close


ENDINGS: dict[Callable[[Game], Act], GameState] = {
    resigns: GameState.RESIGNED,
    is_aborted: GameState.ABORTED,
    times_out: GameState.TIMED_OUT,
    is_drawn: GameState.DRAWN,
    is_played_out: GameState.FINISHED,
    loses_its_place: GameState.ABORTED,
}
TOO_LATE: dict[Callable[[Game], Act], type[Exception] | None] = {
    resigns: GameGone,
    is_aborted: NoGameHere,
    times_out: None,
    is_drawn: GameGone,
    is_played_out: NoGameHere,
    loses_its_place: None,
}
"""What is raised; None where nobody asked for it, and so nothing is said."""


@pytest.mark.parametrize("second", ENDINGS)
@pytest.mark.parametrize("first", ENDINGS)
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
    game = await Table(table.store, table.clock).games.current(brink.row.id)
    assert game.row.state is ENDINGS[first]
    assert game.row.revision == brink.row.revision + 1
    row = await table.store.games.get(brink.row.id)
    assert row is not None
    assert (row.state, row.revision) == (game.row.state, game.row.revision)
    boards = await table.store.deliveries.unsent(brink.row.id)
    assert boards[-1].revision == game.row.revision
    assert await table.look() == []


AFTERWARDS: dict[str, Callable[[Game], Act]] = {
    "a move": is_played_out,
    "a draw": lambda _: lambda at: at.offers.ask(CHANNEL, ANN, Offer.DRAW, source=at.source()),
    "a takeback": lambda _: (
        lambda at: at.offers.ask(CHANNEL, ANN, Offer.TAKEBACK, source=at.source())
    ),
    "a list": lambda _: lambda at: at.planning.make(CHANNEL, ANN, "a1 b1", source=at.source()),
    "giving a list up": lambda _: lambda at: at.planning.give_up(CHANNEL, ANN),
    "looking": lambda _: lambda at: at.games.here(CHANNEL),
    "looking at one's moves": lambda _: lambda at: at.games.legal_here(CHANNEL, ANN),
}


@pytest.mark.parametrize("what", AFTERWARDS)
async def test_nothing_is_done_in_a_game_that_has_ended(
    engine: AsyncEngine, clock: Clock, table: Table, brink: Game, what: str
) -> None:
    """Whoever has read that a game is running looks again before he does anything in it."""
    hands = Hands(engine, clock, Before.READING)
    late, _ = await hands.race(AFTERWARDS[what](brink), is_aborted(brink))
    assert isinstance(late, NoGameHere)
    row = await table.store.games.get(brink.row.id)
    assert row is not None
    assert (row.state, row.revision) == (GameState.ABORTED, brink.row.revision + 1)


async def test_a_game_that_has_just_ended_is_not_listed(
    engine: AsyncEngine, clock: Clock, brink: Game
) -> None:
    hands = Hands(engine, clock, Before.READING)
    late, _ = await hands.race(
        lambda at: at.games.of_player(brink.row.guild, ANN), is_aborted(brink)
    )
    assert late == []
