"""The pie start on both databases: who picks what, once, and what it makes of the seats."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot.base.errors import AlreadyDone
from bot.base.ids import GameId, Revision, SourceId, UserId
from bot.play.model.clock import TimeControl
from bot.play.model.events import Started
from bot.play.model.game import Choosing, Game, Offer
from bot.play.model.openings import random_boards
from bot.play.model.refusals import GameGone, MustChoose, NotAPlayer, TurnOver
from bot.play.model.refused_starts import NotForYou
from bot.play.model.terms import ColourChoice, How, Start
from bot.play.store.store import Store
from bot.play.use_cases.update import Update
from dvonn import Color
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, how, raises
from tests.games import drawn

LIVE = TimeControl(bank=timedelta(minutes=10))
FISCHER = TimeControl(bank=timedelta(days=3), increment=timedelta(days=1), cap=timedelta(days=3))
MINUTE = timedelta(minutes=1)


async def begun(table: Table, *, clock: TimeControl | None = None) -> Game:
    """A game that Ann has offered and Bob accepted."""
    return await table.begin(start=Start.PIE, clock=clock)


async def pick(table: Table, game: Game, user: UserId = ANN, number: int = 2) -> Update:
    return await table.pie.pick_board(
        game.row.id, game.row.revision, user, number, source=table.source()
    )


async def take(table: Table, game: Game, color: Color, user: UserId = BOB) -> Update:
    return await table.pie.pick_side(
        game.row.id, game.row.revision, user, color, source=table.source()
    )


async def begun_until(table: Table, stage: Choosing) -> Game:
    game = await begun(table)
    return game if stage is Choosing.BOARD else (await pick(table, game)).game


def chooses(game: Game) -> Callable[[Table], Awaitable[Update | None]]:
    """Whoever is asked picks."""
    if game.choosing is Choosing.BOARD:
        return lambda table: pick(table, game)
    return lambda table: take(table, game, Color.WHITE)


@pytest.mark.parametrize("colour", ColourChoice)
async def test_whoever_challenged_picks_the_board_whatever_colour_he_asked_for(
    table: Table, colour: ColourChoice
) -> None:
    update = await table.accept(await table.challenge(start=Start.PIE, colour=colour))

    game = update.game
    assert (game.choosing, game.to_move, game.picker) == (Choosing.BOARD, ANN, ANN)
    assert not game.is_placing
    assert [told.event.kind for told in update.told] == [Started]


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_board_is_picked_and_then_a_colour_and_then_white_moves(
    table: Table, number: int
) -> None:
    game = await begun(table)
    seed = game.row.seed

    update = await pick(table, game, number=number)

    picked = update.game
    assert (picked.choosing, picked.to_move) == (Choosing.SIDE, BOB)
    assert picked.board_seed == seed + number - 1
    assert picked.position == drawn(seed + number - 1)
    assert random_boards(game.row)[number - 1] == picked.position  # what was shown is what came
    assert [row.revision for row in update.deliveries] == [1]

    game = (await take(table, picked, Color.BLACK)).game

    assert (game.choosing, game.to_move) == (None, ANN)
    assert (game.row.white, game.row.black) == (ANN, BOB)
    assert game.position == picked.position
    move = game.position.legal_moves()[0]
    assert (await table.play(ANN, str(move))).game.position == game.position.play(move)
    back = await table.ask(ANN, Offer.TAKEBACK)
    assert back.game.position == game.position


async def test_seats_are_swapped_where_the_second_player_takes_white(
    table: Table, store: Store
) -> None:
    game = await begun(table)
    picked = (await pick(table, game)).game

    game = (await take(table, picked, Color.WHITE)).game

    assert (game.row.white, game.row.black) == (BOB, ANN)
    assert game.to_move == BOB
    assert (game.seat(BOB), game.seat(ANN)) == (Color.WHITE, Color.BLACK)
    row = await store.games.get(game.row.id)
    assert row is not None
    assert (row.white, row.black) == (BOB, ANN)
    for player in (ANN, BOB):
        (listed,) = await table.archive.running_of(GUILD, player)
        assert listed.to_move == BOB
    await table.play(BOB, str(game.position.legal_moves()[0]))
    update = await table.resign(await table.archive.running_in(CHANNEL), BOB)
    assert how(update.game) is How.RESIGNATION
    assert (update.game.row.white, update.game.row.black) == (BOB, ANN)


@pytest.mark.parametrize("color", Color)
async def test_another_process_reads_the_same_after_each_step(
    table: Table, store: Store, clock: Clock, color: Color
) -> None:
    stages = [await begun(table, clock=LIVE)]
    clock.advance(minutes=2)
    seen_from_the_start = Table(store, clock)
    await seen_from_the_start.archive.running_in(CHANNEL)
    stages.append((await pick(table, stages[-1], number=3)).game)
    assert await Table(store, clock).archive.running_in(CHANNEL) == stages[-1]
    clock.advance(minutes=1)
    stages.append((await take(table, stages[-1], color)).game)
    for _ in range(2):
        player = stages[-1].to_move
        assert player is not None
        move = stages[-1].position.legal_moves()[0]
        stages.append((await table.play(player, str(move))).game)

    assert await Table(store, clock).archive.running_in(CHANNEL) == stages[-1]
    assert await seen_from_the_start.archive.running_in(CHANNEL) == stages[-1]
    for revision, stage in enumerate(stages):
        read, _ = await Table(store, clock).games.at(stage.row.id, Revision(revision))
        assert read == stage


async def test_only_the_one_who_is_asked_picks(table: Table) -> None:
    game = await begun(table)
    assert (await raises(NotForYou, pick(table, game, BOB))).who == ANN
    await raises(NotAPlayer, pick(table, game, CID))

    game = (await pick(table, game)).game

    assert (await raises(NotForYou, take(table, game, Color.WHITE, ANN))).who == BOB
    await raises(NotAPlayer, take(table, game, Color.WHITE, CID))
    assert (await table.archive.running_in(CHANNEL)).row.revision == 1


@pytest.mark.parametrize("number", [-1, 0, 4, 10**9])
async def test_a_board_that_was_not_drawn_cannot_be_picked(table: Table, number: int) -> None:
    game = await begun(table)
    await raises(TurnOver, pick(table, game, number=number))
    assert (await table.archive.running_in(CHANNEL)).row.revision == 0


async def test_what_is_not_to_be_picked_cannot_be_picked(table: Table) -> None:
    game = await begun(table)
    await raises(TurnOver, take(table, game, Color.WHITE, ANN))
    picked = (await pick(table, game)).game
    await raises(TurnOver, pick(table, picked, BOB))
    await raises(TurnOver, pick(table, game, ANN, number=3))
    settled = (await take(table, picked, Color.BLACK)).game
    for old in (picked, settled):
        await raises(TurnOver, take(table, old, Color.WHITE))
    with pytest.raises(GameGone):
        await table.pie.pick_board(GameId(10**6), Revision(0), ANN, 1, source=table.source())


async def test_there_is_nothing_to_pick_with_another_start(table: Table) -> None:
    game = await table.begin(start=Start.BALANCED)
    assert (game.choosing, game.picker, game.board_seed) == (None, None, None)
    await raises(TurnOver, pick(table, game))
    await raises(TurnOver, take(table, game, Color.WHITE))


@pytest.mark.parametrize("stage", Choosing)
async def test_a_click_told_twice_counts_once(table: Table, stage: Choosing) -> None:
    row = (await begun_until(table, stage)).row

    async def click(source: SourceId) -> Update:
        if stage is Choosing.BOARD:
            return await table.pie.pick_board(row.id, row.revision, ANN, 1, source=source)
        return await table.pie.pick_side(row.id, row.revision, BOB, Color.WHITE, source=source)

    source = table.source()
    taken = await click(source)
    await raises(AlreadyDone, click(source))
    await raises(TurnOver, click(table.source()))
    assert await table.archive.running_in(CHANNEL) == taken.game


async def test_of_two_boards_the_one_that_is_written_first_is_picked(
    hands: Hands, table: Table
) -> None:
    game = await begun(table)
    late, first = await hands.race(
        lambda one: pick(one, game, number=1), lambda one: pick(one, game, number=3)
    )
    assert isinstance(late, TurnOver)
    assert isinstance(first, Update)
    assert (await Table(table.store, table.clock).archive.running_in(CHANNEL)) == first.game
    assert first.game.board_seed == game.row.seed + 2


@pytest.mark.parametrize("choice_first", [True, False])
@pytest.mark.parametrize("stage", Choosing)
async def test_a_choice_against_a_resignation(
    hands: Hands, table: Table, stage: Choosing, *, choice_first: bool
) -> None:
    game = await begun_until(table, stage)
    acts = [lambda at: at.resign(game, BOB), chooses(game)]
    late, first = await hands.race(*(acts if choice_first else acts[::-1]))
    assert isinstance(first, Update)
    assert isinstance(late, TurnOver if choice_first else GameGone), "another revision than he saw"
    assert how(first.game) is (None if choice_first else How.RESIGNATION)


@pytest.mark.parametrize("choice_first", [True, False])
async def test_a_choice_against_the_end_of_the_time(
    hands: Hands, table: Table, clock: Clock, *, choice_first: bool
) -> None:
    game = await begun(table, clock=LIVE)
    clock.advance(minutes=11)
    acts: list[Callable[[Table], Awaitable[object]]] = [lambda at: at.look(), chooses(game)]
    late, first = await hands.race(*(acts if choice_first else acts[::-1]))
    assert late == [] if choice_first else isinstance(late, GameGone)
    now = await Table(table.store, clock).archive.existing(game.row.id)
    assert now.is_running == choice_first
    assert first != []


@pytest.mark.parametrize("stage", Choosing)
async def test_nothing_is_played_or_offered_before_all_is_picked(
    table: Table, stage: Choosing
) -> None:
    game, source = await begun_until(table, stage), table.source
    asked = ANN if stage is Choosing.BOARD else BOB
    number, revision = game.row.id, game.row.revision
    for player in (ANN, BOB):
        for refused in (
            table.play(player, "a1"),
            table.play(player, "a1-b1"),
            table.play(player, "no move at all"),
            table.games.pick(number, revision, player, "a1", source=source()),
            table.games.type_in(number, player, "a1", source=source()),
            table.games.may_move(number, player),
            table.games.pick_stack(number, revision, player, "a1"),
            table.games.legal_here(CHANNEL, player),
            *(table.offers.ask(CHANNEL, player, what, source=source()) for what in Offer),
        ):
            assert (await raises(MustChoose, refused)).who == asked
    await raises(NotAPlayer, table.play(CID, "a1"))
    assert await table.archive.running_in(CHANNEL) == game


@pytest.mark.parametrize("stage", Choosing)
async def test_a_game_can_be_left_before_all_is_picked(table: Table, stage: Choosing) -> None:
    game = await begun_until(table, stage)
    update = await table.abort(BOB)
    assert how(update.game) is How.ABORT
    assert update.game.to_move is None
    await raises(GameGone, pick(table, game))
    await raises(GameGone, take(table, game, Color.WHITE))


@pytest.mark.parametrize("color", Color)
async def test_clocks_go_with_their_players(table: Table, clock: Clock, color: Color) -> None:
    game = await begun(table, clock=LIVE)
    clock.advance(minutes=4)
    picked = await pick(table, game)
    assert picked.deadline == clock() + LIVE.bank
    clock.advance(minutes=1)

    update = await take(table, picked.game, color)

    assert update.game.clock is not None
    left = {update.game.player(one): update.game.clock.left(one) for one in Color}
    assert left == {ANN: 6 * MINUTE, BOB: 9 * MINUTE}
    mover = update.game.to_move
    assert mover is not None
    assert update.deadline == clock() + left[mover]


async def test_picking_adds_time_as_a_move_does(table: Table, clock: Clock) -> None:
    game = await begun(table, clock=FISCHER)
    clock.advance(days=2)
    game = (await pick(table, game)).game
    clock.advance(hours=6)
    game = (await take(table, game, Color.WHITE)).game
    assert game.clock is not None
    assert (game.clock.white, game.clock.black) == (timedelta(days=3), timedelta(days=2))


@pytest.mark.parametrize("stage", Choosing)
async def test_time_can_run_out_over_a_choice(table: Table, clock: Clock, stage: Choosing) -> None:
    game, slow = await begun(table, clock=LIVE), ANN
    if stage is Choosing.SIDE:
        game, slow = (await pick(table, game)).game, BOB
    clock.advance(minutes=11)
    (update,) = await table.look()
    assert update.told[-1].event.actor == slow
    assert how(update.game) is How.ABORT, "nobody has played anything yet"
    await raises(GameGone, pick(table, game))


async def test_in_a_rematch_the_other_one_picks_the_board(
    table: Table, store: Store, clock: Clock
) -> None:
    game, picker = await begun(table), ANN
    for asker in (ANN, BOB, BOB, ANN):  # whoever asks: it goes in turn
        accepter = BOB if asker == ANN else ANN
        waits = BOB if picker == ANN else ANN
        game = (await pick(table, game, picker)).game
        game = (await take(table, game, Color.WHITE, waits)).game
        row, _ = await table.rematch((await table.resign(game)).game, asker)
        game = (await table.accept(row.id, accepter)).game
        picker = waits

        assert row.terms.start is Start.PIE
        assert row.terms.challenger_picks == (picker == asker)
        assert (game.picker, game.to_move) == (picker, picker)
        assert await Table(store, clock).archive.running_in(CHANNEL) == game


async def test_a_rematch_of_a_game_without_a_choice_swaps_too(table: Table) -> None:
    game = await begun(table)
    ended = await table.resign(game, BOB)
    await table.rematch(ended.game, BOB)
    _, update = await table.rematch(ended.game, ANN)
    assert update is not None
    assert (update.game.choosing, update.game.to_move) == (Choosing.BOARD, BOB)
