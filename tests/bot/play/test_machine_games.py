"""Tests for games against the machine, without an engine."""

from dataclasses import replace

import pytest

from bot.base.ids import ChannelId, GameId, GuildId, MessageId, Revision, UserId
from bot.base.languages import IN_ENGLISH
from bot.database.connection import AsyncEngine
from bot.database.delivery_rows import BOARD, DeliveryKind
from bot.play.game_changes import GameUpdate
from bot.play.handlers.challenge_buttons import PlayMeButton
from bot.play.model.events import Moved
from bot.play.model.game import Game, Offer
from bot.play.model.refusals import NotYourTurn
from bot.play.model.refused_starts import NotForYou, TooManyGames
from bot.play.model.terms import ColorChoice, EndReason, Place, Start
from bot.play.store.store import Store
from bot.play.use_cases.deadlines import deserted_at
from bot.play.use_cases.rematches import next_level
from bot.play.words.boards import board
from dvonn import Color, IllegalMoveError, parse_move
from dvonn.machine import LEVELS
from tests.bot.conftest import Clock
from tests.bot.hands import Hands
from tests.bot.rows import all_rows
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, how, raises
from tests.games import positions_of, random_game

MACHINE = UserId(900)
LEVEL = 3


async def begin(
    table: Table, colour: ColorChoice = ColorChoice.WHITE, start: Start = Start.PLACEMENT
) -> Game:
    """A game of Ann against the machine."""
    challenge = await table.challenge(MACHINE, level=LEVEL, colour=colour, start=start)
    return (await table.accept(challenge, ANN)).game


async def test_it_plays_its_move_when_it_is_its_turn(table: Table) -> None:
    game = await begin(table, ColorChoice.BLACK)
    assert game.waits_for_machine
    update = await table.games.play_by_machine(game.row.id, Revision(0), parse_move("a1"))
    assert update is not None
    (told,) = update.events
    assert (told.event.data, told.event.actor) == (Moved(parse_move("a1")), MACHINE)
    assert told.event.source is None  # no user asked for this
    assert update.game.to_move == ANN
    assert not update.game.waits_for_machine
    assert await table.game_cache.running_in(CHANNEL) == update.game


async def test_a_move_that_comes_too_late_is_not_played(table: Table, engine: AsyncEngine) -> None:
    game = (await begin(table, ColorChoice.BLACK)).row.id
    found = parse_move("a1")
    await table.games.play_by_machine(game, Revision(0), found)
    placed = await all_rows(engine)
    for revision in (0, 1):  # it has played already, and it is Ann's turn
        assert await table.games.play_by_machine(game, Revision(revision), found) is None
    assert await all_rows(engine) == placed
    await table.play(ANN, "b1")
    await table.leaving.resign(game, Revision(2), ANN, source=table.source())
    ended = await all_rows(engine)
    for number, revision in ((game, 2), (game, 3), (GameId(99), 0)):
        late = parse_move("c1")
        assert await table.games.play_by_machine(number, Revision(revision), late) is None
    assert await all_rows(engine) == ended


async def test_messages_written_before_the_machines_move_do_not_reply_to_it(table: Table) -> None:
    game = (await begin(table)).row.id
    early = table.clock()
    table.clock.advance(seconds=5)
    await table.play(ANN, "a1")
    table.clock.advance(seconds=5)
    await table.games.play_by_machine(game, Revision(1), parse_move("b1"))
    with pytest.raises(NotYourTurn):
        await table.games.play(CHANNEL, ANN, "c1", source=table.source(), written_at=early)
    now = table.clock()
    update = await table.games.play(CHANNEL, ANN, "c1", source=table.source(), written_at=now)
    assert update.game.row.revision == 3
    table.clock.advance(seconds=5)
    await table.games.play_by_machine(game, Revision(3), parse_move("d1"))
    with pytest.raises(NotYourTurn):
        await table.games.play(CHANNEL, ANN, "e1", source=table.source(), written_at=now)


