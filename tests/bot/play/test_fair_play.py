"""Who is refused the engine's help, and held back what it has said or would play, and how long."""

from collections.abc import Iterable
from datetime import timedelta

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.base.ids import NO_GUILD, ChannelId, GameId, GuildId, UserId
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game
from bot.play.model.refusals import HelpProblem, NoEngineHelp
from bot.play.model.terms import How
from bot.play.store.store import Store
from bot.play.use_cases.fair_play import FairPlay
from bot.play.use_cases.game_cache import GameCache
from dvonn import Color, Position, column_row, point_at
from tests.bot.conftest import Clock
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table, how
from tests.games import positions_of, random_game

MOVES = random_game(5)
POSITIONS = positions_of(MOVES)
OTHER_MOVES = random_game(6)
PLAYED = 60
DAN, EVE, MACHINE = UserId(104), UserId(105), UserId(900)
ELSEWHERE, BESIDE, FAR = GuildId(77), ChannelId(501), ChannelId(502)
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
    clock: TimeControl | None = None,
) -> Game:
    """A game that begins with the empty board."""
    challenge = await table.challenge(
        black, challenger=white, guild=guild, channel=channel, level=level, rated=rated, clock=clock
    )
    return (await table.accept(challenge, black)).game


async def play(table: Table, channel: ChannelId, moves: Iterable[object]) -> Game:
    """Play on in a channel, by whoever is to move; the game as it stands then."""
    game = await table.game_cache.running_in(channel)
    for move in moves:
        assert game.to_move is not None
        game = (await table.play(game.to_move, str(move), channel)).game
    return game


async def resign(table: Table, game: Game, user: UserId) -> Game:
    update = await table.leaving.resign(game.row.id, game.row.revision, user, source=table.source())
    assert how(update.game) is How.RESIGNATION
    return update.game


async def problem(
    fair_play: FairPlay,
    positions: list[Position],
    *,
    user: UserId = DAN,
    game: GameId | None = None,
) -> HelpProblem | None:
    """Why the engine says nothing to somebody; None: it speaks."""
    try:
        await fair_play.check(positions, user=user, game=game)
    except NoEngineHelp as error:
        return error.problem
    return None


def turned(position: Position) -> Position:
    """The same with the board turned, the colours changed, and the other player to move."""
    swap, stacks = str.maketrans("WB", "BW"), {}
    for point, pieces in position.stacks.items():
        column, row = column_row(point)
        stacks[str(point_at(10 - column, 4 - row))] = pieces.translate(swap)
    return Position.from_stacks(stacks, turn=position.turn or Color.WHITE)


def with_others_below(position: Position) -> Position:
    """The same, but that two pieces that lie below others are exchanged."""
    stacks = dict(position.stacks)
    below = {
        pieces[0]: point for point, pieces in stacks.items() if len(pieces) > 1 and pieces[0] != "R"
    }
    for piece, other in ("WB", "BW"):
        point = below[piece]
        stacks[point] = other + stacks[point][1:]
    assert stacks != position.stacks
    return Position.from_stacks(stacks, turn=position.turn or Color.WHITE)


def with_one_piece_elsewhere(ply: int) -> Position:
    """A placement in which the last piece but two stands on another space."""
    order = [move.target for move in MOVES[:ply]]
    order[-3] = next(move.target for move in MOVES[ply:])
    after = Position.initial()
    for point in order:
        after = after.play(next(one for one in after.legal_moves() if one.target == point))
    return after


# What is asked


