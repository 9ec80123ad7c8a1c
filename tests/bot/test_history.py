"""Games that are over, found again; and who is refused the engine's help, and where."""

from collections.abc import Sequence
from functools import partial

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.games import Archive, FairPlay, History
from bot.games.pie import random_boards
from bot.model.game import Game, Offer
from bot.model.ids import NO_GUILD, ChannelId, GameId, GuildId, Revision, UserId
from bot.model.outcome import How
from bot.model.refusals import GameGone, HelpProblem, NoEngineHelp
from bot.model.terms import Start
from bot.store import Store
from dvonn import Color, Position, column_row, point_at
from tests.bot.table import ANN, BOB, CHANNEL, CID, GUILD, Table
from tests.games import random_game

MOVES = random_game(5)
POSITIONS = [Position.initial()]
for _move in MOVES:
    POSITIONS.append(POSITIONS[-1].play(_move))
PLAYED = 60
FRIEND, ELSEWHERE = UserId(104), GuildId(77)
"""Somebody who plays nowhere; and a server where nothing is played."""


@pytest.fixture
def history(store: Store) -> History:
    return History(store, Archive(store))


@pytest.fixture
def fair_play(store: Store) -> FairPlay:
    return FairPlay(store, Archive(store))


async def ended(table: Table, count: int, *, challenger: UserId = ANN) -> list[GameId]:
    """Games that somebody has lost to Bob one after the other, the last one first."""
    numbers: list[GameId] = []
    for _ in range(count):
        game = (await table.accept(await table.challenge(BOB, challenger=challenger))).game
        table.clock.advance(minutes=1)
        source = table.source()
        await table.leaving.resign(game.row.id, Revision(0), challenger, source=source)
        numbers.insert(0, game.row.id)
    return numbers


async def test_games_that_are_over_are_listed_in_pages(table: Table, history: History) -> None:
    numbers = await ended(table, 23)
    running = (await table.accept(await table.challenge())).game
    pages, at = [], None
    while True:
        page = await history.ended(GUILD, ANN, before=at)
        pages.append([one.row.id for one in page.games])
        assert page.has_newer == (len(pages) > 1)
        if not page.has_older:
            break
        at = pages[-1][-1]
    assert pages == [numbers[:10], numbers[10:20], numbers[20:]]
    assert all(running.row.id not in page for page in pages)
    back = await history.ended(GUILD, ANN, after=pages[2][0])
    assert [one.row.id for one in back.games] == pages[1]
    assert (back.has_newer, back.has_older) == (True, True)
    first = await history.ended(GUILD, ANN, after=pages[1][0])
    assert [one.row.id for one in first.games] == pages[0]
    assert (first.has_newer, first.has_older) == (False, True)


async def test_both_seats_are_listed_and_nobody_elses_games(table: Table, history: History) -> None:
    anns, cids = await ended(table, 2), await ended(table, 2, challenger=CID)
    bobs = await history.ended(GUILD, BOB)
    assert [one.row.id for one in bobs.games] == [*cids, *anns]
    assert [one.row.id for one in (await history.ended(GUILD, ANN)).games] == anns
    assert (await history.ended(GuildId(1), BOB)).games == ()
    newest = bobs.games[0]
    assert newest.at == table.clock()
    assert newest.row.outcome is not None
    assert newest.row.outcome.how is How.RESIGNATION


async def test_a_record_has_names_and_the_day_on_which_the_game_began(
    table: Table, history: History
) -> None:
    (number,) = await ended(table, 1)
    _, record = await history.record(number, white="Ann", black="")
    assert dict(record.headers) == {
        "White": "Ann",
        "Black": "?",
        "Date": "2026.03.01",
        "Coordinates": "standard",
        "Result": "0-1",
        "Termination": "resignation",
    }
    with pytest.raises(GameGone):
        await history.record(GameId(99), white="", black="")


async def test_a_board_is_found_in_its_games_course(table: Table, history: History) -> None:
    game = (await table.accept(await table.challenge())).game
    await table.play_out(MOVES[:9])
    number = game.row.id
    assert (await history.at_board(number, Revision(5)))[1:] == (5, ())
    with pytest.raises(GameGone):
        await history.at_board(number, Revision(10))
    with pytest.raises(GameGone):
        await history.at_board(GameId(99), Revision(0))


