"""Tests for two writers at once, in every order: one wins, and the other gets a clear refusal."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from types import NoneType

import pytest
import sqlalchemy as sa

from bot.base.errors import AlreadyHandled
from bot.base.ids import SourceId
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import deliveries
from bot.people.store.retention import RetentionTable
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Aborted, Moved, Resigned, TimedOut
from bot.play.model.game import Game, Offer
from bot.play.model.offer_events import (
    DrawAgreed,
    HintsAgreed,
    OfferDeclined,
    OfferMade,
    RestPlaced,
    TakenBack,
)
from bot.play.model.refusals import (
    BadOffer,
    GameJustEnded,
    GameNotRunning,
    NoGameHere,
    NotYourTurn,
    StaleBoard,
)
from bot.play.model.time_events import PauseAgreed
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.racing import (
    BACK,
    MOVE,
    Race,
    aborts,
    accepts,
    asks,
    came,
    declines,
    plays,
    resigns,
    stands,
    waits,
)
from tests.bot.table import ANN, BOB, CHANNEL, Table
from tests.games import random_game
from tests.postgresql import somebody_waits

LIVE = TimeControl(bank=timedelta(minutes=15))
TAKEBACK, DRAW, FINISH, HINTS, PAUSE = Offer
AGREED = dict(
    zip(Offer, (TakenBack, DrawAgreed, RestPlaced, HintsAgreed, PauseAgreed), strict=True)
)


async def is_ended(at: Table, _seen: Game) -> GameUpdate:
    return await at.end()


async def times_out(at: Table, _seen: Game) -> GameUpdate | None:
    return next(iter(await at.look()), None)


@pytest.fixture
async def game(table: Table) -> Game:
    """A game in which Ann has placed on a1, and Bob is to move."""
    await table.begin()
    return (await table.play(ANN, "a1")).game


LIST, LISTED = plays(BOB, "b1 c1 d1"), {BOB: "c1 d1"}
ASKED = (waits, BACK)
"""Ann asks to take back a1. Bob is to move."""
EARLY = [
    plays((BOB, ANN)[number % 2], text)
    for number, text in enumerate(("b1", "c1", "d1", "e1", "f1"))
]
"""With one more piece, Ann can't leave without a result any more."""

RACES = {
    "a move, a free takeback": Race(MOVE, BACK, Moved, OfferMade, 2),
    "a free takeback, a move": Race(BACK, MOVE, TakenBack, NotYourTurn, 0),
    "a list, a free takeback": Race(LIST, BACK, Moved, OfferMade, 2, plans=LISTED),
    "a free takeback, a list": Race(BACK, LIST, TakenBack, NotYourTurn, 0),
    "a move, an agreed takeback": Race(MOVE, accepts(BOB), Moved, BadOffer, 2, ASKED),
    "an agreed takeback, a move": Race(accepts(BOB), MOVE, TakenBack, NotYourTurn, 0, ASKED),
    "an agreed takeback, a list": Race(accepts(BOB), LIST, TakenBack, NotYourTurn, 0, ASKED),
    "yes, yes": Race(accepts(BOB), accepts(BOB), TakenBack, BadOffer, 0, ASKED),
    "no, yes": Race(declines(BOB), accepts(BOB), OfferDeclined, BadOffer, 1, ASKED),
    "yes, no": Race(accepts(BOB), declines(BOB), TakenBack, BadOffer, 0, ASKED),
    "no, no": Race(declines(BOB), declines(BOB), OfferDeclined, BadOffer, 1, ASKED),
    "a draw, a draw": Race(
        accepts(BOB), accepts(BOB), DrawAgreed, GameNotRunning, before=[asks(ANN, DRAW)]
    ),
    "both offer a draw": Race(asks(BOB, DRAW), asks(ANN, DRAW), OfferMade, DrawAgreed),
    "both offer the rest": Race(asks(BOB, FINISH), asks(ANN, FINISH), OfferMade, RestPlaced, 49),
    "both ask to go back": Race(
        asks(BOB, TAKEBACK), BACK, OfferMade, BadOffer, 2, before=(MOVE, waits)
    ),
    "a move, a draw offered": Race(MOVE, asks(ANN, DRAW), Moved, OfferMade, 2),
    "a draw offered, a move": Race(asks(ANN, DRAW), MOVE, OfferMade, Moved, 2),
    "a piece, the rest": Race(MOVE, accepts(BOB), Moved, BadOffer, 2, [asks(ANN, FINISH)]),
    "the rest, a piece": Race(accepts(BOB), MOVE, RestPlaced, NotYourTurn, 49, [asks(ANN, FINISH)]),
    "a move, a resignation": Race(MOVE, resigns(ANN), Moved, StaleBoard, 2),
    "a resignation, a move": Race(resigns(ANN), MOVE, Resigned, GameJustEnded),
    "both resign": Race(resigns(BOB), resigns(ANN), Resigned, GameNotRunning),
    "a piece too many, leaving": Race(plays(ANN, "g1"), aborts(ANN), Moved, StaleBoard, 7, EARLY),
    "leaving, a piece too many": Race(
        aborts(ANN), plays(ANN, "g1"), Aborted, NoGameHere, None, EARLY
    ),
    "a move, leaving": Race(MOVE, aborts(ANN), Moved, StaleBoard, 2),
    "a moderator, a move": Race(is_ended, MOVE, Aborted, GameJustEnded),
}