@pytest.mark.parametrize(
    ("user", "expected"),
    [(ANN, HelpProblem.NEAR_OWN), (BOB, HelpProblem.NEAR_OWN), (DAN, HelpProblem.NEAR)],
)
async def test_a_running_games_board_is_refused_wherever_it_is_asked_about(
    table: Table, user: UserId, expected: HelpProblem
) -> None:
    """A spectator in direct messages and an account in another server are answered no more."""
    await begin(table)
    await play(table, CHANNEL, MOVES[:PLAYED])
    here = POSITIONS[PLAYED]

    async def at(positions: list[Position]) -> HelpProblem | None:
        return await problem(table.fair_play, positions, user=user)

    assert await at([here]) is expected  # pasted
    assert await at([turned(here)]) is expected
    assert await at([with_others_below(here)]) is expected
    assert await at([with_others_below(turned(here))]) is expected
    for near in (-3, -2, -1, 1, 2, 3):
        assert await at([POSITIONS[PLAYED + near]]) is expected
    assert await at(POSITIONS) is expected  # a record that leads through it
    assert await at(POSITIONS[PLAYED:]) is expected
    assert await at([turned(one) for one in POSITIONS[PLAYED:80]]) is expected
    assert await at([with_others_below(here), *POSITIONS[PLAYED:80]]) is expected
    assert await at(POSITIONS[: PLAYED - 10]) is None
    assert await at(POSITIONS[PLAYED + 10 :]) is None


async def test_while_pieces_are_placed_one_that_stands_elsewhere_is_no_other_board(
    table: Table,
) -> None:
    await begin(table)
    await play(table, CHANNEL, MOVES[:20])
    for ply in (17, 20, 23):
        assert await problem(table.fair_play, [POSITIONS[ply]]) is HelpProblem.NEAR
    assert await problem(table.fair_play, [with_one_piece_elsewhere(20)]) is HelpProblem.NEAR
    assert await problem(table.fair_play, POSITIONS[:30]) is HelpProblem.NEAR  # it leads through
    for ply in (12, 28):
        assert await problem(table.fair_play, [POSITIONS[ply]]) is None


async def test_of_the_first_placements_anybody_may_ask(table: Table) -> None:
    await begin(table)
    await play(table, CHANNEL, MOVES[:8])
    for ply in range(9):
        assert await problem(table.fair_play, POSITIONS[: ply + 1]) is None
    assert await problem(table.fair_play, POSITIONS[: PLAYED + 1]) is None
    await play(table, CHANNEL, MOVES[8:9])
    assert await problem(table.fair_play, POSITIONS[:9]) is None
    assert await problem(table.fair_play, POSITIONS[:10]) is HelpProblem.NEAR


async def test_a_running_game_itself_is_refused_at_every_ply(table: Table) -> None:
    game = await begin(table)
    await play(table, CHANNEL, MOVES[:PLAYED])
    for ply in (0, 20, PLAYED - 10, PLAYED):
        path = POSITIONS[: ply + 1]
        found = await problem(table.fair_play, path, game=game.row.id)
        assert found is HelpProblem.RUNNING


async def test_once_the_game_is_over_the_engine_speaks(table: Table) -> None:
    await begin(table)
    game = await play(table, CHANNEL, MOVES[:PLAYED])
    here = [POSITIONS[PLAYED]]
    assert await problem(table.fair_play, here, game=game.row.id) is HelpProblem.RUNNING
    await resign(table, game, ANN)
    assert await problem(table.fair_play, here, game=game.row.id) is None
    assert await problem(table.fair_play, here) is None


async def test_against_the_machine_the_engine_helps_freely(table: Table) -> None:
    game = await begin(table, black=CID, level=3)
    assert game.row.machine == CID
    await play(table, CHANNEL, MOVES[:PLAYED])
    assert await problem(table.fair_play, [POSITIONS[PLAYED]], game=game.row.id) is None


# Hints


async def agreed(table: Table, channel: ChannelId = CHANNEL) -> Game:
    """A game in which both have agreed on hints, as far as it was played."""
    game = await begin(table, channel=channel)
    for user in (ANN, BOB):
        await table.offers.suggest_hints(game.row.id, user, source=table.source())
    return await play(table, channel, MOVES[:PLAYED])


async def hint(table: Table, game: Game) -> HelpProblem | None:
    """Why whoever is to move is given no hint; None: they are."""
    assert game.to_move is not None
    try:
        await table.fair_play.check_hint(game, user=game.to_move)
    except NoEngineHelp as error:
        return error.problem
    return None