async def test_of_what_was_taken_back_a_line_remains(table: Table, history: History) -> None:
    game = (await table.accept(await table.challenge())).game
    last = (await table.play_out(MOVES[:9])).told[-1].event.actor
    await table.offers.ask(CHANNEL, last, Offer.TAKEBACK, source=table.source())
    _, ply, line = await history.at_board(game.row.id, Revision(9))
    assert (ply, line) == (8, tuple(MOVES[8:9]))


async def refused(
    fair_play: FairPlay,
    positions: Sequence[Position],
    *,
    user: UserId = ANN,
    guild: GuildId = GUILD,
    game: GameId | None = None,
) -> bool:
    """Whether the engine keeps out of it."""
    try:
        await fair_play.check(positions, user=user, guild=guild, game=game)
    except NoEngineHelp as error:
        return error.problem is HelpProblem.RUNNING
    return False


def turned(position: Position) -> Position:
    """The same with the board turned, the colours changed, and the other player to move."""
    swap, stacks = str.maketrans("WB", "BW"), {}
    for point, pieces in position.stacks.items():
        column, row = column_row(point)
        stacks[str(point_at(10 - column, 4 - row))] = pieces.translate(swap)
    return Position.from_stacks(stacks, turn=position.turn or Color.WHITE)


async def agreed(table: Table, channel: ChannelId = CHANNEL) -> Game:
    """A game in which both have agreed on hints, as far as it was played."""
    game = (await table.accept(await table.challenge(channel=channel))).game
    for user in (ANN, BOB):
        await table.offers.suggest_hints(game.row.id, user, source=table.source())
    for move in MOVES[:PLAYED]:
        game = await table.games.here(channel)
        assert game.to_move is not None
        update = await table.play(game.to_move, str(move), channel)
    return update.game


async def hint(fair_play: FairPlay, game: Game) -> HelpProblem | None:
    """Why whoever is to move is given no hint; None: they are."""
    assert game.to_move is not None
    try:
        await fair_play.check_hint(game, user=game.to_move, guild=GUILD)
    except NoEngineHelp as error:
        return error.problem
    return None


async def test_hints_are_given_by_agreement_and_at_no_other_door(
    table: Table, fair_play: FairPlay
) -> None:
    await table.accept(await table.challenge())
    game = (await table.play_out(MOVES[:PLAYED])).game
    assert await hint(fair_play, game) is HelpProblem.NOT_AGREED
    for user in (ANN, BOB):
        update = await table.offers.suggest_hints(game.row.id, user, source=table.source())
    assert await hint(fair_play, update.game) is None
    for user in (ANN, BOB, FRIEND):
        assert await refused(fair_play, [POSITIONS[PLAYED]], user=user)
        assert await refused(fair_play, POSITIONS[:9], user=user, game=game.row.id)


async def test_no_hint_is_given_on_what_is_played_in_another_game_as_well(
    table: Table, fair_play: FairPlay
) -> None:
    mirror = await agreed(table, ChannelId(501))
    assert await hint(fair_play, mirror) is None
    await table.accept(await table.challenge())
    await table.play_out(MOVES[:PLAYED])
    assert await hint(fair_play, mirror) is HelpProblem.RUNNING
    await table.play_out(MOVES[PLAYED : PLAYED + 12])
    assert await hint(fair_play, mirror) is None


