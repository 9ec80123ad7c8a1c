"""Tests for games from a chosen position: how they are stored and recorded. They are unrated."""

from typing import Any

import pytest

import dvonn
from bot.base.ids import ChannelId, UserId
from bot.base.languages import IN_ENGLISH
from bot.play.model.clock import TimeControl
from bot.play.model.game import Game, Offer
from bot.play.model.terms import ColorChoice, Start
from bot.play.store.store import Store
from bot.replay.model.replays import (
    ReplayCursor,
    placed_by_players,
    record_of,
    sequence_of,
    view_at,
)
from bot.replay.words.game_page import record
from club.profiles.store.records import RecordTable
from dvonn._records.position_text import PrintedPosition
from school.puzzles.use_cases import Puzzles
from school.reviews.model import worth_another_try
from school.reviews.use_cases import Reviews
from tests.bot.conftest import Clock
from tests.bot.table import ALL, ANN, BOB, CID, GUILD, Table
from tests.games import positions_of, random_game

COURSE = positions_of(random_game(5))
MIDDLE = dvonn.position_from_text(dvonn.position_to_text(COURSE[61]))
PLACING = COURSE[20]
BESIDE, DAN, EVE, MACHINE = ChannelId(501), UserId(104), UserId(105), UserId(900)


def reopened(table: Table) -> Table:
    """Return the same game from another process with an empty cache."""
    return Table(table.store, table.clock)


async def played(table: Table, position: dvonn.Position, plies: int, **terms: Any) -> Game:
    """A game from a position, and some of its moves."""
    game = await table.begin(position=position, **terms)
    for _ in range(plies):
        game = (await table.move(game)).game
    return game


@pytest.mark.parametrize(
    "position", [MIDDLE, PLACING, COURSE[49]], ids=["middle", "placing", "full"]
)
@pytest.mark.parametrize("colour", [ColorChoice.WHITE, ColorChoice.BLACK])
async def test_a_game_from_a_position_is_the_same_when_read_again(
    table: Table, position: dvonn.Position, colour: ColorChoice
) -> None:
    game = await played(table, position, 0, colour=colour, clock=TimeControl.from_text("1d"))
    assert (game.position, game.origin, game.row.start) == (position, position, Start.POSITION)
    assert game.turn is position.turn
    assert game.player(dvonn.Color.WHITE) == (ANN if colour is ColorChoice.WHITE else BOB)
    for _ in range(3):
        game = (await table.move(game)).game
    again = await reopened(table).game_cache.existing(game.row.id)
    assert again == game
    course = sequence_of(again)
    assert (course.start, course.plies, course.dealt) == (position, 3, 0)
    assert course.positions()[-1] == again.position
    assert view_at(ReplayCursor(game.row.id, 0), course, again).position == position
    assert placed_by_players(again) == again.first_ply == 0


async def test_a_challenge_keeps_its_position_until_it_is_accepted(table: Table) -> None:
    number = await table.challenge(position=MIDDLE)
    row = await reopened(table).store.challenges.get(number)
    assert row is not None
    assert (row.terms.start, row.terms.position) == (Start.POSITION, PrintedPosition(MIDDLE))
    assert (await table.accept(number)).game.position == MIDDLE


@pytest.mark.parametrize("level", [None, 3])
async def test_it_is_never_rated_and_nobody_can_claim_it(table: Table, level: int | None) -> None:
    terms = {"position": MIDDLE, "level": level, "rated": None}
    game = await table.begin(BOB if level is None else MACHINE, **terms)
    assert not game.row.rated
    assert not game.row.claimable


