"""Tests for the kinds of events and outcomes: all are covered, and their stored form is fixed."""

import inspect
import json
from datetime import UTC, datetime
from typing import get_args

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from bot.database.connection import AsyncEngine
from bot.play.model import compat_0_1_0, offer_events, time_events
from bot.play.model import events as kinds
from bot.play.model.compat_0_1_0 import BoardPicked, SidePicked
from bot.play.model.events import (
    KINDS,
    Aborted,
    AnyEventData,
    Continued,
    Deserted,
    Moved,
    Resigned,
    Started,
    TimedOut,
)
from bot.play.model.game import AutoMoveReason, EventData, Offer
from bot.play.model.offer_events import (
    DrawAgreed,
    HintsAgreed,
    OfferDeclined,
    OfferMade,
    RestPlaced,
    TakenBack,
)
from bot.play.model.terms import EndReason, Outcome
from bot.play.model.time_events import PauseAgreed, PauseEnded, TimeGiven, VacationTaken
from bot.play.store.changes import decode, encode
from bot.play.store.schema import events, games
from bot.play.store.store import Store
from dvonn import Color, Position, parse_move, position_to_text
from tests.bot.replayed import play, started
from tests.bot.table import ANN, BOB, Table
from tests.games import positions_of, random_game

KEPT: list[tuple[AnyEventData, str]] = [
    (Started(), "{}"),
    (Started(picks=True), '{"picks": true}'),
    (
        Started(position=positions_of(random_game(2))[60]),
        json.dumps({"position": position_to_text(positions_of(random_game(2))[60])}),
    ),
    (Moved(parse_move("a1")), '{"move": "a1"}'),
    (Moved(parse_move("d2-d4"), AutoMoveReason.ONLY), '{"move": "d2-d4", "why": "only"}'),
    (Resigned(), "{}"),
    (Aborted(), "{}"),
    (Aborted(no_place=True), '{"no_place": true}'),
    (Aborted(no_votes=True), '{"no_votes": true}'),
    (Aborted(decided=True), '{"decided": true}'),
    (BoardPicked(3), '{"number": 3}'),
    (SidePicked(Color.BLACK), '{"color": "B"}'),
    (OfferMade(Offer.FINISH), '{"what": "finish"}'),
    (OfferDeclined(), "{}"),
    (OfferDeclined(withdrawn=True), '{"withdrawn": true}'),
    (TakenBack(0), '{"plies": 0}'),
    (DrawAgreed(), "{}"),
    (HintsAgreed(), "{}"),
    (RestPlaced(2**32 - 1), '{"seed": 4294967295}'),
    (TimeGiven(86_400), '{"seconds": 86400}'),
    (VacationTaken(1_800_000_000), '{"until_s": 1800000000}'),
    (PauseAgreed(), "{}"),
    (PauseEnded(), "{}"),
    (TimedOut(), "{}"),
    (TimedOut(round_over=True), '{"round_over": true}'),
    (Deserted(), "{}"),
    (Deserted(from_server=True), '{"from_server": true}'),
    (Continued(), "{}"),
]
"""The stored form of each kind of event, which every later version must be able to read."""


def test_each_kind_is_listed_and_has_a_unique_name() -> None:
    defined = {
        one
        for room in (kinds, compat_0_1_0, offer_events, time_events)
        for _, one in inspect.getmembers(room, inspect.isclass)
        if issubclass(one, EventData) and one is not EventData
    }
    assert defined == set(get_args(AnyEventData)) == set(KINDS.values())
    assert len(KINDS) == len(defined)
    assert {type(one) for one, _ in KEPT} == defined
    length = events.c.kind.type.length  # type: ignore[attr-defined]  # it is a String
    assert max(map(len, KINDS)) <= length