async def test_what_a_question_costs_does_not_grow_with_the_games_that_go_on(
    table: Table, engine: AsyncEngine
) -> None:
    fair_play, asked = FairPlay(table.store, Archive(table.store)), list[str]()
    event.listen(engine.sync_engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    costs = []
    for channel in range(600, 604):
        challenge = await table.challenge(CID, challenger=BOB, channel=ChannelId(channel))
        await table.accept(challenge, CID)
        assert not await refused(fair_play, [POSITIONS[PLAYED]])  # the new game is seen
        asked.clear()
        assert not await refused(fair_play, [POSITIONS[PLAYED]])
        costs.append(len(asked))
    # The games of whoever asks, those in which they vote, and those that are played there.
    assert costs == [3, 3, 3, 3]
    await table.play(BOB, str(MOVES[0]), ChannelId(600))  # what has been played since is seen
    assert await refused(fair_play, [POSITIONS[3]])


@pytest.mark.parametrize(
    ("user", "guild"),
    [(ANN, GUILD), (ANN, ELSEWHERE), (BOB, NO_GUILD), (FRIEND, GUILD)],
)
async def test_a_running_games_board_is_refused_at_every_door(
    table: Table, fair_play: FairPlay, user: UserId, guild: GuildId
) -> None:
    await table.accept(await table.challenge())
    await table.play_out(MOVES[:PLAYED])
    here, at = POSITIONS[PLAYED], partial(refused, fair_play, user=user, guild=guild)
    assert await at([here])  # pasted
    assert await at([turned(here)])
    for near in (-2, -1, 1, 2):
        assert await at([POSITIONS[PLAYED + near]])
    assert await at(POSITIONS)  # a record that leads through it
    assert await at(POSITIONS[PLAYED:])
    assert await at([turned(one) for one in POSITIONS[PLAYED:80]])
    others = POSITIONS[: PLAYED - 10]
    assert not await at(others)
    assert not await at(POSITIONS[PLAYED + 10 :])


async def test_a_running_game_itself_is_refused_at_every_ply(
    table: Table, fair_play: FairPlay
) -> None:
    game = (await table.accept(await table.challenge())).game
    await table.play_out(MOVES[:PLAYED])
    for ply in (0, 20, PLAYED - 10, PLAYED):
        path = POSITIONS[: ply + 1]
        assert await refused(fair_play, path, user=FRIEND, guild=ELSEWHERE, game=game.row.id)


async def test_whoever_neither_plays_nor_is_there_is_told(
    table: Table, fair_play: FairPlay
) -> None:
    await table.accept(await table.challenge())
    await table.play_out(MOVES[:PLAYED])
    assert not await refused(fair_play, [POSITIONS[PLAYED]], user=FRIEND, guild=ELSEWHERE)


async def test_once_the_game_is_over_the_engine_speaks(table: Table, fair_play: FairPlay) -> None:
    game = (await table.accept(await table.challenge())).game
    update = await table.play_out(MOVES[:PLAYED])
    assert await refused(fair_play, [POSITIONS[PLAYED]], game=game.row.id)
    revision = update.game.row.revision
    await table.leaving.resign(game.row.id, revision, ANN, source=table.source())
    assert not await refused(fair_play, [POSITIONS[PLAYED]], game=game.row.id)


async def test_against_the_machine_the_engine_helps_freely(
    table: Table, fair_play: FairPlay
) -> None:
    challenge = await table.challenge(CID, level=3)
    game = (await table.accept(challenge, CID)).game
    assert game.row.machine == CID
    await table.play_out(MOVES[:PLAYED])
    assert not await refused(fair_play, [POSITIONS[PLAYED]], game=game.row.id)


async def test_the_boards_of_a_pie_start_are_refused_before_and_after_one_is_picked(
    table: Table, fair_play: FairPlay
) -> None:
    game = (await table.accept(await table.challenge(start=Start.PIE))).game
    boards = random_boards(game.row)
    for board in boards:
        assert await refused(fair_play, [board])
    assert game.to_move is not None
    await table.pie.pick_board(
        game.row.id, game.row.revision, game.to_move, 2, source=table.source()
    )
    assert [await refused(fair_play, [board]) for board in boards] == [False, True, False]


async def test_a_game_that_has_just_begun_forbids_nothing_but_its_beginning(
    table: Table, fair_play: FairPlay
) -> None:
    await table.accept(await table.challenge())
    assert await refused(fair_play, POSITIONS[:1])
    assert await refused(fair_play, POSITIONS[:3])
    assert not await refused(fair_play, POSITIONS[:8])
    assert not await refused(fair_play, POSITIONS[: PLAYED + 1])