@pytest.mark.parametrize("race", RACES.values(), ids=RACES)
async def test_one_of_two_simultaneous_actions_is_second(
    hands: Hands, table: Table, race: Race
) -> None:
    await race.run(hands, table)


@pytest.mark.parametrize("withdrawn_first", [False, True])
@pytest.mark.parametrize("what", list(Offer))
async def test_accepting_against_taking_the_offer_back(
    hands: Hands, table: Table, game: Game, what: Offer, withdrawn_first: bool
) -> None:
    await waits(table, game)
    seen = (await table.ask(ANN, what)).game
    acts = [lambda at: at.agree(seen, BOB), lambda at: at.decline(seen, ANN)]
    late, first = await hands.race(*(acts if withdrawn_first else acts[::-1]))
    ends = what is DRAW and not withdrawn_first
    assert came(late) is (GameNotRunning if ends else BadOffer)
    assert came(first) is (OfferDeclined if withdrawn_first else AGREED[what])


# Clocks


LAST = plays(ANN, str(random_game(4)[8]))
LAST_MOMENT = {
    "a move, the end": Race(LAST, times_out, Moved, NoneType, 9),
    "the end, a move": Race(times_out, LAST, TimedOut, GameJustEnded),
    "a draw, the end": Race(accepts(ANN), times_out, DrawAgreed, NoneType),
    "the end, a draw": Race(times_out, accepts(ANN), TimedOut, GameNotRunning),
    "two timekeepers": Race(times_out, times_out, TimedOut, NoneType),
}
"""Ann's time has just run out, and she has a draw offer."""


@pytest.mark.parametrize("race", LAST_MOMENT.values(), ids=LAST_MOMENT)
async def test_at_the_last_moment_either_comes_first(
    hands: Hands, table: Table, clock: Clock, race: Race
) -> None:
    await table.begin(clock=LIVE)
    await table.play_out(random_game(4)[:8])
    clock.advance(minutes=15)
    seen = (await table.ask(BOB, DRAW)).game
    late, first = await hands.race(
        lambda at: race.second(at, seen), lambda at: race.first(at, seen)
    )
    assert (came(first), came(late)) == (race.made, race.late)
    now = await Table(table.store, clock).game_cache.existing(seen.row.id)
    assert now.is_running is (race.plies is not None)


async def test_one_message_received_by_two_processes_is_played_once(
    hands: Hands, table: Table, game: Game
) -> None:
    def the_same(at: Table) -> Awaitable[GameUpdate]:
        return at.games.play(CHANNEL, BOB, "b1 c1", source=SourceId(900_000))

    late, first = await hands.race(the_same, the_same)
    assert (came(first), came(late)) == (Moved, AlreadyHandled)
    assert (await stands(table))[0].position.plies == 2


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_rows_used_during_deletion_stay(
    engine: AsyncEngine, table: Table, clock: Clock
) -> None:
    update = await table.accept(await table.challenge())
    await table.store.deliveries.drop(update.deliveries, at=clock())
    game = (await table.resign(update.game)).game
    of_game = sa.and_(deliveries.c.game_id == game.row.id, deliveries.c.dropped_at.is_not(None))
    async with engine.begin() as taking_up:
        await taking_up.execute(sa.update(deliveries).where(of_game).values(dropped_at=None))
        deleting = asyncio.ensure_future(
            table.store.queries(RetentionTable).drop_sent(until=clock(), after=0)
        )
        await somebody_waits(engine)
    await deleting
    assert update.deliveries[0].id in {
        row.id for row in await table.store.deliveries.unsent(game.row.id)
    }