async def test_two_moves_in_a_row_may_both_be_earlier_messages(table: Table) -> None:
    moves = random_game(8)  # the player of the last move but one has to pass before the last one
    boards = positions_of(moves)
    assert boards[76].turn is boards[77].turn is not None
    colour = ColorChoice.WHITE if boards[76].turn is Color.WHITE else ColorChoice.BLACK
    game = await begin(table, colour)
    for number, move in enumerate(moves[:76]):
        if boards[number].turn is boards[76].turn:
            await table.play(ANN, str(move))
        else:
            await table.games.play_by_machine(game.row.id, Revision(number), move)
    written = table.clock()
    table.clock.advance(seconds=5)
    for move in moves[76:]:
        update = await table.games.play(
            CHANNEL, ANN, str(move), source=table.source(), written_at=written
        )
    assert how(update.game) is EndReason.COUNT


async def test_the_machine_never_moves_for_people(table: Table) -> None:
    game = (await table.begin()).row
    assert await table.games.play_by_machine(game.id, Revision(0), parse_move("a1")) is None
    assert (await table.game_cache.running_in(CHANNEL)).row.revision == 0


async def test_leaving_before_the_machines_move_counts(engine: AsyncEngine, clock: Clock) -> None:
    hands = Hands(engine, clock)
    game = (await begin(hands.quick, ColorChoice.BLACK)).row.id
    late, _ = await hands.race(
        lambda table: table.games.play_by_machine(game, Revision(0), parse_move("a1")),
        lambda table: table.leaving.resign(game, Revision(0), ANN, source=table.source()),
    )
    assert late is None
    assert how(await hands.quick.game_cache.existing(game)) is EndReason.RESIGNATION


async def test_the_rules_hold_for_it_too(table: Table) -> None:
    game = (await begin(table, ColorChoice.BLACK)).row.id
    with pytest.raises(IllegalMoveError):
        await table.games.play_by_machine(game, Revision(0), parse_move("a1-b1"))


# The start


async def test_only_the_challenger_starts_against_the_machine(table: Table) -> None:
    challenge = await table.challenge(MACHINE, level=LEVEL)
    await raises(NotForYou, table.accept(challenge, BOB))
    row = (await table.accept(challenge, ANN)).game.row
    assert (row.white, row.black) == (ANN, MACHINE)
    assert (row.machine, row.level) == (MACHINE, LEVEL)


async def test_it_plays_as_many_games_as_people_want(table: Table) -> None:
    await table.store.guilds.choose(GUILD, games_per_person=1)
    for number, user in enumerate((ANN, BOB, CID)):
        channel = ChannelId(700 + number)
        challenge = await table.challenge(MACHINE, challenger=user, level=LEVEL, channel=channel)
        await table.accept(challenge, user)
    caught = await raises(TooManyGames, table.challenge(MACHINE, level=LEVEL, place=Place.THREAD))
    assert caught.who == ANN
    # Games against people count together with those against the machine.
    await raises(TooManyGames, table.challenge(BOB, channel=ChannelId(710)))


async def test_the_machine_accepts_a_rematch_at_its_level_at_once(table: Table) -> None:
    ended = await table.resign(await begin(table))
    row, update = await table.rematch(ended.game, ANN)
    assert update is None
    new = (await table.accept(row.id, ANN, message=MessageId(602))).game.row
    assert (new.white, new.black, new.machine, new.level) == (MACHINE, ANN, MACHINE, LEVEL)


async def test_the_engine_is_awaited_when_it_is_asked(table: Table) -> None:
    await begin(table)
    update = await table.ask(ANN, Offer.DRAW)
    assert update.game.to_move == ANN
    assert update.game.waits_for_machine


# Texts


def kinds(update: GameUpdate | None) -> list[DeliveryKind]:
    assert update is not None
    return [row.kind for row in update.deliveries]


async def test_the_machines_reply_is_announced_with_its_board(table: Table) -> None:
    game = await begin(table)
    asked = await table.play(ANN, "d2")
    assert kinds(asked) == []
    answer = await table.games.play_by_machine(game.row.id, Revision(1), parse_move("e2"))
    assert kinds(answer) == [BOARD]
    told = await table.games.unannounced(game.row.id, Revision(2), Revision(0))
    assert [event.event.actor for event in told.events] == [ANN, MACHINE]


async def test_a_slow_machine_is_announced(table: Table, clock: Clock) -> None:
    game = (await begin(table)).row.id
    await table.play(ANN, "a1")
    for seconds, is_long in ((4, False), (1, True)):
        clock.advance(seconds=seconds)
        told = await table.games.unannounced(game, Revision(1), Revision(0))
        assert told.is_long is is_long
    await table.games.play_by_machine(game, Revision(1), parse_move("b1"))
    clock.advance(seconds=60)  # a person may take as long as they like
    assert not (await table.games.unannounced(game, Revision(2), Revision(1))).is_long