async def test_hints_are_given_by_agreement_and_at_no_other_door(table: Table) -> None:
    await begin(table)
    game = await play(table, CHANNEL, MOVES[:PLAYED])
    for user in (ANN, BOB):
        update = await table.offers.suggest_hints(game.row.id, user, source=table.source())
    assert await hint(table, update.game) is None
    for user in (ANN, BOB, DAN):
        assert await problem(table.fair_play, [POSITIONS[PLAYED]], user=user) is not None
        path, number = POSITIONS[:9], game.row.id
        assert await problem(table.fair_play, path, user=user, game=number) is HelpProblem.RUNNING


async def test_no_hint_is_given_on_what_is_played_in_another_game_as_well(table: Table) -> None:
    mirror = await agreed(table, BESIDE)
    assert await hint(table, mirror) is None
    await begin(table, CID, DAN, guild=ELSEWHERE)
    await play(table, CHANNEL, MOVES[:PLAYED])
    assert await hint(table, mirror) is HelpProblem.NEAR
    await play(table, CHANNEL, MOVES[PLAYED : PLAYED + 12])
    assert await hint(table, mirror) is None


# Many games, several processes, older bots


@pytest.mark.both_databases
async def test_what_a_question_costs_does_not_grow_with_the_games_that_go_on(
    table: Table, engine: AsyncEngine
) -> None:
    fair_play, asked = FairPlay(table.store, GameCache(table.store)), list[str]()
    event.listen(engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    costs = []
    for channel in range(600, 604):
        await begin(table, BOB, CID, channel=ChannelId(channel))
        await play(table, ChannelId(channel), OTHER_MOVES[:12])
        asked.clear()
        for _ in range(2):
            assert await problem(fair_play, [POSITIONS[PLAYED]]) is None
        costs.append(len(asked))
    # Which games go on, the boards of those that have changed, and once more which go on.
    assert costs == [3, 3, 3, 3]
    await play(table, ChannelId(600), OTHER_MOVES[12:13])  # what has been played since is seen
    assert await problem(fair_play, positions_of(OTHER_MOVES[:13])) is HelpProblem.NEAR


@pytest.mark.both_databases
async def test_what_is_played_in_another_process_is_seen(
    table: Table, store: Store, engine: AsyncEngine
) -> None:
    """Each process has its own boards at hand; what has ended or moved on is none any more."""
    here = FairPlay(store, GameCache(store))
    await begin(table)
    await play(table, CHANNEL, MOVES[:PLAYED])
    assert await problem(here, [POSITIONS[PLAYED]]) is HelpProblem.NEAR
    game = await play(table, CHANNEL, MOVES[PLAYED : PLAYED + 10])
    assert await problem(here, [POSITIONS[PLAYED]]) is None
    assert await problem(here, [POSITIONS[PLAYED + 10]]) is HelpProblem.NEAR
    await resign(table, game, BOB)
    asked = list[str]()
    event.listen(engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert await problem(here, [POSITIONS[PLAYED + 10]]) is None
    assert len(asked) == 1  # its board is forgotten, so that it isn't looked at


@pytest.mark.parametrize("kept", [None, "20 " + "2" * 49])
async def test_what_an_older_bot_has_played_is_read_from_its_events(
    table: Table, engine: AsyncEngine, kept: str | None
) -> None:
    """It writes no boards, so that none stands there, or that of an earlier revision."""
    await begin(table)
    await play(table, CHANNEL, MOVES[:PLAYED])
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE games SET board = :kept"), {"kept": kept})
    assert await problem(table.fair_play, [POSITIONS[PLAYED]]) is HelpProblem.NEAR
    assert await problem(table.fair_play, [POSITIONS[PLAYED - 20]]) is None


# What the machine would play


async def against_machine(
    table: Table,
    plies: int,
    *,
    player: UserId = ANN,
    guild: GuildId = GUILD,
    clock: TimeControl | None = None,
) -> Game:
    """A game with the machine, which is to move after so many of the same moves."""
    game = await begin(table, player, MACHINE, guild=guild, channel=FAR, level=5, clock=clock)
    game = await play(table, FAR, MOVES[:plies])
    assert game.to_move == MACHINE
    return game


def to_black(ply: int) -> int:
    """The first ply from one on after which Black is to move."""
    return next(n for n in range(ply, len(POSITIONS)) if POSITIONS[n].turn is Color.BLACK)


@pytest.mark.parametrize("plies", [to_black(12), to_black(PLAYED)])
@pytest.mark.parametrize(
    ("player", "guild", "expected"),
    [
        (ANN, GUILD, True),
        (ANN, ELSEWHERE, True),
        (ANN, NO_GUILD, True),
        (CID, GUILD, True),
        (CID, ELSEWHERE, False),
    ],
)
async def test_the_machine_waits_where_its_move_helps_those_who_ask_or_are_there(
    table: Table, plies: int, player: UserId, guild: GuildId, expected: bool
) -> None:
    await begin(table, rated=True)
    beside = await against_machine(table, plies, player=player, guild=guild)
    assert not await table.fair_play.holds(beside)
    game = await play(table, CHANNEL, MOVES[: plies - 1])
    assert await table.fair_play.holds(beside) is expected
    game = await play(table, CHANNEL, MOVES[plies - 1 : plies + 3])
    assert await table.fair_play.holds(beside) is expected
    game = await play(table, CHANNEL, MOVES[plies + 3 : plies + 7])
    assert not await table.fair_play.holds(beside)
    assert game.is_running


async def test_the_machine_waits_until_the_other_game_is_over(table: Table) -> None:
    plies = to_black(PLAYED)
    await begin(table)
    game = await play(table, CHANNEL, MOVES[:plies])
    beside = await against_machine(table, plies)
    assert await table.fair_play.holds(beside)
    await resign(table, game, BOB)
    assert not await table.fair_play.holds(beside)


async def rate(table: Table, engine: AsyncEngine, game: Game) -> Game:
    """Let a game with the machine count that is going on."""
    async with engine.begin() as connection:
        await connection.execute(
            text("UPDATE games SET rated = TRUE WHERE id = :game"), {"game": game.row.id}
        )
    table.game_cache.forget_games([game.row.id])
    return await table.game_cache.existing(game.row.id)


async def test_of_two_rated_games_with_the_machine_the_older_goes_on(
    table: Table, engine: AsyncEngine
) -> None:
    plies = to_black(PLAYED)
    await begin(table, ANN, MACHINE, channel=BESIDE, level=3)
    older = await rate(table, engine, await play(table, BESIDE, MOVES[:plies]))
    newer = await rate(table, engine, await against_machine(table, plies))
    assert not await table.fair_play.holds(older)
    assert await table.fair_play.holds(newer)


async def test_a_game_with_the_machine_waits_for_a_rated_one_that_began_later(
    table: Table, engine: AsyncEngine
) -> None:
    plies = to_black(PLAYED)
    beside = await against_machine(table, plies)
    await begin(table, ANN, MACHINE, channel=BESIDE, level=3)
    rated = await rate(table, engine, await play(table, BESIDE, MOVES[:plies]))
    assert await table.fair_play.holds(beside)
    assert not await table.fair_play.holds(rated)


async def test_the_machine_loses_no_time_while_it_waits(table: Table, clock: Clock) -> None:
    plies, control = to_black(PLAYED), TimeControl(bank=timedelta(minutes=10))
    await begin(table)
    game = await play(table, CHANNEL, MOVES[:plies])
    beside = await against_machine(table, plies, clock=control)
    assert beside.clock is not None
    left = beside.clock.left(Color.BLACK)
    clock.advance(hours=3)
    assert await table.look() == []
    assert (await table.game_cache.existing(beside.row.id)).is_running
    await play(table, CHANNEL, MOVES[plies : plies + 4])
    clock.advance(seconds=40)
    assert await table.look() == []  # it thinks now
    played = await table.games.play_by_machine(
        beside.row.id, beside.row.revision, MOVES[plies], timed=False
    )
    assert played is not None
    assert played.game.clock is not None
    assert played.game.clock.left(Color.BLACK) == left
    assert game.row.id != beside.row.id


async def test_the_machines_time_is_up_where_it_does_not_wait(table: Table, clock: Clock) -> None:
    control = TimeControl(bank=timedelta(minutes=10))
    beside = await against_machine(table, to_black(PLAYED), clock=control)
    clock.advance(hours=3)
    (update,) = await table.look()
    assert update.game.row.id == beside.row.id
    assert how(update.game) is How.TIME