async def test_its_record_begins_with_the_position_and_is_read_back(table: Table) -> None:
    game = (await table.resign(await played(table, MIDDLE, 4), ANN)).game
    text = record_of(game, white="Ann").to_text()
    assert f'[Start "{dvonn.position_to_text(MIDDLE)}"]' in text
    found = dvonn.GameRecord.from_text(text)
    assert (found.moves, found.positions()[-1]) == (sequence_of(game).moves, game.position)
    # That format has no field for a start.
    post = record(IN_ENGLISH, game, record_of(game), "boardspace")
    assert post.file is not None
    assert dvonn.GameRecord.from_text(post.file.data.decode()).moves == found.moves
    assert not post.selects


async def test_the_rest_of_a_placement_can_be_left_to_chance(table: Table) -> None:
    game = await played(table, PLACING, 2)
    assert game.to_move is not None
    await table.ask(game.to_move, Offer.FINISH)
    game = (await table.ask(game.opponent(game.to_move), Offer.FINISH)).game
    assert game.position.phase is dvonn.Phase.MOVEMENT
    game = await reopened(table).game_cache.existing(game.row.id)
    assert sequence_of(game).positions()[-1] == game.position
    assert sequence_of(game).moves[:2] == tuple(ply.move for ply in game.line[:2])
    assert record_of(game).positions()[-1] == game.position


async def test_moves_are_taken_back_as_far_as_the_position(table: Table) -> None:
    game = await table.begin(MACHINE, position=MIDDLE, level=1, colour=ColorChoice.RANDOM)
    if game.to_move == MACHINE:
        game = (await table.move(game)).game
    before = game
    game = (await table.move(game)).game
    game = (await table.ask(ANN, Offer.TAKEBACK)).game
    assert game.position == before.position


async def test_its_rematch_starts_there_with_swapped_colors(table: Table) -> None:
    game = (await table.resign(await played(table, MIDDLE, 4), ANN)).game
    await table.rematch(game, ANN)
    _, update = await table.rematch(game, BOB)
    assert update is not None
    assert update.game.position == MIDDLE
    assert (update.game.row.white, update.game.row.black) == (game.row.black, game.row.white)
    assert not update.game.row.rated


async def test_the_machine_continues_after_a_player_leaves(table: Table) -> None:
    game = (await table.resign(await played(table, MIDDLE, 4), ANN)).game
    update = await table.stand_in.continue_game(
        game.row.id, game.row.revision, BOB, MACHINE, source=table.source()
    )
    assert update.game.position == game.position
    assert update.game.origin == MIDDLE


async def test_a_practice_game_counts_in_no_record_and_makes_no_puzzle(
    store: Store, clock: Clock
) -> None:
    table = Table(store, clock, reviews=True)
    game = (await table.resign(await played(table, MIDDLE, 4), ANN)).game
    assert await store.queries(RecordTable).results_of(ANN, GUILD) == []
    assert not await table.of(Puzzles).may_become_puzzles(game)
    await table.resign(await table.begin(start=Start.BALANCED), ANN)
    assert len(await store.queries(RecordTable).results_of(ANN, GUILD)) == 1


async def test_a_review_begins_with_the_chosen_position(store: Store, clock: Clock) -> None:
    table = Table(store, clock, reviews=True)
    game = (await table.resign(await played(table, MIDDLE, 4), ANN)).game
    job = await table.of(Reviews).take(ALL)
    assert job is not None
    assert (job.record.start, job.record.moves) == (MIDDLE, sequence_of(game).moves)
    assert job.placements == 0
    assert worth_another_try(game, None, None) == 3


# Positions without engine help


async def new_game_at(table: Table, course: list[dvonn.Position], plies: int) -> Game:
    """A game between two people after some plies of a line."""
    return await go_on(table, await table.begin(CID, challenger=BOB, channel=BESIDE), course, plies)


async def go_on(table: Table, game: Game, course: list[dvonn.Position], plies: int) -> Game:
    """Continue a game along a line up to a ply."""
    for after in course[len(game.line) + 1 : plies + 1]:
        move = next(
            move for move in game.position.legal_moves() if game.position.play(move) == after
        )
        assert game.to_move is not None
        game = (await table.play(game.to_move, str(move), BESIDE)).game
    return game