@pytest.mark.parametrize(("one", "text"), KEPT, ids=str)
def test_stored_event_data_is_independent(one: AnyEventData, text: str) -> None:
    assert json.dumps(encode(one)) == text
    assert decode(one.name, json.loads(text)) == one


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("mvoe", {}),
        ("move", {}),
        ("move", {"move": "z9"}),
        ("move", {"move": "a1", "why": "because"}),
        ("resign", {"why": "only"}),
        ("side", {"color": "white"}),
        ("start", {"position": "9/10/11/10/9 W move"}),
    ],
)
def test_unknown_events_are_not_read(kind: str, data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        decode(kind, data)


async def test_the_database_takes_every_kind_and_no_other(
    engine: AsyncEngine, store: Store, table: Table
) -> None:
    game = (await table.begin()).row.id
    at = datetime(2026, 1, 1, tzinfo=UTC)

    def row(revision: int, kind: str, data: dict[str, object]) -> dict[str, object]:
        common = {"game_id": game, "actor_id": ANN, "at": at}
        return common | {"revision": revision, "kind": kind, "data": data}

    rows = [row(number, one.name, encode(one)) for number, (one, _) in enumerate(KEPT, start=1)]
    async with engine.begin() as connection:
        await connection.execute(insert(events), rows)
    _, *read = await store.games.events(game)
    assert [event.data for event in read] == [one for one, _ in KEPT]
    with pytest.raises(IntegrityError):
        async with engine.begin() as connection:
            await connection.execute(insert(events), [row(99, "no such kind", {})])


def test_an_events_preconditions_are_on_its_class() -> None:
    """Each row says if the event is timed, starts a turn, has a position, and keeps the board."""
    traits = {
        kind: (kind.clock_runs, kind.begins_turn, kind.changes_position, kind.keeps_board)
        for kind in KINDS.values()
    }
    assert traits == {
        Started: (False, True, True, False),
        Moved: (True, True, True, False),
        Resigned: (False, False, False, False),
        Aborted: (False, False, False, False),
        BoardPicked: (True, True, False, False),
        SidePicked: (True, True, True, False),
        OfferMade: (False, False, False, True),
        OfferDeclined: (False, False, False, True),
        TakenBack: (True, True, False, False),
        DrawAgreed: (False, False, False, False),
        HintsAgreed: (False, False, False, True),
        RestPlaced: (True, True, True, False),
        TimeGiven: (True, False, False, True),
        VacationTaken: (False, False, False, True),
        PauseAgreed: (True, False, False, True),
        PauseEnded: (False, False, False, True),
        TimedOut: (True, False, False, False),
        Deserted: (False, False, False, True),
        Continued: (False, True, False, False),
    }


# Outcomes


def test_a_game_that_runs_has_no_outcome() -> None:
    game = started()
    assert game.is_running
    assert game.outcome is None


@pytest.mark.parametrize("seed", range(6))
def test_games_played_to_the_end_are_counted(seed: int) -> None:
    moves = random_game(seed)
    end = positions_of(moves)[-1]
    game, _ = play(started(), *map(str, moves))
    white, black = end.score(Color.WHITE), end.score(Color.BLACK)
    winner = max(Color, key=end.score) if white != black else None
    assert game.outcome == Outcome(EndReason.COUNT, winner, abs(white - black))
    assert game.row.outcome == game.outcome


def test_as_many_pieces_for_both_are_a_draw() -> None:
    end = Position.from_stacks({"a1": "RW", "k5": "RB"}, turn=Color.WHITE)
    assert end.turn is None
    outcome = Outcome.counted(end)
    assert outcome == Outcome(EndReason.COUNT, winner=None, margin=0)
    assert outcome.is_draw
    assert outcome.has_result


def test_a_missing_result_is_not_a_draw() -> None:
    assert not Outcome(EndReason.ABORT).has_result
    assert not Outcome(EndReason.ABORT).is_draw
    assert Outcome(EndReason.AGREEMENT).is_draw
    assert not Outcome(EndReason.TIME, Color.WHITE).is_draw


@pytest.mark.parametrize(("loser", "winner"), [(ANN, Color.BLACK), (BOB, Color.WHITE)])
async def test_a_table_of_winners_is_one_query(
    table: Table, engine: AsyncEngine, loser: int, winner: Color
) -> None:
    row = (await table.begin()).row
    user = ANN if loser == ANN else BOB
    await table.leaving.resign(row.id, row.revision, user, source=table.source())
    query = select(games.c.outcome, games.c.winner, games.c.margin, games.c.ended_at)
    async with engine.connect() as connection:
        ((how, won, margin, ended_at),) = (await connection.execute(query)).all()
    assert (how, won, margin) == ("resignation", winner.value, None)
    assert ended_at is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"outcome": None, "winner": "W", "ended_at": None},
        {"outcome": None},
        {"outcome": "time", "winner": "W", "ended_at": None},
        {"outcome": "time", "margin": 3},
        {"outcome": "count", "winner": "W"},
        {"outcome": None, "margin": 3, "ended_at": None},
        {"outcome": "time", "winner": "R"},
        {"outcome": "boredom"},
    ],
    ids=str,
)
async def test_impossible_values_are_not_stored(
    table: Table, engine: AsyncEngine, wrong: dict[str, object]
) -> None:
    await table.ended()
    nothing = {"outcome": None, "winner": None, "margin": None, "ended_at": table.clock()}
    with pytest.raises(IntegrityError):
        async with engine.begin() as connection:
            await connection.execute(games.update().values(nothing | wrong))
