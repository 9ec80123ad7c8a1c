"""Tests for fair play: no engine help on boards that people are playing."""

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, text

from bot.base.ids import ChannelId, GameId, GuildId, UserId
from bot.database.connection import AsyncEngine
from bot.play.model.game import Game
from bot.play.model.played_boards import FIRST_PLACEMENTS, cells, equivalent_forms, leading_to
from bot.play.model.refusals import NoEngineHelp
from bot.play.model.terms import EndReason
from bot.play.store.store import Store
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.game_cache import GameCache
from dvonn import POINTS, Color, Phase, Point, Position, column_row, neighbours, point_at
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, how
from tests.games import positions_of, random_game
from tests.tiers import share_of

MOVES = random_game(5)
POSITIONS = positions_of(MOVES)
OTHER_MOVES = random_game(6)
PLAYED = 60
DAN, EVE = UserId(104), UserId(105)
ELSEWHERE, BESIDE = GuildId(77), ChannelId(501)
"""Another server, and other channels."""


async def begin(
    table: Table,
    white: UserId = ANN,
    black: UserId = BOB,
    *,
    guild: GuildId = GUILD,
    channel: ChannelId = CHANNEL,
    level: int | None = None,
    rated: bool = False,
) -> Game:
    """A game that starts with the empty board."""
    challenge = await table.challenge(
        black, challenger=white, guild=guild, channel=channel, level=level, rated=rated
    )
    return (await table.accept(challenge, black)).game


async def play(table: Table, channel: ChannelId, moves: Iterable[object]) -> Game:
    """Play moves in a channel, as the player to move. Return the game afterwards."""
    game = await table.game_cache.running_in(channel)
    for move in moves:
        assert game.to_move is not None
        game = (await table.play(game.to_move, str(move), channel)).game
    return game


async def resign(table: Table, game: Game, user: UserId) -> Game:
    update = await table.leaving.resign(game.row.id, game.row.revision, user, source=table.source())
    assert how(update.game) is EndReason.RESIGNATION
    return update.game


async def is_silent(
    fair_play: FairPlay, position: Position, *, user: UserId = DAN, but: GameId | None = None
) -> bool:
    """Return True if the engine refuses to help a user with a position."""
    try:
        await fair_play.check(position, user=user, but=but)
    except NoEngineHelp:
        return True
    return False


def turned_point(point: Point) -> Point:
    column, row = column_row(point)
    other = point_at(10 - column, 4 - row)
    assert other is not None
    return other


def mirrored_point(point: Point) -> Point:
    row = [row for row in POINTS if row[1] == point[1]]
    return row[len(row) - 1 - row.index(point)]


def turned(position: Position) -> Position:
    """The same board rotated, with swapped colors, and the other player to move."""
    swap = str.maketrans("WB", "BW")
    return Position.from_stacks(
        {turned_point(at): pieces.translate(swap) for at, pieces in position.stacks.items()},
        turn=position.turn or Color.WHITE,
    )


def with_others_below(position: Position) -> Position:
    """The same board with two covered pieces exchanged."""
    stacks = dict(position.stacks)
    below = {
        pieces[0]: point for point, pieces in stacks.items() if len(pieces) > 1 and pieces[0] != "R"
    }
    for piece, other in ("WB", "BW"):
        point = below[piece]
        stacks[point] = other + stacks[point][1:]
    assert stacks != position.stacks
    return Position.from_stacks(stacks, turn=position.turn or Color.WHITE)


# Boards that play the same


def test_rotations_and_reflections_keep_neighbors() -> None:
    for form in (turned_point, mirrored_point):
        for point in POINTS:
            beside = {form(neighbour) for neighbour in neighbours(point)}
            assert beside == set(neighbours(form(point)))


@pytest.mark.parametrize("ply", [49, 60, 75])
def test_a_board_is_the_same_however_it_is_turned(ply: int) -> None:
    here = POSITIONS[ply]
    both = {at: turned_point(mirrored_point(at)) for at in POINTS}
    for form in (turned_point, mirrored_point, both.__getitem__):
        for swap in ({}, str.maketrans("WB", "BW")):
            stacks = {form(at): pieces.translate(swap) for at, pieces in here.stacks.items()}
            other = Position.from_stacks(stacks, turn=Color.BLACK)
            assert equivalent_forms(other) == equivalent_forms(here)
            assert cells(here) in equivalent_forms(other)