async def test_a_game_that_the_machine_begins_has_no_board_before(table: Table) -> None:
    challenge = await table.challenge(MACHINE, level=3, colour=ColorChoice.BLACK)
    assert kinds(await table.accept(challenge, ANN)) == []


async def test_a_board_that_waits_for_the_machine_is_queued_once(table: Table) -> None:
    game = await begin(table)
    waits: Game = (await table.play(ANN, "d2")).game
    for _ in range(2):
        await table.games.queue_board(waits)
    unsent = await table.store.deliveries.unsent(game.row.id)
    assert [row.revision for row in unsent if row.kind == BOARD] == [0, 1]


@pytest.mark.parametrize(("seconds", "called"), [(2, ()), (60, (ANN,))])
async def test_the_machines_quick_reply_pings_nobody(
    table: Table, clock: Clock, seconds: int, called: tuple[UserId, ...]
) -> None:
    """The board with the machine's reply also announces the move before it."""
    game = (await begin(table)).row.id
    await table.play(ANN, "a1")
    clock.advance(seconds=seconds)
    assert await table.games.play_by_machine(game, Revision(1), parse_move("b1")) is not None
    told = await table.games.unannounced(game, Revision(2), Revision(0))
    assert len(told.events) == 2
    assert told.pings == called


async def test_the_first_reply_pings_its_player_to_the_board(table: Table) -> None:
    game = (await begin(table, ColorChoice.BLACK)).row.id
    update = await table.games.play_by_machine(game, Revision(0), parse_move("a1"))
    assert update is not None
    assert update.pings == (ANN,)


async def test_the_level_that_was_played_last_is_the_usual_one(table: Table) -> None:
    lobby = table.lobby
    assert await lobby.usual_level(ANN) == 1
    for level, colour in ((5, ColorChoice.WHITE), (2, ColorChoice.BLACK)):
        await table.accept(await table.challenge(MACHINE, level=level, colour=colour), ANN)
        await table.end()
        assert await lobby.usual_level(ANN) == level
    other = GuildId(GUILD + 1)  # the setting belongs to a person, in every server
    await table.accept(await table.challenge(MACHINE, level=4, guild=other), ANN)
    assert (await lobby.usual_level(ANN), await lobby.usual_level(BOB)) == (4, 1)


async def test_the_highest_level_may_be_the_usual_one(store: Store, clock: Clock) -> None:
    table = Table(store, clock, reviews=True)
    await table.accept(await table.challenge(MACHINE, level=LEVELS[-1]), ANN)
    assert await table.lobby.usual_level(ANN) == LEVELS[-1]


async def test_a_game_from_a_position_proves_no_level(table: Table) -> None:
    game = (await table.accept(await table.challenge(MACHINE, level=1), ANN)).game
    won = await table.leaving.resign(game.row.id, Revision(0), MACHINE, source=table.source())
    assert next_level(won.game) == 2
    row = replace(won.game.row, start=Start.POSITION)
    assert next_level(replace(won.game, row=row)) is None


@pytest.mark.parametrize(("level", "offered"), [(1, 2), (16, 17), (17, None)])
async def test_a_win_against_the_machine_offers_the_next_level(
    table: Table, level: int, offered: int | None
) -> None:
    game = (await table.accept(await table.challenge(MACHINE, level=level), ANN)).game
    assert next_level(game) is None
    won = await table.leaving.resign(game.row.id, Revision(0), MACHINE, source=table.source())
    assert next_level(won.game) == offered
    ids = [button.custom_id for button in board(IN_ENGLISH, won).buttons]
    assert (f"dvonn:play:{offered}" in ids) == (offered is not None)
    begins = PlayMeButton.ids
    assert all(begins.fullmatch(text) for text in ids if text.startswith("dvonn:play:"))


@pytest.mark.parametrize("colour", [ColorChoice.WHITE, ColorChoice.BLACK])
async def test_nobody_can_abandon_a_practice_game(table: Table, colour: ColorChoice) -> None:
    game = await begin(table, colour)
    assert await deserted_at(table.store, game, table.clock()) is None
