"""Tests for the use cases of games, on SQLite and PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot.base.errors import AlreadyHandled
from bot.base.ids import ChannelId, GameId, MessageId, Revision, SourceId, UserId
from bot.database.connection import AsyncEngine
from bot.play.game_changes import GameUpdate
from bot.play.model.clock import TimeControl
from bot.play.model.events import Resigned
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import (
    GameJustEnded,
    GameNotRunning,
    IllegalPlay,
    NoGameHere,
    NotAPlayer,
    NotYourTurn,
    StaleBoard,
    UnreadableMove,
)
from bot.play.model.terms import EndReason, Outcome
from bot.play.store.store import Store
from dvonn import Color, Coordinates, NotationProblem, Phase, Reason
from tests.bot.conftest import Clock
from tests.bot.looked import due_games
from tests.bot.rows import statements
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, how, moved, raises
from tests.games import positions_of, random_game

Door = Callable[[Table, Game, UserId, str, SourceId], Awaitable[GameUpdate]]


DOORS: dict[str, Door] = {
    "channel": lambda at, game, user, text, source: at.games.play(
        game.row.channel, user, text, source=source
    ),
    "buttons": lambda at, game, user, text, source: at.games.pick(
        game.row.id, game.row.revision, user, text, source=source
    ),
    "form": lambda at, game, user, text, source: at.games.type_in(
        game.row.id, user, text, source=source
    ),
}


@pytest.mark.parametrize("coordinates", list(Coordinates))
async def test_a_whole_game_ends_as_the_rules_say(table: Table, coordinates: Coordinates) -> None:
    moves = random_game(11)
    expected = positions_of(moves)[-1]
    await table.begin(coordinates=coordinates)
    update = await table.play_out(moves)
    assert how(update.game) is EndReason.COUNT
    assert update.game.row.revision == len(moves)
    assert update.game.to_move is None
    assert update.game.position == expected
    assert update.game.last == moves[-1]
    await raises(NoGameHere, table.game_cache.running_in(CHANNEL))


async def test_a_game_is_the_same_when_it_is_read_again(
    table: Table, store: Store, clock: Clock
) -> None:
    moves = random_game(12)
    await table.begin()
    for upto in (1, 49, 60):
        played = (await table.game_cache.running_in(CHANNEL)).position.plies
        update = await table.play_out(moves[played:upto])
        fresh = await Table(store, clock).game_cache.running_in(CHANNEL)
        assert fresh == update.game
        assert fresh.position.removed == update.game.position.removed
        assert fresh.position.passed == update.game.position.passed


async def test_a_cached_game_is_not_read_again(table: Table, engine: AsyncEngine) -> None:
    await table.begin()
    update = await table.play(ANN, "a1")
    asked = statements(engine)
    assert await table.game_cache.running_in(CHANNEL) == update.game
    assert asked
    assert not [item for item in asked if "FROM events" in item]


async def test_games_outside_the_cache_are_read_again(store: Store, clock: Clock) -> None:
    table = Table(store, clock, kept_games=1)
    channels = [ChannelId(1), ChannelId(2)]
    for channel in channels:
        await table.begin(channel=channel)
    for text in ("a1", "b1", "c1", "d1"):
        for channel in channels:
            await table.move(await table.game_cache.running_in(channel), text)
    assert [(await table.game_cache.running_in(channel)).row.revision for channel in channels] == [
        4,
        4,
    ]


async def test_a_process_is_not_misled_by_stale_data(table: Table, store: Store) -> None:
    other = Table(store, table.clock)
    other.last_source = 5_000
    first = (await table.begin()).row.id
    await table.play(ANN, "a1")
    await other.play(BOB, "b1")
    with pytest.raises(NotYourTurn) as caught:
        await table.play(BOB, "c1")  # the cached game is older: it was Bob's turn
    assert caught.value.turn == (first, 2)
    await other.end()
    for late in (
        table.play(ANN, "d1"),
        table.games.type_in(first, ANN, "d1", source=table.source()),
        table.games.pick(first, Revision(2), ANN, "d1", source=table.source()),
    ):
        with pytest.raises((NoGameHere, GameNotRunning)):
            await late
    await other.begin(CID)
    update = await table.play(ANN, "e1")
    assert update.game.row.black == CID


async def test_refusals_change_nothing(table: Table) -> None:
    await table.begin()
    await table.play(ANN, "d2")
    assert (await raises(NotYourTurn, table.play(ANN, "e2"))).to_move == BOB
    await raises(NotAPlayer, table.play(CID, "e2"))
    unreadable = await raises(UnreadableMove, table.play(BOB, "z9"))
    assert unreadable.error.problem is NotationProblem.OFF_BOARD
    assert set(unreadable.position.stacks) == {"d2"}
    assert unreadable.coordinates is Coordinates.STANDARD
    illegal = await raises(IllegalPlay, table.play(BOB, "d2"))
    assert illegal.error.reason is Reason.OCCUPIED
    assert illegal.coordinates is Coordinates.STANDARD
    await raises(NoGameHere, table.play(ANN, "e2", ChannelId(1)))
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == 1


async def test_pergioco_text_is_read_as_pergioco(table: Table) -> None:
    await table.begin(coordinates=Coordinates.PERGIOCO)
    update = await table.play(ANN, "d2")
    assert set(update.game.position.stacks) == {"b2"}


@pytest.mark.both_databases
async def test_a_repeated_message_event_plays_once(table: Table) -> None:
    await table.begin()
    source = table.source()
    await table.games.play(CHANNEL, ANN, "a1", source=source)
    await raises(AlreadyHandled, table.games.play(CHANNEL, ANN, "a1", source=source))
    # This holds even if the move is legal again, or the game has ended.
    await table.play(BOB, "b1")
    await raises(AlreadyHandled, table.games.play(CHANNEL, ANN, "c1", source=source))
    await table.end()
    await raises(AlreadyHandled, table.games.play(CHANNEL, ANN, "a1", source=source))


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
async def test_repeated_input_plays_once(table: Table, door: Door) -> None:
    game = await table.begin()
    source = table.source()
    await door(table, game, ANN, "a1", source)
    await raises(AlreadyHandled, door(table, game, ANN, "a1", source))
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == 1


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
async def test_a_move_in_a_cached_game_is_written_without_a_query_before(
    table: Table, engine: AsyncEngine, door: Door
) -> None:
    game = await table.begin()
    asked = statements(engine)
    await door(table, game, ANN, "a1", table.source())
    assert not [item for item in asked if "FROM games" in item or "FROM events" in item]


async def test_a_move_asks_for_nothing_twice(table: Table, engine: AsyncEngine) -> None:
    clock = TimeControl(bank=timedelta(days=3))
    update = await table.accept(await table.challenge(clock=clock))
    asked = statements(engine)
    update = await table.games.play(CHANNEL, ANN, "a1", source=table.source())
    assert [" ".join(text.split()[:2]) for text in asked if text != "BEGIN IMMEDIATE"] == [
        "SELECT CAST(NULL",  # outages and vacations
        *("UPDATE games", "INSERT INTO", "UPDATE timers", "INSERT INTO", "SELECT plans.game_id,"),
    ]
    asked.clear()
    (board,) = update.deliveries
    await table.store.deliveries.mark_sent([board], MessageId(1), at=update.events[0].event.at)
    assert len(asked) == 1


async def test_a_request_does_not_affect_another_game(table: Table) -> None:
    first = (await table.begin()).row.id
    source = table.source()
    await table.leaving.abort(first, Revision(0), ANN, source=source)
    second = (await table.begin()).row.id
    for again in (
        table.leaving.abort(second, Revision(0), ANN, source=source),
        table.leaving.abort_here(CHANNEL, ANN, source=source),
        table.leaving.resign(second, Revision(0), ANN, source=source),
        table.offers.ask(CHANNEL, ANN, Offer.DRAW, source=source),
    ):
        await raises(AlreadyHandled, again)
    game = await table.game_cache.running_in(CHANNEL)
    assert (game.row.id, game.row.revision) == (second, 0)
    assert game.row.id != first


@pytest.mark.both_databases
async def test_of_two_simultaneous_moves_one_wins_and_the_other_is_refused(table: Table) -> None:
    await table.begin()
    results = await asyncio.gather(
        table.play(ANN, "a1"), table.play(ANN, "b1"), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["GameUpdate", "NotYourTurn"]
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == 1


async def test_a_late_move_is_answered_with_the_ended_game(table: Table) -> None:
    await table.begin()
    last = table.source()
    await table.games.play(CHANNEL, ANN, "a1", source=last)
    game = await table.game_cache.running_in(CHANNEL)
    await table.leaving.resign(game.row.id, Revision(1), ANN, source=table.source())
    for _ in range(2):
        assert (await raises(GameJustEnded, table.play(BOB, "a2"))).turn == (
            game.row.id,
            Revision(2),
        )
    for user in (ANN, CID):  # Ann knows, and Cid is not concerned
        assert type(await raises(NoGameHere, table.play(user, "a2"))) is NoGameHere
    await raises(AlreadyHandled, table.games.play(CHANNEL, ANN, "a1", source=last))
    table.clock.advance(days=7)
    await raises(GameJustEnded, table.play(BOB, "a2"))
    table.clock.advance(seconds=1)
    assert type(await raises(NoGameHere, table.play(BOB, "a2"))) is NoGameHere


async def test_only_the_last_game_of_a_channel_can_be_missed(table: Table) -> None:
    moves = random_game(3)
    game = await table.begin()
    await table.end()
    for user in (ANN, BOB):
        assert (await raises(GameJustEnded, table.play(user, "a1"))).turn == (
            game.row.id,
            Revision(1),
        )
    table.clock.advance(seconds=1)
    await table.begin()
    await table.play_out(moves)
    for user in (ANN, BOB):  # both players have seen the end
        assert type(await raises(NoGameHere, table.play(user, "a1"))) is NoGameHere


async def test_resigning_ends_the_game(table: Table) -> None:
    game = (await table.begin()).row.id
    await table.play(ANN, "a1")
    update = await table.leaving.resign(game, Revision(1), ANN, source=table.source())
    assert how(update.game) is EndReason.RESIGNATION
    assert [told.event.kind for told in update.events] == [Resigned]
    assert update.game.outcome == Outcome(EndReason.RESIGNATION, winner=Color.BLACK)
    assert len(update.deliveries) == 1
    await raises(
        GameNotRunning, table.leaving.resign(game, Revision(2), BOB, source=table.source())
    )
    await raises(NoGameHere, table.play(BOB, "b1"))


async def test_only_a_player_resigns_and_only_the_turn_he_saw(table: Table) -> None:
    game = (await table.begin()).row.id
    await raises(NotAPlayer, table.leaving.resign(game, Revision(0), CID, source=table.source()))
    await table.play(ANN, "a1")
    await raises(StaleBoard, table.leaving.resign(game, Revision(0), BOB, source=table.source()))
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == 1


@pytest.mark.parametrize("how", ["resign", "abort"])
async def test_a_repeated_end_counts_once(table: Table, how: str) -> None:
    game, source = (await table.begin()).row.id, table.source()
    end = table.leaving.resign if how == "resign" else table.leaving.abort
    await end(game, Revision(0), BOB, source=source)
    await raises(AlreadyHandled, end(game, Revision(0), BOB, source=source))


@pytest.mark.both_databases
async def test_resigning_against_moving_has_one_winner(table: Table) -> None:
    game = (await table.begin()).row.id
    results = await asyncio.gather(
        table.play(ANN, "a1"),
        table.leaving.resign(game, Revision(0), BOB, source=table.source()),
        return_exceptions=True,
    )
    assert sum(isinstance(result, GameUpdate) for result in results) == 1
    assert sum(isinstance(result, StaleBoard | NoGameHere) for result in results) == 1


async def test_deliveries_belong_to_their_process_for_five_seconds(
    table: Table, clock: Clock
) -> None:
    async def is_left_for_five_seconds(update: GameUpdate) -> None:
        assert await due_games(table.store, clock()) == []
        clock.advance(seconds=5)
        assert await due_games(table.store, clock()) == [update.game.row.id]
        await table.store.deliveries.mark_sent(update.deliveries, MessageId(700), at=clock())

    await is_left_for_five_seconds(await table.accept(await table.challenge()))
    await is_left_for_five_seconds(await table.play(ANN, "a1"))


async def test_aborting_leaves_no_result(table: Table) -> None:
    await table.begin()
    update = await table.end()
    assert how(update.game) is EndReason.ABORT
    assert update.events[0].event.actor == CID
    await raises(NoGameHere, table.end())


async def test_an_older_revision_can_be_shown(table: Table) -> None:
    game = (await table.begin()).row.id
    for user, text in ((ANN, "a1"), (BOB, "b1"), (ANN, "c1")):
        await table.play(user, text)
    old, _ = await table.games.at_revision(game, Revision(2))
    assert set(old.position.stacks) == {"a1", "b1"}
    assert (await table.game_cache.existing(game)).row.revision == 3
    for number, revision in ((game, 4), (game, -1), (GameId(99), 0)):
        await raises(GameNotRunning, table.games.at_revision(number, Revision(revision)))


async def test_unannounced_events_are_announced_together(table: Table, clock: Clock) -> None:
    control = TimeControl(bank=timedelta(days=3))
    game = (await table.begin(clock=control)).row.id
    for user, text in ((ANN, "a1"), (BOB, "b1"), (ANN, "c1")):
        await table.play(user, text)
    update = await table.games.unannounced(game, Revision(2), Revision(0))
    assert [str(moved(told).move) for told in update.events] == ["a1", "b1"]
    assert update.game.row.revision == 2
    assert [told.event.actor for told in update.events] == [ANN, BOB]
    assert update.deadline == clock() + timedelta(days=3)
    assert update.deliveries == ()  # the call returns pending events, and adds none
    await raises(GameNotRunning, table.games.unannounced(GameId(99), Revision(2), Revision(0)))


async def test_the_mover_is_offered_legal_moves(table: Table) -> None:
    await table.begin(coordinates=Coordinates.PERGIOCO)
    game, everything = await table.games.legal_here(CHANNEL, ANN)
    assert tuple(everything) == game.position.legal_moves()
    _, narrowed = await table.games.legal_here(CHANNEL, ANN, " E1 ")
    assert [str(move) for move in narrowed] == ["a1"]
    await table.play_out(random_game(5), 49)
    game = await table.game_cache.running_in(CHANNEL)
    assert game.position.phase is Phase.MOVEMENT
    assert game.to_move is not None
    _, everything = await table.games.legal_here(CHANNEL, game.to_move)
    assert tuple(everything) == game.position.legal_moves()


async def test_nobody_else_is_offered_moves(table: Table) -> None:
    await raises(NoGameHere, table.games.legal_here(CHANNEL, ANN))
    await table.begin()
    assert (await raises(NotYourTurn, table.games.legal_here(CHANNEL, BOB))).to_move == ANN
    await raises(NotAPlayer, table.games.legal_here(CHANNEL, CID))


@pytest.mark.both_databases
async def test_a_player_gets_typing_help_once_a_game(table: Table, clock: Clock) -> None:
    # without a game there is nothing to return
    assert not await table.games.needs_hint(CHANNEL, ANN)
    await table.begin()
    assert not await table.games.needs_hint(CHANNEL, CID)
    assert not await table.games.needs_hint(ChannelId(1), ANN)
    assert await table.games.needs_hint(CHANNEL, BOB)
    clock.advance(days=1)
    for user in (ANN, BOB):
        assert not await table.games.needs_hint(CHANNEL, user)
    await table.abort(ANN)
    await table.begin()
    assert await table.games.needs_hint(CHANNEL, ANN)


async def test_a_players_games_are_listed(table: Table) -> None:
    for number in range(3):
        await table.begin(channel=ChannelId(3_000 + number))
    await table.end(CID, ChannelId(3001))
    listed = await table.game_cache.running_of(GUILD, BOB)
    assert [game.row.channel for game in listed] == [3_000, 3_002]


async def test_only_a_player_is_asked_whether_to_resign(table: Table) -> None:
    await table.begin()
    assert (await table.games.seated_here(CHANNEL, BOB)).seat(BOB) is Color.BLACK
    await raises(NotAPlayer, table.games.seated_here(CHANNEL, CID))


async def test_a_picker_plays_the_turn_it_was_opened_for(table: Table) -> None:
    game = (await table.begin(coordinates=Coordinates.PERGIOCO)).row.id

    async def pick(user: UserId, revision: int, move: str) -> GameUpdate:
        return await table.games.pick(game, Revision(revision), user, move, source=table.source())

    assert (await table.games.may_move(game, ANN)).row.id == game
    await raises(NotYourTurn, table.games.may_move(game, BOB))
    update = await pick(ANN, 0, "d2")
    assert set(update.game.position.stacks) == {"b2"}
    await raises(StaleBoard, pick(ANN, 0, "d3"))
    await raises(NotYourTurn, pick(ANN, 1, "d3"))
    await raises(NotAPlayer, pick(CID, 1, "d3"))
    await raises(IllegalPlay, pick(BOB, 1, "d2"))
    for forged in ("k5-a1", "nonsense", "", "-", "d3-d3", "d3-d4-d5"):
        await raises(StaleBoard, pick(BOB, 1, forged))
    typed = await table.games.type_in(game, BOB, " D3.", source=table.source())
    assert set(typed.game.position.stacks) == {"b2", "c2"}
    await table.end()
    await raises(GameNotRunning, table.games.type_in(game, ANN, "d4", source=table.source()))


@pytest.mark.parametrize("text", ["D2", " d2", "d2!", "d2 please", "**d2**", "1. d2", "d2 e2"])
async def test_the_label_of_a_button_is_not_read_as_a_persons_text(table: Table, text: str) -> None:
    game = (await table.begin()).row.id
    await table.choices.switch(ANN, preview=True)
    press = table.games.pick(game, Revision(0), ANN, text, source=table.source())
    await raises(StaleBoard, press)
    await raises(StaleBoard, table.games.preview_picked(game, Revision(0), ANN, text))
    typed = await table.games.type_in(game, ANN, text, source=table.source())
    assert set(typed.game.position.stacks) == {"d2"}


async def test_a_picked_stack_is_one_that_can_move(table: Table) -> None:
    game = (await table.begin()).row.id
    await table.play_out(random_game(5), 49)
    current = await table.game_cache.running_in(CHANNEL)
    source = current.position.legal_moves()[0].source
    assert source is not None
    assert current.to_move is not None
    revision = current.row.revision
    _, stack = await table.games.pick_stack(game, revision, current.to_move, source)
    assert stack == source
    surrounded = next(p for p in current.position.stacks if current.position.is_surrounded(p))
    for forged in (surrounded, "z9", ""):
        await raises(StaleBoard, table.games.pick_stack(game, revision, current.to_move, forged))


async def test_no_stack_is_picked_on_a_board_that_another_process_has_changed(
    table: Table, store: Store, clock: Clock
) -> None:
    await table.begin()
    await table.play_out(random_game(5), 49)
    seen = await table.game_cache.running_in(CHANNEL)
    other = Table(store, clock)
    other.last_source = 5_000
    first = seen.position.legal_moves()[0]
    assert seen.to_move is not None
    assert first.source is not None
    await other.move(seen)
    with pytest.raises(StaleBoard):
        await table.games.pick_stack(seen.row.id, seen.row.revision, seen.to_move, first.source)