def test_of_a_stack_counts_who_owns_it_its_height_and_whether_it_holds_red() -> None:
    def at_c3(pieces: str) -> str:
        stacks = {"c3": pieces, "d3": "RW"}  # the red piece that links the stack
        return cells(Position.from_stacks(stacks, turn=Color.WHITE))

    for other, is_same in {
        "BWRWW": True,
        "RBBBW": True,
        "RBRBW": True,  # two reds in one stack leave the board together
        "WBRBB": False,
        "WBBBW": False,
        "WBRW": False,
    }.items():
        assert (at_c3(other) == at_c3("WBRBW")) is is_same, other
    assert at_c3("R") != at_c3("W")


def test_the_board_before_each_ply_is_found_and_hardly_another() -> None:
    """This also holds if the ply cuts off many stacks, and in every rotation of the board."""
    rng = Random(3)
    games = [positions_of(random_game(seed)) for seed in range(share_of(100))]
    boards = {GameId(n): cells(game[rng.randrange(9, 80)]) for n, game in enumerate(games, 1)}
    others = 0
    for game in games:
        ply = rng.randrange(FIRST_PLACEMENTS, len(game) - 2)
        before = {GameId(0): cells(game[ply])}
        for move in game[ply].legal_moves():
            after = game[ply].play(move)
            assert leading_to(equivalent_forms(after), before) == ({0} if after.turn else set())
            if after.phase is Phase.PLACEMENT:
                twice = after.play(rng.choice(after.legal_moves()))
                assert leading_to(equivalent_forms(twice), before) == set()
            else:
                assert leading_to(equivalent_forms(turned(after)), before) == (
                    {0} if after.turn else set()
                )
        assert leading_to(equivalent_forms(game[ply]), before) == (
            {0} if ply > FIRST_PLACEMENTS else set()
        )
        others += len(leading_to(equivalent_forms(game[ply]), boards))
    assert others < 2 * len(games)


# Requests for help


def askers() -> Iterator[Any]:
    """Try all users at one ply, and one of them at each ply. The quick test skips the other
    pairs."""
    rest = pytest.mark.later("who asks does not go by how far the game is")
    for user, plies in product((ANN, BOB, DAN), (20, PLAYED, 68)):
        yield pytest.param(user, plies, marks=() if user == DAN or plies == PLAYED else rest)


@pytest.mark.parametrize(("user", "plies"), [*askers()])
async def test_a_running_games_board_is_refused_wherever_it_is_asked_about(
    table: Table, user: UserId, plies: int
) -> None:
    """Players, spectators, and an account in another server get the same answer."""
    await begin(table)
    await play(table, CHANNEL, MOVES[:plies])
    here = POSITIONS[plies]

    async def silent(position: Position) -> bool:
        return await is_silent(table.fair_play, position, user=user)

    assert await silent(here)
    for move in here.legal_moves():
        assert await silent(here.play(move))
    if here.phase is not Phase.PLACEMENT:
        assert await silent(turned(here))
        assert await silent(with_others_below(here))
        assert await silent(with_others_below(turned(here)))
        assert await silent(turned(POSITIONS[plies + 1]))
    for away in (-9, -2, -1, 2, 3, 5):
        assert not await silent(POSITIONS[plies + away])


async def test_another_board_is_answered_however_near_it_is(table: Table) -> None:
    """Return boards with one changed space, or one piece placed elsewhere."""
    await begin(table)
    await play(table, CHANNEL, MOVES[:20])
    order = [move.target for move in MOVES[:20]]
    order[-3] = MOVES[30].target
    moved = Position.initial()
    for point in order:
        moved = moved.play(next(move for move in moved.legal_moves() if move.target == point))
    assert not await is_silent(table.fair_play, moved)
    await play(table, CHANNEL, MOVES[20:PLAYED])
    here = POSITIONS[PLAYED]
    stacks = dict(here.stacks)
    one, other = (next(at for at, pieces in stacks.items() if pieces == it) for it in "WB")
    stacks[one], stacks[other] = "B", "W"
    changed = Position.from_stacks(stacks, turn=here.turn or Color.WHITE)
    assert not await is_silent(table.fair_play, changed)


async def test_the_first_placements_are_exempt_from_fair_play(table: Table) -> None:
    await begin(table)
    await play(table, CHANNEL, MOVES[:FIRST_PLACEMENTS])
    for ply in range(FIRST_PLACEMENTS + 1):
        assert not await is_silent(table.fair_play, POSITIONS[ply])
    assert await is_silent(table.fair_play, POSITIONS[FIRST_PLACEMENTS + 1])


async def test_the_engine_answers_after_the_game_has_moved_on(table: Table) -> None:
    await begin(table)
    await play(table, CHANNEL, MOVES[:PLAYED])
    assert await is_silent(table.fair_play, POSITIONS[PLAYED])
    game = await play(table, CHANNEL, MOVES[PLAYED : PLAYED + 1])
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED])
    assert await is_silent(table.fair_play, POSITIONS[PLAYED + 1])
    await resign(table, game, ANN)
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED + 1])


async def test_against_the_machine_the_engine_helps_freely(table: Table) -> None:
    game = await begin(table, black=CID, level=3)
    assert game.row.machine == CID
    await play(table, CHANNEL, MOVES[:PLAYED])
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED])


async def test_a_hint_helps_in_its_own_game_and_in_no_other(table: Table) -> None:
    beside = await begin(table, channel=BESIDE)
    await play(table, BESIDE, MOVES[:PLAYED])
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED], but=beside.row.id)
    await begin(table, CID, DAN, guild=ELSEWHERE)
    await play(table, CHANNEL, MOVES[:PLAYED])
    assert await is_silent(table.fair_play, POSITIONS[PLAYED], but=beside.row.id)
    await play(table, CHANNEL, MOVES[PLAYED : PLAYED + 2])
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED], but=beside.row.id)


async def test_a_game_from_a_chosen_position_does_not_block_the_engine(table: Table) -> None:
    number = await table.challenge(BOB, challenger=ANN, position=POSITIONS[PLAYED])
    await table.accept(number, BOB)
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED])
    for user in (ANN, BOB):
        assert await is_silent(table.fair_play, POSITIONS[PLAYED], user=user)


# Many games, several processes, older bots


@pytest.mark.both_databases
async def test_a_query_is_one_statement_for_any_number_of_games(
    table: Table, engine: AsyncEngine
) -> None:
    fair_play, asked = FairPlay(table.store, GameCache(table.store)), list[str]()
    event.listen(engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    for channel in range(600, 604):
        await begin(table, BOB, CID, channel=ChannelId(channel))
        await play(table, ChannelId(channel), OTHER_MOVES[:12])
        asked.clear()
        assert not await is_silent(fair_play, POSITIONS[PLAYED])
        assert len(asked) == 1


@pytest.mark.both_databases
async def test_moves_in_another_process_are_seen(table: Table, store: Store) -> None:
    here = FairPlay(store, GameCache(store))
    await begin(table)
    for plies in (PLAYED, PLAYED + 10):
        game = await play(table, CHANNEL, MOVES[PLAYED if plies > PLAYED else 0 : plies])
        assert await is_silent(here, POSITIONS[plies])
    assert not await is_silent(here, POSITIONS[PLAYED])
    await resign(table, game, BOB)
    assert not await is_silent(here, POSITIONS[PLAYED + 10])


@pytest.mark.both_databases
@pytest.mark.parametrize("kept", [None, "20-" + "4" * 49])
async def test_an_older_bots_games_are_read_from_events_once(
    table: Table, engine: AsyncEngine, kept: str | None
) -> None:
    """It stores no board, so there is none, or that of an earlier revision."""
    await begin(table)
    await play(table, CHANNEL, MOVES[:PLAYED])
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE games SET board = :kept"), {"kept": kept})
    assert await is_silent(table.fair_play, POSITIONS[PLAYED])
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED - 20])
    asked = list[str]()
    event.listen(engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert not await is_silent(table.fair_play, POSITIONS[PLAYED - 20])
    assert len(asked) == 1
